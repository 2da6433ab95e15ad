"""Two factors between participants: analysis of variance with interaction, and what takes its place by rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from .assumptions import equal_variances, residual_normality
from .bayes import bic_anova, unavailable
from .contrasts import invertible, quadratic, welch_james
from .intervals import LEVEL, RESAMPLES, checked, eta_squared, omega_squared
from .model import Assumption, Effect, FactorEffect, NotTestable

PERMUTATIONS = 9999
TYPE_III = "Type III sums of squares"


class Between:
    """Cells of independent rows with the test that they allow. cells: (values,) of each, first factor first.

    Residuals normal (in units of their cell's deviation where variances differ) and variances equal: analysis of variance with
    Type III sums of squares. Type III always, by rule: its hypotheses are of unweighted means of cells, so they depend neither
    on how many rows a cell happens to have nor on whether the interaction is significant; with equal cells all types agree.
    Variances differ: Johansen's Welch-James test, of the same hypotheses. Residuals not normal: a permutation test of the
    Wald-type statistic, exact where rows are exchangeable and asymptotically valid for unequal variances and numbers (Pauly,
    Brunner and Konietschke, 2015, Journal of the Royal Statistical Society B 77, 461). It is taken over an aligned rank
    transform, which exceeds its level for values that are discrete or differ in spread (Luepsen, 2017, Communications in
    Statistics - Simulation and Computation 46, 6923).
    """

    def __init__(
        self, cells: Sequence[np.ndarray], names: Sequence[str], contrasts: Sequence[np.ndarray], seed: int
    ) -> None:
        self.cells, self.seed = list(cells), seed
        self.n = np.array([len(item) for item in cells])
        self.means = np.array([item.mean() for item in cells])
        self.variances = np.array([item.var(ddof=1) for item in cells])
        self.total, self.df = int(self.n.sum()), int(self.n.sum()) - len(cells)
        residuals = np.concatenate([item - item.mean() for item in cells])
        spread = float(np.ptp(np.concatenate(self.cells)))
        if float(np.abs(residuals).max()) <= 1e-12 * max(spread, float(np.abs(self.means).max())):
            raise NotTestable("the values do not vary within any cell; there is no error to compare with")
        spreads = equal_variances(dict(zip(names, cells, strict=True)))
        self.equal = spreads.holds is not False
        if not self.equal:  # a mixture of normal values with different variances is not normal
            residuals = np.concatenate([(item - item.mean()) / (item.std(ddof=1) or 1.0) for item in cells])
        self.assumptions: tuple[Assumption, ...] = (residual_normality(residuals, int(self.n.min())), spreads)
        self.normal = bool(self.assumptions[0].holds)
        spread_out = np.diag(self.variances / self.n)
        if not (self.normal and self.equal) and not all(invertible(item, spread_out) for item in contrasts):
            constant = [name for name, value in zip(names, self.variances, strict=True) if value == 0]
            raise NotTestable(
                f"the values of {'; '.join(constant)} do not vary, so the differing variances cannot be weighed"
            )

    @property
    def test(self) -> str:
        """The name of the test that is used."""
        if not self.normal:
            return f"two-way Wald-type permutation test ({PERMUTATIONS} permutations)"
        return "two-way analysis of variance" if self.equal else "two-way Welch-James test"

    @property
    def because(self) -> str:
        """Why this one."""
        sizes = (
            "equal cells, of which all types of sums of squares agree"
            if np.ptp(self.n) == 0
            else "unequal cells; unweighted means are compared, whatever the cells' sizes"
        )
        if not self.normal:
            return "residuals are not normal; unweighted means of cells are compared"
        return f"residuals are normal enough, {sizes}" + (
            f" ({TYPE_III})" if self.equal else "; variances differ"
        )

    def f(self, contrast: np.ndarray) -> float:
        """F of a contrast over the pooled variance within cells."""
        error = float(((self.n - 1) * self.variances).sum()) / self.df
        return quadratic(contrast, self.means, np.diag(1 / self.n)) / len(contrast) / error

    def effects(
        self, contrasts: Sequence[np.ndarray], names: Sequence[str], *, omega: bool = True
    ) -> list[FactorEffect]:
        """One for each contrast."""
        return [self._effect(contrast, name, omega) for contrast, name in zip(contrasts, names, strict=True)]

    def bayes(self, found: FactorEffect) -> Any:
        """Evidence for an effect; none where the test is not the analysis of variance."""
        if not (self.normal and self.equal) or found.statistic is None:
            return unavailable(self.test)
        return bic_anova(found.statistic, found.df[0], found.df[1], self.total)

    def _effect(self, contrast: np.ndarray, name: str, omega: bool) -> FactorEffect:
        r, f = len(contrast), self.f(contrast)
        if not (self.normal and self.equal) and not invertible(contrast, np.diag(self.variances / self.n)):
            return FactorEffect(
                name, "", None, (), None, cannot="cannot be tested: values of its cells do not vary"
            )
        if self.normal and self.equal:
            eta = eta_squared(f, r, self.df, self.total, "eta2_p")
            return FactorEffect(
                name,
                "F",
                f,
                (float(r), float(self.df)),
                float(stats.f.sf(f, r, self.df)),
                eta,
                omega_squared(f, r, self.total, eta) if omega else None,
            )
        if self.normal:
            value, df1, df2 = welch_james(
                contrast,
                [np.array([item]) for item in self.means],
                [np.array([[item]]) for item in self.variances],
                self.n.tolist(),
            )
            return FactorEffect(
                name,
                "F",
                value,
                (df1, df2),
                float(stats.f.sf(value, df1, df2)),
                *self._resampled(contrast, omega),
            )
        value, p = permuted(self.cells, contrast, self.seed)
        return FactorEffect(name, "Q", value, (float(r),), p, *self._resampled(contrast, omega))

    def _resampled(self, contrast: np.ndarray, omega: bool) -> tuple[Effect, Effect | None]:
        """Partial eta and omega squared of the plain F, with intervals that ask for no distribution."""
        r, f = len(contrast), self.f(contrast)
        means, variances = self._draws
        error = variances @ (self.n - 1) / self.df
        at = means @ contrast.T
        over = np.linalg.inv(contrast @ np.diag(1 / self.n) @ contrast.T)
        with np.errstate(all="ignore"):
            drawn = np.einsum("br,rs,bs->b", at, over, at) / r / error
        drawn = drawn[np.isfinite(drawn)]

        def effect(name: str, measure: Callable[[Any], Any]) -> Effect:
            value = float(measure(f))
            if len(drawn) < RESAMPLES // 2:
                return Effect(name, value, method="no interval: resamples hardly vary")
            low, high = np.percentile(measure(drawn), [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
            how = f"percentile bootstrap within cells, {RESAMPLES} resamples"
            return checked(name, value, float(low), float(high), how)

        return (
            effect("eta2_p", lambda value: value * r / (value * r + self.df)),
            effect(
                "omega2_p", lambda value: np.maximum(0.0, r * (value - 1) / (r * (value - 1) + self.total))
            )
            if omega
            else None,
        )

    @cached_property
    def _draws(self) -> tuple[np.ndarray, np.ndarray]:
        """Means and variances of cells drawn again, (resamples, cells) each."""
        draw = np.random.default_rng(self.seed)
        means, variances = np.empty((RESAMPLES, len(self.cells))), np.empty((RESAMPLES, len(self.cells)))
        for place, cell in enumerate(self.cells):
            block = max(1, 1_000_000 // len(cell))
            for start in range(0, RESAMPLES, block):
                rows = cell[draw.integers(0, len(cell), (min(block, RESAMPLES - start), len(cell)))]
                means[start : start + block, place] = rows.mean(1)
                variances[start : start + block, place] = rows.var(1, ddof=1)
        return means, variances


def permuted(cells: Sequence[np.ndarray], contrast: np.ndarray, seed: int) -> tuple[float, float]:
    """The Wald-type statistic of a contrast, and the share of permutations with at least it, the observed one included.

    Only cells that the contrast weighs are permuted among each other.
    """
    used = np.flatnonzero(np.abs(contrast).sum(0) > 0)
    taken, weights = [cells[int(place)] for place in used], contrast[:, used]
    n = np.array([len(item) for item in taken])
    y = np.concatenate(taken)
    y = (y - y.mean()) / y.std()
    member = np.zeros((len(y), len(n)))
    member[np.arange(len(y)), np.repeat(np.arange(len(n)), n)] = 1.0
    observed = float(_wald(y[None, :], member, n, weights)[0])
    draw, as_large, left = np.random.default_rng(seed), 1, PERMUTATIONS
    block = max(1, 1_000_000 // len(y))
    while left:
        times = min(block, left)
        found = _wald(draw.permuted(np.tile(y, (times, 1)), axis=1), member, n, weights)
        as_large += int((found >= observed * (1 - 1e-9)).sum())
        left -= times
    return observed, as_large / (PERMUTATIONS + 1)


def _wald(rows: np.ndarray, member: np.ndarray, n: np.ndarray, contrast: np.ndarray) -> np.ndarray:
    """(C m)' (C S C')^+ (C m) of each row of values."""
    means = rows @ member / n
    variances = np.maximum((rows**2 @ member - n * means**2) / (n - 1), 0) / n
    at = means @ contrast.T
    inverse = np.linalg.pinv(
        np.einsum("rc,bc,sc->brs", contrast, variances, contrast), rcond=1e-10, hermitian=True
    )
    found: np.ndarray = np.einsum("br,brs,bs->b", at, inverse, at)
    return found
