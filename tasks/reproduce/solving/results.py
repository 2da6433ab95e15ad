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
from typing import Any

import numpy as np

from schemas.core.base import FileRef, digest
from schemas.reproduce.axes import Axis
from schemas.reproduce.execution import Column, Dataset, DatasetTarget, Execution, MeepRun
from simkit.describe.units import UNITS
from simkit.runs import AnyRun, BandsRun
from tasks.core.store import atomic_write
from tasks.reproduce.measuring import COUNT, Map, Measured, Scalar
from tasks.reproduce.measuring.unsettled import NEARLY
from tasks.reproduce.solving.answering import process_measured
from tasks.reproduce.solving.climbing import Climb
from tasks.reproduce.solving.lengths import Lengths
from tasks.reproduce.solving.varying import Outcome
from tasks.reproduce.solving.vocabulary import swept

_WORDS = {
    "order_efficiency": "efficiency",
    "near_field": "field_enhancement",
    "cell_field": "field_enhancement",
    "device_field": "field_enhancement",
    "quality_factor": "quality_factor",
}
_DIMENSIONS = {"1D": 1, "2D": 2, "3D": 3, "cylindrical": 2}
_TIMES, _PHASES = ("group_delay", "port_delay", "decay_time"), ("phase", "port_phase", "kerr_phase")
_OF_TIME = ("fs", "ps", "a/c")
C = 0.299792458  # um/fs
_AXES: Mapping[str, Axis] = {
    "frequency": "spectral",
    "wavenumber": "wave vector",
    "position": "length",
    "time": "time",
    "angle": "angle",
    COUNT: "parameter",
}
_POWERS = {"frequency": -1, "wavenumber": -1, "position": 1, "time": 1}


@dataclass(frozen=True)
class Place:
    """Where a stage's executions go: files below run_dir/<stage_id>/runs. lengths: what lengths are told in."""

    stage_id: str
    run_dir: Path
    lengths: Lengths
    meep_version: str
    sandbox_level: str
    costs: Mapping[str, float]  # CPU seconds of runs by digest


def executions_of(made: Climb, place: Place) -> tuple[Execution, ...]:
    """The rungs of a scene or sweep by ascending resolution, then its variants at the coarsest rung."""
    finest = made.finest
    by_label = dict(made.outcomes)
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
        outcome = by_label.get(f"resolution {resolution:g}", made.coarse)
        out.append(_execution(made, place, values, outcome, resolution / finest, ""))
    coarsest = min(rungs, default=finest)
    for (part, number), values in parts.items():
        outcome = by_label.get(part, made.coarse)
        out.append(
            _execution(
                made, place, values, outcome, coarsest / finest, f"{part}{f' {number + 1}' if number else ''}"
            )
        )
    return tuple(out)


def unit_of(power: int, length: str) -> str:
    """The unit of a value of that power of length: '1', 'um', 'c/um', 'um^2', or with the free length a."""
    return {0: "1", 1: length, -1: f"c/{length}"}.get(power, f"{length}^{power}")


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
        cpu_s=sum(place.costs.get(value, 0.0) for value in digests.values()),
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
    problem = made.group.description.problem
    described: Any = next(item for item in (*problem.quantities, *problem.sweeps) if item.id == name)
    of: Any = (
        described
        if made.group.sweep is None
        else next(item for item in problem.quantities if item.id == made.group.sweep.of)
    )
    quantity = _WORDS.get(of.type, of.type)
    length, size = place.lengths.of(described.answers, axis=False)
    own = Column(
        name=name, quantity=quantity, process=process_measured(of), unit=_unit(quantity, value.power, length)
    )
    if own.unit == "fs":
        size = size * C
    numbers = np.atleast_1d(value.value if isinstance(value, Scalar) else value.y) / size**value.power
    if isinstance(value, Scalar) or len(value.x) == 1:
        columns: tuple[Column, ...] = (own,)
        rows, kind = [numbers.tolist()], "scalar"
    elif isinstance(value, Map):
        axes = [
            _axis(made, place, described, label, word, grid)
            for label, word, grid in zip(value.labels, value.words, value.grid, strict=True)
        ]
        columns = (*(_apart(column, name) for column, _ in axes), own)
        rows, kind = (
            np.column_stack(
                [*(part.reshape(-1) for part in np.meshgrid(axes[0][1], axes[1][1], indexing="ij")), numbers]
            ).tolist(),
            "field",
        )
    else:
        column, x = _axis(made, place, described, "", value.axis, value.x)
        columns = (_apart(column, name), own)
        rows, kind = np.column_stack([x, numbers]).tolist(), "spectrum"
    path = folder / f"{name}.csv"
    atomic_write(path, _csv([column.name for column in columns], rows))
    return Dataset(
        dataset_id=name,
        kind=kind,
        file=FileRef.of(path, place.run_dir),
        columns=columns,
        rows=len(rows),  # type: ignore[arg-type]
        targets=tuple(DatasetTarget(target=target, column=name) for target in described.answers),
    )


def _axis(made: Climb, place: Place, described: Any, label: str, word: str, x: Any) -> tuple[Column, Any]:
    """Name, unit and values of an abscissa, in the length that its target is told in; label: another name than the word."""
    power, kind = _POWERS.get(word, 0), _AXES.get(word, "parameter")
    if made.group.sweep is not None and word in ("parameter", COUNT):
        word, kind = made.group.sweep.parameter, swept(made.group.description, made.group.sweep.parameter)
        declared = made.group.description.parameters.items()[word].unit
        power = UNITS[declared].power
        if not power or declared in _OF_TIME:  # no length: in the unit it was declared in
            return Column(name=word, quantity=word, unit=declared, axis=kind), x / UNITS[declared].factor
    length, size = place.lengths.of(described.answers, axis=True)
    unit = "rad" if word == "angle" else _time(length) if word == "time" else unit_of(power, length)
    size = size * C if unit == "fs" else size
    return Column(name=label or word, quantity=word, unit=unit, axis=kind), x / size**power


def _apart(column: Column, name: str) -> Column:
    return column.model_copy(update={"name": f"{name}_axis"}) if column.name == name else column


def _unit(quantity: str, power: int, length: str) -> str:
    if quantity in _TIMES:
        return _time(length)
    return "rad" if quantity in _PHASES else unit_of(power, length)


def _time(length: str) -> str:
    return "fs" if length == "um" else f"{length}/c"


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
