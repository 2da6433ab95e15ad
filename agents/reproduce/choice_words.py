"""How the paper's words say that a target's structure is lit, from those around its number to those of the whole paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agents.reproduce.quoting import places_stated
from agents.reproduce.reference_rules import quotable
from schemas.reproduce.clauses import clause_of, sentence_of
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.plan import Target
from schemas.reproduce.scene_words import Choice, Said, Told, said_in, words_of_name
from schemas.reproduce.written import Written, readable

CHOICES: tuple[Choice, ...] = ("angle", "polarization", "side", "around", "sample", "light")
_PARAGRAPH = re.compile(r"\n\s*\n")
_Span = tuple[int, int]


def choice_words(target: Target, paper: PaperInput) -> tuple[dict[Choice, tuple[Told, ...]], ...]:
    """For each place where the paper states the target's number (of a curve one): choice -> what the words say of it, those
    nearest to the number first, the whole paper last. Words that say nothing of a choice are left out.
    """
    text = readable(quotable(paper))
    reference = target.reference
    stated = (
        ()
        if reference.value is None
        else places_stated(reference.value, target.unit, reference.quotation, quotable(paper), reference.upper)
    )
    figure = _figure_words(target, paper)
    whole = [("the paper", text, (0, len(text)))]
    if not stated:
        return (_levels([*figure, *_mentions(target.figure_id, text), *whole]),)
    return tuple(_levels([*_around(text, number), *figure, *whole], number) for _, number, _ in stated)


def _levels(places: list[tuple[str, str, _Span]], number: Written | None = None) -> dict[Choice, tuple[Told, ...]]:
    out: dict[Choice, tuple[Told, ...]] = {}
    for choice in CHOICES:
        told = []
        for where, text, (low, high) in places:
            near = where in ("its clause", "its sentence", "its column")
            said = [one for one in _said(text) if one.choice == choice and low <= one.start < high and (near or not one.aside)]
            if number is not None and where == "its clause":
                said = _nearest(said, number)
            if said:
                words = " ".join(text[max(low, said[-1].start - 30) : min(high, said[-1].end + 30)].split())
                told.append(Told(where=where, values=frozenset(one.value for one in said), words=words))
        out[choice] = tuple(told)
    return out


def _nearest(said: list[Said], number: Written) -> list[Said]:
    """Of several things that a clause says, the last before the number, else the first behind it."""
    before = [one for one in said if one.start < number.start]
    return before[-1:] or said[:1]


def _around(text: str, number: Written) -> Iterator[tuple[str, str, _Span]]:
    yield "its clause", text, clause_of(text, number.start, number.end)
    low, high = sentence_of(text, number.start, number.end)
    yield "its sentence", text, (low, high)
    breaks = [match.end() for match in _PARAGRAPH.finditer(text, 0, low)]
    yield "its paragraph", text, (breaks[-1] if breaks else 0, high)


def _figure_words(target: Target, paper: PaperInput) -> list[tuple[str, str, _Span]]:
    """The names of its column and file, and the caption of its figure."""
    reference = target.reference
    column = words_of_name(reference.y_column or "") + " ; " + words_of_name(reference.file or "")
    caption = readable(next((figure.caption for figure in paper.figures if figure.figure_id == target.figure_id), ""))
    return [(where, text, (0, len(text))) for where, text in (("its column", column), ("its caption", caption)) if text.strip()]


def _mentions(figure_id: str, text: str) -> Iterator[tuple[str, str, _Span]]:
    """The sentences that name a figure, one place."""
    number = re.search(r"(\d+)[a-z]?$", figure_id)
    for match in re.finditer(rf"(?i)\bfig(?:ure)?s?\.?\s*{number[1]}\b", text) if number else ():
        yield "the words on its figure", text, sentence_of(text, match.start(), match.end())


@lru_cache(maxsize=32)
def _said(text: str) -> tuple[Said, ...]:
    return said_in(text)
