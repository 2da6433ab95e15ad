"""Tables of numbers as CSV, read and written with pandas: of papers, of simulations, and of results.

A CSV is hostile until checked: its size is limited before it is parsed, every cell must be a plain decimal number,
and nothing becomes NaN in silence.
"""

from __future__ import annotations

import codecs
import functools
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tasks.files.store import atomic_write

if TYPE_CHECKING:
    import pandas as pd

# nan and inf are numbers of a failed simulation, kept as evidence; `read_table` refuses them unless asked.
_NUMBER = r"\s*[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[nN][aA][nN]|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)\s*"  # noqa: E501
_LONGEST = 40  # characters of a cell
_LONGEST_FIELD = (
    200  # bytes of a cell with the spaces around it, or of a column's name, on average over the line
)
_PIECE = 20_000  # rows


@dataclass(frozen=True)
class TableLimits:
    """What is read at most: bytes of the file, rows, columns, and cells in all."""

    bytes: int = 20_000_000
    rows: int = 1_000_000
    columns: int = 256
    cells: int = 10_000_000


PAPER = TableLimits()
_SMALL = 1 << 18  # bytes of a table that is remembered
SIMULATION = TableLimits(bytes=200 << 20)


def read_table(
    source: Path | bytes,
    *,
    limits: TableLimits = PAPER,
    comments: bool = True,
    finite: bool = True,
    empty: bool = False,
) -> pd.DataFrame:
    """A CSV of numbers with a header row, as float64 columns in the file's order.

    source: a file of ours, or the bytes of one that others wrote.
    comments: lines that begin with # are left out. finite: NaN and infinite values are refused. empty: a header
    without rows is a table.

    Raises:
        ValueError: what is wrong and in which row; OSError if the file cannot be read.
    """
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    if size > limits.bytes:
        raise ValueError(f"it has {size} bytes; at most {limits.bytes} are read")
    raw = source if isinstance(source, bytes) else source.read_bytes()
    raw, how = raw.removeprefix(codecs.BOM_UTF8), (limits, comments, finite, empty)
    return (_remembered(raw, *how) if len(raw) <= _SMALL else _parsed(raw, *how)).copy()


def parse_table(
    text: str, *, limits: TableLimits = PAPER, comments: bool = True, finite: bool = True, empty: bool = False
) -> pd.DataFrame:
    """As `read_table`, from the text of a CSV."""
    return _parsed(text.encode("utf-8", "surrogatepass"), limits, comments, finite, empty)


@functools.lru_cache(maxsize=32)
def _remembered(raw: bytes, limits: TableLimits, comments: bool, finite: bool, empty: bool) -> pd.DataFrame:
    """A small table: evidence, plots and the report read the same ones again and again."""
    return _parsed(raw, limits, comments, finite, empty)


def _parsed(raw: bytes, limits: TableLimits, comments: bool, finite: bool, empty: bool) -> pd.DataFrame:
    """A table piece by piece: what it takes beside the file's bytes and the numbers does not grow with its length."""
    import pandas as pd  # slow to import, and most commands read no table

    _check_text(raw)
    if comments:
        raw = b"\n".join(line for line in raw.splitlines() if not line.lstrip().startswith(b"#"))
    lines, widest = raw.count(b"\n") + 1, raw.partition(b"\n")[0].count(b",") + 1
    if lines > limits.rows + 1 or widest > limits.columns or lines * widest > limits.cells:
        raise ValueError(
            f"about {lines} rows of {widest} columns are too much; at most {limits.rows} rows, "
            f"{limits.columns} columns and {limits.cells} cells are read"
        )
    longest = max(map(len, io.BytesIO(raw)), default=0)
    if longest > limits.columns * _LONGEST_FIELD:
        raise ValueError(
            f"a line of {longest} bytes is too long; at most {limits.columns * _LONGEST_FIELD} are read"
        )
    header: list[str] = []
    parts: list[pd.DataFrame] = []
    rows = 0
    try:
        for cells in pd.read_csv(
            io.BytesIO(raw), header=None, dtype=str, na_filter=False, skipinitialspace=True, chunksize=_PIECE
        ):
            first = not header
            if first:
                header = _header(cells)
            body = cells.iloc[1:] if first else cells
            rows += len(body)
            parts.append(
                pd.DataFrame({name: _numbers(body[place], name, finite) for place, name in enumerate(header)})
            )
    except pd.errors.EmptyDataError:
        pass
    except pd.errors.ParserError as error:
        raise ValueError(f"not a CSV of equally long rows: {' '.join(str(error).split())[:200]}") from None
    if not header or not (rows or empty):
        raise ValueError("needs a header line and at least one row of numbers")
    return pd.concat(parts, ignore_index=True)


def write_table(path: Path, table: pd.DataFrame) -> Path:
    """Write a table as CSV in full double precision, atomically; missing values are empty cells."""
    return atomic_write(path, table.to_csv(index=False, lineterminator="\n"))


def _check_text(raw: bytes) -> None:
    if b"\x00" in raw:
        raise ValueError("not a CSV text file: it holds a NUL byte")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(raw), 1 << 20):
            decoder.decode(raw[start : start + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise ValueError(f"not a CSV text file: {error.reason}") from error


def _header(cells: pd.DataFrame) -> list[str]:
    header = [str(name).strip() for name in cells.iloc[0]]
    if len(set(header)) != len(header) or not all(header):
        raise ValueError(f"column names must be different and not empty; found {header[:20]}")
    return header


def _numbers(cells: pd.Series, name: str, finite: bool) -> np.ndarray:
    plain = cells.str.fullmatch(_NUMBER) & (cells.str.len() <= _LONGEST)
    bad = cells[~plain.astype(bool)]
    if len(bad):
        raise ValueError(
            f"row {bad.index[0] + 1}, column {name!r}: {str(bad.iloc[0])[:60]!r} is not a plain number "
            "with a decimal point; every row must fill every column"
        )
    values: np.ndarray = cells.to_numpy(dtype=object).astype(float)
    wrong = np.flatnonzero(~np.isfinite(values))
    if finite and wrong.size:
        raise ValueError(
            f"row {cells.index[wrong[0]] + 1}, column {name!r} holds a NaN or infinite value; remove it"
        )
    return values
