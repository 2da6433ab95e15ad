"""Differences between independent groups in a numeric or ordinal outcome."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import equal_variances, normality
from .bayes import bic_anova, jzs_t, unavailable
from .data import described, groups_of, side, undirected
from .intervals import LEVEL, cohens_d, eta_squared, mean_difference, resampled
from .model import Alternative, NotTestable, Plan, Tested


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """The test that design, kind and assumptions ask for.

    Numeric and normal: t test of two groups, analysis of variance of more, in Welch's form where variances differ.
    Otherwise Mann and Whitney's or Kruskal and Wallis's. Raises NotTestable.
    """
    groups, left_out = groups_of(plan, frame)
    ordinal = plan.kinds[plan.outcome] == "ordinal"
    assumptions = [] if ordinal else [normality(groups), equal_variances(groups)]
    normal = not ordinal and assumptions[0].holds
    values, n = list(groups.values()), sum(map(len, groups.values()))
    if np.ptp(np.concatenate(values)) == 0:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has the same value in all {n} rows; there is nothing to compare"
        )
    made: dict[str, Any]
    way: Alternative = "two-sided"
    direction = ""
    if len(values) == 2:
        way, direction = side(plan, *groups)
        made = (
            _two_means(plan, values, assumptions[1].holds is not False, way)
            if normal
            else two_ranks(values, seed, way)
        )
    else:
        made = _means(values, assumptions[1].holds is not False, n) if normal else _ranks(values, n, seed)
    why = (
        "the outcome is ordinal"
        if ordinal
        else (
            "the outcome is numeric and "
            + ("normal enough in each group" if normal else "not normal in each group")
            + ("" if not normal or assumptions[1].holds is not False else ", variances differ")
        )
    )
    warned = undirected(plan, "more than two groups have none") if len(values) > 2 else ()
    return Tested(
        id=plan.id,
        because=f"{len(values)} independent groups; {why}",
        outcome=plan.outcome,
        n=n,
        left_out=left_out,
        predictors=plan.predictors,
        groups=described(groups),
        assumptions=tuple(assumptions),
        warnings=warned,
        direction=direction,
        **made,
    )


def _two_means(plan: Plan, values: list[np.ndarray], equal: bool, way: Alternative) -> dict[str, Any]:
    a, b = values
    if np.ptp(a) == 0 and np.ptp(b) == 0:
        raise NotTestable(f"{plan.id}: {plan.outcome} does not vary within either group")
    found = stats.ttest_ind(a, b, equal_var=equal, alternative=way)
    return {
        "test": "Student's t test" if equal else "Welch's t test",
        "statistic_name": "t",
        "statistic": float(found.statistic),
        "df": (float(found.df),),
        "p": float(found.pvalue),
        "effect": cohens_d(a, b),
        "difference": mean_difference(
            a.mean() - b.mean(), stats.ttest_ind(a, b, equal_var=equal).confidence_interval(LEVEL)
        ),
        "bayes": jzs_t(float(found.statistic), len(a), len(b), way)
        if equal
        else unavailable("Welch's t test, whose variances differ"),
    }


def two_ranks(values: list[np.ndarray], seed: int, way: Alternative = "two-sided") -> dict[str, Any]:
    """Mann and Whitney's test of two samples, with the rank-biserial correlation."""
    a, b = values
    found = stats.mannwhitneyu(a, b, alternative=way)

    def biserial(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        n, other = x.shape[-1], y.shape[-1]
        ranks = stats.rankdata(np.concatenate([x, y], axis=-1), axis=-1)
        found: np.ndarray = 2 * (ranks[..., :n].sum(axis=-1) - n * (n + 1) / 2) / (n * other) - 1
        return found

    return {
        "test": "Mann-Whitney U test",
        "statistic_name": "U",
        "statistic": float(found.statistic),
        "df": (),
        "p": float(found.pvalue),
        "bayes": unavailable("rank tests"),
        "effect": resampled("r_rb", [a, b], biserial, seed, at_once=True),
    }


def _means(values: list[np.ndarray], equal: bool, n: int) -> dict[str, Any]:
    k = len(values)
    plain = stats.f_oneway(*values)
    if equal:
        f, df1, df2, p = float(plain.statistic), float(k - 1), float(n - k), float(plain.pvalue)
        return {
            "test": "one-way analysis of variance",
            "statistic_name": "F",
            "statistic": f,
            "df": (df1, df2),
            "p": p,
            "effect": eta_squared(f, df1, df2, n),
            "bayes": bic_anova(f, df1, df2, n),
        }
    f, df1, df2 = welch(values)
    return {
        "test": "Welch's analysis of variance",
        "statistic_name": "F",
        "statistic": f,
        "df": (df1, df2),
        "p": float(stats.f.sf(f, df1, df2)),
        "effect": eta_squared(float(plain.statistic), k - 1, n - k, n),
        "bayes": unavailable("Welch's analysis of variance, whose variances differ"),
    }


def welch(values: list[np.ndarray]) -> tuple[float, float, float]:
    """F and degrees of freedom (Welch, 1951, Biometrika 38, 330)."""
    k = len(values)
    means = np.array([item.mean() for item in values])
    weights = np.array([len(item) / item.var(ddof=1) for item in values])
    share = weights / weights.sum()
    centre = float(share @ means)
    spread = sum((1 - part) ** 2 / (len(item) - 1) for part, item in zip(share, values, strict=True))
    f = float((weights @ (means - centre) ** 2) / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * spread))
    return f, float(k - 1), float((k**2 - 1) / (3 * spread))


def _ranks(values: list[np.ndarray], n: int, seed: int) -> dict[str, Any]:
    def epsilon(*samples: np.ndarray) -> float:
        try:
            return float(stats.kruskal(*samples).statistic / (sum(map(len, samples)) - 1))
        except ValueError:  # all the same in this resample
            return float("nan")

    found = stats.kruskal(*values)
    return {
        "test": "Kruskal-Wallis test",
        "statistic_name": "H",
        "statistic": float(found.statistic),
        "df": (float(len(values) - 1),),
        "p": float(found.pvalue),
        "effect": resampled("epsilon2", values, epsilon, seed),
        "bayes": unavailable("rank tests"),
    }
