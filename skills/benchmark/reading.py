"""Columns of numbers from CSV, JSON and NPY files that programs wrote; hostile until checked."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from schemas.reading.beneath import Unopened, read_below
from schemas.reading.strict_json import parse_json
from tasks.files.tables import TableLimits, parse_table

_MOST_BYTES, _MOST_COLUMNS = 64 << 20, 200
Columns = dict[str, np.ndarray]


class Unreadable(ValueError):
    """A file holds no columns of numbers; the text says why."""


def columns_of(work: Path, name: str) -> Columns:
    """Columns by name: of a CSV its own, of JSON the lists of numbers by their path (a.b), of NPY `value` or c0, c1, ...

    Raises Unreadable.
    """
    try:
        data = read_below(work, name, _MOST_BYTES, one_name=False)
        kind = Path(name).suffix.lower()
        if kind == ".csv":
            table = parse_table(data.decode("utf-8"), limits=TableLimits(bytes=_MOST_BYTES))
            found = {str(column): np.asarray(table[column], dtype=float) for column in table.columns}
        elif kind == ".json":
            found = {}
            _gather(parse_json(data.decode("utf-8")), "", found)
        elif kind == ".npy":
            found = _array(data)
        else:
            raise Unreadable(f"{name} is none of .csv, .json, .npy")
    except (Unopened, UnicodeDecodeError, ValueError, TypeError) as error:
        raise error if isinstance(error, Unreadable) else Unreadable(f"{name}: {error}") from None
    if not found or len(found) > _MOST_COLUMNS:
        raise Unreadable(f"{name} holds {len(found)} columns of numbers; 1 to {_MOST_COLUMNS} are read")
    return found


def column_of(work: Path, name: str, column: str) -> np.ndarray:
    """One column, or the only one. Raises Unreadable that lists them."""
    found = columns_of(work, name)
    if not column and len(found) == 1:
        return next(iter(found.values()))
    if column not in found:
        raise Unreadable(f"{name} has no column {column!r}; it has {', '.join(list(found)[:40])}")
    return found[column]


def _array(data: bytes) -> Columns:
    array = np.load(io.BytesIO(data), allow_pickle=False)
    if array.dtype.kind not in "iuf" or array.ndim not in (1, 2) or array.size == 0:
        raise Unreadable("an array of real numbers with one or two axes is read")
    if array.ndim == 1:
        return {"value": array.astype(float)}
    return {
        f"c{number}": array[:, number].astype(float)
        for number in range(min(array.shape[1], _MOST_COLUMNS + 1))
    }


def _gather(value: Any, path: str, found: Columns) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _gather(item, f"{path}.{key}" if path else str(key), found)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for key in value[0]:
            _gather([item.get(key) for item in value], f"{path}.{key}" if path else str(key), found)
    elif (
        isinstance(value, list)
        and value
        and all(isinstance(x, int | float) and not isinstance(x, bool) for x in value)
    ):
        found[path or "value"] = np.asarray(value, dtype=float)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found[path or "value"] = np.asarray([value], dtype=float)
