"""What the form of the deployment `reproduce` asks (schemas/run/run_form.py), and the settings that it means."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema, field_validator

from schemas.reproduce.questions import QuestionKind
from schemas.reproduce.settings import RunSettings
from schemas.run import run_form as shared
from schemas.run.run_form import HOURS, QUESTION, Amount, Answerer, CoreForm, folded, group_schema, list_of

__all__ = ["HOURS", "Amount", "Answerer", "Answers", "AskedAgain", "GivenAnswer", "Group", "RunForm"]


class GivenAnswer(shared.GivenAnswer):
    """An answer to a question that the run will ask."""

    question: QuestionKind | Annotated[str, Field(pattern=QUESTION)] = Field(
        description="its kind (material_checkpoint: are the materials right?), or the name of one question"
    )
    answer: str = Field(
        min_length=1,
        max_length=20_000,
        description="one of its answers; words may follow after a colon: "
        "approve, or change_database: gold=main/Au/Olmon-ev",
    )


def _group() -> dict[str, Any]:
    schema = group_schema(
        RunSettings, (*shared.USUAL, ("ask_again",), ("scope",), ("debug_mode",), ("debug",))
    )
    schema["patternProperties"]["^debug$"] = {"type": "boolean"}
    return schema


Group = Annotated[RunSettings | None, WithJsonSchema(folded(_group()))]
Answers = Annotated[tuple[GivenAnswer, ...], WithJsonSchema(list_of(GivenAnswer))]
AskedAgain = tuple[QuestionKind, ...]


class RunForm(CoreForm):
    """The form as it was sent."""

    paper: str
    answers: tuple[GivenAnswer, ...] = ()
    only: tuple[str, ...] = ()
    diagnosis: bool = False
    ask_again: AskedAgain = ()
    settings: RunSettings | None = None

    @field_validator("paper", mode="after")
    @classmethod
    def _stripped_paper(cls, value: str) -> str:
        return value.strip()

    @field_validator("only", mode="after")
    @classmethod
    def _some(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(words for words in value if words.strip())

    def meant(self, kept: RunSettings | None, scope: dict[str, Any]) -> RunSettings:
        """The settings of the group, or else those `kept` of the run that is continued, with the usual ones of the form.

        scope: what `only` says, parsed.
        """
        return self.onto(
            self.settings or kept or RunSettings(),
            {"scope": scope},
            debug_mode=self.diagnosis,
            ask_again=self.ask_again,
        )
