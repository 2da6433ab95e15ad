"""What is tested and what came out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["nominal", "ordinal", "interval", "ratio"]
Alternative = Literal["two-sided", "greater", "less"]
Relation = Literal["difference", "association", "prediction"]


class NotTestable(ValueError):
    """The data do not allow the test; the text says why and what would."""


@dataclass(frozen=True)
class Plan:
    """One hypothesis as columns of the data.

    kinds: kind of each column named. within: the predictor varies within `participant`. levels: order of the
    predictor's levels. expected_higher: of two levels the name of the one that is expected to lie higher, of an association
    `positive` or `negative`; '' where the test is two-sided.
    claim: of a difference with two predictors, which effect is tested: interaction, or main_effect (of the first).
    other_within, other_levels: the same of the second predictor. covariates: numeric columns held constant.
    against: of a difference without predictors, the value that the outcome's mean is compared with.
    items: the column of what participants were shown or asked, where items are a sample as participants are; '' where none is.
    bound: the hypothesis is that the difference (association) is smaller than it in size; 0 where it is not. bound_in: of a
    difference raw units, or standard deviations (pooled; of pairs, of their differences). focus: of a prediction, the predictor whose
    coefficient is tested; '' where all are tested together.
    """

    id: str
    relation: Relation
    outcome: str
    predictors: tuple[str, ...]
    kinds: dict[str, Kind]
    within: bool = False
    participant: str = ""
    levels: tuple[str, ...] = ()
    expected_higher: str = ""
    confirmatory: bool = True
    claim: str = ""
    other_within: bool = False
    other_levels: tuple[str, ...] = ()
    covariates: tuple[str, ...] = ()
    bound: float = 0.0
    bound_in: Literal["raw", "sd"] = "raw"
    items: str = ""
    against: float | None = None
    focus: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All columns that are tested."""
        return (self.outcome, *self.predictors, *self.covariates, *([self.items] if self.items else []))


@dataclass(frozen=True)
class Assumption:
    """An assumption as found. holds: None when it could not be checked."""

    name: str
    holds: bool | None
    statistic: float | None = None
    p: float | None = None
    detail: str = ""


@dataclass(frozen=True)
class Effect:
    """An effect size and its interval; method: how the interval was found, or why there is none."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    method: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError for an interval that does not hold its estimate: then one of the two is computed wrongly."""
        if self.low is not None and self.high is not None and not holds(self.value, self.low, self.high):
            raise ValueError(
                f"{self.name} = {self.value} lies outside its interval [{self.low}, {self.high}]"
            )


def holds(value: float, low: float, high: float) -> bool:
    """Whether an estimate lies within its interval, but for rounding."""
    slack = 1e-9 * max(1.0, abs(value))
    return low - slack <= value <= high + slack


@dataclass(frozen=True)
class Bayes:
    """Evidence for the alternative against the null; None where no honest number is available."""

    bf10: float | None
    method: str
    prior: str = ""


@dataclass(frozen=True)
class Pair:
    """Two levels compared after a test of more. p: None where they cannot be tested; `cannot` says why."""

    first: str
    second: str
    test: str
    statistic_name: str
    statistic: float | None
    df: tuple[float, ...]
    p: float | None
    effect: Effect | None = None
    p_adjusted: float | None = None
    cannot: str = ""


@dataclass(frozen=True)
class FactorEffect:
    """A main effect, interaction or simple effect. omega: partial omega squared. p_adjusted: Holm, of simple effects.
    means: level -> mean over the other factor's levels, each counted alike; of main effects. cannot: why there is no test."""

    name: str
    statistic_name: str
    statistic: float | None
    df: tuple[float, ...]
    p: float | None
    effect: Effect | None = None
    omega: Effect | None = None
    p_adjusted: float | None = None
    means: dict[str, float] = field(default_factory=dict)
    cannot: str = ""


@dataclass(frozen=True)
class Tested:
    """One test: which, why, and what came out. coefficients: name -> (estimate, standard error, low, high, p).

    Of two factors: effects are both main effects and the interaction; claim is the name of the one that the hypothesis is
    about, whose statistic stands here, too; simple: each factor at the other's levels, where the interaction is significant.
    p_family: p corrected for all tests of the study, where none is confirmatory; `adjustment` says how.
    direction: of a one-sided test what was tested ("voice > touch", "positive"); '' of a two-sided one.
    covariates: held constant; each group then has `adjusted`, its mean where all covariates have theirs.
    bound: of an equivalence test, in words ("±0.5 (0.31 pooled standard deviations)"); p is then that of equivalence.
    against: the value that a mean was compared with. focus: the predictor that was tested with the others held constant; compared: of
    one with two levels which of them is compared with which. difference: of two means, in the outcome's units. standardised:
    coefficient -> in standard deviations of outcome and predictor.
    """

    __test__ = False  # pytest: not one of its own

    id: str
    test: str
    because: str
    outcome: str
    predictors: tuple[str, ...]
    n: int
    statistic_name: str
    statistic: float | None
    df: tuple[float, ...]
    p: float
    direction: str = ""
    left_out: int = 0
    groups: tuple[dict[str, Any], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    effect: Effect | None = None
    bayes: Bayes | None = None
    coefficients: dict[str, tuple[float, float, float, float, float]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    p_adjusted: float | None = None
    p_family: float | None = None
    adjustment: str = ""
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
    standardised: dict[str, float] = field(default_factory=dict)
