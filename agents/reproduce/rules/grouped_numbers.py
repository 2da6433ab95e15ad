"""Of which polarisation a number is that stands in a group, or that a clause gives for both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.said import Said
from schemas.reproduce.words.written import Written, numbers_in

OF_EACH = re.compile(r"(?i)\brespectively\b|\d(?:\s?[^\s\d]{1,3})?\s+(?:or|and)\s+[\d.]")
_BOTH = re.compile(
    r"(?i)\b(?:for|of|in|under|with)\s+(?:both|either|each|any|all|every|the\s+two)\s+(?:of\s+(?:the\s+)?)?polari[sz]ations?\b"
)
_COMPARED = re.compile(
    r"(?i)\b(?:larg|small|high|low|strong|weak|great|bright|dark)er\b|\b(?:\w+er|together|sum\w*|mean|averag\w*|differ\w*|ratio|total\w*|more|less|best|worst)\s+(?:of|than)\b|together|sum|mean|averag"
)
# Between a number and what its group is for: " % for TE", ", in TM".
_RIGHT_BEHIND = re.compile(r"[^\w.;:]{0,4}(?:(?:for|in|with|under|at)\s+)?(?:the\s+)?")
_MOST_GROUPED = 24
_Span = tuple[int, int]


def placed(text: str, low: int, high: int) -> Iterator[Written]:
    """The numbers of a part of a text, where they stand in it."""
    return (replace(n, start=low + n.start, end=low + n.end) for n in numbers_in(text[low:high]))


def is_of_both(text: str, span: _Span, number: Written) -> bool:
    """Whether a clause gives its one number for every polarisation: "of both polarizations are 9.1 %"."""
    if not _BOTH.search(text, *span) or OF_EACH.search(text, *span) or _COMPARED.search(text, *span):
        return False
    return not any(
        n.start != number.start and dimension(n.unit or "1") == dimension(number.unit or "1") and not n.label
        for n in placed(text, *span)
        if (n.unit or not number.unit) and not (n.in_range and number.in_range)
    )


def behind_its_group(said: list[Said], number: Written, text: str, span: _Span) -> list[Said]:
    """The polarisation right behind the last of a group of numbers, where a sentence tells each of its groups so: "T1 is 44 % and T0 is
    5 % for TE, and T1 is 43 % and T0 is 9 % for TM"."""
    numbers = [n for n in placed(text, *span) if not n.label]
    if len(numbers) > _MOST_GROUPED:
        return said
    groups, begin, sizes = list[tuple[int, Said]](), 0, set[int]()
    for one in said:
        inside = [n for n in numbers if begin <= n.start and n.end <= one.start]
        sizes.add(len(inside))
        if not inside or not _RIGHT_BEHIND.fullmatch(text, inside[-1].end, one.start):
            return said
        groups.append((one.start, one))
        begin = one.end
    if len({one.value for one in said}) < 2 or len(sizes) > 1 or any(n.start >= begin for n in numbers):
        return said
    return next(([one] for end, one in groups if number.start < end), said)
