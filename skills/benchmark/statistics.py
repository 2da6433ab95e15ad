"""Summaries and tests of significance. Source: scipy.stats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

TESTS = ("t", "paired_t", "mann_whitney", "wilcoxon", "ks")
_LEAST = {"t": 2, "paired_t": 2, "mann_whitney": 3, "wilcoxon": 5, "ks": 3}
PAIRED = ("paired_t", "wilcoxon")


def finite(values: np.ndarray) -> np.ndarray:
    """The finite numbers among them."""
    good: np.ndarray = values[np.isfinite(values)]
    return good


def summary(values: np.ndarray) -> dict[str, Any]:
    """n, how many are no number, extremes, mean with its standard error, median, spread."""
    good = finite(values)
    if not good.size:
        return {"n": 0, "not_finite": int(values.size)}
    quarters = np.percentile(good, [25, 50, 75])
    spread = float(np.std(good, ddof=1)) if good.size > 1 else None
    return {
        "n": int(good.size),
        "not_finite": int(values.size - good.size),
        "min": float(good.min()),
        "max": float(good.max()),
        "mean": float(good.mean()),
        "standard_error": None if spread is None else spread / math.sqrt(good.size),
        "standard_deviation": spread,
        "median": float(quarters[1]),
        "quartiles": [float(quarters[0]), float(quarters[2])],
    }


def compared(one: np.ndarray, other: np.ndarray, test: str) -> dict[str, Any]:
    """Statistic, p value, difference of the means with its 95 % interval (Welch). Raises ValueError for what does not fit."""
    if test not in TESTS:
        raise ValueError(f"the test {test!r} is unknown; there are {', '.join(TESTS)}")
    if test in PAIRED:
        if one.size != other.size:
            raise ValueError(f"{test} compares pairs; the columns have {one.size} and {other.size} values")
        both = np.isfinite(one) & np.isfinite(other)
        one, other = one[both], other[both]
    one, other = finite(one), finite(other)
    least = _LEAST[test]
    if min(one.size, other.size) < least:
        raise ValueError(f"{test} needs {least} values on each side; there are {one.size} and {other.size}")
    found = _tested(one, other, test)
    by_t = found if test in ("t", "paired_t") else _tested(one, other, "paired_t" if test in PAIRED else "t")
    low, high = by_t.confidence_interval(0.95)
    return {
        "test": test,
        "n": [int(one.size), int(other.size)],
        "statistic": _plain(found.statistic),
        "p_value": _plain(found.pvalue),
        "mean_difference": float(one.mean() - other.mean()),
        "interval_95": [_plain(low), _plain(high)],
        "medians": [float(np.median(one)), float(np.median(other))],
    }


def _tested(one: np.ndarray, other: np.ndarray, test: str) -> Any:
    from scipy import stats  # a second of CPU time, which a server that only lists its tools does not need

    if test == "t":
        return stats.ttest_ind(one, other, equal_var=False)
    if test == "paired_t":
        return stats.ttest_rel(one, other)
    if test == "mann_whitney":
        return stats.mannwhitneyu(one, other, alternative="two-sided")
    return stats.wilcoxon(one, other) if test == "wilcoxon" else stats.ks_2samp(one, other)


def _plain(value: Any) -> float | None:
    return float(value) if math.isfinite(float(value)) else None
