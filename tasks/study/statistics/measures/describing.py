"""What the tested variables are like: a table of descriptives, and how the numeric ones go together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..data import label
from ..model import Plan

FEWEST = 3  # values in both of a pair
MOST = 12  # variables of a matrix
CONDITION, PARTICIPANT = "condition", "participant"


@dataclass(frozen=True)
class Described:
    """A variable in one condition ('' over all rows). counts: of a nominal one. missing: rows without a value."""

    variable: str
    condition: str
    n: int
    missing: int
    mean: float | None = None
    sd: float | None = None
    median: float | None = None
    counts: dict[str, int] | None = None


@dataclass(frozen=True)
class Correlation:
    """Pearson's r of two variables over n participants, each with the mean of its rows. r: None where one does not vary."""

    first: str
    second: str
    n: int
    r: float | None


def descriptives(plans: Sequence[Plan], frame: pd.DataFrame) -> list[Described]:
    """Each variable of the plans, in each condition where there are several; who met a condition counts there."""
    kinds = _kinds(plans, frame)
    apart = frame[CONDITION].map(label) if CONDITION in frame.columns else pd.Series("", index=frame.index)
    levels = sorted(apart[frame[CONDITION].notna()].unique()) if CONDITION in frame.columns else []
    found = []
    for name, kind in kinds.items():
        if name in (CONDITION, PARTICIPANT):
            continue
        for level in levels if len(levels) > 1 else [""]:
            cells = frame.loc[apart == level, name] if level else frame[name]
            values = cells.dropna()
            missing = len(cells) - len(values)
            numbers = None if kind == "nominal" else pd.to_numeric(values, errors="coerce")
            if numbers is None or numbers.isna().any():
                counts = values.map(label).value_counts().sort_index()
                if len(counts) <= 20:
                    whole = {str(key): int(count) for key, count in counts.items()}
                    found.append(Described(name, level, len(values), missing, counts=whole))
                continue
            found.append(_numeric(name, level, numbers.to_numpy(float), missing))
    return found


def correlations(plans: Sequence[Plan], frame: pd.DataFrame) -> list[Correlation]:
    """Every pair of the plans' numeric variables; rows of one participant are averaged first, so that n counts people."""
    names = [name for name, kind in _kinds(plans, frame).items() if kind in ("interval", "ratio")][:MOST]
    table = frame[names].apply(pd.to_numeric, errors="coerce")
    if PARTICIPANT in frame.columns:
        table = table.groupby(frame[PARTICIPANT]).mean()
    found = []
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            both = table[[first, second]].dropna().to_numpy(float)
            if len(both) < FEWEST:
                continue
            vary = bool((np.ptp(both, axis=0) > 0).all())
            r = float(np.clip(np.corrcoef(both.T)[0, 1], -1, 1)) if vary else None
            found.append(Correlation(first, second, len(both), r))
    return found


def _kinds(plans: Sequence[Plan], frame: pd.DataFrame) -> dict[str, str]:
    return {name: plan.kinds[name] for plan in plans for name in plan.names if name in frame.columns}


def _numeric(name: str, level: str, values: np.ndarray, missing: int) -> Described:
    if not len(values):
        return Described(name, level, 0, missing)
    spread = float(values.std(ddof=1)) if len(values) > 1 else None
    return Described(
        name, level, len(values), missing, float(values.mean()), spread, float(np.median(values))
    )
