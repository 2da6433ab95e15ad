"""Several rows of a participant: linear mixed models with random effects of participants, and of items crossed with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import residual_normality
from .bayes import unavailable
from .corrections import adjusted
from .data import FEWEST, described, label, levels_of, numeric, side
from .mixed_model import Interval, Mixed, Term
from .model import Alternative, Assumption, Effect, NotTestable, Pair, Plan, Tested
from .pairwise import MOST_LEVELS

FEWEST_UNITS, FEW_UNITS = 5, 10  # participants or items: no variance can be told of fewer; a rough one


def repeats(plan: Plan, frame: pd.DataFrame) -> bool:
    """Whether participants have several rows that tests of one row each, or one in each level, do not take."""
    numeric_outcome = plan.kinds[plan.outcome] in ("interval", "ratio")
    if not numeric_outcome or len(plan.predictors) != 1 or plan.participant not in frame.columns:
        return False
    [predictor] = plan.predictors
    rows = frame[[plan.participant, *plan.names]].dropna()
    if plan.relation == "association" and plan.kinds[predictor] in ("interval", "ratio"):
        return bool(rows[plan.participant].duplicated().any())
    return (
        plan.relation == "difference"
        and plan.within
        and bool(rows.duplicated([plan.participant, predictor]).any())
    )


def tested(plan: Plan, frame: pd.DataFrame) -> Tested:
    """The predictor's coefficient (two levels: their difference; more: all at once, then pairs; numeric: its slope), where
    participants, and items where the plan names them, have random effects.

    Each has intercepts. Where the predictor varies within them: slopes of a numeric one that go with intercepts; of levels an
    effect of each unit in each level, where some have several rows there. Raises NotTestable.
    """
    if plan.relation == "prediction" or len(plan.predictors) != 1 or plan.covariates or plan.bound:
        raise NotTestable(
            f"{plan.id}: a mixed model is of a difference or an association by one predictor, without covariates or a bound"
        )
    [predictor] = plan.predictors
    units = [name for name in (plan.participant, plan.items) if name]
    if plan.kinds[plan.outcome] not in ("interval", "ratio") or plan.participant not in frame.columns:
        raise NotTestable(
            f"{plan.id}: a mixed model needs a numeric outcome (interval or ratio) and a column of participants; {plan.outcome} is "
            f"{plan.kinds[plan.outcome]}"
        )
    of_levels = plan.relation == "difference" or plan.kinds[predictor] == "nominal"
    if not of_levels and plan.kinds[predictor] == "ordinal":
        raise NotTestable(
            f"{plan.id}: {predictor} is ordinal; the slope of ranks means nothing in a mixed model"
        )
    rows = frame[[*units, predictor]].assign(**{plan.outcome: numeric(frame[plan.outcome], plan)})
    if not of_levels:
        rows[predictor] = numeric(frame[predictor], plan)
    rows = rows.dropna()
    y = rows[plan.outcome].to_numpy(float)
    for name in units:
        if (count := rows[name].nunique()) < FEWEST_UNITS:
            raise NotTestable(f"{plan.id}: {count} of {name} have values; at least {FEWEST_UNITS} are needed")
    if not len(y) or np.ptp(y) == 0:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has the same value in all {len(y)} rows; there is nothing to compare"
        )
    levels = levels_of(rows[predictor], plan) if of_levels else []
    if of_levels:
        x = np.column_stack([(rows[predictor] == level).to_numpy(float) for level in levels])
        if (few := x.sum(0).min()) < FEWEST:
            raise NotTestable(
                f"{plan.id}: a level of {predictor} has {few:.0f} rows; at least {FEWEST} are needed"
            )
        unit = 1.0
    else:
        values = rows[predictor].to_numpy(float)
        unit = float(values.std())
        if unit <= 1e-12 * max(1e-300, float(np.abs(values).max())):
            raise NotTestable(f"{plan.id}: {predictor} has one value only")
        x = np.column_stack([np.ones(len(y)), (values - values.mean()) / unit])
    rest = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    if float((rest**2).sum()) <= 1e-12 * float(((y - y.mean()) ** 2).sum()):
        raise NotTestable(
            f"{plan.id}: {predictor} gives {plan.outcome} exactly; there is no error to compare with"
        )
    terms = _terms(rows, units, predictor, None if of_levels else x[:, 1])
    try:
        fit = Mixed(y, x, terms)
        made = (
            _of_levels(plan, fit, [label(level) for level in levels])
            if of_levels
            else _slope(plan, fit, unit)
        )
        shape = residual_normality(fit.residuals, min(int(rows[name].nunique()) for name in units))
    except (NotTestable, np.linalg.LinAlgError) as error:
        why = error if isinstance(error, NotTestable) else "the mixed model's equations cannot be solved"
        raise NotTestable(f"{plan.id}: {why}") from None
    return Tested(
        id=plan.id,
        test="linear mixed model (REML, Satterthwaite's degrees of freedom)",
        outcome=plan.outcome,
        predictors=plan.predictors,
        because=f"{len(y)} rows of {' and '.join(f'{rows[name].nunique()} of {name}' for name in units)}; standard deviations: "
        + ", ".join(
            f"{name} {value / (unit if name.startswith('slopes') else 1.0):.3g}"
            for name, value in fit.deviations.items()
        ),
        n=len(y),
        left_out=len(frame) - len(y),
        assumptions=(shape,),
        bayes=unavailable("mixed models"),
        warnings=_told(fit, rows, units, shape),
        groups=_groups(plan, fit, rows, levels),
        **made,
    )


def _terms(rows: pd.DataFrame, units: Sequence[str], predictor: str, slope: np.ndarray | None) -> list[Term]:
    """The random effects that the rows can tell from residuals. Raises NotTestable where there are none."""
    found = []
    for name in units:
        codes = pd.factorize(rows[name])[0]
        if rows[name].nunique() == len(rows):
            continue
        varies = bool((rows.groupby(name)[predictor].nunique() > 1).any())
        if slope is not None and varies and len(rows) > 2 * rows[name].nunique():
            found.append(Term(name, codes, slope))
            continue
        found.append(Term(name, codes))
        cells = pd.factorize(pd.MultiIndex.from_frame(rows[[name, predictor]]))[0]
        if slope is None and varies and cells.max() + 1 < len(rows):
            found.append(Term(f"{name} by {predictor}", cells))
    if not found:
        raise NotTestable("each unit has one row, so that no random effect can be told from the residuals")
    return found


def _of_levels(plan: Plan, fit: Mixed, names: Sequence[str]) -> dict[str, Any]:
    k = len(names)
    if k == 2:
        way, direction = side(plan, *names)
        found, df = fit.estimate(np.array([1.0, -1.0]))
        return _one(found, df, way, direction, "difference")
    f, df1, df2, p = fit.together(np.hstack([np.ones((k - 1, 1)), -np.eye(k - 1)]))
    pairs = []
    for one, other in combinations(range(k), 2) if k <= MOST_LEVELS else ():
        (value, error, low, high, own), df = fit.estimate(np.eye(k)[one] - np.eye(k)[other])
        effect = Effect("difference", value, low, high, method="t")
        pairs.append(
            Pair(
                names[one], names[other], "t test in the mixed model", "t", value / error, (df,), own, effect
            )
        )
    corrected = adjusted([1.0 if item.p is None else item.p for item in pairs])
    return {
        "statistic_name": "F",
        "statistic": f,
        "df": (df1, df2),
        "p": p,
        "pairs": tuple(replace(item, p_adjusted=value) for item, value in zip(pairs, corrected, strict=True)),
    }


def _slope(plan: Plan, fit: Mixed, unit: float) -> dict[str, Any]:
    ways: dict[str, Alternative] = {"": "two-sided", "positive": "greater", "negative": "less"}
    if plan.expected_higher not in ways:
        raise NotTestable(
            f"an association is expected to be positive or negative, found {plan.expected_higher!r}"
        )
    (value, error, low, high, p), df = fit.estimate(np.array([0.0, 1.0]))
    found = (value / unit, error / unit, low / unit, high / unit, p)
    made = _one(found, df, ways[plan.expected_higher], plan.expected_higher, "slope")
    return {**made, "coefficients": {plan.predictors[0]: found}}


def _one(found: Interval, df: float, way: Alternative, direction: str, name: str) -> dict[str, Any]:
    value, error, low, high, p = found
    t = value / error
    return {
        "statistic_name": "t",
        "statistic": t,
        "df": (df,),
        "p": p if way == "two-sided" else float(stats.t.sf(t if way == "greater" else -t, df)),
        "direction": direction,
        "effect": Effect(name, value, low, high, method="t"),
    }


def _groups(plan: Plan, fit: Mixed, rows: pd.DataFrame, levels: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """Of levels their rows, and the model's mean with its interval."""
    shown = described(
        {
            label(level): rows.loc[rows[plan.predictors[0]] == level, plan.outcome].to_numpy(float)
            for level in levels
        }
    )
    means = (fit.estimate(weights)[0] for weights in np.eye(len(levels)))
    return tuple(
        {**group, "adjusted": asdict(Effect("adjusted_mean", value, low, high))}
        for group, (value, _, low, high, _) in zip(shown, means, strict=True)
    )


def _told(fit: Mixed, rows: pd.DataFrame, units: Sequence[str], shape: Assumption) -> tuple[str, ...]:
    few = [f"{rows[name].nunique()} of {name}" for name in units if rows[name].nunique() < FEW_UNITS]
    return tuple(
        [
            *(
                [
                    f"the fit is singular: none was found of {', '.join(fit.zero)}, so that rows count as independent in this"
                ]
                if fit.zero
                else []
            ),
            *([f"only {' and '.join(few)}: variances between so few are rough, and so is p"] if few else []),
            *([] if shape.holds else ["residuals are not normal, so p and intervals are approximate"]),
        ]
    )
