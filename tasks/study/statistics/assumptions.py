"""Assumptions of tests, checked in the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats

from .contrasts import helmert
from .model import Assumption

ALPHA = 0.05
LARGE = 30  # values per group from which means are near enough to normal (central limit theorem)
Values = Sequence[float] | np.ndarray
LARGEST = 5000  # values Shapiro and Wilk's approximation is made for


def normality(groups: Mapping[str, Values]) -> Assumption:
    """Shapiro and Wilk's test in each group; the smallest p counts. Large groups pass unless grossly skewed.

    Source: Royston (1995), Applied Statistics 44, 547; Lumley et al. (2002), Annual Review of Public Health 23, 151.
    """
    worst, statistic, said, holds = 1.0, 1.0, [], True
    for name, values in groups.items():
        found = np.asarray(values, float)
        if len(found) < 3 or np.ptp(found) == 0:
            return Assumption("normality", False, detail=f"{name}: {len(found)} values, or all the same")
        tested = stats.shapiro(found[:LARGEST])
        skew = abs(float(stats.skew(found)))
        passed = bool(tested.pvalue >= ALPHA or (len(found) >= LARGE and skew < 2))
        if tested.pvalue < ALPHA:
            said.append(
                f"{name}: p = {tested.pvalue:.3g}, n = {len(found)}, skewness {skew:.2f}"
                + (", large enough" if passed else "")
            )
        holds = holds and passed
        if tested.pvalue < worst:
            worst, statistic = float(tested.pvalue), float(tested.statistic)
    return Assumption(
        "normality", holds, statistic, worst, "; ".join(said) or "no group departs from a normal distribution"
    )


def residual_normality(residuals: np.ndarray, smallest: int) -> Assumption:
    """Shapiro and Wilk's test of all residuals; passed, too, where cells are large and they are not grossly skewed."""
    tested, skew = stats.shapiro(residuals[:LARGEST]), abs(float(stats.skew(residuals)))
    large = smallest >= LARGE and skew < 2
    return Assumption(
        "normality of residuals",
        bool(tested.pvalue >= ALPHA or large),
        float(tested.statistic),
        float(tested.pvalue),
        f"skewness {skew:.2f}" + (", cells large enough" if large else ""),
    )


def equal_residuals(residuals: Values, design: np.ndarray) -> Assumption:
    """Breusch and Pagan's test in Koenker's form, which asks for no normal distribution (1981, Journal of Econometrics 17, 107).

    design: (rows, coefficients) of the model that left these residuals, an intercept among what it spans.
    """
    squares = np.asarray(residuals, float) ** 2
    rest = squares - design @ np.linalg.lstsq(design, squares, rcond=None)[0]
    total = float(((squares - squares.mean()) ** 2).sum())
    statistic = len(squares) * (1 - float((rest**2).sum()) / total) if total > 0 else 0.0
    p = stats.chi2.sf(statistic, design.shape[1] - 1)
    name = "equal variances of residuals (Breusch-Pagan)"
    return Assumption(name, bool(p >= ALPHA), float(statistic), float(p))


def influence(outcome: np.ndarray, design: np.ndarray) -> tuple[Assumption, int]:
    """Cook's distances of a linear regression (1977, Technometrics 19, 15): whether the largest is below 1, and its row."""
    basis = np.linalg.qr(design)[0]
    leverage = (basis**2).sum(1)
    rest = outcome - basis @ (basis.T @ outcome)
    wide = design.shape[1]
    error = float((rest**2).sum()) / (len(outcome) - wide)
    with np.errstate(divide="ignore", invalid="ignore"):
        distances = rest**2 / (wide * error) * leverage / (1 - leverage) ** 2
    distances = np.where(leverage > 1 - 1e-9, np.inf, distances)  # a row that alone decides a coefficient
    row, large = int(distances.argmax()), int((distances > 4 / len(outcome)).sum())
    largest = float(min(distances[row], 1e6))
    detail = f"largest distance {largest:.2f}; {large} of {len(outcome)} rows above 4 / n"
    return Assumption("no row weighs too much (Cook)", largest < 1, largest, detail=detail), row


def equal_variances(groups: Mapping[str, Values]) -> Assumption:
    """Levene's test around medians (Brown and Forsythe, 1974)."""
    tested = stats.levene(*[np.asarray(values, float) for values in groups.values()], center="median")
    if not np.isfinite(tested.statistic):
        return Assumption("equal variances", None, detail="no group varies")
    return Assumption(
        "equal variances", bool(tested.pvalue >= ALPHA), float(tested.statistic), float(tested.pvalue)
    )


def sphericity(table: np.ndarray) -> tuple[Assumption, float]:
    """Mauchly's test of a participants x levels table, and Greenhouse and Geisser's epsilon.

    Source: Mauchly (1940), Annals of Mathematical Statistics 11, 204; Greenhouse and Geisser (1959), Psychometrika 24, 95.
    """
    n, k = table.shape
    if k < 3:
        return Assumption("sphericity", True, detail="two levels have one difference"), 1.0
    contrasts = helmert(k)
    return sphericity_of(contrasts @ np.cov(table, rowvar=False) @ contrasts.T, n - 1)


def sphericity_of(covariance: np.ndarray, df: int, of: str = "") -> tuple[Assumption, float]:
    """The same from a covariance of orthonormal contrasts within participants, pooled over groups, with its degrees of freedom. of:
    which effect's."""
    values, p = np.linalg.eigvalsh(covariance), len(covariance)
    total = float(values.sum())
    epsilon = total**2 / (p * float((values**2).sum())) if total > 0 else 1.0
    name = f"sphericity of {of}" if of else "sphericity"
    if df < p or values.min() <= 1e-12 * max(values.max(), 1e-300):
        return Assumption(name, None, detail="too few participants to test; corrected by epsilon"), epsilon
    w = float(np.prod(values) / (total / p) ** p)
    factor = df - (2 * p**2 + p + 2) / (6 * p)
    parts = p * (p + 1) / 2 - 1
    chi2 = -factor * np.log(w)
    a2 = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p**2 + 3 * p + 2) / (288 * (p * factor) ** 2)
    first, second = stats.chi2.sf(chi2, parts), stats.chi2.sf(chi2, parts + 4)
    found = float(
        np.clip(first + a2 * (second - first), 0, 1)
    )  # second term of the expansion, as in R's mauchly.test
    return Assumption(name, found >= ALPHA, w, found, f"epsilon (Greenhouse-Geisser) {epsilon:.3f}"), epsilon


def expected_counts(table: np.ndarray) -> Assumption:
    """Cochran's rule: no expected count below 1, at most a fifth below 5 (Cochran, 1954, Biometrics 10, 417)."""
    expected = stats.contingency.expected_freq(table)
    small = float((expected < 5).mean())
    return Assumption(
        "expected counts",
        bool(expected.min() >= 1 and small <= 0.2),
        float(expected.min()),
        None,
        f"smallest expected count {expected.min():.2f}, {small:.0%} below 5",
    )
