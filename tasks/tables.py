"""Tables of numbers as CSV, read and written with pandas: of papers, of simulations, and of results.

A CSV is hostile until checked: its size is limited before it is parsed, every cell must be a plain decimal number,
and nothing becomes NaN in silence.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tasks.store import atomic_write

if TYPE_CHECKING:
    import pandas as pd

# nan and inf are numbers of a failed simulation, kept as evidence; `read_table` refuses them unless asked.
_NUMBER = r"\s*[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[nN][aA][nN]|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)\s*"  # noqa: E501
_LONGEST = 40  # characters of a cell


@dataclass(frozen=True)
class TableLimits:
    """What is read at most: bytes of the file, rows, columns, and cells in all."""

    bytes: int = 20_000_000
    rows: int = 1_000_000
    columns: int = 256
    cells: int = 10_000_000


PAPER = TableLimits()
SIMULATION = TableLimits(bytes=200 << 20)


def read_table(source: Path | bytes, *, limits: TableLimits = PAPER, comments: bool = True, finite: bool = True,
               empty: bool = False) -> pd.DataFrame:
    """A CSV of numbers with a header row, as float64 columns in the file's order.

    source: a file of ours, or the bytes of one that others wrote.
    comments: lines that begin with # are left out. finite: NaN and infinite values are refused. empty: a header
    without rows is a table.

    Raises:
        ValueError: what is wrong and in which row; OSError if the file cannot be read.
    """
    return parse_table(_text(source, limits), limits=limits, comments=comments, finite=finite, empty=empty)


def parse_table(text: str, *, limits: TableLimits = PAPER, comments: bool = True, finite: bool = True,
                empty: bool = False) -> pd.DataFrame:
    """As `read_table`, from the text of a CSV."""
    import pandas as pd  # slow to import, and most commands read no table

    if "\x00" in text:
        raise ValueError("not a CSV text file: it holds a NUL byte")
    if comments:
        text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    lines, widest = text.count("\n") + 1, text.partition("\n")[0].count(",") + 1
    if lines > limits.rows + 1 or widest > limits.columns or lines * widest > limits.cells:
        raise ValueError(f"about {lines} rows of {widest} columns are too much; at most {limits.rows} rows, "
                         f"{limits.columns} columns and {limits.cells} cells are read")
    try:
        cells = pd.read_csv(io.StringIO(text), header=None, dtype=str, na_filter=False, skipinitialspace=True)
    except pd.errors.EmptyDataError:
        cells = pd.DataFrame()
    except pd.errors.ParserError as error:
        raise ValueError(f"not a CSV of equally long rows: {' '.join(str(error).split())[:200]}") from None
    if len(cells) < (1 if empty else 2):
        raise ValueError("needs a header line and at least one row of numbers")
    header = [str(name).strip() for name in cells.iloc[0]]
    if len(set(header)) != len(header) or not all(header):
        raise ValueError(f"column names must be different and not empty; found {header[:20]}")
    table = pd.DataFrame({name: _numbers(cells[place].iloc[1:], name, finite) for place, name in enumerate(header)})
    return table.reset_index(drop=True)


def write_table(path: Path, table: pd.DataFrame) -> Path:
    """Write a table as CSV in full double precision, atomically; missing values are empty cells."""
    return atomic_write(path, table.to_csv(index=False, lineterminator="\n"))


def _text(source: Path | bytes, limits: TableLimits) -> str:
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    if size > limits.bytes:
        raise ValueError(f"it has {size} bytes; at most {limits.bytes} are read")
    try:
        return (source if isinstance(source, bytes) else source.read_bytes()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not a CSV text file: {error}") from error


def _numbers(cells: pd.Series, name: str, finite: bool) -> np.ndarray:
    plain = cells.str.fullmatch(_NUMBER) & (cells.str.len() <= _LONGEST)
    bad = cells[~plain.astype(bool)]
    if len(bad):
        raise ValueError(f"row {bad.index[0] + 1}, column {name!r}: {str(bad.iloc[0])[:60]!r} is not a plain number "
                         "with a decimal point; every row must fill every column")
    values = cells.to_numpy(dtype=object).astype(float)
    wrong = np.flatnonzero(~np.isfinite(values))
    if finite and wrong.size:
        raise ValueError(f"row {wrong[0] + 2}, column {name!r} holds a NaN or infinite value; remove it")
    return values
