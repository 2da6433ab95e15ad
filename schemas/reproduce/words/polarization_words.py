"""What a paper's words say of the light's polarisation: of the electric field, in the abbreviations of its field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from schemas.reproduce.words.clauses import clause_of, sentence_of
from schemas.reproduce.words.said import Said

OTHER = "other"  # the polarisation that is not the one spoken of elsewhere
# Values of a polarisation: the electric field "out" of the plane in which light travels and the structure is drawn (along rods,
# bars, lines), "in" it, "flat" in the plane of a film or "upright" on it, along "x" or "y", or "none" (unpolarised); "TE" and
# "TM" where the paper does not say what it calls so; `OTHER`.
_LONG = (
    r"(?:axis|axes)(?!\s+(?:of\s+(?:the|this|a)\s+(?:\w+\s+)?(?:pair|dimer|trimer|chain|row|cluster|array|antenna|centres|centers)|(?:joining|connecting))\b)|bars?|ridges?|grooves?|lines?|lamellae|rods?|wires?|cylinders?|slits?|strips?|ribbons?|fibres?|fibers?|"
    r"beams?|veins?|walls?|pillars?|posts?|columns?|holes?|tubes?|needles?|stripes?|channels?|z(?:[- ](?:axis|direction))?|"
    r"(?:invariant|translation\w*|infinite|endless|uniform)\s+(?:in-plane\s+)?(?:directions?|axis|coordinate)|directions?\s+of\s+(?:translation\w*|invariance)"
)
_FLAT = r"layers?|films?|slabs?|interfaces?|membranes?|chips?|substrates?|wafers?|surfaces?"
_ALONG = r"along|parallel to|within|in"
_ACROSS = r"perpendicular to|normal to|across|orthogonal to|transverse to|at right angles to|out of"
_FIELD = re.compile(
    rf"(?P<field>electric(?:al)?[- ](?:field|vector)s?|\bE[- ]?(?:field|vector)|\bE(?:_?\{{?[xyz]\}}?)?(?![\w}}])|"
    rf"polari[sz]ed|polari[sz]ations?|"
    rf"(?P<magnetic>magnetic[- ](?:field|vector)s?|\bH[- ]?(?:field|vector)|\bH(?:_?\{{?[xyz]\}}?)?(?![\w}}])))"
    rf"(?P<between>(?:(?!perpendicular|parallel|normal|electric|magnetic|travel|propagat|wave\s?vector)[^.;:]){{0,40}}?)"
    rf"\b(?:(?P<along>{_ALONG})|(?P<across>{_ACROSS}))\s+(?:(?:the|its|their|both|an?|these|this|all)\s+)?"
    rf"(?:[\w'-]+\s+){{0,2}}?(?P<what>plane\s+of\s+(?:the\s+)?(?:{_FLAT})|plane(?:\s+of\s+incidence)?|{_FLAT}|{_LONG}|x|y|it|them)\b",
    re.IGNORECASE,
)
# Along what nothing changes: "invariant along y", "y, the normal to the plane".
_ENDLESS = (
    r"(?i)\b(?:invariant|uniform|unchanged|infinite|endless|extruded|constant)\s+(?:along|in)\s+(?:the\s+)?{0}\b|"
    r"\b{0}\b,?\s+(?:which\s+is\s+)?(?:the\s+)?normal\s+(?:to|of)\s+the\s+plane"
)
_COMPONENT = re.compile(r"[EH]_?\{?[xyz]\}?")
# Both components in a row, in the order of what was named before: they tell no abbreviation's meaning by standing beside it.
_IN_A_ROW = re.compile(r"\b[EH]_?\{?z\}?\s*(?:,|/|or|and)\s*(?:the\s+)?[EH]_?\{?z\}?(?![A-Za-z])")
# What lies in or out of a plane and is no field: "out-of-plane loss", "the in-plane lattice constant".
_NO_FIELD = (
    r"(?!\s+(?:(?!polari|light|field|electric|magnetic|component)\w+\s+){0,2}?(?:loss(?:es)?|radiati\w+|leak\w*|scatter\w*|confine\w*|directions?|emissi\w+|coupl\w+|wave\s?vectors?|"
    r"moment\w+|propagat\w+|diffract\w+|tilt\w*|displace\w*|dimensions?|symmetr\w+|lattices?|periods?|periodicit\w+|rotati\w+|guid\w+|"
    r"structur\w+|incidence|angles?|quality|Q)\b)"
)
_BARE = re.compile(
    r"(?P<out>out[- ]of[- ](?:the[- ])?plane" + _NO_FIELD + r"|TE(?=\s*\(s\))|"
    r"(?<![A-Za-z])E_?\{?z\}?(?![A-Za-z]))[^.;:]{0,20}|(?P<in>(?<!of[- ])\bin-plane\b"
    + _NO_FIELD
    + r"(?!\s+waves?))",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"(?<![A-Za-z0-9])(?P<sp>[sp](?=(?:[- ]|- )(?:polari[sz]|pol\b|light|wave|component|and p\b|or p\b|and s\b|or s\b|state))|"
    r"(?<=\b[sp] or )[sp]\b|(?<=\b[sp] and )[sp]\b)|"
    r"(?<![A-Za-z])(?:[RT]_?|A_)\{?(?P<index>[sp])\}?(?![A-Za-z])|(?<![A-Za-z])(?P<t>T[EM])(?![A-Za-z])|"
    r"\b(?P<eh>[EH])[- ]polari[sz]|"
    r"(?P<un>\b(?:un-?polari[sz]ed|(?:not|partly|partially|weakly|hardly)\s+polari[sz]ed|natural light))|"
    r"(?<![A-Za-z])(?P<xy>[xy])[- ]polari[sz]|(?<![A-Za-z])H_\{?z\}?(?![A-Za-z])(?P<hz>)"
)
_OTHER = re.compile(
    r"(?i)\b(?:other|opposite|orthogonal|crossed|remaining|perpendicular)\s+polari[sz]ations?\b(?!\s+to\b)"
)
_OTHER_BEFORE = re.compile(rf"{_OTHER.pattern}[^.;]*$")
_BARE_SP = re.compile(
    r"\b(?:for|in|with|under|of|and|or|to|one|call\w*|as|by)\s+(?P<sp>[sp])"
    r"(?=\s*[,.;:)(]|\s+(?:and|or|but|it|is|while)\b|\s*$)|"
    r"\b(?P<called>[sp])(?=\s+and\s+the\s+other\b)"
)
_IN_BRACKETS = re.compile(r"(?i)\bpolari[sz]\w*[^.;()]{0,40}\((?-i:(?P<sp>[sp]))\)")
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
_OF_ANOTHER = re.compile(
    r"(?i)\b(?:dipoles?|sources?|emitters?|detectors?|cameras?|polari[sz]ers?|works?|refs?|references?|other|another|pump|probe)\b|\[\d"
)
_NEAR = 70  # characters between an abbreviation and the words that say what it means


def polarizations_in(text: str) -> Iterator[Said]:
    explicit = [*_fields(text)]
    for match in _BARE.finditer(text):
        if not any(one.start <= match.start() < one.end for one in explicit):
            explicit.append(Said("polarization", "out" if match["out"] else "in", match.start(), match.end()))
    short = [*_abbreviated(text)]
    meant = _meanings(text, short, explicit)
    found = sorted((*explicit, *short), key=lambda one: (one.start, one.end))
    denied = denied_in(text, found)
    for one in found:
        yield replace(
            one, value=meant.get(one.value, one.value), aside=_aside(text, one), denied=one in denied
        )
    for match in _OTHER.finditer(text):
        _, high = clause_of(text, match.start(), match.end())
        if not any(
            match.start() <= one.start < high + _NEAR and "." not in text[match.end() : one.start]
            for one in found
        ):
            yield Said("polarization", OTHER, match.start(), match.end())


def denied_in(text: str, found: list[Said]) -> set[Said]:
    """Those of which a sentence says only what they do not do. A denial is of what follows it in its clause, else of the last
    before it in its sentence; one that says how they differ from others ("not s") is of those."""
    out = set()
    for match in _DENIAL.finditer(text):
        low, high = sentence_of(text, match.start(), match.end())
        ends = [
            place for place in (text.find(sign, match.end(), high) for sign in (";", ",", ":")) if place >= 0
        ]
        behind = [one for one in found if match.end() <= one.start < min([high, *ends])]
        before = [one for one in found if low <= one.start and one.end <= match.start()]
        out |= {*(behind[:1] or before[-1:])}
    return out


def _aside(text: str, one: Said) -> bool:
    """Whether words name a polarisation as the other one: "the other polarisation, with E across the lines"."""
    low, _ = clause_of(text, one.start, one.end)
    return _OTHER_BEFORE.search(text[max(0, low - _NEAR) : one.end]) is not None


def _fields(text: str) -> Iterator[Said]:
    named = ""  # what "it" is: perpendicular to the plane of incidence, or parallel to it
    for match in _FIELD.finditer(text):
        what, along = match["what"].lower(), match["along"] is not None
        if _COMPONENT.fullmatch(match["field"]) and (match["between"].strip() or what in ("x", "y")):
            continue  # "E_z is a sum of two waves in y" says what it is made of
        what = named if what in ("it", "them") else what
        named = what
        inside = (match["along"] or match["across"]).lower() in ("in", "within", "out of")
        if inside and not what.startswith(("plane", "x", "y")):
            continue  # light "in a film" is there, and is not polarised along it
        if what in ("x", "y") and re.search(_ENDLESS.format(what), text):
            value = "out" if along else ""
        elif what in ("x", "y"):
            value = what if along else ""
        elif not what:
            continue
        elif re.search(rf"(?:{_FLAT})$", what):
            value = "flat" if along else "upright"
        elif what.startswith("plane"):
            value = "in" if along else "out"
        else:
            value = "out" if along else "in"
        if match["magnetic"]:
            value = COMPLEMENTS.get(value, "")
        if value:  # "in s polarisation and lies in this plane": what lies there was named before
            begins = match.start("what") if re.match(r"\s+and\b", match["between"]) else match.start()
            yield Said("polarization", value, begins, match.end())


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
    yield from (
        Said("polarization", match["sp"], match.start("sp"), match.end("sp"))
        for match in _IN_BRACKETS.finditer(text)
    )
    if re.search(r"(?i)polari[sz]", text):
        bare = [match for match in _BARE_SP.finditer(text)]
        if {match["sp"] or match["called"] for match in bare} == {"s", "p"}:
            yield from (
                Said("polarization", match["sp"] or match["called"], match.end() - 1, match.end())
                for match in bare
            )


def _is_of_all(text: str, one: Said) -> bool:
    """Whether words speak of the field of the light itself: of no dipole's, instrument's or other work's."""
    return "field" in text[one.start : one.end].lower() and not _OF_ANOTHER.search(
        text, *sentence_of(text, one.start, one.end)
    )


