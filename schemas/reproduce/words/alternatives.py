"""Lists of several of a kind of which each result has one: "Two glasses are considered: - crown: n = 1.515; - flint: n = 1.732"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from schemas.reproduce.words.clauses import sentence_of
from schemas.reproduce.words.written import numbers_in

_LEAD = re.compile(
    r"(?i)\b(?:both|two|three|four|five|six|several|[2-6])\s+(?:[\w-]+\s+){0,2}?(?P<things>[\w-]+s)\s+(?:are|were)\s+"
    r"(?:considered|compared|studied|examined|investigated|treated|discussed|simulated|calculated|computed)\b[^.:\n]{0,60}:"
)
# What one structure has several of: a list of them is a list of its parts.
_PARTS = re.compile(
    r"(?i)(?:layer|film|coating|cladding|part|region|media|medium|material|sheet|spacer|mirror|core|shell|section|component|element|segment|"
    r"grating|ring|guide|waveguide|arm|bod(?:y|ie)|object|piece|face|interface|substrate|half-space|slab|strip|cap|stack|plate)s?$"
)
_PLACED = re.compile(
    r"(?i)\b(?:on|onto|over|"
    r"(?<!\bas )above|(?<!\bsee )(?<!\bseen )below|under\w*|beneath|between|behind|atop|cover\w*|coat\w*|capp\w*|surround\w*|"
    r"embed\w*|fills?|inside|around|cement\w*|bonded|stacked|joined|sandwich\w*|adjacent|next\s+to|together|separat\w*|lies?|"
    r"followed\s+by)\b"
)
_ITEM = re.compile(r"\s*\n\s*(?:[-*\u2022]|\(?[a-z0-9]{1,2}[.)])\s[^\n]*")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=#)")
_LABEL = re.compile(r"\b[A-Za-z][\w-]{2,}\b|\b[A-Z]\b")
_NO_LABEL = frozenset(
    "the and with has have having index indices refractive thickness thick wide design sample case nm um each its".split()
)
_MOST, _MOST_LISTS, _MOST_THINGS = (
    40,
    8,
    8,
)  # sentences that name one thing; lists of a text, and things of a list


@dataclass(frozen=True)
class Alternative:
    """One thing of such a list: where it stands, and where the list begins."""

    list_start: int
    start: int
    end: int


def alternatives(plain: str) -> list[Alternative]:
    """The things of a text's lists of which each result has one: the words call them no parts and place none at another, and speak
    elsewhere of each without the others."""
    leads = islice((lead for lead in _LEAD.finditer(plain) if not _PARTS.match(lead["things"])), _MOST_LISTS)
    return [one for lead in leads for one in _of_list(plain, lead)]


def _of_list(plain: str, lead: re.Match[str]) -> Iterator[Alternative]:
    spans = list(islice(_items(plain, lead.end()), _MOST_THINGS + 1))
    labels = [_label(plain[start:end]) for start, end in spans]
    first, last = lead.end(), spans[-1][1] if spans else lead.end()
    if (
        not 1 < len(spans) <= _MOST_THINGS
        or "" in labels
        or len({*labels}) < len(labels)
        or _PLACED.search(plain, first, last)
    ):
        return
    for label, (start, end) in zip(labels, spans, strict=True):
        others = [other for other in labels if other != label]
        own = [
            _written(n.start, n.end, plain[start:end]) for n in numbers_in(plain[start:end]) if not n.label
        ]
        rest = [
            _written(n.start, n.end, plain[a:b])
            for (a, b) in spans
            if (a, b) != (start, end)
            for n in numbers_in(plain[a:b])
        ]
        if _stands_alone(plain, [label, *own], [*others, *rest], (first, last)):
            yield Alternative(first, start, end)


def _items(plain: str, begin: int) -> Iterator[tuple[int, int]]:
    """The items of a list, of lines of their own or parted by semicolons to the end of its sentence."""
    end = begin
    while (item := _ITEM.match(plain, end)) is not None:
        yield item.span()
        end = item.end()
    if end > begin:
        return
    rest = _PARAGRAPH.search(plain, begin)
    last = min(rest.start() if rest else len(plain), sentence_of(plain, begin, begin + 1)[1])
    for piece in re.finditer(r"[^;]+", plain[begin:last]):
        yield begin + piece.start(), begin + piece.end()


def _label(item: str) -> str:
    """The word that an item begins with, and by which it is called."""
    return next((m[0].lower() for m in _LABEL.finditer(item) if m[0].lower() not in _NO_LABEL), "")


def _written(start: int, end: int, text: str) -> str:
    return text[start:end].strip()


def _stands_alone(plain: str, own: list[str], others: list[str], inside: tuple[int, int]) -> bool:
    """Whether words outside the list name a thing without the others, by its label or one of its numbers, and none place both."""
    form = _any(own)
    rest = _any(others)
    alone = False
    for count, match in enumerate(form.finditer(plain)):
        if count >= _MOST:
            break
        if inside[0] <= match.start() < inside[1]:
            continue
        low, high = sentence_of(plain, match.start(), match.end())
        if rest.search(plain, low, high):
            if _PLACED.search(plain, low, high):
                return False
        else:
            alone = True
    return alone


def _any(words: list[str]) -> re.Pattern[str]:
    return re.compile(
        "|".join(rf"(?<![\w.]){re.escape(word)}(?![\w]|\.\d)" for word in words if word), re.IGNORECASE
    )
