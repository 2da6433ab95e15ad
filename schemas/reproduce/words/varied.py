"""The sizes that a paper's words vary: at one of them a number may be given as at a light ("0.399 at 0.22 um")."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.clauses import governing, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.scene_words import ranges_of_spectra
from schemas.reproduce.words.written import Written, numbers_in

SIZES = frozenset("vertical lateral along diameter radius period gap".split())
_SAME, _DIGITS = 1e-6, 9
Interval = tuple[float, float]
Intervals = tuple[Interval, ...]
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=#)")
_SYMBOL = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z\u0370-\u03ff]\w{0,5})\s*=\s*$")
_OF_LIGHT = re.compile(r"(?i)lambda|\u03bb|wave|wl")
# "at a gap of 100 nm", "for thicknesses of 0.2, 0.3 and 0.4 um"
_CASE = re.compile(
    r"(?i)\b(?:at|for|with|when)\s+(?:(?:an?|the)\s+)?(?:[\w-]+\s+){0,3}(?:of\s+|is\s+|=\s*)?(?:[\d.]+(?:\s*[a-z]{2})?(?:,|\s+and|,\s+and)\s+){0,8}$"
)
_AGAINST = re.compile(
    r"(?i)\b(?:against|versus|vs\.?|as\s+(?:an?\s+)?functions?\s+of|plotted\s+over|dependence\s+on|depends\s+on|"
    r"(?:var|chang|ris|fall|grow|increas|decreas|drop)\w*\s+(?:\w+ly\s+)?with)\s+(?:(?:the|its|their|an?)\s+)?(?:[\w-]+\s+){0,2}?"
    r"(?:(?P<noun>thickness(?:es)?|heights?|depths?|widths?|gaps?|diameters?|radi(?:us|i)|lengths?|periods?|pitch|separations?|sizes?)\b|"
    r"(?P<symbol>(?!(?:lambda|wl)\b)[A-Za-z]\w{0,3})(?=\s*(?:[.,;(]|$|for\b|at\b|of\b|in\b|and\b)))"
)
_GIVEN_FOR = re.compile(
    r"\s*(?:at|for|when)\s+(?:(?:an?|the)\s+)?(?:[a-z]+\s+){0,3}?(?:(?:of|is)\s+)?(?:[^\W\d]\w{0,3}\s*=\s*)?"
)
# Where a result passes a level: "passes 0.85 at a width of 485 nm"; one of several cases that results are told for: "at N = 6 and 7".
_PASSES = re.compile(
    r"(?i)\b(?:pass(?:es)?|cross(?:es)?|exceeds?|reach(?:es)?|(?:falls?|drops?|sinks?|rises?|climbs?)\s+(?:below|above|to|under|over))\s+(?:only\s+)?"
    r"[\d.]+\s*%?\s*(?:only\s+|again\s+)?(?:at|for|from|up\s+to)\s+(?:(?:an?|the)\s+)?(?:[\w-]+\s+){0,2}?(?:of\s+)?$"
)
_CASES = re.compile(
    r"(?i)\b(?:at|for)\s+[a-z]\w{0,2}\s*=\s*(?:[\d.]+\s*(?:,\s*(?:and\s+)?|and\s+|to\s+|or\s+)){1,8}$"
)
_BEST = re.compile(
    r"(?i)\b(?:best|optimum|optimal)\s+\w+\s+(?:is|was|are|lies\s+at)\s+(?:[^;]{0,80}?\band\s+)?$"
)
_RESULTS = ("effective_index", "quality_factor", "field_enhancement", "power", "rate")


@dataclass(frozen=True)
class _Size:
    """One size that a text states, um; paragraph: the number of the one it stands in. name: its symbol. case: whether it is told as one
    of several that a result is for."""

    low: float
    high: float
    start: int
    paragraph: int
    name: str
    kinds: frozenset[str]
    case: bool

    @property
    def keys(self) -> frozenset[str]:
        """What it is one of several of: its symbol's values, else those of its kinds."""
        return frozenset([f"symbol {self.name}"]) if self.name else self.kinds


@dataclass(frozen=True)
class _Lengths:
    """All lengths of a text, read once. starts: of the sizes, in order. varied: the single ones of which another value is told. ranges: of
    each paragraph. lights: all that the words call so."""

    paragraphs: tuple[int, ...]
    sizes: tuple[_Size, ...]
    starts: tuple[int, ...]
    varied: frozenset[float]
    ranges: Mapping[int, Intervals]
    lights: Intervals


def is_varied_size(plain: str, place: Written) -> bool:
    """Whether a length at which a number is given is one of a size that the words vary, and that they nowhere call light: in its own
    paragraph a range that holds it, what its paragraph draws its numbers against, one that its own sentence names beside it, or
    one of several that are told for results. plain: as `written.readable` leaves it."""
    value = _um(place.low, place.unit)
    if value is None or place.low != place.high or dimension(place.unit) != "length":
        return False
    told = _lengths(plain)
    if _holds(told.lights, value):
        return False
    own = bisect_right(told.paragraphs, place.start)
    if _holds(told.ranges.get(own, ()), value) or round(value, _DIGITS) in told.varied:
        return True
    low, high = sentence_of(plain, place.start, place.end)
    beside = told.sizes[bisect_left(told.starts, low) : bisect_left(told.starts, high)]
    named = [size.start for size in beside if size.name and size.start < place.start]
    if (
        named
        and any(  # "0.360 at h = 0.16 um to 0.399 at 0.22 um"
            named[0] < low + n.start < place.start and dimension(n.unit) != "length"
            for n in numbers_in(plain[low:high])
        )
    ):
        return True
    paragraphs, names = _drawn(plain)  # "Figure 1 shows R against h. R is 0.399 at 0.22 um"
    return own in paragraphs or any(size.kinds & names for size in beside)