def _meanings(text: str, short: list[Said], explicit: list[Said]) -> dict[str, str]:
    """What the paper says that TE, TM, s and p are, where it says so beside them and never otherwise."""
    found: dict[str, set[str]] = {}
    rows = [match.span() for match in _IN_A_ROW.finditer(text)]
    explicit = [one for one in explicit if not any(low <= one.start < high for low, high in rows)]
    for one in short:
        low, high = clause_of(text, one.start, one.end)
        low, high = max(0, low - 3), high + _NEAR  # "TM polarisation, with the electric field along the bars"
        beside = [
            other
            for other in explicit
            if low <= other.start < high
            and abs(other.start - one.start) <= _NEAR
            and not any(
                third is not one and min(one.start, other.start) < third.start < max(one.start, other.start)
                for third in short
            )
        ]
        if beside:
            nearest = min(beside, key=lambda other: abs(other.start - one.start))
            apart = abs(one.start - nearest.start)
            if any(third.value != one.value and abs(third.start - nearest.start) < apart for third in short):
                continue  # it says what another one means
            found.setdefault(one.value, set()).add(nearest.value)
    sure = {name: values.pop() for name, values in found.items() if len(values) == 1}
    named = {one.value for one in short} & {"TE", "TM"}
    fields = {one.value for one in _fields(text) if _is_of_all(text, one)}
    if len(named) == len(fields) == 1 and not named & found.keys():  # all is for the one field that is told
        sure |= dict.fromkeys(named, *fields)
    for name, other in (("TE", "TM"), ("TM", "TE")):  # with one of the two the other is told
        if sure.get(name) in COMPLEMENTS and other not in found:
            sure[other] = COMPLEMENTS[sure[name]]
    return sure
