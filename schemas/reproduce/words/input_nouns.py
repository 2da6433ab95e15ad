"""What a paper's words call a number that goes into a simulation: a thickness, a period, a radius, an index, ...

Honest synonyms share a kind ("height" and "depth" are vertical sizes, a "spacing" may be a gap or a period); two nouns that
share none name two things, whatever their value. Only nouns that can have the number's unit count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.clauses import clause_of, sentence_of
from schemas.reproduce.words.written import Written, numbers_in

_LENGTH, _PURE, _SPECTRAL = "length", "pure", "spectral"
# (noun, what it measures, the kinds of thing it may be)
_NOUNS: tuple[tuple[str, str, str], ...] = (
    (r"(?:guided|modal|bloch)[ -]wave-?\s?lengths?", "length", "guided"),
    (
        r"wave-?\s?lengths?|(?-i:lambdas?|\u03bb)\w*|frequenc(?:y|ies)|energ(?:y|ies)|wave-?\s?numbers?|omega",
        "length spectral",
        "light",
    ),
    (r"line-?\s?widths?|band-?\s?widths?|fwhm|full[ -]widths?", "length spectral", "linewidth"),
    (
        r"roughness(?:es)?|surface rms|grain sizes?|tolerances?|uncertaint(?:y|ies)|errors?|resolutions?|mesh|pixels?",
        "length spectral pure",
        "other",
    ),
    (r"thickness(?:es)?|heights?|depths?|thick|high|deep|tall", "length", "vertical"),
    (r"widths?|wide|sides?|edge lengths?|broad", "length", "lateral"),
    (r"lengths?|long", "length", "lateral vertical along"),
    (r"sizes?|extents?|dimensions?", "length", "lateral vertical along diameter"),
    (r"diameters?", "length", "diameter lateral"),
    (r"radi(?:us|i)|radiuses", "length", "radius"),
    (
        r"periods?(?!\s+(?:earlier|later|further|before|after|behind)\b)|periodicit(?:y|ies)|pitch(?:es)?|"
        r"lattice (?:constants?|parameters?|spacings?)|unit cells?|(?-i:\u039b)",
        "length pure",
        "period count",
    ),
    (
        r"(?<!lattice )spacings?|separations?|separated|distances?|apart|away",
        "length",
        "gap period place along",
    ),
    (r"(?<!band )(?<!mid-)gaps?|slots?|trench(?:es)?", "length", "gap"),
    (r"offsets?|displacements?|positions?|shifts?", "length", "place"),
    (r"waists?|spot sizes?|beam radi(?:us|i)", "length", "waist"),
    (r"(?:refractive )?ind(?:ex|ices)|(?<![a-z])(?-i:n)(?![a-z'])", "pure", "index"),
    (
        r"permittivit(?:y|ies)|dielectric (?:constants?|functions?)|eps(?:ilon)?|\u03b5\w*",
        "pure",
        "permittivity",
    ),
    (r"fill(?:ing)?[ -]factors?|duty[ -]cycles?|ratios?|fractions?|porosit\w+", "pure", "ratio"),
    (r"numbers?|counts?|pairs|repetitions", "pure", "count"),
    (
        r"extinction coefficients?|absorption coefficients?|loss(?:es)?|conductivit(?:y|ies)|contrasts?|visibilit(?:y|ies)",
        "pure",
        "loss",
    ),
    (r"angles?|tilts?|incidence|azimuths?|rotations?|twists?|inclinations?", "angle", "angle"),
)
_NOUN = re.compile(
    "|".join(
        f"(?P<k{place}>(?<![A-Za-z])(?:{form})(?![A-Za-z]))" for place, (form, _, _) in enumerate(_NOUNS)
    ),
    re.IGNORECASE,
)
_SYMBOL = r"(?:(?!(?:is|was|are|were|of|in|at|to|by|for|and|or|about)\b)[A-Za-z\u0370-\u03ff]\w{0,7}\s{0,3})?"
# What joins a noun to its number: "thickness of 120 nm", "radius a = 2 um".
_JOINED = re.compile(
    rf"\s*(?:\([^()]{{0,12}}\)\s*)?{_SYMBOL}(?:of\s+(?:about\s+|only\s+)?)?{_SYMBOL}"
    r"(?:[=:~(\u2248|]\s*)?",
    re.IGNORECASE,
)
_RIGHT_BEFORE = re.compile(
    r"(?i)\s+(?:of\s+|is\s+)?(?:(?:about|only)\s+)?(?:[A-Za-z\u0370-\u03ff]\w?\s*=\s*)?"
)
_VERB = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|being|has|have|had|equals?|amounts?|measures?|takes?|kept|set|chosen|"
    r"fixed|held|varied|lies|lie|runs?|goes)\b"
)
# "15 identical periods"
# What something gives is not what it is: "the same gaps give 4.55 um".
_GIVES = re.compile(
    r"(?i)\s+(?:then\s+)?(?:give|gave|gives|yields?|leads?\s+to|led\s+to|results?\s+in|produces?)\s"
)
_COUNTED = re.compile(
    r"\s*[-\u2010]?\s*(?:(?:in|of)\s+|(?!(?:and|or|for|with|at|by|on|the|an?)\b)[a-z]+\s+)?"
)
_BEHIND = re.compile(r"\s*[-\u2010]?\s*(?:(?:in|of)\s+)?$")
_COMPLEMENT = re.compile(
    r"\b(?:of|in|per|at|within|for|by|with|between|under|inside|along|from|over|on|to|through|across)\s+"
    r"(?:(?:the|an?|one|each|every|this|that|its|their|half|any|all|both|two|single)\s+){0,2}"
    r"(?:[a-z]+\s+){0,2}$",
    re.IGNORECASE,
)
# What a size is the size of: "the width of the slot", "gap size".
_SIZE = frozenset({"lateral", "along"})
_SIZE_OF, _OF_SIZE = (
    re.compile(r"\s+of\s+(?:(?:the|an?|each|this|its)\s+)?(?:[a-z]+\s+)?", re.IGNORECASE),
    re.compile(r"[\s-]"),
)
_LISTED = re.compile(r"\s*(?:,|,?\s*and|,?\s*or|to|-|through|/)\s*", re.IGNORECASE)
_AT_PLACE = re.compile(r"\s*(?:at|for|with|when)\s+([A-Za-z\u0370-\u03ff]\w{0,7})\s*=\s*[\d.]")
_SYMBOL_BEFORE = re.compile(r"([A-Za-z\u0370-\u03ff]\w{0,7})\s*=\s*$")
# The symbol that a noun is given: "of diameter D", "a radius (r)", "D always means the diameter"; an "a" may be an article. What is
# said of it otherwise, or computed with, gives it to nothing: "D is half of their diameter", "diameter 2D", "diameter D - 80 nm".
_NAME = r"([A-Za-z\u0370-\u03ff](?:_\w{1,4}|\d{1,2})?)(?![\w']|\s?[/^*\u00d7\u00b7+\u2212-])"
_ITS_SYMBOL = re.compile(rf"(?:\s+|\s?[(,]\s?)(?!a\s){_NAME}")
# A symbol that alone is the number: "for D = 160 nm", not "2D = ", "t + D = ", "a change of D = ".
_ALONE = re.compile(
    r"(?:^|(?:[,;:(]|(?<![A-Za-z])(?:for|at|with|when|and|where|if|to))\s*)([A-Za-z\u0370-\u03ff]\w{0,7})\s*=\s*$",
    re.IGNORECASE,
)
_PARTLY = re.compile(
    r"(?i)(?:\b(?:half|semi|quarter|third|twice|double|not)\b[\s-]*(?:the\s+|an?\s+)?|\b(?:half|semi)-?)$"
)
_SAID_OF = (
    r"(?:(?:always|here|also|thus)\s+)?(?:means|denotes|stands\s+for|"
    r"is(?=\s+(?:(?:always|here|also)\s+)?(?:half|twice|the|its|their|an?|one)\b))\s+"
)
_MEANS = re.compile(
    rf"(?<!\w){_NAME}\s+{_SAID_OF}(?:(?:always|here|also)\s+)?(?:the|its|their)\s+(?:[a-z]+\s+)?$"
)
_SAID = re.compile(rf"(?<!\w){_NAME}\s+{_SAID_OF}|\b[Bb]y\s+{_NAME}\s+(?:we|is)\b")
_WITH = re.compile(
    rf"\s*{_SYMBOL}(?:,|,?\s*and|,?\s*or|/)\s*(?:(?:the|an?|its|their)\s+)?(?:[a-z]+\s+)?", re.IGNORECASE
)
_EQUAL = re.compile(
    r"(?i)\b(?:(?:both|every|all)(?!\s+(?:\w+\s+)?(?:wavelength|frequenc|polari|angle|case|light|time))|"
    r"each|equal\w*|same|identical\w*|either|squares?|cubes?|cubic|hexagon\w*|triangular|"
    r"symmetric\w*|isotropic)\b|"
    r"\balong x and (?:along )?y\b|\b(?:as|than) (?:thick|wide|high|deep|long)\b|=\s*[A-Za-z]\w{0,7}\s*="
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4}
_IN_THE_MIDDLE = r"(?:(?:in|at)\s+(?:its|the|their)\s+(?:(?:exact|very|geometric\w*)\s+)?(?:middle|cent(?:er|re))|midway|half-?way)"
_PARTED = re.compile(
    r"(?i)\b(?:(?P<count>two|three|four|[234])\s+(?:[a-z]+\s+)?(?:equal(?:ly)?|identical|like)\b|"
    rf"(?:{_IN_THE_MIDDLE}|(?:on|at)\s+(?:either|each|both)\s+sides?|symmetrical(?:ly)?\s+(?:about|around|between|placed)|"
    r"(?:divided|shared|split|parted)\s+(?:equally|evenly))\b(?!\s+of\s+(?:the|our|this)\s+(?:[\w-]+\s+)?(?:band|spectr|range|gap|visible|wave|zone)))"
)
_ORDERED = re.compile(r"\brespectively\b", re.IGNORECASE)


_PART_OF = re.compile(
    r"(?i)\b(?:half|third|quarter|fifth|sixth|eighth|tenth|fraction|multiple|part|twice|double)\s+(?:of\s+)?"
    r"(?:the\s+|an?\s+)?$"
)
# Light, beside its number: "light of 600 nm", "a 633 nm laser", "emits at 614 nm".
_LIGHT = r"(?:lasers?|light|lamps?|LEDs?|radiation|photons?|pump|probe|illumination|emission)"
_LIT = re.compile(
    rf"(?i)\b(?:(?:{_LIGHT}|plane\s+waves?)\s+(?:(?:is|was|tuned|cent(?:er|re)d)\s+)*(?:of|at|to|with|near|around)|"
    r"(?:emit\w*|las(?:es?|ing)|operat\w+|tuned|beam|source|photomixer|diode)\s+(?:at|to|near|around))\s+(?:about\s+|around\s+)?$"
)
_LIGHT_BEHIND = re.compile(rf"(?i)\s*(?:(?!thick|wide|high|long|deep|in\b|of\b|from\b)[\w-]+\s+)?{_LIGHT}\b")
_LIGHT_AT_ONCE = re.compile(rf"(?i)\s*{_LIGHT}\b")
# A place on an axis, of which no noun before it speaks: "the coupling length at 633 nm".
_AT = re.compile(r"(?i)\bat\s+(?:about\s+|around\s+|only\s+)?$")
# A case by its symbol, and what a flat body has in brackets: "for d = 130 nm", "one film (130 nm)".
_CASE_OF = re.compile(r"(?<![A-Za-z])(?:for|with|when|where)\s+([A-Za-z\u0370-\u03ff]\w{0,7})\s*=\s*$")
_FLAT_IN_BRACKETS = re.compile(
    r"(?i)\b(?:with|and|by|under|between)\s+(?:(?:one|two|an?|the|its|each)\s+)?(?:[a-z]+\s+)?"
    r"(?:films?|layers?|coatings?|spacers?|claddings?|membranes?|slabs?|sheets?)\s*\(\s*$"
)
_SET = re.compile(r"(?i)\b(?:set|kept|fixed|held|chosen|remains?|constant|measured|stays?)\b")
# Sides that are places: "from the air side", "on both sides"; a size has "of" behind it, or stands behind its number.
_PLACE_SIDE = re.compile(r"(?i)(?:\b(?:from|on|at|to|towards?|by|of)\s+(?:[\w-]+\s+){0,4}|[\w]-)$")
_AS_FAR = 120  # characters in front that say of what side a word speaks
_CARRIES = re.compile(r"(?i)\s+(?:carr(?:y|ies)|bears?|has|have|holds?|consists?)\b")
_OF_NUMBER = re.compile(r"(?i)\s*(?:lengths?|(?:of|is|are|=|:)\s*(?:about\s+)?[\d.])")
_PLACES = frozenset({"light", "place"})
# "The glass between the face of the film and that of the core is 800 nm thick": a gap, whatever fills it.
_LIES_BETWEEN = re.compile(
    r"(?i)\bbetween\b[^.;:]{3,200}?\band\b[^.;:]{3,200}?\s(?:is|are|was|were|measures|being)\s+(?:(?:about|only|always)\s+)?$"
)
_ADJECTIVES = frozenset("thick high deep tall wide broad long apart away".split())
_ALL = frozenset(kind for _, _, kinds in _NOUNS for kind in kinds.split())


@dataclass(frozen=True)
class _Noun:
    start: int
    end: int
    kinds: frozenset[str]


def kinds_of_name(name: str, unit: str) -> frozenset[str]:
    """The kinds of thing that an input's name says it is; empty if it names none. Of a compound the last noun counts, and of
    a size ("gap width") what has it."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " "))
    if _ITS_SWEEP.fullmatch(words):
        return frozenset()
    head, _, _ = words.partition(" of ")
    found = [noun for noun in _nouns(head, unit) if head[noun.start : noun.end].lower() not in _ADJECTIVES]
    if not found:
        return frozenset()
    lines = frozenset({"lateral"} if "linewidth" in found[-1].kinds else ())  # of a grating's lines
    return found[-1].kinds | lines | _sized(found[-1], found, head)


