"""Measuring a node: its sources and its parent's in turns, the values into medians with error bars, the record kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from schemas.base import FileRef
from schemas.explore.claims import NodeRecord
from schemas.explore.evaluation import Measured, MeasuredRecord, MetricSpec
from tasks.explore.measuring.beside import imports_of, surely_hidden
from tasks.explore.measuring.once import Harness, HarnessRun, alone, beside_now, drawn_seeds, run_once
from tasks.explore.measuring.reading import MeasuredFile
from tasks.explore.measuring.spread import standard_error
from tasks.explore.measuring.tampering import tampering
from tasks.explore.nodes.seeding import seed
from tasks.files.store import atomic_write
from tasks.sandbox import scratch

SAME = 1e-9
"""Relative difference up to which values of a deterministic metric are the same."""


@dataclass(frozen=True)
class Subject:
    """A node to measure: its work directory, and the record that tells its sources from its outputs."""

    node_id: str
    work: Path
    record: NodeRecord | None = None


def repeats_of(spec: MetricSpec) -> int:
    """How often a candidate runs: as the specification says, at least twice where there is noise, at most twice where none."""
    return min(spec.repeats, 2) if spec.kind == "deterministic" else max(spec.repeats, 2)


def measure(
    spec: MetricSpec, harness: Harness, node: Subject, parent: Subject | None, *, keep: Path, run_dir: Path
) -> MeasuredRecord:
    """Measure a node, and its parent beside it; the record is kept at `keep` (measured.json of the node).

    Only sources are measured: what executions wrote stays behind, as it does for children and for the bundle. The runs
    alternate and their order is balanced (c p p c c p ...), so that a drift of the machine meets both alike. Whatever the
    candidate does ends as a reason in `refused`; SandboxUnavailable, SandboxLost and StateError (another program) are raised.
    """
    harness.check(spec)
    with scratch("reprolab-candidates-") as folder:
        seed(node.work, folder / "c", node.record)
        if parent is not None:
            seed(parent.work, folder / "p", parent.record)
        if suspicious := tampering(folder / "c", frozenset((spec.sha256,))):
            record = MeasuredRecord(
                node_id=node.node_id,
                parent_id=parent.node_id if parent else "",
                program_sha256=spec.sha256,
                refused=tuple(f"not measured: {why}" for why in suspicious),
            )
        else:
            with alone() if spec.kind == "timed" else nullcontext():
                record = _measured(spec, harness, node, parent, folder)
    atomic_write(keep, record.model_dump_json(indent=1))
    return referenced(record, keep, run_dir)


def kept(path: Path, run_dir: Path) -> MeasuredRecord:
    """A record read back, its metrics naming the file they stand in. Raises FileNotFoundError."""
    return referenced(MeasuredRecord.model_validate_json(path.read_text(encoding="utf-8")), path, run_dir)


def referenced(record: MeasuredRecord, path: Path, run_dir: Path) -> MeasuredRecord:
    """The record with file and sha256 in each of the node's metrics; in the file itself they are empty."""
    file = FileRef.of(path, run_dir)
    return record.model_copy(
        update={
            "metrics": tuple(
                metric.model_copy(update={"file": file.path, "sha256": file.sha256})
                for metric in record.metrics
            )
        }
    )


def _measured(
    spec: MetricSpec, harness: Harness, node: Subject, parent: Subject | None, folder: Path
) -> MeasuredRecord:
    runs: dict[str, list[HarnessRun]] = {"c": [], "p": []}
    order = ""
    seeds = drawn_seeds(repeats_of(spec))  # of this session; a child and its parent have the same
    for number, drawn in enumerate(seeds):
        for who in "cp" if number % 2 == 0 else "pc":
            if who == "p" and (parent is None or _failed(runs["p"])):
                continue
            runs[who].append(run_once(harness, spec, folder / who, drawn))
            order += who
        if _failed(runs["c"]):
            break  # nothing more is learned from a candidate that does not run
    mine, refused = _of(runs["c"], spec, "")
    if mine:
        mine, hidden = _without_hidden(mine, spec, harness, folder / "c", runs["c"])
        refused += hidden
    its, parents = _of(runs["p"], spec, f"{parent.node_id}: " if parent else "")
    checks = _checks([run.reading for run in runs["c"] if run.reading])
    broken = [name for name, held in checks if not held]
    if broken:
        mine, refused = (), [*refused, *(f"the check {name!r} failed" for name in broken)]
    if parents == [] and not all(
        held for _, held in _checks([run.reading for run in runs["p"] if run.reading])
    ):
        its = ()  # a parent whose checks failed is nothing to compare with
    everything = [*runs["c"], *runs["p"]]
    return MeasuredRecord(
        node_id=node.node_id,
        parent_id=parent.node_id if parent else "",
        program_sha256=spec.sha256,
        metrics=mine,
        parent_metrics=its,
        checks=checks,
        order=order,
        seeds=seeds,
        refused=tuple(dict.fromkeys((*refused, *parents))),
        sandbox_level=everything[0].result.level if everything else "",
        cpu_s=sum(run.result.cpu_s for run in everything),
    )


