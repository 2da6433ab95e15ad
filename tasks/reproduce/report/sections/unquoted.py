"""Numbers of the paper's methods and tables that no input or target states: what a verdict says nothing about.

Those of abstract and conclusions stand beside the verdict (schemas/reproduce/planning/left.py). A number of the methods that no input
takes up may be the right one, where another was simulated in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.reproduce.planning.left import inputs_of, ranges_of, references_of
from schemas.reproduce.words.claims import numbers_told, section
from schemas.reproduce.words.same_number import same
from schemas.reproduce.words.written import Written
from schemas.text.numbers import quantities_in
from schemas.text.unit_forms import unit_name
from tasks.reproduce.report.document import Block, Cell, Fold, Paragraph, Table
from tasks.reproduce.report.source import Source

_METHODS = re.compile(
    r"^#{1,6}[ \t*]*(?:\d+\.?[ \t]+)?(?:(?:materials and |numerical )?methods?|experimental|methodology|"
    r"simulations?(?: details| methods?)?)\b[ \t*:.]*$",
    re.IGNORECASE | re.MULTILINE,
)
_TABLE = re.compile(r"(?:^[ \t]*\|.*\|[ \t]*$\n?){3,}", re.MULTILINE)
_SHOWN, _BEFORE, _AFTER = 40, 70, 30
_ROUNDING = 1e-3


def unquoted_blocks(source: Source) -> tuple[Block, ...]:
    """A closed list of the numbers, each with the words around it; a sentence if there is none."""
    covered = _covered(source)
    found = [
        (place, number, words)
        for place, number, words in _stated(source)
        if not all(
            any(same(end, unit_name(number.unit) if number.unit else "", *one, _ROUNDING) for one in covered)
            for end in (number.low, number.high)
        )
    ]
    if not found:
        return (Paragraph("Every number that code found in methods and tables is an input or a target's."),)
    rows = tuple(
        (Cell(place), Cell(_shown(number), number=True), Cell(words))
        for place, number, words in found[:_SHOWN]
    )
    more = f" The first {_SHOWN} are shown." if len(found) > _SHOWN else ""
    note = Paragraph(
        "Neither an input nor the number that a target is compared with. Numbers that are points of a compared "
        f"curve are listed too: no target names them.{more}"
    )
    return (
        Fold(
            f"Numbers of the paper's methods and tables that no input or target states: {len(found)}",
            (note, Table(("Where", "Number", "Words around it"), rows)),
        ),
    )


def _stated(source: Source) -> Iterator[tuple[str, Written, str]]:
    for name, text in (("", source.paper.text), ("supplement, ", source.paper.supplementary_text or "")):
        if begin := _METHODS.search(text):
            yield from ((f"{name}methods", *one) for one in _numbers(section(text, begin.end())))
        for place, table in enumerate(_TABLE.finditer(text), 1):
            head, _, body = (table[0].partition("\n")[2]).partition("\n")
            yield from (
                (f"{name}table {place}", *one)
                for one in _numbers(body if set(head) <= set("|-: \t") else table[0])
            )


def _numbers(text: str) -> Iterator[tuple[Written, str]]:
    for number in numbers_told(text):
        around = text[max(0, number.start - _BEFORE) : number.end + _AFTER]
        yield number, " ".join(around.split())


def _covered(source: Source) -> list[tuple[float, str]]:
    """(value, unit) of every input and of every reference that a comparison used or a target names."""
    plan, state = source.state.plan, source.state
    assumed = [
        (value, unit_name(unit) if unit else "")
        for assumption in state.assumptions
        for value, unit in quantities_in(assumption.value)
    ]
    return [
        *assumed,
        *(
            ()
            if plan is None
            else (
                *references_of(plan, tuple(c for _, c in source.compared)),
                *inputs_of(plan, state.extracted_parameters),
                *ranges_of(plan),
            )
        ),
    ]


def _shown(number: Written) -> str:
    ends = f"{number.low:g}" if number.low == number.high else f"{number.low:g} to {number.high:g}"
    return f"{ends} {number.unit}".strip()
