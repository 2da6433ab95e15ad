"""Whether words said to be the paper's are the paper's, where they stand, and whether they state a number."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from schemas.reproduce.simulations.units import canonical, dimension
from schemas.reproduce.words.claim_words import ORDINALS
from schemas.reproduce.words.written import Written, matches, numbers_in
from schemas.text.unit_forms import unit_name

# A quotation must be this long to mean anything, and so must each part of one that leaves words out.
MIN_QUOTATION, MIN_PART = 4, 12
# What may lie between two parts, in characters without spaces.
MAX_GAP = 2000
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02b9\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
        "\u03bc": "u",
        "\u00b5": "u",
        "\u00d7": "x",
        "\u223c": "~",
        "\u2248": "~",
    }
)
_MARKUP = re.compile(r"\\[,;:! ]|\\(?:mathrm|text|rm)\b|[*_$`{}]|\\(?=[a-zA-Z])")
_GAP = re.compile(r"\[?(?:\.\.\.|\u2026)\]?")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n{2,}|\n(?=\|)")
# What is 2 pi over a length though its unit be written without rad, right before its number; "wavenumber" may be one over a wavelength.
_ANGULAR = re.compile(
    r"(?i)(?:\b(?:wave[\s-]?vector|propagation[\s-]+constant|bloch[\s-]+vector|in-plane\s+momentum)\s+(?:(?-i:k|\u03b2)\w{0,3}\s+)?(?:of|is|=)|"
    r"(?<!coefficient\s)(?<!constant\s)(?<!absorption\s)(?<!loss\s)(?<![/\w])(?-i:k|\u03b2)_?\{?(?:x|y|z|0|B|\|\||\u2225|par)?\}?\s?=)"
    r"\s*(?:about\s+|2\s?\u03c0\s?/\s?\u03bb\s*=\s*)?$"
)
_IN_TURNS = re.compile(
    r"(?i)\b(?:cycles?|turns?)\b|\b(?:lines?|periods?)\s+per\b|1\s?/\s?(?:\u03bb|lambda)|/\s?\(?\s?2\s?(?:\u03c0|\\?pi\b)"
)
_MOST_FOUND = 6_000  # characters of all places of one quotation
_NUMBERS = (re.compile(r"\d*\.\d+|\d+"), re.compile(r"\d+(?:[, ]\d{3})+(?:\.\d+)?(?!\d)"))
_AFTER = 60  # characters of the paper read behind a number for its unit
_RULE, _LONGEST_UNIT = re.compile(r"\|[\s:|-]+"), 80


@dataclass(frozen=True)
class _Plain:
    """Text without spaces and typesetting; places[i] is where its character i stands in `source`."""

    source: str
    text: str
    places: tuple[int, ...]


@dataclass(frozen=True)
class _Words:
    """A paper's words with what they state, read once: its numbers in the order in which they end, its tables' heads.

    heads: the cells of a table's head for the place where each of its rows begins.
    """

    source: str
    numbers: tuple[Written, ...]
    ends: tuple[int, ...]
    heads: dict[int, list[str]]

    @cached_property
    def ranges(self) -> tuple[Written, ...]:
        """Every range: "500 to 800 nm"."""
        return tuple(number for number in self.numbers if number.low != number.high)

    def numbers_in(self, spans: list[tuple[int, int]], beyond: int = 0) -> dict[Written, int]:
        """The numbers that lie in a span, their units at most `beyond` it, each with the furthest end of its spans."""
        found: dict[int, int] = {}
        for start, end in spans:
            for place in range(bisect_left(self.ends, start), bisect_right(self.ends, end + beyond)):
                if start <= self.numbers[place].start < end:
                    found[place] = max(end, found.get(place, end))
        return {self.numbers[place]: end for place, end in sorted(found.items())}

    def table_head(self, place: int) -> str:
        """What stands above a place in a Markdown table: the words before it, the heads of its rows and of its own column; ''
        if there is none."""
        parts = self.heads_of(place)
        return f"{parts[0]} {', '.join(dict.fromkeys(parts[1:]))}" if parts else ""

    def heads_of(self, place: int) -> tuple[str, ...]:
        """The same one by one: the words before the table, the head of its first column and that of its own; () if there is none."""
        start = self.source.rfind("\n", 0, place) + 1
        cells = self.heads.get(start)
        if cells is None:
            return ()
        top = self.source.rfind("|".join(cells), 0, start)
        above = self.source[: max(0, self.source.rfind("\n", 0, top))].rstrip()
        column = self.source.count("|", start, place) - 1
        own = (cells[at] if 0 <= at < len(cells) else cells[0] for at in (0, column))
        return (above[above.rfind("\n") + 1 :], *own)

    def head_unit(self, place: int) -> str:
        """The unit in the head of the Markdown table's column in which a place lies; '' if there is none."""
        start = self.source.rfind("\n", 0, place) + 1
        column = self.source.count("|", start, place) - 1
        cells = self.heads.get(start, [])
        return _unit_of_head(cells[column].strip()[-_LONGEST_UNIT:]) if 0 <= column < len(cells) else ""


