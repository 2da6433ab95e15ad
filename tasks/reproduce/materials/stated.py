"""Materials stated in numbers: their optical constants, and a passive model that Meep can step.

A Drude, Lorentz or Debye model is used as it stands where Meep can step it. Meep has no Debye pole: an overdamped Lorentz
pole stands for it, sigma f0^2 / (f0^2 - f^2 - i f g) with f0^2 = g / (2 pi tau), which differs by about f / g. A Sellmeier or
Cauchy formula is sampled and fitted, as formulas of the database are. A complex index at one wavelength becomes one Drude
pole on a background, which gives exactly that eps at that wavelength and drifts away from it: see `HOLDS_WITHIN`.
"""

from __future__ import annotations

import numpy as np

from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.materials.stated import StatedTerm
from schemas.reproduce.simulations.spectral import to_wavelength_um
from tasks.reproduce.materials.constants import Band, OpticalConstants, band_wavelengths
from tasks.reproduce.materials.drude_lorentz import MaterialFit, Pole, drude_lorentz
from tasks.reproduce.materials.errors import MaterialDataError, WavelengthOutOfRange
from tasks.reproduce.materials.fitting import fit_material, measured
from tasks.reproduce.materials.stability import min_gain_margin, min_stable_resolution
from tasks.reproduce.materials.stated_formulas import (
    complex_index,
    conductivity_pole,
    debye_pole,
    frequency_of,
    quotations,
    stated_eps_inf,
    stated_epsilon,
    stated_pole,
    wavelength_of,
)

# A complex index stated at one wavelength: the band must not reach where its one pole is farther off than this.
HOLDS_WITHIN = 0.05
# Damping of that pole over its frequency, for a dielectric: the more, the closer to a conductivity (Re eps constant).
CONSTANT_DAMPING = 10.0
# A stated model is used pole for pole only if it is stable from this resolution on (pixels/um, 3D, Courant 0.5).
USABLE_RESOLUTION = 100.0
SAMPLES = 1201


def stated_constants(choice: MaterialChoice) -> OpticalConstants:
    """n and k of a material that states its linear response, over the range the paper gives, else over its band.

    Raises MaterialDataError where the formula gives no passive medium in the range (n^2 not positive, Im eps < 0).
    """
    band = stated_range(choice)
    wavelength_um = np.unique(np.concatenate([np.geomspace(*band, SAMPLES), band_wavelengths(band)]))
    wavelength_um = np.clip(wavelength_um, *band)
    epsilon = stated_epsilon(choice.linear, wavelength_um)
    if not np.isfinite(epsilon).all() or (epsilon.imag < -1e-9 * np.abs(epsilon)).any():
        worst = wavelength_um[np.argmin(np.where(np.isfinite(epsilon), epsilon.imag, -np.inf))]
        raise MaterialDataError(
            f"the stated model of {choice.name} is not passive in its range",
            found=f"at {worst:g} um",
            allowed="finite eps with Im eps >= 0",
            fix="check signs, units and the band against the paper",
        )
    formula = {term.kind for term in choice.linear} <= {"eps_inf", "sellmeier", "cauchy"}
    if formula and (epsilon.real <= 0).any():
        worst = wavelength_um[np.argmin(epsilon.real)]
        raise MaterialDataError(
            f"the stated formula of {choice.name} gives no index",
            found=f"n^2 < 0 at {worst:g} um",
            allowed="n^2 > 0 over the range",
            fix="check units and powers; keep off the resonances",
        )
    index = np.sqrt(epsilon)
    return OpticalConstants(
        page=choice.words(),
        wavelength_um=wavelength_um,
        n=index.real,
        k=np.maximum(index.imag, 0),
        kind="stated model",
        reference=quotations(choice.terms),
    )


def stated_range(choice: MaterialChoice) -> Band:
    """Where the numbers hold, um: the range the paper gives for them; for a complex index at one wavelength, where its model
    stays within HOLDS_WITHIN of it; else the band asked for."""
    for term in choice.terms:
        if term.kind == "range":
            ends = sorted(wavelength_of(term, name) for name in ("shortest", "longest"))
            return ends[0], ends[1]
    term = choice.linear[0]
    if term.kind == "constant" and term.number("wavelength") is not None and complex_index(term).imag > 0:
        at = wavelength_of(term, "wavelength")
        epsilon = complex_index(term) ** 2
        model = _constant_model(epsilon, 1 / at)
        near = at * np.geomspace(0.2, 5, 4001)
        bad = np.abs(drude_lorentz(1 / near, *model) - epsilon) > HOLDS_WITHIN * np.abs(epsilon)
        return (
            float(max(near[bad & (near < at)], default=near[0])),
            float(min(near[bad & (near > at)], default=near[-1])),
        )
    return choice.band_um


