"""No difference, or no association, beyond a bound: two one-sided tests (Schuirmann, 1987, Journal of Pharmacokinetics and
Biopharmaceutics 15, 657; Lakens, 2017, Social Psychological and Personality Science 8, 355)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from . import correlations
from .assumptions import normality
from .bayes import unavailable
from .data import against_value, complete_table, described, groups_of
from .model import Effect, NotTestable, Plan, Tested
from .twoway import PERMUTATIONS

LEVEL = 0.90  # of the interval that lies within the bounds where both one-sided tests are significant at .05
WIDE, WIDE_R = 0.8, 0.5  # what Cohen calls large: a bound beyond calls it equivalent


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Whether the difference of two means, or a correlation, lies within plus and minus the plan's bound; p is the larger of
    the two tests' and the statistic is its.

    Two groups: Welch's t, whatever the variances; pairs: t of the differences. Values not normal: the same t, whose distribution
    comes from permuted values (Janssen, 1997, Statistics & Probability Letters 36, 9), of pairs from their signs. Correlations:
    Fisher's z. Raises NotTestable.
    """
    alone = plan.against is not None
    if plan.relation == "prediction" or len(plan.predictors) != (0 if alone else 1) or plan.covariates:
        raise NotTestable(
            f"{plan.id}: equivalence is tested of two levels of one predictor or of an association, without covariates"
        )
    if plan.relation == "association":
        return _correlation(plan, frame, seed)
    if plan.kinds[plan.outcome] not in ("interval", "ratio"):
        raise NotTestable(
            f"{plan.id}: a bound is a number of units, so the outcome is numeric (interval or ratio); {plan.outcome} is "
            f"{plan.kinds[plan.outcome]}"
        )
    if alone:
        cells, left_out = against_value(plan, frame)
        groups = {plan.outcome: cells[:, 0], "against": cells[:, 1]}
    elif plan.within:
        table, left_out = complete_table(plan, frame)
        groups = {str(name): table[name].to_numpy(float) for name in table.columns}
    else:
        groups, left_out = groups_of(plan, frame)
    if len(groups) != 2:
        raise NotTestable(f"{plan.id}: equivalence is tested of two levels, found {len(groups)}")
    return _means(plan, groups, left_out, seed)


