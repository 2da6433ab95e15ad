"""Whether a number is told for the abscissa at which code takes a value: the light that its words name, and of several places its own;
which abscissa a table has, and whether words state the range that code looks in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from agents.reproduce.rules.moved_with import changed_with
from schemas.reproduce.simulations.axes import Axis
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.clauses import clause_of, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.said import Said, of_number
from schemas.reproduce.words.scene_words import lights_named, ranges_of_spectra
from schemas.reproduce.words.subject_words import colours_in
from schemas.reproduce.words.written import Written, matches, numbers_in
from simkit.describe.parameters import Parameter

_IS_AT = re.compile(
    r"(?i)\b(?:at|for|with|when|where)\s+(?:[a-z]+\s+){0,3}?(?:[A-Za-z]\w{0,3}\s*=\s*)?$|=\s*$"
)
_SIZE = (
    r"(?:thickness(?:es)?|heights?|depths?|widths?|gaps?|diameters?|radi(?:us|i)|lengths?|periods?|pitch(?:es)?|separations?|"
    r"spacings?|distances?|sizes?)"
)
_WAVE, _ANGLE = (
    r"(?:wave-?lengths?|frequenc(?:y|ies)|(?:photon\s+)?energ(?:y|ies)|wave-?numbers?)",
    r"(?:angles?|incidence)",
)
_AXES: tuple[tuple[Axis, str], ...] = (("parameter", _SIZE), ("spectral", _WAVE), ("angle", _ANGLE))
_SYMBOL = re.compile(r"\W*([^\W\d_]\w{0,5})\b")
_OVER = re.compile(
    rf"(?i)\b(?:against|versus|vs\.?|as\s+(?:an?\s+)?functions?\s+of|plotted\s+over)\s+(?:(?:the|its|their|an?)\s+)?(?:[\w-]+\s+){{0,3}}?"
    rf"(?:{_SIZE}|{_WAVE}|{_ANGLE})\b|\b(?:{_SIZE}|{_ANGLE})\b[^.;]{{0,40}}\b(?:varied|swept|scanned)\b"
)
_MOVES = r"(?:falls?|rises?|grows?|drops?|sinks?|climbs?|decays?|(?:in|de)creas(?:es?|ing))"
_MOVES_FROM = re.compile(
    rf"(?i)\b(?:{_MOVES}|chang(?:es?|ing)|varies|goes|moves|shifts)\s+(?:[a-z]+ly\s+)?from\s+$"
)
_FROM = re.compile(r"(?i)\b(?:from|between)\s+$")
_ONE_WAY = re.compile(
    rf"(?i)\bwith\s+(?:growing|increasing|larger|rising|decreasing|shrinking)\s+(?P<what>[^.;]{{0,60}}?)\b{_MOVES}\b|"
    rf"\b{_MOVES}\s+(?:[\w-]+\s+){{0,2}}?(?:steadily|monotonic\w*|smoothly|continuously|ever)\b|"
    rf"\b(?:only|steadily|monotonic\w*)\s+{_MOVES}\b|\bmonotonic\w*\s+functions?\b"
)
_BOTH_WAYS = re.compile(
    r"(?i)\b(?:oscillat|fring|maxim|minim|peak|dip|resona(?:n|te)|period(?:ic|s\b)|until|again\b|turns?\s+(?:round|back|over)|not\b|no\s+longer|"
    r"beat|ripple|twice|second\s+(?:time|crossing))"
)
_CURVE = re.compile(
    r"\b(?:[RTA](?:_\{?\w{1,4}\}?|\d)?|(?i:curves?|powers?|(?:reflect|transmi|absor|effici|intensit)\w*|light))(?!\w)"
)
_HEADING = re.compile(r"(?m)^#{1,6}\s")
_MOST_SAID = 40  # such sentences of a section
_KEPT = 0.95  # of a range: a window that keeps this much chooses nothing
_NEAR, _SAME = 24, 2e-3  # characters before a place that say that it is one; of a wavelength as printed
_WITHOUT = re.compile(
    r"(?i)[\s,(]*\b(?:without|with\s+no|in\s+the\s+absence\s+of)\s+(?:(?:an?|the|any)\s+)?(?P<body>(?!(?:loss|absor|disper|light|field)\w*)[a-z]{3,})\b"
    r"(?=\s*(?:[,.;:)]|$|(?:to|and|or|the|it|its|this|is|are|was|lies|while|where|but)\b))"  # no "cap losses"
)
_IS_NOUGHT = re.compile(r"(?<![\w])([A-Za-z]\w{0,5})\s*=\s*0(?![\d.]*[1-9])")
_BODY = re.compile(
    r"(?i)\b(?:caps?|layers?|films?|coatings?|claddings?|spacers?|shells?|slabs?|mirrors?|substrates?|gratings?|rods?|gaps?|adlayers?)\b"
)
_RESULT = re.compile(  # by its symbol, and no place: "and L_TM = ", not "at g = "
    r"(?i)(?<!\bat)(?<!\bfor)(?<!\bwhen)(?<!\bwith)(?<!\bwhere)(?<!\bto)(?:\s|^)([A-Z][_A-Za-z0-9{},]{0,12})\s*=\s*$"
)


def at_other_light(at: float, unit: str, clause: str, plain: str) -> bool:
    """Whether a clause names a light by what the paper calls it ("the pump"), or a colour, and an abscissa is another's."""
    place = converted(at, unit, "um")
    if place is None:
        return False
    named = lights_named(clause, plain)
    ends = [tuple(map(float, one.value.split())) for one in colours_in(clause)]
    return (named is not None and not any(abs(place - one) <= _SAME * one for one in named)) or (
        bool(ends) and not any(low <= place <= high for low, high in ends)
    )


