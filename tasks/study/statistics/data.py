"""Columns of the data as a test needs them: groups, complete rows of participants, tables of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .model import Alternative, NotTestable, Plan

FEWEST = 3  # values in a group


def label(value: Any) -> str:
    """A level as it was written: 1.0 of a column with missing values is 1, True is true."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def side(plan: Plan, first: str, second: str, what: str = "") -> tuple[Alternative, str]:
    """The alternative of first less second, and what is tested in words; by the names of the levels, never by their order.

    what: of counts, what is counted. Raises NotTestable where the level that is expected to lie higher is neither.
    """
    if not plan.expected_higher:
        return "two-sided", ""
    if plan.expected_higher not in (first, second):
        raise NotTestable(
            f"{plan.id}: {plan.expected_higher!r} is expected to lie higher, and is no level of "
            f"{plan.predictors[0]} in the data; levels are {first}, {second}"
        )
    up = plan.expected_higher == first
    words = f"{first} {'>' if up else '<'} {second}"
    return ("greater" if up else "less"), f"{what}: {words}" if what else words


def undirected(plan: Plan, why: str) -> tuple[str, ...]:
    """What a test without a direction says of one that the hypothesis has."""
    return (
        (f"a direction was stated ({plan.expected_higher} higher), and {why}: tested two-sided",)
        if plan.expected_higher
        else ()
    )


