"""Reviews of a plan, a design or code, and suggestions to go back."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model


class Issue(Model):
    """One thing a reviewer or validator found."""

    severity: Literal["blocking", "major", "minor"]
    where: str = Field(description="stage, field, object or line")
    description: str
    fix: str = ""


class BacktrackSuggestion(Model):
    """A suggestion to return to an earlier stage; only the supervisor decides."""

    target_stage_id: Identifier
    reason: str
    severity: Literal["critical", "significant", "minor"]
    confidence: Literal["high", "low"]
    suggested_by: str = ""


class ReviewAnswer(Model):
    """What the plan, design and code reviewers return."""

    verdict: Literal["approve", "needs_revision"]
    issues: tuple[Issue, ...]
    checklist: tuple[str, ...] = Field(description="each point of the checklist with what was found")
    feedback: str = Field(description="what the creator must change and how; empty when approved")
    backtrack_suggestion: BacktrackSuggestion | None = Field(
        None, description="reviews of design and code only"
    )
