"""The runs of an outputs folder as a list shows them, whatever workflow they are of. For showing: nothing is decided by it."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from flows.questions.open_questions import open_questions
from flows.run.cancelled_note import CANCELLED, was_cancelled
from flows.run.records import RECORD, part_of, process_at, workflow_of
from schemas.errors import InputError
from schemas.explore.record import ExploreRecord
from schemas.explore.state import ExploreState
from schemas.reading.beneath import Unopened, open_below, read_below
from schemas.reading.handed import kept_model
from schemas.run.state import MAX_STATE_BYTES
from schemas.study.record import StudyRecord
from schemas.text.visible import one_visible_line
from tasks.explore.search.best import best_node
from tasks.explore.values_in_words import with_uncertainty
from tasks.study.workspace.places import ARTIFACTS, PACKAGE

REPORTS = {
    "reproduce": "REPRODUCTION_REPORT_*.html",
    "explore": "EXPLORATION_REPORT_*.html",
    "study": "STUDY_REPORT_*.html",
}
AT_WORK, WAITS, OPEN, ENDED, UNREADABLE = "at work", "waits for a person", "open", "ended", "cannot be read"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_MOST_RECORD = 20_000_000


@dataclass(frozen=True)
class KeptRun:
    """A run. subject: id of its paper, goal or study. started: ISO 8601. verdict: a few words, '' before its end; reason: why.

    started_by: a person of the page, or the account of a terminal; '' where nobody is known.

    report, package: files of its folder, '' where there are none. standing: one of the words above, or `CANCELLED`.
    """

    folder: Path
    workflow: str
    title: str = ""
    started: str = ""
    started_by: str = ""
    model: str = ""
    verdict: str = ""
    reason: str = ""
    report: str = ""
    package: str = ""
    part_of: str = ""
    standing: str = OPEN

    @property
    def run_id(self) -> str:
        """Its folder's name."""
        return self.folder.name

    @property
    def subject(self) -> str:
        """Id of its paper, goal or study."""
        return self.folder.parent.name


def run_folder(outputs: Path, subject: str, run_id: str) -> Path:
    """The folder of a run by its two names, reached over no link. Raises InputError where there is none."""
    if _NAME.fullmatch(subject) and _NAME.fullmatch(run_id):
        try:
            open_below(outputs, f"{subject}/{run_id}/{RECORD}", _MOST_RECORD, one_name=False).close()
            return outputs / subject / run_id
        except Unopened:
            pass
    raise InputError("no such run", found=one_visible_line(f"{subject}/{run_id}", 200))


class KeptRuns:
    """All runs of an outputs folder; what was read of one is kept until its folder changes."""

    def __init__(self, outputs: Path) -> None:
        self.outputs = outputs
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[tuple[object, ...], KeptRun]] = {}

    def newest_first(self) -> list[KeptRun]:
        """Every run that the folder holds, the newest first."""
        found = []
        for record in self.outputs.glob(f"*/*/{RECORD}"):
            try:
                folder = run_folder(self.outputs, record.parent.parent.name, record.parent.name)
            except InputError:
                continue  # a link (`latest`), or no run of ours
            found.append(self.of(folder))
        return sorted(found, key=lambda run: (run.started or run.run_id, run.run_id), reverse=True)

    def of(self, folder: Path) -> KeptRun:
        """One run, as it stands now."""
        signature = _signature(folder)
        with self._lock:
            known = self._known.get(folder)
        if known is None or known[0] != signature:
            known = (signature, read_run(folder))
            with self._lock:
                self._known[folder] = known
        return replace(known[1], standing=_standing(known[1]))


def _signature(folder: Path) -> tuple[object, ...]:
    found: list[object] = []
    for name in (".", RECORD, "checkpoints"):
        try:
            found.append((folder / name).stat().st_mtime_ns)
        except OSError:
            found.append(None)
    return tuple(found)


def _standing(run: KeptRun) -> str:
    if run.standing == UNREADABLE:
        return UNREADABLE
    if process_at(run.folder):
        return WAITS if open_questions(run.folder) else AT_WORK
    if run.report and run.verdict:
        return ENDED
    if was_cancelled(run.folder):
        return CANCELLED  # its question, where it had one, can be answered no more
    return WAITS if open_questions(run.folder) else OPEN


