"""What the form of the deployment `study` asks (schemas/run/run_form.py), and the settings that it means."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema, field_validator

from schemas.run import run_form as shared
from schemas.run.run_form import HOURS, QUESTION, Amount, Answerer, CoreForm, folded, group_schema, list_of
from schemas.study.pipeline import PipelineMode
from schemas.study.settings import StudySettings

__all__ = ["HOURS", "Amount", "Answerer", "Answers", "GivenAnswer", "Group", "People", "RunForm", "Who"]
QuestionKind = Literal[
    "after_scope",
    "after_design",
    "before_package",
    "provide_data",
    "stuck",
    "model_error",
    "invalid_answer",
    "infrastructure",
]
Who = Literal["as the input says", "simulated", "real"]
People = Annotated[int, Field(ge=0, le=1000)]
_MODES = {"simulated": PipelineMode.SIMULATED, "real": PipelineMode.REAL_DATA}


class GivenAnswer(shared.GivenAnswer):
    """An answer to a question that the run will ask."""

    question: QuestionKind | Annotated[str, Field(pattern=QUESTION)] = Field(
        description="its kind (after_design: are ethics and protocol right?), or the name of one question"
    )
    answer: str = Field(
        min_length=1,
        max_length=20_000,
        description="one of its answers; words may follow after a colon: "
        "approve, or revise: ask for age, too",
    )


Group = Annotated[
    StudySettings | None,
    WithJsonSchema(folded(group_schema(StudySettings, (*shared.USUAL, ("mode",), ("participants",))))),
]
Answers = Annotated[tuple[GivenAnswer, ...], WithJsonSchema(list_of(GivenAnswer))]


class RunForm(CoreForm):
    """The form as it was sent. participants: 0 is as usual."""

    study_input: str
    answers: tuple[GivenAnswer, ...] = ()
    who: Who = "as the input says"
    participants: People = 0
    data: str = ""
    settings: StudySettings | None = None

    @field_validator("study_input", "data", mode="after")
    @classmethod
    def _stripped_input(cls, value: str) -> str:
        return value.strip()

    def meant(self, kept: StudySettings) -> StudySettings:
        """The settings of the group, or else `kept` (the continued run's, or the input's), with the form's usual ones."""
        found = self.onto(
            self.settings or kept, {}, mode=_MODES.get(self.who), participants=self.participants
        )
        if not self.data:
            return found
        return found.model_copy(
            update={"answers": (*found.answers, ("provide_data", f"provide: {self.data}"))}
        )
