"""An outcome from several predictors: linear, logistic, multinomial logistic and ordinal logistic regression."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .assumptions import ALPHA, equal_residuals, influence
from .bayes import bic_factor
from .data import label, numeric, side, undirected
from .intervals import eta_squared
from .model import Assumption, Effect, NotTestable, Plan, Tested

_EXACT = 1e-12  # share of the sum of squares: rounding
_ADDED = "the predictors' effects are added: whether one depends on the other (an interaction) is not tested"
_PROPORTIONAL = "proportional odds (Brant)"


@dataclass(frozen=True)
class _Focus:
    """The predictor that a hypothesis is about. columns: its places in the design; levels: of a nominal one, the reference first."""

    columns: list[int]
    levels: tuple[str, ...] = ()


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """Whether the predictors together say anything, or the focus with the others held constant; and each one's coefficient.

    Numeric outcome: linear regression, with robust errors (HC3) where Breusch and Pagan's test finds unequal variances.
    Nominal: logistic regression, multinomial for more than two values (the first in order is the reference). Ordinal: logistic
    regression of proportional odds. Nominal predictors become 0 and 1 against their first level. Raises NotTestable.
    """
    kind = plan.kinds[plan.outcome]
    rows = frame[[plan.outcome, *plan.predictors]].dropna()
    if plan.participant in frame.columns and frame.loc[rows.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the rows are not independent"
        )
    design, focus = _design(plan, rows)
    if len(rows) < 10 * design.shape[1]:
        raise NotTestable(
            f"{plan.id}: {len(rows)} rows for {design.shape[1]} coefficients; at least ten rows each"
        )
    if np.linalg.matrix_rank(design.to_numpy()) < design.shape[1]:
        raise NotTestable(
            f"{plan.id}: predictors repeat each other; leave one out of {', '.join(design.columns[1:])}"
        )
    fitted = {"nominal": _logistic, "ordinal": _ordinal}.get(kind, _linear)
    made = fitted(plan, rows, design, focus)
    several = sum(plan.kinds[name] == "nominal" for name in plan.predictors) > 1
    if focus is not None:
        others = [name for name in plan.predictors if name != plan.focus]
        made["test"] += f", coefficient of {plan.focus}" + (
            f" ({', '.join(others)} held constant)" if others else ""
        )
    return Tested(
        id=plan.id,
        outcome=plan.outcome,
        predictors=plan.predictors,
        n=len(rows),
        left_out=len(frame) - len(rows),
        focus=plan.focus,
        warnings=(
            *((_ADDED,) if several else ()),
            *made.pop("warnings", ()),
            *(undirected(plan, "all predictors together have none") if focus is None else ()),
        ),
        **made,
    )


def _design(plan: Plan, rows: pd.DataFrame) -> tuple[pd.DataFrame, _Focus | None]:
    parts: list[pd.DataFrame] = [pd.DataFrame({"const": 1.0}, index=rows.index)]
    wide, focus = 1, None
    for name in plan.predictors:
        levels: tuple[str, ...] = ()
        if plan.kinds[name] == "nominal":
            coded = rows[name].map(label)
            if not 2 <= coded.nunique() <= 20:
                raise NotTestable(
                    f"{plan.id}: {name} has {coded.nunique()} levels; 2 to 20 are allowed in a nominal predictor"
                )
            levels = tuple(sorted(coded.unique()))
            parts.append(pd.get_dummies(coded, prefix=name, drop_first=True, dtype=float))
        else:
            parts.append(pd.DataFrame({name: numeric(rows[name], plan)}))
        if name == plan.focus:
            focus = _Focus([*range(wide, wide + parts[-1].shape[1])], levels)
        wide += parts[-1].shape[1]
    if plan.focus and focus is None:
        raise NotTestable(
            f"{plan.id}: {plan.focus} is tested with the others held constant, and is no predictor; "
            f"predictors are {', '.join(plan.predictors)}"
        )
    return pd.concat(parts, axis=1), focus


def _one(plan: Plan, focus: _Focus, statistic: float, two_sided: float) -> dict[str, Any]:
    """p of one coefficient, on the side that was planned, and which levels it compares. Raises NotTestable for a foreign side."""
    found: dict[str, Any] = {"statistic": statistic, "p": two_sided}
    if focus.levels:
        reference, other = focus.levels
        found["compared"] = (other, reference)
        alternative, words = side(plan, other, reference)
        up = alternative == "greater"
    else:
        words, up = plan.expected_higher, plan.expected_higher == "positive"
        if words not in ("", "positive", "negative"):
            raise NotTestable(
                f"{plan.id}: the coefficient of {plan.focus} is expected to be positive or negative, found {words!r}"
            )
    if words:
        found |= {
            "direction": words,
            "p": two_sided / 2 if (statistic > 0) == up else 1 - two_sided / 2,
        }
    return found


def _joint(
    plan: Plan, name: str, statistic: float, df: tuple[float, ...], p: float, effect: Effect | None
) -> dict[str, Any]:
    """The test of several coefficients at once: all levels of the focus, or of all values of the outcome."""
    return {
        "statistic_name": name,
        "statistic": statistic,
        "df": df,
        "p": p,
        "effect": effect,
        "warnings": undirected(plan, f"several coefficients of {plan.focus} are tested at once"),
    }


def _linear(plan: Plan, rows: pd.DataFrame, design: pd.DataFrame, focus: _Focus | None) -> dict[str, Any]:
    """The regression, with Cook's distances; where one row moves it much, also what it gives without that row."""
    made = _line(plan, rows, design, focus)
    found, row = influence(numeric(rows[plan.outcome], plan).to_numpy(float), design.to_numpy(float))
    made["assumptions"] = (*made["assumptions"], found)
    if found.holds is False:
        left = rows.index[np.arange(len(rows)) != row]
        try:
            p = _line(plan, rows.loc[left], design.loc[left], focus)["p"]
            without = f"without it p {'< .001' if p < 0.001 else f'= {p:.3f}'.replace('= 0.', '= .')}"
        except (NotTestable, np.linalg.LinAlgError):
            without = "without it the test cannot be made"
        told = f"one row weighs much (Cook's distance {found.statistic:.2f}); {without}"
        made["warnings"] = (*made.get("warnings", ()), told)
    return made


