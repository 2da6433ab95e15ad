"""Numbers that an agent typed: in its sources, in files it wrote by hand, in its commands, in data its directory came with."""

from __future__ import annotations

import re
from pathlib import Path

from schemas.explore.claims import NodeRecord
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.nodes.node_files import is_source, regular_files

_SOURCE_BYTES, _FEW_BYTES, _MOST = 1 << 20, 16_384, 20_000
_COMMON = frozenset((0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 100.0))
_NUMBER = re.compile(
    r"(?<![\w.])[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?|(?<![\w.])\.[0-9]+(?:[eE][+-]?[0-9]+)?"
)


def all_numbers_in(text: str) -> set[float]:
    """The distinct finite numbers that stand in a text, without signs."""
    found: set[float] = set()
    for match in _NUMBER.finditer(text):
        try:
            found.add(float(match[0].replace("_", "")))
        except ValueError:
            continue
    return found - {float("inf")}


def numbers_in(text: str) -> tuple[float, ...]:
    """`all_numbers_in` to be kept in a record: sorted; at most 20 000, the smallest."""
    return tuple(sorted(all_numbers_in(text))[:_MOST])


def typed_numbers(work: Path, record: NodeRecord) -> dict[float, str]:
    """Every number that the node or its ancestors typed, as far as it is still there or was recorded -> where. No signs.

    A source counts whoever wrote it last: a program can append to one. A small file of data that came with the directory can be
    handed on as it is, too, save its common numbers (0, 1), and save one that a program of this node wrote anew.
    """
    found: dict[float, str] = {}

    def note(numbers: set[float] | tuple[float, ...], where: str) -> None:
        for number in numbers:
            found.setdefault(number, where)

    writers = {file.path: execution.kind for execution in record.executions for file in execution.written}
    for path in regular_files(work):
        writer = writers.get(path)
        try:
            if is_source(path) or writer == "write":
                note(all_numbers_in(read_below(work, path, _SOURCE_BYTES).decode("utf-8", "replace")), path)
            elif path in record.inherited and writer != "run":
                note(
                    all_numbers_in(read_below(work, path, _FEW_BYTES).decode("utf-8", "replace")) - _COMMON,
                    path,
                )
        except Unopened:
            continue
    for execution in record.executions:
        if execution.kind == "run":
            note(all_numbers_in(execution.command), f"the command of execution {execution.number}")
        else:
            note(execution.typed, f"what was typed in step {execution.number}")
    return found
