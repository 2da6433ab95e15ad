"""Questions to people and their answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import FileRef, Model

QuestionKind = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="what kind of question it is")
]


# Questions that an agent words itself; their answers go back to it.
AGENT_QUESTIONS = ("clarification", "trade_off_decision", "parameter_confirmation", "stop_decision")
# Questions about the machinery, not about the work: a resumed run may not meet them again, so nothing that an agent is
# told may depend on them.
MACHINERY = ("model_error", "invalid_answer", "context_overflow", "infrastructure")
# Answers that lead back to the same question.
ONCE = frozenset(
    {"retry", "guide", "rerun", "replan", "backtrack", "change_database", "change_material", "mend", "names"}
)


class Choice(Model):
    """A named answer and what it does."""

    name: str
    effect: str
    words: Literal["none", "line", "text"] = Field(
        "none",
        description="what follows the name after a colon: nothing that is "
        "needed, a line, or a text of several lines",
    )
    needs_words: bool = False
    words_to: str = Field(
        "", description="the agent that reads the words; empty: the flow itself acts on them"
    )
    one_of: tuple[str, ...] = Field(
        (), description="the words begin with one of these; the first when nothing is written"
    )
    some_of: tuple[str, ...] = Field((), description="the words are one or several of these")
    parts: tuple[str, ...] = Field(
        (), description="taken as well, and not offered: parts of what some_of names"
    )


class OfferedChoice(Model):
    """An answer that an agent offers."""

    name: str = Field(description="one or two words")
    effect: str = Field(description="what it means and costs, with numbers")


class AgentQuestion(Model):
    """A question of an agent to a person; the answer goes back to it, and a free answer is always possible."""

    kind: Literal["clarification", "trade_off_decision", "parameter_confirmation", "stop_decision"]
    title: str = Field(description="the question in one sentence")
    body: str = Field(description="what is known, and what differs between the choices")
    choices: tuple[OfferedChoice, ...] = Field(min_length=2, max_length=8)


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
    answered_by: Literal["terminal", "web", "given beforehand", "recorded", "answers file", "by rule"] = "web"
    person: str = Field(
        "", description="whom the server knew them by; empty: by its own password, or at no server"
    )

    @property
    def who(self) -> str:
        """How it was answered, and by whom where that is known."""
        return f"{self.answered_by}, {self.person}" if self.person else self.answered_by


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
    addressed_to: str = Field("", description="the agent the words were meant for (Choice.words_to)")
    impact: str = ""
    alternatives_considered: tuple[str, ...] = ()


def next_id(log: tuple[UserInteraction, ...], kind: QuestionKind) -> str:
    """The id of the next entry: U and a number for the work, by which assumptions are named; M for the machinery."""
    ours = kind in MACHINERY
    return f"{'M' if ours else 'U'}{1 + sum((entry.interaction_type in MACHINERY) == ours for entry in log)}"
