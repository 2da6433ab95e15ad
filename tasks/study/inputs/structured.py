"""JSON and JSON lines as tables: a list of flat objects, or an object of equally long lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from schemas.errors import InputError
from schemas.reading.strict_json import MAX_CHARACTERS, parse_json
from tasks.study.inputs.input_files import InputLimits, decoded, kind_of

_SHAPE = 'a list of flat objects: [{"participant": "p1", "score": 3}, ...]'


def read_structured(path: Path, limits: InputLimits) -> pd.DataFrame:
    """A table of text cells. Raises InputError: malformed, NaN or infinite numbers, nested values, too much."""
    text = decoded(path.name, path.read_bytes())
    rows = _lines(path.name, text, limits) if kind_of(path) == "jsonl" else _whole(path.name, text)
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise InputError(
            f"{path.name} is no table",
            found="no rows" if not rows else type(rows[0]).__name__,
            allowed=_SHAPE,
            fix="bring it into this form",
        )
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(names) > limits.columns or len(rows) > limits.rows or len(names) * len(rows) > limits.cells:
        raise InputError(
            f"{path.name} is too large",
            found=f"{len(rows)} rows of {len(names)} columns",
            allowed=f"{limits.rows} rows, {limits.columns} columns, {limits.cells} cells",
            fix="leave out columns",
        )
    cells = [
        [_cell(path.name, number, name, row.get(name)) for name in names]
        for number, row in enumerate(rows, 1)
    ]
    return pd.DataFrame(cells, columns=pd.Index(names, dtype=object), dtype=object)


def _whole(name: str, text: str) -> list[Any]:
    value = _parsed(name, text, "")
    if isinstance(value, dict) and value and all(isinstance(item, list) for item in value.values()):
        if len({len(item) for item in value.values()}) > 1:
            raise InputError(
                f"{name}: its lists are not equally long",
                found=", ".join(f"{key} {len(item)}" for key, item in list(value.items())[:5]),
                fix="one value per row in each list",
            )
        return [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
    return value if isinstance(value, list) else [value] if isinstance(value, dict) else []


def _lines(name: str, text: str, limits: InputLimits) -> list[Any]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > limits.rows:
        raise InputError(
            f"{name} has too many rows", found=len(lines), allowed=limits.rows, fix="aggregate trials"
        )
    return [_parsed(name, line, f"line {number}: ") for number, line in lines]


def _parsed(name: str, text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        fix = (
            "save it as .jsonl, one object a line"
            if len(text) > MAX_CHARACTERS
            else "correct it; a missing value is null"
        )
        raise InputError(
            f"{name} is no JSON that can be read", found=f"{where}{error}", allowed=_SHAPE, fix=fix
        ) from None


def _cell(name: str, number: int, column: str, value: Any) -> str:
    if isinstance(value, (dict, list)):
        raise InputError(
            f"{name}: a cell holds {'an object' if isinstance(value, dict) else 'a list'}",
            found=f"row {number}, {column}",
            allowed=_SHAPE,
            fix="make each of its parts a column",
        )
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
