"""What a column's quantity name means physically, by the field's usual words."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal[
    "reflectance",
    "transmittance",
    "absorptance",
    "bounded_efficiency",
    "non_negative",
    "positive",
    "enhancement",
    "other",
]

_UNBOUNDED = re.compile(
    r"cross.?section|scattering.?eff|extinction.?eff|absorption.?eff|q_?(sca|ext|abs)|enhanc|purcell"
)
_NOT_A_POWER = re.compile(r"phase|amplitude|coefficient|complex|real|imag|angle|delay|db$|log")


def kind_of(quantity: str, unit: str = "1") -> Kind:
    """The physical kind of a column. Fractions of power are only recognised in units 1 and %."""
    words = re.sub(r"[\s\-]+", "_", quantity.strip().lower())
    fraction = unit.strip() in ("1", "", "%")
    if re.search(r"field.*enhanc|enhanc.*field|intensity_enhanc", words):
        return "enhancement"
    if re.search(
        r"extinction_coefficient|^k$|eps\w*_imag|imag\w*_(eps|permittivity)|absorption_coefficient", words
    ):
        return "non_negative"
    if _NOT_A_POWER.search(words):
        return "other"
    if _UNBOUNDED.search(words):
        return "non_negative"
    if fraction and re.search(r"reflect|^r$", words):
        return "reflectance"
    if fraction and re.search(r"transmi|^t$", words):
        return "transmittance"
    if fraction and re.search(r"absor[bp]|^a$|emissivity", words):
        return "absorptance"
    if fraction and "efficien" in words:
        return "bounded_efficiency"
    if re.search(r"quality|q_?factor|^q$|wavelength|fwhm|linewidth|bandwidth|decay_time|lifetime", words):
        return "positive"
    if "frequency" in words or re.search(r"effective_index|^n_eff", words):
        return "positive"
    return "other"
