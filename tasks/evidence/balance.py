"""Energy balance R + T (+ A) = 1, recomputed from the data files.

Two tables exist: 1-3 % good and above 5 % wrong for lossless structures (measured separations), and warning
at 5 %, stop at 10 % with absorption (the field's habit; A is the least accurate of the three). Both are used,
each for its case. A = 1 - R - T saved as a column shows nothing, and is said to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.evidence import Check, Level
from schemas.execution import Dataset
from tasks.evidence.execution import check
from tasks.evidence.files import Table
from tasks.evidence.quantities import Kind, kind_of
from tasks.evidence.units import convert

WARN_LOSSLESS, MAX_LOSSLESS = 0.03, 0.05
WARN_LOSSY, MAX_LOSSY = 0.05, 0.10
MAX_PASSIVE = 1.01
_COMPLEMENT = 1e-9
_SYMBOLS: dict[Kind, str] = {"reflectance": "R", "transmittance": "T", "absorptance": "A"}


@dataclass(frozen=True)
class _Set:
    """R, T and A of one structure over one abscissa."""

    label: str
    r: NDArray[np.float64]
    t: NDArray[np.float64]
    a: NDArray[np.float64] | None


def balance_checks(dataset: Dataset, table: Table, expected: str, source: str) -> list[Check]:
    """Checks of every R, T (, A) set in a dataset; an empty list where it holds no such set.

    expected: "lossless", "lossy" or "none" of the stage; passivity, R + T <= 1.01, is checked in every case.
    """
    checks = []
    for found in _sets(dataset, table):
        total = found.r + found.t
        where = f"{source}: {found.label}"
        passive = float(total.max())
        checks.append(
            check(
                "passivity, R + T",
                "pass" if passive <= MAX_PASSIVE else "fail",
                f"at most {passive:.4f}",
                f"<= {MAX_PASSIVE}",
                where,
                "run longer (decay by 1e-9), or check the reference run",
            )
        )
        if expected == "lossless":
            checks.append(_sum("energy balance, R + T = 1", total, WARN_LOSSLESS, MAX_LOSSLESS, where))
        elif expected == "lossy" and found.a is not None:
            if float(np.abs(total + found.a - 1).max()) <= _COMPLEMENT:
                checks.append(
                    check(
                        "energy balance, R + T + A = 1",
                        "pass",
                        "A is 1 - R - T in the file: shows nothing",
                        "an independent A would be checked",
                        where,
                    )
                )
            else:
                checks.append(
                    _sum("energy balance, R + T + A = 1", total + found.a, WARN_LOSSY, MAX_LOSSY, where)
                )
    return checks


def _sum(name: str, total: NDArray[np.float64], warn: float, most: float, where: str) -> Check:
    place = int(np.argmax(np.abs(total - 1)))
    worst = float(abs(total[place] - 1))
    level: Level = "fail" if worst > most else "warning" if worst > warn else "pass"
    rms = float(np.sqrt(np.mean((total - 1) ** 2)))
    return check(
        name,
        level,
        f"off by at most {worst:.4f} (row {place + 1}), RMS {rms:.4f}",
        f"warning above {warn:g}, failure above {most:g}",
        where,
        "the stop criterion breaks this before the grid does: run longer; check monitors and reference run",
    )


def _sets(dataset: Dataset, table: Table) -> list[_Set]:
    """Columns R, T, A that belong together: one of each, or grouped by what follows the letter."""
    columns: dict[str, dict[str, NDArray[np.float64]]] = {}
    count: dict[str, int] = {}
    for column in dataset.columns if dataset.kind == "scalar" else dataset.columns[1:]:
        symbol = _SYMBOLS.get(kind_of(column.quantity, column.unit))
        values = table.columns.get(column.name)
        if symbol is None or values is None or not np.all(np.isfinite(values)):
            continue
        count[symbol] = count.get(symbol, 0) + 1
        columns.setdefault(_suffix(column.name), {})[symbol] = convert(values, column.unit, "1")
    if all(number == 1 for number in count.values()):
        merged = {symbol: values for group in columns.values() for symbol, values in group.items()}
        columns = {"": merged}
    return [
        _Set(f"R{suffix}, T{suffix}", group["R"], group["T"], group.get("A"))
        for suffix, group in columns.items()
        if {"R", "T"} <= set(group)
    ]


def _suffix(name: str) -> str:
    head, separator, rest = name.partition("_")
    return (
        separator + rest
        if head.lower()
        in (
            "r",
            "t",
            "a",
            "reflectance",
            "transmittance",
            "absorptance",
            "reflection",
            "transmission",
            "absorption",
        )
        else "?" + name
    )
