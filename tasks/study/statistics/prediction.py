"""An outcome from several predictors: linear, logistic and multinomial logistic regression."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import equal_residuals
from .bayes import bic_factor
from .data import label, numeric, undirected
from .intervals import eta_squared
from .model import Effect, NotTestable, Plan, Tested

_EXACT = 1e-12  # share of the sum of squares: rounding
_ADDED = "the predictors' effects are added: whether one depends on the other (an interaction) is not tested"


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Whether the predictors together say anything, and each one's coefficient.

    Numeric outcome: linear regression, with robust errors (HC3) where Breusch and Pagan's test finds unequal variances.
    Nominal: logistic regression, multinomial for more than two values (the first in order is the reference).
    Nominal predictors become 0 and 1 against their first level. Raises NotTestable.
    """
    kind = plan.kinds[plan.outcome]
    if kind == "ordinal":
        raise NotTestable(
            f"{plan.id}: an ordinal outcome is not predicted here; declare {plan.outcome} as nominal or "
            "interval, or test an association"
        )
    rows = frame[[plan.outcome, *plan.predictors]].dropna()
    if plan.participant in frame.columns and frame.loc[rows.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the rows are not independent"
        )
    design = _design(plan, rows)
    if len(rows) < 10 * design.shape[1]:
        raise NotTestable(
            f"{plan.id}: {len(rows)} rows for {design.shape[1]} coefficients; at least ten rows each"
        )
    if np.linalg.matrix_rank(design.to_numpy()) < design.shape[1]:
        raise NotTestable(
            f"{plan.id}: predictors repeat each other; leave one out of {', '.join(design.columns[1:])}"
        )
    made = _linear(plan, rows, design) if kind != "nominal" else _logistic(plan, rows, design)
    several = sum(plan.kinds[name] == "nominal" for name in plan.predictors) > 1
    return Tested(
        id=plan.id,
        outcome=plan.outcome,
        predictors=plan.predictors,
        n=len(rows),
        left_out=len(frame) - len(rows),
        warnings=(
            *((_ADDED,) if several else ()),
            *undirected(plan, "all predictors together have none"),
        ),
        **made,
    )


def _design(plan: Plan, rows: pd.DataFrame) -> pd.DataFrame:
    parts: list[pd.DataFrame] = [pd.DataFrame({"const": 1.0}, index=rows.index)]
    for name in plan.predictors:
        if plan.kinds[name] == "nominal":
            coded = rows[name].map(label)
            if not 2 <= coded.nunique() <= 20:
                raise NotTestable(
                    f"{plan.id}: {name} has {coded.nunique()} levels; 2 to 20 are allowed in a nominal predictor"
                )
            parts.append(pd.get_dummies(coded, prefix=name, drop_first=True, dtype=float))
        else:
            parts.append(pd.DataFrame({name: numeric(rows[name], plan)}))
    return pd.concat(parts, axis=1)


def _linear(plan: Plan, rows: pd.DataFrame, design: pd.DataFrame) -> dict[str, Any]:
    import statsmodels.api as sm

    outcome = numeric(rows[plan.outcome], plan)
    if np.ptp(outcome) == 0:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has the same value in all {len(rows)} rows; there is nothing to predict"
        )
    fit = sm.OLS(outcome, design).fit()
    if fit.ssr <= _EXACT * fit.centered_tss:
        raise NotTestable(
            f"{plan.id}: the predictors give {plan.outcome} exactly, with nothing left to judge them by; "
            "one of them may be made of it"
        )
    equal = equal_residuals(fit.resid, design.to_numpy())
    shown = fit if equal.holds else sm.OLS(outcome, design).fit(cov_type="HC3")
    n, k = len(rows), design.shape[1] - 1
    null = sm.OLS(outcome, design[["const"]]).fit()
    return {
        "test": "linear regression" + ("" if equal.holds else " with robust errors (HC3)"),
        "because": "the outcome is numeric",
        "statistic_name": "F",
        "statistic": float(np.squeeze(shown.fvalue)),
        "df": (float(k), float(fit.df_resid)),
        "p": float(np.squeeze(shown.f_pvalue)),
        "effect": eta_squared(float(fit.fvalue), k, float(fit.df_resid), n, "R2"),
        "bayes": bic_factor(float(null.bic - fit.bic), "regression"),
        "assumptions": (equal,),
        "coefficients": _coefficients(shown, ""),
    }


def _logistic(plan: Plan, rows: pd.DataFrame, design: pd.DataFrame) -> dict[str, Any]:
    import statsmodels.api as sm

    names = sorted(rows[plan.outcome].unique().tolist(), key=lambda value: (str(type(value)), value))
    if not 2 <= len(names) <= 12:
        raise NotTestable(f"{plan.id}: {plan.outcome} has {len(names)} values; 2 to 12 are predicted")
    codes = rows[plan.outcome].map({name: place for place, name in enumerate(names)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            model = sm.Logit(codes, design) if len(names) == 2 else sm.MNLogit(codes, design)
            fit = model.fit(method="newton", maxiter=200, disp=False)
        except (np.linalg.LinAlgError, Warning) as error:
            raise NotTestable(
                f"{plan.id}: the regression did not converge ({type(error).__name__}); a predictor may "
                "separate the values of the outcome entirely"
            ) from None
    df = float((design.shape[1] - 1) * (len(names) - 1))
    chi2 = float(2 * (fit.llf - fit.llnull))
    effect = Effect("R2_McFadden", float(fit.prsquared), method="no interval: none is documented")
    return {
        "test": ("logistic" if len(names) == 2 else "multinomial logistic") + " regression",
        "because": f"the outcome is nominal with {len(names)} values, {label(names[0])} is the reference",
        "statistic_name": "chi2",
        "statistic": chi2,
        "df": (df,),
        "p": float(stats.chi2.sf(chi2, df)),
        "effect": effect,
        "bayes": bic_factor(chi2 - df * np.log(len(rows)), "regression"),
        "coefficients": _coefficients(fit, "" if len(names) == 2 else "y", names[1:]),
    }


def _coefficients(
    fit: Any, prefix: str, names: list[Any] | None = None
) -> dict[str, tuple[float, float, float, float, float]]:
    """name -> estimate, standard error, ends of the 95 % interval, p; of a multinomial one `predictor|value`."""
    params, errors, p = (np.asarray(item, float) for item in (fit.params, fit.bse, fit.pvalues))
    wide = stats.norm.ppf(0.975) if not getattr(fit, "use_t", False) else stats.t.ppf(0.975, fit.df_resid)
    labels = list(fit.params.index)
    names = [label(name) for name in names or []]
    found = {}
    for place, predictor in enumerate(labels):
        for column in range(params.shape[1] if params.ndim > 1 else 1):
            at = (place, column) if params.ndim > 1 else place
            name = f"{predictor}|{names[column]}" if prefix and names else str(predictor)
            found[name] = (
                float(params[at]),
                float(errors[at]),
                float(params[at] - wide * errors[at]),
                float(params[at] + wide * errors[at]),
                float(p[at]),
            )
    return found
