"""Materials as papers state them: a complex index, or a Drude, Lorentz, Debye, Sellmeier or Cauchy model, in numbers.

Every number carries its unit and the words of the paper it stands in; agents/reproduce/rules/material_rules.py checks those words.
Fields are exp(-i omega t), so that Im eps > 0 is loss:

    drude      eps += - weight omega_p^2 / (omega^2 + i damping omega)
    lorentz    eps += weight delta_eps omega_0^2 / (omega_0^2 - omega^2 - i damping omega), or weight omega_p^2 above it
    conductivity  eps += i sigma / (eps_0 omega), sigma = 1 / resistivity
    debye      eps += delta_eps / (1 - i omega tau)
    sellmeier  n^2 = eps_inf + sum strength lambda^2 / (lambda^2 - resonance^2) + sum coefficient
    cauchy     n = sum coefficient;   a coefficient in um^p stands for coefficient / lambda^p, in um^-p for its product
"""

from __future__ import annotations

import math
import re
from typing import Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.errors import InputError
from schemas.reproduce.simulations.spectral import spectral_unit

TermKind = Literal[
    "constant",
    "eps_inf",
    "drude",
    "lorentz",
    "debye",
    "conductivity",
    "sellmeier",
    "cauchy",
    "range",
    "chi2",
    "chi3",
    "kerr",
]
NumberName = Literal[
    "n",
    "k",
    "wavelength",
    "value",
    "x",
    "y",
    "z",
    "plasma_frequency",
    "resonance",
    "damping",
    "delta_eps",
    "relaxation",
    "loss",
    "sigma",
    "resistivity",
    "strength",
    "coefficient",
    "weight",
    "shortest",
    "longest",
]
# kind -> (numbers it needs, numbers it may have)
TERM_NUMBERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "constant": (("n", "k"), ("wavelength",)),
    "eps_inf": (("value",), ()),
    "drude": (("plasma_frequency", "damping"), ("weight",)),
    "lorentz": (("resonance", "damping"), ("delta_eps", "plasma_frequency", "weight")),
    "debye": (("delta_eps", "relaxation"), ()),
    "conductivity": (
        (),
        ("sigma", "resistivity", "loss", "wavelength"),
    ),  # loss: Im eps there, in proportion elsewhere
    "sellmeier": ((), ("strength", "resonance", "coefficient")),
    "cauchy": (("coefficient",), ()),
    "range": (("shortest", "longest"), ()),
    "chi2": ((), ("value", "x", "y", "z")),
    "chi3": ((), ("value", "x", "y", "z")),
    "kerr": (("value",), ()),
}
NONLINEAR = ("chi2", "chi3", "kerr")
NONLINEAR_UNITS = {
    "chi2": {"1": 1.0, "pm/V": 1e-6, "m/V": 1e6, "um/V": 1.0},
    "chi3": {"1": 1.0, "m^2/V^2": 1e12, "um^2/V^2": 1.0},
    "kerr": {"m^2/W": 1.0, "cm^2/W": 1e-4, "um^2/W": 1e-12},
}
# S/m of one, and of the inverse of one: as `ohmic` spells them.
CONDUCTIVITIES, RESISTIVITIES = {"S/m": 1.0, "S/cm": 100.0}, {"ohm m": 1.0, "ohm cm": 100.0}
_SPECTRAL = ("wavelength", "plasma_frequency", "damping", "relaxation", "shortest", "longest")
_POWER = re.compile(r"(?P<unit>nm|um)(?:\^(?P<power>-?\d+))?")


class StatedNumber(Model):
    """One number of a stated model, with its unit and the words that state it."""

    name: NumberName
    value: float
    unit: str = Field(
        "1",
        description="eV, THz (ordinary frequency), rad/s or 1/s (angular), 1/cm, nm, um, fs (decay time "
        "1/omega); S/m, S/cm, ohm m, ohm cm; um^2 and the like for Sellmeier and Cauchy; '1' dimensionless",
    )
    quotation: str = Field(
        "", description="verbatim words of the paper with the number and its unit ('...' may join parts)"
    )
    follows: str = Field(
        "",
        max_length=200,
        description="only where the paper gives the number by a relation (gamma = omega_p/80): the arithmetic with numbers of "
        "the quotation, e.g. '5.0 * 80' for a damping told as a wavelength; code computes it and lists it as an assumption",
    )