def _line(plan: Plan, rows: pd.DataFrame, design: pd.DataFrame, focus: _Focus | None) -> dict[str, Any]:
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
    without = design[["const"]] if focus is None else design.drop(columns=design.columns[focus.columns])
    null = sm.OLS(outcome, without).fit()
    coefficients = _coefficients(shown, "")
    made = {
        "test": "linear regression" + ("" if equal.holds else " with robust errors (HC3)"),
        "because": "the outcome is numeric",
        "statistic_name": "F",
        "statistic": float(np.squeeze(shown.fvalue)),
        "df": (float(k), float(fit.df_resid)),
        "p": float(np.squeeze(shown.f_pvalue)),
        "effect": eta_squared(float(fit.fvalue), k, float(fit.df_resid), n, "R2"),
        "bayes": bic_factor(float(null.bic - fit.bic), "regression"),
        "assumptions": (equal,),
        "coefficients": coefficients,
        "standardised": {
            name: coefficients[name][0] * float(design[name].std(ddof=1)) / float(outcome.std(ddof=1))
            for name in map(str, design.columns[1:])
        },
    }
    if focus is None:
        return made
    if len(focus.columns) == 1:
        b, error, low, high, p = coefficients[str(design.columns[focus.columns[0]])]
        return made | {
            "statistic_name": "t" if shown.use_t else "z",
            "df": (float(fit.df_resid),) if shown.use_t else (),
            "effect": Effect("slope", b, low, high, method="Wald"),
            **_one(plan, focus, b / error, p),
        }
    these = np.eye(design.shape[1])[focus.columns]
    found, plain = shown.f_test(these), fit.f_test(these)
    size = eta_squared(float(plain.fvalue), len(focus.columns), float(fit.df_resid), n, "eta2_p")
    df = (float(len(focus.columns)), float(fit.df_resid))
    return made | _joint(plan, "F", float(found.fvalue), df, float(found.pvalue), size)


