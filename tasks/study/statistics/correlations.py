"""Association of two numeric or ordinal variables."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import normality
from .bayes import jzs_correlation, unavailable
from .data import numeric
from .intervals import correlation
from .model import Alternative, NotTestable, Plan, Tested


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Pearson's correlation of two normal enough numeric variables, otherwise Spearman's. Raises NotTestable.

    Covariates are held constant: partial correlation, of ranks where it is Spearman's; normal are then the residuals.
    """
    [predictor] = plan.predictors
    if nominal := [name for name in plan.names if plan.kinds[name] == "nominal"]:
        raise NotTestable(
            f"{plan.id}: {', '.join(nominal)} is nominal, and an association is of numbers or ranks"
        )
    rows = pd.DataFrame(
        {
            "x": numeric(frame[predictor], plan),
            "y": numeric(frame[plan.outcome], plan),
            **{f"held {name}": numeric(frame[name], plan) for name in plan.covariates},
        }
    ).dropna()
    if plan.participant in frame.columns and frame.loc[rows.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the values are not independent"
        )
    n = len(rows)
    held = len(plan.covariates)
    if n < 5 + held or rows["x"].nunique() < 2 or rows["y"].nunique() < 2:
        raise NotTestable(
            f"{plan.id}: {n} pairs of values, of which one variable may not vary; {['five', 'six', 'seven', 'eight', 'nine'][held]} "
            "that vary are needed"
        )
    ways: dict[str, Alternative] = {"": "two-sided", "positive": "greater", "negative": "less"}
    if plan.expected_higher not in ways:
        raise NotTestable(
            f"{plan.id}: an association is expected to be positive or negative, found {plan.expected_higher!r}"
        )
    way = ways[plan.expected_higher]
    ordinal = "ordinal" in (plan.kinds[name] for name in plan.names)
    x, y = _left(plan, rows)
    assumption = normality({predictor: x, plan.outcome: y})
    pearson = not ordinal and bool(assumption.holds)
    if plan.covariates:
        if not pearson:
            x, y = _left(plan, rows.rank())
        r, df = float(np.corrcoef(x, y)[0, 1]), n - 2 - held
        p = _of_t(r * np.sqrt(df / max(1 - r**2, 1e-300)), df, way)
        test = f"partial {'' if pearson else 'rank '}correlation ({'Pearson' if pearson else 'Spearman'})"
        name, bayes = "r" if pearson else "rs", unavailable("partial correlations")
    elif pearson:
        found = stats.pearsonr(x, y, alternative=way)
        r, df, p = float(found.statistic), n - 2, float(found.pvalue)
        test, name, bayes = (
            "Pearson's correlation",
            "r",
            (jzs_correlation(r, n) if way == "two-sided" else unavailable("one-sided correlations")),
        )
    else:
        found = stats.spearmanr(x, y, alternative=way)
        r, df, p = float(found.statistic), n - 2, float(found.pvalue)
        test, name, bayes = "Spearman's rank correlation", "rs", unavailable("rank correlations")
    because = (
        "a variable is ordinal"
        if ordinal
        else (
            f"both {'variables are numeric' if not held else 'residuals are'} and normal enough"
            if assumption.holds
            else f"a {'numeric variable' if not held else 'residual'} is not normal"
        )
    )
    return Tested(
        id=plan.id,
        test=test,
        because=f"{', '.join(plan.covariates)} held constant; {because}" if held else because,
        outcome=plan.outcome,
        predictors=plan.predictors,
        covariates=plan.covariates,
        n=n,
        left_out=len(frame) - n,
        assumptions=() if ordinal else (assumption,),
        statistic_name=name,
        statistic=r,
        df=(float(df),),
        p=p,
        direction=plan.expected_higher,
        effect=correlation(r, n - held, ranks=name == "rs"),
        bayes=bayes,
    )


def _left(plan: Plan, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Both variables less what the covariates say of them. Raises NotTestable where that is nothing."""
    x, y = rows["x"].to_numpy(float), rows["y"].to_numpy(float)
    if not plan.covariates:
        return x, y
    design = np.column_stack([np.ones(len(rows)), *(rows[f"held {name}"] for name in plan.covariates)])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise NotTestable(
            f"{plan.id}: covariates repeat each other or do not vary: {', '.join(plan.covariates)}"
        )
    found = [each - design @ np.linalg.lstsq(design, each, rcond=None)[0] for each in (x, y)]
    for name, rest, whole in zip((*plan.predictors, plan.outcome), found, (x, y), strict=True):
        if float((rest**2).sum()) <= 1e-12 * float(((whole - whole.mean()) ** 2).sum()):
            raise NotTestable(
                f"{plan.id}: the covariates give {name} exactly; nothing is left to go with anything"
            )
    return found[0], found[1]


def _of_t(t: float, df: float, way: Alternative) -> float:
    if way == "two-sided":
        return float(2 * stats.t.sf(abs(t), df))
    return float(stats.t.sf(t if way == "greater" else -t, df))
