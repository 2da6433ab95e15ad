"""What words of a paper state: its numbers, whole, with unit and uncertainty, as ranges, lists and words.

Read from the paper's own text, so that a part of a longer number, a label or a year is never taken for a value.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from schemas.reproduce.simulations.units import canonical, converted, dimension, reciprocal
from schemas.reproduce.words.labels import Labels, is_year
from schemas.text.legible import legible
from schemas.text.numbers import Number, plain_numbers

_FROM = re.compile(r"(?i)\bfrom\s*(?:about\s*)?$")
_TO = re.compile(r"(?i)\s*(?:,\s*)?to\s*(?:about\s*)?")
_NEAR = 60  # characters between where a change begins and where that is
_WHERE = re.compile(r"(?i)[\s,]*\(?\s*(?:at|for|with|in|when)\b[^.;=]{0,40}(?:=\s*)?")
_JOINED = re.compile(r"\s*(?:to|-|through)\s*")
_BETWEEN = re.compile(r"\s*and\s*")
# The head of a table's column that is for one share of the light: its unit is the column's ("d for T = 0.5 (nm)").
_OF_COLUMN = re.compile(
    r"\|[^|\n=]{1,60}\b(?:for|at|with|when|where|of)\s+(?:[RTA](?:_?\{?\w{1,4}\}?)?|\u03b7|eta|(?:reflect|transmi|absor|effici)\w{2,10})\s*=\s*$"
)
_IN_BRACKETS = re.compile(r"\s?[(\[][^()\[\]%]{1,8}[)\]]")
_LONGEST_HEAD = 100
LEVEL = "db"
LOUDEST = 300.0  # dB
_TYPED = 1e-2  # of a share, and never more than the last digit of its dB leaves open
_UNSAID = ("c/a", "a", "2pi/a", "pi/a")  # normalised units that papers seldom repeat beside the number


@dataclass(frozen=True)
class Written:
    """One number of a text: from low to high (equal unless a range), in `unit` ("" if none stands beside it).

    half: half a unit of its last digit, or the uncertainty written with it. start, end: where it stands, unit included.
    label: it counts, cites or dates. in_range: it is one end of a range and states nothing alone.
    """

    low: float
    high: float
    unit: str
    half: float
    start: int
    end: int
    label: bool = False
    in_range: bool = False

    def in_unit(self, unit: str) -> tuple[float, float, float] | None:
        """(low, high, half) in another unit, ascending; None if it measures something else."""
        own = self.unit or (unit if canonical(unit) in _UNSAID else "1")
        if canonical(own) == LEVEL != canonical(unit) and not self.label:
            return self._as_share(unit)
        if self.label or (reciprocal(own, unit) and not self.low > 0):
            return None
        ends = sorted(
            found for value in (self.low, self.high) if (found := converted(value, own, unit)) is not None
        )
        if len(ends) < 2:
            return None
        half = (
            self.half / abs(self.high) * abs(ends[-1])
            if reciprocal(own, unit)
            else converted(self.half, own, unit)
        )
        return float(ends[0]), float(ends[1]), float(half or 0.0)

    def _as_share(self, unit: str, gain: bool = False) -> tuple[float, float, float] | None:
        """The same of a level in dB as the share of power that is left, or with `gain` as the ratio that is gained."""
        scale = converted(1.0, "1", unit)
        if scale is None or max(abs(self.low), abs(self.high)) > LOUDEST:
            return None
        ends = sorted(10.0 ** ((abs(x) if gain else -abs(x)) / 10) * scale for x in (self.low, self.high))
        return ends[0], ends[1], ends[1] * math.log(10) / 10 * self.half


def shares(level: float) -> tuple[float, float]:
    """Of a level in dB: the share of power that is left, and the ratio that is gained. Raises OverflowError beyond 3000 dB."""
    return 10.0 ** (-abs(level) / 10), 10.0 ** (abs(level) / 10)


@lru_cache(maxsize=512)
def readable(text: str) -> str:
    """The text as its reader sees it, every character in its place; what vanishes leaves spaces."""
    plain = legible(text)
    if plain.text == text:
        return text
    chars, place = [" "] * len(text), 0
    while place < len(plain.text):
        start, end, shown = plain.starts[place], plain.ends[place], ""
        while place < len(plain.text) and plain.starts[place] == start:
            shown, place = shown + plain.text[place], place + 1
        chars[start:end] = (shown if len(shown) <= end - start else text[start:end]).ljust(end - start)
    return "".join(chars)


@lru_cache(maxsize=512)
def numbers_in(text: str) -> tuple[Written, ...]:
    """Every number that stands whole in a text, in order, ranges beside the numbers they are made of."""
    plain = legible(text)
    labels = Labels(plain.text)
    found = [
        _written(n, plain.text, labels)
        for n in plain_numbers(plain.text)
        if n.standing in ("whole", "name") and n.words in ("", "english")
    ]
    placed = []
    for number in _with_ranges(found, plain.text):
        start, end = plain.source(number.start, number.end)
        placed.append(replace(number, start=start, end=end))
    return tuple(placed)


def matches(found: Written, value: float, unit: str, upper: float | None = None) -> bool:
    """Whether a number states the value (or the range from value to upper), both in `unit`."""
    stated = found.in_unit(unit)
    if stated is None or (found.in_range and upper is None):
        return False
    if canonical(found.unit) == LEVEL != canonical(unit):
        ends = (value, value if upper is None else upper)
        read = [stated, found._as_share(unit, gain=True) or stated]
        typed = min(_TYPED, stated[2] / stated[1])
        return any(
            all(abs(a - b) <= max(typed, 1e-6) * b for a, b in zip(ends, ways[:2], strict=True))
            for ways in read
        )
    low, high, half = stated
    wanted = (value, value if upper is None else upper)
    slack = (
        1e-6
        if not reciprocal(found.unit or "1", unit)
        else max(1e-6, min(5e-4, half / abs(high) if high else 0.0))
    )
    return all(
        abs(a - b) <= slack * max(abs(b), 1e-300) + 1e-15 for a, b in zip(wanted, (low, high), strict=True)
    )


def _written(number: Number, plain: str, labels: Labels) -> Written:
    start, end, unit = number.start, number.after, number.unit
    label = number.standing == "name" or (
        number.words != "" and plain[start : number.end].lower() == "one" and not unit
    )
    if not label and unit in ("", "a"):
        inside = labels.cover(start, number.end)
        label = inside or labels.named_before(start) or is_year(plain, start, number.end)
    half = number.half if number.error is None else number.error
    if (
        _IN_BRACKETS.fullmatch(plain, number.end, end)
        and plain[end : end + 2].strip()[:1] == "|"
        and _OF_COLUMN.search(plain[max(0, start - _LONGEST_HEAD) : start])
    ):
        return Written(number.value, number.value, "", half, start, number.end, label)
    return Written(
        number.value, number.value, unit or ("" if label else number.lent), half, start, end, label
    )


def _begun(earlier: list[Written], place: Written, number: Written, plain: str) -> bool:
    """Whether a 'from' before `place` begins what ends at `number`, and `place` only says where it begins."""
    for one in reversed(earlier):
        if place.start - one.end > _NEAR:
            return False
        between = plain[one.end : place.start]
        if re.search(r"(?i)[.;]\s|\bto\b", between):
            return False
        if (
            one.low == one.high
            and one.unit
            and one.unit == number.unit
            and _FROM.search(plain[max(0, one.start - 14) : one.start])
        ):
            return bool(_WHERE.fullmatch(between) and _TO.fullmatch(plain[place.end : number.start]))
    return False


def _with_ranges(found: list[Written], plain: str) -> list[Written]:
    done: list[Written] = []
    for number in found:
        one = done[-1] if done else None
        done.append(number)
        if one is None or one.label or number.label or one.in_range or one.low != one.high:
            continue
        between, before = plain[one.end : number.start], plain[max(0, one.start - 14) : one.start]
        if _begun(done[-4:-2], one, number, plain):  # "from 34.6 nm at N = 2 to 7.01 nm at N = 4"
            done[-2] = replace(one, unit="") if plain[one.end - 1].isdigit() else one  # where it is lent
            continue
        joined = _JOINED.fullmatch(between) or (
            _BETWEEN.fullmatch(between) and re.search(r"(?i)\bbetween\s*(?:about\s*)?$", before)
        )
        low: float | None = one.low
        if one.unit and number.unit and one.unit != number.unit:
            low = (
                converted(one.low, one.unit, number.unit)
                if dimension(one.unit) == dimension(number.unit)
                else None
            )
        high = number.high
        if not joined or low is None or not low < high or (one.unit and not number.unit):
            continue
        if not _FROM.search(before):  # "moves from 6 to 7 nm" states both ends
            done[-2:] = [replace(one, in_range=True), replace(number, in_range=True)]
        done.append(Written(low, high, number.unit, max(one.half, number.half), one.start, number.end))
    return done
