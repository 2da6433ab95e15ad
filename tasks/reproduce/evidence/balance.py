"""Energy balance R + T (+ A) = 1, recomputed from the data files: of one table, or of the tables of one structure.

Two tables exist: 1-3 % good and above 5 % wrong for lossless structures (measured separations), and warning
at 5 %, stop at 10 % with absorption (the field's habit; A is the least accurate of the three). Both are used,
each for its case. A = 1 - R - T saved as a column shows nothing, and is said to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.judging.evidence import Check, Level
from schemas.reproduce.simulations.execution import Dataset
from tasks.reproduce.evidence.execution import check
from tasks.reproduce.evidence.kept_files import Table
from tasks.reproduce.evidence.quantities import Kind, kind_of
from tasks.reproduce.evidence.units import convert

WARN_LOSSLESS, MAX_LOSSLESS = 0.03, 0.05
WARN_LOSSY, MAX_LOSSY = 0.05, 0.10
MAX_PASSIVE = 1.01
_COMPLEMENT = 1e-9
_NAMED = {"reflectance": "R", "transmittance": "T", "absorptance": "A"}
_SYMBOLS: dict[Kind, str] = {"reflectance": "R", "transmittance": "T", "absorptance": "A"}


@dataclass(frozen=True)
class _Set:
    """R, T and A of one structure over one abscissa."""

    label: str
    r: NDArray[np.float64]
    t: NDArray[np.float64]
    a: NDArray[np.float64] | None


@dataclass(frozen=True)
class _Values:
    """One column of a table by its name, over its abscissa."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]

    def at(self, x: float) -> float | None:
        """The value at an abscissa of the table; None if it has none there."""
        place = int(np.argmin(np.abs(self.x - x)))
        return float(self.y[place]) if abs(self.x[place] - x) <= 1e-9 * max(abs(x), 1e-30) else None


def balance_checks(dataset: Dataset, table: Table, expected: str, source: str) -> list[Check]:
    """Checks of every R, T (, A) set in a dataset; an empty list where it holds no such set.

    expected: "lossless", "lossy" or "none" of the stage; passivity, R + T <= 1.01, is checked in every case.
    """
    return [check for found in _sets(dataset, table) for check in _checks(found, expected, source)]


def balance_across(tables: Sequence[tuple[str, Dataset, Table]], expected: str) -> list[Check]:
    """The same for R, T and A that stand in tables of their own; none where a structure has not one R and one T.

    tables: (structure, dataset, table): what is measured in one scene, over one abscissa, is of one structure. Values
    at abscissae that only one of them has are left out.
    """
    structures: dict[str, dict[str, list[_Values]]] = {}
    for structure, dataset, table in tables:
        spectrum = dataset.kind != "scalar"
        x = table.columns.get(dataset.columns[0].name) if spectrum else np.zeros(1)
        for column in dataset.columns[spectrum:]:
            symbol = _NAMED.get(
                column.quantity
            )  # by its very name: what leaves a port, or in one order, is not all
            values = table.columns.get(column.name)
            if (
                symbol is None
                or x is None
                or values is None
                or x.shape != values.shape
                or not np.all(np.isfinite(values))
            ):
                continue
            structures.setdefault(structure, {}).setdefault(symbol, []).append(
                _Values(dataset.dataset_id, x, convert(values, column.unit, "1"))
            )
    checks = []
    for structure, found in structures.items():
        if not {"R", "T"} <= set(found) or any(len(many) > 1 for many in found.values()):
            continue
        parts = {symbol: many[0] for symbol, many in found.items()}
        if len({part.name for part in parts.values()}) < len(parts):
            continue  # a table of its own has its own checks
        shared = parts["R"].x[
            [bool(all(part.at(x) is not None for part in parts.values())) for x in parts["R"].x]
        ]
        if shared.size:
            r, t, a = (
                None if symbol not in parts else np.array([parts[symbol].at(x) for x in shared])
                for symbol in "RTA"
            )
            assert r is not None and t is not None
            label = ", ".join(f"{symbol} of {part.name}" for symbol, part in parts.items())
            checks += _checks(_Set(label, r, t, a), expected, structure)
    return checks


def _checks(found: _Set, expected: str, source: str) -> list[Check]:
    checks = []
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
