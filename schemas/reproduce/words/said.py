"""One thing that words say of how a structure is lit or which of several it is, and of which number they say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.written import Written, numbers_in

Choice = Literal[
    "angle",
    "polarization",
    "side",
    "around",
    "sample",
    "subject",
    "beside",
    "size",
    "light",
    "colour",
    "range",
    "swept",
    "extremum",
    "gives",
    "bare",
    "order",
]
_OWN = re.compile(r"\s*(?:(?:it|they|this|these)\s+)?(?:(?:is|was|are|were|of|equals)\b|[=:])?\s*")
_JOINED = re.compile(
    r"[^\w;]{0,3}(?:(?:for|in|with|under|of|on|at|when)\s+)?(?:(?:the|an?|its|incident|case\s+of|angle\s+of|incidence|of|wavelength|light)\s+)*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """One thing that the words say. value: degrees from the normal as "45", um of vacuum wavelength (of a
    range both ends), a number with its unit ("2.02 1"), a size as "thick", or a word; where it
    stands. aside: as of another one than is meant elsewhere. denied: only to say what it does not do, or that it is left out.
    """

    choice: Choice
    value: str
    start: int
    end: int
    aside: bool = False
    denied: bool = False


@dataclass(frozen=True)
class Told:
    """What the words of one place say of one choice. where: which words they are; words: some of them. over: of a number made of
    two results, which of them they put first, over or less the other; () where they put none. either: whether they give a number for
    each of the values alike."""

    where: str
    values: frozenset[str]
    words: str
    over: tuple[str, ...] = ()
    either: bool = False


Words = Mapping[Choice, tuple[Told, ...]]  # what is said of each choice, the words nearest to a number first


def of_number(said: list[Said], number: Written, text: str, span: tuple[int, int]) -> list[Said]:
    """Of several things that a clause says, those that it says of a number: in a list told with "respectively" that of the same
    place; one right behind it ("0.88 for y polarisation") that has no number of its own; the last before it that is not right behind
    an earlier number, or has a number right behind itself ("for TE it is 1.5 %"); else the first behind it that no later number has.
    """
    low, high = span
    numbers = [n for n in numbers_in(text[low:high]) if not n.label]
    if re.search(r"(?i)\brespectively\b", text[low:high]):
        listed = [n for n in numbers if dimension(n.unit or "1") == dimension(number.unit or "1")]
        values = list(dict.fromkeys(one.value for one in said))
        place = next((k for k, n in enumerate(listed) if low + n.start == number.start), None)
        if place is not None and len(values) == len(listed) > 1:
            return [one for one in said if one.value == values[place]]
    starts = {low + n.start for n in numbers}
    leads = [one for one in said if (own := _OWN.match(text, one.end)) and own.end() in starts]
    behind = [
        one
        for one in said
        if one.start >= number.end and _JOINED.fullmatch(text, number.end, one.start) and one not in leads
    ]
    if behind:
        return [one for one in behind if one.start == behind[0].start]
    before = [one for one in said if one.start < number.start]
    ends = [low + n.end for n in numbers]
    free = [
        one
        for one in before
        if one in leads
        or not any(end <= one.start and _JOINED.fullmatch(text, end, one.start) for end in ends)
    ]
    if found := free or before:
        return [one for one in found if one.start == found[-1].start]
    after = [
        one
        for one in said
        if not any(number.end <= low + n.start and low + n.end <= one.start for n in numbers)
    ]
    return [one for one in after if one.start == after[0].start]
