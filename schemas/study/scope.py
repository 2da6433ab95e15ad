"""What a study is about: questions, hypotheses, what is known."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.core.base import Model
from schemas.study.document import Document

VariableName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="small letters, digits, _")]
Relation = Literal["difference", "association", "prediction"]


class Hypothesis(Model):
    """One statement that data can contradict.

    relation: outcome differs between the levels of the predictor (difference), goes with it (association), or follows
    from several predictors (prediction).
    """

    id: VariableName
    statement: str = Field(min_length=10, max_length=600)
    relation: Relation
    outcome: VariableName
    predictors: tuple[VariableName, ...] = Field(min_length=1, max_length=8)
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"
    confirmatory: bool = True
    because: str = Field("", max_length=1000, description="why this is expected")

    @model_validator(mode="after")
    def _fits(self) -> Hypothesis:
        if self.relation != "prediction" and len(self.predictors) != 1:
            raise ValueError(f"a {self.relation} has one predictor; several need the relation prediction")
        if self.outcome in self.predictors:
            raise ValueError("the outcome is its own predictor")
        return self


class ResearchPlan(Document):
    """The plan of a study. related: keys or short citations of what was found in the literature; invented ones are lies."""

    title: str = Field(min_length=5, max_length=200)
    research_questions: tuple[str, ...] = Field(min_length=1, max_length=6)
    hypotheses: tuple[Hypothesis, ...] = Field(max_length=12)
    background: str = Field(max_length=8000)
    related: tuple[str, ...] = Field((), max_length=60)
    contribution: str = Field(max_length=2000)
    paradigm: Literal["quantitative", "qualitative", "mixed"] = "quantitative"
    risks: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> ResearchPlan:
        ids = [item.id for item in self.hypotheses]
        if len(set(ids)) != len(ids):
            raise ValueError("two hypotheses have the same id")
        if self.paradigm != "qualitative" and not self.hypotheses:
            raise ValueError("a quantitative study needs at least one hypothesis")
        return self
