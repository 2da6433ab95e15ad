"""What a paper's words say of a structure that a description may have otherwise: its numbers, one by one, and its bodies.

Read from the paper's text alone: no plan, quotation or name of an agent's plays a part in what is found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from schemas.base import Model
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.alternatives import alternatives
from schemas.reproduce.words.body_words import BODIES, FLAT, NAMED, Body
from schemas.reproduce.words.clauses import clause_of, extremum_of, governing, process_of, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words, kinds_of_name
from schemas.reproduce.words.subject_words import subjects_of
from schemas.reproduce.words.unclaimed import unclaimed
from schemas.reproduce.words.varied import is_case, is_place_of_results
from schemas.reproduce.words.written import Written, numbers_in, readable

Another = Literal["", "half", "optical", "middles", "in a medium", "angular"]
STRUCTURE = frozenset(
    "vertical lateral along diameter radius period gap index permittivity ratio loss waist count".split()
)
_FOUND_ONLY = ("effective_index", "quality_factor", "field_enhancement", "gap_ratio")
_RESULTS = ("power", "rate", "width")
# An effective index is found, unless the words put it in: "we model the slab by an effective index of 2.85".
_GIVEN = re.compile(
    r"(?i)\b(?:(?:is|are|was|were)\s+(?:taken|set|assumed|chosen|fixed)|(?:we|who)\s+(?:take|assume|set|use|adopt|choose)|"
    r"assum(?:e|ed|ing)|(?:model\w*|describ\w+|represent\w*|replac\w+|treat\w*)\b[^.;]{0,60}\b(?:by|as|with)|"
    r"effective[- ]index\s+(?:method|approximation|model))\b"
)
_OF_LIGHT = re.compile(
    r"(?i)\b(?:propagation|insertion|bend(?:ing)?|radiation|excess|coupling|return)\s+loss"
)
_FORM = (
    r"(?:layers?|films?|coatings?|claddings?|substrates?|sheets?|slabs?|cores?|rods?|spheres?|balls?|particles?|wires?|cylinders?|"
    r"rings?|dis[kc]s?|mirrors?|spacers?|shells?|caps?|posts?|pillars?|bars?|ridges?|grooves?|strips?|plates?|membranes?|bumps?|"
    r"hillocks?|tapers?|slots?|holes?|oxides?|liners?|primers?)"
)
# "10 nm of chromium", "a 10 nm thick chromium layer", "a spot of 0.4 um".
_MADE_OF = re.compile(
    r"\s*of\s+(?!the\b|light|about|its|our|one|wavelength|travel|propagation|path|these|those|this|that|each)[a-z]",
    re.I,
)
_THICK_BODY = re.compile(rf"\s*-?\s*(?:thick\s+|wide\s+|high\s+)?(?:[a-z][\w-]*\s+){{0,2}}{_FORM}\b", re.I)
_SPOT = re.compile(r"(?i)\bspots?\s+(?:size\s+)?of\s+(?:about\s+|only\s+)?$")
# Numbers of a computation, a measurement or a way of making are none of the structure.
_ASIDE = re.compile(
    r"(?i)\b(?:grids?|mesh\w*|resolution|pixels?|perfectly\s+matched|PMLs?|absorbing\s+(?:layer|bound)\w*|cell\s+size|"
    r"time.?steps?|converge\w*|steps?\s+of|padding|finite[- ](?:difference|element)\w*|"
    r"supercells?|not\s+(?:taken|included|modelled|considered|simulated))\b"
)
# What a sentence begins with that is an instrument or a mark, and nothing that is laid on it.
_INSTRUMENT = re.compile(
    r"(?i)^\W*(?:(?:the|an?|all|our|each)\s+)?(?:[\w-]+\s+){0,4}?(?:with|by|in|on)?\s*(?:an?\s+|the\s+)?(?:marks?|markers?|holders?|mounts?|"
    r"chucks?|detectors?|spectrometer\w*|monochromators?|objectives?)\b"
)
_FORM_WORD = re.compile(rf"(?i)\b{_FORM}\b")
_LAID = re.compile(
    r"(?i)\b(?:layer|film|coating|cladding|cap|spacer|sheet|oxide)s?\s+(?:with|of|having|whose|that|which|is|are|has)\b|\bthick\b"
)
_ALTERNATIVE = re.compile(
    r"(?i)(?:(?:\bfor|^\W*with)\s+(?:an?|the|one|both|thinner|thicker|larger|smaller)|\b(?:if|when|other|another|instead|unless|until|where))\s+(?:\w+\s+){0,3}$|"
    r"\b(?:mean|average|difference|(?:low|high|small|larg|great|thick|thin)\w*\s+than)\b"
)
_MANY = re.compile(
    r"(?i)\b(?:each|both|every|all|either|pairs?|periods?|periodic\w*|stacks?|alternat\w*|multilayers?|bilayers?|identical\w*|"
    r"equal\w*|same|symmetric\w*|twins?|doubl\w+|arrays?|lattices?|dimers?|sandwich\w*|squares?|cub\w+|two|three|four|five|six|seven|eight|"
    r"nine|ten|eleven|twelve|several|many|repeat\w*|respectively|sides|faces|gratings?|crystals?|isotropic|"
    r"(?:layers|films|coatings|claddings|sheets|slabs|cores|rods|spheres|particles|wires|cylinders|rings|dis[kc]s|mirrors|"
    r"spacers|shells|posts|pillars|bars|ridges|grooves|strips|plates|membranes|holes|guides|waveguides|slots|rails|arms|lines|walls|teeth))\b"
)
_SUMMED = re.compile(
    r"(?i)\b(?:total\w*|sum|together|altogether|rest|remain\w*|residual|left|less|minus|plus|etch\w*|deep|depth|partial\w*|"
    r"of\s+which|incl\w+|excl\w+|shell|coat\w*|outer|inner|rib|recess\w*|protrud\w*|overlap\w*|around|offset|shift\w*|embedded)\b"
)
# What lies there, not what was put there and taken away again.
_LAID_ON = re.compile(
    r"(?i)\b(?:covers|coats|caps|overlies|(?:lies|sits|rests|stands|remains)\s+(?:on(?:\s+top\s+of)?|over|above|below|under|beneath|between))\s+"
    r"(?:the|this|that|it|each|both|all|every)\b"
)
_COUNTED = re.compile(
    r"(?i)\s+(?:identical\s+|equal\s+|such\s+)?(?:pairs|periods|bilayers|repetitions|double\s+layers)\b"
)
# By which something is varied, or may be off; how wide a window of results is.
_DEVIATION = re.compile(
    r"(?:\u00b1|\+/?[-\u2212])\s*$|(?i:\btoo\s+\w+\s+by\s+$|\b(?:errors?|deviations?|tolerances?|misalignments?|uncertaint\w+)\b[^.;]{0,40}$|"
    r"\b(?:window|plateau|acceptance|margin|latitude)\s+(?:\w+\s+){0,3}?(?:is|are|was|of|spans|covers)\s+(?:only\s+|about\s+|some\s+)?$|"
    r"\b(?:by|within)\s+(?:less\s+than|at\s+most)\s+$)"
)
# "Every additional 153 nm of silica multiplies it by e."
_EVERY_MORE = re.compile(r"(?i)\b(?:every|each|any)\s+(?:additional|further|extra)\s+$")
_CHANGES = re.compile(
    r"(?i)(?:\s+of\s+[\w-]+)?\s+(?:multipl|divid|lower|rais|increas|decreas|reduc|chang|shift|costs?\b|halv|doubl)"
)
_LEFT_OUT = re.compile(
    r"(?i)[^.;,]{0,40}?\b(?:is|are|was|were)\s+(?:left\s+out|neglected|ignored|omitted|disregarded|not\s+(?:included|considered|modelled|taken))|"
    r"(?:(?!\band\s+(?:the|its|an?)\b|\bwhile\b|\bwhere\b)[^.;]){0,40}?\s+(?:is|are|was|were)\s+(?:replaced|represented)\s+by\s+"
    r"(?:its|their|an?|the)\s+(?:[a-z]+\s+)?(?:effective|equivalent)\b|"
    r"[^.;,]{0,40}?\b(?:enters|(?:is|are)\s+\w+(?:\s+for)?)\s+(?:only\s+)?(?:in(?:to)?|by|through|via)\s+(?:an?|its|the)\s+(?:effective|slab)\s+index"
)
# What makes a number a part of a formula: a power, a function, a symbol that it divides; of one without a unit what it is added to.
_OPERAND = re.compile(
    r"(?:\^|[*\u00b7]|(?<![A-Za-z])(?:[a-z]|theta|lambda|pi)\s?/|\b(?:exp|sinh?|cosh?|tanh?|sqrt|log|ln)\s?\(?[-\u2212]?)\s?$"
)
_ADDED = re.compile(r"(?:\^\s?\d{1,3}|\)|(?<![A-Za-z])[a-z])\s?[-+\u2212]\s?$")
_OPERATED = re.compile(r"\s?[*^\u00b7]|\s?[a-z]\w?\s?[\^)]|\s?/\s?\(")
_IMAGINARY = re.compile(r"\s?[ij]\b")
_HOW_MANY = {"two": 2, "three": 3, "four": 4}
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=#)")
_NO_PLACE = re.compile(
    r"(?im)^#{1,6}[ \t*]*(?:\d+\.?[ \t]+)?(?:abstract|introduction|conclusions?|outlook|acknowledg\w+|discussion|"
    r"(?:materials\s+and\s+)?fabrication|related\s+work)\b.*$"
)
_AT_LIGHT = re.compile(
    r"(?i)\bat\s+(?:about\s+|(?:the|an?)\s+(?:\w+\s+){0,2}?(?:wavelengths?|energ(?:y|ies)|frequenc(?:y|ies))\s+of\s+|(?-i:lambda|\u03bb)\s*=\s*)?$"
)
_ANOTHER: dict[Another, re.Pattern[str]] = {
    "half": re.compile(
        r"(?i)\b(?:half|semi)[- ](?:thickness|width|height|depth|length|gap|period)\b[^.;]{0,60}$|\bhalf\s+(?:of\s+)?(?:the|its|their)\s+"
        r"(?:thickness|width|height|depth|length|gap|period)\b[^.;]{0,30}$"
    ),
    "optical": re.compile(
        r"(?i)\boptical(?:ly)?\s+(?:thick\w*|path\w*|length|depth)\b[^.;,]{0,30}$|\b(?:multiplied\s+by|times)\s+(?:its|the|their)\s+(?:refractive\s+)?"
        r"index\b[^.;]{0,40}$"
    ),
    "middles": re.compile(
        r"(?i)\b(?:cent(?:er|re)s?|middles?|mid-?planes?|middle\s+planes?|ax[ei]s)\b[^.;]{0,50}\b(?:spacing|distance|separation|apart|pitch|gap)\b[^.;]{0,20}$|"
        r"\bcent(?:er|re)[- ]to[- ]cent(?:er|re)\b[^.;]{0,40}$"
    ),
    "in a medium": re.compile(
        r"(?i)\bwavelengths?\s+(?:of\s+the\s+light\s+)?(?:[\w-]+\s+){0,2}?(?:inside|within|in)\s+(?:the|this|its)\s+(?!vacuum|air\b|free|range|visible|"
        r"infrared|calculation|simulation|experiment|plot|figure|laborator)[^.;]{0,50}$|\b(?:inside|within)\s+(?:the|this|its)\s+[\w-]+,?\s+(?:the\s+)?(?:light|wave)\b[^.;]{0,50}$|\b(?:inside|within|in)\s+the\s+(?:film|glass|silica|substrate|medium|"
        r"material|crystal|slab|core|layer)\b[^.;]{0,50}\bwavelengths?\b[^.;]{0,20}$"
    ),
    "angular": re.compile(
        r"(?i)\bangular\s+frequenc(?:y|ies)\b[^.;]{0,30}$|\bfrequenc(?:y|ies)\s+(?:omega|\u03c9)\b[^.;]{0,20}$"
    ),
}
_SHARE = re.compile(r"(?i)\b(?:fill|duty|porosit|aspect)")
_AS_HIGH = re.compile(r"(?i)\bas\s+(?:high|deep|thick|wide|tall|long)\s+as\s+(?:about\s+)?$")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]+")
_BEHIND = re.compile(
    r"\s*-?\s*((?:(?:thick|wide|high|deep)\s+)?(?:(?:layers?|films?|coatings?)\s+)?of\s+[\w-]+(?:\s+[\w-]+)?|(?:thick|wide|high|deep)\s+[\w-]+\s+[\w-]+)"
)
_OF_IT = re.compile(  # "2.10 for tantala, 1.45 for silica and 1.50 for the glass"
    r"(?i)\s+(?:for|of)\s+(?:(?:the|an?)\s+)?(?P<body>(?!(?:both|all|each|it|wavelengths?|light|waves?|polari\w+|t[em]|[sp]|frequenc\w+|the)\b)"
    r"[a-z][\w-]+(?:\s+(?:layers?|films?|substrate|glass))?)(?=\s*(?:[,.;:)(]|$|(?:and|or|which|that|at|where)\b))"
)
_BODY_NOUN = (
    r"\b(?:layers?|films?|coatings?|substrates?|superstrates?|claddings?|cores?|slabs?|caps?|spacers?|shells?|rods?|pillars?|ridges?|bars?|strips?|"
    r"wires?|spheres?|cylinders?|discs?|disks?|half-space)\b"
)
_LISTED = re.compile(r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)\d+(?:\.\d+)?(?:\s*[nu\u00b5\u03bc]m\b)?")
_EACH_ITS_OWN = re.compile(r"[^.;]{0,120}\brespectively\b")
_MOST_LISTED = 12
_NOBODY = frozenset(
    (
        "the of and or with has have had is are was were be by on in at to for from its it this that which whose each "
        "both all an as than then first second next last refractive index indices permittivity dielectric constant "
        "thickness thick height high width wide depth deep nm um layer layers film films coating coatings coated "
        "covered top lies made equal respectively value values real part physical about only over under below above "
        "upper lower outer inner between where there we use used take taken assume assumed found measured"
    ).split()
)


_ALONG = re.compile(r"\s{0,2}\(?\s?along\s+(?:the\s+)?([xyz])\b")
_INVARIANT = re.compile(  # of the structure itself, undenied
    r"(?i)(?:(?:^|[.,;:]\s|\band\s)nothing\s+(?:depends|changes|varies)|(?:^|[.,;:]\s|\band\s)(?:the\s+)?(?:structure|geometry|device|problem|"
    r"cross-section)\s+(?:(?:is|are)\s+(?:uniform|invariant|independent|constant)|does\s+not\s+(?:change|vary|depend)))\s+(?:on|along|in|of)\s+"
    r"(?:the\s+)?([xyz])\b"
)


class StatedNumber(Model):
    """One number of the paper's. kinds: what its words call it. told: whether they make it a number of a structure, computed
    with and claimed. sentence, paragraph: which it stands in. one_of: the list of which each result has one thing; 0 in none.
    many: whether its sentence speaks of several things. summed: or of a whole and its parts. laid: or of what lies on the structure,
    wherever it is told. subjects: the materials that it is of. at_light: wavelengths, um, that its clause gives it at. owner: the
    words beside it that may name whose it is. called: where they make it another thing than its noun alone says: a half of a size,
    an optical thickness, a distance of middles, a wavelength in a medium, an angular frequency. along: the axis along which it is told:
    "height 280 um (along z)".
    """

    value: float
    unit: str
    kinds: frozenset[str]
    told: bool
    sentence: int
    paragraph: int
    one_of: int
    many: bool
    summed: bool
    laid: bool
    subjects: frozenset[str]
    at_light: tuple[float, ...]
    owner: frozenset[str]
    called: Another
    words: str
    along: str = ""


class SaidOfBodies(Model):
    """A word for what there is, or how it is arranged, and where it stands. number: of "several", how many at least."""

    body: Body
    paragraph: int
    words: str
    number: int = 0


class StructureWords(Model):
    """All that is found. flat: whether the paper says anywhere that nothing changes along one direction. named: elements that
    it names anywhere: "sheet", "conductor". invariant: axes along which it says that nothing changes."""

    numbers: tuple[StatedNumber, ...] = ()
    bodies: tuple[SaidOfBodies, ...] = ()
    flat: bool = False
    named: frozenset[str] = frozenset()
    invariant: frozenset[str] = frozenset()


@lru_cache(maxsize=4)
def structure_words(text: str) -> StructureWords:
    """What the words say. text: of the paper, without its list of references."""
    plain = readable(text)
    return StructureWords(
        numbers=tuple(_numbers(plain)),
        bodies=tuple(_bodies(plain)),
        flat=FLAT.search(plain) is not None,
        named=frozenset(name for name, form in NAMED.items() if form.search(plain)),
        invariant=frozenset(match[1] for match in _INVARIANT.finditer(plain)),
    )


def tells(description: str, name: str, value: float, unit: str) -> bool:
    """Whether a stage's description names an input, or states its number with its unit, of a range as one end, as what its name says
    it is: a distance of 10 nm is no film of 10 nm, nor are steps of it."""
    if name in re.findall(r"\w+", description):
        return True
    plain, kinds = readable(description), kinds_of_name(name, unit)
    stated = (
        number.in_unit(unit)
        for number in numbers_in(plain)
        if not number.label and kinds & kinds_in_words(plain, number)
    )
    return any(abs(end - value) <= 1e-6 * abs(value) for ends in stated if ends for end in ends[:2])


def _numbers(plain: str) -> Iterator[StatedNumber]:
    paragraphs = [0, *(match.end() for match in _PARAGRAPH.finditer(plain))]
    aside = _aside_spans(plain)
    one_of = alternatives(plain)
    found = [
        n
        for n in numbers_in(plain)
        if not (n.label or _IMAGINARY.match(plain, n.end))
        and (not plain[n.start].isalpha() or _COUNTED.match(plain, n.end) or (n.unit and n.low > 1))
    ]
    ends = {place for n in found if n.low != n.high for place in (n.start, n.end)}
    for number in found:
        if number.in_range or number.low != number.high or {number.start, number.end} & ends:
            continue
        low, high = sentence_of(plain, number.start, number.end)
        sentence, clause = plain[low:high], clause_of(plain, number.start, number.end)
        kinds = kinds_in_words(plain, number)
        stated = _of_structure(plain, number, kinds, sentence)
        yield StatedNumber(
            value=number.low,
            unit=number.unit,
            kinds=kinds,
            told=stated and not any(start <= number.start < end for start, end in aside),
            sentence=low,
            paragraph=bisect_right(paragraphs, number.start),
            one_of=next((one.list_start for one in one_of if one.start <= number.start < one.end), 0),
            many=_MANY.search(sentence) is not None,
            summed=_SUMMED.search(sentence) is not None,
            laid=stated and _LAID_ON.search(sentence) is not None,
            subjects=_made_of(plain, number, clause[0]),
            at_light=tuple(_lights(plain, number, clause)),
            owner=_owner(plain, number, clause),
            called=next(
                (
                    name
                    for name, form in _ANOTHER.items()
                    if form.search(plain[(low if name == "optical" else clause[0]) : number.start])
                ),
                "",
            ),
            along=along[1] if (along := _ALONG.match(plain, number.end)) else "",
            words=" ".join(plain[max(low, number.start - 70) : number.end + 40].split()),
        )


def _of_structure(plain: str, number: Written, kinds: frozenset[str], sentence: str) -> bool:
    low, high = clause_of(plain, number.start, number.end)
    start = sentence_of(plain, number.start, number.end)[0]
    before = plain[low : number.start]
    of_body = dimension(number.unit) == "length" and (
        _MADE_OF.match(plain, number.end) or _THICK_BODY.match(plain, number.end) or _SPOT.search(before)
    )
    if not (kinds & STRUCTURE or of_body) or _in_formula(plain, number):
        return False
    begins = _INSTRUMENT.match(sentence)
    instrument = begins and not of_body and not _FORM_WORD.search(begins[0]) and not _LAID.search(sentence)
    if _ASIDE.search(sentence) or instrument or _ALTERNATIVE.search(before) or _DEVIATION.search(before):
        return False
    if _EVERY_MORE.search(before) and _CHANGES.match(plain, number.end):
        return False
    if _LEFT_OUT.match(plain, number.end) or is_case(plain, number, before):
        return False
    said = governing(plain, number)
    if (
        (said in _FOUND_ONLY and not _GIVEN.search(plain, low, number.start))
        or (kinds == {"loss"} and _OF_LIGHT.search(before))
        or (extremum_of(plain, number) and not _AS_HIGH.search(before))
        or (not kinds and (said in _RESULTS or process_of(plain, number)))
    ):
        return False
    if number.unit and not kinds - {"loss"} and not of_body:
        return False
    colon = plain.rfind(":", start, number.start) + 1
    if colon and not of_body and not kinds_in_words(" " * colon + plain[colon:], number):
        return False  # of a list that a noun announces, each is for a case
    if (kinds == {"ratio"} and not _SHARE.search(before)) or (
        not of_body and is_place_of_results(plain, number)
    ):
        return False
    near = re.split(r"[;:,]\s", before)[-1]
    return not unclaimed(plain[start : number.start], near, plain[number.end : high])


def _in_formula(plain: str, number: Written) -> bool:
    """Whether a number is a part of an expression, so that it is no size of anything: "exp(-d / 131 nm)", "(n^2 - 1)^2"."""
    before = plain[max(0, number.start - 20) : number.start]
    if _OPERAND.search(before):
        return True
    return not number.unit and (_ADDED.search(before) or _OPERATED.match(plain, number.end)) is not None


def _made_of(plain: str, number: Written, low: int) -> frozenset[str]:
    """The materials that a size is said to be of: right behind it ("4 nm of chromium"), else in front of it."""
    end = number.end
    for _ in range(_MOST_LISTED):  # "10, 15 and 20 nm of germanium" is three sizes of germanium
        if (other := _LISTED.match(plain, end)) is None:
            break
        end = other.end()
    behind = _BEHIND.match(plain, end)
    if behind and end > number.end and _EACH_ITS_OWN.match(plain, end):
        behind = _BEHIND.match(plain, number.end)
    return subjects_of(behind[0] if behind else plain[low : number.start])


def _lights(plain: str, number: Written, clause: tuple[int, int]) -> Iterator[float]:
    """The wavelengths that the clause of a number gives it at: "at 450 nm it has an index of 2.45"."""
    low, high = clause
    for other in numbers_in(plain[low:high]):
        value = converted(other.low, other.unit, "um") if other.unit and not other.label else None
        if value is not None and value > 0 and _AT_LIGHT.search(plain[low : low + other.start]):
            yield float(value)


def _owner(plain: str, number: Written, clause: tuple[int, int]) -> frozenset[str]:
    """Words that may name whose number it is: those in front of it, back to the number before, and what it is said to be of."""
    low, high = clause
    ends = [low + n.end for n in numbers_in(plain[low : number.start]) if n.unit or n.low != 1]
    before = plain[max([low, *ends]) : number.start]
    form = _BEHIND if dimension(number.unit) == "length" else None if number.unit else _OF_IT
    behind = form.match(plain[number.end : high]) if form else None
    if behind and form is _OF_IT and not _is_body(plain, behind["body"]):
        behind = None  # "2.10 in the visible"
    words = _WORD.findall(f"{behind[1]}" if behind else before)
    return frozenset(word.lower() for word in words) - _NOBODY


def _is_body(plain: str, name: str) -> bool:
    """Whether the text has a body of that name: "the tantala film", "a film of tantala", "on glass"."""
    own = rf"\b{re.escape(name.split()[0])}\b"
    return re.search(rf"(?i){own}\s+{_BODY_NOUN}|(?:{_BODY_NOUN}|\bnm|\bum)\s+of\s+{own}", plain) is not None


def _aside_spans(plain: str) -> list[tuple[int, int]]:
    """Sections that state no structure: abstract, introduction, discussion, conclusions."""
    heads = [match.start() for match in re.finditer(r"(?m)^#{1,6}\s", plain)] + [len(plain)]
    return [
        (match.start(), next(end for end in heads if end > match.start()))
        for match in _NO_PLACE.finditer(plain)
    ]


def _bodies(plain: str) -> Iterator[SaidOfBodies]:
    paragraphs = [0, *(match.end() for match in _PARAGRAPH.finditer(plain))]
    aside = _aside_spans(plain)
    for body, form in BODIES:
        for match in form.finditer(plain):
            low, high = sentence_of(plain, match.start(), match.end())
            clause, end = clause_of(plain, match.start(), match.end())
            if (
                any(start <= match.start() < end for start, end in aside)
                or _ASIDE.search(plain[low:high])
                or unclaimed(
                    plain[low : match.start()], plain[clause : match.start()], plain[match.end() : end]
                )
            ):
                continue
            yield SaidOfBodies(
                body=body,
                paragraph=bisect_right(paragraphs, match.start()),
                words=" ".join(plain[max(low, match.start() - 40) : match.end() + 40].split()),
                number=_HOW_MANY.get(match[0].split()[0].lower(), 2) if body == "several" else 0,
            )
