"""What the form of the deployment `explore` asks (schemas/run/run_form.py), and the settings that it means."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema, field_validator

from schemas.explore.settings import Checkpoints, ExploreSettings
from schemas.run import run_form as shared
from schemas.run.run_form import HOURS, QUESTION, Amount, Answerer, CoreForm, folded, group_schema, list_of

__all__ = [
    "HOURS",
    "Amount",
    "Answerer",
    "Answers",
    "Asked",
    "Experiments",
    "GivenAnswer",
    "Group",
    "RunForm",
]
QuestionKind = Literal[
    "after_ideas", "before_paper", "before_publishing", "model_error", "invalid_answer", "infrastructure"
]
CheckpointName = Literal["after the ideas", "before the paper", "before publishing"]
Experiments = Annotated[int, Field(ge=0, le=1000)]


class GivenAnswer(shared.GivenAnswer):
    """An answer to a question that the run will ask."""

    question: QuestionKind | Annotated[str, Field(pattern=QUESTION)] = Field(
        description="its kind (after_ideas: which idea is explored?), or the name of one question"
    )
    answer: str = Field(
        min_length=1,
        max_length=20_000,
        description="one of its answers; words may follow after a colon: approve, or choose: 2",
    )


Group = Annotated[
    ExploreSettings | None,
    WithJsonSchema(
        folded(group_schema(ExploreSettings, (*shared.USUAL, ("search", "max_nodes"), ("checkpoints",))))
    ),
]
Answers = Annotated[tuple[GivenAnswer, ...], WithJsonSchema(list_of(GivenAnswer))]
Asked = tuple[CheckpointName, ...]


class RunForm(CoreForm):
    """The form as it was sent. experiments: 0 is as usual."""

    goal: str
    answers: tuple[GivenAnswer, ...] = ()
    experiments: Experiments = 0
    ask: Asked = ()
    settings: ExploreSettings | None = None

    @field_validator("goal", mode="after")
    @classmethod
    def _stripped_goal(cls, value: str) -> str:
        return value.strip()

    def meant(self, kept: ExploreSettings) -> ExploreSettings:
        """The settings of the group, or else `kept` (the continued run's, or the goal's), with the form's usual ones."""
        fields = dict(
            zip(
                ("after the ideas", "before the paper", "before publishing"),
                Checkpoints.model_fields,
                strict=True,
            )
        )
        return self.onto(
            self.settings or kept,
            {
                "search": {"max_nodes": self.experiments},
                "checkpoints": {fields[name]: True for name in self.ask},
            },
        )
