"""Whether words said to be the paper's are the paper's, where they stand, and whether they state a number."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from schemas.units import dimension
from schemas.written import Written, matches, numbers_in

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
_MOST_FOUND = 6_000  # characters of all places of one quotation
_NUMBERS = (re.compile(r"\d*\.\d+|\d+"), re.compile(r"\d+(?:[, ]\d{3})+(?:\.\d+)?(?!\d)"))
_BEFORE, _AFTER = 160, 60  # characters of the paper read around a quotation: a number begins and ends where the paper's does


@dataclass(frozen=True)
class _Plain:
    """Text without spaces and typesetting; places[i] is where its character i stands in `source`."""

    source: str
    text: str
    places: tuple[int, ...]


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


def number_fault(value: float, unit: str, quotation: str, text: str, upper: float | None = None) -> str:
    """Why the quotation does not state the value (or the range from value to upper) in the unit; '' if it does.

    The number counts as it stands in the paper around the quotation: whole, with its unit beside it or in the head of its
    table's column, converted to `unit`; labels, citations and years state nothing.
    """
    source = unicodedata.normalize("NFC", text)
    seen: list[Written] = []
    for spans in passages(quotation, text):
        for start, end in spans:
            for number in _numbers_between(source, start, end):
                if _states(number, value, unit, upper, source):
                    return ""
                seen.append(number)
    wanted = f"{value:g}" if upper is None else f"the range {value:g} to {upper:g}"
    wanted += f" {unit}" if unit not in ("", "1") else ""
    stated = list(dict.fromkeys(_shown(number) for number in seen if not number.label))
    one_end = upper is None and any(matches(replace(n, in_range=False), value, unit) for n in seen if n.in_range)
    if one_end:
        return f"{wanted} is one end of a range"
    there = ", ".join(stated[:8]) or "no number (labels, citations, years are none)"
    return f"{wanted} does not stand in its quotation {quotation[:160]!r} as a whole number with its unit; there: {there}"


def stands_whole(value: float, quotation: str, text: str) -> tuple[str, ...]:
    """What follows the value in the paper, in `normal` form, each time it is a whole number of the quotation's.

    For numbers whose unit has spellings of its own (rad/s, um^2, pm/V); empty if the value is nowhere a whole number.
    """
    source = unicodedata.normalize("NFC", text)
    found = []
    for spans in passages(quotation, text):
        for start, end in spans:
            for number in _numbers_between(source, start, min(len(source), end + _AFTER)):
                if number.start < end and matches(replace(number, unit="1", in_range=False), value, "1"):
                    found.append(normal(source[number.start : min(end, number.end + _AFTER)]))
    return tuple(found)


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


def _numbers_between(source: str, start: int, end: int) -> list[Written]:
    """The numbers that lie wholly between start and end of the source; their places are those of the source."""
    first = max(0, start - _BEFORE)
    around = numbers_in(source[first : end + _AFTER])
    moved = [replace(number, start=number.start + first, end=number.end + first) for number in around]
    return [number for number in moved if start <= number.start and number.end <= end]


def _states(number: Written, value: float, unit: str, upper: float | None, source: str) -> bool:
    if number.unit or number.label:
        return matches(number, value, unit, upper)
    after = normal(source[number.end : number.end + _AFTER])
    if dimension(unit) == "other" and after.startswith(normal(unit)):
        return matches(replace(number, unit="1"), value, "1", upper)
    return matches(replace(number, unit=_head_unit(source, number.start)), value, unit, upper)


def _head_unit(source: str, place: int) -> str:
    """The unit in the head of the Markdown table's column in which a place lies; '' if there is none."""
    start = source.rfind("\n", 0, place) + 1
    row = source[start : place]
    if not row.lstrip().startswith("|"):
        return ""
    lines = source[:start].split("\n")[:-1]
    rule = next((n for n in range(len(lines) - 1, 0, -1) if re.fullmatch(r"\s*\|[\s:|-]+\|?\s*", lines[n])), 0)
    if not rule or not all(line.lstrip().startswith("|") for line in lines[rule - 1 :]):
        return ""
    cells = lines[rule - 1].strip().strip("|").split("|")
    column = row.count("|") - 1
    if column >= len(cells):
        return ""
    named = re.search(r"[(\[]([^)\]]+)[)\]]\s*$|/\s*(\S+)\s*$|(?:\bin|,)\s+(\S+)\s*$", cells[column].strip())
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


def _plain(text: str, hyphen: str) -> _Plain:
    source = unicodedata.normalize("NFC", text)
    kept = [(c, n) for n, char in enumerate(source) for c in char.translate(_SIGNS)]
    marked = "".join(c for c, _ in kept)
    gone = {n for match in _MARKUP.finditer(marked) for n in range(*match.span())}
    kept = [(c, place) for n, (char, place) in enumerate(kept) if n not in gone
            for c in unicodedata.normalize("NFKC", char).translate(_SIGNS).casefold()]
    marked = "".join(c for c, _ in kept)
    broken = {n: n - match.start() for match in re.finditer(r"-\s*\n\s*", marked) for n in range(*match.span())}
    kept = [(c, place) for n, (c, place) in enumerate(kept)
            if not c.isspace() and (n not in broken or (broken[n] == 0 and hyphen))]
    return _Plain(source, "".join(c for c, _ in kept), tuple(place for _, place in kept))


def _digits(number: str) -> str:
    mantissa = re.split("[eE]", number)[0]
    return re.sub(r"\D", "", mantissa).lstrip("0").rstrip("0") or "0"
