"""Numbers of a paper that count or cite and state nothing: figures, equations, references, headings, pages, years.

Everything here works on text as `schemas.text.legible` leaves it: dashes are "-", markup is blank.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from schemas.reproduce.materials.material_names import material_before

_LIST = r"(?:S?\d+(?:\.\d+)*[a-z]?(?:\s*\([a-z]\))?\s*(?:,\s*and|,|and|&|-|to)\s*)*"
_NAME = (
    r"(?i)\b(?:fig(?:ure)?s?|tab(?:le)?s?|eqs?|eqns?|equations?|refs?|references?|sec(?:tion|t)?s?|chapters?|chap|appendix|"
    r"supplementary|arxiv|doi|isbn|version|ver|(?P<counted>notes?|schemes?|movies?|videos?|panels?|pages?|pp?|vol(?:ume)?s?|nos?|"
    r"theorem|lemma|algorithm|issue|samples?|cases?|steps?|stages?|devices?|ch))"
)
_NAMES = re.compile(_NAME)
_NAMED = re.compile(_NAME + r"\.?[:\s]*[\(\[]?\s*" + _LIST + r"[SA]?$")
_LONGEST_NAMED = 60  # characters from a name to the number it names
_SPANS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"(?<!∈)(?<!∈ )(?<!interval )(?<!range )\[[\d,;\s-]+\]",  # [12], [3, 4]
        r"^[ \t]*#{1,6}[ \t]*[\d.]+[ \t]",
        r"^[ \t]*\d{1,2}(?:\.\d{1,2})*[.)][ \t]+(?=[A-Z])",
        r"^[ \t]*\d{1,2}(?:\.\d+)+[ \t]+(?=[A-Z])",
        # "Nat. Mater. 8, 643", "Phys. Rev. B 6, 4370-4379"
        r"\b(?:[A-Z][A-Za-z]{0,24}\.?[ \t]{1,8}){0,8}"
        r"(?:[A-Z][a-z]+\.(?:[ \t]+[A-Z])?|Express|Photonics|Today|Materials|Physics|Communications)[ \t]{1,8}"
        r"\d{1,4}[ \t]*(?:\(\d+\)[ \t]*)?[,:][ \t]*[A-Z]?\d+(?:[ \t]*-[ \t]*\d+)?",
        # "12, 20-24 (2013)", "8(9):643, 2009"
        r"\d{1,4}[ \t]*(?:\([\d-]+\)[ \t]*)?[,:][ \t]*(?:pp?\.[ \t]*)?[A-Z]?\d+(?:[ \t]*-[ \t]*[A-Z]?\d+)?"
        r"[ \t]*,?[ \t]*\(?(?:18|19|20)\d\d\b\)?",
        r"\b10\.\d{4,9}/\S+",
        r"(?i)\barxiv:\s*\S+",
        r"(?i)\bhttps?://\S+",
        r"(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+(?:\d{1,2},?\s+)?\d{4}\b",
    )
)
_IN_PARENTHESES = re.compile(  # (5), (S2), (2.14); not "SiO2 (1.46)"
    r"(?<![\d.])\(\s*[SA]?[1-9]\d{0,2}(?:\.\d{1,2}[a-z]?)?[a-z]?\s*\)"
)
_COUNT = re.compile(r"\d{1,7}(?![.\d])")
_YEAR = re.compile(r"(?:18|19|20)\d\d[a-f]?$")
_BEFORE_YEAR = re.compile(r"(?:[(,;]|\b(?:in|since|year|until|before|after|during|al\.))\s*$", re.IGNORECASE)
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]*)?(?:\d+\.?[ \t]*)?\**[ \t]*(?:references(?: and notes)?|bibliography|"
    r"literature(?: cited)?|works cited|notes and references)[ \t]*:?[ \t]*\**[ \t]*:?",
    re.IGNORECASE,
)
_LONGEST_HEADING = 80
_NEXT = re.compile(
    r"[ \t]*#{1,6}[ \t]+\S|"
    r"[ \t]*(?:supplement|supporting|appendix|acknowledg|methods\b|figure captions|figures\b)",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"[ \t]*(?:\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}\.)[ \t]+[A-Z].*\b(?:18|19|20)\d\d\b")


def label_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where text holds citations, equation numbers, headings' numbers and dates, as (start, end)."""
    return tuple(
        match.span()
        for pattern in (*_SPANS, _IN_PARENTHESES)
        for match in pattern.finditer(text)
        if pattern is not _IN_PARENTHESES or "." not in match[0] or not material_before(text, match.start())
    )


class Labels:
    """The labels of a text, found once for all its numbers: a hostile text holds very many of both."""

    def __init__(self, text: str):
        self._text = text
        ordered = sorted(label_spans(text))
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))
        self._names = [match.start() for match in _NAMES.finditer(text)]

    def cover(self, start: int, end: int) -> bool:
        """Whether one label begins at or before `start` and ends at or after `end`."""
        place = bisect_right(self._starts, start)
        return place > 0 and self._furthest[place - 1] >= end

    def named_before(self, start: int) -> bool:
        """Whether the words before `start` name what is numbered: "Fig. ", "Eqs. (3) and (", "page "."""
        near = self._names[bisect_left(self._names, start - _LONGEST_NAMED) : bisect_left(self._names, start)]
        found = next((match for place in near if (match := _NAMED.match(self._text, place, start))), None)
        return found is not None and (not found["counted"] or _COUNT.match(self._text, start) is not None)


def is_year(text: str, start: int, end: int) -> bool:
    """Whether the bare number from start to end is a year by the words around it."""
    if not _YEAR.match(text[start:end]):
        return False
    return bool(_BEFORE_YEAR.search(text[max(0, start - 20) : start])) and not re.match(
        r"\s*[=<>~]", text[end : end + 4]
    )


def without_bibliography(text: str) -> str:
    """The text without its list of references: nothing there states a result of this paper."""
    kept, inside = [], False
    for line in text.split("\n"):
        bare = line.strip()
        if len(bare) <= _LONGEST_HEADING and _HEADING.fullmatch(bare):
            inside = True
        elif inside and _NEXT.match(bare):
            inside = False
        if not inside and not _ENTRY.match(bare):
            kept.append(line)
    return "\n".join(kept)


_MARK = r"[A-Z]{1,3}_?\{?\d{1,2}\}?(?![\w.])"
_HAVE = re.compile(  # between marks and their numbers: "TE0 and TE1 have effective indices of"
    r"\s+(?:have|has|had|show|reach|with)\s+(?:(?!\b(?:first|second|third|former|latter|and|but|to)\b)[\w-]+\s+){0,4}"
)
_MARKS = re.compile(rf"\b{_MARK}(?:\s*(?:,\s*and|,|and)\s*{_MARK}){{1,4}}")


def of_its_place(text: str, numbers: Sequence[int], own: int) -> str:
    """The text with blanks for the marks of others where as many marks are listed as numbers: "TE0 and TE1 have 2.575 and 1.800"."""
    numbers = sorted(numbers)
    listed = [match for match in _MARKS.finditer(text, 0, numbers[0])]
    marks = [*re.finditer(rf"\b{_MARK}", listed[-1][0])] if listed else []
    if len(marks) != len(numbers) or not _HAVE.fullmatch(text, listed[-1].end(), numbers[0]):
        return text
    if len(re.findall(rf"\b{_MARK}", text)) != len(marks):
        return text
    for place, mark in enumerate(marks):
        if numbers[place] != own:
            start, end = listed[-1].start() + mark.start(), listed[-1].start() + mark.end()
            text = text[:start] + " " * (end - start) + text[end:]
    return text
