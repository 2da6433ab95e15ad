"""The report of a run that is not finished, from what its folder keeps. It judges nothing, and what `resume` needs stays as it is."""

from __future__ import annotations

from pathlib import Path

from agents.models.manual.manual_files import waiting_requests
from flows.questions.open_questions import open_questions
from flows.reproduce.kept_records import read_record
from flows.reproduce.kept_state import newest_state
from flows.reproduce.outcome import not_compared
from flows.reproduce.preflight import scoped
from flows.reproduce.report_facts import facts_kept
from flows.run.records import process_at
from schemas.errors import InputError
from schemas.reproduce.state import ReproState
from schemas.run.pasted import typed
from tasks.files.checkpoints import list_checkpoints, when
from tasks.reproduce.papers import addressed_in, load_paper
from tasks.reproduce.report import write_report


def unfinished_report(run_dir: Path) -> tuple[Path, Path]:
    """Write UNFINISHED_REPORT_<paper_id> (.md, _APPENDIX.md, .html) anew; returns the paths (Markdown, HTML).

    Raises InputError where nothing was saved yet or what is kept does not fit, PrerequisiteError as `resume` would.
    """
    record, state = read_record(run_dir), newest_state(run_dir)
    if state is None or record.settings.debug_mode:
        raise InputError(
            "a diagnosis is not reported in part" if state else "nothing of this run was saved yet",
            found=run_dir,
            fix=typed("resume", record.run_id, outputs=run_dir.parents[1]),
        )
    paper = scoped(load_paper(run_dir / "paper")[0], record.settings)
    facts = facts_kept(
        record, run_dir, state, addressed_in(paper, run_dir / "paper"), _stands(run_dir, state)
    )
    return write_report(
        state,
        paper,
        run_dir=run_dir,
        paper_dir=run_dir / "paper",
        settings=record.settings,
        facts=facts,
    )


def _stands(run_dir: Path, state: ReproState) -> str:
    """Where the run stopped, what it waits for, what it did not reach, and how it goes on."""
    saved, process = list_checkpoints(run_dir), process_at(run_dir)
    stage = state.current_stage_id
    at = f"in stage {stage}" if stage else "after planning" if state.plan_approved else "in planning"
    waits = [
        *(f"the answer to: {question.title}" for question in open_questions(run_dir)),
        *(f"the answer to request {label}" for label in waiting_requests(run_dir / "requests")),
    ]
    missing = not_compared(state)
    parts = [
        f"process {process} works on it" if process else "no process works on it",
        f"last saved {at}" + (f" at {when(saved[-1].timestamp)} UTC" if saved else ""),
        f"waits for {'; '.join(waits)}" if waits else "",
        f"not compared yet: {', '.join(missing)}" if missing else "",
        state.stop_reason or "",
        "" if process else f"it goes on with {typed('resume', state.run_id, outputs=run_dir.parents[1])}",
    ]
    return "; ".join(filter(None, parts))
