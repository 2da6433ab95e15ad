"""Letters as words in places, and words as numbers: signs, powers of ten, decimal points and commas."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

MINUS = "\u2212\u2013\u2014\u2010\u2011\u2012\ufe63\uff0d"
_TIMES = "\u00d7\u00b7\u22c5\u2219*"
_NARROW = 0.3  # of the letters' size: the widest space inside a word
_MOST_WORDS = 8000
_RAISED = 0.12  # of the letters' size: how far a power stands above the line


@dataclass(frozen=True)
class Letter:
    """A letter in its box, in the direction of writing: u along, v across, in points. (u, v) = (x, y), turned by 90: (y, -x)."""

    text: str
    u0: float
    v0: float
    u1: float
    v1: float
    line: float  # v of its baseline
    size: float
    colour: tuple[int, int, int]


@dataclass
class Word:
    """Letters side by side. text: powers follow a ^."""

    letters: list[Letter] = field(default_factory=list)
    turned: bool = False

    @property
    def size(self) -> float:
        """The size of its largest letters, points."""
        return max(letter.size for letter in self.letters)

    @property
    def base(self) -> float:
        """v of its baseline."""
        large = [letter for letter in self.letters if letter.size > 0.9 * self.size]
        return sorted(letter.line for letter in large)[len(large) // 2]

    @property
    def text(self) -> str:
        """Its letters; ^ before those that are raised, \ufffd for those that are neither raised nor on the line."""
        found, raised, base, size = "", False, self.base, self.size
        for letter in self.letters:
            up = letter.line - base > _RAISED * size
            odd = not up and (letter.size < 0.88 * size or abs(letter.line - base) > _RAISED * size)
            if up and not raised:
                found += "^"
            elif raised and not up:
                found += "_"
            found += "\ufffd" if odd and letter.text.isalnum() else letter.text
            raised = up
        return found

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 on the page."""
        u0, v0 = min(a.u0 for a in self.letters), min(a.v0 for a in self.letters)
        u1, v1 = max(a.u1 for a in self.letters), max(a.v1 for a in self.letters)
        return (-v1, u0, -v0, u1) if self.turned else (u0, v0, u1, v1)

    @property
    def colour(self) -> tuple[int, int, int]:
        """Of its first letter."""
        return self.letters[0].colour


def words_of(
    letters: Iterable[Sequence[object]], bars: Iterable[tuple[float, float, float, float]] = ()
) -> list[Word]:
    """Words of a page's letters (as `pdf_reader.drawing` lists them), written to the right or upwards; others are left out.

    bars: boxes of small filled bars: one that stands where a minus sign would, before a digit, is one.
    """
    found: list[Word] = []
    for angle, turned in ((0.0, False), (90.0, True)):
        mine = [_letter(entry, turned) for entry in letters if _turn(float(entry[8]), angle) < 2]  # type: ignore[arg-type]
        words: list[Word] = []
        for letter in _ligatures_parted(mine):
            if not letter.text.strip():
                continue
            if words and _joins(words[-1].letters[-1], words[-1], letter):
                words[-1].letters.append(letter)
            else:
                words.append(Word([letter], turned))
        found += _joined(_signed(words, [_bar(box, turned) for box in bars]))
    return found


def slanted(letters: Iterable[Sequence[object]]) -> list[tuple[float, float]]:
    """Where digits stand that are written neither to the right nor upwards, (x, y): they are not read."""
    return [
        (float(entry[5]), float(entry[6]))  # type: ignore[arg-type]
        for entry in letters
        if str(entry[0]).isdigit() and min(_turn(float(entry[8]), angle) for angle in (0.0, 90.0)) >= 2  # type: ignore[arg-type]
    ]


def _ligatures_parted(letters: Sequence[Letter]) -> list[Letter]:
    """Letters of a ligature each in a part of its box along the line: in turned text PDFium parts it across."""
    found: list[Letter] = []
    start = 0
    while start < len(letters):
        first, end = letters[start], start + 1
        place = (first.u0, first.u1, first.line)
        while end < min(len(letters), start + 4) and place == (
            letters[end].u0, letters[end].u1, letters[end].line
        ):  # fmt: skip
            end += 1
        several, step = letters[start:end], (first.u1 - first.u0) / (end - start)
        if (
            end - start > 1 and len({(letter.text, letter.v0) for letter in several}) > 1
        ):  # not one letter drawn twice
            v0, v1 = min(a.v0 for a in several), max(a.v1 for a in several)
            several = [
                replace(a, u0=first.u0 + k * step, u1=first.u0 + (k + 1) * step, v0=v0, v1=v1)
                for k, a in enumerate(several)
            ]
        found += several
        start = end
    return found


def _turn(a: float, b: float) -> float:
    return min(abs(a - b), 360 - abs(a - b))


def _letter(entry: Sequence[Any], turned: bool) -> Letter:
    text, x0, y0, x1, y1, x, y, size, _, *colour = entry
    u0, v0, u1, v1 = map(float, (x0, y0, x1, y1))
    red, green, blue = (int(part) for part in colour)
    if turned:
        return Letter(
            str(text),
            v0,
            -u1,
            v1,
            -u0,
            -float(x),
            float(size),
            (red, green, blue),
        )
    return Letter(str(text), u0, v0, u1, v1, float(y), float(size), (red, green, blue))


def _joins(last: Letter, word: Word, letter: Letter) -> bool:
    size = max(word.size, letter.size)
    if letter.text in _TIMES and not last.text.isdigit():
        return False  # a factor begins
    wide = 0.55 if letter.text in _TIMES or last.text in _TIMES else _NARROW
    return (
        -0.35 * size < letter.u0 - last.u1 < wide * size
        and -0.35 * size < letter.line - word.base < 0.9 * size
    )


