"""What a paper's words state of a quantity: 'period of 700 nm', '20 nm thickness', in text, supplement and captions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.simulations.units import converted
from schemas.reproduce.words.clauses import sentence_of
from schemas.reproduce.words.labels import without_bibliography
from schemas.reproduce.words.plain_words import VERBS
from schemas.reproduce.words.written import Written, numbers_in, readable

_NOUN = (
    "period|pitch|periodicity|lattice constant|thickness|height|depth|width|radius|diameter|gap|spacing|separation|"
    "refractive index|index|duty cycle|filling factor|fill factor|length|side|resistance|permittivity"
)
_SYMBOL = r"(?:[A-Za-zΛλ]\w{0,7}\s{1,8})?"
_AHEAD = re.compile(
    rf"(?P<words>(?:[A-Za-z][\w-]{{0,40}}\s{{1,8}}){{0,5}})\b(?P<noun>{_NOUN})(?:e?s)?\s{{1,8}}{_SYMBOL}"
    r"(?:of|is|was|=|equals|:|\|)\s{0,8}",
    re.I,
)
_BEHIND = re.compile(
    rf"\s{{0,8}}-?\s{{0,8}}(?P<words>(?:[a-z][\w-]{{0,40}}\s{{1,8}}){{0,2}}?)\b(?P<noun>{_NOUN})\b", re.I
)
_EMPTY = frozenset(
    "a an the its their of with and or to each every has had have whose where is in for at by on this that same "
    "total constant uniform equal fixed single given index indices those".split()
)
# "1.55 um against core radius", "500 nm and radius": another quantity begins there.
_ELSEWHERE = re.compile(
    r"(?i)\b(?:against|versus|vs|over|per|than|from|between|below|above|under|beyond|and|or|with|at|for|on|by|to|as|but|while|where|when|"
    r"if|is|are|was|were|has|have|gives?|times)\b"
)
_HAS = re.compile(
    r"\b(?P<owner>[A-Za-z][\w-]{0,40})\s{1,8}(?:has|have|had|with)\s{1,8}(?:(?:an?|the)\s{1,8})?(?:[A-Za-z][\w-]{0,40}\s{1,8}){0,3}$"
)
_CASE = re.compile(
    r"\b(?:for|if|when)\b[^.;:]{0,40}$", re.I
)  # "for a layer of 125 nm thickness": one case of several
# "a thin filament of PTFE, one millimetre in diameter": whose diameter it is stands in front.
_OWNER = re.compile(
    r"\b(?:an?|the|each|every|our|this|that|these|those)\s{1,8}(?:[a-z][\w-]{0,40}\s{1,8}){0,3}?(?P<owner>[a-z][\w-]{0,40})"
    r"(?:\s{1,8}of\s{1,8}[\w-]{1,40})?(?:,|\s{1,8}(?:of|is|are|was|were))?\s{1,8}(?:(?:about|only|just)\s{1,8})?$",
    re.I,
)
_CLOSE = 1e-3

Subject = tuple[str, str]  # ("grating", "period")


@dataclass(frozen=True)
class Statement:
    """'period of 700 nm' in one place of the paper. alone: in no list, no range, and no case of several. owner: whose it is by the
    words in front, where its subject names nobody. sentence: its place, and where there it begins."""

    subject: Subject
    number: Written
    place: str
    words: str
    alone: bool
    owner: str = ""
    sentence: tuple[str, int] = ("", 0)


def statements_of(paper: PaperInput) -> Iterator[Statement]:
    """Every 'noun of value' and 'value noun' of a paper, its list of references left out."""
    for place, text in _places(paper):
        yield from _statements(place, readable(text))


def subject_of(name: str) -> Subject | None:
    """What a name such as 'grating period' speaks of; None if it names no dimension."""
    match = _AHEAD.match(f"{' '.join(name.replace('_', ' ').split()[-3:])} = ")
    return _subject(match) if match else None


def same(one: Written, other: Written) -> bool:
    """Whether two numbers agree, in any unit, within the rounding of the first."""
    value = converted(other.low, other.unit or "1", one.unit or "1")
    return (
        value is not None
        and abs(value - one.low) <= _CLOSE * max(abs(value), abs(one.low)) + one.half * 0.999
    )


def comparable(one: Written, other: Written) -> bool:
    """Two values of the same dimension and much the same size: 700 nm and 720 nm, not 0.7 um and 3 mm."""
    value = converted(other.low, other.unit or "1", one.unit or "1")
    return value is not None and one.low > 0 and 0.2 < value / one.low < 5


def _places(paper: PaperInput) -> Iterator[tuple[str, str]]:
    yield "text", without_bibliography(paper.text)
    if paper.supplementary_text:
        yield "supplement", without_bibliography(paper.supplementary_text)
    for figure in paper.figures:
        yield f"caption of {figure.figure_id}", figure.caption


def _statements(place: str, plain: str) -> Iterator[Statement]:
    numbers = [number for number in numbers_in(plain) if not number.label]
    by_start = {number.start: number for number in numbers}
    alone_at: dict[int, list[Written]] = {}
    for number in numbers:
        alone_at.setdefault(number.start, []).append(number)
    for match in _AHEAD.finditer(plain):
        stated = by_start.get(match.end())
        if stated is not None:
            words = plain[match.start("noun") : stated.end]
            yield Statement(
                _subject(match),
                stated,
                place,
                " ".join(words.split()),
                _alone(stated, alone_at, plain),
                _owner(_HAS, plain[max(0, match.start("noun") - 200) : match.start("noun")]),
                (place, sentence_of(plain, stated.start, stated.end)[0]),
            )
    for number in numbers:
        if (
            number.unit
            and (behind := _BEHIND.match(plain, number.end))
            and not _ELSEWHERE.search(behind["words"])
        ):
            words = plain[number.start : behind.end()]
            yield Statement(
                _subject(behind),
                number,
                place,
                " ".join(words.split()),
                _alone(number, alone_at, plain),
                _owner(_OWNER, plain[max(0, number.start - 200) : number.start]),
                (place, sentence_of(plain, number.start, number.end)[0]),
            )


def _owner(form: re.Pattern[str], before: str) -> str:
    found = form.search(before)
    word = found["owner"].lower() if found else ""
    return "" if word in VERBS or word in _EMPTY else word


def _subject(match: re.Match[str]) -> Subject:
    before = [word.lower() for word in match["words"].split() if word.lower() not in _EMPTY]
    return before[-1] if before else "", match["noun"].lower()


def _alone(number: Written, by_start: dict[int, list[Written]], plain: str) -> bool:
    """Whether the value is the quantity's one value: in no list and no range, and no case of several."""
    listed = any(
        other is not number
        and not other.in_range
        and re.fullmatch(r"\s*(?:,|and|or|to|-)\s*(?:and\s*)?", plain[number.end : other.start])
        for place in range(number.end, number.end + 9)
        for other in by_start.get(place, ())
    )
    case = _CASE.search(plain[max(0, number.start - 60) : number.start])
    return not (number.in_range or number.low != number.high or listed or case)