def stated_fit(choice: MaterialChoice, constants: OpticalConstants) -> tuple[MaterialFit, tuple[str, ...]]:
    """The model Meep steps, with its error against the stated numbers, and what to know about it.

    Raises FitFailed and WavelengthOutOfRange as `fit_material` does.
    """
    terms, band = choice.linear, choice.band_um
    if not constants.covers(band):
        raise out_of_range(choice, constants)
    notes = _conventions(terms)
    wavelengths = band_wavelengths(band)
    at = terms[0].number("wavelength")
    if terms[0].kind == "constant" and at is not None and not constants.lossless:
        eps_inf, poles = _constant_model(
            complex_index(terms[0]) ** 2, 1 / to_wavelength_um(at.value, at.unit)
        )
        low, high = constants.valid_um
        notes.append(
            f"exactly the stated index at {at.value:g} {at.unit}, by one Drude pole; within {HOLDS_WITHIN:.0%} of it "
            f"from {low:.4g} to {high:.4g} um, and used nowhere else"
        )
        return measured(constants, band, constants.epsilon(wavelengths), eps_inf, poles, HOLDS_WITHIN), tuple(
            notes
        )
    exact = {term.kind for term in terms} <= {"eps_inf", "drude", "lorentz", "debye", "conductivity"}
    if exact:
        highest = max(1 / band[0], *(frequency_of(t, "relaxation") for t in terms if t.kind == "debye"), 0.0)
        poles = tuple(
            debye_pole(t, highest)
            if t.kind == "debye"
            else conductivity_pole(t, highest)
            if t.kind == "conductivity"
            else stated_pole(t)
            for t in terms
            if t.kind != "eps_inf"
        )
        fit = measured(constants, band, constants.epsilon(wavelengths), stated_eps_inf(terms), poles, 0.01)
        reason = _unusable(fit)
        if not reason:
            if any(term.kind == "debye" for term in terms):
                notes.append(
                    "Meep has no Debye pole: an overdamped Lorentz pole stands for it, with the error given"
                )
            notes.append("the stated poles as they stand")
            return fit, tuple(notes)
        notes.append(f"not the stated poles but a passive fit of them over the band, because {reason}")
    return fit_material(constants, band), tuple(notes)


def out_of_range(choice: MaterialChoice, constants: OpticalConstants) -> WavelengthOutOfRange:
    """The error of a band that leaves the range of its optical constants; nothing is extrapolated."""
    low, high = constants.valid_um
    one = choice.linear and choice.linear[0].kind == "constant"
    return WavelengthOutOfRange(
        f"{choice.name}: {choice.words()} does not cover the band",
        found=f"{choice.band_um[0]:g} to {choice.band_um[1]:g} um",
        allowed=f"{low:.5g} to {high:.5g} um"
        + (" (where a model of that one index stays close to it)" if one else ""),
        fix="narrow the band or choose other data"
        + (
            "; leave the wavelength out only if the paper says that the index holds over the band"
            if one
            else ""
        ),
    )


def _conventions(terms: tuple[StatedTerm, ...]) -> list[str]:
    notes = []
    if any(term.half_damping for term in terms):
        notes.append("damping doubled: the paper writes 2 i gamma omega")
    if any(term.exp_plus_iwt for term in terms):
        notes.append("signs turned: the paper writes exp(+i omega t)")
    return notes


def _unusable(fit: MaterialFit) -> str:
    """Why Meep cannot step a stated model as it stands; "" if it can."""
    if fit.eps_inf < 1:
        return f"eps_inf {fit.eps_inf:g} < 1"
    if min_gain_margin(fit) < -1e-9:
        return "it has gain outside the band"
    lowest = min_stable_resolution(fit)
    if lowest is None or lowest > USABLE_RESOLUTION:
        return "it is stable " + ("at no resolution" if lowest is None else f"only from {lowest:g} pixels/um")
    return ""


def _constant_model(epsilon: complex, frequency: float) -> tuple[float, tuple[Pole, ...]]:
    """eps_inf >= 1 and one Drude pole with exactly that eps (Im > 0) at that frequency (c/um)."""
    gamma = CONSTANT_DAMPING * frequency
    eps_inf = epsilon.real + epsilon.imag * frequency / gamma
    if eps_inf < 1:
        eps_inf = 1.0
        gamma = frequency * epsilon.imag / (1 - epsilon.real)
    strength = epsilon.imag * frequency * (frequency**2 + gamma**2) / gamma
    return eps_inf, (Pole("drude", 1.0, gamma, strength),)
