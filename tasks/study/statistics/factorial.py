"""Two factors at once: main effects, interaction and simple effects of a numeric outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from .bayes import unavailable
from .contrasts import crossed, simple
from .corrections import adjusted
from .data import FEWEST, described, label, levels_of, numeric, undirected
from .mixed import Repeated, across, inside, simple_across, simple_inside
from .model import FactorEffect, NotTestable, Plan, Tested
from .twoway import Between

ALPHA = 0.05  # of an interaction, below which simple effects are tested


def tested(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """The claimed effect (interaction, or main effect of the first predictor), with the other effects of the design.

    Between participants: `twoway.Between`; one or both within: `mixed.Repeated`.
    Simple effects follow a significant interaction (p < .05, not corrected for other
    hypotheses), with Holm's correction over all of them. Raises NotTestable.
    """
    _fits(plan)
    found = (_repeated if plan.within or plan.other_within else _between)(plan, frame, seed)
    said = undirected(plan, "effects of two factors have none")
    return replace(found, warnings=(*found.warnings, *said))


def _fits(plan: Plan) -> None:
    if len(set(plan.predictors)) != 2:
        raise NotTestable(
            f"{plan.id}: a difference has one predictor, or two different ones; found "
            f"{', '.join(plan.predictors)}"
        )
    if plan.claim not in ("interaction", "main_effect"):
        raise NotTestable(
            f"{plan.id}: with two factors the claim is interaction or main_effect (of the first), found "
            f"{plan.claim or 'none'}"
        )
    if plan.kinds[plan.outcome] not in ("interval", "ratio"):
        raise NotTestable(
            f"{plan.id}: two factors at once need a numeric outcome (interval or ratio); {plan.outcome} is "
            f"{plan.kinds[plan.outcome]}"
        )


def cells_of(plan: Plan, frame: pd.DataFrame) -> tuple[list[np.ndarray], tuple[list[str], list[str]], int]:
    """Values of each cell, first factor first; names of both factors' levels; rows left out. Raises NotTestable."""
    first, second = plan.predictors
    rows = frame[[plan.outcome, first, second]].copy()
    rows[plan.outcome] = numeric(frame[plan.outcome], plan)
    kept = rows.dropna()
    if plan.participant in frame.columns and frame.loc[kept.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the cells are not independent; declare the "
            "predictor that varies within participants as such, or keep one row each"
        )
    levels = factor_levels(plan, kept)
    cells = [
        kept.loc[(kept[first] == one) & (kept[second] == other), plan.outcome].to_numpy(float)
        for one in levels[0]
        for other in levels[1]
    ]
    names = [label(item) for item in levels[0]], [label(item) for item in levels[1]]
    for name, values in zip(cell_names(plan, names), cells, strict=True):
        if len(values) < FEWEST:
            raise NotTestable(
                f"{plan.id}: the cell {name} "
                + (
                    "is empty"
                    if not len(values)
                    else f"has {len(values)} value{'s' * (len(values) > 1)} of {plan.outcome}"
                )
                + f"; each cell needs at least {FEWEST}: join levels, or test one factor by itself"
            )
    if np.ptp(kept[plan.outcome]) == 0:
        raise NotTestable(
            f"{plan.id}: {plan.outcome} has the same value in all {len(kept)} rows; there is nothing to compare"
        )
    return cells, names, len(frame) - len(kept)


def factor_levels(plan: Plan, rows: pd.DataFrame) -> tuple[list[Any], list[Any]]:
    """The levels of both predictors, in the plan's order or sorted. Raises NotTestable."""
    first, second = plan.predictors
    return levels_of(rows[first], plan), levels_of(rows[second], replace(plan, levels=plan.other_levels))


def cell_names(plan: Plan, names: tuple[Sequence[str], Sequence[str]]) -> list[str]:
    """Both levels of each cell."""
    return [f"{one}, {other}" for one in names[0] for other in names[1]]


