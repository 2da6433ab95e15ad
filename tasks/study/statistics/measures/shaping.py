"""Tables turned, and dates: what stands side by side becomes rows of its own, and days are counted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime

_DATE = re.compile(
    r"([0-9]{1,4})[-./]([0-9]{1,2})[-./]([0-9]{1,4})(?:[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?)?\Z"
)


def long(
    table: Mapping[str, Sequence[str]],
    levels: Sequence[str],
    measures: Mapping[str, Sequence[str]],
    into: str,
    by: str,
) -> dict[str, list[str]]:
    """A row for each row and level. measures: new column -> the columns that hold it, one for each level; into: the new column that
    says which level; by: the column that names participants, made of the row's number where the table has none."""
    used = {column for columns in measures.values() for column in columns}
    rows = range(len(next(iter(table.values()))))
    found: dict[str, list[str]] = {} if by in table else {by: [str(row + 1) for row in rows for _ in levels]}
    found |= {
        name: [cells[row] for row in rows for _ in levels]
        for name, cells in table.items()
        if name not in used
    }
    found[into] = [level for _ in rows for level in levels]
    for name, columns in measures.items():
        found[name] = [table[column][row] for row in rows for column in columns]
    return found


def moment(cell: str, order: str) -> date | datetime:
    """The date of a cell, with its time where it has one. order: of day, month and year (dmy, mdy, ymd). Raises ValueError."""
    match = _DATE.match(cell)
    if match is None:
        raise ValueError("no date")
    parts = dict(zip(order, match.groups()[:3], strict=True))
    if len(parts["y"]) != 4:
        raise ValueError("no year of four digits")
    day = (int(parts["y"]), int(parts["m"]), int(parts["d"]))
    hour, minute, second = match.groups()[3:]
    return date(*day) if hour is None else datetime(*day, int(hour), int(minute), int(second or 0))


def days(start: str, end: str) -> float:
    """Days from one date (as `moment` writes it: ISO) to another; with times, parts of days. Raises ValueError for what is none."""
    first, last = (datetime.fromisoformat(cell) for cell in (start, end))
    if ("T" in start) != ("T" in end):
        raise ValueError("a date with a time beside one without")
    return (last - first).total_seconds() / 86400
