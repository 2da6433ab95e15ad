"""Questions to people and their answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import FileRef, Model

QuestionKind = Literal[
    "material_checkpoint", "clarification", "trade_off_decision", "parameter_confirmation", "stop_decision",
    "backtrack_approval", "context_overflow", "general_feedback",
    "plan_limit", "design_limit", "code_limit", "execution_limit", "replan_limit", "backtrack_limit",
    "model_error", "invalid_answer", "deadlock",
]


class Choice(Model):
    """A named answer and what it does."""

    name: str
    effect: str


class Question(Model):
    """One question, with all a person needs to answer it."""

    question_id: str = Field(description="unique in the run; lower-case letters, digits, dashes")
    kind: QuestionKind
    title: str
    body: str = Field(description="Markdown with the numbers needed")
    choices: tuple[Choice, ...] = Field(min_length=1)
    pictures: tuple[FileRef, ...] = ()
    stage_id: str | None = None
    asked_by: str = "SupervisorAgent"
    reason: str = ""


class UserAnswer(Model):
    """A person's answer."""

    choice: str
    text: str = Field("", description="material=page, corrections, guidance")
    answered_by: Literal["terminal", "web", "given beforehand", "recorded", "answers file"] = "web"


class UserInteraction(Model):
    """The log entry of a question and its answer."""

    id: str
    timestamp: str
    interaction_type: QuestionKind
    stage_id: str | None
    agent: str
    reason: str
    question: str
    user_response: str
    answered_by: str
    impact: str = ""
    alternatives_considered: tuple[str, ...] = ()
