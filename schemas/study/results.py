"""Results of a study: every number has a name, and every text about it was rendered by code."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.document import Document
from schemas.study.scope import VariableName, tested_words

ResultName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,119}$")]


class NamedValue(Model):
    """A number or text that a paper may show by its name. text: as it is shown."""

    name: ResultName
    value: float | None
    text: str = Field(max_length=2000)
    about: str = Field("", max_length=400)


class Assumption(Model):
    """One assumption of a test, as found in the data. holds: None when it could not be checked."""

    name: str
    statistic: float | None = None
    p: float | None = None
    holds: bool | None
    detail: str = ""


class Effect(Model):
    """An effect size with its confidence interval (None where none is available; `method` says why or how)."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    method: str = ""


class BayesFactor(Model):
    """Evidence for the alternative against the null. bf10: None when not available; method says how, or why not."""

    bf10: float | None
    method: str
    prior: str = ""


class Group(Model):
    """What a group's values are like. adjusted: its mean where the covariates have theirs, by the model."""

    name: str
    n: int
    mean: float | None = None
    sd: float | None = None
    median: float | None = None
    iqr: float | None = None
    adjusted: Effect | None = None
    counts: dict[str, int] = {}


class Pair(Model):
    """Two levels compared after a test of more. p_adjusted: Holm within the hypothesis. cannot: why there is no test."""

    first: str
    second: str
    test: str
    statistic_name: str
    statistic: float | None
    df: tuple[float, ...] = ()
    p: float | None = None
    p_adjusted: float | None = None
    effect: Effect | None = None
    cannot: str = ""
    apa: str = ""


class FactorEffect(Model):
    """A main effect, interaction or simple effect. omega: partial omega squared. p_adjusted: Holm, of simple effects.
    means: level -> mean over the other factor's levels, each counted alike; of main effects. cannot: why there is no test."""

    name: str
    statistic_name: str
    statistic: float | None
    df: tuple[float, ...] = ()
    p: float | None = None
    p_adjusted: float | None = None
    effect: Effect | None = None
    omega: Effect | None = None
    means: dict[str, float] = {}
    cannot: str = ""
    apa: str = ""


class TestResult(Model):
    """One test: which and why, what it assumes, what came out. p is None in a purely Bayesian analysis.
    p_family: corrected for all tests of the study, where no hypothesis is confirmatory. direction: of a one-sided test what
    was tested ("voice > touch", "positive"); '' of a two-sided one.

    bound: of an equivalence test; p is then that of equivalence. against: the value that a mean is compared with.

    Of two factors: claim names the effect that the hypothesis is about (statistic, p and effect are its); effects are all
    three; simple follows a significant interaction. focus: of a prediction the predictor that was tested, with the others held
    constant; compared: of two levels of it, the one that is compared and its reference. difference: of two means, in the outcome's units.
    standardised: of a linear regression, coefficients in standard deviations.
    """

    __test__ = False  # no test of ours

    id: VariableName
    test: str
    because: str
    outcome: str
    predictors: tuple[str, ...]
    direction: str = ""
    n: int
    left_out: int = 0
    groups: tuple[Group, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    statistic_name: str
    statistic: float | None
    df: tuple[float, ...] = ()
    p: float | None = None
    p_adjusted: float | None = None
    p_family: float | None = None
    adjustment: str = ""
    effect: Effect | None = None
    bayes: BayesFactor | None = None
    coefficients: tuple[NamedValue, ...] = ()
    pairs: tuple[Pair, ...] = ()
    claim: str = ""
    effects: tuple[FactorEffect, ...] = ()
    simple: tuple[FactorEffect, ...] = ()
    covariates: tuple[str, ...] = ()
    bound: str = ""
    against: float | None = None
    focus: str = ""
    compared: tuple[str, ...] = ()
    difference: Effect | None = None
    standardised: dict[str, float] = {}
    warnings: tuple[str, ...] = ()
    apa: str = ""

    @property
    def of(self) -> str:
        """What was tested by what, for people."""
        said = tested_words(self.outcome, self.predictors, self.covariates, self.against, self.focus)
        return f"{said}, equivalence within {self.bound}" if self.bound else said


class Agreement(Model):
    """Agreement of coders on one code book. detail: how the interval was found, or why there is none or no value.
    code: where it is of one code, on whether a text has it."""

    measure: str
    value: float | None
    low: float | None = None
    high: float | None = None
    units: int
    coders: int
    detail: str = ""
    code: str = ""


class ItemFacts(Model):
    """An item of a scale, turned where it is a reversed one. rest: its correlation with the sum of the others; without: alpha of
    these."""

    name: str
    mean: float
    sd: float
    rest: float | None = None
    without: float | None = None


class Reliability(Model):
    """Cronbach's alpha and McDonald's omega of a scale in one condition ('' where there is none). cannot: what is missing, and why."""

    scale: str
    condition: str = ""
    n: int
    alpha: float | None = None
    alpha_low: float | None = None
    alpha_high: float | None = None
    omega: float | None = None
    omega_low: float | None = None
    omega_high: float | None = None
    items: tuple[ItemFacts, ...] = ()
    cannot: str = ""


class DescribedVariable(Model):
    """A tested variable in one condition ('' over all rows). counts: of a nominal one."""

    variable: str
    condition: str = ""
    n: int
    missing: int
    mean: float | None = None
    sd: float | None = None
    median: float | None = None
    counts: dict[str, int] | None = None


class CorrelationFound(Model):
    """Pearson's r of two variables over participants. r: None where one does not vary."""

    first: str
    second: str
    n: int
    r: float | None


class NotTested(Model):
    """A hypothesis of the plan that was not tested, and why."""

    id: VariableName
    because: str = Field(max_length=1000)


class Results(Document):
    """results.json. values: every name that text may use, in one place. data_sha256: of the data that were analysed."""

    data_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    framework: Literal["frequentist", "bayesian", "both"]
    seed: int
    tests: tuple[TestResult, ...]
    not_tested: tuple[NotTested, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    reliability: tuple[Reliability, ...] = ()
    descriptives: tuple[DescribedVariable, ...] = ()
    correlations: tuple[CorrelationFound, ...] = ()
    values: tuple[NamedValue, ...]

    @model_validator(mode="after")
    def _unique(self) -> Results:
        names = [item.name for item in self.values]
        if len(set(names)) != len(names):
            raise ValueError("two values have the same name")
        return self
