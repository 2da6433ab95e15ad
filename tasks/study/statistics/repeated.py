"""Differences within participants: pairs and repeated measures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import normality, sphericity
from .bayes import bic_anova, jzs_t, unavailable
from .data import against_value, complete_table, counted, described, label, side, undirected
from .intervals import ADDED, LEVEL, cohens_dz, eta_squared, mean_difference, resampled
from .model import Alternative, Assumption, Effect, NotTestable, Plan, Tested


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """The test that kind and assumptions ask for; participants without a value in every level are left out.

    Numeric and normal: paired t test, or analysis of variance, corrected where sphericity is violated. Otherwise
    Wilcoxon's or Friedman's. Yes or no: McNemar's or Cochran's. Raises NotTestable.
    """
    kind = plan.kinds[plan.outcome]
    table, left_out = complete_table(plan, frame, as_numbers=kind != "nominal")
    if kind == "nominal":
        return _binary(plan, table, left_out, seed)
    cells = table.to_numpy(float)
    n, k = cells.shape
    assumptions: list[Assumption] = []
    normal = False
    if kind != "ordinal":
        if k == 2:
            assumptions = [normality({"differences": cells[:, 0] - cells[:, 1]})]
        else:
            rest = cells - cells.mean(0) - cells.mean(1, keepdims=True) + cells.mean()
            assumptions = [normality({name: rest[:, place] for place, name in enumerate(table.columns)})]
        normal = bool(assumptions[0].holds)
    epsilon = 1.0
    if normal and k > 2:
        spheric, epsilon = sphericity(cells)
        assumptions.append(spheric)
        epsilon = 1.0 if spheric.holds else epsilon
    if (cells == cells[:, :1]).all():
        raise NotTestable(
            f"{plan.id}: no participant's {plan.outcome} differs between the levels; there is nothing to compare"
        )
    way, direction = side(plan, *map(str, table.columns)) if k == 2 else ("two-sided", "")
    made = (
        pairs(cells, normal, seed, way)
        if k == 2
        else _anova(cells, epsilon)
        if normal
        else _friedman(cells, seed)
    )
    why = (
        "the outcome is ordinal"
        if kind == "ordinal"
        else (
            "differences are "
            + ("" if normal else "not ")
            + "normal enough"
            + (", corrected as sphericity does not hold" if epsilon < 1 else "")
        )
    )
    return Tested(
        id=plan.id,
        because=f"{k} levels within participants; {why}",
        outcome=plan.outcome,
        n=n,
        left_out=left_out,
        predictors=plan.predictors,
        groups=described({name: table[name].to_numpy(float) for name in table.columns}),
        assumptions=tuple(assumptions),
        direction=direction,
        warnings=_one_sided(plan, k),
        **made,
    )


def against(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """A mean against a value: the t test of one sample, or Wilcoxon's of ranks and of values that are not normal."""
    cells, left_out = against_value(plan, frame)
    if (cells[:, 0] == cells[:, 1]).all() or np.ptp(cells[:, 0]) == 0:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has the same value in all {len(cells)} rows; there is nothing to compare"
        )
    ordinal = plan.kinds[plan.outcome] == "ordinal"
    shape = normality({plan.outcome: cells[:, 0]})
    made = pairs(cells, not ordinal and bool(shape.holds), seed)
    why = "ordinal" if ordinal else f"numeric and {'' if shape.holds else 'not '}normal enough"
    test = made.pop("test").replace("paired", "one-sample").replace("Wilcoxon", "one-sample Wilcoxon")
    return Tested(
        id=plan.id,
        test=test,
        because=f"one sample against {plan.against:g}; the outcome is {why}",
        outcome=plan.outcome,
        predictors=(),
        against=plan.against,
        n=len(cells),
        left_out=left_out,
        groups=described({plan.outcome: cells[:, 0]}),
        assumptions=() if ordinal else (shape,),
        **made,
    )


def _one_sided(plan: Plan, k: int) -> tuple[str, ...]:
    return undirected(plan, "more than two levels have none") if k > 2 else ()


def pairs(cells: np.ndarray, normal: bool, seed: int, way: Alternative = "two-sided") -> dict[str, Any]:
    """Paired t test or Wilcoxon's; cells: (participants, 2), not all differences 0."""
    differences = cells[:, 0] - cells[:, 1]
    if normal:
        found = stats.ttest_rel(cells[:, 0], cells[:, 1], alternative=way)
        return {
            "test": "paired t test",
            "statistic_name": "t",
            "statistic": float(found.statistic),
            "df": (float(len(cells) - 1),),
            "p": float(found.pvalue),
            "effect": cohens_dz(differences),
            "difference": mean_difference(
                differences.mean(), stats.ttest_1samp(differences, 0).confidence_interval(LEVEL)
            ),
            "bayes": jzs_t(float(found.statistic), len(cells), alternative=way),
        }
    found = stats.wilcoxon(differences, alternative=way, zero_method="wilcox", method="auto")
    ups, downs = _signed(differences)
    return {
        "test": "Wilcoxon signed-rank test",
        "statistic_name": "W",
        "statistic": float(min(ups, downs)),
        "df": (),
        "p": float(found.pvalue),
        "bayes": unavailable("rank tests"),
        "effect": resampled("r_rb", [differences], _matched, seed),
    }


def _signed(differences: np.ndarray) -> tuple[float, float]:
    """Sums of the ranks of positive and of negative differences, without zeros."""
    kept = differences[differences != 0]
    ranks = stats.rankdata(np.abs(kept))
    return float(ranks[kept > 0].sum()), float(ranks[kept < 0].sum())


