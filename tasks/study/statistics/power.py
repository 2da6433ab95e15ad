"""Sample size from the smallest effect of interest, by statsmodels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

Measure = Literal["d", "dz", "f", "w", "r"]
MOST = 1_000_000
CORRELATED = 0.5  # between two levels of one participant, where nothing is known: G*Power's default


@dataclass(frozen=True)
class Power:
    """needed: participants in all. power_with_taken: power with those that take part. detectable: the effect that they
    show with the wanted power, None beyond every bound. method: function and arguments."""

    needed: int
    taken: int
    power_with_taken: float
    detectable: float | None
    method: str


@dataclass(frozen=True)
class Factors:
    """An effect of two factors: its degrees of freedom. groups: of participants; levels: that each participant meets, 1 where both
    factors lie between participants; within: whether the effect is one of these levels."""

    df: int
    groups: int
    levels: int = 1
    within: bool = False

    def power(self, f: float, n: int, alpha: float) -> float:
        """Power of an f by the noncentral F with groups of one size, as G*Power's fixed effects and repeated measures, with
        CORRELATED levels and sphericity (Faul et al., 2007)."""
        rest = (n - self.groups) * (self.levels - 1 if self.within else 1)
        if rest < 1:
            return 0.0
        spread = 1 - CORRELATED if self.within else 1 + (self.levels - 1) * CORRELATED
        at = f**2 * n * self.levels / spread
        return float(stats.ncf.sf(stats.f.ppf(1 - alpha, self.df, rest), self.df, rest, at))


def power_of(
    measure: Measure,
    size: float,
    n: int,
    *,
    alpha: float = 0.05,
    groups: int = 2,
    df: int = 1,
    two_sided: bool = True,
    within: bool = False,
    covariates: int = 0,
    explained: float = 0.0,
    equivalence: bool = False,
    factors: Factors | None = None,
) -> float:
    """Power of a test with `n` participants in all. groups: for d and f; df: degrees of freedom of a table, for w.

    covariates: how many are held constant, of d, f and r: each takes a degree of freedom. explained: the share of the variance
    within groups that they explain, by which the error of d and f shrinks (Borm, Fransen and Lemmens, 2007, Journal of Clinical
    Epidemiology 60, 1234). equivalence: of d, dz and r the power of two one-sided tests, where nothing differs and `size` is the
    bound. factors: f is of an effect of two factors.

    within: the groups of f are levels that every participant sees. Then F has the noncentrality n k f^2 / (1 - CORRELATED) and
    (k - 1), (n - 1)(k - 1) degrees of freedom: G*Power's repeated measures, within factors, with sphericity (Faul et al., 2007,
    Behavior Research Methods 39, 175).
    """
    from statsmodels.stats.power import FTestAnovaPower, GofChisquarePower, TTestIndPower, TTestPower

    if factors is not None:
        return factors.power(size, n, alpha)
    side = "two-sided" if two_sided else "larger"
    if covariates and measure in ("d", "f") and not within:
        k = groups if measure == "f" else 2
        return _adjusted(measure, size / math.sqrt(1 - explained), n, n - k - covariates, alpha, k, two_sided)
    n -= covariates if measure == "r" else 0
    if equivalence and measure in ("d", "dz", "r"):
        return _equivalence(measure, size, n, alpha)
    if measure == "d":
        return float(TTestIndPower().power(size, n / 2, alpha, alternative=side))
    if measure == "dz":
        return float(TTestPower().power(size, n, alpha, alternative=side))
    if measure == "f" and within:
        df1, df2 = groups - 1, (n - 1) * (groups - 1)
        critical = stats.f.ppf(1 - alpha, df1, df2)
        return float(stats.ncf.sf(critical, df1, df2, size**2 * n * groups / (1 - CORRELATED)))
    if measure == "f":
        return float(FTestAnovaPower().power(size, n, alpha, k_groups=groups))
    if measure == "w":
        return float(GofChisquarePower().power(size, n, alpha, n_bins=df + 1))
    if n < 4 or size >= 1:
        return 0.0 if n < 4 else 1.0
    z = np.arctanh(size) * np.sqrt(n - 3)
    critical = stats.norm.ppf(1 - (alpha / 2 if two_sided else alpha))
    return float(stats.norm.sf(critical - z) + (stats.norm.cdf(-critical - z) if two_sided else 0))


def _adjusted(
    measure: Measure, size: float, n: int, df: int, alpha: float, groups: int, two_sided: bool
) -> float:
    """Power of d or f with `df` degrees of freedom of error, by the noncentral t or F."""
    if df < 1:
        return 0.0
    if measure == "f":
        critical = stats.f.ppf(1 - alpha, groups - 1, df)
        return float(stats.ncf.sf(critical, groups - 1, df, size**2 * n))
    critical, at = stats.t.ppf(1 - (alpha / 2 if two_sided else alpha), df), size * math.sqrt(n) / 2
    found = stats.nct.sf(critical, df, at) + (stats.nct.cdf(-critical, df, at) if two_sided else 0)
    return float(found)


def _equivalence(measure: Measure, bound: float, n: int, alpha: float) -> float:
    """Power of two one-sided tests at no difference (Phillips, 1990, Journal of Pharmacokinetics and Biopharmaceutics 18, 137)."""
    if n < 4:
        return 0.0
    if measure == "r":
        at = 1e9 if bound >= 1 else float(np.arctanh(bound)) * math.sqrt(n - 3)
        return max(0.0, 2 * float(stats.norm.cdf(at - stats.norm.ppf(1 - alpha))) - 1)
    df = n - 2 if measure == "d" else n - 1
    at = bound * math.sqrt(n) / (2 if measure == "d" else 1)
    spread = np.sqrt(
        stats.chi2.ppf((np.arange(2000) + 0.5) / 2000, df) / df
    )  # of the estimated over the true deviation
    held = 2 * stats.norm.cdf(at - stats.t.ppf(1 - alpha, df) * spread) - 1
    return float(np.maximum(held, 0).mean())


def sample_size(
    measure: Measure,
    size: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    groups: int = 2,
    df: int = 1,
    two_sided: bool = True,
    taken: int | None = None,
    conditions: int = 1,
    within: bool = False,
    covariates: int = 0,
    explained: float = 0.0,
    equivalence: bool = False,
    factors: Factors | None = None,
) -> Power:
    """Participants needed in all for `power`; rounded up to whole groups. taken: how many will take part.

    conditions: the number of participants is a multiple of it, for orders that balance. Raises ValueError for an effect
    that no study of a size one could run shows.
    """
    apart = 1 if factors else groups if measure == "f" and not within else 2 if measure == "d" else 1
    step = math.lcm(apart, conditions)

    def of(size: float, n: int) -> float:
        return power_of(
            measure,
            size,
            n,
            alpha=alpha,
            groups=groups,
            df=df,
            two_sided=two_sided,
            within=within,
            covariates=covariates,
            explained=explained,
            equivalence=equivalence,
            factors=factors,
        )

    def enough(n: int) -> bool:
        return of(size, n) >= power

    high = least = max(
        step, step * math.ceil((2 * groups if measure in ("d", "f") and not within else 4) / step)
    )
    while not enough(high):
        high *= 2
        if high > MOST:
            raise ValueError(
                f"an effect of {measure} = {size:g} needs more than {MOST} participants; "
                "plan for a larger effect or less power"
            )
    low = least
    while high - low > step:
        middle = low + (high - low) // (2 * step) * step
        low, high = (low, middle) if enough(middle) else (middle, high)
    needed = low if enough(low) else high
    n = taken or needed
    have = of(size, n)
    name = {
        "d": "TTestIndPower",
        "dz": "TTestPower",
        "f": "FTestAnovaPower",
        "w": "GofChisquarePower",
        "r": "Fisher's z",
    }[measure]
    if measure == "f" and within:
        name = "noncentral F, within"
    if equivalence:
        name = "two one-sided tests"
    if covariates and not within:
        name = {"d": "noncentral t", "f": "noncentral F"}.get(measure, name)
    levels = f", levels={groups}, correlation={CORRELATED:g}" if within else f", groups={groups}"
    extra = levels if measure == "f" else f", df={df}" if measure == "w" else ""
    extra += f", covariates={covariates}" if covariates else ""
    extra += f", explained={explained:g}" if covariates and explained and measure in ("d", "f") else ""
    if factors is not None:
        name = "noncentral F, two factors"
        extra = f", df={factors.df}, groups={factors.groups}, levels={factors.levels}"
        extra += f", correlation={CORRELATED:g}" if factors.levels > 1 else ""
    tail = "bound, nothing differs" if equivalence else "two-sided" if two_sided else "one-sided"
    return Power(
        needed,
        n,
        min(1.0, have),
        _detectable(measure, lambda size: of(size, n) - power),
        f"{name}({measure}={size:g}, alpha={alpha:g}, power={power:g}{extra}, {tail})",
    )


def _detectable(measure: Measure, missing: Callable[[float], float]) -> float | None:
    """The effect at which nothing is missing of the wanted power."""
    from scipy import optimize

    low = high = 1e-3
    while not missing(high) >= 0:  # not a number counts as not reached
        low, high = high, high * 1.25
        if high > (0.9999 if measure == "r" else 15):
            return None
    return float(optimize.brentq(missing, low, high, xtol=1e-6)) if high > low else high
