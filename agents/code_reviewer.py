"""CodeReviewerAgent: reviews simulation.py before it runs; the static lint is done by code."""

from __future__ import annotations

from agents.core import declare
from agents.reviewing import judge_review as judge
from agents.shared import expected_outputs, simulation_messages
from schemas.paper import PaperInput
from schemas.review import Issue, ReviewAnswer
from schemas.state import ReproState

__all__ = ["AGENT", "context", "judge"]

AGENT = declare(
    "code_reviewer",
    ReviewAnswer,
    ("code", "design_description", "expected_outputs", "findings", "simulation_messages"),
)


def context(state: ReproState, paper: PaperInput, *, findings: tuple[Issue, ...] = ()) -> dict[str, object]:
    """The code, its design, the datasets it must write, the lint's findings, and what the last run warned of."""
    return {
        "code": state.code,
        "design_description": state.design,
        "expected_outputs": expected_outputs(state),
        "findings": findings,
        "simulation_messages": simulation_messages(state),
    }