@lru_cache(maxsize=8)
def _drawn(plain: str) -> tuple[frozenset[int], frozenset[str]]:
    """The paragraphs that draw their numbers against sizes; the kinds and symbols of these."""
    told = [*_AGAINST.finditer(plain)]
    names = (
        frozenset([match["symbol"]]) if match["symbol"] else kinds_of_noun(match["noun"]) for match in told
    )
    paragraphs = _lengths(plain).paragraphs
    return frozenset(bisect_right(paragraphs, match.start()) for match in told), frozenset().union(*names)


def is_place_of_results(plain: str, place: Written) -> bool:
    """Whether a size is one of several of which its sentence tells a result each: "a confinement of 0.31 for 60 nm, 0.25 for 90 nm"."""
    low, high = sentence_of(plain, place.start, place.end)
    told = [n for n in numbers_in(plain[low:high]) if not n.label]
    pairs = [
        (one, other)
        for one, other in pairwise(told)
        if dimension(one.unit) != dimension(other.unit) == dimension(place.unit)
        and _GIVEN_FOR.fullmatch(plain, low + one.end, low + other.start)
    ]
    value = next((one for one, other in pairs if low + other.start == place.start), None)
    return (
        value is not None
        and len({other.low for _, other in pairs}) > 1
        and governing(plain, replace(value, start=low + value.start, end=low + value.end)) in _RESULTS
    )


def is_case(plain: str, number: Written, before: str) -> bool:
    """Whether a size or count is where a result passes a level, the best of those that were tried, or a further one of the cases that a
    result is told for: "at N = 6 and 7, where the peaks overlap". before: its clause up to it."""
    low, _ = sentence_of(plain, number.start, number.end)
    if _PASSES.search(before) or _BEST.search(plain[low : number.start]):
        return True
    return not number.unit and _CASES.search(before) is not None


@lru_cache(maxsize=64)
def kinds_of_noun(noun: str) -> frozenset[str]:
    """The kinds of size that a noun names."""
    text = f"{noun} of 1 um"
    return kinds_in_words(text, numbers_in(text)[0]) & SIZES


@lru_cache(maxsize=8)
def _lengths(plain: str) -> _Lengths:
    paragraphs = (0, *(match.end() for match in _PARAGRAPH.finditer(plain)))
    sizes, lights = [], [(n.low, n.high, n.unit) for n in ranges_of_spectra(plain)]
    for number in numbers_in(plain):
        if dimension(number.unit) != "length" or number.label:
            continue
        before = plain[max(0, number.start - 80) : number.start]
        kinds, symbol = kinds_in_words(plain, number), _SYMBOL.search(before)
        if (symbol and _OF_LIGHT.match(symbol[1])) or (
            "light" in kinds and "place" not in kinds and not (symbol or kinds & SIZES)
        ):
            lights.append((number.low, number.high, number.unit))
            continue
        ends = [_um(end, number.unit) for end in (number.low, number.high)]
        if None not in ends and (symbol or kinds & SIZES):
            sizes.append(
                _Size(
                    float(ends[0] or 0),
                    float(ends[1] or 0),
                    number.start,
                    bisect_right(paragraphs, number.start),
                    symbol[1] if symbol else "",
                    kinds & SIZES,
                    bool(symbol or _CASE.search(before)),
                )
            )
    values: dict[str, set[float]] = {}
    ranges: dict[int, list[Interval]] = {}
    of_kind: dict[str, list[Interval]] = {}
    for size in sizes:
        if size.low < size.high:
            ranges.setdefault(size.paragraph, []).append((size.low, size.high))
            for kind in size.kinds:
                of_kind.setdefault(kind, []).append((size.low, size.high))
        elif size.case:
            for key in size.keys:
                values.setdefault(key, set()).add(size.low)
    merged = {kind: _merged(found) for kind, found in of_kind.items()}
    told = [(_um(low, unit), _um(high, unit)) for low, high, unit in lights]
    return _Lengths(
        paragraphs,
        tuple(sizes),
        tuple(size.start for size in sizes),
        frozenset(
            round(size.low, _DIGITS)
            for size in sizes
            if size.case
            and size.low == size.high
            and any(
                len(values[key]) > 1 or (not size.name and _holds(merged.get(key, ()), size.low))
                for key in size.keys
            )
        ),
        {paragraph: _merged(found) for paragraph, found in ranges.items()},
        _merged((low, high) for low, high in told if low is not None and high is not None),
    )


def _um(value: float, unit: str) -> float | None:
    return converted(value, unit, "um") if unit else None


def _merged(found: Iterable[Interval]) -> Intervals:
    """Intervals in order, those that overlap made one."""
    out: list[Interval] = []
    for low, high in sorted(found):
        if out and low <= out[-1][1]:
            out[-1] = (out[-1][0], max(high, out[-1][1]))
        else:
            out.append((low, high))
    return tuple(out)


def _holds(intervals: Intervals, value: float) -> bool:
    place = bisect_right(intervals, (value * (1 + _SAME), math.inf)) - 1
    return place >= 0 and value <= intervals[place][1] * (1 + _SAME)