def of_its_place(
    at: float, unit: str, value: Written, of_clause: Sequence[Written], plain: str, light: bool = False
) -> bool | None:
    """Whether a number is told for this abscissa, of a clause with several values and places ("34.6 nm at N = 2 and 7.01 nm at
    N = 4"); None where the clause does not have several places. of_clause: the other numbers of its clause. light: whether the abscissa
    is one of light, of which a length that is called a size is no place."""
    end = _at_same_end(value, of_clause, unit, plain) or changed_with(value, of_clause, plain)
    if end is not None:
        return matches(end, at, unit)
    places = [n for n in of_clause if not n.label and n.low == n.high and n.in_unit(unit) is not None]
    if light:
        places = [n for n in places if not (kinds := kinds_in_words(plain, n)) or kinds & {"light", "place"}]
    if unit == "1":  # of a bare number it is only known where words say that it is a place
        places = [n for n in places if _IS_AT.search(plain[max(0, n.start - _NEAR) : n.start])]
    values = {n.low for n in of_clause if dimension(n.unit or "1") == dimension(value.unit or "1")}
    if len({n.low for n in places}) < 2 or not values - {n.low for n in places}:
        return None
    return any(matches(n, at, unit) for n in _places_of(value, of_clause, places, plain))


def _at_same_end(value: Written, of_clause: Sequence[Written], unit: str, plain: str) -> Written | None:
    """The place of a value that something moves from or to, where the one range of places begins or ends: "from 1.45 to 1.65 um it
    grows from 95.4 % to 96.6 %"; None where there is no such range, or more than one."""
    single = [n for n in of_clause if n.low == n.high and not n.label]
    begins = [value.start for n in single if plain[value.end : n.start].strip() == "to"]
    ends = [n.start for n in single if plain[n.end : value.start].strip() == "to"]
    over = [n for n in of_clause if n.low < n.high and not n.label and n.in_unit(unit) is not None]
    if (
        len(begins) + len(ends) != 1
        or len(over) != 1
        or dimension(value.unit or "1") == dimension(over[0].unit or "1")
    ):
        return None
    [moves], [told] = begins or ends, over
    if not all(
        form.search(plain[max(0, start - _NEAR) : start])
        for form, start in ((_MOVES_FROM, moves), (_FROM, told.start))
    ):
        return None
    return next((n for n in single if (n.start == told.start if begins else n.end == told.end)), None)


def _places_of(
    value: Written, of_clause: Sequence[Written], places: Sequence[Written], plain: str
) -> Sequence[Written]:
    """Those that the number is told for: of a list the one of its own place; right behind it; the last before it that no earlier
    value has."""
    low, high = clause_of(plain, value.start, value.end)
    if re.search(r"(?i)\brespectively\b", plain[low:high]):
        own = of_number(
            [Said("beside", f"{n.low:g}", n.start, n.end) for n in places], value, plain, (low, high)
        )
        return [n for n in places if n.start in {one.start for one in own}]
    begins = {}
    for n in places:
        found = _IS_AT.search(plain[max(low, n.start - _NEAR) : n.start])
        begins[n.start] = n.start - (len(found[0]) if found else 0)

    def has(end: int, place: Written) -> bool:
        return begins[place.start] >= end and not plain[end : begins[place.start]].strip(" (")

    ends = [n.end for n in of_clause if n.start not in begins and n.end <= value.start]
    behind = [n for n in places if has(value.end, n)]
    free = [n for n in places if n.end <= value.start and not any(has(end, n) for end in ends)]
    return behind[:1] or free[-1:] or places


def axis_of_table(heads: Sequence[str], on_x: bool, plain: str) -> Axis | str:
    """What the abscissa of a table's number measures: its own column's, where the number lies on the abscissa, else that of the first
    column; '' if the heads say nothing or more than one thing. heads: the line above the table, the heads of both columns."""
    for words in ((heads[2], heads[0]) if on_x else (heads[1],)) if len(heads) > 2 else ():
        symbol = _SYMBOL.match(words) if words != heads[0] else None
        found = {axis for axis, form in _AXES if re.search(rf"(?i)\b{form}\b", words)}
        if not found and symbol:
            found = {
                axis
                for axis, form in _AXES
                if re.search(rf"(?i:\b{form})\s+(?:of\s+)?\(?{re.escape(symbol[1])}\b(?!\s+of\b)", plain)
            }
        if len(found) == 1:
            return found.pop()
    return ""


