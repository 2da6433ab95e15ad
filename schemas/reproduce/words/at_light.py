"""The light that a paper's words give a number for."""

from __future__ import annotations

import re
from functools import lru_cache

from schemas.errors import InputError
from schemas.reproduce.simulations.spectral import to_wavelength_um
from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.phrases import spoken
from schemas.reproduce.words.written import Written, numbers_in

_AT = re.compile(
    r"(?i)(?:\bat|\bnear|\baround|wavelengths?\s+(?:of|is|was|=)|\u03bb\w*\s*=)\s*(?:an?\s+|the\s+|about\s+)?$"
)
_DIMENSION = re.compile(
    r"(?i)\s*-?(?:gap|distance|separation|thick|wide|period|radius|diameter|height|long|away|from)"
)
_SYMBOL = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z\u0370-\u03ff]\w{0,5})\s*=\s*$")
_OF_LIGHT = re.compile(r"(?i)lambda|\u03bb|wave|wl")


def light_of(plain: str, number: Written) -> tuple[float, ...]:
    """The wavelengths, um, at which a number's phrase places it. plain: as `written.readable` leaves it."""
    low, high = spoken(plain, number)
    out = []
    for other in numbers_in(plain[low:high]):
        start, end = low + other.start, low + other.end
        if (
            start != number.start
            and other.unit
            and not other.label
            and _AT.search(plain[low:start])
            and not _DIMENSION.match(plain[end:high])
            and (other.low, other.unit) not in _sizes(plain)
        ):
            try:
                out.append(to_wavelength_um(other.low, other.unit))
            except InputError:
                continue
    return tuple(out)


@lru_cache(maxsize=8)
def _sizes(plain: str) -> frozenset[tuple[float, str]]:
    """Lengths that the paper's words call a size somewhere, or a symbol's value ("h = 0.22 um"), and nowhere light: "0.399 at 0.22 um" is
    told for such a slab."""
    sizes, light = set(), set()
    for number in numbers_in(plain):
        if dimension(number.unit) != "length" or number.low != number.high:
            continue
        kinds = kinds_in_words(plain, number)
        symbol = _SYMBOL.search(plain[max(0, number.start - 16) : number.start])
        if "light" in kinds or (symbol and _OF_LIGHT.match(symbol[1])):
            light.add((number.low, number.unit))
        elif kinds or symbol:
            sizes.add((number.low, number.unit))
    return frozenset(sizes - light)
