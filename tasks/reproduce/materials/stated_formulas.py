"""The formulas of stated materials: numbers with units in, permittivity and Meep's poles out."""

from __future__ import annotations

from typing import cast

import numpy as np

from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.materials.stated import (
    CONDUCTIVITIES,
    NONLINEAR_UNITS,
    RESISTIVITIES,
    StatedTerm,
    ohmic,
    power_of_length,
)
from schemas.reproduce.simulations.spectral import to_frequency
from tasks.reproduce.materials.constants import ComplexArray, FloatArray
from tasks.reproduce.materials.drude_lorentz import Pole, drude_lorentz
from tasks.reproduce.materials.errors import MaterialDataError

# Damping of the Lorentz pole that stands for a Debye one, over the highest frequency; its relative error is about 1/this.
DEBYE_DAMPING = 300.0
CONDUCTING = 1000.0  # the same of the Drude pole that stands for a constant conductivity
_VACUUM_OHM = 376.730313668  # 1 / (eps_0 c)


def stated_epsilon(terms: tuple[StatedTerm, ...], wavelength_um: FloatArray) -> ComplexArray:
    """eps of the stated formulas at vacuum wavelengths in um, as they stand; Im > 0 is loss."""
    frequency = 1 / wavelength_um
    if terms[0].kind == "constant":
        return np.full(wavelength_um.shape, complex_index(terms[0]) ** 2)
    if terms[0].kind == "cauchy":
        return np.asarray(sum(_powers(term, wavelength_um) for term in terms), dtype=complex) ** 2
    epsilon = np.full(wavelength_um.shape, stated_eps_inf(terms), dtype=complex)
    for term in terms:
        if term.kind == "sellmeier":
            epsilon += _powers(term, wavelength_um) + _sellmeier(term, wavelength_um)
        elif term.kind == "debye":
            epsilon += _value(term, "delta_eps") / (1 - 1j * frequency / frequency_of(term, "relaxation"))
        elif term.kind == "conductivity":
            epsilon += 1j * _loss_by_frequency(term) / frequency
        elif term.kind != "eps_inf":
            epsilon += drude_lorentz(frequency, 0.0, [stated_pole(term)])
    return epsilon


def nonlinear_coefficients(choice: MaterialChoice, n: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """chi2 and chi3 along x, y, z for Meep, () where none is stated. A Meep field of 1 is 1 V/um.

    n: linear index, for a Kerr index n2 [m^2/W]: chi3 = 4/3 n^2 eps0 c n2 (Boyd, Nonlinear Optics, section 4.1).
    """
    found: dict[str, tuple[float, ...]] = {"chi2": (), "chi3": ()}
    for term in choice.nonlinear:
        scale = {
            number.name: number.value * NONLINEAR_UNITS[term.kind][number.unit] for number in term.numbers
        }
        if term.kind == "kerr":
            chi3 = 4 / 3 * n**2 * 8.8541878128e-12 * 299_792_458.0 * scale["value"] * 1e12
            found["chi3"] = (chi3, chi3, chi3)
        else:
            found[term.kind] = tuple(scale.get(axis, scale.get("value", 0.0)) for axis in ("x", "y", "z"))
    return found["chi2"], found["chi3"]


def quotations(terms: tuple[StatedTerm, ...]) -> str:
    """The paper's words for every number, each once; or that a person gave them."""
    words = list(
        dict.fromkeys(number.quotation for term in terms for number in term.numbers if number.quotation)
    )
    return "; ".join(f'"{text}"' for text in words) or "given by a person"


def stated_pole(term: StatedTerm) -> Pole:
    """A Drude or Lorentz term as a pole, frequencies in c/um."""
    gamma = frequency_of(term, "damping") * (2 if term.half_damping else 1)
    weight = _value(term, "weight", 1.0)
    plasma = frequency_of(term, "plasma_frequency") if term.number("plasma_frequency") else 0.0
    if term.kind == "drude":
        return Pole("drude", 1.0, gamma, weight * plasma**2)
    f0 = frequency_of(term, "resonance")
    sigma = _value(term, "delta_eps") if term.number("delta_eps") else plasma**2 / f0**2
    return Pole("lorentz", f0, gamma, weight * sigma)


def debye_pole(term: StatedTerm, highest: float) -> Pole:
    """The overdamped Lorentz pole that stands for a Debye term up to the frequency `highest`, c/um."""
    relaxation = frequency_of(term, "relaxation")
    gamma = DEBYE_DAMPING * highest
    return Pole("lorentz", float(np.sqrt(gamma * relaxation)), gamma, _value(term, "delta_eps"))


def conductivity_pole(term: StatedTerm, highest: float) -> Pole:
    """The Drude pole of fast damping that stands for a constant conductivity up to the frequency `highest`, c/um."""
    gamma = CONDUCTING * highest
    return Pole("drude", 1.0, gamma, _loss_by_frequency(term) * gamma)


def _loss_by_frequency(term: StatedTerm) -> float:
    """Im eps of a conductivity, times the frequency in c/um."""
    if sigma := term.number("sigma"):
        per_m = sigma.value * CONDUCTIVITIES[ohmic(sigma.unit)]
    elif resistivity := term.number("resistivity"):
        per_m = RESISTIVITIES[ohmic(resistivity.unit)] / resistivity.value
    else:
        return _value(term, "loss") * frequency_of(term, "wavelength")
    return per_m * _VACUUM_OHM / (2 * np.pi) * 1e-6


def _sellmeier(term: StatedTerm, wavelength_um: FloatArray) -> FloatArray:
    strength, resonance = term.number("strength"), term.number("resonance")
    if strength is None or resonance is None:
        return np.zeros_like(wavelength_um)
    value, power = power_of_length(resonance)
    square = value**2 if power == 1 else value
    amount, over = power_of_length(strength)
    if power not in (1, 2) or over not in (0, 2):
        raise MaterialDataError(
            "a Sellmeier term's units make no sense",
            fix="copy the units of the paper",
            found=f"strength in {strength.unit}, resonance in {resonance.unit}",
            allowed="strength in 1 (B lambda^2 / (lambda^2 - C)) or um^2 (B / (lambda^2 - C)); resonance "
            "in um or um^2",
        )
    return np.asarray(amount * (wavelength_um**2 if over == 0 else 1.0) / (wavelength_um**2 - square))


def _powers(term: StatedTerm, wavelength_um: FloatArray) -> FloatArray:
    total = np.zeros_like(wavelength_um)
    for number in term.numbers:
        if number.name == "coefficient":
            value, power = power_of_length(number)
            total = total + value * wavelength_um**-power
    return total


def stated_eps_inf(terms: tuple[StatedTerm, ...]) -> float:
    """The background permittivity, 1 where none is stated."""
    return next((_value(term, "value") for term in terms if term.kind == "eps_inf"), 1.0)


def complex_index(term: StatedTerm) -> complex:
    """n + i k of a constant, k >= 0 whatever the paper's sign."""
    return complex(_value(term, "n"), abs(_value(term, "k")))


def _value(term: StatedTerm, name: str, default: float | None = None) -> float:
    number = term.number(name)
    return number.value if number else cast(float, default)


def frequency_of(term: StatedTerm, name: str) -> float:
    """A spectral number of a term, c/um."""
    number = term.number(name)
    assert number is not None, name
    return to_frequency(number.value, number.unit)


def wavelength_of(term: StatedTerm, name: str) -> float:
    """A spectral number of a term as vacuum wavelength, um."""
    return 1 / frequency_of(term, name)
