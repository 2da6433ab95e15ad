"""CSV and TSV as text cells; nothing is guessed, and what does not fit is said with its line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd

from schemas.errors import InputError
from tasks.study.inputs.input_files import InputLimits, decoded, kind_of

_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


def read_delimited(path: Path, limits: InputLimits, delimiter: str = "") -> pd.DataFrame:
    """A table of text cells. delimiter: where it is not that of the file's ending.

    Raises InputError: binary, wrong delimiter, ragged rows, no rows, too much.
    """
    own = "\t" if kind_of(path) == "tsv" else ","
    return parse_delimited(path.name, decoded(path.name, path.read_bytes()), delimiter or own, limits)


def parse_delimited(name: str, text: str, delimiter: str, limits: InputLimits) -> pd.DataFrame:
    """As `read_delimited`, from text."""
    if not text.strip():
        raise InputError(f"{name} is empty", found="nothing but spaces", fix="save it again with its content")
    header = _first_line(text)
    _check_delimiter(name, header, text, delimiter)
    csv.field_size_limit(limits.field)
    rows: list[list[str]] = []
    wide = 0
    try:
        for number, row in enumerate(
            csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1
        ):
            if not any(cell.strip() for cell in row):
                continue
            if not rows:
                wide = len(row)
                if wide > limits.columns:
                    raise InputError(
                        f"{name} has too many columns",
                        found=wide,
                        allowed=f"at most {limits.columns}",
                        fix="leave out columns that the study does not need; if rows are participants' items, "
                        "turn the table",
                    )
            elif len(row) != wide:
                raise InputError(
                    f"{name}: line {number} has {len(row)} cells, the header {wide}",
                    found=_shown(row),
                    allowed=f"{wide} cells in each line",
                    fix="quote cells that hold the delimiter, or check where a line was cut",
                )
            rows.append(row)
            if len(rows) > limits.rows + 1 or len(rows) * wide > limits.cells:
                raise InputError(
                    f"{name} has too many rows",
                    found=f"more than {len(rows) - 1}",
                    allowed=f"{limits.rows} rows, {limits.cells} cells",
                    fix="aggregate trials",
                )
    except csv.Error as error:
        raise InputError(
            f"{name} is no table",
            found=str(error),
            fix=f"close every quotation mark; a cell holds at most {limits.field} characters",
        ) from None
    if len(rows) < 2:
        raise InputError(
            f"{name} has no rows",
            found=f"a header of {wide} columns",
            fix="put at least one row of data below it",
        )
    return pd.DataFrame(rows[1:], columns=pd.Index(rows[0], dtype=object), dtype=object)


def _first_line(text: str) -> str:
    return next(line for line in text.splitlines() if line.strip())


def _check_delimiter(name: str, header: str, text: str, delimiter: str) -> None:
    """Another delimiter that splits header and next lines alike, where this one does not split at all, is the right one."""
    if delimiter in header:
        return
    lines = [line for line in text[:200_000].splitlines() if line.strip()][:5]
    for other, words in _DELIMITERS.items():
        counts = {line.count(other) for line in lines}
        if other != delimiter and min(counts) > 0 and (len(counts) == 1 or other in "\t;|"):
            raise InputError(
                f"{name} is not separated by {_DELIMITERS[delimiter]}",
                found=f"{words}: {header[:80]!r}",
                allowed="commas in .csv, tabs in .tsv",
                fix="export it with commas"
                + (", or rename it to .tsv" if other == "\t" else "")
                + f', or declare {{"delimiter": {json.dumps(other)}}} in preparation.json',
            )


def _shown(row: list[str]) -> str:
    return ", ".join(cell[:20] for cell in row[:6])[:120]
