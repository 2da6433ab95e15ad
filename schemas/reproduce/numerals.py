"""Numbers in prose as a reader understands them: digits, powers of ten, ranges and number words, with their units.

Two numbers are the same if they agree within a tolerance in any unit a physicist would use for the quantity: 685 nm, 0.685 um,
437.6 THz, 1.81 eV, 14 598 1/cm and "six hundred and eighty-five nanometres" are one wavelength, 3.7 % and 0.037 one fraction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from schemas.core.errors import InputError
from schemas.reproduce.spectral import to_wavelength_um

_MINUS = str.maketrans({"\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-"})
_GAP = r"[\s~$\\,;{}\u00a0\u2009\u202f-]{0,4}"
_UNITS = (  # canonical unit, how it is written
    ("nm", r"nm\b|nanomet(?:er|re)s?\b"), ("um", r"[uµμ]m\b|microns?\b|micromet(?:er|re)s?\b"), ("mm", r"mm\b"),
    ("angstrom", r"Å|angstroms?\b"), ("THz", r"THz\b|terahertz\b"), ("GHz", r"GHz\b|gigahertz\b"), ("PHz", r"PHz\b"),
    ("meV", r"meV\b|milli-?electron[ -]?volts?\b"), ("eV", r"eV\b|electron[ -]?volts?\b"),
    ("1/cm", r"cm\s?\^?\{?-1\}?|cm⁻¹|1/cm\b|wavenumbers?\b|(?:inverse|reciprocal) centimet(?:er|re)s?\b"),
    ("%", r"%|per ?cent\b|percent\b"), ("c/a", r"c/a\b"), ("deg", r"°|deg(?:rees?)?\b"), ("dB", r"dB\b"), ("fs", r"fs\b"))
_UNIT = re.compile(_GAP + "(?:" + "|".join(f"(?P<u{n}>{form})" for n, (_, form) in enumerate(_UNITS)) + ")")
SPECTRAL = frozenset({"nm", "um", "mm", "angstrom", "THz", "GHz", "PHz", "eV", "meV", "1/cm"})
_DIGITS = re.compile(
    r"(?<![\w.])(?P<sign>[-+]?)(?P<body>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?=\s*(?:nm|cm|GHz|THz))|0,\d+|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<power>[eE][-+]?\d+|\s?(?:[x×·*]|\\times|\\cdot)\s?10\s?\^?\{?(?P<ten>[-+]?\d+)\}?)?(?!\.?\d)")
_ONES = {word: number for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen".split())}
_TENS = {word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "tenth": 10,
          "tenths": 10}
_WORD = "|".join(sorted((*_ONES, *_TENS, "hundred", "thousand", "oh"), key=len, reverse=True))
_WORDS = re.compile(rf"\b(?:{_WORD})(?:[\s-]+(?:and[\s-]+|point[\s-]+)?(?:{_WORD}))*\b(?:[\s-]+(?P<part>"
                    + "|".join(_PARTS) + r")\b)?", re.IGNORECASE)
_SPOKEN = 1e9  # no one writes larger numbers in words; "hundred hundred ..." would grow without end
_BETWEEN = re.compile(r"\s*(?:-|to|and|until|up to|\.\.\.?|…|±|\+/-)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Numeral:
    """A number in a text: its value, its canonical unit ('' if none stands there), and its place.

    after: where its unit ends. words: it was written in words. range_with: the place of its range's other end in the list.
    """

    value: float
    unit: str
    start: int
    end: int
    after: int
    words: bool = False
    range_with: int | None = None


def numerals(text: str) -> list[Numeral]:
    """Every number of a text in order; of a range both ends, the first with the unit that stands at the second."""
    plain = text.translate(_MINUS)
    found = sorted((*_typed(plain), *_spoken(plain)), key=lambda numeral: numeral.start)
    for place in range(len(found) - 1):
        one, other = found[place], found[place + 1]
        between = plain[one.after:other.start]
        if (_BETWEEN.fullmatch(between) or (between == "" and plain[other.start] == "-")) and one.unit in ("", other.unit):
            found[place] = replace(one, unit=one.unit or other.unit, range_with=place + 1)
    return found


def quantities_in(text: str) -> list[tuple[float, str]]:
    """(value, unit) of every number of a text."""
    return [(numeral.value, numeral.unit) for numeral in numerals(text)]


def every_number(values: Iterable[object]) -> list[tuple[float, str]]:
    """(value, unit) of all numbers in plain data, texts included; a number without a unit is compared in any."""
    found: list[tuple[float, str]] = []
    for value in values:
        if isinstance(value, dict):
            found += every_number(value.values())
        elif isinstance(value, (list, tuple)):
            found += every_number(value)
        elif isinstance(value, str):
            found += quantities_in(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append((float(value), ""))
    return list(dict.fromkeys(found))


def same(one: float, unit: str, other: float, other_unit: str, tolerance: float) -> bool:
    """Whether two numbers with units ('' if unknown, '1' if dimensionless) state the same, within a relative tolerance.

    Spectral units convert, % is a fraction. Where a unit is unknown, powers of 1000 and per cent are tried; two known
    units of different dimension are never the same.
    """
    one, other = abs(one), abs(other)
    if unit in SPECTRAL and other_unit in SPECTRAL:
        return _close(_wavelength(one, unit), _wavelength(other, other_unit), tolerance)
    if unit in SPECTRAL and other_unit in SPECTRAL | {""} or other_unit in SPECTRAL and unit == "":
        return any(_close(one, other * factor, tolerance) for factor in (1.0, 1e3, 1e-3))
    fractions = {"", "1", "%"}
    if unit in fractions and other_unit in fractions:
        scales = {("%", "1"): (0.01,), ("1", "%"): (100.0,), ("%", ""): (1.0, 0.01), ("", "%"): (1.0, 100.0),
                  ("", ""): (1.0, 1e3, 1e-3)}.get((unit, other_unit), (1.0,))
        return any(_close(one * scale, other, tolerance) for scale in scales)
    return (unit == other_unit or "" in (unit, other_unit)) and _close(one, other, tolerance)


def rounding(text: str, numeral: Numeral) -> float:
    """How far another number may lie, relative to the larger, for the one written to be its rounding: half a unit of the last
    digit written. 0 for fewer than two significant digits and for words, which round nothing."""
    written = re.sub(r"^[-+\u2212]", "", text[numeral.start:numeral.end].strip())
    body = re.match(r"[\d,.]*", written)[0].replace(",", "." if written.startswith("0,") else "")  # type: ignore[index]
    if numeral.words or len(body.replace(".", "").lstrip("0")) < 2 or not numeral.value:
        return 0.0
    half = 0.5 * 10.0 ** -len(body.partition(".")[2]) / float(body)
    return half / (1 + half)


def digits(value: float) -> int:
    """How many significant digits a number has."""
    return len(f"{abs(value):.12e}".split("e")[0].replace(".", "").rstrip("0"))


def unit_name(unit: str) -> str:
    """The canonical name of a unit as a plan or parameter writes it; '1' for a dimensionless one, its own text if unknown."""
    text = unit.strip()
    if text in ("", "1"):
        return "1"
    match = _UNIT.fullmatch(text)
    return _named(match) if match else text


def _typed(text: str) -> Iterator[Numeral]:
    for match in _DIGITS.finditer(text):
        body = match["body"].replace(",", "." if match["body"].startswith("0,") else "")
        exponent = match["ten"] or (match["power"][1:] if match["power"] else "0")
        if len(body) > 40 or len(exponent) > 4:
            continue
        value = float(f"{match['sign']}{body}e{exponent}")
        unit = _UNIT.match(text, match.end())
        if value == value and abs(value) != float("inf"):
            yield Numeral(value, _named(unit) if unit else "", match.start(), match.end(), unit.end() if unit else match.end())


def _spoken(text: str) -> Iterator[Numeral]:
    for match in _WORDS.finditer(text):
        words = re.split(r"[\s-]+", match[0].lower())
        part = words.pop() if match["part"] else ""
        value = _value([word for word in words if word != "and"])
        if value is None or value > _SPOKEN:
            continue
        unit = _UNIT.match(text, match.end())
        yield Numeral(value / _PARTS[part] if part else value, _named(unit) if unit else "", match.start(), match.end(),
                      unit.end() if unit else match.end(), True)


def _value(words: list[str]) -> float | None:
    """A number in words; digit by digit ('six eight five') if no other reading fits."""
    whole, _, fraction = (" ".join(words)).partition(" point ")
    if not fraction and words[:1] == ["point"]:
        return None
    said = whole.split()
    if len(said) > 1 and all(word in _ONES and _ONES[word] < 10 or word == "oh" for word in said):
        total = float("".join(str(_ONES.get(word, 0)) for word in said))
    else:
        total, group = 0.0, 0.0
        for word in said:
            if word == "thousand":
                total, group = total + 1000 * (group or 1), 0.0
            elif word == "hundred":
                group = 100.0 * (group or 1)
            else:
                group += _ONES.get(word, _TENS.get(word, 0))
        total += group
    tail = "".join(str(_ONES.get(word, _TENS.get(word, 0))) for word in fraction.split())
    return total + (float(f"0.{tail}") if tail else 0.0)


def _named(match: re.Match[str]) -> str:
    return next(_UNITS[int(name[1:])][0] for name, found in match.groupdict().items() if found is not None)


def _wavelength(value: float, unit: str) -> float:
    try:
        return to_wavelength_um(value, unit)
    except InputError:
        return 0.0


def _close(one: float, other: float, tolerance: float) -> bool:
    return abs(one - other) <= (tolerance + 1e-9) * max(one, other) if one and other else one == other