def _matched(differences: np.ndarray) -> float:
    ups, downs = _signed(differences)
    return (ups - downs) / (ups + downs) if ups + downs else float("nan")


def _anova(cells: np.ndarray, epsilon: float) -> dict[str, Any]:
    n, k = cells.shape
    total = cells.mean()
    effect = n * float(((cells.mean(0) - total) ** 2).sum())
    error = float(((cells - cells.mean(0) - cells.mean(1, keepdims=True) + total) ** 2).sum())
    df1, df2 = float(k - 1), float((k - 1) * (n - 1))
    if error <= 1e-12 * max(effect, 1e-300):
        raise NotTestable(
            "the levels differ by the same amount in every participant; there is no error to compare with"
        )
    f = effect / df1 / (error / df2)
    return {
        "test": "repeated-measures analysis of variance" + (" (Greenhouse-Geisser)" if epsilon < 1 else ""),
        "statistic_name": "F",
        "statistic": f,
        "df": (df1 * epsilon, df2 * epsilon),
        "p": float(stats.f.sf(f, df1 * epsilon, df2 * epsilon)),
        "effect": eta_squared(f, df1, df2, n * (k - 1), "eta2_p", epsilon),
        "bayes": bic_anova(f, df1, df2, n * (k - 1)),
    }


def _friedman(cells: np.ndarray, seed: int) -> dict[str, Any]:
    n, k = cells.shape

    def kendall(*columns: np.ndarray) -> float:
        with np.errstate(all="ignore"):
            return float(stats.friedmanchisquare(*columns).statistic / (len(columns[0]) * (k - 1)))

    columns = [cells[:, place] for place in range(k)]
    with np.errstate(all="ignore"):
        found = stats.friedmanchisquare(*columns)
    return {
        "test": "Friedman test",
        "statistic_name": "chi2",
        "statistic": float(found.statistic),
        "df": (float(k - 1),),
        "p": float(found.pvalue),
        "effect": resampled("W", columns, kendall, seed, paired=True),
        "bayes": unavailable("rank tests"),
    }


def _binary(plan: Plan, table: pd.DataFrame, left_out: int, seed: int) -> Tested:
    """McNemar's exact test of two levels, Cochran's Q of more."""
    cells, names = answers(plan, table)
    n, k = cells.shape
    made: dict[str, Any]
    direction = ""
    if k == 2:
        if (cells[:, 0] == cells[:, 1]).all():
            raise NotTestable(f"{plan.id}: no participant answered differently in the two levels")
        way, direction = side(plan, str(table.columns[0]), str(table.columns[1]), f"share of {names[1]}")
        made = mcnemar(cells[:, 0], cells[:, 1], way)
    else:
        columns, rows = cells.sum(0), cells.sum(1)
        below = k * rows.sum() - (rows**2).sum()
        if below == 0:
            raise NotTestable(f"{plan.id}: no participant answered differently in two levels")
        q = float((k - 1) * (k * (columns**2).sum() - columns.sum() ** 2) / below)
        made = {
            "test": "Cochran's Q test",
            "statistic_name": "Q",
            "statistic": q,
            "df": (float(k - 1),),
            "p": float(stats.chi2.sf(q, k - 1)),
            "effect": Effect("eta2_Q", q / (n * (k - 1)), method="no interval: none is documented"),
        }
    shown = pd.DataFrame(
        {name: table[name].map(label).value_counts().reindex(names, fill_value=0) for name in table.columns}
    ).T
    return Tested(
        id=plan.id,
        outcome=plan.outcome,
        because=f"{k} levels within participants; the outcome is one of two values ({names[1]} counted)",
        predictors=plan.predictors,
        n=n,
        left_out=left_out,
        groups=counted(shown),
        bayes=unavailable(made["test"]),
        direction=direction,
        warnings=_one_sided(plan, k),
        **made,
    )


def answers(plan: Plan, table: pd.DataFrame) -> tuple[np.ndarray, list[str]]:
    """(participants, levels) of 0 and 1, and the two values in this order. Raises NotTestable where there are others."""
    table = table.map(label)
    names = sorted({value for value in table.to_numpy().ravel()})
    if len(names) != 2:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has {len(names)} values; repeated nominal outcomes have two"
        )
    return (table == names[1]).to_numpy().astype(int), names


def mcnemar(a: np.ndarray, b: np.ndarray, alternative: Alternative = "two-sided") -> dict[str, Any]:
    """McNemar's exact test of two samples of 0 and 1 in the participants' order; some must differ."""
    ups, downs = int((a > b).sum()), int((a < b).sum())
    found = stats.binomtest(ups, ups + downs, 0.5, alternative=alternative)
    ends = stats.binomtest(ups, ups + downs, 0.5).proportion_ci(LEVEL, "exact")
    if ups and downs:
        effect = Effect(
            "OR_paired",
            ups / downs,
            ends.low / (1 - ends.low),
            ends.high / (1 - ends.high),
            method="exact binomial",
        )
    else:
        log, wide = np.log((ups + 0.5) / (downs + 0.5)), np.sqrt(1 / (ups + 0.5) + 1 / (downs + 0.5))
        wide *= stats.norm.ppf((1 + LEVEL) / 2)
        value, low, high = map(float, np.exp([log, log - wide, log + wide]))
        effect = Effect("OR_paired", value, low, high, method="normal, " + ADDED)
    return {
        "test": "McNemar's exact test",
        "statistic_name": "b",
        "statistic": float(ups),
        "df": (),
        "p": float(found.pvalue),
        "effect": effect,
    }
