"""How the runs of all workflows stand."""

from __future__ import annotations

from pathlib import Path

from flows.questions.open_questions import open_questions
from flows.run.cancelled_note import CANCELLED, was_cancelled
from flows.run.records import RECORD, find_record, part_of, workflow_of
from flows.terminal.console import show

_REPORTS = {
    "explore": ("exploration", "EXPLORATION_REPORT_*.html"),
    "study": ("study", "STUDY_REPORT_*.html"),
}


def show_status(outputs: Path, run: str | None) -> None:
    """List the runs of a folder, or show one."""
    from flows.commands.explore import show_exploration
    from flows.commands.study import has_package, show_study
    from flows.reproduce.standing import show_status as show_reproductions

    if run:
        run_dir = find_record(outputs, run)
        if workflow_of(run_dir) == "explore":
            return show_exploration(run_dir)
        if workflow_of(run_dir) == "study":
            return show_study(run_dir)
        return show_reproductions(outputs, run)
    runs = [
        (workflow_of(path.parent), path.parent)
        for path in sorted(outputs.glob(f"*/*/{RECORD}"))
        if not path.parent.is_symlink()
    ]
    if not runs or any(workflow not in _REPORTS for workflow, _ in runs):
        show_reproductions(outputs, None)
    for workflow, run_dir in runs:
        if workflow in _REPORTS:
            name, report = _REPORTS[workflow]
            ended = has_package(run_dir) if workflow == "study" else any(run_dir.glob(report))
            gone = not ended and was_cancelled(run_dir)
            waits = ", waits for an answer" if not (ended or gone) and open_questions(run_dir) else ""
            whose = f" (sub-run of {part_of(run_dir)})" if part_of(run_dir) else ""
            state = (
                CANCELLED
                if gone
                else "open"
                if not ended
                else "packaged"
                if workflow == "study"
                else "reported"
            )
            show(f"{name} {run_dir.name} of {run_dir.parent.name}{whose}: {state}{waits}")
