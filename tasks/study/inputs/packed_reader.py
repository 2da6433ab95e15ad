"""Runs in the sandbox and stands alone: xlsx or parquet in, CSV files and found.json out."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


class Refused(Exception):
    """What is wrong, what was found, what to do."""

    def __init__(self, error: str, found: str, fix: str):
        super().__init__(error)
        self.told = {"error": error, "found": found, "fix": fix}


def cell(value: Any) -> str:
    """A value as text that loses nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, (bytes, list, dict)):
        raise Refused("a cell holds no plain value", type(value).__name__, "make each of its parts a column")
    return str(value)


def write(name: str, rows: Iterable[list[str]], most_rows: int, most_columns: int, most_cells: int) -> int:
    """Write the CSV; the number of rows."""
    count, wide = 0, 0
    with open(name, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        for row in rows:
            wide = wide or len(row)
            count += 1
            if wide > most_columns:
                raise Refused(
                    "too many columns", str(wide), f"leave out columns; at most {most_columns} are read"
                )
            if count > most_rows + 1 or count * wide > most_cells:
                raise Refused(
                    "too many rows",
                    f"more than {count - 1}",
                    f"aggregate trials; at most {most_rows} rows are read",
                )
            writer.writerow(row)
    return count


def sheet_rows(sheet: Any) -> Iterator[list[str]]:
    """The rows of a sheet without empty columns at the end; formulas are refused with their cell."""
    wide = 0
    for number, row in enumerate(sheet.iter_rows(), 1):
        for item in row:
            if getattr(item, "data_type", "") == "f":
                raise Refused(
                    "a cell holds a formula",
                    f"sheet {sheet.title}, {item.coordinate}",
                    "paste the values (Paste Special, Values) and save again",
                )
            if getattr(item, "data_type", "") == "e":
                raise Refused(
                    "a cell holds an error value",
                    f"sheet {sheet.title}, {item.coordinate}: {item.value}",
                    "correct the cell, or leave it empty",
                )
        cells = [cell(item.value) for item in row]
        if not wide:
            while cells and not cells[-1]:
                cells.pop()
            wide = len(cells)
            if not wide:
                continue
        if any(cells[wide:]):
            raise Refused(
                "a row is longer than the header", f"sheet {sheet.title}, row {number}", "name every column"
            )
        if any(cells[:wide]):
            yield (cells + [""] * wide)[:wide]


def main(path: str, *limits: str) -> None:
    """Convert one file."""
    most = [int(item) for item in limits]
    tables: dict[str, str] = {}
    try:
        if path.endswith(".xlsx"):
            import openpyxl

            book = openpyxl.load_workbook(path, read_only=True, data_only=False, keep_links=False)
            for place, sheet in enumerate(book.worksheets[:20]):
                if write(f"table-{place}.csv", sheet_rows(sheet), most[0], most[1], most[2]):
                    tables[sheet.title] = f"table-{place}.csv"
        else:
            import pyarrow.parquet as parquet

            file = parquet.ParquetFile(path)
            facts = file.metadata
            if (
                facts.num_rows > most[0]
                or facts.num_columns > most[1]
                or facts.num_rows * facts.num_columns > most[2]
            ):
                raise Refused(
                    "too large", f"{facts.num_rows} rows of {facts.num_columns} columns", "leave out columns"
                )
            names = list(file.schema_arrow.names)
            rows = (
                [cell(value) for value in line]
                for batch in file.iter_batches(5000)
                for line in zip(*(column.to_pylist() for column in batch.columns), strict=True)
            )
            write("table-0.csv", (row for part in ([names], rows) for row in part), most[0], most[1], most[2])
            tables[""] = "table-0.csv"
        if not tables:
            raise Refused("it is empty", "no sheet with cells", "put the data on the first sheet")
        told: dict[str, Any] = {"tables": tables}
    except Refused as error:
        told = error.told
    Path("found.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
