"""raw_data.csv: one row per participant and condition, each marked as simulated or not."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

PARTICIPANT, CONDITION, SIMULATED = "participant", "condition", "simulated"
ORDER = "condition_order"  # 1 for the condition that a participant met first
_TRUE, _FALSE = ("true", "1", "yes", "t", "y"), ("false", "0", "no", "f", "n", "")


def read_rows(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV by column. Raises ValueError for text that is none, ragged rows, columns twice."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text: {error.reason} at byte {error.start}") from None
    try:
        lines = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    except csv.Error as error:
        raise ValueError(f"no CSV: {error}") from None
    if not lines:
        raise ValueError("it is empty")
    header, rows = [name.strip() for name in lines[0]], lines[1:]
    if len(set(header)) != len(header) or "" in header:
        raise ValueError("a column's name is missing or there twice: " + ", ".join(header)[:300])
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise ValueError(f"line {number} has {len(row)} cells, the header {len(header)}")
    return [dict(zip(header, row, strict=True)) for row in rows]


def write_rows(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """A CSV of these columns; missing values are empty cells, numbers in full precision, truth as true or false."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns])
    return stream.getvalue().encode()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value


def is_simulated(row: Mapping[str, str]) -> bool:
    """Whether a row says that it was simulated. Raises ValueError for a mark that is no truth value."""
    mark = (
        next((value for name, value in row.items() if name.strip().lower() == SIMULATED), "").strip().lower()
    )
    if mark in _TRUE:
        return True
    if mark in _FALSE:
        return False
    raise ValueError(f"the column {SIMULATED} holds {mark[:40]!r}; true or false is allowed")


def all_marked(rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether there are rows and each says that it was simulated."""
    try:
        return bool(rows) and all(is_simulated(row) for row in rows)
    except ValueError:
        return False
