"""The light that a paper's words give a number for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from schemas.errors import InputError
from schemas.reproduce.simulations.spectral import to_wavelength_um
from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.phrases import spoken
from schemas.reproduce.words.structure_words import structure_words
from schemas.reproduce.words.varied import is_varied_size
from schemas.reproduce.words.written import Written, numbers_in

_AT = re.compile(
    r"(?i)(?:\bat|\bnear|\baround|wavelengths?\s+(?:of|is|was|=)|\u03bb\w*\s*=)\s*(?:an?\s+|the\s+|about\s+)?$"
)
_DIMENSION = re.compile(
    r"(?i)\s*-?(?:gap|distance|separation|thick|wide|period|pitch|spacing|radius|diameter|(?:in\s+)?height|width|depth|deep|high|long|away|from)"
)


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
            and not is_varied_size(plain, replace(other, start=start, end=end))
        ):
            try:
                out.append(to_wavelength_um(other.low, other.unit))
            except InputError:
                continue
    return tuple(out)


def light_in(words: str, inputs: Sequence[tuple[float, str]] = ()) -> tuple[tuple[float, str], ...]:
    """(value, unit) of all light that a paper's words speak of: inputs that are light, what they call a wavelength or frequency, and beside
    these, for they may permit and accuse nobody, every frequency whatever it is called ("the zero is found at 394.8 GHz")."""
    called = ((n.value, n.unit) for n in structure_words(words).numbers if n.unit and "light" in n.kinds)
    other = ((n.low, n.unit) for n in numbers_in(words) if n.unit and dimension(n.unit) == "frequency")
    known = (*inputs, *called)
    return (*known, *other) if known else ()
