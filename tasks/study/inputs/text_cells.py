"""Text cells: what is missing, what is a number, and what no cell may hold."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import pandas as pd

from schemas.errors import InputError
from schemas.study.inputs import ColumnType

MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "-", ".", "missing"})
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+\Z")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?\Z", re.IGNORECASE)
_DATE = re.compile(
    r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?\Z"
)
_FORMULA = re.compile(r"=|[+@-](?=[A-Za-z]+[A-Za-z0-9.]*[(|!])|\t=")
_TRUTH = frozenset({"true", "false", "yes", "no"})
_MOST_CATEGORIES = 50
_LONGEST_NAME = 100


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.strip().lower() in MISSING


def number_in(cell: str) -> float | None:
    """The number of a cell, None for anything else. Infinite for one that is, or is too large for a float."""
    text = cell.strip()
    if _INFINITE.match(text):
        return math.inf
    return float(text) if _NUMBER.match(text) else None


def check_header(name: str, header: Sequence[str]) -> list[str]:
    """The columns' names without spaces around them. Raises InputError for empty, double, odd ones, or no header at all."""
    names = [str(item).strip() for item in header]
    if empty := [str(place) for place, item in enumerate(names, 1) if not item]:
        raise InputError(
            f"{name}: a column has no name",
            found=f"column {', '.join(empty[:5])}",
            fix="name every column; delete one that only numbers the rows",
        )
    if double := sorted({item for item in names if names.count(item) > 1}):
        raise InputError(
            f"{name}: columns have the same name", found=", ".join(double[:5])[:200], fix="rename all but one"
        )
    if odd := [item for item in names if len(item) > _LONGEST_NAME or not item.isprintable()]:
        raise InputError(
            f"{name}: a column's name is too long or holds control characters",
            found=ascii(odd[0][:60]),
            allowed=f"{_LONGEST_NAME} printable characters",
            fix="shorten it",
        )
    if len(names) > 1 and all(number_in(item) is not None for item in names):
        raise InputError(
            f"{name} has no header",
            found=", ".join(names)[:120],
            allowed="names in the first line",
            fix="put a line with the columns' names on top",
        )
    return names


def check_formulas(name: str, frame: pd.DataFrame) -> None:
    """Raises InputError for a cell that a spreadsheet would calculate."""
    for column in frame.columns:
        bad = frame[column].map(lambda cell: bool(_FORMULA.match(cell.lstrip(" "))))
        if bad.any():
            row = int(bad.to_numpy().argmax())
            raise InputError(
                f"{name}: a cell holds a formula",
                found=f"row {row + 1}, {column}: {frame[column].iloc[row][:60]!r}",
                allowed="values",
                fix="paste values instead of formulas (Paste Special, Values) and export again",
            )


def type_of(name: str, column: str, cells: Sequence[str], *, may_mix: bool = False) -> ColumnType:
    """The type of a column from its cells that are not missing. may_mix: names of participants may look like numbers.

    Raises InputError for infinite numbers, and for text among numbers.
    """
    present = [cell.strip() for cell in cells if not is_missing(cell)]
    if not present:
        return "empty"
    numbers = [number_in(cell) for cell in present]
    if any(found is not None and math.isinf(found) for found in numbers):
        row = next(place for place, cell in enumerate(cells, 1) if math.isinf(number_in(cell) or 0))
        raise InputError(
            f"{name}: {column} holds an infinite number",
            found=f"row {row}: {cells[row - 1].strip()[:40]}",
            fix="correct it, or leave the cell empty",
        )
    known = sum(found is not None for found in numbers)
    if known == len(present):
        return (
            "whole" if all(float(found).is_integer() for found in numbers if found is not None) else "number"
        )
    if all(cell.lower() in _TRUTH for cell in present):
        return "truth"
    if all(_DATE.match(cell) for cell in present):
        return "date"
    if not may_mix and known * 2 >= len(present):
        rows = [
            f"row {place}: {cell.strip()[:30]!r}"
            for place, cell in enumerate(cells, 1)
            if not is_missing(cell) and number_in(cell) is None
        ]
        commas = all(
            _COMMA.match(cell) for cell, found in zip(present, numbers, strict=True) if found is None
        )
        raise InputError(
            f"{name}: {column} mixes numbers and text",
            found=f"{len(rows)} of {len(present)} cells are no number: " + ", ".join(rows[:3]),
            allowed="numbers, or an empty cell, NA or null where one is missing",
            fix="write decimals with a point, or declare the step decimal_commas in preparation.json"
            if commas
            else "correct these cells, split the column in two, or declare in preparation.json what they are (percent, missing, "
            "ranks; header_rows, where names fill several lines)",
        )
    if sum(
        bool(_COMMA.match(cell)) or found is not None for cell, found in zip(present, numbers, strict=True)
    ) == len(present):
        raise InputError(
            f"{name}: {column} has decimal commas",
            found=present[0][:30],
            fix="write decimals with a point, or declare the step decimal_commas in preparation.json",
        )
    few = len(set(present)) <= min(_MOST_CATEGORIES, max(2, len(present) // 2))
    return "category" if few else "text"
