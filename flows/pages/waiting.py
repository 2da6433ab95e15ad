"""The questions of a run that wait for a person, on its overview: each with a link to its form."""

from __future__ import annotations

from flows.pages.tables import short_cell
from flows.questions.pending import PENDING
from flows.run.context import Run
from schemas.talking.interaction import Question


def waiting_lines(run: Run, suspended: Question | None = None) -> list[str]:
    """One line a question. suspended: the one whose form stands on the flow run's own page."""
    return [
        f"**Waits for a person: [{short_cell(question.title, 120)}](/runs/flow-run/{place})** (Resume there, in the menu of the run)"
        for question, place in _waiting(run, suspended)
    ]


def waiting_titles(run: Run, suspended: Question | None = None) -> list[str]:
    """Their titles, for a page that takes no links of ours."""
    return [question.title for question, _ in _waiting(run, suspended)]


def _waiting(run: Run, suspended: Question | None) -> list[tuple[Question, str]]:
    waiting = [
        (entry.question, entry.flow_run_id)
        for entry in list(PENDING.values())
        if entry.run_dir == run.run_dir
    ]
    return [*waiting, *([(suspended, run.flow_run_id)] if suspended else [])]
