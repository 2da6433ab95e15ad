"""Differences between independent groups with covariates held constant: analysis of covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import ALPHA, equal_residuals, residual_normality
from .bayes import bic_anova, unavailable
from .contrasts import helmert
from .corrections import adjusted
from .data import FEWEST, described, label, levels_of, numeric, side, undirected
from .intervals import LEVEL, eta_squared
from .model import Alternative, Assumption, Effect, NotTestable, Pair, Plan, Tested
from .pairwise import MOST_LEVELS
from .twoway import PERMUTATIONS

_EXACT = 1e-12  # share of the spread: rounding


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Whether the groups differ where each covariate has its mean over all rows, with adjusted means and their differences.

    Slopes alike: analysis of covariance. Slopes differ: each group has its own, and the groups are compared at the same place.
    Variances of residuals differ (Breusch and Pagan): robust errors (HC3). Residuals not normal: residuals of the model
    without groups are permuted (Freedman and Lane, 1983, Journal of Business & Economic Statistics 1, 292), for the same
    hypothesis. Two groups may be tested one-sided. Raises NotTestable.
    """
    groups, centred, left_out = _rows(plan, frame)
    outcome = np.concatenate([item[:, 0] for item in groups.values()])
    slopes = _slopes(outcome, groups, centred)
    if slopes.holds is False and any(len(item) < centred.shape[1] + FEWEST for item in groups.values()):
        raise NotTestable(
            f"{plan.id}: slopes differ, and a group has too few rows for a slope of its own; leave the covariate out"
        )
    design = _Design(outcome, [len(item) for item in groups.values()], centred, slopes.holds is False, seed)
    if design.reason:
        raise NotTestable(f"{plan.id}: {design.reason}")
    names, k = [*groups], len(groups)
    way, direction = side(plan, *names) if k == 2 else ("two-sided", "")
    whole = design.compared(np.array([[1.0, -1.0]]) if k == 2 else helmert(k), way)
    means = {name: design.estimate(np.eye(k)[place]) for place, name in enumerate(names)}
    shown = tuple(
        {**group, "adjusted": asdict(Effect("adjusted_mean", one[0], one[2], one[3]))}
        for group, one in zip(
            described({name: item[:, 0] for name, item in groups.items()}), means.values(), strict=True
        )
    )
    pairs, said = _pairs(design, names)
    apart = "" if slopes.holds is not False else (
        f"the slopes differ, so the difference depends on {', '.join(plan.covariates)}; the groups are compared at its mean only"
    )  # fmt: skip
    return Tested(
        id=plan.id,
        test=design.test,
        because=f"{k} independent groups, {', '.join(plan.covariates)} held constant; {design.because}",
        outcome=plan.outcome,
        predictors=plan.predictors,
        covariates=plan.covariates,
        n=len(outcome),
        left_out=left_out,
        groups=shown,
        assumptions=(slopes, *design.assumptions),
        direction=direction,
        warnings=(
            *(text for text in (apart, said, _uneven(plan, groups)) if text),
            *(undirected(plan, "more than two groups have none") if k > 2 else ()),
        ),
        coefficients=_coefficients(plan, names, design),
        pairs=pairs,
        **whole,
    )


