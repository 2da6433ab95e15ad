"""Effect sizes with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import optimize, stats

from .model import Effect, holds

LEVEL = 0.95
RESAMPLES = 2000
ADDED = "0.5 added to each count"
_AT_ONCE = 100


def _pivot(
    cdf: Callable[[float], float], target: float, start: float, step: float, floor: float | None = None
) -> float:
    """The parameter at which a cumulative distribution, falling in it, takes the value `target`.

    Raises ValueError where the distribution is not a number: looked for further, each call takes seconds.
    """

    def known(value: float) -> float:
        found = cdf(value)
        if not np.isfinite(found):
            raise ValueError(f"the distribution is not a number at {value:g}")
        return found

    low, high = start - step, start + step
    if floor is not None:
        low = max(low, floor)
        if known(floor) < target:
            return floor
    for _ in range(60):
        if known(low) >= target:
            break
        low = low - step if floor is None else max(floor, low - step)
        step *= 1.5
    for _ in range(60):
        if known(high) <= target:
            break
        high += step
        step *= 1.5
    return float(optimize.brentq(lambda value: known(value) - target, low, high, xtol=1e-10))


def noncentral_t(t: float, df: float, level: float = LEVEL) -> tuple[float, float]:
    """Interval of the noncentrality of a t statistic (Steiger and Fouladi, 1997)."""
    tail = (1 - level) / 2

    def cdf(value: float) -> float:
        return float(stats.nct.cdf(t, df, value)) if abs(value) > 1e-12 else float(stats.t.cdf(t, df))

    return _pivot(cdf, 1 - tail, t, 3.0), _pivot(cdf, tail, t, 3.0)


def noncentral_f(f: float, df1: float, df2: float, level: float = LEVEL) -> tuple[float, float]:
    """Interval of the noncentrality of an F statistic, not below 0."""
    tail = (1 - level) / 2

    def cdf(value: float) -> float:
        return float(stats.ncf.cdf(f, df1, df2, value)) if value > 1e-12 else float(stats.f.cdf(f, df1, df2))

    start = f * df1
    return _pivot(cdf, 1 - tail, start, max(start, 5.0), 0.0), _pivot(cdf, tail, start, max(start, 5.0), 0.0)


def noncentral_chi2(chi2: float, df: float, level: float = LEVEL) -> tuple[float, float]:
    """Interval of the noncentrality of a chi-squared statistic, not below 0."""
    tail = (1 - level) / 2

    def cdf(value: float) -> float:
        return float(stats.ncx2.cdf(chi2, df, value)) if value > 1e-12 else float(stats.chi2.cdf(chi2, df))

    return _pivot(cdf, 1 - tail, chi2, max(chi2, 5.0), 0.0), _pivot(cdf, tail, chi2, max(chi2, 5.0), 0.0)


def cohens_d(a: np.ndarray, b: np.ndarray) -> Effect:
    """Difference of two means over the pooled standard deviation; interval by the noncentral t of equal variances."""
    n1, n2 = len(a), len(b)
    pooled = np.sqrt(((n1 - 1) * a.var(ddof=1) + (n2 - 1) * b.var(ddof=1)) / (n1 + n2 - 2))
    if pooled == 0:
        return Effect("d", 0.0, method="no interval: the values do not vary")
    scale = np.sqrt(1 / n1 + 1 / n2)
    d = float((a.mean() - b.mean()) / pooled)
    return _with_interval(
        "d", d, "noncentral t", lambda: noncentral_t(d / scale, n1 + n2 - 2), lambda end: end * scale
    )


def cohens_dz(differences: np.ndarray) -> Effect:
    """Mean of differences over their standard deviation; interval by the noncentral t."""
    n, sd = len(differences), differences.std(ddof=1)
    if sd == 0:
        return Effect("dz", 0.0, method="no interval: the differences do not vary")
    t = float(differences.mean() / sd * np.sqrt(n))
    return _with_interval(
        "dz",
        float(t / np.sqrt(n)),
        "noncentral t",
        lambda: noncentral_t(t, n - 1),
        lambda end: end / np.sqrt(n),
    )


def eta_squared(f: float, df1: float, df2: float, n: int, name: str = "eta2", epsilon: float = 1.0) -> Effect:
    """Share of variance explained, from F; interval by the noncentral F (Steiger, 2004, Psychological Methods 9, 164).

    n: the noncentrality is n times the effect's variance over the error's: independent values; of k levels within n'
    participants n' (k - 1), to which both sums of squares have degrees of freedom. epsilon: of Greenhouse and Geisser, by which
    degrees of freedom and noncentrality shrink.
    """
    return _with_interval(
        name,
        f * df1 / (f * df1 + df2),
        "noncentral F",
        lambda: noncentral_f(f, df1 * epsilon, df2 * epsilon),
        lambda end: end / epsilon / (end / epsilon + n),
    )


def omega_squared(f: float, df1: float, n: int, eta: Effect) -> Effect:
    """Partial omega squared of n independent values, not below 0 (Olejnik and Algina, 2003, Psychological Methods 8, 434).

    eta: partial eta squared of the same F. Both estimate the same share in the population, whose interval by the noncentral F
    is therefore the same.
    """
    value = max(0.0, df1 * (f - 1) / (df1 * (f - 1) + n))
    if eta.low is None or eta.high is None:
        return Effect("omega2_p", value, method=eta.method)
    return checked("omega2_p", value, eta.low, eta.high, eta.method)


def _with_interval(
    name: str,
    value: float,
    method: str,
    ends: Callable[[], tuple[float, float]],
    scaled: Callable[[float], float],
) -> Effect:
    """An effect and its interval; none, in words, where scipy's noncentral distribution is not a number (of millions)."""
    try:
        low, high = (float(scaled(end)) for end in ends())
    except ValueError:
        return Effect(
            name, value, method=f"no interval: the {method} cannot be computed for an effect so large"
        )
    return checked(name, value, low, high, method)