def _without_hidden(
    mine: tuple[Measured, ...],
    spec: MetricSpec,
    harness: Harness,
    candidate: Path,
    runs: list[HarnessRun],
) -> tuple[tuple[Measured, ...], list[str]]:
    """The metrics, and why there are none, because the candidate worked beside the clock. What is more than noise, and allowed or not
    told from it on a busy machine, counts as uncertainty of the value: nothing is gained by it.

    Where a run holds more than noise the candidate and the goal's files run again in turns, so that a busy machine meets both alike;
    the candidate's are added to `runs`.
    """
    beside, timed = harness.beside, [found for run in runs if (found := run.timed(spec))]
    if beside is None or not timed:
        return mine, []
    allowed = beside.allowed_s(timed, harness.settings.beside_s)
    hidden, error = median(map(beside.hidden_s, timed)), 0.0
    if hidden > beside.noise_s(timed):
        statements = imports_of(candidate, harness.files)

        def again() -> float | None:
            seed = drawn_seeds(1)[0]
            runs.append(run_once(harness, spec, candidate, seed))
            run, now = runs[-1].timed(spec), beside_now(harness, spec, statements, seed)
            return now.hidden_s(run) if run and now else None

        hidden, error = surely_hidden(again, allowed, (hidden, error))
        if runs[-1].reason:
            return (), [f"run {len(runs)}: {runs[-1].reason}"]
    if hidden > allowed + error:
        return (), [
            f"{hidden:.2f} CPU seconds of a run were spent before or behind the clock of the measure program, more than the files as "
            f"provided and the imports need there ({allowed:.2f} are allowed): what a candidate computes counts where it is timed"
        ]
    if hidden <= beside.noise_s(timed):
        return mine, []
    time = median(run.time for run in timed)
    worth = beside.worth(hidden + error)
    off = worth if spec.direction == "lower" else 1 / time - 1 / (time + worth)
    wider = mine[0].model_copy(update={"beside": off, "uncertainty": math.hypot(mine[0].uncertainty, off)})
    return (wider, *mine[1:]), []


def _failed(runs: Sequence[HarnessRun]) -> bool:
    return any(run.reading is None for run in runs)


def _checks(readings: Sequence[MeasuredFile]) -> tuple[tuple[str, bool], ...]:
    """A check holds if it was made and held in every run."""
    names = sorted({name for reading in readings for name in reading.checks})
    return tuple((name, all(reading.checks.get(name, False) for reading in readings)) for name in names)


def _of(runs: Sequence[HarnessRun], spec: MetricSpec, prefix: str) -> tuple[tuple[Measured, ...], list[str]]:
    """The metrics that every run wrote in one unit, the primary one first; and what was refused."""
    reasons = [f"{prefix}run {number + 1}: {run.reason}" for number, run in enumerate(runs) if run.reason]
    readings = [run.reading for run in runs if run.reading]
    if reasons or not readings:
        return (), reasons
    primary, reason = combined(spec.name, readings, spec)
    if primary is None:
        return (), [f"{prefix}{reason}"]
    others = [combined(name, readings, spec)[0] for name in sorted(readings[0].metrics) if name != spec.name]
    return (primary, *(metric for metric in others if metric is not None)), []


def combined(name: str, readings: Sequence[MeasuredFile], spec: MetricSpec) -> tuple[Measured | None, str]:
    """One metric from all runs, or None and the reason. Only the primary one is held to its kind; of others nothing is
    known, so their spread is that of random values."""
    found = [reading.metrics.get(name) for reading in readings]
    values = tuple(pair[0] for pair in found if pair is not None)
    units = {pair[1] for pair in found if pair is not None}
    if len(values) != len(readings) or len(units) != 1:
        return None, f"the metric {name!r} is not in every run, or not in one unit"
    primary = name == spec.name
    kind = spec.kind if primary else "random"
    lowest, highest = min(values), max(values)
    if primary and kind == "timed" and len(values) > 1 and lowest == highest:
        return (
            None,
            f"the timed metric {name!r} is {lowest!r} in every run: what is timed varies, so it was not timed",
        )
    if primary and kind == "random" and len(values) > 1 and lowest == highest:
        return None, (
            f"the metric {name!r} was declared random and is {lowest!r} for every seed: nothing random is in it, or "
            "the seeds are not used; declare it deterministic"
        )
    if primary and kind == "deterministic" and highest - lowest > SAME * max(abs(lowest), abs(highest)):
        return None, (
            f"the metric {name!r} was declared deterministic, and two runs gave {lowest!r} and {highest!r}; "
            "declare it random or timed"
        )
    uncertainty, spread = standard_error(values, kind)
    return Measured(
        name=name,
        value=median(values),
        uncertainty=uncertainty,
        n=len(values),
        unit=units.pop(),
        values=values,
        spread=spread,
    ), ""