def one_row_each(plan: Plan, frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """A row per participant where predictors do not vary within participants, and what was done; else the frame as it is.

    A numeric outcome is averaged over a participant's rows; another must be the same in all of them.
    """
    if plan.within or plan.other_within or plan.items or plan.participant not in frame.columns:
        return frame, ""
    beside = [*plan.predictors, *plan.covariates]
    columns = [plan.participant, plan.outcome, *beside]
    kept = frame[columns].dropna()
    if not kept[plan.participant].duplicated().any():
        return frame, ""
    groups = kept.groupby(plan.participant, sort=False)
    if (groups[beside].nunique() > 1).any(axis=None):
        return frame, ""
    if (groups[plan.outcome].nunique() <= 1).all():
        return groups.first().reset_index(), "a participant's rows say the same and count once"
    if plan.kinds[plan.outcome] not in ("interval", "ratio"):
        return frame, ""
    kept = kept.assign(**{plan.outcome: numeric(kept[plan.outcome], plan)})
    means = (
        kept.groupby(plan.participant, sort=False)
        .agg({plan.outcome: "mean", **{name: "first" for name in beside}})
        .reset_index()
    )
    return means, f"{plan.outcome} was averaged over each participant's rows"


def columns(plan: Plan, frame: pd.DataFrame) -> None:
    """Raises NotTestable if a column that the plan names is missing or has no kind."""
    needed = [
        *plan.names,
        *([plan.participant] if plan.within or plan.other_within else []),
    ]
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise NotTestable(
            f"{plan.id}: the data have no column {', '.join(map(repr, missing))}; "
            f"there are {', '.join(map(str, frame.columns))}"
        )
    unknown = [name for name in plan.names if name not in plan.kinds]
    if unknown:
        raise NotTestable(f"{plan.id}: the kind of {', '.join(unknown)} is not declared")


def numeric(series: pd.Series, plan: Plan) -> pd.Series:
    """Finite numbers, missing ones as NaN. Raises NotTestable for text or infinity among them."""
    found = pd.to_numeric(series, errors="coerce").astype(float)
    bad = series[found.isna() & series.notna() & (series.astype(str).str.strip() != "")]
    if len(bad):
        raise NotTestable(
            f"{plan.id}: {series.name} holds text where numbers are needed: {str(bad.iloc[0])[:40]!r}; "
            "code it in numbers, or declare it nominal"
        )
    if np.isinf(found).any():
        raise NotTestable(f"{plan.id}: {series.name} holds infinite values")
    return found


def levels_of(series: pd.Series, plan: Plan) -> list[Any]:
    """The levels of the predictor, in the plan's order or sorted. Raises NotTestable for fewer than two or foreign ones."""
    found = sorted(series.dropna().unique().tolist(), key=str)
    if plan.levels:
        by_name = {label(value): value for value in found}
        foreign = [name for name in by_name if name not in plan.levels]
        if foreign:
            raise NotTestable(
                f"{plan.id}: {series.name} holds {', '.join(foreign[:5])}, which the plan does not name; "
                f"levels are {', '.join(plan.levels)}"
            )
        found = [by_name[name] for name in plan.levels if name in by_name]
    if len(found) < 2:
        raise NotTestable(
            f"{plan.id}: {series.name} has {len(found)} levels in the data; at least two are compared"
        )
    if len(found) > 20:
        raise NotTestable(
            f"{plan.id}: {series.name} has {len(found)} levels; at most 20 are compared, "
            "or it is no nominal variable"
        )
    return found


def groups_of(plan: Plan, frame: pd.DataFrame) -> tuple[dict[str, np.ndarray], int]:
    """Values of independent groups by level, and how many rows were left out. Raises NotTestable for repeated participants."""
    [predictor] = plan.predictors
    rows = frame[[plan.outcome, predictor]].copy()
    rows[plan.outcome] = numeric(frame[plan.outcome], plan)
    kept = rows.dropna()
    if plan.participant in frame.columns and frame.loc[kept.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the groups are not independent; "
            "declare the predictor as varying within participants, or keep one row each"
        )
    groups = {
        label(level): kept.loc[kept[predictor] == level, plan.outcome].to_numpy()
        for level in levels_of(kept[predictor], plan)
    }
    for name, values in groups.items():
        if len(values) < FEWEST:
            raise NotTestable(
                f"{plan.id}: {name} has {len(values)} values of {plan.outcome}; at least {FEWEST} are needed"
            )
    return groups, len(frame) - len(kept)


def against_value(plan: Plan, frame: pd.DataFrame) -> tuple[np.ndarray, int]:
    """(participants, 2): the outcome, and the value that it is compared with; rows left out. Raises NotTestable."""
    if (
        plan.against is None
        or plan.predictors
        or plan.covariates
        or plan.relation != "difference"
        or plan.expected_higher
    ):
        raise NotTestable(
            f"{plan.id}: a mean is compared with a value by itself: no predictors, covariates or direction"
        )
    if plan.kinds[plan.outcome] == "nominal":
        raise NotTestable(f"{plan.id}: {plan.outcome} is nominal; a value is compared with numbers or ranks")
    values = numeric(frame[plan.outcome], plan).dropna()
    if plan.participant in frame.columns and frame.loc[values.index, plan.participant].duplicated().any():
        raise NotTestable(
            f"{plan.id}: a participant is there more than once, so the values are not independent"
        )
    if len(values) < FEWEST:
        raise NotTestable(f"{plan.id}: {len(values)} values of {plan.outcome}; at least {FEWEST} are needed")
    return np.column_stack([values, np.full(len(values), plan.against)]), len(frame) - len(values)


def complete_table(plan: Plan, frame: pd.DataFrame, *, as_numbers: bool = True) -> tuple[pd.DataFrame, int]:
    """Participants x levels with a value in each, and how many participants were left out."""
    [predictor] = plan.predictors
    rows = frame[[plan.participant, predictor, plan.outcome]].copy()
    if as_numbers:
        rows[plan.outcome] = numeric(frame[plan.outcome], plan)
    rows = rows.dropna(subset=[plan.participant, predictor])
    if rows.duplicated([plan.participant, predictor]).any():
        raise NotTestable(
            f"{plan.id}: a participant has two rows of one level of {predictor}; aggregate them first"
        )
    levels = levels_of(rows[predictor], plan)
    wide = rows.pivot(index=plan.participant, columns=predictor, values=plan.outcome)[levels]
    kept = wide.dropna()
    kept.columns = [label(name) for name in kept.columns]
    if len(kept) < FEWEST:
        raise NotTestable(
            f"{plan.id}: {len(kept)} participants have a value in every level of {predictor}; "
            f"at least {FEWEST} are needed"
        )
    return kept, len(wide) - len(kept)


def described(groups: dict[str, np.ndarray]) -> tuple[dict[str, Any], ...]:
    """n, mean, sd, median and interquartile range of each group."""
    found = []
    for name, values in groups.items():
        low, middle, high = np.percentile(values, [25, 50, 75])
        found.append(
            {
                "name": name,
                "n": len(values),
                "mean": float(values.mean()),
                "sd": float(values.std(ddof=1)),
                "median": float(middle),
                "iqr": float(high - low),
            }
        )
    return tuple(found)


def counted(table: pd.DataFrame) -> tuple[dict[str, Any], ...]:
    """Counts of the outcome in each level."""
    return tuple(
        {
            "name": label(level),
            "n": int(row.sum()),
            "counts": {label(name): int(count) for name, count in row.items()},
        }
        for level, row in table.iterrows()
    )
