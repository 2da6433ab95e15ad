"""Counts as abscissae: "with one ring it is 14.7", "from one to four rings it is 14.7, 121, 793 and 4719"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.reproduce.words.plain_words import STOPS, VERBS
from schemas.reproduce.words.written import Written, numbers_in

_COUNT = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1\d|20|[1-9]"
_ONE = re.compile(
    rf"(?i)\bone(?:\s*(?:,|and|or|,\s*(?:and|or))\s*(?:{_COUNT})\b|\s+(?:more\s+|single\s+|such\s+)?(?P<thing>[a-z][a-z-]+))"
)
_RANGE = re.compile(
    rf"(?i)(?<![\w.,-])(?P<low>{_COUNT})\s*(?:to|through|[-\u2013])\s*(?P<high>{_COUNT})\s+(?P<thing>[a-z][a-z-]+)"
)
_APART = re.compile(r"\s*(?:,|,?\s*and|,?\s*or)\s*")


def counted_at(count: float, sentence: str, value: Written) -> bool:
    """Whether a sentence states the value at that count of things: at one thing, or at the count's place in the list of values that
    stands behind a range of whole counts."""
    if count == 1 and any(
        match["thing"] is None or _is_thing(match["thing"]) for match in _ONE.finditer(sentence)
    ):
        return True
    for found in _RANGE.finditer(sentence):
        low, high = (int(numbers_in(found[end])[0].low) for end in ("low", "high"))
        if _is_thing(found["thing"]) and low <= count <= high and count == int(count):
            place = int(count) - low
            for values in _lists(sentence[found.end() :]):
                if (
                    len(values) == high - low + 1
                    and values[place].low == value.low
                    and values[place].unit == value.unit
                ):
                    return True
    return False


def _is_thing(word: str) -> bool:
    return word.lower() not in STOPS and word.lower() not in VERBS


def _lists(text: str) -> Iterator[list[Written]]:
    """Numbers that are listed together, in order."""
    run: list[Written] = []
    for number in numbers_in(text):
        if number.label or number.in_range or number.low != number.high:
            continue
        if run and not _APART.fullmatch(text[run[-1].end : number.start]):
            yield run
            run = []
        run.append(number)
    if run:
        yield run
