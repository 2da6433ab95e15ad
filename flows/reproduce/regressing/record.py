"""The folders of regressions, and which of them can be continued.

Each has an outputs folder of its own, `replay/`: with its own store, and a run of its own whose keys are in no other. So
nothing that was simulated before can be taken for what this code gives now, and a killed regression finds all it had finished.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from flows.reproduce.regressing.subject import REGRESSIONS, Subject
from flows.run.records import new_run_id
from schemas.errors import InputError
from schemas.reading.handed import kept_model
from schemas.reproduce.judging.regression import Regression, RegressionRecord
from schemas.run.pasted import typed
from tasks.files.store import atomic_write, private_folder, remove_tree
from tasks.reproduce.regression.against_baseline import environment_changes

RECORD, RESULT, REPLAY = "started.json", "regression.json", "replay"
_MOST = 50_000_000
_WHATEVER = ("commit", "threads")  # a commit is told by the digests of its sources


def begin(
    outputs: Path, subject: Subject, environment: dict[str, str], batch: str, flow_run: str
) -> tuple[Path, RegressionRecord]:
    """A new regression's folder and record."""
    name = new_run_id()
    folder = outputs / REGRESSIONS / subject.paper_id / name
    private_folder(folder / REPLAY)
    record = RegressionRecord(
        regression_id=name,
        paper_id=subject.paper_id,
        given=subject.given,
        batch=batch,
        flow_run=flow_run,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        conditions=subject.conditions,
        environment=environment,
    )
    return folder, write(folder, record)


def write(folder: Path, record: RegressionRecord, **changes: object) -> RegressionRecord:
    """Keep the record, with these changes."""
    record = record.model_copy(update=changes)
    atomic_write(folder / RECORD, record.model_dump_json(indent=1))
    return record


def records(outputs: Path) -> list[tuple[Path, RegressionRecord]]:
    """All regressions of an outputs folder, oldest first."""
    paths = sorted((outputs / REGRESSIONS).glob(f"*/*/{RECORD}"), key=lambda path: path.parent.name)
    return [(path.parent, kept_model(path, RegressionRecord, "the regression's record")) for path in paths]


def begun(outputs: Path, given: str, *, batch: str = "", flow_run: str = "") -> str:
    """The id of an unfinished regression of `given` in the same batch or flow run; '' if there is none."""
    found = [
        record.regression_id
        for _, record in records(outputs)
        if record.given == given
        and not record.finished
        and ((flow_run and record.flow_run == flow_run) or (batch and record.batch == batch))
    ]
    return found[-1] if found else ""


def unfinished(
    outputs: Path, subject: Subject, environment: dict[str, str], name: str
) -> tuple[Path, RegressionRecord]:
    """The unfinished regression of that id, or for `latest` the newest of the subject.

    Raises InputError: there is none, or what it would go on with is not what it began with.
    """
    left = [
        (folder, record)
        for folder, record in records(outputs)
        if not record.finished
        and record.paper_id == subject.paper_id
        and name in ("latest", record.regression_id)
        and (record.given == subject.given or record.conditions.transcript == subject.conditions.transcript)
    ]
    if not left:
        raise InputError(
            "there is no unfinished regression to continue",
            found=f"{name} of {subject.given}",
            fix=f"start one: {typed('regress', subject.given, outputs=outputs)}",
        )
    folder, record = left[-1]
    changed = [
        f"{c.name}: {c.before} -> {c.now}"
        for c in environment_changes(record.environment, environment)
        if c.name not in _WHATEVER
    ]
    if record.conditions != subject.conditions:
        changed.append("the recording, the paper or the thresholds")
    if changed:
        raise InputError(
            "the regression began with other code, and half of each would prove nothing",
            found="; ".join(changed)[:600],
            fix=f"start anew: {typed('regress', subject.given, outputs=outputs)}",
        )
    return folder, record


def keep_result(folder: Path, record: RegressionRecord, found: Regression) -> None:
    """Write what was found, call the regression finished, and let go what only a continuation would need."""
    atomic_write(folder / RESULT, found.model_dump_json(indent=1, exclude_defaults=True))
    write(folder, record, finished=True)
    remove_tree(folder / REPLAY / ".reprolab")


def of_batch(outputs: Path, batch: str) -> dict[str, Regression]:
    """What the finished regressions of a batch found, by paper."""
    return {
        record.given: kept_model(folder / RESULT, Regression, "the regression's result", max_bytes=_MOST)
        for folder, record in records(outputs)
        if record.batch == batch and record.finished
    }


def last_batch(outputs: Path) -> str:
    """The newest regression of all papers. Raises InputError if there is none."""
    found = [record.batch for _, record in records(outputs) if record.batch]
    if not found:
        raise InputError(
            "no regression of all papers was begun here",
            found=str(outputs),
            fix=typed("regress", "--all", outputs=outputs),
        )
    return found[-1]
