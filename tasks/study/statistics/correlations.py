"""Association of two numeric or ordinal variables."""

from __future__ import annotations

import pandas as pd
from scipy import stats

from .assumptions import normality
from .bayes import jzs_correlation, unavailable
from .data import numeric
from .intervals import correlation
from .model import Alternative, NotTestable, Plan, Tested


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Pearson's correlation of two normal enough numeric variables, otherwise Spearman's. Raises NotTestable."""
    [predictor] = plan.predictors
    rows = pd.DataFrame(
        {"x": numeric(frame[predictor], plan), "y": numeric(frame[plan.outcome], plan)}
    ).dropna()
    if plan.participant in frame.columns and frame.loc[rows.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the values are not independent"
        )
    n = len(rows)
    if n < 5 or rows["x"].nunique() < 2 or rows["y"].nunique() < 2:
        raise NotTestable(
            f"{plan.id}: {n} pairs of values, of which one variable may not vary; five that vary are needed"
        )
    ways: dict[str, Alternative] = {"": "two-sided", "positive": "greater", "negative": "less"}
    if plan.expected_higher not in ways:
        raise NotTestable(
            f"{plan.id}: an association is expected to be positive or negative, found {plan.expected_higher!r}"
        )
    way = ways[plan.expected_higher]
    ordinal = "ordinal" in (plan.kinds[predictor], plan.kinds[plan.outcome])
    assumption = normality({predictor: rows["x"].to_numpy(), plan.outcome: rows["y"].to_numpy()})
    if not ordinal and assumption.holds:
        found = stats.pearsonr(rows["x"], rows["y"], alternative=way)
        test, name, bayes = (
            "Pearson's correlation",
            "r",
            (
                jzs_correlation(float(found.statistic), n)
                if way == "two-sided"
                else unavailable("one-sided correlations")
            ),
        )
    else:
        found = stats.spearmanr(rows["x"], rows["y"], alternative=way)
        test, name, bayes = "Spearman's rank correlation", "rs", unavailable("rank correlations")
    because = (
        "a variable is ordinal"
        if ordinal
        else (
            "both variables are numeric and normal enough"
            if assumption.holds
            else "a numeric variable is not normal"
        )
    )
    return Tested(
        id=plan.id,
        test=test,
        because=because,
        outcome=plan.outcome,
        predictors=plan.predictors,
        n=n,
        left_out=len(frame) - n,
        assumptions=() if ordinal else (assumption,),
        statistic_name=name,
        statistic=float(found.statistic),
        df=(float(n - 2),),
        p=float(found.pvalue),
        direction=plan.expected_higher,
        effect=correlation(float(found.statistic), n, ranks=name == "rs"),
        bayes=bayes,
    )
