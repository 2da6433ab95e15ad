"""What code doubts of data that are tested: numbers that say "missing", and rows that belong together.

Nothing is left out or joined for it: it is told to the agents with the profile, and stands beside each test that it touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from schemas.study.settings import Framework
from tasks.study.inputs.codes import missing_codes
from tasks.study.participants.raw_data import CONDITION, PARTICIPANT, SIMULATED
from tasks.study.statistics import Plan, analysed, apa
from tasks.study.statistics.corrections import Method

_FEWEST_UNITS = 5


def shared_units(frame: pd.DataFrame, tested: Sequence[str]) -> dict[str, int]:
    """Columns that seem to name whom or what several rows belong to -> how many they name: about as many rows for each
    value, and something else of the table (an age, a class) that is the same in all rows of a value and differs between values.

    tested: columns of the hypothesis, which are none themselves.
    """
    skipped = {PARTICIPANT, SIMULATED, CONDITION, *tested}
    codes = {
        str(name): pd.factorize(frame[name], use_na_sentinel=False)[0]
        for name in frame.columns
        if name not in (PARTICIPANT, SIMULATED)
    }
    found: dict[str, Any] = {}
    for name, own in codes.items():
        sizes = np.bincount(own) if len(own) else np.array([0])
        if name in skipped or len(sizes) < _FEWEST_UNITS or sizes.min() < 2 or sizes.max() > 2 * sizes.min():
            continue
        order = np.argsort(own, kind="stable")
        same = np.diff(own[order]) == 0
        # as many values as the unit has would be another name of it
        if any(
            1 < other.max() + 1 < len(sizes) and not np.diff(other[order])[same].any()
            for beside, other in codes.items()
            if beside != name
        ):
            if not any(np.array_equal(own, codes[before]) for before in found):  # another name of the same
                found[name] = len(sizes)
    return found


def doubts(
    plans: Sequence[Plan], frame: pd.DataFrame, *, seed: int, correction: Method, framework: Framework
) -> dict[str, tuple[str, ...]]:
    """Hypothesis -> what is to be said beside its test."""
    found: dict[str, list[str]] = {plan.id: [] for plan in plans}
    coded = {
        name: codes
        for name in dict.fromkeys(name for plan in plans for name in _numeric(plan))
        if (codes := missing_codes(pd.to_numeric(frame[name], errors="coerce").dropna().to_numpy()))
    }
    touched = [plan for plan in plans if {*_numeric(plan)} & {*coded}]
    if touched:
        bare = frame.assign(
            **{
                name: frame[name].where(~pd.to_numeric(frame[name], errors="coerce").isin(codes))
                for name, codes in coded.items()
            }
        )
        without = {item.id: item for item in analysed(plans, bare, seed=seed, correction=correction)[0]}
        for plan in touched:
            words = "; ".join(
                f"{name} holds {', '.join(f'{code:g}' for code in coded[name])}"
                for name in _numeric(plan)
                if name in coded
            )
            item = without.get(plan.id)
            said = f"n = {item.n}: {apa.plain(apa.sentence(item, framework))}" if item else "not testable"
            found[plan.id].append(
                f"{words}, which looks like a code for missing values and was tested as a number; "
                f"without it: {said}"
            )
    for plan in plans:
        rows = frame[[*plan.names]].dropna().index
        single = (
            plan.participant not in frame.columns or not frame.loc[rows, plan.participant].duplicated().any()
        )
        units = shared_units(frame.loc[rows], plan.names) if single and not plan.within else {}
        found[plan.id] += [
            f"several rows share each {name} ({count} in {len(rows)} rows); the test takes rows as independent, "
            "which makes p too small where rows of one are alike"
            for name, count in units.items()
        ]
    return {name: tuple(words) for name, words in found.items() if words}


def _numeric(plan: Plan) -> list[str]:
    return [name for name in plan.names if plan.kinds[name] != "nominal"]
