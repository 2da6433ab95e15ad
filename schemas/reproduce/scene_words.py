"""What a paper's words say of how a structure is lit: the angle, the polarisation, the side light comes from, what is around.

Each of them has few values, so a description that takes another one can be told so; and one that takes what nobody said, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from schemas.reproduce.clauses import clause_of, sentence_of
from schemas.reproduce.input_nouns import kinds_in_words
from schemas.reproduce.units import converted, dimension
from schemas.reproduce.written import Written, numbers_in

Choice = Literal["angle", "polarization", "side", "around", "sample", "light"]
OBLIQUE = "oblique"  # an angle without a number
OTHER = "other"  # the polarisation that is not the one spoken of elsewhere
# Values of a polarisation: the electric field "out" of the plane in which light travels and the structure is drawn (along rods,
# bars, lines), "in" it, "flat" in the plane of a film or "upright" on it, along "x" or "y", or "none" (unpolarised); "TE" and
# "TM" where the paper does not say what it calls so; `OTHER`.
_LONG = (
    r"axis|axes|bars?|ridges?|grooves?|lines?|lamellae|rods?|wires?|cylinders?|slits?|strips?|ribbons?|fibres?|fibers?|"
    r"beams?|veins?|walls?|z(?:[- ](?:axis|direction))?"
)
_FLAT = r"layers?|films?|slabs?|interfaces?|membranes?|chips?|substrates?|wafers?|surfaces?"
_ALONG = r"along|parallel to|within|in"
_ACROSS = r"perpendicular to|normal to|across|orthogonal to|transverse to|at right angles to|out of"
_FIELD = re.compile(
    rf"(?P<field>electric(?:al)?[- ](?:field|vector)s?|\bE[- ]?(?:field|vector)|\bE\b|polari[sz]ed|polari[sz]ations?|"
    rf"(?P<magnetic>magnetic[- ](?:field|vector)s?|\bH[- ]?(?:field|vector)|\bH\b))"
    rf"(?P<between>(?:(?!perpendicular|parallel|normal|electric|magnetic|travel|propagat|wave\s?vector)[^.;:]){{0,40}}?)"
    rf"\b(?:(?P<along>{_ALONG})|(?P<across>{_ACROSS}))\s+(?:(?:the|its|their|both|an?|these|this|all)\s+)?"
    rf"(?:[\w'-]+\s+){{0,2}}?(?P<what>plane\s+of\s+(?:the\s+)?(?:{_FLAT})|plane(?:\s+of\s+incidence)?|{_FLAT}|{_LONG}|x|y)\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?P<out>out[- ]of[- ](?:the[- ])?plane|TE(?=\s*\(s\))|(?<![A-Za-z])E_?\{?z\}?(?![A-Za-z]))[^.;:]{0,20}|"
    r"(?P<in>(?<!of[- ])\bin-plane\b(?!\s+waves?))",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"(?<![A-Za-z0-9])(?P<sp>[sp])(?:[- ](?:polari[sz]|pol\b|light|wave|component|and p|or p|state))|"
    r"(?<![A-Za-z])(?:[RT]_?|A_)\{?(?P<index>[sp])\}?(?![A-Za-z])|(?<![A-Za-z])(?P<t>T[EM])(?![A-Za-z])|"
    r"\b(?P<eh>[EH])[- ]polari[sz]|(?P<un>\b(?:unpolari[sz]ed|un-polari[sz]ed|natural light))|"
    r"(?<![A-Za-z])(?P<xy>[xy])[- ]polari[sz]|(?<![A-Za-z])H_\{?z\}?(?![A-Za-z])(?P<hz>)"
)
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
_OTHER = re.compile(r"(?i)\b(?:other|opposite|orthogonal|crossed|remaining)\s+polari[sz]ations?\b")
_OTHER_BEFORE = re.compile(rf"{_OTHER.pattern}[^.;]*$")
_BARE_SP = re.compile(
    r"\b(?:for|in|with|under|of|and|or|to|one|call\w*|as|by)\s+(?P<sp>[sp])"
    r"(?=\s*[,.;:)(]|\s+(?:and|or|but|it|is|while)\b|\s*$)|"
    r"\b(?P<called>[sp])(?=\s+and\s+the\s+other\b)"
)
# What sets a polarisation aside: "no resonance for s-polarised light", "TM, which we do not consider".
_DENIAL = re.compile(
    r"(?i)\b(?:no|not|never|neither|nor|without|cannot|omit\w*|neglect\w*|ignor\w*|disregard\w*|exclud\w*|absent|"
    r"instead\s+of|rather\s+than|(?:left|leave)\s+(?:out|to)|elsewhere|beyond\s+the\s+scope)\b|n['\u2019]t\b"
)
COMPLEMENTS = {
    one: other
    for pair in (("in", "out"), ("flat", "upright"), ("x", "y"), ("s", "p"), ("TE", "TM"))
    for one, other in (pair, pair[::-1])
}
_NEAR = 70  # characters between an abbreviation and the words that say what it means

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
    r"(?i)(?<!not )(?<!non-)(?<!near-)(?:\bnormal(?:ly)?[- ]inciden\w*|\binciden\w*\s+(?:(?:is|was|light)\s+)?normal(?:ly)?\b|"
    r"\bperpendicular(?:ly)?\s+(?:inciden\w*|illuminat\w*)|\b(?:inciden\w*|lit|illuminat\w*|falls?|arrives?|impinges?)\s+(?:\w+\s+)?"
    r"(?:perpendicular(?:ly)?|normal(?:ly)?|at right angles)\b|\balong the (?:surface |film )?normal\b)"
)
_OBLIQUE = re.compile(r"(?i)\b(?:oblique(?:ly)?|off-?normal|grazing|glancing)\b")

_DENSE = (
    r"(?:glass|substrate|prism|silica|quartz|sapphire|silicon|crystal|back|rear|bottom|underside|below|dense\w*|"
    r"high[- ]index|semiconductor|wafer)"
)
_THIN = r"(?:air|vacuum|front|top|above|cover|superstrate|free space|ambient)"
_COMES = (
    r"(?:inciden\w*|lit|illuminat\w*|comes?|coming|came|arriv\w*|impinge\w*|enters?|entering|shone|shining|launched|"
    r"irradiated|excited|hits?|falls?|approach\w*)"
)
_SIDE = re.compile(
    rf"(?i)\b{_COMES}\b(?:(?!\bnot\b)[^.;:]){{0,40}}?\b(?:from|through|via|inside|within)\s+(?:the\s+|an?\s+)?(?:\w+\s+){{0,2}}?"
    rf"(?:(?P<dense>{_DENSE})|(?P<thin>{_THIN}))\b|"
    rf"\b(?:(?P<dense2>{_DENSE})|(?P<thin2>{_THIN}))[- ](?:side\s+)?(?:inciden\w*|illuminat\w*|excitation)|"
    r"\b(?P<dense3>back-?illuminat\w*|rear-?illuminat\w*|kretschmann|attenuated total|total internal reflection|"
    r"prism[- ]coupl\w*)"
)
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
_SAMPLE = re.compile(
    rf"\b(?P<body>(?i:{_BODY}|type|case|configuration|geometry))(?i:s)?\s+(?:(?i:no\.?|number)\s*)?(?P<label>{_LABEL})(?P<more>(?:(?:,\s*|,?\s+and\s+|\s*&\s*)(?:{_LABEL})(?![\w=-]|\s*(?:=|[a-z]{{0,2}}m\b)))*)\b"
    rf"(?!\s*(?:[a-z]{{0,2}}m\b|[=%\u00b5\u03bc\u00b0x]|deg|\.\d|to\b|-))|\b(?P<which>(?i:first|second|third|fourth|thinner|thicker|thinnest|thickest|reference|control|"
    rf"uncoated|coated|annealed|as-deposited|pristine|bare|doped|undoped|etched|unetched|other|earlier|previous|larger|smaller|"
    rf"optimi[sz]ed|initial|final|fabricated|designed))\s+(?P<of>(?i:{_BODY}))(?i:s)?\b",
    re.ASCII,
)

_LASER = re.compile(r"(?i)\b(?:laser|light|lamp|LED|radiation|line)\b\W+(?:\w+\W+){0,3}?$")
_LIGHT_BEHIND = re.compile(r"(?i)\s*(?:laser|light|line|radiation|illumination|pump|wavelength|emission)\b")


@dataclass(frozen=True)
class Said:
    """One thing that the words say. value: degrees from the normal as "45", um of vacuum wavelength, or a word; where it
    stands. aside: as of another one than is meant elsewhere. denied: only to say what it does not do, or that it is left out.
    """

    choice: Choice
    value: str
    start: int
    end: int
    aside: bool = False
    denied: bool = False


def said_in(text: str) -> tuple[Said, ...]:
    """Everything of the kind that a text says, in its order. text: as `written.readable` leaves it."""
    return tuple(
        sorted(
            {*_angles(text), *_polarizations(text), *_sides(text), *samples_in(text), *_lines(text)},
            key=lambda said: (said.start, said.end),
        )
    )


def words_of_name(name: str) -> str:
    """The name of a column or file as words that say the same: "R_s" as "s-polarised", "Q_along" as "E along the axis"."""
    parts = re.split(r"[^A-Za-z0-9.]+", re.sub(r"\.\w+$", "", name.rpartition("/")[2]))
    parts = re.sub(rf"(?i)\b({_BODY}) ; (?=(?-i:{_LABEL})(?:$| ;))", r"\1 ", " ; ".join(parts)).split(" ; ")
    return " ; ".join(_IN_NAMES.get(part if part in ("s", "p") else part.lower(), part) for part in parts)


def samples_in(text: str) -> tuple[Said, ...]:
    """Every word that tells one of several from the others: "sample B", "the annealed film", "filters B and G"."""
    return tuple(
        Said("sample", value, match.start(), match.end()) for match in _SAMPLE.finditer(text) for value in _samples_of(match)
    )


def _samples_of(match: re.Match[str]) -> list[str]:
    if match["which"]:
        return [f"{match['which']} {match['of']}".lower()]
    labels = re.findall(r"\w+", match["label"] + match["more"].replace("and", ","))
    return [f"{match['body'].lower()} {label}" for label in labels]


def _polarizations(text: str) -> Iterator[Said]:
    explicit = [*_fields(text)]
    for match in _BARE.finditer(text):
        if not any(one.start <= match.start() < one.end for one in explicit):
            explicit.append(Said("polarization", "out" if match["out"] else "in", match.start(), match.end()))
    short = [*_abbreviated(text)]
    meant = _meanings(text, short, explicit)
    found = sorted((*explicit, *short), key=lambda one: (one.start, one.end))
    denied = _denied(text, found)
    for one in found:
        yield replace(one, value=meant.get(one.value, one.value), aside=_aside(text, one), denied=one in denied)
    for match in _OTHER.finditer(text):
        _, high = clause_of(text, match.start(), match.end())
        if not any(match.start() <= one.start < high + _NEAR and "." not in text[match.end() : one.start] for one in found):
            yield Said("polarization", OTHER, match.start(), match.end())


def _denied(text: str, found: list[Said]) -> set[Said]:
    """Those of which a sentence says only what they do not do. A denial is of what follows it in its clause, else of the last
    before it in its sentence; one that says how they differ from others ("not s") is of those."""
    out = set()
    for match in _DENIAL.finditer(text):
        low, high = sentence_of(text, match.start(), match.end())
        ends = [place for place in (text.find(sign, match.end(), high) for sign in (";", ",", ":")) if place >= 0]
        behind = [one for one in found if match.end() <= one.start < min([high, *ends])]
        before = [one for one in found if low <= one.start and one.end <= match.start()]
        out |= {*(behind[:1] or before[-1:])}
    return out


def _aside(text: str, one: Said) -> bool:
    """Whether words name a polarisation as the other one: "the other polarisation, with E across the lines"."""
    low, _ = clause_of(text, one.start, one.end)
    return _OTHER_BEFORE.search(text[max(0, low - _NEAR) : one.end]) is not None


def _fields(text: str) -> Iterator[Said]:
    for match in _FIELD.finditer(text):
        what, along = match["what"].lower(), match["along"] is not None
        inside = (match["along"] or match["across"]).lower() in ("in", "within", "out of")
        if inside and not what.startswith(("plane", "x", "y")):
            continue  # light "in a film" is there, and is not polarised along it
        if what in ("x", "y"):
            value = what if along else ""
        elif re.search(rf"(?:{_FLAT})$", what):
            value = "flat" if along else "upright"
        elif what.startswith("plane"):
            value = "in" if along else "out"
        else:
            value = "out" if along else "in"
        if match["magnetic"]:
            value = COMPLEMENTS.get(value, "")
        if value:
            yield Said("polarization", value, match.start(), match.end())


def _abbreviated(text: str) -> Iterator[Said]:
    for match in _ABBREVIATED.finditer(text):
        if found := match["sp"] or match["index"]:
            value = {"s": "s", "p": "p"}[found]
        elif match["t"]:
            value = match["t"]
        elif match["eh"]:
            value = "out" if match["eh"] == "E" else "in"
        elif match["un"]:
            value = "none"
        else:
            value = match["xy"] or "in"
        yield Said("polarization", value, match.start(), match.end())
    if re.search(r"(?i)polari[sz]", text):
        bare = [match for match in _BARE_SP.finditer(text)]
        if {match["sp"] or match["called"] for match in bare} == {"s", "p"}:
            yield from (Said("polarization", match["sp"] or match["called"], match.end() - 1, match.end()) for match in bare)


def _meanings(text: str, short: list[Said], explicit: list[Said]) -> dict[str, str]:
    """What the paper says that TE, TM, s and p are, where it says so beside them and never otherwise."""
    found: dict[str, set[str]] = {}
    for one in short:
        low, high = clause_of(text, one.start, one.end)
        low, high = max(0, low - 3), high + _NEAR  # "TM polarisation, with the electric field along the bars"
        beside = [
            other
            for other in explicit
            if low <= other.start < high
            and abs(other.start - one.start) <= _NEAR
            and not any(
                third is not one and min(one.start, other.start) < third.start < max(one.start, other.start) for third in short
            )
        ]
        if beside:
            nearest = min(beside, key=lambda other: abs(other.start - one.start))
            apart = abs(one.start - nearest.start)
            if any(third.value != one.value and abs(third.start - nearest.start) < apart for third in short):
                continue  # it says what another one means
            found.setdefault(one.value, set()).add(nearest.value)
    return {name: values.pop() for name, values in found.items() if len(values) == 1}


def _angles(text: str) -> Iterator[Said]:
    for number in numbers_in(text):
        stated = number.unit and not number.label and number.low == number.high
        degrees = converted(number.low, number.unit, "deg") if stated else None
        if degrees is None or not 0 <= degrees <= 90:
            continue
        low, high = clause_of(text, number.start, number.end)
        near = text[max(low, number.start - 90) : min(high, number.end + 60)]
        before, behind = text[max(low, number.start - 40) : number.start], text[number.end : min(high, number.end + 25)]
        if _OTHER_ANGLE.search(f"{before} | {behind}") or not (_INCIDENCE.search(near) or _AT.search(before)):
            continue
        surface = _FROM_SURFACE.search(near) and not _FROM_NORMAL.search(near)
        yield Said("angle", f"{90 - degrees if surface else degrees:.6g}", number.start, number.end)
    for match in _NORMAL.finditer(text):
        yield Said("angle", "0", match.start(), match.end())
    for match in _OBLIQUE.finditer(text):
        low, high = clause_of(text, match.start(), match.end())
        if not any(n.unit and converted(n.low, n.unit, "deg") is not None for n in numbers_in(text[low:high])):
            yield Said("angle", OBLIQUE, match.start(), match.end())


def _sides(text: str) -> Iterator[Said]:
    for match in _SIDE.finditer(text):
        thin = match["thin"] or match["thin2"]
        yield Said("side", "thin" if thin else "dense", match.start(), match.end())
    for match in _AROUND.finditer(text):
        yield Said("around", "liquid" if match["liquid"] else "empty", match.start(), match.end())


@dataclass(frozen=True)
class Told:
    """What the words of one place say of one choice. where: which words they are; words: some of them."""

    where: str
    values: frozenset[str]
    words: str


def _lines(text: str) -> Iterator[Said]:
    for number in numbers_in(text):
        wavelength = converted(number.low, number.unit, "um") if number.unit and not number.label else None
        if wavelength is None or number.low != number.high or number.in_range or not wavelength > 0:
            continue
        beside = _LASER.search(text[max(0, number.start - 40) : number.start]) or _LIGHT_BEHIND.match(text, number.end)
        if beside or "light" in kinds_in_words(text, number):
            yield Said("light", f"{wavelength:.9g}", number.start, number.end)


_JOINED = re.compile(
    r"\W{0,3}(?:(?:for|in|with|under|of|on|at|when)\s+)?(?:(?:the|an?|its|incident|case\s+of|angle\s+of|incidence|of|wavelength|light)\s+)*$",
    re.IGNORECASE,
)


def of_number(said: list[Said], number: Written, text: str, span: tuple[int, int]) -> list[Said]:
    """Of several things that a clause says, those that it says of a number: in a list told with "respectively" that of the same
    place; one right behind it ("0.88 for y polarisation"); the last before it that is not right behind an earlier number; else
    the first behind it that no later number has.
    """
    low, high = span
    numbers = [n for n in numbers_in(text[low:high]) if not n.label]
    if re.search(r"(?i)\brespectively\b", text[low:high]):
        listed = [n for n in numbers if dimension(n.unit or "1") == dimension(number.unit or "1")]
        values = list(dict.fromkeys(one.value for one in said))
        place = next((k for k, n in enumerate(listed) if low + n.start == number.start), None)
        if place is not None and len(values) == len(listed) > 1:
            return [one for one in said if one.value == values[place]]
    behind = [one for one in said if one.start >= number.end and _JOINED.fullmatch(text, number.end, one.start)]
    if behind:
        return [one for one in behind if one.start == behind[0].start]
    before = [one for one in said if one.start < number.start]
    ends = [low + n.end for n in numbers]
    free = [one for one in before if not any(end <= one.start and _JOINED.fullmatch(text, end, one.start) for end in ends)]
    if found := free or before:
        return [one for one in found if one.start == found[-1].start]
    after = [one for one in said if not any(number.end <= low + n.start and low + n.end <= one.start for n in numbers)]
    return [one for one in after if one.start == after[0].start]
