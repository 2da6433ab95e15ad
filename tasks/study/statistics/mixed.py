"""Two factors of which one or both vary within participants: analysis of variance of a split plot, and what takes its place by rule."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import stats

from .assumptions import ALPHA, equal_variances, residual_normality, sphericity_of
from .contrasts import helmert, welch_james
from .corrections import adjusted
from .intervals import eta_squared
from .model import Assumption, Effect, FactorEffect, NotTestable
from .twoway import PERMUTATIONS

Parts = tuple[np.ndarray, np.ndarray]
"""A hypothesis: contrasts of the groups (r, groups) and of the cells within participants (q, cells); each orthonormal."""


class Repeated:
    """Groups of participants with a value in every cell. groups: (participants, cells) of each; names: of the cells within.

    Residuals normal and the groups' variances alike: analysis of variance, each effect over its own error (a split plot; Winer,
    1971), unweighted means of groups (Type III), Greenhouse and Geisser's epsilon where sphericity does not hold. Variances differ:
    Johansen's Welch-James test (Keselman, Carriere and Lix, 1993, Journal of Educational Statistics 18, 305). Residuals not normal,
    or too few participants for covariances of each group's own: a permutation test of the Wald-type statistic over all values,
    asymptotically valid for any covariances (Friedrich, Brunner and Pauly, 2017, Journal of Multivariate Analysis 153, 255).
    """

    def __init__(self, groups: dict[str, np.ndarray], effects: dict[str, Parts], seed: int) -> None:
        self.groups, self.seed = list(groups.values()), seed
        self.n = np.array([len(item) for item in self.groups])
        self.total, self.p = int(self.n.sum()), self.groups[0].shape[1]
        self.means = np.array([item.mean(0) for item in self.groups])
        self.residuals = np.concatenate([item - item.mean(0) for item in self.groups])
        spread = float(np.ptp(np.concatenate(self.groups)))
        within = self.residuals - self.residuals.mean(1, keepdims=True)
        if float(np.abs(within).max()) <= 1e-12 * max(spread, 1e-300):
            raise NotTestable(
                "the levels differ by the same amount in every participant; there is no error to compare with"
            )
        self.equal, self.assumptions = True, tuple[Assumption, ...]()
        smallest, residuals = int(self.n.min()), self.residuals
        if len(groups) > 1:
            spreads = _variances(groups)
            self.equal = spreads.holds is not False
            self.assumptions = (spreads,)
            if not self.equal:  # a mixture of normal values with different variances is not normal
                scale = np.repeat(
                    [np.sqrt(item.var(0, ddof=1).mean()) or 1.0 for item in self.groups], self.n
                )
                residuals = residuals / scale[:, None]
        found = [residual_normality((residuals - residuals.mean(1, keepdims=True)).ravel(), smallest)]
        if len(groups) > 1:
            found.append(residual_normality(residuals.mean(1), smallest))
        self.normal = all(bool(item.holds) for item in found)
        worst = next((item for item in found if not item.holds), found[0])
        self.assumptions = (worst, *self.assumptions)
        self.own = smallest > self.p  # enough for a covariance of each group's own
        self.corrected = False
        if self.kind == "anova":
            for name, (_, inner) in effects.items():
                if len(inner) > 1:
                    tested = self._sphericity(inner, name)[0]
                    self.assumptions += (tested,)
                    self.corrected = self.corrected or not tested.holds

    @property
    def kind(self) -> str:
        """anova, welch (Welch-James) or permutation."""
        if self.normal and self.equal:
            return "anova"
        return "welch" if self.normal and self.own else "permutation"

    @property
    def test(self) -> str:
        """The name of the test that is used."""
        design = "mixed" if len(self.groups) > 1 else "two-way repeated-measures"
        corrected = " (Greenhouse-Geisser)" if self.corrected else ""
        return {
            "anova": f"{design} analysis of variance{corrected}",
            "welch": f"{design} Welch-James test",
            "permutation": f"{design} Wald-type permutation test ({PERMUTATIONS} permutations)",
        }[self.kind]

    @property
    def because(self) -> str:
        """Why this one."""
        if not self.normal:
            return "residuals are not normal"
        if self.kind == "anova":
            return "residuals are normal enough" + (
                " and variances of groups alike" if len(self.groups) > 1 else ""
            )
        return "residuals are normal enough, variances of groups differ" + (
            "" if self.own else ", and a group has too few participants for a covariance of its own"
        )

    def effect(self, name: str, parts: Parts) -> FactorEffect:
        """The test of one effect."""
        f, df1, df2, shared = self._anova(parts)
        if self.kind == "anova":
            epsilon = self._sphericity(parts[1])[1]
            return FactorEffect(
                name,
                "F",
                f,
                (df1 * epsilon, df2 * epsilon),
                float(stats.f.sf(f, df1 * epsilon, df2 * epsilon)),
                eta_squared(f, df1, df2, self.total * len(parts[1]), "eta2_p", epsilon),
            )
        eta = Effect(
            "eta2_p",
            shared,
            method="no interval: none is known where variances differ or residuals are not normal",
        )
        contrast = np.kron(*parts)
        if self.kind == "welch":
            used = [place for place in range(len(self.groups)) if np.abs(parts[0][:, place]).sum() > 0]
            value, first, second = welch_james(
                np.kron(parts[0][:, used], parts[1]),
                [self.means[place] for place in used],
                [np.atleast_2d(np.cov(self.groups[place], rowvar=False)) for place in used],
                [int(self.n[place]) for place in used],
            )
            return FactorEffect(
                name, "F", value, (first, second), float(stats.f.sf(value, first, second)), eta
            )
        value, p = self._permuted(contrast)
        return FactorEffect(name, "Q", value, (float(len(contrast)),), p, eta)

    def _sphericity(self, inner: np.ndarray, name: str = "") -> tuple[Assumption, float]:
        """Whether it holds of these contrasts, and the epsilon by which degrees of freedom shrink: 1 where it does."""
        if len(inner) == 1:
            return Assumption("sphericity", True), 1.0
        tested, epsilon = sphericity_of(self._pooled(inner), self.total - len(self.groups), name)
        return tested, 1.0 if tested.holds else epsilon

    def _pooled(self, inner: np.ndarray) -> np.ndarray:
        """Covariance, pooled over groups, of the contrasts within participants."""
        at = self.residuals @ inner.T
        found: np.ndarray = at.T @ at / (self.total - len(self.groups))
        return found

    def _anova(self, parts: Parts) -> tuple[float, float, float, float]:
        """F, its degrees of freedom, and the share of variance explained, of an effect over its own error."""
        outer, inner = parts
        r, q = len(outer), len(inner)
        at = outer @ self.means @ inner.T
        over = np.linalg.inv(outer @ np.diag(1 / self.n) @ outer.T)
        effect = float(np.einsum("rq,rs,sq->", at, over, at))
        df2 = q * (self.total - len(self.groups))
        error = float(np.trace(self._pooled(inner))) * (self.total - len(self.groups))
        if error <= 1e-12 * max(effect, 1e-300):
            raise NotTestable("an effect is the same in every participant; there is no error to compare with")
        return effect / (r * q) / (error / df2), float(r * q), float(df2), effect / (effect + error)

    def _wald(self, rows: np.ndarray, contrast: np.ndarray) -> np.ndarray:
        """(C m)' (C S C')^+ (C m) of each of many tables (times, participants, cells)."""
        ends = np.cumsum(self.n)
        parts = [rows[:, end - n : end] for end, n in zip(ends, self.n, strict=True)]
        means = np.concatenate([item.mean(1) for item in parts], axis=1)
        times, p = len(rows), self.p
        sigma = np.zeros((times, means.shape[1], means.shape[1]))
        for place, item in enumerate(parts):
            centred = item - item.mean(1, keepdims=True)
            own = np.einsum("tnp,tnq->tpq", centred, centred) / (item.shape[1] - 1) / item.shape[1]
            sigma[:, place * p : (place + 1) * p, place * p : (place + 1) * p] = own
        at = means @ contrast.T
        inverse = np.linalg.pinv(
            np.einsum("rc,tcd,sd->trs", contrast, sigma, contrast), rcond=1e-10, hermitian=True
        )
        found: np.ndarray = np.einsum("tr,trs,ts->t", at, inverse, at)
        return found

    @cached_property
    def _table(self) -> np.ndarray:
        whole = np.concatenate(self.groups)
        found: np.ndarray = (whole - whole.mean()) / whole.std()
        return found

    def _permuted(self, contrast: np.ndarray) -> tuple[float, float]:
        observed = float(self._wald(self._table[None], contrast)[0])
        draw, as_large, left = np.random.default_rng(self.seed), 1, PERMUTATIONS
        block = max(1, 400_000 // self._table.size)
        while left:
            times = min(block, left)
            flat = draw.permuted(np.tile(self._table.ravel(), (times, 1)), axis=1)
            found = self._wald(flat.reshape(times, *self._table.shape), contrast)
            as_large += int((found >= observed * (1 - 1e-9)).sum())
            left -= times
        return observed, as_large / (PERMUTATIONS + 1)


def _variances(groups: dict[str, np.ndarray]) -> Assumption:
    """Levene's test of the groups at each level within, Holm over the levels; the smallest p counts."""
    cells = next(iter(groups.values())).shape[1]
    tested = [
        equal_variances({name: item[:, place] for name, item in groups.items()}) for place in range(cells)
    ]
    p = adjusted([1.0 if item.p is None else item.p for item in tested])
    worst = int(np.argmin(p))
    return Assumption(
        "equal variances of groups",
        bool(p[worst] >= ALPHA),
        tested[worst].statistic,
        p[worst],
        "Holm over the levels",
    )