def _means(plan: Plan, groups: dict[str, np.ndarray], left_out: int, seed: int) -> Tested:
    a, b = groups.values()
    alone, paired = plan.against is not None, plan.within or plan.against is not None
    normal = normality({"differences": a - b} if paired else groups)
    spread = (
        float((a - b).std(ddof=1))
        if paired
        else float(
            np.sqrt(((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / (len(a) + len(b) - 2))
        )
    )
    if spread <= 1e-12 * max(1e-300, float(np.abs(np.concatenate([a, b])).max())):
        raise NotTestable(f"{plan.id}: {plan.outcome} does not vary, so there is no error to compare with")
    bound = plan.bound * (1.0 if plan.bound_in == "raw" else spread)
    value = float(a.mean() - b.mean())
    error, df = _error(a, b, paired)
    sides = (
        np.array([value + bound, value - bound]) / error
    )  # not below the lower bound, not above the upper one
    if normal.holds:
        p = [float(stats.t.sf(sides[0], df)), float(stats.t.cdf(sides[1], df))]
    else:
        p = [_permuted(a + bound, b, paired, seed), _permuted(b + bound, a, paired, seed)]
    wide = float(stats.t.ppf((1 + LEVEL) / 2, df)) * error
    of = "standard deviations" + (" of the differences" if plan.within else "")
    of = of if paired else "pooled standard deviations"
    kind = "one-sample t" if alone else "paired t" if paired else "Welch"
    design = (
        f"one sample against {plan.against:g}"
        if alone
        else "two levels within participants"
        if paired
        else "two independent groups"
    )
    how = "" if normal.holds else f" ({PERMUTATIONS} permutations)"
    return Tested(
        id=plan.id,
        test=f"two one-sided {kind} tests{how}",
        because=f"{design}; equivalence; the values are {'' if normal.holds else 'not '}normal enough",
        outcome=plan.outcome,
        predictors=plan.predictors,
        against=plan.against,
        n=len(a) if paired else len(a) + len(b),
        left_out=left_out,
        groups=described({plan.outcome: a} if alone else groups),
        assumptions=(normal,),
        statistic_name="t",
        statistic=float(sides[0] if value < 0 else sides[1]),
        df=(float(df),),
        p=max(p),
        effect=Effect("difference", value, value - wide, value + wide, LEVEL, "t"),
        bayes=unavailable("equivalence tests"),
        bound=f"±{bound:.3g} ({bound / spread:.2f} {of})",
        warnings=_wide(bound / spread >= WIDE),
    )


def _correlation(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Of the correlation that the rules choose, by Fisher's z, of ranks with Bonett and Wright's error."""
    if not plan.bound < 1:
        raise NotTestable(f"{plan.id}: a correlation lies below 1, found the bound {plan.bound:g}")
    found = correlations.tested(plan, frame, seed)
    r, ranks = found.statistic or 0.0, found.statistic_name == "rs"
    if found.n < 6 or abs(r) >= 1:
        raise NotTestable(f"{plan.id}: {found.n} pairs of values, or a perfect correlation; six are needed")
    error = float(np.sqrt((1 + r**2 / 2 if ranks else 1.0) / (found.n - 3)))
    z, bound = float(np.arctanh(r)), float(np.arctanh(plan.bound))
    sides = (z + bound) / error, (z - bound) / error
    ends = np.tanh(z + np.array([-1, 1]) * stats.norm.ppf((1 + LEVEL) / 2) * error)
    method = "Fisher's z" + (", Bonett and Wright's error" if ranks else "")
    return Tested(
        id=plan.id,
        test=f"two one-sided tests of {'Spearman' if ranks else 'Pearson'}'s correlation",
        because=f"equivalence; {found.because}",
        outcome=plan.outcome,
        predictors=plan.predictors,
        n=found.n,
        left_out=found.left_out,
        assumptions=found.assumptions,
        statistic_name="z",
        statistic=sides[0] if r < 0 else sides[1],
        df=(),
        p=float(max(stats.norm.sf(sides[0]), stats.norm.cdf(sides[1]))),
        effect=Effect(found.statistic_name, r, float(ends[0]), float(ends[1]), LEVEL, method),
        bayes=unavailable("equivalence tests"),
        bound=f"±{plan.bound:.3g}",
        warnings=_wide(plan.bound >= WIDE_R),
    )


def _wide(beyond: bool) -> tuple[str, ...]:
    return (
        ("the bound is so wide that what Cohen calls a large effect would count as equivalent",)
        if beyond
        else ()
    )


def _error(a: np.ndarray, b: np.ndarray, paired: bool) -> tuple[float, float]:
    """Standard error of the difference of means, with degrees of freedom."""
    if paired:
        return float((a - b).std(ddof=1) / np.sqrt(len(a))), len(a) - 1.0
    one, two = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    df = (one + two) ** 2 / (one**2 / (len(a) - 1) + two**2 / (len(b) - 1))
    return float(np.sqrt(one + two)), float(df)


def _permuted(a: np.ndarray, b: np.ndarray, paired: bool, seed: int) -> float:
    """Share of permutations, the observed one counted in, whose t of a over b is at least the observed one."""
    draw, n = np.random.default_rng(seed), len(a)
    whole = a - b if paired else np.concatenate([a, b])
    observed, as_large, left = float((a.mean() - b.mean()) / _error(a, b, paired)[0]), 1, PERMUTATIONS
    block = max(1, 1_000_000 // len(whole))
    while left:
        times = min(block, left)
        with np.errstate(all="ignore"):
            if paired:
                rows = whole * draw.choice([-1.0, 1.0], (times, n))
                found = rows.mean(1) / (rows.std(1, ddof=1) / np.sqrt(n))
            else:
                rows = draw.permuted(np.tile(whole, (times, 1)), axis=1)
                one, two = rows[:, :n], rows[:, n:]
                error = np.sqrt(one.var(1, ddof=1) / n + two.var(1, ddof=1) / len(b))
                found = (one.mean(1) - two.mean(1)) / error
        as_large += int((found >= observed - 1e-9 * max(1.0, abs(observed))).sum())
        left -= times
    return as_large / (PERMUTATIONS + 1)
