"""All hypotheses of a study: each tested by rule, then corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from . import (
    correlations,
    counts,
    covariance,
    equivalence,
    factorial,
    independent,
    multilevel,
    pairwise,
    prediction,
    repeated,
)
from .corrections import NAMES, Method, adjusted
from .data import columns, complete_table, groups_of, label, one_row_each
from .model import NotTestable, Plan, Tested


def tested(plan: Plan, frame: pd.DataFrame, seed: int = 1) -> Tested:
    """One hypothesis. Raises NotTestable with what the data lack."""
    columns(plan, frame)
    rows, note = one_row_each(plan, frame)
    found = _tested(plan, rows, seed)
    notes = tuple(text for text in (note, _absent(plan, frame)) if text)
    return replace(found, warnings=(*found.warnings, *notes)) if notes else found


def _absent(plan: Plan, frame: pd.DataFrame) -> str:
    """The levels that the plan names and the data lack."""
    missing: list[str] = []
    for predictor, levels in zip(plan.predictors, (plan.levels, plan.other_levels), strict=False):
        there = {label(value) for value in frame[predictor].dropna().unique()} if levels else set()
        missing += [name for name in levels if name not in there]
    return (
        f"the data have nobody in {', '.join(missing)}, which the plan names; the others were compared"
        if missing
        else ""
    )


def _tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    if plan.items or (not plan.bound and not plan.covariates and multilevel.repeats(plan, frame)):
        return multilevel.tested(plan, frame)
    if plan.bound:
        return equivalence.tested(plan, frame, seed)
    if plan.covariates:
        return _adjusted(plan, frame, seed)
    if plan.against is not None:
        return repeated.against(plan, frame, seed)
    if plan.relation == "prediction":
        return prediction.tested(plan, frame, seed)
    if plan.relation == "difference" and len(plan.predictors) == 2:
        return factorial.tested(plan, frame, seed)
    if len(plan.predictors) != 1:
        raise NotTestable(f"{plan.id}: a {plan.relation} has one predictor, found {len(plan.predictors)}")
    [predictor] = plan.predictors
    outcome_nominal, predictor_nominal = (
        plan.kinds[plan.outcome] == "nominal",
        plan.kinds[predictor] == "nominal",
    )
    if plan.within:
        found = repeated.tested(plan, frame, seed)
        table, _ = complete_table(plan, frame, as_numbers=not outcome_nominal)
        cells = repeated.answers(plan, table)[0] if outcome_nominal else table.to_numpy(float)
        return pairwise.compared(
            found, {str(name): cells[:, place] for place, name in enumerate(table.columns)}, seed
        )
    if outcome_nominal and predictor_nominal:
        return counts.tested(plan, frame, seed)
    if outcome_nominal:
        raise NotTestable(
            f"{plan.id}: a nominal outcome and a numeric predictor are a prediction, or the two change places"
        )
    if predictor_nominal or plan.relation == "difference":
        return pairwise.compared(independent.tested(plan, frame, seed), groups_of(plan, frame)[0], seed)
    return correlations.tested(plan, frame, seed)


def _adjusted(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """With covariates held constant: groups by analysis of covariance, two numeric variables by partial correlation."""
    if plan.relation == "prediction" or len(plan.predictors) != 1 or plan.within:
        raise NotTestable(
            f"{plan.id}: covariates are held constant in a difference between participants or an association, by one predictor"
        )
    nominal = plan.kinds[plan.predictors[0]] == "nominal" or plan.relation == "difference"
    return covariance.tested(plan, frame, seed) if nominal else correlations.tested(plan, frame, seed)


def analysed(
    plans: Sequence[Plan], frame: pd.DataFrame, *, seed: int = 1, correction: Method = "holm"
) -> tuple[list[Tested], dict[str, str]]:
    """The tests of all hypotheses that can be tested, and hypothesis -> why the others cannot.

    p-values of confirmatory ones are adjusted for their number as planned: one that cannot be tested counts as p = 1.
    Exploratory ones are left as they are; where all are exploratory, the p-value adjusted for all of them is given beside each.
    """
    found: dict[str, Tested] = {}
    cannot: dict[str, str] = {}
    for plan in plans:
        try:
            found[plan.id] = tested(plan, frame, seed)
        except NotTestable as error:
            cannot[plan.id] = str(error)
    confirmatory = [plan.id for plan in plans if plan.confirmatory]
    # else calling everything exploratory would be the way around a correction
    family = confirmatory or ([plan.id for plan in plans] if len(plans) > 1 else [])
    corrected = adjusted([found[name].p if name in found else 1.0 for name in family], correction)
    kind = f"{len(family)} confirmatory tests" if confirmatory else f"all {len(family)} exploratory tests"
    note = f"{NAMES[correction]}, {kind}" if len(family) > 1 else ""
    for name, p in zip(family, corrected, strict=True):
        if name in found:
            one = replace(found[name], adjustment=note)
            found[name] = replace(one, p_adjusted=p) if confirmatory else replace(one, p_family=p)
    return [*found.values()], cannot
