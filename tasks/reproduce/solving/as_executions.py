"""A solved description as executions with data files, which evidence reads like the files of any simulation.

Every rung and every variant of a scene is an execution of its own; a scene's finest rung has scale 1. Trusted code writes
them from what trusted reducers measured: nothing in them comes from generated code but the ids of quantities and targets.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from schemas.base import FileRef, digest
from schemas.reproduce.simulations.execution import Dataset, DatasetTarget, Execution, MeepRun
from simkit.runs import AnyRun, BandsRun
from tasks.files.store import atomic_write
from tasks.reproduce.describing.lengths import Lengths
from tasks.reproduce.measuring import Measured
from tasks.reproduce.measuring.unsettled import NEARLY
from tasks.reproduce.solving.columns import columns_of, described_as, place_in
from tasks.reproduce.solving.varying import Outcome
from tasks.reproduce.uncertainty.climbed import Climb

_DIMENSIONS = {"1D": 1, "2D": 2, "3D": 3, "cylindrical": 2}


@dataclass(frozen=True)
class Place:
    """Where a stage's executions go: files below run_dir/<stage_id>/runs. lengths: what lengths are told in."""

    stage_id: str
    run_dir: Path
    lengths: Lengths
    meep_version: str
    sandbox_level: str


def executions_of(made: Climb, place: Place) -> tuple[Execution, ...]:
    """The rungs of a scene or sweep by ascending resolution, then its variants at the coarsest rung."""
    finest = made.finest
    rungs: dict[float, dict[str, Measured]] = {}
    parts: dict[tuple[str, int], dict[str, Measured]] = {}
    for name, variants in made.variants.items():
        for resolution, value in variants.rungs:
            rungs.setdefault(resolution, {})[name] = value
        for part, values in variants.changed.items():
            for number, value in enumerate(values):
                parts.setdefault((part, number), {})[name] = value
    out = []
    for resolution, values in sorted(rungs.items()):
        outcome = _outcome(made, f"resolution {resolution:g}", values)
        out.append(_execution(made, place, values, outcome, resolution / finest, ""))
    coarsest = min(rungs, default=finest)
    for (part, number), values in parts.items():
        outcome = _outcome(made, part, values)
        out.append(
            _execution(
                made, place, values, outcome, coarsest / finest, f"{part}{f' {number + 1}' if number else ''}"
            )
        )
    return tuple(out)


def _outcome(made: Climb, label: str, values: Mapping[str, Measured]) -> Outcome:
    """What gave these values: of what was solved more than once, and ended the last time, not the last."""
    return next(
        (
            outcome
            for name, outcome in reversed(made.outcomes)
            if name == label and any(outcome.values.get(key) is value for key, value in values.items())
        ),
        made.coarse,
    )


def _execution(
    made: Climb, place: Place, values: Mapping[str, Measured], outcome: Outcome, scale: float, variant: str
) -> Execution:
    scale = round(scale, 9)
    folder = f"{place.stage_id}/runs/{made.group.name}-x{scale:.4g}{'-' + variant.replace(' ', '-') if variant else ''}"
    data = place.run_dir / folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    datasets = [_dataset(made, name, value, data, place) for name, value in values.items()]
    digests = {name: run.digest() for name, run in outcome.runs.items()}
    record = Execution(
        execution_id=digest(
            [
                place.stage_id,
                made.group.name,
                scale,
                variant,
                digests,
                {d.dataset_id: d.file.sha256 for d in datasets},
            ],
            32,
        ),
        stage_id=place.stage_id,
        resolution_scale=scale,
        variant=variant,
        described=True,
        exit_code=0,
        cpu_s=outcome.cpu_s,
        sandbox_level=place.sandbox_level,
        meep_version=place.meep_version,
        complete=True,
        datasets=tuple(datasets),
        meep_runs=tuple(_meep_run(name, run, outcome) for name, run in outcome.runs.items()),
        directory=folder,
    )
    atomic_write(place.run_dir / folder / "execution.json", record.model_dump_json(indent=1))
    atomic_write(place.run_dir / folder / "runs.json", json.dumps(digests, indent=1))
    return record


def _dataset(made: Climb, name: str, value: Measured, folder: Path, place: Place) -> Dataset:
    found = made.group.description
    told = columns_of(found, name, value, place.lengths)
    columns = tuple(column for column, _ in told)
    kind = ("scalar", "spectrum", "field")[len(told) - 1]
    rows = np.column_stack([values for _, values in told]).tolist()
    path = folder / f"{name}.csv"
    atomic_write(path, _csv([column.name for column in columns], rows))
    return Dataset(
        dataset_id=name,
        kind=kind,
        file=FileRef.of(path, place.run_dir),
        columns=columns,
        rows=len(rows),  # type: ignore[arg-type]
        targets=tuple(
            DatasetTarget(target=target, column=name, place=place_in(found, name))
            for target in described_as(found, name).answers
        ),
    )


def _csv(header: list[str], rows: list[list[float]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[repr(float(v)) for v in row] for row in rows])
    return text.getvalue()


def _meep_run(name: str, run: AnyRun, outcome: Outcome) -> MeepRun:
    raw = outcome.raw.get(name, {})

    def stat(key: str, default: float = 0.0) -> float:
        return float(np.asarray(raw[f"stats/{key}"]).real) if f"stats/{key}" in raw else default

    if isinstance(run, BandsRun):
        return MeepRun(
            label=name,
            dimensions=2,
            resolution=run.resolution,
            pixels=max(1, int(stat("pixels", 1))),
            stop_criterion="eigensolver",
            stop_met=True,
        )
    return MeepRun(
        label=name,
        dimensions=_DIMENSIONS[run.dimensions],
        cell=run.cell,
        resolution=run.resolution,
        courant=run.courant,
        pixels=int(stat("pixels")),
        time_steps=int(stat("steps")),
        meep_time=stat("meep_time"),
        stop_criterion=run.stop.kind,
        stop_reached=stat("stop_reached"),
        stop_met=stat("stop_met", 1.0) > 0 or stat("settled_to", 1.0) <= NEARLY**2,
        max_field=stat("largest_field"),
    )
