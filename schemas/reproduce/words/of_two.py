"""Whether words that call a number a difference of two results say which of the two is the larger, and whether a rate falls."""

from __future__ import annotations

import re

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.clauses import clause_of, places_of, sentence_of

OF_NO_ORDER = re.compile(
    r"(?i)\b(?:differ|differs|difference|between|both|apart|split\w*|separat\w*|spac(?:ed|ing))\b"
)
LESS = re.compile(
    r"(?i)\b(?:lower|smaller|less|fewer|weaker|below|shorter|narrower|thinner|decreas\w*|reduc\w*|falls?|drops?|lags?|loses?|under)\b"
)
_SIZE_ALONE = re.compile(
    r"(?i)\b(?:split\w*|separations?|separated|spac(?:ed|ing)|apart|differ\s+by|differences?\s+(?:between|of\s+the\s+two))\b"
)
_ORDERED = re.compile(
    r"(?i)\bwhich\s+is\b|\bthe\s+\w{3,}er\b|\b\w{3,}er\s+than\b|\bfrom\s+that\b|\bdiffers\b|\bout\w+s\b"
)
_MORE = re.compile(
    r"(?i)\b(?:higher|larger|greater|more|stronger|above|longer|broader|wider|thicker|increas\w*|rais\w*|rises?|grows?|gains?|"
    r"exceeds?|leads?|shift\w*|moves?|moved|over|minus)\b"
)

FALLS = re.compile(
    r"(?i)\b(?:f[ae]lls?|fallen|drop(?:s|ped)?|declin\w+|decreas\w+|weaken\w*|diminish\w*|s[ai]nks?|dims?|dimmed|fad(?:es?|ed)|shr[iau]nks?|"
    r"shorten\w*|lower(?:s|ed)|reduc(?:es?|ed)|los(?:es?|t))\b"
)
RISES = re.compile(
    r"(?i)\b(?:r[io]ses?|risen|rais(?:es?|ed)|increas\w+|gr(?:ows?|ew|own)|gains?|gained|strengthen\w*|climb\w*|lengthen\w*|enhanc\w+)\b"
)
_BLUE, _RED = (
    re.compile(
        rf"(?i)\b{colour}[- ]?shift\w*|\bto(?:wards?)?\s+(?:the\s+)?{colour}\b|\btowards?\s+{way}\s+wavelengths?\b"
    )
    for colour, way in (("blue", "shorter"), ("red", "longer"))
)


def falls(quotation: str, value: float | None, unit: str) -> bool:
    """Whether a rate that a quotation states without a sign is one at which something falls: "falls by 0.4 % per nm", and, of a
    wavelength, "moves to the blue"."""
    places = places_of(quotation, value, unit)
    if not places or value is None or value <= 0:
        return False
    clauses = [quotation[slice(*clause_of(quotation, place.start, place.end))] for place in places]
    over = unit.partition("/")[0]  # of nm per nm as "1"
    down, up = (_BLUE, _RED) if dimension(over or "1") in ("length", "fraction") else (FALLS, FALLS)

    def one(clause: str) -> bool:
        fallen, risen = FALLS.search(clause) or down.search(clause), RISES.search(clause)
        return bool(fallen) and not risen and not (up is _RED and up.search(clause))

    return all(map(one, clauses))


def size_alone(quotation: str, value: float | None, unit: str) -> bool:
    """Whether what a quotation says of its number is the size of a difference, and not its sign: "a splitting of 56.4 nm", "the two
    differ by 3 %", and neither "falls by 3 % between the two" nor "the difference is -3 %"."""
    places = places_of(quotation, value, unit)
    if not places or value is None or value < 0:
        return False
    told = [
        (
            quotation[slice(*clause_of(quotation, place.start, place.end))],
            quotation[slice(*sentence_of(quotation, place.start, place.end))],
        )
        for place in places
    ]
    return all(
        _SIZE_ALONE.search(clause) and not any(form.search(sentence) for form in (LESS, _MORE, _ORDERED))
        for clause, sentence in told
    )
