"""What a paper's words say of how a structure is lit: the angle, the polarisation, the side light comes from, what is around.

Each of them has few values, so a description that takes another one can be told so; and one that takes what nobody said, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from schemas.reproduce.simulations.units import converted
from schemas.reproduce.words.clauses import clause_of, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.polarization_words import denied_in, polarizations_in
from schemas.reproduce.words.said import Said
from schemas.reproduce.words.subject_words import colours_in, subjects_in
from schemas.reproduce.words.written import Written, numbers_in

OBLIQUE = "oblique"  # an angle without a number
_IN_NAMES = {
    "s": "s-polarised",
    "p": "p-polarised",
    "te": "TE",
    "tm": "TM",
    "rs": "R_s",
    "rp": "R_p",
    "ts": "T_s",
    "tp": "T_p",
    "along": "E along the axis",
    "across": "E across the axis",
    "x": "x-polarised",
    "y": "y-polarised",
    "ez": "Ez",
    "hz": "H_z",
}
_INCIDENCE = re.compile(
    r"(?i)inciden\w*|grazing|glancing|oblique\w*|off[- ]?normal|"
    r"(?:from|to|with|off) (?:the )?(?:\w+ )?normal|illuminat\w*|\blit\b|"
    r"\b(?:arriv|strik|impinge)\w*|\btilt\w*|\bturned\b|\bangles?\b"
)
_AT = re.compile(r"(?i)\b(?:at|under)\s+(?:an?\s+angle\s+of\s+)?(?:about\s+|only\s+)?$")
_OTHER_ANGLE = re.compile(
    r"(?i)\b(?:rotat|apex|sidewall|side wall|wedge|diffract|refract|scatter|phase|brewster|critical|"
    r"cone|half-angle|twist|wall|azimuth|bragg|vertex|corner|opening|acceptance|emission|emitted)\w*"
)
_FROM_SURFACE = re.compile(
    r"(?i)\b(?:grazing|glancing)\b|\b(?:from|to|with|above|against|between)\s+(?:the\s+)?(?:\w+\s+)?"
    r"(?:surface|plane|interface|film|horizontal|horizon|sample|substrate|face|layers?|mirror|stack|wafer)\b(?!'?s? normal)"
)
_FROM_NORMAL = re.compile(r"(?i)\b(?:from|to|with|off|against)\s+(?:the\s+)?(?:\w+\s+){0,2}normal\b")
_NORMAL = re.compile(
    r"(?i)(?<!not )(?<!non-)(?<!near-)(?:\b(?:light|beam|wave|radiation|rays?)\b(?:(?!polari|field|vector|axis)[^.;]){0,90}?"
    r"\b(?:perpendicularly|at\s+right\s+angles(?!\s+to)|head-on)\b|"
    r"\b(?:pass|hit|strike|meet|enter|cross|traverse|fall|arrive|impinge|travel)(?:e?s|ing)?\s+"
    r"(?:[\w-]+\s+){0,4}?(?:perpendicular(?:ly)?|normally|at\s+(?:a\s+)?right\s+angles?|head-on)\b|"
    r"\bnormal(?:ly)?[- ]inciden\w*|\binciden\w*\s+(?:(?:is|was|light)\s+)?normal(?:ly)?\b|"
    r"\bperpendicular(?:ly)?\s+(?:inciden\w*|illuminat\w*)|\b(?:inciden\w*|lit|illuminat\w*|falls?|arrives?|impinges?)\s+(?:\w+\s+)?"
    r"(?:perpendicular(?:ly)?|normal(?:ly)?|at right angles)\b|\balong the (?:surface |film )?normal\b)"
)
_TILTING = re.compile(
    r"(?i)\b(?:tilting|tilts?\s+of|rotating|turning|(?:when|if|upon|on|by|after)\s+(?:[\w-]+\s+){0,4}?(?:tilt|rotat|turn)\w*)\b[^.;]*$"
)
_OBLIQUE = re.compile(
    r"(?i)\b(?:oblique(?:ly)?|off-?normal|grazing|glancing|(?:at|near|under|beyond)\s+(?:the\s+)?(?:brewster(?:['\u2019]s)?|critical)\s+angle)\b"
)

_DENSE = (
    r"(?:glass|substrate|prism|silica|quartz|sapphire|silicon|crystal|back|rear|bottom|underside|below|dense\w*|"
    r"high[- ]index|semiconductor|wafer|medium|cladding|polymer|(?-i:(?:[A-Z][a-z]?\d*){2,4}|Si|Ge|[A-Z]{2,4}\d+))"
)
_THIN = r"(?:air|vacuum|front|top|above|cover|superstrate|free space|ambient)"
_COMES = (
    r"(?:inciden\w*|lit|illuminat\w*|comes?|coming|came|arriv\w*|impinge\w*|enters?|entering|shone|shining|launched|"
    r"irradiated|excited|hits?|falls?|approach\w*|shines?|sent|directed|reach(?:es)?|strikes?)"
)
_SIDE = re.compile(
    rf"(?i)\b{_COMES}\b(?:\([^()]{{0,80}}\)|(?!\bnot\b)[^.;:()]){{0,40}}?\b(?:from|through|via|inside|within)\s+(?:the\s+|an?\s+)?(?:\w+\s+){{0,2}}?"
    rf"(?:(?P<dense>{_DENSE})|(?P<thin>{_THIN}))\b|"
    rf"\b(?:(?P<dense2>{_DENSE})|(?P<thin2>{_THIN}))[- ](?:side\s+)?(?:inciden\w*|illuminat\w*|excitation)|"
    r"\b(?P<dense3>back-?illuminat\w*|rear-?illuminat\w*|kretschmann|attenuated total|total internal reflection|"
    r"prism[- ]coupl\w*|"
    rf"(?:seen|viewed|looked\s+at)\s+from\s+(?:the\s+)?(?:{_DENSE}|cavity|inside|within|behind|underneath)|from\s+inside\b)"
)
# What a paper gives an index, whatever it is called: "an imprint resist of index 1.6", "epoxy (n = 1.5)".
_NAMED_DENSE = re.compile(
    r"(?i)\b(?P<name>[a-z][a-z-]{2,24})(?:\s{1,2}(?:with|of|has|having|whose)|,)?\s{0,2}\(?(?:(?:an?|the|its)\s{1,2})?(?:(?:constant|real)\s{1,2})?"
    r"(?:(?:refractive\s{1,2})?index(?:\s{1,2}(?:is|of))?|(?-i:n)\b)\s{0,2}(?:(?-i:n)\s{0,2})?[=:]?\s{0,2}(?P<index>[1-9]\.\d{1,8})"
)
_NO_MEDIUM = frozenset(
    "has with the its have whose and index refractive effective group mode contrast".split()
)
_COATED = re.compile(r"(?i)\b(?:coat|cover|protect|spin)\w*\s*$")  # with a film of it
_AROUND = re.compile(
    r"(?i)\b(?:in|by|under|inside|into|beneath)\s+(?:an?\s+|the\s+)?(?:\w+\s+){0,2}?(?:(?P<liquid>water|oil|ethanol|methanol|"
    r"isopropanol|glycerol|glycerine|liquid|solution|buffer|saline|blood|toluene|PDMS|PMMA|matrix|resin|gel|electrolyte)|"
    r"(?P<empty>air|vacuum|free space))\b"
)

_BODY = (
    r"(?:sample|device|structure|specimen|design|film|layer|stack|grating|cavity|wafer|resonator|filter|mirror|coating|"
    r"chip|batch|crystal|waveguide|guide|particle|sphere|rod|wire|array|metasurface|disk|disc|ring|slab|membrane|coupler|multilayer)"
)
_LABEL = r"(?:[A-PR-Z]\d?|[IVX]{1,4}|S?\d{1,3})"
_SYMBOL = r"(?:\s*\([^()]{1,20}\))?"  # "films A (R_A) and B (R_B)"
_SAMPLE = re.compile(
    rf"\b(?P<body>(?i:{_BODY}|plate|window|lens|substrate|facet|pane|sensor|antenna|tile|fib(?:re|er)|emitter|dimer|type|case|configuration|geometry))(?i:s)?\s+(?:(?i:no\.?|number)\s*)?(?P<label>{_LABEL})(?P<more>(?:{_SYMBOL}(?:,\s*|,?\s+and\s+|\s*&\s*)(?:{_LABEL})(?![\w=-]|\s*(?:=|[a-z]{{0,2}}m\b)))*)\b"
    rf"(?!\s*(?:[a-z]{{0,2}}m\b|[=%\u00b5\u03bc\u00b0x]|deg|\.\d|to\s+(?:[A-Z]|\d+)\b|-))|\b(?P<which>(?i:first|second|third|fourth|thinner|thicker|thinnest|thickest|reference|control|"
    rf"uncoated|coated|annealed|as-deposited|pristine|bare|doped|undoped|etched|unetched|other|earlier|previous|larger|smaller|"
    rf"optimi[sz]ed|initial|final|fabricated|designed))\s+(?P<of>(?i:{_BODY}))(?i:s)?\b|"
    r"\b(?P<side>(?i:front|back|left|right|blue|green|yellow|red))\s+(?P<thing>(?i:plate|window|sample|device|mirror|filter|lens|sensor|pixel))(?i:s)?\b",
    re.ASCII,
)

# How far light goes, or what it goes through, is no light: "exchange TE light over 10.66 um".
_LASER = re.compile(
    r"(?i)\b(?:laser|light|lamp|LED|radiation|line)\b\W+"
    r"(?:(?!(?:over|within|after|across|through|into|beyond|every|behind)\b)\w+\W+){0,3}?$"
)
_LIGHT_BEHIND = re.compile(r"(?i)\s*(?:laser|light|line|radiation|illumination|pump|wavelength|emission)\b")
# What a light is called: by its part or its colour, else by what gives it.
_ROLE = re.compile(
    r"(?i)\b(?P<role>pump|signal|idler|probe|seed|carrier|violet|blue|green|yellow|orange|red|first|second|third|shorter|longer)\b|"
    r"\b(?P<giver>laser|diode|lamp|LED|emitter|dye|line)s?\b"
)
_ALL_LIGHTS = re.compile(
    r"(?i)\b(?:both|all|each|every|any|either)\s+(?:of\s+)?(?:the\s+|these\s+|its\s+|our\s+)?(?:\w+\s+)?(?:lasers?|lines?|wavelengths?|lights?|pumps?|"
    r"colou?rs?|diodes?|lamps?|frequenc(?:y|ies))\b(?!\s+(?:in|of|from|over|between)\b)"
)

# What a range of wavelengths is that spectra were taken over, and what it is not.
_OF_SPECTRA = re.compile(
    r"(?i)\b(?:spectr\w+|wavelengths?|comput\w+|calculat\w+|simulat\w+|measured|taken|shown|range|scann?\w*|visible|infrared)\b"
)
_OF_OTHERS = re.compile(
    r"(?i)\b(?:tun(?:able|ed|ing)|emit\w*|emission|diodes?|LEDs?|transparen\w*|detectors?|lamps?|lasers?|sources?|materials?|ind(?:ex|ices)|valid|tabulated|dispersi\w+|"
    r"gap|band|thick\w*|period\w*|widths?|diameters?|rad(?:ius|ii)|lengths?|literature|others?|windows?|filters?|interest|"
    r"between\s+\w+\s+and)\b(?!\s*\d)"
)

_TAKEN_OVER = re.compile(
    r"(?i)\b(?:spectr(?:a|um)|curves?|reflectances?|transmittances?)\b[^.;]{0,60}?\b(?:comput|calculat|simulat|taken|shown|recorded)\w*\s+(?:from|between|over|for)\s+"
    r"(?:(?:the\s+range\s+(?:from|of)|wavelengths?\s+(?:from|of|above|between))\s+)?$"
)
_ABOVE = re.compile(r"(?i)\b(?:above|beyond|(?:longer|greater|larger|more)\s+than)\s+$")
_AND_BELOW = re.compile(r"(?i)\s*(?:,|and|but)\s*(?:below|up\s+to|(?:shorter|smaller|less)\s+than)\s*")
_LESS_THAN = re.compile(r"(?i)\s*[<\u2264]\s*(?:\w+)\s*[<\u2264]\s*")
_WHOLE_VISIBLE = re.compile(
    r"(?i)\b(?:spectr\w+|comput\w+|calculat\w+|simulat\w+)\b[^.;]{0,40}\b(?:whole|entire|full|complete)\s+visible\b"
)
_VISIBLE = "0.42 0.68"  # that whatever is called so holds
_VARIED = re.compile(r"(?i)\b(?:varied|vary|varies|swept|sweeps?|scann\w+|stepped|changed|tuned)\b")
_OF_OTHERS_VARIED = re.compile(
    r"(?i)\b(?:tun(?:able|ing)|tolerances?|batch\w*|wafers?|fabricat\w*|measured)\b"
)
_EXTREMUM = re.compile(
    r"(?i)\b(?<!half )(?<!half-)(?:(?P<maximum>maxim(?:um|a|al)|peaks?|crests?|humps?|bumps?|summits?|apex|highest|brightest|strongest)|"
    r"(?P<minimum>minim(?:um|a|al)|dips?|nulls?|troughs?|notch(?:es)?|valleys?|wells?\b(?!\s+(?:as|in|with))|lowest|darkest|weakest|"
    r"(?:reflect|transmi|absor|scatter|spectral|extinct|effici)\w*\s+(?:holes?|hollows?|dents?|gaps?)))\b"
)
# Which number of an extremum words speak of, as `Feature.gives` calls it.
_GIVES = re.compile(
    r"(?i)(?P<width>\b(?:full|half|line|band)?[\s-]?widths?\b(?!\s+of\s+(?:the\s+)?(?:film|layer|bar|ridge|strip|guide|rod|wire|slit|gap))|"
    r"\bfwhm\b|\bbroad\w*|\bnarrow\w*)|"
    r"(?P<prominence>\bcontrast|\bprominence|\bmodulation\s+depth|\bvisibility)|"
    r"(?P<quality_factor>\bquality\s+factors?|(?-i:\bQ\b)|\bfinesse)|"
    r"(?P<value>\breach(?:es|ed)?\b|\b(?:height|value)\s+of\b|\b(?:peak|maximum|minimum|maximal|minimal|highest|lowest)\s+(?:reflect|transmi|absor|"
    r"scatter|extinct|effici|power|emission|purcell)\w*)|"
    r"(?P<position>\b(?:lies?|lay|located|situated|centred|centered|positions?)\b|\b(?:resonan\w+|peak|dip|maximum|minimum|mode)\s+"
    r"(?:vacuum\s+)?(?:wavelengths?|frequenc\w+|positions?)|\bwavelengths?\s+of\s+(?:the\s+)?(?:\w+\s+)?(?:resonan|peak|dip|maxim|minim))"
)


def said_in(text: str) -> tuple[Said, ...]:
    """Everything of the kind that a text says, in its order. text: as `written.readable` leaves it."""
    return tuple(
        sorted(
            {
                *_angles(text),
                *polarizations_in(text),
                *_sides(text),
                *samples_in(text),
                *subjects_in(text),
                *colours_in(text),
                *_lines(text),
                *_ranges(text),
                *ranges_swept(text),
                *_extrema(text),
                *_gives(text),
            },
            key=lambda said: (said.start, said.end),
        )
    )


def _gives(text: str) -> Iterator[Said]:
    for match in _GIVES.finditer(text):
        yield Said("gives", str(match.lastgroup), match.start(), match.end())


def _extrema(text: str) -> Iterator[Said]:
    for match in _EXTREMUM.finditer(text):
        yield Said("extremum", str(match.lastgroup), match.start(), match.end())


_COORDINATE = re.compile(r"(?i)[xyz](?:_(?:pm|nm|um|mm|a|over_\w+|per_\w+|axis|position))?")


def words_of_name(name: str) -> str:
    """The name of a column or file as words that say the same: "R_s" as "s-polarised", "Q_along" as "E along the axis"."""
    if _COORDINATE.fullmatch(name):
        return name
    parts = re.split(r"[^A-Za-z0-9.]+", re.sub(r"\.\w+$", "", name.rpartition("/")[2]))
    parts = re.sub(rf"(?i)\b({_BODY}) ; (?=(?-i:{_LABEL})(?:$| ;))", r"\1 ", " ; ".join(parts)).split(" ; ")
    return " ; ".join(_IN_NAMES.get(part if part in ("s", "p") else part.lower(), part) for part in parts)


def samples_in(text: str) -> tuple[Said, ...]:
    """Every word that tells one of several from the others: "sample B", "the annealed film", "filters B and G"."""
    return tuple(
        Said("sample", value, match.start(), match.end())
        for match in _SAMPLE.finditer(text)
        for value in _samples_of(match)
    )


def _samples_of(match: re.Match[str]) -> list[str]:
    if match["which"] or match["side"]:
        return [f"{match['which'] or match['side']} {match['of'] or match['thing']}".lower()]
    labels = re.findall(r"\w+", match["label"] + re.sub(r"\([^()]*\)", "", match["more"]).replace("and", ","))
    return [f"{match['body'].lower()} {label}" for label in labels]


def _angles(text: str) -> Iterator[Said]:
    for number in numbers_in(text):
        stated = number.unit and not number.label and number.low == number.high
        degrees = converted(number.low, number.unit, "deg") if stated else None
        if degrees is None or not 0 <= degrees <= 90:
            continue
        low, high = clause_of(text, number.start, number.end)
        near = text[max(low, number.start - 90) : min(high, number.end + 60)]
        before, behind = (
            text[max(low, number.start - 40) : number.start],
            text[number.end : min(high, number.end + 25)],
        )
        if _OTHER_ANGLE.search(f"{before} | {behind}") or not (_INCIDENCE.search(near) or _AT.search(before)):
            continue
        surface = _FROM_SURFACE.search(near) and not _FROM_NORMAL.search(near)
        aside = _TILTING.search(text[low : number.start]) is not None
        yield Said("angle", f"{90 - degrees if surface else degrees:.6g}", number.start, number.end, aside)
    for match in _NORMAL.finditer(text):
        yield Said("angle", "0", match.start(), match.end())
    for match in _OBLIQUE.finditer(text):
        low, high = clause_of(text, match.start(), match.end())
        if not any(
            n.unit and converted(n.low, n.unit, "deg") is not None for n in numbers_in(text[low:high])
        ):
            yield Said("angle", OBLIQUE, match.start(), match.end())


def _sides(text: str) -> Iterator[Said]:
    for match in _SIDE.finditer(text):
        thin = match["thin"] or match["thin2"]
        yield Said("side", "thin" if thin else "dense", match.start(), match.end())
    yield from _side_of_named(text)
    around = [
        Said("around", "liquid" if match["liquid"] else "empty", match.start(), match.end())
        for match in _AROUND.finditer(text)
        if not _COATED.search(text[: match.start()][-20:])
    ]
    denied = denied_in(text, around)
    yield from (replace(one, aside=one in denied) for one in around)


def _side_of_named(text: str) -> Iterator[Said]:
    """Light that comes from, or travels in, a medium to which the text gives an index of its own: that index. Whether light comes into
    the scene from there, only the scene tells: words also say what it passes on its way, and what gave it."""
    given: dict[str, set[str]] = {}
    for match in _NAMED_DENSE.finditer(text):
        given.setdefault(match["name"].lower(), set()).add(match["index"])
    names = {name for name, found in given.items() if len(found) == 1} - _NO_MEDIUM
    if not names:
        return
    media = "|".join(sorted(map(re.escape, names)))
    for match in re.finditer(
        rf"(?i)\b{_COMES}\b(?:(?!\bnot\b)[^.;:()]){{0,40}}?\b(?:from|through|via|inside|within)\s+(?:the\s+|an?\s+)?(?:\w+\s+)??(?P<one>{media})\b|"
        rf"\b(?:incident|incoming|plane)\s+(?:wave|beam|light)\s+(?:(?:that\s+)?(?:travels|propagates|comes|is)\s+)?in\s+(?:the\s+)?(?P<two>{media})\b",
        text,
    ):
        [index] = given[(match["one"] or match["two"]).lower()]
        yield Said("side", f"index {float(index):g}", match.start(), match.end())


def _lines(text: str) -> Iterator[Said]:
    for number in numbers_in(text):
        wavelength = converted(number.low, number.unit, "um") if number.unit and not number.label else None
        if wavelength is None or number.low != number.high or number.in_range or not wavelength > 0:
            continue
        beside = _LASER.search(text[max(0, number.start - 40) : number.start]) or _LIGHT_BEHIND.match(
            text, number.end
        )
        if beside or "light" in kinds_in_words(text, number):
            yield Said("light", f"{wavelength:.9g}", number.start, number.end)


@lru_cache(maxsize=8)
def _called(text: str) -> dict[str, frozenset[float]]:
    """What lights are called -> the wavelengths, um, that a text gives to what is called so."""
    found: dict[str, set[float]] = {}
    last = 0
    for number in numbers_in(text):
        if not number.unit or number.label:
            continue
        low, _ = clause_of(text, number.start, number.end)
        before, last = text[max(low, last) : number.start], number.end
        named = [_name(match) for match in _ROLE.finditer(before)]
        wavelength = converted(number.low, number.unit, "um") if named and number.low == number.high else None
        if wavelength is not None and wavelength > 0 and "light" in kinds_in_words(text, number):
            for name in named:
                found.setdefault(name, set()).add(float(wavelength))
    return {name: frozenset(values) for name, values in found.items()}


def _name(match: re.Match[str]) -> str:
    return (match["role"] or match["giver"]).lower()


def lights_named(words: str, text: str) -> frozenset[float] | None:
    """The wavelengths, um, of the light that words call by a name which the text gives to some ("the pump", "the red laser"); none
    where they speak of several lights at once; None where they name no such light."""
    known = _called(text)
    if len({value for values in known.values() for value in values}) < 2:
        return None
    if _ALL_LIGHTS.search(words):
        return frozenset()
    matches = [match for match in _ROLE.finditer(words) if _name(match) in known]
    named = [match for match in matches if match["role"]] or matches
    return frozenset().union(*(known[_name(match)] for match in named)) if named else None


def ranges_of_spectra(text: str) -> Iterator[Written]:
    """Ranges of wavelengths that a sentence says spectra were taken over. text: as `written.readable` leaves it."""
    for number in (*numbers_in(text), *_bounded(text)):
        if number.low == number.high or not number.unit or number.label:
            continue
        low, high = sentence_of(text, number.start, number.end)
        if _TAKEN_OVER.search(text[low : number.start]) or (
            _OF_SPECTRA.search(text[low:high]) and not _OF_OTHERS.search(text[low:high])
        ):
            yield number


def _bounded(text: str) -> Iterator[Written]:
    """Ranges that are told by both ends: "above 400 nm and below 900 nm", "400 nm < wavelength < 900 nm"."""
    for one, other in pairwise(n for n in numbers_in(text) if n.unit and not n.label and n.low == n.high):
        between, before = text[one.end : other.start], text[max(0, one.start - 20) : one.start]
        if one.unit == other.unit and one.low < other.low:
            if _LESS_THAN.fullmatch(between) or (_ABOVE.search(before) and _AND_BELOW.fullmatch(between)):
                yield replace(one, high=other.high, half=max(one.half, other.half), end=other.end)


def ranges_swept(text: str) -> Iterator[Said]:
    """Ranges that something else than light is said to be varied over: their value is both ends, the unit, and what it may be."""
    for number in (*numbers_in(text), *_bounded(text)):
        if not number.low < number.high or number.label:
            continue
        low, high = sentence_of(text, number.start, number.end)
        if not _VARIED.search(text[low:high]) or _OF_OTHERS_VARIED.search(text[low:high]):
            continue
        kinds = kinds_in_words(text, number)
        if kinds - {"light", "other"}:
            told = f"{number.low:.9g} {number.high:.9g} {number.unit or '1'} {'+'.join(sorted(kinds))}"
            yield Said("swept", told, number.start, number.end)


def _ranges(text: str) -> Iterator[Said]:
    for number in ranges_of_spectra(text):
        ends = [converted(end, number.unit, "um") for end in (number.low, number.high)]
        if all(end is not None and end > 0 for end in ends):
            yield Said("range", f"{ends[0]:.9g} {ends[1]:.9g}", number.start, number.end)
    for match in _WHOLE_VISIBLE.finditer(text):
        yield Said("range", _VISIBLE, match.start(), match.end())
