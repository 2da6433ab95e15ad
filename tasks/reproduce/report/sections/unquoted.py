"""Numbers of the paper's abstract, methods and tables that no input or target states: what a verdict says nothing about.

One of the methods that no input takes up may be the right one, where another was simulated in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.core.numbers import quantities_in
from schemas.core.unit_forms import unit_name
from schemas.reproduce.same_number import same
from schemas.reproduce.written import Written, numbers_in
from tasks.reproduce.report.document import Block, Cell, Fold, Paragraph, Table
from tasks.reproduce.report.source import Source

_ABSTRACT = re.compile(r"^#{0,6}[ \t*]*(?:abstract|summary)\b[ \t*:.]*", re.IGNORECASE | re.MULTILINE)
_METHODS = re.compile(r"^#{1,6}[ \t*]*(?:\d+\.?[ \t]+)?(?:(?:materials and |numerical )?methods?|experimental|methodology|"
                      r"simulations?(?: details| methods?)?)\b[ \t*:.]*$", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"^#+[ \t]|^[ \t*]*(?:\d+\.?[ \t]+)?(?:introduction|keywords?)\b", re.IGNORECASE | re.MULTILINE)
_TABLE = re.compile(r"(?:^[ \t]*\|.*\|[ \t]*$\n?){3,}", re.MULTILINE)
_LONGEST, _SHOWN, _BEFORE, _AFTER = 4000, 40, 70, 30
_COUNTS, _ROUNDING = 12, 1e-3


def unquoted_blocks(source: Source) -> tuple[Block, ...]:
    """A closed list of the numbers, each with the words around it; a sentence if there is none."""
    covered = _covered(source)
    found = [(place, number, words) for place, number, words in _stated(source)
             if not all(any(same(end, unit_name(number.unit) if number.unit else "", *one, _ROUNDING) for one in covered)
                        for end in (number.low, number.high))]
    if not found:
        return (Paragraph("Every number that code found in abstract, methods and tables is an input or a target's."),)
    rows = tuple((Cell(place), Cell(_shown(number), number=True), Cell(words)) for place, number, words in found[:_SHOWN])
    more = f" The first {_SHOWN} are shown." if len(found) > _SHOWN else ""
    note = Paragraph("Neither an input nor the number that a target is compared with. Numbers that are points of a compared "
                     f"curve are listed too: no target names them.{more}")
    return (Fold(f"Numbers of the paper's abstract, methods and tables that no input or target states: {len(found)}",
                 (note, Table(("Where", "Number", "Words around it"), rows))),)


def _stated(source: Source) -> Iterator[tuple[str, Written, str]]:
    for name, text in (("", source.paper.text), ("supplement, ", source.paper.supplementary_text or "")):
        for title, head in (("abstract", _ABSTRACT), ("methods", _METHODS)):
            if begin := head.search(text):
                end = _END.search(text, begin.end())
                part = text[begin.end() : min(end.start() if end else len(text), begin.end() + _LONGEST)]
                yield from ((f"{name}{title}", *one) for one in _numbers(part))
        for place, table in enumerate(_TABLE.finditer(text), 1):
            head, _, body = (table[0].partition("\n")[2]).partition("\n")
            yield from ((f"{name}table {place}", *one) for one in _numbers(body if set(head) <= set("|-: \t") else table[0]))


def _numbers(text: str) -> Iterator[tuple[Written, str]]:
    for number in numbers_in(text):
        bare = not number.unit or text[number.start].isalpha()  # "from one m to the next" is no length
        count = bare and number.high == int(number.high) and abs(number.high) <= _COUNTS
        if not (number.label or number.in_range or count):
            around = text[max(0, number.start - _BEFORE) : number.end + _AFTER]
            yield number, " ".join(around.split())


def _covered(source: Source) -> list[tuple[float, str]]:
    """(value, unit) of every input and of every reference that a comparison used or a target names."""
    state = source.state
    found = [(c.evidence.reference, c.evidence.unit) for _, c in source.compared if c.evidence.reference is not None]
    found += [(number, unit or p.unit) for p in state.extracted_parameters if p.role == "input"
              for number, unit in quantities_in(p.value)]
    found += [pair for assumption in state.assumptions for pair in quantities_in(assumption.value)]
    for _, target in state.plan.all_targets() if state.plan else ():
        found += [(value, target.unit) for value in (target.reference.value, target.reference.upper) if value is not None]
        found += [(end, target.x_unit) for end in target.x_range or ()]
    for material in state.plan.materials if state.plan else ():
        found += [(material.index, "1")] if material.index is not None else []
        found += [(number.value, number.unit) for term in material.terms for number in term.numbers]
    return [(value, unit_name(unit) if unit else "") for value, unit in found]


def _shown(number: Written) -> str:
    ends = f"{number.low:g}" if number.low == number.high else f"{number.low:g} to {number.high:g}"
    return f"{ends} {number.unit}".strip()