def _rows(plan: Plan, frame: pd.DataFrame) -> tuple[dict[str, np.ndarray], np.ndarray, int]:
    """Level -> (rows, outcome and covariates); the covariates of all rows less their means; rows left out."""
    [predictor] = plan.predictors
    unfit = [
        name for name in (plan.outcome, *plan.covariates) if plan.kinds[name] not in ("interval", "ratio")
    ]
    if unfit:
        raise NotTestable(
            f"{plan.id}: an outcome with covariates, and each covariate, is numeric (interval or ratio); "
            f"{', '.join(f'{name} is {plan.kinds[name]}' for name in unfit)}"
        )
    rows = frame[[predictor]].assign(
        **{name: numeric(frame[name], plan) for name in (plan.outcome, *plan.covariates)}
    )
    kept = rows.dropna()
    if plan.participant in frame.columns and frame.loc[kept.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the groups are not independent; covariates are held "
            "constant between participants only"
        )
    levels = levels_of(kept[predictor], plan)
    groups = {
        label(level): kept.loc[kept[predictor] == level, [plan.outcome, *plan.covariates]].to_numpy(float)
        for level in levels
    }
    for name, values in groups.items():
        if len(values) < FEWEST:
            raise NotTestable(
                f"{plan.id}: {name} has {len(values)} rows with {plan.outcome} and covariates; at least {FEWEST} are needed"
            )
    given = np.concatenate([item[:, 1:] for item in groups.values()])
    if constant := [
        name for name, spread in zip(plan.covariates, np.ptp(given, axis=0), strict=True) if not spread
    ]:
        raise NotTestable(f"{plan.id}: {', '.join(constant)} has one value only; nothing is held constant")
    return groups, given - given.mean(0), len(frame) - len(kept)


def _uneven(plan: Plan, groups: dict[str, np.ndarray]) -> str:
    """What is to be said where a covariate differs between the groups (Miller and Chapman, 2001, Journal of Abnormal Psychology
    110, 40)."""
    apart = [
        name
        for place, name in enumerate(plan.covariates, 1)
        if stats.f_oneway(*(item[:, place] for item in groups.values())).pvalue < ALPHA
    ]
    return (
        f"{', '.join(apart)} differs between the groups: holding it constant compares rows that few of them hold, and may take "
        "part of the difference away"
        if apart
        else ""
    )


def _columns(sizes: Sequence[int], centred: np.ndarray, separate: bool) -> np.ndarray:
    """A column for each group, then the slopes: coefficients of the first are adjusted means."""
    member = np.repeat(np.eye(len(sizes)), sizes, axis=0)
    if not separate:
        return np.hstack([member, centred])
    return np.hstack([member, *(member[:, [place]] * centred for place in range(len(sizes)))])


def _slopes(outcome: np.ndarray, groups: dict[str, np.ndarray], centred: np.ndarray) -> Assumption:
    """Whether the outcome goes with the covariates alike in all groups."""
    sizes = [len(item) for item in groups.values()]
    one, own = (_columns(sizes, centred, separate) for separate in (False, True))
    name, df = "equal slopes", len(outcome) - own.shape[1]
    if df < 2 or np.linalg.matrix_rank(own) < own.shape[1]:
        return Assumption(name, None, detail="the rows do not allow a slope for each group")
    errors = [float((((outcome - item @ np.linalg.lstsq(item, outcome, rcond=None)[0])) ** 2).sum()) for item in (one, own)]  # fmt: skip
    if errors[1] <= _EXACT * float(((outcome - outcome.mean()) ** 2).sum()):
        return Assumption(name, None, detail="groups with slopes of their own give the outcome exactly")
    df1 = own.shape[1] - one.shape[1]
    f = max(0.0, (errors[0] - errors[1]) / df1 / (errors[1] / df))
    p = float(stats.f.sf(f, df1, df))
    return Assumption(name, p >= ALPHA, f, p, f"F({df1}, {df}) = {f:.2f}")


