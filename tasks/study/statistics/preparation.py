"""Declared steps on the cells of a table: `python -m study_statistics.preparation as_collected.csv preparation.json > prepared.csv`"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

_COMMA = re.compile(r"[+-]?(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?\Z")
_POINT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_PERCENT = re.compile(r"([+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+))\s?%\Z")


def prepared(
    table: Mapping[str, Sequence[str]], steps: Sequence[Mapping[str, Any]], empty: Callable[[str], bool]
) -> tuple[dict[str, list[str]], list[int]]:
    """The columns after all steps, and how many cells each changed. table: column -> cells. empty: whether a cell is missing.

    Raises ValueError with step and column for a column that is not there, a cell that a named column's step cannot read, or one
    that is no rank.
    """
    found = {name: [cell.strip() for cell in cells] for name, cells in table.items()}
    changed = []
    for place, step in enumerate(steps, 1):
        where = f"step {place} ({step['kind']})"
        if strange := [name for name in step["columns"] if name not in found]:
            raise ValueError(f"{where}: there is no column {', '.join(map(repr, strange[:5]))}")
        count = 0
        for name in step["columns"] or [*found]:
            cells = [
                cell if empty(cell) else _changed(step, cell, f"{where}, {name}, row {row}")
                for row, cell in enumerate(found[name], 1)
            ]
            count += sum(one != other for one, other in zip(cells, found[name], strict=True))
            found[name] = cells
        changed.append(count)
    return found, changed


def _changed(step: Mapping[str, Any], cell: str, where: str) -> str:
    kind, values = step["kind"], [value.strip() for value in step["values"]]
    if kind == "missing":
        return "" if cell in values else cell
    if kind == "merge":
        return str(step["into"]).strip() if cell in values else cell
    if kind == "ranks":
        if cell not in values:
            raise ValueError(f"{where}: {cell[:40]!r} is none of the ranks")
        return str(values.index(cell) + 1)
    if kind == "percent":
        match = _PERCENT.match(cell)
        if match is None and step["columns"]:
            raise ValueError(f"{where}: {cell[:40]!r} is no percentage")
        return match[1].replace(",", ".") if match else cell
    if _COMMA.match(cell):
        return cell.replace(".", "").replace(",", ".") if "," in cell or step["columns"] else cell
    if step["columns"] and not _POINT.match(cell):
        raise ValueError(f"{where}: {cell[:40]!r} is no number")
    return cell


def main(data: str, steps: str) -> None:
    """Print the prepared table as CSV."""
    with Path(data).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    table = {name: [row[place] for row in rows[1:]] for place, name in enumerate(rows[0])}
    declared = json.loads(Path(steps).read_text(encoding="utf-8"))["steps"]
    found, _ = prepared(table, declared, lambda cell: not cell)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(found)
    writer.writerows(zip(*found.values(), strict=True))


if __name__ == "__main__":
    main(*sys.argv[1:3])
