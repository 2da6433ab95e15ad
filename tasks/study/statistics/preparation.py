"""Declared steps on a table: `python -m study_statistics.preparation as_collected.csv preparation.json > prepared.csv`"""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .measures import scoring, shaping

_COMMA = re.compile(r"[+-]?(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?\Z")
_POINT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\Z")
_PERCENT = re.compile(r"([+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+))\s?%\Z")
_NEW = ("mean", "sum", "sus", "tlx", "ueq", "days")

Table = dict[str, list[str]]


def prepared(
    table: Mapping[str, Sequence[str]], steps: Sequence[Mapping[str, Any]], empty: Callable[[str], bool]
) -> tuple[Table, list[int]]:
    """The columns after all steps, and how many cells each changed or made. table: column -> cells. empty: whether a cell is missing.

    Raises ValueError with step and column for a column that is not there, one that is made twice, or a cell that the step of a named
    column cannot read.
    """
    found = {name: [cell.strip() for cell in cells] for name, cells in table.items()}
    changed = []
    for place, step in enumerate(steps, 1):
        where = f"step {place} ({step['kind']})"
        needed = [*step["columns"], *(name for names in step.get("measures", {}).values() for name in names)]
        if strange := [name for name in needed if name not in found]:
            raise ValueError(f"{where}: there is no column {', '.join(map(repr, strange[:5]))}")
        if step["kind"] == "long":
            found, count = _long(found, step, where)
        elif step["kind"] in _NEW:
            count = _made(found, step, where, empty)
        else:
            count = _on_cells(found, step, where, empty)
        changed.append(count)
    return found, changed


def _on_cells(found: Table, step: Mapping[str, Any], where: str, empty: Callable[[str], bool]) -> int:
    count = 0
    for name in step["columns"] or [*found]:
        cells = [
            cell if empty(cell) else _changed(step, cell, f"{where}, {name}, row {row}")
            for row, cell in enumerate(found[name], 1)
        ]
        count += sum(one != other for one, other in zip(cells, found[name], strict=True))
        found[name] = cells
    return count


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
    if kind == "turn":
        low, high = step["minimum"], step["maximum"]
        value = _number(cell, where)
        if not low <= value <= high:
            raise ValueError(f"{where}: {cell[:40]!r} lies outside {low:g} to {high:g}")
        return _text(low + high - value)
    if kind == "dates":
        try:
            return shaping.moment(cell, step["order"]).isoformat()
        except ValueError:
            raise ValueError(f"{where}: {cell[:40]!r} is no date of the order {step['order']}") from None
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


def _made(found: Table, step: Mapping[str, Any], where: str, empty: Callable[[str], bool]) -> int:
    """New columns from others, row by row."""
    kind, into, columns = step["kind"], str(step["into"]).strip(), step["columns"]
    made = {f"{into}_{scale}": scale for scale in scoring.UEQ} if kind == "ueq" else {into: ""}
    _fresh(found, made, where)
    count = 0
    for name, scale in made.items():
        cells = []
        for row in range(len(next(iter(found.values())))):
            at = f"{where}, row {row + 1}"
            given = ["" if empty(found[column][row]) else found[column][row] for column in columns]
            try:
                value = _value(kind, scale, given, step, at)
            except ValueError as error:
                raise ValueError(str(error) if str(error).startswith(at) else f"{at}: {error}") from None
            cells.append("" if value is None else _text(value))
        found[name] = cells
        count += sum(bool(cell) for cell in cells)
    return count


def _value(kind: str, scale: str, given: list[str], step: Mapping[str, Any], at: str) -> float | None:
    if kind == "days":
        return shaping.days(given[0], given[1]) if all(given) else None
    row = [_number(cell, at) if cell else None for cell in given]
    if kind == "mean":
        return scoring.mean(row, step.get("at_least") or len(row))
    if kind == "ueq":
        return scoring.ueq(row, scale)
    return scoring.total(row) if kind == "sum" else scoring.SCORES[kind][1](row)


def _long(found: Table, step: Mapping[str, Any], where: str) -> tuple[Table, int]:
    measures = {str(name).strip(): columns for name, columns in step["measures"].items()}
    used = {column for columns in measures.values() for column in columns}
    _fresh(
        {name: cells for name, cells in found.items() if name not in used}, [*measures, step["into"]], where
    )
    if step["by"] in used:
        raise ValueError(f"{where}: {step['by']!r} names participants and is turned")
    turned = shaping.long(found, step["values"], measures, str(step["into"]).strip(), step["by"])
    return turned, len(turned[step["into"].strip()])


def _fresh(found: Mapping[str, Any], names: Any, where: str) -> None:
    if there := [name for name in names if name in found]:
        raise ValueError(f"{where}: there is a column {there[0]!r} already")


def _number(cell: str, where: str) -> float:
    if len(cell) > 300 or not _POINT.match(cell):
        raise ValueError(f"{where}: {cell[:40]!r} is no number")
    value = float(cell)
    if not math.isfinite(value):
        raise ValueError(f"{where}: {cell[:40]!r} is too large")
    return value


def _text(value: float) -> str:
    return f"{value:.15g}"


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
