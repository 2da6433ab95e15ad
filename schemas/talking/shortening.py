"""What is done when a request would not fit a model's context, in the specification's order."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model

RecoveryAction = Literal[
    "summarize_feedback", "truncate_feedback", "truncate_paper_to_methods", "clear_working_fields", "ask_user"
]


class FeedbackSummary(Model):
    """Condensed feedback."""

    summary: str = Field(min_length=1, description="about 500 characters, every demand kept")


class Recovery(Model):
    """One step that was taken and what it saved."""

    action: RecoveryAction
    request: str = Field(description="label of the request it was taken for")
    tokens_before: int
    tokens_after: int
