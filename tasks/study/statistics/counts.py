"""Association of two nominal variables in independent participants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import expected_counts
from .bayes import bic_chi2
from .data import counted, label, levels_of, side, undirected
from .intervals import cramers_v, odds_ratio
from .model import NotTestable, Plan, Tested

PERMUTATIONS = 9999


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Pearson's chi-squared test; with small expected counts Fisher's exact test (2 x 2) or a permutation test.

    Raises NotTestable.
    """
    [predictor] = plan.predictors
    kept = frame[[predictor, plan.outcome]].dropna()
    if plan.participant in frame.columns and frame.loc[kept.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the counts are not independent"
        )
    levels = levels_of(kept[predictor], plan)
    table = pd.crosstab(kept[predictor], kept[plan.outcome]).loc[levels]
    cells, n = table.to_numpy(), int(table.to_numpy().sum())
    if cells.shape[1] < 2:
        raise NotTestable(f"{plan.id}: {plan.outcome} has one value only")
    if cells.shape[1] > 20:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has {cells.shape[1]} values; at most 20, or it is no nominal variable"
        )
    assumption = expected_counts(cells)
    chi2, p, df, _ = stats.chi2_contingency(cells, correction=False)
    g = stats.chi2_contingency(cells, correction=False, lambda_="log-likelihood")[0]
    two = cells.shape == (2, 2)
    made: dict[str, Any] = {
        "test": "Pearson's chi-squared test",
        "statistic_name": "chi2",
        "statistic": float(chi2),
        "df": (float(df),),
        "p": float(p),
    }
    direction = ""
    if not assumption.holds and two:
        # scipy's "greater" is an odds ratio above 1: more of the first value at the first level
        way, direction = side(plan, label(levels[0]), label(levels[1]), f"share of {label(table.columns[1])}")
        turned = {"greater": "less", "less": "greater"}.get(way, way)
        made = {
            "test": "Fisher's exact test",
            "statistic_name": "OR",
            "df": (),
            "statistic": None,
            "p": float(stats.fisher_exact(cells, alternative=turned)[1]),
        }
    elif not assumption.holds:
        made |= {
            "test": f"permutation test of chi-squared ({PERMUTATIONS} permutations)",
            "p": _permuted(kept[predictor], kept[plan.outcome], float(chi2), seed),
        }
    exact = "Fisher" in made["test"]
    return Tested(
        id=plan.id,
        because="two nominal variables; expected counts are "
        + ("large enough" if assumption.holds else "too small for chi-squared"),
        outcome=plan.outcome,
        predictors=plan.predictors,
        n=n,
        left_out=len(frame) - len(kept),
        groups=counted(table),
        assumptions=(assumption,),
        effect=odds_ratio(cells) if two else cramers_v(float(chi2), n, cells.shape),
        bayes=bic_chi2(float(g), int(df), n),
        direction=direction,
        warnings=() if exact else undirected(plan, "chi-squared has none"),
        **made,
    )


def _permuted(predictor: pd.Series, outcome: pd.Series, chi2: float, seed: int) -> float:
    """Share of random pairings with at least this chi-squared, the observed one included."""
    rows, columns = pd.factorize(predictor)[0], pd.factorize(outcome)[0]
    k, m = rows.max() + 1, columns.max() + 1
    expected = np.outer(np.bincount(rows), np.bincount(columns)) / len(rows)
    draw, as_large = np.random.default_rng(seed), 1
    for _ in range(PERMUTATIONS):
        found = np.bincount(rows * m + draw.permutation(columns), minlength=k * m).reshape(k, m)
        as_large += bool(((found - expected) ** 2 / expected).sum() >= chi2 * (1 - 1e-12))
    return as_large / (PERMUTATIONS + 1)