@lru_cache(maxsize=2048)
def normal(text: str, *, line_end_hyphen: str = "") -> str:
    """Text with one kind of dash and quote, without spaces, Markdown and TeX marks, in lower case.

    line_end_hyphen: what becomes of a hyphen at a line end: '' if the typesetter put it there, '-' if it is a
    word's.
    """
    return _plain(text, line_end_hyphen).text


def quoted(quotation: str, text: str) -> bool:
    """Whether the quotation stands in the text; parts between '...' must come in order, each of 12 characters or more."""
    return bool(passages(quotation, text))


def passages(quotation: str, text: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every place where the quotation stands: (start, end) of each of its parts, in the NFC form of the text."""
    found: dict[tuple[tuple[int, int], ...], None] = {}
    parts = [part.strip() for part in _GAP.split(quotation) if part.strip()]
    if not parts or (len(parts) > 1 and min(len(part) for part in parts) < MIN_PART):
        return ()
    for hyphen in ("", "-"):
        body = _paper(text, hyphen)
        wanted = [normal(part, line_end_hyphen=hyphen) for part in parts]
        if not all(wanted) or max(len(part) for part in wanted) < MIN_QUOTATION:
            continue
        start = body.text.find(wanted[0])
        while start >= 0 and len(found) < max(2, min(50, _MOST_FOUND // len(wanted[0]))):
            spans = _following(wanted, body, start)
            if spans:
                found[spans] = None
            start = body.text.find(wanted[0], start + 1)
    return tuple(found)


_PLACE_IN_ROW = re.compile(
    rf"(?i)\b(?P<before>(?:one|a|two)[ -])?(?P<word>{'|'.join(name for name, n in ORDINALS.items() if n > 1 and '-' not in name)})\s+"
    r"(?!of\b|order|harmonic|diffract|approx)[a-z]+"
)


_UNIT_LENGTH = re.compile(
    r"(?i)\b(?:lattice (?:constant|period|parameter|spacing)|period(?:icity)?|pitch|unit (?:of )?length|nearest[ -]neighbou?r distance)"
    r"\s*(?:,|is|=|:|called|denoted(?: by)?)?\s*[$*_`({\\]*(?-i:a)(?![\w'])(?![*_$`\s]*(?:[/=\d]|(?:of|is)\s+\d|few\b))"
)


def number_fault(value: float, unit: str, quotation: str, text: str, upper: float | None = None) -> str:
    """Why the quotation does not state the value (or the range from value to upper) in the unit; '' if it does.

    The number counts as it stands in the paper around the quotation: whole, with its unit beside it or in the head of its
    table's column, converted to `unit`; labels, citations and years state nothing.
    """
    words = _words(text)
    seen = list(words.numbers_in(_spans(quotation, text)))
    if any(_states(number, value, unit, upper, words) for number in seen):
        return ""
    wanted = f"{value:g}" if upper is None else f"the range {value:g} to {upper:g}"
    wanted += f" {unit}" if unit not in ("", "1") else ""
    stated = list(dict.fromkeys(_shown(number) for number in seen if not number.label))
    one_end = upper is None and any(
        matches(replace(n, in_range=False), value, unit) for n in seen if n.in_range
    )
    if one_end:
        return f"{wanted} is one end of a range"
    there = ", ".join(stated[:8]) or "no number (labels, citations, years are none)"
    return f"{wanted} does not stand in its quotation {quotation[:160]!r} as a whole number with its unit; there: {there}"


def input_fault(value: float, unit: str, quotation: str, text: str) -> str:
    """The same of an input, which one end of a range states as well: "peaks between 1300 nm" where "and 1700 nm" follows, and a place
    in a row: "the third rod from either end". The value itself stands in the quotation; but for the free length, which is what all
    others are measured in: "a square lattice of lattice constant a"."""
    fault = number_fault(value, unit, quotation, text)
    if fault and canonical(unit).startswith("rad/") and not _IN_TURNS.search(text):
        places = places_stated(value, canonical(unit).replace("rad", "1", 1), quotation, text)
        if any(
            _ANGULAR.search(words[max(0, number.start - 60) : number.start]) for words, number, _ in places
        ):
            return ""
    if not fault or (unit in ("", "1") and _counts_to(value, quotation)):
        return ""
    if unit == "a" and value == 1 and _UNIT_LENGTH.search(quotation) and quoted(quotation, text):
        return ""
    words, spans = _words(text), _spans(quotation, text)
    for low, high, number in ranges_of(value, unit, quotation, text):
        ends = [n for n in words.numbers if n.in_range and number.start <= n.start < number.end]
        own = [
            n
            for n, end in zip(ends, (low, high), strict=False)
            if end == value and any(start <= n.start and n.end <= stop for start, stop in spans)
        ]
        if own and not number.label and _states(number, low, unit, high, words):
            return ""
    return fault


def _counts_to(value: float, quotation: str) -> bool:
    """Whether words count up to a whole number: "the third rod"; "a third of the power" and "third order" do not."""
    return any(
        value == ORDINALS[match["word"].lower()] and not match["before"]
        for match in _PLACE_IN_ROW.finditer(quotation)
    )


def places_stated(
    value: float, unit: str, quotation: str, text: str, upper: float | None = None
) -> tuple[tuple[str, Written, str], ...]:
    """(the paper's words, the number there, the head of its table) for each place where the quotation states the value, as
    `number_fault` reads it. The head is the line above the table and the cells of its first row; '' outside a table."""
    words = _words(text)
    return tuple(
        (words.source, number, words.table_head(number.start))
        for number in words.numbers_in(_spans(quotation, text))
        if _states(number, value, unit, upper, words)
    )


def heads_of(place: int, text: str) -> tuple[str, ...]:
    """Of a place in a table: the line above it, the heads of its first column and of the place's own; () outside a table."""
    return _words(text).heads_of(place)


def ranges_of(value: float, unit: str, quotation: str, text: str) -> tuple[tuple[float, float, Written], ...]:
    """(low, high, the range) of every range that the quotation holds, or one end of, in `unit`, of which the value is one end."""
    words, spans, out = _words(text), _spans(quotation, text), []
    for number in words.ranges if spans else ():
        if not any(number.start < end and start < number.end for start, end in spans):
            continue
        ends = replace(number, unit=number.unit or words.head_unit(number.start)).in_unit(unit)
        if ends is not None:
            low, high = (value if abs(value - end) <= 1e-6 * abs(end) else end for end in ends[:2])
            if value in (low, high):
                out.append((low, high, number))
    return tuple(out)


def ranges_stated(text: str) -> tuple[Written, ...]:
    """Every range of the paper's words: "500 to 800 nm"."""
    return _words(text).ranges


def stands_whole(value: float, quotation: str, text: str) -> tuple[str, ...]:
    """What follows the value in the paper, in `normal` form, each time it is a whole number of the quotation's.

    For numbers whose unit has spellings of its own (rad/s, um^2, pm/V); empty if the value is nowhere a whole number.
    """
    words = _words(text)
    return tuple(
        normal(words.source[number.start : min(end, number.end + _AFTER)])
        for number, end in words.numbers_in(_spans(quotation, text), beyond=_AFTER).items()
        if matches(replace(number, unit="1", in_range=False), value, "1")
    )


def has_number(value: float, quotation: str) -> bool:
    """Whether a value's digits stand in the quotation in any unit: 0.62 in '62 %', 1.55 in '1550 nm'."""
    wanted = _digits(f"{abs(value):.12g}")
    plain = unicodedata.normalize("NFKC", quotation)
    return any(_digits(match[0]) == wanted for pattern in _NUMBERS for match in pattern.finditer(plain))


def nearest(quotation: str, text: str) -> str:
    """The sentence that shares most words with the quotation, shortened; empty if none shares any."""
    words = set(re.findall(r"\w{2,}", quotation.casefold()))
    best, score = "", 0
    for sentence in SENTENCE_END.split(text):
        shared = len(words & set(re.findall(r"\w{2,}", sentence.casefold())))
        if shared > score:
            best, score = sentence, shared
    return " ".join(best.split())[:240]


def _spans(quotation: str, text: str) -> list[tuple[int, int]]:
    return [span for spans in passages(quotation, text) for span in spans]


def _called(short: str, words: str) -> bool:
    """Whether words begin with a unit: as it is written, by its initials ("refractive index unit", RIU), or as the same unit."""
    found = re.match(r"[^,;.()|\n]{1,60}", words)
    named = found[0].split() if found else []
    initials = "".join(word[0] for word in named[: len(short)]).lower()
    if named and (named[0].lower() == short.lower() or (len(short) > 1 and initials == short.lower())):
        return True
    read = numbers_in(f"1 {' '.join(named[:1])}")
    return bool(read) and read[0].unit != "" and unit_name(read[0].unit) == unit_name(short)


_PER = re.compile(r"\s*(?:\bper\b|/)")
_LINES = re.compile(
    r"\s*(?:pixels?|px|points?|cells?|lines?|grooves?)\s*(?:per|/)\s*(?:(nm\b|nanomet\w+)|([u\u00b5\u03bc]m\b|micro(?:n\b|met\w+))|"
    r"(mm\b|millimet\w+))"
)


def _states(number: Written, value: float, unit: str, upper: float | None, words: _Words) -> bool:
    behind = words.source[number.end : number.end + _AFTER]
    if number.unit and _PER.match(behind) and _PER.search(unit):  # "442 nm per refractive index unit"
        over = _PER.split(unit, maxsplit=1)
        return (
            unit_name(over[0].strip()) == unit_name(number.unit)
            and _called(over[-1].strip(), behind[_PER.match(behind).end() :])  # type: ignore[union-attr]
            and matches(replace(number, unit="1"), value, "1", upper)
        )
    if number.unit or number.label:
        return matches(number, value, unit, upper)
    if not number.high and not value and upper is None and dimension(unit) in ("length", "angle", "time"):
        return (
            number.low == number.high and not number.in_range
        )  # "for s = 0": nought of what is measured in any unit
    if (each := _LINES.match(behind)) is not None:  # "600 lines per mm"
        size = next(name for name, group in zip(("nm", "um", "mm"), each.groups(), strict=True) if group)
        return matches(replace(number, unit=f"1/{size}"), value, unit, upper)
    if dimension(unit) == "other" and normal(behind).startswith(normal(unit)):
        return matches(replace(number, unit="1"), value, "1", upper)
    return matches(replace(number, unit=words.head_unit(number.start)), value, unit, upper)


@lru_cache(maxsize=256)
def _unit_of_head(cell: str) -> str:
    """The unit that ends the head of a table's column: "height (nm)", "height / nm", "height in nm"; '' if none does."""
    named = re.search(r"[(\[]([^)\]]+)[)\]]\s*$|/\s*(\S+)\s*$|(?:\bin|,)\s+(\S+)\s*$", cell)
    found = numbers_in("1 " + next(group for group in named.groups() if group)) if named else ()
    return found[0].unit if found else ""


def _shown(number: Written) -> str:
    value = f"{number.low:g}" if number.low == number.high else f"{number.low:g} to {number.high:g}"
    return f"{value} {number.unit}".strip()


def _following(parts: list[str], body: _Plain, start: int) -> tuple[tuple[int, int], ...]:
    """Spans in the source of parts that come in order from `start`; () if one is missing or too far away."""
    spans: list[tuple[int, int]] = []
    for part in parts:
        position = body.text.find(part, start, None if not spans else start + MAX_GAP + len(part))
        if position < 0:
            return ()
        spans.append((body.places[position], body.places[position + len(part) - 1] + 1))
        start = position + len(part)
    return tuple(spans)


@lru_cache(maxsize=8)
def _paper(text: str, hyphen: str) -> _Plain:
    """`_plain`, remembered: one paper is searched for every quotation of its plan."""
    return _plain(text, hyphen)


@lru_cache(maxsize=8)
def _words(text: str) -> _Words:
    source = unicodedata.normalize("NFC", text)
    numbers = sorted(numbers_in(source), key=lambda number: number.end)
    return _Words(source, tuple(numbers), tuple(number.end for number in numbers), _heads(source))


def _heads(source: str) -> dict[int, list[str]]:
    heads: dict[int, list[str]] = {}
    start, above, head = 0, "", None
    for line in source.split("\n"):
        row = line.strip()
        if not row.startswith("|"):
            row, head = "", None
        elif above and _RULE.fullmatch(row):
            head = above.strip("|").split("|")
        elif head is not None:
            heads[start] = head
        start, above = start + len(line) + 1, row
    return heads


def _plain(text: str, hyphen: str) -> _Plain:
    source = unicodedata.normalize("NFC", text)
    kept = [(c, n) for n, char in enumerate(source) for c in char.translate(_SIGNS)]
    marked = "".join(c for c, _ in kept)
    gone = {n for match in _MARKUP.finditer(marked) for n in range(*match.span())}
    kept = [
        (c, place)
        for n, (char, place) in enumerate(kept)
        if n not in gone
        for c in unicodedata.normalize("NFKC", char).translate(_SIGNS).casefold()
    ]
    marked = "".join(c for c, _ in kept)
    broken = {
        n: n - match.start() for match in re.finditer(r"-\s*\n\s*", marked) for n in range(*match.span())
    }
    kept = [
        (c, place)
        for n, (c, place) in enumerate(kept)
        if not c.isspace() and (n not in broken or (broken[n] == 0 and hyphen))
    ]
    return _Plain(source, "".join(c for c, _ in kept), tuple(place for _, place in kept))


def _digits(number: str) -> str:
    mantissa = re.split("[eE]", number)[0]
    return re.sub(r"\D", "", mantissa).lstrip("0").rstrip("0") or "0"
