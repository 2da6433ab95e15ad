"""Condensing feedback that no longer fits a context: the first and mildest step of the recovery ladder."""

from __future__ import annotations

from dataclasses import replace

from agents.talking.agent import Agent
from schemas.talking.shortening import FeedbackSummary


def condenser(agent: Agent) -> Agent:
    """The condenser on behalf of `agent`: same name and place in the transcript, another prompt and answer."""
    return replace(
        agent,
        prompt="feedback_summary",
        answer=FeedbackSummary,
        context=("reviewer_feedback",),
        sees_images=False,
        role="condenses feedback",
    )
