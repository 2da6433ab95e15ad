"""What a study is about: questions, hypotheses, what is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.document import Document
from schemas.text.numbers import plain_numbers

VariableName = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="small letters, digits, _")
]
Relation = Literal["difference", "association", "prediction"]


def tested_words(
    outcome: str,
    predictors: Sequence[str],
    covariates: Sequence[str],
    against: float | None = None,
    focus: str = "",
) -> str:
    """What is tested, for people: "ease by condition, age held constant", "ease against 4"."""
    if against is not None:
        return f"{outcome} against {against:g}"
    if focus:
        predictors, covariates = (focus,), [name for name in predictors if name != focus]
    return f"{outcome} by " + ", ".join((*predictors, *(f"{name} held constant" for name in covariates)))


class Hypothesis(Model):
    """One statement that data can contradict.

    relation: outcome differs between the levels of the predictor (difference), goes with it (association), or follows
    from several predictors (prediction). A difference may name two predictors, both tested at once; then claim says whether the
    hypothesis is about their interaction, or about the main effect of the first. covariates: numeric variables held constant, in a
    difference between participants (analysis of covariance) or an association (partial correlation). equivalent_within: the
    hypothesis says that nothing as large as this is there; two one-sided tests. against: of a difference without predictors, the
    value that the outcome's mean is compared with. focus: of a prediction, the predictor that the hypothesis is about; its
    coefficient (all of its levels' at once) is tested with the others held constant, not all predictors together.
    """

    id: VariableName
    statement: str = Field(min_length=10, max_length=600)
    relation: Relation
    outcome: VariableName
    predictors: tuple[VariableName, ...] = Field(max_length=8)
    expected_higher: str = Field(
        "",
        max_length=80,
        description="one-sided: of two levels the name of the one that is expected to lie higher, as `levels` will have it; of an "
        "association, or a numeric focus, positive or negative; empty: two-sided",
    )
    confirmatory: bool = True
    because: str = Field("", max_length=1000, description="why this is expected")
    claim: Literal["interaction", "main_effect"] | None = Field(
        None,
        description="only of a difference with two predictors: their interaction, or the main effect of the first",
    )
    covariates: tuple[VariableName, ...] = Field(
        (),
        max_length=4,
        description="numeric variables held constant, known before the condition is met: of a difference between participants "
        "or an association, by one predictor",
    )

    equivalent_within: float | None = Field(
        None,
        gt=0,
        description="the hypothesis is that there is no difference (association) of this size or more, either way, and its "
        "statement names this number: the smallest that would matter; of a difference between two levels or an association",
    )
    bound_in: Literal["raw", "sd"] = Field(
        "raw",
        description="of equivalent_within: the outcome's own units, or standard deviations (pooled; of pairs, of their differences)",
    )

    items: VariableName | None = Field(
        None,
        description="the variable that says which item (text, task, picture) a row is about, where each participant has rows of "
        "several and they stand for others like them: random effects of participants and items",
    )

    against: float | None = Field(
        None,
        description="of a difference without predictors: the value that the outcome's mean is compared with, such as the middle of a "
        "scale; the statement names this number",
    )

    focus: VariableName | None = Field(
        None,
        description="of a prediction: the one predictor that the statement is about, tested with the others held constant; without "
        "it all predictors together are tested, which a single one among them can make significant",
    )

    @property
    def variables(self) -> tuple[str, ...]:
        """All that the test needs."""
        return (self.outcome, *self.predictors, *self.covariates, *([self.items] if self.items else []))

    @model_validator(mode="after")
    def _fits(self) -> Hypothesis:
        two = self.relation == "difference" and len(self.predictors) == 2
        if self.against is None and not self.predictors:
            raise ValueError(f"{self.id} has no predictor; a mean is compared with a value by `against`")
        if self.against is None and self.relation != "prediction" and len(self.predictors) != 1 and not two:
            how_many = "one predictor or two" if self.relation == "difference" else "one predictor"
            raise ValueError(f"a {self.relation} has {how_many}; several need the relation prediction")
        if two and self.claim is None:
            raise ValueError(
                "a difference with two predictors says its claim: interaction, or main_effect (of the first)"
            )
        if self.claim is not None and not two:
            raise ValueError(f"the claim {self.claim} needs the relation difference and two predictors")
        if two and len(set(self.predictors)) == 1:
            raise ValueError(
                f"the predictor {self.predictors[0]} is named twice; two factors are two variables"
            )
        if self.expected_higher:
            if (self.relation == "prediction" and self.focus is None) or two:
                raise ValueError(
                    f"{self.id}: a {'difference by two factors' if two else 'prediction without a focus'} has no direction; "
                    "leave expected_higher empty"
                )
            if self.relation == "association" and self.expected_higher not in ("positive", "negative"):
                raise ValueError("expected_higher of an association is positive or negative")
        if self.focus is not None and (self.relation != "prediction" or self.focus not in self.predictors):
            raise ValueError(
                f"{self.id}: focus is one of the predictors of a prediction; found {self.focus}, predictors are "
                f"{', '.join(self.predictors) or 'none'}, relation {self.relation}"
            )
        if self.outcome in self.predictors:
            raise ValueError("the outcome is its own predictor")
        return self

    @model_validator(mode="after")
    def _additions_fit(self) -> Hypothesis:
        two = len(self.predictors) == 2
        if self.against is not None and (
            self.relation != "difference"
            or self.predictors
            or self.covariates
            or self.items
            or self.expected_higher
        ):
            raise ValueError(
                f"{self.id}: against belongs to a difference without predictors, covariates, items and direction"
            )
        said = {found.value for found in plain_numbers(self.statement)}
        if self.against is not None and self.against not in said:
            raise ValueError(
                f"{self.id}: the statement names the value, {self.against:g}, so that who approves the plan sees it"
            )
        if self.items is not None and (
            self.relation == "prediction" or two or self.covariates or self.equivalent_within is not None
        ):
            raise ValueError(
                f"{self.id}: items belong to a difference or an association by one predictor, without covariates and bound"
            )
        if self.items in (self.outcome, *self.predictors):
            raise ValueError(f"{self.id}: items is the outcome or the predictor")
        if self.equivalent_within is not None:
            if self.relation == "prediction" or two or self.covariates or self.expected_higher:
                raise ValueError(
                    f"{self.id}: equivalent_within belongs to a difference between two levels or an association, without direction "
                    "and covariates"
                )
            if self.relation == "association" and not self.equivalent_within < 1:
                raise ValueError(f"{self.id}: equivalent_within of an association is a correlation, below 1")
            if self.equivalent_within not in said:
                raise ValueError(
                    f"{self.id}: the statement names the bound, {self.equivalent_within:g}, so that who approves the plan sees it"
                )
        if self.covariates and (self.relation == "prediction" or two):
            raise ValueError(
                f"{self.id}: covariates belong to a difference or an association by one predictor; in a prediction they are "
                "predictors"
            )
        if len(set(self.variables)) != len(self.variables) and self.covariates:
            raise ValueError(f"{self.id}: a covariate is named twice, or is the outcome or the predictor")
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