_ITS_SWEEP = re.compile(  # a symbol, and what it belongs to: "d_width_sweep" is a d, and no width
    r"(?i)[a-z]\d?\s+[a-z]+\s+(?:sweeps?|scans?|series)"
)
_CHANGE = re.compile(  # of a wavelength: "changes the wavelengths by less than 0.01 nm" tells of no light
    r"(?i)\b(?:by|within)\s+(?:(?:about|some|only|less|more|than|at|most|least|up|to|nearly|almost|roughly|approximately|a|few)\s+)*$"
)


def kinds_in_words(text: str, number: Written) -> frozenset[str]:
    """The kinds of thing that the paper's words say a number is; empty if they name none.

    text: as `written.readable` leaves it. What says that it is light's ("a 633 nm laser") counts first. Else a noun
    right behind the number ("120 nm thick") and the one that its clause says it of ("the thickness of the film is 120 nm")
    count; where a list is told with "respectively", the noun of the same place. What is a part of the number ("a quarter of
    550 nm thick") is anything but the number.
    """
    low, high = clause_of(text, number.start, number.end)
    before, after = text[low : number.start], text[number.end : high]
    if dimension(number.unit) in ("length", "frequency") and (
        _LIT.search(before)
        or _LIGHT_AT_ONCE.match(after)
        or (_LIGHT_BEHIND.match(after) and not _has_noun(before, number.unit))
    ):
        return frozenset({"light"})
    behind = next(
        (noun for noun in _nouns(after[:40], number.unit) if _BEHIND.fullmatch(after[: noun.start])), None
    )
    found = behind.kinds if behind else frozenset()
    if behind and _LIES_BETWEEN.search(text[sentence_of(text, number.start, number.end)[0] : number.start]):
        found |= {"gap"}
    first = _first_of_list(text, number, low)
    nouns = [noun for noun in _nouns(text[low:first], number.unit) if not _taken(noun, low, first, text)]
    while nouns and _GIVES.match(
        text, low + nouns[-1].end
    ):  # "the same gaps give 4.55 um": not their own size
        nouns.pop()
    if not nouns:
        return found or _before_colon(text, number)
    if _ORDERED.search(text[low:high]) and (ordered := _in_order(text, number, low, nouns)):
        return found | ordered.kinds
    last = nouns[-1]
    if _FLAT_IN_BRACKETS.search(before):
        return found | {"vertical"}
    if (
        symbol := _CASE_OF.search(before)
    ) and last.end <= symbol.start():  # "against the width, for d = 130 nm"
        return found | (_kinds_of_symbols(text, number.unit).get(symbol[1]) or last.kinds)
    if (
        dimension(number.unit) == "length"
        and _AT.search(before)
        and not _SET.search(before[last.end :])
        and not (last.kinds & _PLACES or before[last.end :].strip() == "at")
    ):
        return found | _PLACES
    if _VERB.search(text[low + last.end : first]):  # its subject may stand further back
        heads = [noun for noun in nouns if not _COMPLEMENT.search(before[: noun.start])]
        last = heads[-1] if heads else last
    chosen, place = set(found | last.kinds), nouns.index(last)
    chosen |= _sized(last, nouns, before)
    while place and _WITH.fullmatch(
        before[nouns[place - 1].end : nouns[place].start]
    ):  # "thickness and width of 120 nm"
        place -= 1
        chosen |= nouns[place].kinds
    if _CHANGE.search(before):
        chosen.discard("light")
    if "guided" in chosen and _SYMBOL_BEFORE.search(before):
        return frozenset()  # "a quarter of the guided wavelength, d = 92 nm": what d is
    part = _PART_OF.search(before)
    if part and any(part.start() <= noun.start for noun in nouns):  # "a ridge fraction of 0.4"
        part = None
    return frozenset(_ALL - chosen if part else chosen)


