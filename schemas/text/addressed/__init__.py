"""Text that addresses an AI, found by code: in many languages, with look-alike letters, hidden, encoded.

What is found is reported and never followed. Patterns see what is known; words in a picture and what nobody thought of are
left to the agents, which report what they see.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from schemas.text.addressed.fold import ALIKE, DIGITS, Views, folded
from schemas.text.addressed.hidden import encoded, unseen, without_marks
from schemas.text.addressed.words import ASIAN, ENGLISH, EVERY, MARKS, WITH_DIGITS
from schemas.text.visible import one_visible_line

_MOST, _DEPTH = 20, 2
_LOOKED_AT = 200  # matches of one pattern: a text may repeat one order without end


@dataclass(frozen=True)
class Addressed:
    """Words that address an AI: the line they stand in (from 1), how they are written ('' if plainly), and they themselves."""

    line: int
    how: str
    words: str


def addressed(text: str) -> tuple[Addressed, ...]:
    """Where a text addresses an AI, at most 20 places, each once."""
    found: dict[str, Addressed] = {}
    for entry in _all(text, _DEPTH):
        words = folded(entry.words) or entry.how
        if not any(words[:30] in other for other in found):  # two orders in one sentence are one place
            found[words] = entry
        if len(found) == _MOST:
            break
    return tuple(sorted(found.values(), key=lambda entry: entry.line))


def _all(text: str, depth: int) -> Iterator[Addressed]:
    bare = without_marks(text)
    yield from _written(bare)
    for how, place, words in unseen(text):
        yield Addressed(_line(text, place), how, one_visible_line(words, 160))
    for how, code, words in encoded(text) if depth else ():
        for inner in _all(words, depth - 1):
            line = _line(text, max(0, text.find(code))) if code else inner.line
            yield Addressed(line, " ".join(filter(None, (how, inner.how))), inner.words)


def _written(text: str) -> Iterator[Addressed]:
    for match in islice(MARKS.finditer(text), _LOOKED_AT):
        yield Addressed(
            _line(text, match.start()), "", one_visible_line(text[match.start() : match.start() + 160])
        )
    views = Views(text)
    alike = views.view(ALIKE)
    turned = codecs.encode(alike, "rot13")
    for view, how, seen, pattern in (
        ("", "", views.view(""), EVERY),
        ("", "", views.view(""), ASIAN),
        (ALIKE, ALIKE, alike, EVERY),
        (DIGITS, DIGITS, views.view(DIGITS), WITH_DIGITS),
        (ALIKE, "with letters turned by 13", turned, ENGLISH),
    ):
        for match in islice(pattern.finditer(seen), _LOOKED_AT):
            yield _quoted(views, view, how, *match.span())
    for match in islice(ENGLISH.finditer(alike[::-1]), _LOOKED_AT):
        yield _quoted(views, ALIKE, "backwards", len(alike) - match.end(), len(alike) - match.start())


def _quoted(views: Views, view: str, how: str, start: int, end: int) -> Addressed:
    line, words = views.quoted(view, start, end)
    return Addressed(line, how, words)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