def read_run(folder: Path) -> KeptRun:
    """A run as its files tell it; one whose files do not fit is told as such."""
    workflow = workflow_of(folder)
    reports = sorted(
        path.name for path in folder.glob(REPORTS.get(workflow, "*_REPORT_*.html")) if not path.is_symlink()
    )
    run = KeptRun(folder, workflow, report=reports[0] if reports else "", part_of=part_of(folder))
    try:
        return _READERS[workflow](run)
    except KeyError:
        return replace(run, standing=UNREADABLE, reason=f"of a workflow {one_visible_line(workflow, 40)}")
    except InputError as error:
        return replace(run, standing=UNREADABLE, reason=one_visible_line(error.what, 200))


def _reproduction(run: KeptRun) -> KeptRun:
    from flows.reproduce.kept_records import read_record
    from flows.reproduce.kept_state import is_finished, newest_state
    from tasks.reproduce.judging.headline import headline_of
    from tasks.reproduce.papers import load_paper

    record, state = read_record(run.folder), newest_state(run.folder)
    paper, _ = load_paper(run.folder / "paper")
    run = replace(
        run,
        title=paper.title,
        started=record.started,
        started_by=record.started_by,
        model=record.settings.model.kind,
    )
    if state is None or not is_finished(run.folder):
        return run
    if (run.folder / "package.tar.gz").is_file():
        run = replace(run, package="package.tar.gz")
    if record.settings.debug_mode:
        return replace(run, verdict="Diagnosis", reason="a debug run judges nothing")
    head = headline_of(state, paper)
    return replace(run, verdict=head.verdict, reason=state.stop_reason or head.reason)


def _exploration(run: KeptRun) -> KeptRun:
    record = kept_model(run.folder / RECORD, ExploreRecord, "the run's record")
    run = replace(
        run,
        title=record.goal_id,
        started=record.started,
        started_by=record.started_by,
        model=record.settings.model.kind,
    )
    snapshots = sorted(
        (path for path in (run.folder / "checkpoints").glob("*.json") if not path.is_symlink()),
        key=lambda path: path.stat().st_mtime,
    )
    if (run.folder / "bundle.tar.gz").is_file():
        run = replace(run, package="bundle.tar.gz")
    if not snapshots:
        return run
    state = kept_model(snapshots[-1], ExploreState, "the snapshot", max_bytes=MAX_STATE_BYTES)
    run = replace(run, title=state.goal_title or run.title)
    if not run.report:
        return run
    best = (
        best_node(state.tree, state.spec, record.settings.measure.smallest_effect)
        if state.tree and state.spec
        else None
    )
    measured = best.evaluation.metric(state.spec.name) if best and best.evaluation and state.spec else None
    words = f"best {best.id}: {measured.name} {with_uncertainty(measured)}" if best and measured else ""
    failed = [end.stage for end in state.stages if end.status == "failed"]
    if state.stop_reason:
        return replace(run, verdict="Stopped", reason=state.stop_reason)
    if best is None:
        return replace(run, verdict="Nothing measured")
    more = f"; stages that failed: {', '.join(failed)}" if failed else ""
    return replace(run, verdict="Incomplete" if failed else "Explored", reason=words + more)


def _study(run: KeptRun) -> KeptRun:
    record = kept_model(run.folder / RECORD, StudyRecord, "the run's record")
    run = replace(
        run,
        title=record.study_id,
        started=record.started,
        started_by=record.started_by,
        model=record.settings.model.kind,
    )
    workspace = Path(record.workspace)
    if (workspace / ARTIFACTS / PACKAGE).is_file():
        inside = workspace.parent == run.folder
        return replace(
            run,
            verdict="Packaged",
            reason="" if inside else f"the project is in {workspace}",
            package=f"{workspace.name}/{ARTIFACTS}/" if inside else "",
        )
    return run


_READERS = {"reproduce": _reproduction, "explore": _exploration, "study": _study}


def shown_text(folder: Path, name: str, most: int) -> str:
    """The text of a file of a run's folder, '' where it is not there. For showing."""
    try:
        return read_below(folder, name, most, one_name=False).decode("utf-8", "replace")
    except Unopened:
        return ""