def _has_noun(before: str, unit: str) -> bool:
    """Whether a number has a noun right in front, of another thing than light: "a height of 840 nm splits light"."""
    nouns = list(_nouns(before, unit))
    return (
        bool(nouns)
        and "light" not in nouns[-1].kinds
        and bool(_RIGHT_BEFORE.fullmatch(before, nouns[-1].end))
    )


def kinds_of_symbol(text: str, number: Written) -> frozenset[str]:
    """The kinds of thing that a number is by its symbol ("for D = 160 nm"), where every noun that the text gives this symbol
    ("of diameter D", "D means the diameter") shares them; empty without one."""
    low, _ = clause_of(text, number.start, number.end)
    symbol = _ALONE.search(text[low : number.start])
    return _kinds_of_symbols(text, number.unit).get(symbol[1], frozenset()) if symbol else frozenset()


@lru_cache(maxsize=32)
def _kinds_of_symbols(text: str, unit: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    read = set[int]()
    for noun in _nouns(text, unit):
        behind = _ITS_SYMBOL.match(text, noun.end)
        before = _MEANS.search(text, max(0, noun.start - 60), noun.start)
        if _PARTLY.search(text, max(0, noun.start - 20), noun.start):
            behind = before = None  # "half-diameter D", "D means the half diameter"
        read |= {before.start()} if before else set()
        for name in {match[1] for match in (behind, before) if match}:
            found[name] = found.get(name, noun.kinds) & noun.kinds
    for match in _SAID.finditer(text):
        if match.start() not in read:
            found[match[1] or match[2]] = frozenset()
    return found


def _before_colon(text: str, number: Written) -> frozenset[str]:
    """The kinds of the noun that announces a list: "three diameters were chosen: 140 nm for blue, 180 nm for green"."""
    start, _ = sentence_of(text, number.start, number.end)
    colon = text.rfind(":", start, number.start)
    nouns = list(_nouns(text[start:colon], number.unit)) if colon > start else []
    return nouns[-1].kinds if nouns else frozenset()


def says_equal(text: str, number: Written) -> bool:
    """Whether the clause of a number says that several things have it: "both", "each", "a square lattice"."""
    start, end = clause_of(text, number.start, number.end)
    return _EQUAL.search(text[start:end]) is not None


def parted_in(sentence: str) -> frozenset[int]:
    """Into how many equal parts words say that something is parted: "in its exact middle", "two equal spacers", "on both sides"."""
    return frozenset(
        _COUNTS.get((match["count"] or "two").lower(), 2) for match in _PARTED.finditer(sentence)
    )


def _nouns(text: str, unit: str) -> Iterator[_Noun]:
    measured = {"length": _LENGTH, "frequency": _SPECTRAL, "angle": "angle", "fraction": _PURE}.get(
        dimension(unit), ""
    )
    if unit in ("a", "c/a"):
        measured = _LENGTH if unit == "a" else _SPECTRAL
    for match in _NOUN.finditer(text):
        _, told, kinds = _NOUNS[int(str(match.lastgroup)[1:])]
        if match[0].lower().startswith("side") and _CARRIES.match(text, match.end()):
            continue  # "each side carries 130 nm of tantala"
        if (
            match[0].lower().startswith("side")
            and _PLACE_SIDE.search(text[max(0, match.start() - _AS_FAR) : match.start()])
            and not _OF_NUMBER.match(text, match.end())
        ):
            continue
        if not measured or measured in told.split():
            yield _Noun(match.start(), match.end(), frozenset(kinds.split()))


def _sized(size: _Noun, nouns: list[_Noun], text: str) -> frozenset[str]:
    """The kinds of what a noun is the size of."""
    return frozenset(
        kind
        for noun in nouns
        if size.kinds & _SIZE
        and (
            _SIZE_OF.fullmatch(text, size.end, noun.start)
            if noun.start >= size.end
            else _OF_SIZE.fullmatch(text, noun.end, size.start)
        )
        for kind in noun.kinds
    )


def _first_of_list(text: str, number: Written, low: int) -> int:
    """Where the list of numbers begins in which a number stands ("10, 15 and 20 nm"): one noun speaks of all of it.

    A value and the place of the one before are no list: "Q is 84 at n = 1.8, 237 at n = 2.0".
    """
    first = number.start
    earlier = [n for n in numbers_in(text[low : number.start]) if not n.label and n.low == n.high]
    place = _AT_PLACE.match(text, number.end)
    for one in reversed(earlier):
        own = _SYMBOL_BEFORE.search(text[low : low + one.start])
        if not _LISTED.fullmatch(text[low + one.end : first]) or (place and own and place[1] == own[1]):
            break
        first = low + one.start
    return first


def _taken(noun: _Noun, low: int, first: int, text: str) -> bool:
    """Whether an earlier number of the clause has the noun: "a thickness of 120 nm and", "a 120 nm thick film and"."""
    return any(
        _JOINED.fullmatch(text[low + noun.end : low + n.start])
        if noun.end <= n.start
        else noun.start >= n.end
        and (_BEHIND if n.unit else _COUNTED).fullmatch(text[low + n.end : low + noun.start])
        for n in numbers_in(text[low:first])
        if not n.label
    )


def _in_order(text: str, number: Written, low: int, nouns: list[_Noun]) -> _Noun | None:
    first = _first_of_list(text, number, low)
    place = sum(1 for n in numbers_in(text[first : number.start]) if not n.label and n.low == n.high)
    listed = [nouns[-1]]
    for one in reversed(nouns[:-1]):
        if not _WITH.fullmatch(text[low + one.end : low + listed[0].start]):
            break
        listed.insert(0, one)
    return listed[place] if len(listed) > place and len(listed) > 1 else None