def checked(name: str, value: float, low: float, high: float, method: str) -> Effect:
    """An effect with its interval; none, in words, where the interval misses the estimate or has no width.

    Statistics that cannot be negative (epsilon squared, Kendall's W, V, shares of variance) lie too high near 0, and those of
    resamples higher still; at the end of their range all resamples are alike. R's effectsize prints such a percentile interval
    as it is; rcompanion's epsilonSquared warns that it may not be appropriate. No end is moved here: a moved end has no level.
    """
    short = method.partition(",")[0]
    if not holds(value, low, high):
        return Effect(name, value, method=f"no interval: the {short} did not hold the estimate")
    if high - low <= 1e-12:
        return Effect(name, value, method=f"no interval: the {short} gave one of no width")
    return Effect(name, value, low, high, method=method)


def cramers_v(chi2: float, n: int, shape: tuple[int, int]) -> Effect:
    """Association in a table of counts; interval by the noncentral chi-squared (Smithson, 2003)."""
    k, df = min(shape) - 1, (shape[0] - 1) * (shape[1] - 1)
    low, high = noncentral_chi2(chi2, df)

    def v(value: float) -> float:
        return float(min(1.0, np.sqrt(value / (n * k))))

    return checked("V", v(chi2), v(low), v(high), "noncentral chi-squared")


def odds_ratio(table: np.ndarray) -> Effect:
    """Odds ratio of a 2 x 2 table; Woolf's interval, with 0.5 added to each count where one is 0 (Haldane and Anscombe)."""
    cells = table.astype(float)
    added = bool((cells == 0).any())
    if added:
        cells = cells + 0.5
    log = np.log(cells[0, 0] * cells[1, 1] / (cells[0, 1] * cells[1, 0]))
    wide = stats.norm.ppf((1 + LEVEL) / 2) * np.sqrt((1 / cells).sum())
    return Effect(
        "OR",
        float(np.exp(log)),
        float(np.exp(log - wide)),
        float(np.exp(log + wide)),
        method="Woolf" + (f", {ADDED}" if added else ""),
    )


def correlation(r: float, n: int, *, ranks: bool = False) -> Effect:
    """Correlation; interval by Fisher's z, for ranks with Bonett and Wright's (2000) standard error."""
    name = "rs" if ranks else "r"
    if n < 5 or abs(r) >= 1:
        return Effect(name, r, method="no interval: too few values, or a perfect correlation")
    error = np.sqrt((1 + r**2 / 2) / (n - 3)) if ranks else 1 / np.sqrt(n - 3)
    wide = stats.norm.ppf((1 + LEVEL) / 2) * error
    z = np.arctanh(r)
    return Effect(
        name,
        r,
        float(np.tanh(z - wide)),
        float(np.tanh(z + wide)),
        method="Fisher's z" + (", Bonett and Wright's error" if ranks else ""),
    )


def resampled(
    name: str,
    samples: Sequence[np.ndarray],
    measure: Callable[..., Any],
    seed: int,
    *,
    paired: bool = False,
    at_once: bool = False,
) -> Effect:
    """An effect with a percentile bootstrap interval, the same for the same seed.

    paired: rows are drawn together. at_once: `measure` takes many resamples, one a row, and gives a value for each.
    """
    draw = np.random.default_rng(seed)
    found: list[float] = []
    for start in range(0, RESAMPLES, _AT_ONCE):
        drawn = [_drawn(draw, samples, paired) for _ in range(min(_AT_ONCE, RESAMPLES - start))]
        values = (
            measure(*map(np.stack, zip(*drawn, strict=True)))
            if at_once
            else [measure(*chosen) for chosen in drawn]
        )
        found += [float(value) for value in values if np.isfinite(value)]
    if len(found) < RESAMPLES // 2:
        return Effect(name, float(measure(*samples)), method="no interval: resamples hardly vary")
    low, high = np.percentile(found, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    value = float(measure(*samples))
    return checked(name, value, float(low), float(high), f"percentile bootstrap, {RESAMPLES} resamples")


def _drawn(draw: np.random.Generator, samples: Sequence[np.ndarray], paired: bool) -> list[np.ndarray]:
    if paired:
        rows = draw.integers(0, len(samples[0]), len(samples[0]))
        return [sample[rows] for sample in samples]
    return [sample[draw.integers(0, len(sample), len(sample))] for sample in samples]


def mean_difference(value: float, interval: Any) -> Effect:
    """The first mean less the second (or less a value), in the outcome's units, with the two-sided interval of t."""
    return Effect("difference", float(value), float(interval.low), float(interval.high), method="t")
