"""PlannerAgent: reads the paper and makes the plan; the one creator that sees reference values."""

from __future__ import annotations

import csv
import dataclasses
import io
import re

from agents.reproduce.crew import declare
from agents.reproduce.rules.plan_edits import previous_answer
from agents.reproduce.rules.quoting import normal, quoted
from agents.reproduce.shared import answers_to, figures, interactions
from schemas.base import Model
from schemas.errors import InputError
from schemas.reproduce.paper import DataOrigin, PaperData, PaperInput
from schemas.reproduce.planning.plan import DONE, PlannerAnswer
from schemas.reproduce.planning.plan_edits import PlanRevisionAnswer
from schemas.reproduce.state import ReproState
from schemas.reproduce.words.contradictions import contradictions_found

AGENT = declare(
    "planner",
    PlannerAnswer,
    (
        "paper_id",
        "paper_title",
        "paper_domain",
        "paper_text",
        "paper_figures",
        "supplementary_text",
        "supplementary_figures",
        "reader_scope",
        "data_files",
        "database_hint",
        "contradiction_candidates",
        "prompt_adaptations",
        "answers_to_questions",
        "user_interactions",
        "supervisor_feedback",
        "replan_reason",
        "reviewer_feedback",
        "previous_plan",
    ),
    sees_images=True,
)
REVISING = dataclasses.replace(
    AGENT, answer=PlanRevisionAnswer
)  # the same, once there is a plan that edits can name

FIRST_ROWS = 5
_SUPPLEMENTARY = re.compile(r"(?:fig(?:ure)?[ ._-]?)?s[ ._-]?\d", re.IGNORECASE)


class DataTable(Model):
    """A data table of the paper as the planner sees it."""

    figure_id: str
    file: str
    columns: tuple[str, ...]
    rows: int
    origin: DataOrigin
    source: str
    relative_error_percent: float = 0.0
    first_rows: tuple[str, ...] = ()


def describe_table(figure_id: str, data: PaperData, text: str) -> DataTable:
    """The description of a CSV table from its text. Raises InputError if it has no header row or no data."""
    rows = [row for row in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in row)]
    if len(rows) < 2 or any(not cell.strip() for cell in rows[0]):
        raise InputError(
            f"data file {data.file!r} of {figure_id} is no table",
            found=f"{len(rows)} rows",
            allowed="a CSV file with a header row and at least one row of numbers",
            fix="correct the file in the paper's folder",
        )
    return DataTable(
        figure_id=figure_id,
        file=data.file,
        columns=tuple(cell.strip() for cell in rows[0]),
        rows=len(rows) - 1,
        origin=data.origin,
        source=data.source,
        relative_error_percent=data.relative_error_percent,
        first_rows=tuple(",".join(row) for row in rows[1 : 1 + FIRST_ROWS]),
    )


def context(
    state: ReproState, paper: PaperInput, *, data_tables: tuple[DataTable, ...] = (), database_hint: str = ""
) -> dict[str, object]:
    """The whole paper; when a plan exists already, also why it is replaced and what people corrected.

    data_tables: the paper's tables, see `describe_table`. database_hint: how pages of the material database
    are named, and which there are for the paper's materials.
    """
    supplementary = frozenset(
        f.figure_id for f in paper.figures if f.supplementary or _SUPPLEMENTARY.match(f.figure_id)
    )
    main = frozenset(figure.figure_id for figure in paper.figures) - supplementary
    shown: dict[str, object] = {
        "paper_id": paper.paper_id,
        "paper_title": paper.title,
        "paper_domain": state.paper_domain or paper.domain,
        "paper_text": paper.text,
        "paper_figures": figures(paper, main),
        "supplementary_text": paper.supplementary_text,
        "supplementary_figures": figures(paper, supplementary),
        "reader_scope": paper.scope or None,
        "data_files": data_tables,
        "database_hint": database_hint,
        "contradiction_candidates": state.contradiction_candidates or contradictions_found(paper),
        "prompt_adaptations": [
            record.adaptation for record in state.prompt_adaptations or () if record.applied
        ],
    }
    shown["answers_to_questions"] = answers_to(state, AGENT.name)
    if state.plan_round > 0:
        shown |= {
            "user_interactions": interactions(state),
            "supervisor_feedback": state.supervisor_feedback,
            "replan_reason": replan_reason(state),
            "reviewer_feedback": state.reviewer_feedback,
            "previous_plan": _previous_answer(state),
        }
    return shown


def instructions_found(answer: PlannerAnswer, paper: PaperInput) -> tuple[str, ...]:
    """Text in the paper that addresses an AI. What the reader wrote as scope is the user's and stands in no paper."""
    own = [normal(words) for words in (*paper.scope.sections, *paper.scope.claims)]
    text = paper.words()
    return tuple(
        entry
        for entry in answer.instructions_found
        if quoted(entry, text)
        or not any(
            2 * len(words) > len(normal(entry)) and (words in normal(entry) or normal(entry) in words)
            for words in own
        )
    )


def _previous_answer(state: ReproState) -> dict[str, object]:
    """The planner's whole last answer, and how far its stages got: a revision changes it, it is not written from memory."""
    return previous_answer(state) | {
        "finished_stages": [entry.stage_id for entry in state.progress if entry.opens in DONE]
    }


def replan_reason(state: ReproState) -> str:
    """Who or what triggered the new plan, in one line; what was said is in supervisor_feedback and reviewer_feedback."""
    reasons = [state.replan_reason] if state.replan_reason else []
    if state.reviewer_feedback and state.reviewer_verdict == "needs_revision":
        reasons.append("the plan reviewer sent the last version back")
    corrections = sum(
        entry.interaction_type in ("parameter_confirmation", "clarification")
        or (entry.interaction_type == "material_checkpoint" and entry.user_response.startswith("change_"))
        for entry in state.user_interactions
    )
    if corrections:
        reasons.append(f"a person gave {corrections} correction(s), to be kept")
    return " | ".join(reasons) or "a new plan was asked for"