def _joined(words: list[Word]) -> list[Word]:
    """Words that stand end to end though they were not written one after the other."""
    words = sorted(words, key=lambda word: word.letters[0].u0)[:_MOST_WORDS]
    kept: list[Word] = []
    ends = np.zeros((len(words), 2))  # of the words kept: where each ends, and its last letter's baseline
    for word in words:
        first = word.letters[0]
        near = np.flatnonzero(
            (np.abs(ends[: len(kept), 0] - first.u0) < 12) & (np.abs(ends[: len(kept), 1] - first.line) < 24)
        )
        fits = [kept[k] for k in near if _joins(kept[k].letters[-1], kept[k], first)]
        if fits:
            before = min(fits, key=lambda w: abs(w.letters[-1].u1 - first.u0))
            before.letters += word.letters
            place = int(next(k for k in near if kept[k] is before))
        else:
            place = len(kept)
            kept.append(word)
        ends[place] = kept[place].letters[-1].u1, kept[place].base
    return kept


def _bar(box: tuple[float, float, float, float], turned: bool) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    return (y0, -x1, y1, -x0) if turned else box


def _signed(words: list[Word], bars: list[tuple[float, float, float, float]]) -> list[Word]:
    for word in words:
        places = [place for place, letter in enumerate(word.letters) if letter.text.isdigit()]
        for place in reversed(places):
            digit = word.letters[place]
            before = word.letters[place - 1] if place else None
            if (
                before is not None
                and (before.text.isdigit() or before.text in ".,")
                and before.line == digit.line
            ):
                continue
            for u0, v0, u1, v1 in bars:
                middle, size = (v0 + v1) / 2 - digit.line, digit.size
                if (
                    0.02 * size < digit.u0 - u1 < 0.4 * size
                    and 0.3 * size < u1 - u0 < 0.95 * size
                    and v1 - v0 < 0.16 * size
                    and 0.15 * size < middle < 0.5 * size
                ):
                    colour = digit.colour
                    word.letters.insert(
                        place, Letter(MINUS[0], u0, v0, u1, v1, digit.line, digit.size, colour)
                    )
                    break
    return words


_PLAIN = re.compile(r"([+-]?)(\d*\.?\d+|\d+\.)(?:[eE]([+-]?\d{1,3}))?(%|\u00b0)?")
_FRACTION = re.compile(r"([+-]?)(\d{0,3})x?(\u03c0)?(?:/(\d{1,3}))?")
_POWER = re.compile(r"([+-]?)(?:(\d*\.?\d+)[x])?10\^([+-]?\d{1,3})_?(%|\u00b0)?")
_POWER_OF_TWO = re.compile(r"2\^(-?\d{1,2})_?")
_FACTOR = re.compile(
    r"(?:1?e([+-]?\d{1,3})|1?x?10\^([+-]?\d{1,3})_?)?(?:([+-]\d*\.?\d+)(?:e([+-]?\d{1,3}))?)?"
)


def may_hold_factor(text: str) -> bool:
    """Whether words hold what may be a factor, perhaps among others; its sign of multiplication may be garbled."""
    return re.search(r"10\^|[\dlI|][eE][+-]?\d|^[eE][+-]?\d|\d\^-?\d", plain(text)) is not None


def plain(text: str) -> str:
    """With ASCII signs, and without spaces."""
    for sign in MINUS:
        text = text.replace(sign, "-")
    for sign in _TIMES:
        text = text.replace(sign, "x")
    return re.sub(r"\s", "", text)


def number(text: str, comma: bool) -> float | None:
    """The number of a tick's label, or None. comma: whether the comma is the decimal sign (and the point parts thousands)."""
    text = plain(text)
    decimal, thousands = (",", ".") if comma else (".", ",")
    head, _, power = text.partition("^")
    if thousands in head:
        if not re.fullmatch(rf"[+-]?\d{{1,3}}(?:\{thousands}\d{{3}})+(?:\{decimal}\d+)?(%|\u00b0)?", head):
            return None
        if re.match(r"[+-]?0", head):
            return None
        head = head.replace(thousands, "")
    text = head.replace(decimal, ".") + ("^" + power if power else "")
    if match := _PLAIN.fullmatch(text):
        value = float(match[1] + match[2] + (f"e{match[3]}" if match[3] else ""))
        return value / 100 if match[4] == "%" else value
    if match := _FRACTION.fullmatch(text):
        of_pi = math.pi if match[3] else 1.0
        if (match[2] or match[3]) and float(match[4] or 1) and (match[3] or match[4]):
            return float(f"{match[1]}{match[2] or 1}") * of_pi / float(match[4] or 1)
    if match := _POWER.fullmatch(text):
        return float(f"{match[1]}{match[2] or 1}e{match[3]}")
    if match := _POWER_OF_TWO.fullmatch(text):
        return 2.0 ** int(match[1])
    return None


def factor_of(text: str) -> tuple[float, float] | None:
    """Factor and offset of words at an axis' end such as x10^-3, 1e6 or +1.55e3; None for other words."""
    text = plain(text).replace("E", "e").strip("()[]")
    match = _FACTOR.fullmatch(text)
    if not text or match is None or not any(match.groups()) or not re.search(r"e|\^|^[+-]", text):
        return None
    power = match[1] or match[2]
    offset = float(match[3] + (f"e{match[4]}" if match[4] else "")) if match[3] else 0.0
    return (float(f"1e{power}") if power else 1.0), offset