class StatedTerm(Model):
    """One term of a stated material; which numbers it takes depends on its kind (see schemas/reproduce/materials/stated.py)."""

    kind: TermKind
    numbers: tuple[StatedNumber, ...]
    half_damping: bool = Field(False, description="true if the paper's denominator has 2 i damping omega")
    exp_plus_iwt: bool = Field(
        False, description="true if the paper writes exp(+i omega t), so that loss has k or Im eps < 0"
    )

    @model_validator(mode="after")
    def _fits(self) -> StatedTerm:
        needed, optional = TERM_NUMBERS[self.kind]
        names = [number.name for number in self.numbers]
        allowed = f"{self.kind} needs {', '.join(needed) or 'no number'} and may have {', '.join(optional) or 'no other'}"
        if any(name not in names for name in needed) or any(
            name not in (*needed, *optional) for name in names
        ):
            raise ValueError(f"{allowed}; found {', '.join(names) or 'none'}")
        double = sorted({name for name in names if names.count(name) > 1 and name != "coefficient"})
        if double:
            raise ValueError(f"{self.kind}: {', '.join(double)} given twice")
        for number in self.numbers:
            self._check(number)
        if self.kind == "lorentz" and ("delta_eps" in names) == ("plasma_frequency" in names):
            raise ValueError("lorentz: give either delta_eps or plasma_frequency (its strength)")
        if self.kind == "sellmeier" and ("strength" in names) != ("resonance" in names):
            raise ValueError("sellmeier: strength and resonance belong together")
        if self.kind == "conductivity" and set(names) not in (
            {"sigma"},
            {"resistivity"},
            {"loss", "wavelength"},
        ):
            raise ValueError("conductivity: give sigma, or resistivity, or loss at a wavelength")
        if self.kind in ("chi2", "chi3") and ("value" in names) == bool({"x", "y", "z"} & set(names)):
            raise ValueError(f"{self.kind}: give value for all axes, or x, y, z")
        return self

    def _check(self, number: StatedNumber) -> None:
        where = f"{self.kind}: {number.name} = {number.value:g} {number.unit}"
        if not math.isfinite(number.value):
            raise ValueError(f"{where} must be finite")
        signed = self.kind in ("cauchy", "sellmeier", *NONLINEAR) or (
            number.name == "k" and self.exp_plus_iwt
        )
        if number.value < 0 and not signed:
            raise ValueError(
                f"{where} must not be negative: loss has k > 0 and damping > 0 (a medium with gain is not "
                "supported; for n - ik of exp(+i omega t) set exp_plus_iwt)"
            )
        if number.value == 0 and number.name in (
            "resonance",
            "relaxation",
            "resistivity",
            "wavelength",
            "shortest",
            "longest",
            "n",
        ):
            raise ValueError(f"{where} must not be 0")
        if self.kind in NONLINEAR:
            allowed = NONLINEAR_UNITS[self.kind]
            if number.unit not in allowed:
                raise ValueError(f"{where}: the unit must be one of {', '.join(allowed)}")
        elif number.name in _SPECTRAL or (number.name == "resonance" and self.kind == "lorentz"):
            try:
                spectral_unit(number.unit)
            except InputError as error:
                raise ValueError(f"{where}: {error.what}; allowed: {error.allowed}") from error
        elif number.name in ("coefficient", "strength", "resonance"):
            power_of_length(number)
        elif number.name in ("sigma", "resistivity"):
            allowed = CONDUCTIVITIES if number.name == "sigma" else RESISTIVITIES
            if ohmic(number.unit) not in allowed:
                raise ValueError(f"{where}: the unit must be one of {', '.join(allowed)}")
        elif number.unit not in ("", "1"):
            raise ValueError(f"{where} is dimensionless: the unit must be '1'")

    def number(self, name: str) -> StatedNumber | None:
        """The number of that name, or None."""
        return next((number for number in self.numbers if number.name == name), None)


def ohmic(unit: str) -> str:
    """One spelling of a unit of conductivity or resistivity: "\u03a9\u00b7cm" and "Ohm-cm" are "ohm cm"; any other as it is."""
    plain = re.sub(
        r"[\s*\u00b7\u22c5-]", "", re.sub(r"[\u03a9\u2126\u03c9]|(?i:ohms?)", "ohm", unit).replace("^-1", "/")
    )
    return {"ohmcm": "ohm cm", "ohmm": "ohm m", "Sm/": "S/m", "Scm/": "S/cm"}.get(plain, plain)


def power_of_length(number: StatedNumber) -> tuple[float, int]:
    """A coefficient in um^p and the p: (0.0042, 2) for 4200 nm^2. Raises ValueError for another unit."""
    if number.unit in ("", "1"):
        return number.value, 0
    match = _POWER.fullmatch(number.unit)
    if match is None:
        raise ValueError(
            f"{number.name}: unit {number.unit[:20]!r} must be 1, or a power of um or nm such as um^2 or um^-2"
        )
    power = int(match["power"] or 1)
    if not 1 <= abs(power) <= 12:
        raise ValueError(f"{number.name}: the power of {number.unit[:20]!r} must be 1 to 12")
    return number.value * (1e-3**power if match["unit"] == "nm" else 1.0), power


def terms_faults(terms: tuple[StatedTerm, ...]) -> str:
    """Why terms make no linear material together; "" if they do, or if there are none."""
    kinds: list[str] = [term.kind for term in terms]
    linear = [kind for kind in kinds if kind not in (*NONLINEAR, "range")]
    for kind in ("constant", "eps_inf", "range", *NONLINEAR):
        if kinds.count(kind) > 1:
            return f"{kind} is given twice"
    if "constant" in linear and len(linear) > 1:
        return "a constant complex index cannot be combined with other terms"
    if "cauchy" in linear and set(linear) != {"cauchy"}:
        return "Cauchy terms add up to n and cannot be combined with terms of eps"
    if linear == ["eps_inf"]:
        return "eps_inf alone is no model: give a constant index instead"
    if {"chi3", "kerr"} <= set(kinds):
        return "give chi3 or kerr, not both"
    return ""