def _values(plan: Plan, rows: pd.DataFrame) -> tuple[list[Any], pd.Series]:
    """The values of an outcome in their order, and each row's place among them. Raises NotTestable."""
    outcome = (
        rows[plan.outcome] if plan.kinds[plan.outcome] == "nominal" else numeric(rows[plan.outcome], plan)
    )
    names = sorted(outcome.unique().tolist(), key=lambda value: (str(type(value)), value))
    if not 2 <= len(names) <= 12:
        raise NotTestable(f"{plan.id}: {plan.outcome} has {len(names)} values; 2 to 12 are predicted")
    return names, outcome.map({name: place for place, name in enumerate(names)})


def _fitted(plan: Plan, codes: pd.Series, design: pd.DataFrame, ordered: bool) -> Any:
    """A logistic regression of any kind. Raises NotTestable where it has no solution."""
    import statsmodels.api as sm
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            if ordered:
                warnings.simplefilter("ignore", DeprecationWarning)
                fit = OrderedModel(codes, design.drop(columns="const"), distr="logit").fit(
                    method="bfgs", maxiter=500, disp=False
                )
                if not np.isfinite(np.asarray(fit.bse, float)).all():
                    raise np.linalg.LinAlgError
                return fit
            model = sm.Logit(codes, design) if codes.nunique() == 2 else sm.MNLogit(codes, design)
            return model.fit(method="newton", maxiter=200, disp=False)
        except (np.linalg.LinAlgError, Warning) as error:
            raise NotTestable(
                f"{plan.id}: the regression did not converge ({type(error).__name__}); a predictor may "
                "separate the values of the outcome entirely"
            ) from None


def _likelihood_of_none(codes: pd.Series) -> float:
    counts = codes.value_counts().to_numpy(float)
    return float((counts * np.log(counts / counts.sum())).sum())


def _logistic(plan: Plan, rows: pd.DataFrame, design: pd.DataFrame, focus: _Focus | None) -> dict[str, Any]:
    names, codes = _values(plan, rows)
    fit = _fitted(plan, codes, design, False)
    kind = "logistic" if len(names) == 2 else "multinomial logistic"
    because = f"the outcome is nominal with {len(names)} values, {label(names[0])} is the reference"
    coefficients = _coefficients(fit, "" if len(names) == 2 else "y", names[1:])
    return {
        "test": f"{kind} regression",
        "because": because,
        "coefficients": coefficients,
        **_by_likelihood(plan, codes, design, focus, fit, coefficients, len(names) - 1, ordered=False),
    }


def _ordinal(plan: Plan, rows: pd.DataFrame, design: pd.DataFrame, focus: _Focus | None) -> dict[str, Any]:
    """Logistic regression of proportional odds: one coefficient wherever the ranks are parted, held against separate ones."""
    names, codes = _values(plan, rows)
    if len(names) < 3:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has {len(names)} ranks in the data; three at least are predicted as ranks, or declare it "
            "nominal"
        )
    fit = _fitted(plan, codes, design, True)
    wanted = {str(name) for name in design.columns}
    coefficients = {name: found for name, found in _coefficients(fit, "").items() if name in wanted}
    proportional = _brant(codes, design)
    made = _by_likelihood(plan, codes, design, focus, fit, coefficients, 1, ordered=True)
    if proportional.holds is False:
        told = "the odds are not proportional: a coefficient is an average over the places where ranks are parted"
        made["warnings"] = (*made.get("warnings", ()), told)
    return {
        "test": "ordinal logistic regression",
        "because": f"the outcome has {len(names)} ranks; odds are of a higher one",
        "assumptions": (proportional,),
        "coefficients": coefficients,
        **made,
    }