def drawn_over(ends: tuple[float, float], unit: str, plain: str) -> bool:
    """Whether a window keeps nearly all of each range that the paper says its numbers are drawn over, of light or of another thing, and
    goes no further: it chooses no part of a curve."""
    return any(
        ranges and all(_keeps(ends, one) for one in ranges) and _inside(ends, ranges)
        for ranges in (_in_unit(told, unit) for told in _drawn(plain))
    )


@lru_cache(maxsize=8)
def _drawn(plain: str) -> tuple[tuple[Written, ...], tuple[Written, ...]]:
    """The ranges of light, and of other things, over which a paper says that something is drawn."""
    light = {(n.low, n.high, n.unit): n for n in ranges_of_spectra(plain)}
    others = []
    for n in numbers_in(plain):
        if n.low < n.high and not n.label and (n.low, n.high, n.unit) not in light:
            low, high = sentence_of(plain, n.start, n.end)
            if over := _OVER.search(plain, low, high):
                if re.search(rf"(?i)\b{_WAVE}", over[0]):
                    light[(n.low, n.high, n.unit)] = n
                else:
                    others.append(n)
    return tuple(light.values()), tuple(others)


def _in_unit(told: Sequence[Written], unit: str) -> list[tuple[float, float]]:
    ends = [
        (converted(n.low, n.unit or "1", unit or "1"), converted(n.high, n.unit or "1", unit or "1"))
        for n in told
    ]
    return [(min(a, b), max(a, b)) for a, b in ends if a is not None and b is not None]


def _keeps(ends: tuple[float, float], told: tuple[float, float]) -> bool:
    return min(ends[1], told[1]) - max(ends[0], told[0]) >= _KEPT * (told[1] - told[0]) * (1 - 1e-9)


def _inside(ends: tuple[float, float], told: Sequence[tuple[float, float]]) -> bool:
    low, high = min(one for one, _ in told), max(one for _, one in told)
    spared = (1 - _KEPT) * (high - low)
    return ends[0] >= low - spared and ends[1] <= high + spared


def goes_one_way(number: Written, unit: str, plain: str) -> bool:
    """Whether the section of a number says that a curve of shares of light only rises or only falls over what the number measures, and
    speaks of nothing that does both: there is one place where it has a level."""
    heads = [match.start() for match in _HEADING.finditer(plain)]
    low = max((start for start in heads if start <= number.start), default=0)
    high = min((start for start in heads if start > number.start), default=len(plain))
    wanted = {"length": f"(?:{_SIZE}|{_WAVE})", "frequency": _WAVE, "angle": _ANGLE}.get(
        dimension(unit), "(?!)"
    )
    return not _BOTH_WAYS.search(plain, low, high) and any(
        _CURVE.search(plain, *sentence_of(plain, match.start(), match.end()))
        and (match["what"] is None or re.search(rf"(?i)\b{wanted}\b", match["what"]))
        for match in islice(_ONE_WAY.finditer(plain, low, high), _MOST_SAID)
    )


def is_without(value: Written, unit: str, plain: str, inputs: Sequence[Parameter]) -> bool:
    """Whether a number is told for a structure without a body whose size is an input of nought: "598.5 nm without cap", where the paper
    says "a cap with thickness t" and the input's quotation "for t = 0"."""
    low, _ = clause_of(plain, value.start, value.end)
    told = _WITHOUT.match(plain, value.end) or _WITHOUT.search(plain, low, value.start)
    if told is None or plain[told.end() : value.start].strip(" ,") and told.start() < value.start:
        return False
    body = re.compile(rf"(?i)\b{re.escape(told['body'])}s?\b")
    for one in inputs:
        if one.value != 0 or converted(1.0, one.unit, unit) is None:
            continue
        symbol = _IS_NOUGHT.search(one.quotation)
        if symbol and _has_size(plain, body, symbol[1]):
            return True
    return False


def _has_size(plain: str, body: re.Pattern[str], symbol: str) -> bool:
    """Whether a sentence gives the body a size of that symbol, and nothing between that has a size of its own."""
    size = re.compile(rf"\b{_SIZE}\s+(?:of\s+)?\(?{re.escape(symbol)}(?![\w])")
    for match in size.finditer(plain):
        before = plain[sentence_of(plain, match.start(), match.end())[0] : match.start()]
        bodies = list(_BODY.finditer(before))
        if bodies and body.search(bodies[-1][0]):
            return True
    return False


def another_result(plain: str, value: Written, other: Written) -> bool:
    """Whether another number is a result as the value is, each by its own symbol: "L_TE = 53.4 um and L_TM = 26.7 um"."""
    own, its = (_RESULT.search(plain, max(0, n.start - 40), n.start) for n in (value, other))
    return own is not None and its is not None and own[1] != its[1]
