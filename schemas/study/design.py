"""How a study is made: protocol, variables, participants, sample size."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.document import Document
from schemas.study.exclusion import ExclusionRule
from schemas.study.scope import VariableName

VariableKind = Literal["nominal", "ordinal", "interval", "ratio"]


class Variable(Model):
    """One variable. items: what of the questionnaire it is made of (mean of several). levels: of a nominal or ordinal one."""

    name: VariableName
    role: Literal["independent", "dependent", "control", "identifier"]
    kind: VariableKind
    definition: str = Field(max_length=1000)
    unit: str = Field("", max_length=40)
    items: tuple[VariableName, ...] = ()
    levels: tuple[str, ...] = Field((), max_length=40)
    within: bool = Field(False, description="varies within a participant")


class Variables(Document):
    """All variables of a study."""

    variables: tuple[Variable, ...] = Field(min_length=1, max_length=80)

    @model_validator(mode="after")
    def _unique(self) -> Variables:
        names = [item.name for item in self.variables]
        if len(set(names)) != len(names):
            raise ValueError("two variables have the same name")
        return self

    def named(self, name: str) -> Variable:
        """A variable by its name. Raises KeyError."""
        return {item.name: item for item in self.variables}[name]


class Condition(Model):
    """One condition that participants meet. description: all that they are told and meet, nothing of the hypothesis."""

    name: VariableName
    description: str = Field(max_length=4000)


class Share(Model):
    """A value of an attribute and its share of the participants."""

    value: str = Field(min_length=1, max_length=80)
    share: float = Field(gt=0, le=1)


class Quota(Model):
    """How an attribute is distributed over participants; shares sum to 1."""

    attribute: VariableName
    shares: tuple[Share, ...] = Field(min_length=1, max_length=30)

    @model_validator(mode="after")
    def _fits(self) -> Quota:
        total = sum(item.share for item in self.shares)
        if abs(total - 1) > 0.005:
            raise ValueError(f"the shares of {self.attribute} sum to {total:.3f}, not 1")
        if len({item.value for item in self.shares}) != len(self.shares):
            raise ValueError(f"{self.attribute} has a value twice")
        return self


class PlannedEffect(Model):
    """The smallest effect that matters, from which code computes the sample size.

    Of a hypothesis of equivalence: its bound, in the same measure.

    measure: Cohen's d (two means), dz (pairs' differences, a mean less a value), f (several means), w (tables of counts), r (correlation).
    """

    measure: Literal["d", "dz", "f", "w", "r"]
    size: float = Field(gt=0, le=5)
    because: str = Field(
        max_length=1000, description="why this is the smallest effect of interest, with its source"
    )
    alpha: float = Field(0.05, gt=0, lt=0.5)
    power: float = Field(0.8, ge=0.5, lt=1)
    explained: float = Field(
        0.0,
        ge=0,
        le=0.8,
        description="share of the outcome's variance within groups that the covariates explain, with its source in `because`; "
        "of d and f, counts only where each confirmatory hypothesis has covariates",
    )


class SampleSize(Model):
    """What code computed. needed: participants in all for the wanted power; detectable: effect found with that power by
    the number that will take part; method: function and its arguments."""

    needed: int = Field(ge=2)
    taken: int = Field(ge=2)
    power_with_taken: float = Field(ge=0, le=1)
    detectable: float | None = None
    measure: str
    method: str
    enough: bool


class Participants(Model):
    """Who takes part. sample_size: set by code."""

    sample_size: int = Field(ge=2, le=100_000)
    quotas: tuple[Quota, ...] = Field((), max_length=12)
    inclusion: tuple[str, ...] = ()
    exclusion: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _unique(self) -> Participants:
        names = [item.attribute for item in self.quotas]
        if len(set(names)) != len(names):
            raise ValueError("two quotas for the same attribute")
        return self


class Ethics(Model):
    """What a person must know before the study may start."""

    consent: str = Field(max_length=3000)
    risks: tuple[str, ...] = Field(min_length=1)
    data_protection: str = Field(max_length=3000)
    withdrawal: str = Field("", max_length=1000)


class StudyProtocol(Document):
    """The protocol. assignment: each participant meets one condition (between) or all in a counterbalanced order (within)."""

    title: str = Field(max_length=200)
    assignment: Literal["between", "within", "single"]
    conditions: tuple[Condition, ...] = Field(min_length=1, max_length=12)
    procedure: tuple[str, ...] = Field(min_length=1, max_length=40)
    debriefing: tuple[str, ...] = Field(
        (),
        max_length=20,
        description="what participants are told after their last answer; nobody knows it before",
    )
    participants: Participants
    effect: PlannedEffect | None = None
    sample_size: SampleSize | None = None
    ethics: Ethics
    rules: tuple[ExclusionRule, ...] = Field(
        (), max_length=20, description="by which code leaves participants out"
    )
    exclusions: tuple[str, ...] = Field(
        (), description="the same in words, for readers; words alone leave nobody out"
    )
    untestable: dict[str, str] = Field({}, description="hypothesis -> why this design cannot test it")
    dropped: tuple[str, ...] = Field((), description="hypotheses that a person dropped at design")

    @model_validator(mode="after")
    def _fits(self) -> StudyProtocol:
        names = [item.name for item in self.conditions]
        if len(set(names)) != len(names):
            raise ValueError("two conditions have the same name")
        if (len(names) == 1) != (self.assignment == "single"):
            raise ValueError("one condition is the assignment single; between and within need at least two")
        return self