def _between(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    cells, names, left_out = cells_of(plan, frame)
    shape = len(names[0]), len(names[1])
    contrasts = crossed(*shape)
    shown = cell_names(plan, names)
    try:
        design = Between(cells, shown, contrasts, seed)
    except NotTestable as error:
        raise NotTestable(f"{plan.id}: {error}") from None
    effects = design.effects(contrasts, effect_names(plan))
    followed: list[FactorEffect] = []
    if effects[2].p is not None and effects[2].p < ALPHA:
        parts = simple(*shape)
        followed = design.effects([item[2] for item in parts], simple_names(plan, names), omega=False)
    return made(
        plan,
        effects,
        followed,
        np.array([item.mean() for item in cells]).reshape(shape),
        names,
        test=design.test,
        n=design.total,
        left_out=left_out,
        groups=described(dict(zip(shown, cells, strict=True))),
        because=f"{shape[0]} x {shape[1]} independent cells; the outcome is numeric, {design.because}",
        assumptions=design.assumptions,
        bayes=design.bayes(effects[2 if plan.claim == "interaction" else 0]),
    )


def _repeated(plan: Plan, frame: pd.DataFrame, seed: int) -> Tested:
    """One factor within participants, or both; participants without a value in every cell are left out."""
    groups, names, left_out = tables_of(plan, frame)
    a, b = len(names[0]), len(names[1])
    both = plan.within and plan.other_within
    if both:
        parts, (first, second) = inside(a, b), simple_inside(a, b)
    elif plan.within:  # the groups are the second factor
        other, one, two = across(b, a)
        parts = (one, other, two)
        second, first = simple_across(b, a)
    else:
        parts, (first, second) = across(a, b), simple_across(a, b)
    called = effect_names(plan)
    try:
        design = Repeated(groups, dict(zip(called, parts, strict=True)), seed)
        effects = [design.effect(name, part) for name, part in zip(called, parts, strict=True)]
        followed: list[FactorEffect] = []
        if effects[2].p is not None and effects[2].p < ALPHA:
            at = zip(simple_names(plan, names), [*first, *second], strict=True)
            followed = [design.effect(name, part) for name, part in at]
    except NotTestable as error:
        raise NotTestable(f"{plan.id}: {error}") from None
    means = np.array([item.mean(0) for item in groups.values()])
    shape = means.reshape(a, b) if both else means.T if plan.within else means
    tables = [table for table in groups.values()]
    cells = (
        [tables[0][:, place] for place in range(a * b)]
        if both
        else [
            tables[other if plan.within else one][:, one if plan.within else other]
            for one in range(a)
            for other in range(b)
        ]
    )
    where = "cells within participants" if both else "groups by levels within participants"
    return made(
        plan,
        effects,
        followed,
        shape,
        names,
        test=design.test,
        n=design.total,
        left_out=left_out,
        groups=described(dict(zip(cell_names(plan, names), cells, strict=True))),
        because=f"{a} x {b} {where}; the outcome is numeric, {design.because}",
        assumptions=design.assumptions,
        bayes=unavailable(design.test),
    )


def tables_of(
    plan: Plan, frame: pd.DataFrame
) -> tuple[dict[str, np.ndarray], tuple[list[str], list[str]], int]:
    """Group -> (participants, cells within), one group where both factors vary within; names of both factors' levels; participants
    left out. Raises NotTestable."""
    first, second = plan.predictors
    rows = frame[[plan.participant, first, second, plan.outcome]].copy()
    rows[plan.outcome] = numeric(frame[plan.outcome], plan)
    rows = rows.dropna(subset=[plan.participant, first, second])
    if rows.duplicated([plan.participant, first, second]).any():
        raise NotTestable(f"{plan.id}: a participant has two rows of one cell; aggregate them first")
    levels = factor_levels(plan, rows)
    names = [label(item) for item in levels[0]], [label(item) for item in levels[1]]
    inner = [
        name for name, within in zip(plan.predictors, (plan.within, plan.other_within), strict=True) if within
    ]
    outer = [name for name in plan.predictors if name not in inner]
    if outer and (rows.groupby(plan.participant)[outer[0]].nunique() > 1).any():
        raise NotTestable(
            f"{plan.id}: {outer[0]} varies within participants; declare it as varying within, or correct the data"
        )
    wide = rows.pivot(index=plan.participant, columns=inner, values=plan.outcome)
    wanted = pd.MultiIndex.from_product(levels) if len(inner) == 2 else levels[0 if plan.within else 1]
    wide = wide.reindex(columns=wanted)
    kept = wide.dropna()
    group = rows.groupby(plan.participant)[outer[0]].first() if outer else None
    found = (
        {"all": kept.to_numpy(float)}
        if group is None
        else {
            label(one): kept[group.reindex(kept.index) == one].to_numpy(float)
            for one in levels[1 if plan.within else 0]
        }
    )
    for name, table in found.items():
        if len(table) < FEWEST:
            where = "" if group is None else f" of {outer[0]} {name}"
            raise NotTestable(
                f"{plan.id}: {len(table)} participants{where} have a value in every cell; at least {FEWEST} are needed"
            )
    return found, names, len(wide) - len(kept)


def effect_names(plan: Plan) -> list[str]:
    """Both factors and their interaction."""
    first, second = plan.predictors
    return [first, second, f"{first} by {second}"]


def simple_names(plan: Plan, names: tuple[Sequence[str], Sequence[str]]) -> list[str]:
    """Each factor at each level of the other, in the order of `contrasts.simple`."""
    first, second = plan.predictors
    return [
        *(f"{first} at {second} {name}" for name in names[1]),
        *(f"{second} at {first} {name}" for name in names[0]),
    ]


def made(
    plan: Plan,
    effects: list[FactorEffect],
    followed: list[FactorEffect],
    means: np.ndarray,
    names: tuple[Sequence[str], Sequence[str]],
    **more: Any,
) -> Tested:
    """The test with its claimed effect in front. means: of the cells; marginal means are not weighted by the cells' sizes."""
    effects[0] = replace(effects[0], means=dict(zip(names[0], means.mean(1).tolist(), strict=True)))
    effects[1] = replace(effects[1], means=dict(zip(names[1], means.mean(0).tolist(), strict=True)))
    claimed = effects[2 if plan.claim == "interaction" else 0]
    warned = []
    if plan.claim == "main_effect" and followed:
        warned.append(
            f"the main effect of {plan.predictors[0]} is an average over {plan.predictors[1]}, and the two interact: "
            "it need not hold at each level (simple effects)"
        )
    assert claimed.p is not None
    p = adjusted([1.0 if item.p is None else item.p for item in followed])
    return Tested(
        id=plan.id,
        outcome=plan.outcome,
        predictors=plan.predictors,
        claim=claimed.name,
        effects=tuple(effects),
        statistic_name=claimed.statistic_name,
        statistic=claimed.statistic,
        df=claimed.df,
        p=claimed.p,
        effect=claimed.effect,
        simple=tuple(
            item if item.p is None else replace(item, p_adjusted=value)
            for item, value in zip(followed, p, strict=True)
        ),
        warnings=tuple(warned),
        **more,
    )
