"""PlanReviewerAgent: reviews the plan before any stage runs; code checks quotations and data."""

from __future__ import annotations

from agents.reproduce.crew import declare
from agents.reproduce.rules.plan_rules import rule
from agents.talking.reviewing import judge_review as judge
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue, ReviewAnswer

__all__ = ["AGENT", "context", "judge", "rule"]

AGENT = declare(
    "plan_reviewer",
    ReviewAnswer,
    (
        "plan",
        "extracted_parameters",
        "assumptions",
        "contradictions",
        "paper_text",
        "reader_scope",
        "findings",
    ),
)


def context(state: ReproState, paper: PaperInput, *, findings: tuple[Issue, ...] = ()) -> dict[str, object]:
    """The plan with its parameters, assumptions and contradictions, the paper's text, and what code found."""
    return {
        "plan": state.plan,
        "extracted_parameters": state.extracted_parameters,
        "assumptions": state.assumptions,
        "contradictions": state.contradictions,
        "paper_text": paper.text,
        "reader_scope": paper.scope or None,
        "findings": findings,
    }
