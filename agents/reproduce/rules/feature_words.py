"""Words that name a feature of a curve; that call a number the most, the least or a mean, whatever the word; and an input light."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.reproduce.rules.made_of import CHANGED_BY, DERIVATIVE
from schemas.reproduce.words.claim_words import MULTIPLIES, SPECIFIC
from schemas.reproduce.words.clauses import sentence_of
from schemas.reproduce.words.written import Written
from simkit.describe.parameters import Parameter

EXTREMUM = (
    r"maxim|minim|\bpeak|\bdips?\b|\bnull|trough|crest|notch|highest|lowest|largest|smallest|greatest|strongest|"
    r"deepest|brightest|resona(?:n|te)|\bmodes?\b|\blines?\b|\bbands?\b|anomal|extrem|vanish|suppress"
)

# What must stand in the sentence for a kind of feature to be taken; value_at is bound by its abscissa.
NAMED: dict[str, str] = {
    "position": EXTREMUM + r"|\breach",
    "value": EXTREMUM
    + r"|up to\b|down to\b|\breach|as (?:high|low|large|small) as\b|at (?:most|least|best)\b|exceed|"
    r"(?:falls?|drops?|rises?|increas\w+|decreas\w+)(?: (?:again|back|further|once more))?,? to\b|unity|perfect|complete",
    "prominence": r"prominen|depth|height|contrast|modulat|visib|amplitude|extinct|" + EXTREMUM,
    "width": r"width|fwhm|half[ -]maxim|\bwide\b|broad|\bnarrow",
    "quality_factor": r"quality|finesse|\bQ\b",
    "slope": rf"slope|steep|sensitiv|dispersion|gradient|\brate\b|\bper\b|linear|{DERIVATIVE}",
    "crossing": r"cross|intersect|\blevel|equal|threshold|onset|cut-?off|\bedge|\bhalf\b|falls?\b|drops?\b|rises?\b|exceed|"
    r"above|below|reach|pass(?:es)?\b|\bzero\b",
    "integral": r"integra|\btotal|\barea|\bsum|oscillator strength",
    "mean": r"\bmean\b|averag",
    "cutoff": r"cut-?off|\bedge|onset|\bdB\b|\bhalf\b|falls?\b|drops?\b|rises?\b|threshold",
    "ratio": rf"{MULTIPLIES}|"
    r"ratio|\btimes\b|fold\b|factor|contrast|\bover\b|relative|finesse|enhanc|larger|smaller|higher|lower|stronger|"
    r"weaker|\btwice\b|\bhalf\b|normali[sz]ed|visib|in comparison|compared (?:with|to)\b|"
    r"(?:\d|%|per ?cent|third|quarter|tenth) of (?:it|that|its|those)\b",
    "difference": r"shift|split|spacing|separat|differ|distance|free[ -]spectral|\bfsr\b|mov(?:es?|ed|ing)|between|apart|"
    r"contrast|detun|\bgap\b|period|modulat|depth|swing|range|change|vari|retard|\blags?\b|birefring|dichro|"
    rf"{CHANGED_BY}",
    "band_gap": r"\bgap|stop ?-?band|\bband",
}
# How a paper names them, for who is refused.
NAMED_BY = {
    "position": "'its maximum lies at 720 nm'",
    "value": "'has a maximum of 30 %', 'falls to 3 %'",
    "prominence": "'a dip 12 % deep', 'a contrast of 0.8'",
    "width": "'a full width of 12 nm'",
    "quality_factor": "'a quality factor of 300'",
    "slope": "'a slope of 2 nm per degree', 'dn/dT = 2e-4'",
    "crossing": "'crosses one half at 633 nm', 'falls below 10 % at 1.2 um'",
    "integral": "'0.3 in total'",
    "mean": "'a mean of 12 % over the band'",
    "cutoff": "'drops to one half at 1.2 um', 'an edge at 900 nm'",
    "ratio": "'1.5 times that of', 'a ratio of 3', '0.58 of it'",
    "difference": "'a shift of 7 nm', 'is lowered by 25 MHz', 'they differ by 3 nm'",
    "band_gap": "'a gap of 0.1 c/a'",
}

_ORDINALS = {
    word: n
    for n, forms in enumerate(
        (
            ("first", "1st"),
            ("second", "2nd"),
            ("third", "3rd"),
            ("fourth", "4th"),
            ("fifth", "5th"),
            ("sixth", "6th"),
            ("seventh", "7th"),
            ("eighth", "8th"),
        ),
        1,
    )
    for word in forms
} | {"last": -1, "final": -1}
_WORDS = "|".join(_ORDINALS)
_ORDINAL = re.compile(rf"(?i)\b(?P<word>{_WORDS})\s+{SPECIFIC}(?:{EXTREMUM}|cross|zero)")
# "the first one, which lies at 6.1 um", "the second of them is at 1.2 um"
_OF_THESE = re.compile(
    rf"(?i)\bthe\s+(?P<word>{_WORDS})\s+(?:ones?|of\s+(?:them|these|those|the\s+(?:two|three)))\b[,\s]*(?:which\s+|that\s+)?"
    r"(?:is|lies|sits|falls|appears|occurs|comes|follows|stands)\s+(?:(?:again|only|already|found|located)\s+)?(?:at|near|around)\s+"
    r"(?:[^\W\d]\w{0,3}\s*=\s*)?$"
)
_NEAR = 80  # characters before a number
HALF_OF_IT = re.compile(
    r"(?i)\bhalf\s+(?:of\s+)?(?:the|its|their|that|each)\s+(?:respective\s+|own\s+)?(?:maxim|peak)"
)
WIDTHS_ARE = re.compile(rf"(?i)\bwidths?\s+(?:is|are|means?|denotes?)\b[^.;]{{0,60}}{HALF_OF_IT.pattern[4:]}")
CENTRED = re.compile(  # not "a peak centred at 500 nm"
    r"(?i)\b(?:cent(?:r|er)ed(?!\s+(?:at|around|about|near|on)\b)|undisplaced|unshifted|untilted|unrotated|on[ -]axis)\b"
)
# "the lower polariton (LP)": which of two a branch is, in energy
_BRANCH = r"(?:branch|polariton|mode|band|line|peak|dip|resonance|state|level)"
_SHORT = re.compile(rf"(?i)\b(lower|upper)\s+{_BRANCH}\s*\(\s*((?-i:[A-Z]{{2,4}}))\s*\)")
_FOR = re.compile(
    rf"\s*(?:for|of|in)\s+(?:the\s+)?(?:(?P<side>lower|upper)\s+{_BRANCH}|(?P<short>[A-Z]{{2,4}}))\b"
)
_THIS = re.compile(
    rf"(?:\b(?P<side>lower|upper)\s+{_BRANCH}|\b(?P<short>[A-Z]{{2,4}}))\s+(?:is|lies|at|has|appears)\s+"
    r"(?:at|near|a\s+[a-z ]{3,20}\s+of)?\s*$"
)


# A value that no other exceeds, whatever the word: of the value itself, not of "the thinnest film" or "the largest period".
_MOST_OF_ALL = re.compile(
    r"(?i)\b(?:(?:high|larg|great|strong|bright|steep|low|small|weak|deep|faint|dim|dark|full|pur)est|most|least|best|summit|apex|"
    r"zenith|crests?|culminat\w*|tops?\s+out|extremum)\b"
    r"(?!\s+(?:\w+\s+)?(?:films?|layers?|coating\w*|diam\w+|radi\w+|thick\w*|gaps?|periods?|pitch\w*|width\w*|heights?|depths?|orders?|"
    r"angles?|ind(?:ex|ices)|spacings?|separations?|lengths?|sizes?|number\w*|dis[ck]s?|rods?|wires?|particles?|spheres?|gratings?|stacks?|"
    r"samples?|structures?|modes?|bands?|resonanc\w+|lines?|frequenc\w+|wavelengths?|of\s+(?:the\s+)?(?:light|power|energy|field|cases?)|likely|cases?|common\w*)\b)"
)
_MEAN = re.compile(
    r"(?i)\b(?:on\s+average|averages|averaged?\s+(?:of|over|value)|mean\s+(?:of|value)|the\s+(?:mean|average))\b"
)
_OF_LIGHT = re.compile(
    r"(?i)wave|light|laser|lamp|illumin|\blit\b|prob|frequenc|photon|pump|source|excit|emi[ts]|radiat|\u03bb|lambda|"
    r"\bat\s+(?:about\s+)?[\d.]"
)


def most_or_mean(clause: str) -> str:
    """What a clause calls its number: the most or the least of all, or a mean; '' if nothing of the kind."""
    found = _MOST_OF_ALL.search(clause) or _MEAN.search(clause)
    return found[0] if found else ""


def ordinals_in(words: str) -> set[int]:
    """Which of several extrema or crossings words speak of: 1 for the first, -1 for the last."""
    return {_ORDINALS[match["word"].lower()] for match in _ORDINAL.finditer(words)}


def ordinal_before(plain: str, number: Written) -> int:
    """Which one of those spoken of words right before a number point at, as in "the first one, which lies at"; 0 for none."""
    begin = sentence_of(plain, number.start, number.end)[0]
    match = _OF_THESE.search(plain[max(begin, number.start - _NEAR) : number.start])
    return (
        _ORDINALS[match["word"].lower()]
        if match and re.search(EXTREMUM, plain[begin : number.start], re.IGNORECASE)
        else 0
    )


def branch_of(plain: str, number: Written) -> int:
    """1 where a number is told of the lower of two branches, 2 of the upper one, by its words or the paper's short name; 0 for none."""
    found = _FOR.match(plain, number.end) or _THIS.search(plain[max(0, number.start - _NEAR) : number.start])
    if not found:
        return 0
    names = {match[2]: match[1].lower() for match in _SHORT.finditer(plain)}
    side = (found["side"] or names.get(found["short"], "")).lower()
    return {"lower": 1, "upper": 2}.get(side, 0)


def lights(inputs: Sequence[Parameter]) -> list[Parameter]:
    """The inputs that the paper's words call light: "slots of 540 nm" are no wavelength at which a number is told."""
    return [item for item in inputs if not item.quotation or _OF_LIGHT.search(item.quotation)]