class _Design:
    """The model with its errors, and the test that its residuals allow. reason: why it allows none; '' where it does."""

    def __init__(
        self, outcome: np.ndarray, sizes: Sequence[int], centred: np.ndarray, separate: bool, seed: int
    ) -> None:
        self.y, self.k, self.seed, self.separate = outcome, len(sizes), seed, separate
        self.x = _columns(sizes, centred, separate)
        n, p = self.x.shape
        self.df = n - p
        self.without = np.hstack(
            [np.ones((n, 1)), self.x[:, self.k :]]
        )  # the model in which no group differs
        self.reason, self.assumptions = "", tuple[Assumption, ...]()
        if self.df < 2 or np.linalg.matrix_rank(self.x) < p:
            self.reason = (
                f"{n} rows do not allow {p} coefficients, or covariates repeat each other or the groups"
            )
            return
        self.inverse = np.linalg.inv(self.x.T @ self.x)
        self.b = self.inverse @ self.x.T @ outcome
        rest = outcome - self.x @ self.b
        if float((rest**2).sum()) <= _EXACT * max(float(((outcome - outcome.mean()) ** 2).sum()), 1e-300):
            self.reason = "groups and covariates give the outcome exactly; there is no error to compare with"
            return
        spreads = equal_residuals(rest, self.x)
        self.equal = spreads.holds is not False
        self.left = 1 - np.einsum("np,pq,nq->n", self.x, self.inverse, self.x)  # 1 less the leverage
        if not self.equal and float(self.left.min()) < 1e-9:
            self.reason = (
                "variances differ, and one row alone decides a coefficient, so robust errors do not exist"
            )
            return
        scale = np.ones(n)
        if not self.equal:  # a mixture of normal values with different variances is not normal
            ends = np.cumsum(sizes)
            scale = np.concatenate(
                [
                    np.full(size, rest[end - size : end].std() or 1.0)
                    for size, end in zip(sizes, ends, strict=True)
                ]
            )
        shape = residual_normality(rest / scale, min(sizes))
        self.normal = bool(shape.holds)
        self.assumptions = (shape, spreads)
        w = (rest / self.left) ** 2 if not self.equal else np.full(n, float((rest**2).sum()) / self.df)
        weighed = self.inverse @ self.x.T
        self.covariance = (
            (weighed * w) @ weighed.T if not self.equal else self.inverse * float((rest**2).sum()) / self.df
        )

    @property
    def test(self) -> str:
        """The name of the test that is used."""
        told = [
            "with separate slopes" if self.separate else "",
            "" if self.equal else "with robust errors (HC3)",
            "" if self.normal else f"by permutation of residuals ({PERMUTATIONS} permutations)",
        ]
        return " ".join(["analysis of covariance", *filter(None, told)])

    @property
    def because(self) -> str:
        """Why this one."""
        return ", ".join(
            [
                "residuals are normal enough" if self.normal else "residuals are not normal",
                *([] if self.equal else ["variances of residuals differ"]),
                "slopes differ" if self.separate else "one slope for all groups",
            ]
        )

    def compared(self, contrast: np.ndarray, way: Alternative = "two-sided") -> dict[str, Any]:
        """A contrast of the adjusted means (r, groups): t of one, F of several."""
        r = len(contrast)
        full = np.hstack([contrast, np.zeros((r, self.x.shape[1] - self.k))])
        value = float(self._statistics(self.y[None], full)[0])
        one = r == 1 and self.k == 2
        if not self.normal:
            p = self._permuted(full, value, way)
        elif r == 1:
            p = {
                "two-sided": float(2 * stats.t.sf(abs(value), self.df)),
                "greater": float(stats.t.sf(value, self.df)),
                "less": float(stats.t.cdf(value, self.df)),
            }[way]
        else:
            p = float(stats.f.sf(value, r, self.df))
        plain = self.normal and self.equal
        f = value**2 if r == 1 else value
        at = full @ self.b
        share = float(at @ np.linalg.solve(full @ self.inverse @ full.T, at))
        rest = float(((self.y - self.x @ self.b) ** 2).sum())
        effect = (
            eta_squared(f, r, self.df, len(self.y), "eta2_p")
            if plain
            else Effect(
                "eta2_p",
                share / (share + rest),
                method="no interval: residuals are not normal, or their variances differ",
            )  # fmt: skip
        )
        return {
            "statistic_name": "t" if one or r == 1 else "F",
            "statistic": value,
            "df": (float(self.df),) if r == 1 else (float(r), float(self.df)),
            "p": p,
            "effect": effect,
            "bayes": bic_anova(f, r, self.df, len(self.y)) if plain and way == "two-sided" else unavailable(self.test),
        }  # fmt: skip

    def estimate(self, weights: np.ndarray) -> tuple[float, float, float, float]:
        """Estimate, standard error and interval of a sum of coefficients, by t. weights: of the groups, or of all."""
        full = np.concatenate([weights, np.zeros(self.x.shape[1] - len(weights))])
        value, error = float(full @ self.b), float(np.sqrt(full @ self.covariance @ full))
        wide = float(stats.t.ppf((1 + LEVEL) / 2, self.df)) * error
        return value, error, value - wide, value + wide

    def _statistics(self, rows: np.ndarray, full: np.ndarray) -> np.ndarray:
        """t (one contrast) or F of each of many outcomes (times, rows)."""
        weighed = self.inverse @ self.x.T
        b = rows @ weighed.T
        rest = rows - b @ self.x.T
        at, part, r = b @ full.T, full @ weighed, len(full)
        if self.equal:
            error = (rest**2).sum(1) / self.df
            spread = error[:, None, None] * (full @ self.inverse @ full.T)
        else:
            spread = np.einsum("rn,bn,sn->brs", part, (rest / self.left) ** 2, part, optimize=True)
        if r == 1:
            found: np.ndarray = at[:, 0] / np.sqrt(spread[:, 0, 0])
            return found
        solved = np.linalg.pinv(spread, rcond=1e-10, hermitian=True)
        found = np.einsum("br,brs,bs->b", at, solved, at) / r
        return found

    def _permuted(self, full: np.ndarray, observed: float, way: Alternative) -> float:
        """Share of permutations with at least the observed statistic, which is counted in."""
        fitted = self.without @ np.linalg.lstsq(self.without, self.y, rcond=None)[0]
        rest, draw = self.y - fitted, np.random.default_rng(self.seed)
        as_large, left = 1, PERMUTATIONS
        block = max(1, 400_000 // len(rest))
        sign = {"greater": 1.0, "less": -1.0}.get(way, 0.0)
        while left:
            times = min(block, left)
            found = self._statistics(fitted + draw.permuted(np.tile(rest, (times, 1)), axis=1), full)
            found, own = (
                (sign * found, sign * observed)
                if sign
                else (np.abs(found), abs(observed))
            )  # fmt: skip
            as_large += int((found >= own - 1e-9 * max(1.0, abs(own))).sum())
            left -= times
        return as_large / (PERMUTATIONS + 1)


def _pairs(design: _Design, names: Sequence[str]) -> tuple[tuple[Pair, ...], str]:
    """All pairs of three to ten adjusted means, Holm over them; and what is to be said where there are none."""
    if len(names) < 3:
        return (), ""
    if len(names) > MOST_LEVELS:
        return (), f"pairs are not compared: {len(names)} levels, at most {MOST_LEVELS}"
    found = []
    for one, other in combinations(range(len(names)), 2):
        weights = np.zeros(len(names))
        weights[one], weights[other] = 1.0, -1.0
        made, (value, _, low, high) = design.compared(weights[None]), design.estimate(weights)
        found.append(
            Pair(
                names[one],
                names[other],
                "t test of adjusted means",
                "t",
                made["statistic"],
                made["df"],
                made["p"],
                Effect("adjusted_difference", value, low, high, method="t"),
            )
        )
    p = adjusted([1.0 if item.p is None else item.p for item in found])
    return tuple(replace(item, p_adjusted=value) for item, value in zip(found, p, strict=True)), ""


def _coefficients(
    plan: Plan, names: Sequence[str], design: _Design
) -> dict[str, tuple[float, float, float, float, float]]:
    """Of two groups the difference of adjusted means; the slopes, of each group where they differ."""
    found = {}
    if design.k == 2:
        found[f"{names[0]} less {names[1]}"] = (
            *design.estimate(np.array([1.0, -1.0])),
            float(design.compared(np.array([[1.0, -1.0]]))["p"]),
        )
    slopes = [f"{name} in {group}" for group in names for name in plan.covariates] if design.separate else [*plan.covariates]  # fmt: skip
    for place, name in enumerate(slopes, design.k):
        value, error, low, high = design.estimate(np.eye(design.x.shape[1])[place])
        p = float(2 * stats.t.sf(abs(value / error), design.df)) if error else 1.0
        found[name] = (value, error, low, high, p)
    return found