def _by_likelihood(
    plan: Plan,
    codes: pd.Series,
    design: pd.DataFrame,
    focus: _Focus | None,
    fit: Any,
    coefficients: dict[str, tuple[float, float, float, float, float]],
    equations: int,
    *,
    ordered: bool,
) -> dict[str, Any]:
    """Likelihood ratio of the model with and without all predictors, or without the focus; of one coefficient Wald's z and its
    odds ratio."""
    none = _likelihood_of_none(codes)
    left = design[["const"]] if focus is None else design.drop(columns=design.columns[focus.columns])
    without = none if left.shape[1] == 1 else float(_fitted(plan, codes, left, ordered).llf)
    df = float((design.shape[1] - left.shape[1]) * equations)
    chi2 = float(2 * (fit.llf - without))
    bayes = bic_factor(chi2 - df * np.log(len(codes)), "regression")
    if focus is None:
        effect = Effect("R2_McFadden", float(1 - fit.llf / none), method="no interval: none is documented")
        return {
            "statistic_name": "chi2",
            "statistic": chi2,
            "df": (df,),
            "p": float(stats.chi2.sf(chi2, df)),
            "effect": effect,
            "bayes": bayes,
        }
    if len(focus.columns) == 1 and equations == 1:
        b, error, low, high, p = coefficients[str(design.columns[focus.columns[0]])]
        with np.errstate(over="ignore"):
            ratio, start, end = (float(np.exp(item)) for item in (b, low, high))
        if not np.isfinite(end):
            raise NotTestable(f"{plan.id}: {plan.focus} separates the values of the outcome nearly entirely")
        return {
            "statistic_name": "z",
            "df": (),
            "effect": Effect("OR", ratio, start, end, method="Wald"),
            "bayes": bayes,
            **_one(plan, focus, b / error, p),
        }
    return {
        "bayes": bayes,
        **_joint(plan, "chi2", chi2, (df,), float(stats.chi2.sf(chi2, df)), None),
    }


def _brant(codes: pd.Series, design: pd.DataFrame) -> Assumption:
    """Whether separate logistic regressions, one for each place where the ranks are parted, have the same slopes (Brant, 1990,
    Biometrics 46, 1171)."""
    import statsmodels.api as sm

    x, cuts, slopes, odds = design.to_numpy(float), sorted(codes.unique())[:-1], [], []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            for cut in cuts:
                fit = sm.Logit((codes > cut).astype(float).to_numpy(), x).fit(
                    method="newton", maxiter=200, disp=False
                )
                slopes.append(np.asarray(fit.params)[1:])
                odds.append(np.asarray(fit.predict(x)))
            inverse = [np.linalg.inv(x.T * (p * (1 - p)) @ x) for p in odds]
        except (np.linalg.LinAlgError, Warning):
            return Assumption(
                _PROPORTIONAL, None, detail="too few answers beyond a rank for a regression of its own"
            )
    wide = x.shape[1] - 1
    covariance = np.zeros((len(cuts) * wide,) * 2)
    for one in range(len(cuts)):
        for other in range(one, len(cuts)):
            weights = odds[other] - odds[one] * odds[other]
            part = (inverse[one] @ (x.T * weights @ x) @ inverse[other])[1:, 1:]
            at, beside = slice(one * wide, (one + 1) * wide), slice(other * wide, (other + 1) * wide)
            covariance[at, beside], covariance[beside, at] = part, part.T
    apart = np.kron(np.hstack([np.ones((len(cuts) - 1, 1)), -np.eye(len(cuts) - 1)]), np.eye(wide))
    gaps = apart @ np.concatenate(slopes)
    try:
        statistic = float(gaps @ np.linalg.solve(apart @ covariance @ apart.T, gaps))
    except np.linalg.LinAlgError:
        return Assumption(_PROPORTIONAL, None, detail="the regressions cannot be told apart")
    p = float(stats.chi2.sf(statistic, len(gaps)))
    return Assumption(_PROPORTIONAL, p >= ALPHA, statistic, p)


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