def across(groups: int, cells: int) -> tuple[Parts, Parts, Parts]:
    """Main effect of the groups, of the cells within, and their interaction."""
    alike, within = np.full((1, groups), 1 / groups), np.full((1, cells), 1 / np.sqrt(cells))
    return (helmert(groups), within), (alike, helmert(cells)), (helmert(groups), helmert(cells))


def inside(a: int, b: int) -> tuple[Parts, Parts, Parts]:
    """Both main effects and the interaction of two factors within one group of participants."""
    one = np.ones((1, 1))
    first, second = np.full((1, a), 1 / np.sqrt(a)), np.full((1, b), 1 / np.sqrt(b))
    return (
        (one, np.kron(helmert(a), second)),
        (one, np.kron(first, helmert(b))),
        (one, np.kron(helmert(a), helmert(b))),
    )


def simple_across(groups: int, cells: int) -> tuple[list[Parts], list[Parts]]:
    """The groups at each cell within; the cells within in each group."""
    at = [(helmert(groups), np.eye(cells)[place : place + 1]) for place in range(cells)]
    return at, [(np.eye(groups)[place : place + 1], helmert(cells)) for place in range(groups)]


def simple_inside(a: int, b: int) -> tuple[list[Parts], list[Parts]]:
    """The first factor at each level of the second; the second at each of the first."""
    one = np.ones((1, 1))
    at = [(one, np.kron(helmert(a), np.eye(b)[place : place + 1])) for place in range(b)]
    return at, [(one, np.kron(np.eye(a)[place : place + 1], helmert(b))) for place in range(a)]
