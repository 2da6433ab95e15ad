"""Condensing feedback that no longer fits a context: the first and mildest step of the recovery ladder."""

from __future__ import annotations

from agents.core import Agent
from agents.roster import ROSTER
from schemas.context import FeedbackSummary


def condenser(agent: str) -> Agent:
    """The condenser on behalf of `agent`: same name and place in the transcript, another prompt and answer."""
    return Agent(agent, ROSTER[agent][0], "feedback_summary", FeedbackSummary, ("reviewer_feedback",), False,
                 "condenses feedback")
