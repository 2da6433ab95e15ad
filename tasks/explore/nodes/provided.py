"""The files that came with the goal, measured unmodified before any node: what "as provided" and the baseline are.

They are written from the run's own copy of the goal, whose digests are checked, into a folder that no agent's tool reaches.
"""

from __future__ import annotations

from pathlib import Path

from schemas.errors import StateError
from schemas.explore.evaluation import Measured, MeasuredRecord, MetricSpec
from schemas.explore.goal import Goal
from tasks.explore.measuring.beside import keep_beside
from tasks.explore.measuring.clocks import keep_blind
from tasks.explore.measuring.harness import Subject, kept, measure
from tasks.explore.measuring.once import Harness, beside_in, blind_to
from tasks.explore.nodes.node_record import begun, node_record
from tasks.explore.nodes.seeding import provide

PROVIDED = "provided"
"""Stands where the id of a node would: for the goal's files, unmodified."""
RECORD = f"nodes/{PROVIDED}/measured.json"


def measure_provided(run_dir: Path, goal: Goal, spec: MetricSpec, harness: Harness) -> MeasuredRecord | None:
    """Measure them, once in a run; None where the goal came without any. Raises what `measuring.harness.measure` raises."""
    if not goal.provided:
        return None
    if not (run_dir / RECORD).is_file():
        folder = run_dir / "nodes" / PROVIDED
        provide(goal, folder / "work")
        begun(folder)
        record = measure(spec, harness, _subject(run_dir), None, keep=run_dir / RECORD, run_dir=run_dir)
        keep_blind(run_dir, blind_to(harness, spec, harness.files) if primary_of(record, spec) else ())
        keep_beside(run_dir, beside_in(harness, spec, harness.files) if primary_of(record, spec) else None)
    return provided_record(run_dir, spec)


def provided_record(run_dir: Path, spec: MetricSpec) -> MeasuredRecord | None:
    """What was measured of them; None in a run that did not. Raises StateError for a record of another program or node."""
    if not (run_dir / RECORD).is_file():
        return None
    record = kept(run_dir / RECORD, run_dir)
    if (record.node_id, record.program_sha256) != (PROVIDED, spec.sha256):
        raise StateError(
            "the measurement of the files as provided is another's",
            found=run_dir / RECORD,
            fix="restore the file; it is evidence",
        )
    return record


def primary_of(record: MeasuredRecord | None, spec: MetricSpec) -> Measured | None:
    """The primary metric of a record whose every check held."""
    return (
        None if record is None else next((found for found in record.metrics if found.name == spec.name), None)
    )


def provided_subject(run_dir: Path, spec: MetricSpec) -> Subject | None:
    """What the root is measured beside; None where the files as provided give no measurement."""
    return _subject(run_dir) if primary_of(provided_record(run_dir, spec), spec) else None


def _subject(run_dir: Path) -> Subject:
    folder = run_dir / "nodes" / PROVIDED
    return Subject(PROVIDED, folder / "work", node_record(PROVIDED, folder))
