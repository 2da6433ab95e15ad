"""Pairwise comparisons after a test of more than two levels, by the rule that follows from that test.

All pairs are compared whatever the omnibus test gave; p-values are corrected by Holm within the hypothesis.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from .corrections import adjusted
from .independent import two_ranks
from .intervals import cohens_d, cohens_dz
from .model import Pair, Tested
from .repeated import mcnemar, pairs

MOST_LEVELS = 10


def compared(found: Tested, groups: dict[str, np.ndarray], seed: int) -> Tested:
    """`found` with all pairs of its levels; groups: level -> values, of repeated measures in the participants' order.

    Analysis of variance: t with the pooled variance of all groups; Welch's: Welch's t; Kruskal-Wallis: Mann-Whitney;
    repeated measures: paired t; Friedman: Wilcoxon; Cochran's Q: McNemar, of 0 and 1. A pair that cannot be tested says why
    and counts as p = 1 in Holm's family.
    """
    if len(groups) < 3:
        return found
    if len(groups) > MOST_LEVELS:
        said = f"pairs are not compared: {len(groups)} levels, at most {MOST_LEVELS}"
        return replace(found, warnings=(*found.warnings, said))
    made = [
        Pair(first, second, **_pair(found.test, groups, first, second, seed))
        for first, second in combinations(groups, 2)
    ]
    p = adjusted([1.0 if item.p is None else item.p for item in made])
    return replace(
        found,
        pairs=tuple(
            item if item.p is None else replace(item, p_adjusted=value)
            for item, value in zip(made, p, strict=True)
        ),
    )


def _pair(omnibus: str, groups: dict[str, np.ndarray], first: str, second: str, seed: int) -> dict[str, Any]:
    a, b = groups[first], groups[second]
    if omnibus == "Kruskal-Wallis test":
        if np.ptp(np.concatenate([a, b])) == 0:
            return _cannot("Mann-Whitney U test", "the values do not vary")
        return _kept(two_ranks([a, b], seed))
    if omnibus == "Friedman test":
        return (
            _kept(pairs(np.column_stack([a, b]), False, seed))
            if (a != b).any()
            else _cannot("Wilcoxon signed-rank test", "no participant differs between the two levels")
        )
    if omnibus == "Cochran's Q test":
        return (
            mcnemar(a, b)
            if (a != b).any()
            else _cannot("McNemar's exact test", "no participant answered differently in the two levels")
        )
    if omnibus.startswith("repeated-measures"):
        if np.ptp(a - b) <= 1e-12 * max(1.0, float(np.abs(a - b).max())):
            return _cannot("paired t test", "the levels differ by the same amount in every participant")
        t = stats.ttest_rel(a, b)
        return {
            "test": "paired t test",
            "statistic_name": "t",
            "statistic": float(t.statistic),
            "df": (float(len(a) - 1),),
            "p": float(t.pvalue),
            "effect": cohens_dz(a - b),
        }
    if np.ptp(a) == 0 and np.ptp(b) == 0:
        return _cannot("t test", "the values do not vary within either level")
    if omnibus.startswith("Welch"):
        t = stats.ttest_ind(a, b, equal_var=False)
        return {
            "test": "Welch's t test",
            "statistic_name": "t",
            "statistic": float(t.statistic),
            "df": (float(t.df),),
            "p": float(t.pvalue),
            "effect": cohens_d(a, b),
        }
    df = sum(len(item) - 1 for item in groups.values())
    variance = sum(float(((item - item.mean()) ** 2).sum()) for item in groups.values()) / df
    value = float((a.mean() - b.mean()) / np.sqrt(variance * (1 / len(a) + 1 / len(b))))
    return {
        "test": "t test, variance pooled over all groups",
        "statistic_name": "t",
        "statistic": value,
        "df": (float(df),),
        "p": float(2 * stats.t.sf(abs(value), df)),
        "effect": cohens_d(a, b),
    }


def _kept(made: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in made.items() if name != "bayes"}


def _cannot(test: str, why: str) -> dict[str, Any]:
    return {
        "test": test,
        "statistic_name": "",
        "statistic": None,
        "df": (),
        "p": None,
        "cannot": f"cannot be tested: {why}",
    }
