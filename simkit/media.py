"""Media: from fits in params.json to mp.Medium, their permittivity, and mixtures for interface nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import MaterialError

Pole = tuple[str, float, float, float]


def medium_from(name: str, materials: Mapping[str, Mapping[str, Any]]) -> Any:
    """mp.Medium of a params.json material. Raises MaterialError listing the known names."""
    if name not in materials:
        raise MaterialError(
            f"material {name!r} is not in params.json; known: {', '.join(sorted(materials)) or 'none'}. Use one of"
            " these names (they were confirmed for this paper); meep.materials is not the literature."
        )
    data = materials[name]
    if "index" in data:
        return mp.Medium(index=float(data["index"]))
    poles = [(p["kind"], float(p["f0"]), float(p["gamma"]), float(p["sigma"])) for p in data.get("poles", [])]
    return build_medium(float(data["eps_inf"]), poles, data.get("band_um"))


def build_medium(eps_inf: float, poles: Sequence[Pole], band_um: Sequence[float] | None = None) -> Any:
    """mp.Medium from eps_inf and poles (kind, f0, gamma, sigma); band_um = (lo, hi) sets valid_freq_range."""
    kinds = {"drude": mp.DrudeSusceptibility, "lorentz": mp.LorentzianSusceptibility}
    terms = [kinds[kind](frequency=f0, gamma=gamma, sigma=sigma) for kind, f0, gamma, sigma in poles]
    limits = {}
    if band_um is not None:
        # A hair wider, so that a band stated in wavelengths is not outside by rounding.
        limits["valid_freq_range"] = mp.FreqRange(
            min=(1 - 1e-9) / max(band_um), max=(1 + 1e-9) / min(band_um)
        )
    return mp.Medium(epsilon=eps_inf, E_susceptibilities=terms, **limits)


def as_medium(run: Any, given: Any) -> Any:
    """A name of params.json, a refractive index or an mp.Medium -> mp.Medium (None -> vacuum)."""
    if given is None:
        return mp.Medium()
    if isinstance(given, str):
        return run.medium(given)
    if isinstance(given, (int, float)):
        return mp.Medium(index=float(given))
    if isinstance(given, mp.Medium):
        return given
    raise MaterialError(f"{given!r} is not a medium; give a name from params.json, an index or an mp.Medium.")


def poles_of(medium: Any) -> list[Pole]:
    """(kind, f0, gamma, sigma_xx) of an isotropic mp.Medium's electric susceptibilities."""
    found = []
    for term in medium.E_susceptibilities:
        kind = "drude" if isinstance(term, mp.DrudeSusceptibility) else "lorentz"
        found.append((kind, float(term.frequency), float(term.gamma), float(term.sigma_diag.x)))
    return found


def epsilon_of(medium: Any, frequency: Any) -> np.ndarray:
    """Complex relative permittivity at frequency (c/um; scalar or (n,)), including conductivity. Im > 0 is loss.

    Meep manual, "Materials": eps = (1 + i sigma_D/(2 pi f)) (eps_inf + sum of Drude and Lorentz terms).
    """
    f = np.asarray(frequency, float)
    eps = np.full(f.shape, float(medium.epsilon_diag.x), complex)
    for kind, f0, gamma, sigma in poles_of(medium):
        eps = eps + sigma * f0**2 / ((f0**2 if kind == "lorentz" else 0.0) - f**2 - 1j * f * gamma)
    conductivity = float(medium.D_conductivity_diag.x)
    return eps * (1 + 1j * conductivity / (2 * np.pi * f)) if conductivity else eps


def is_dispersive(medium: Any) -> bool:
    """True when the medium has poles."""
    return bool(medium.E_susceptibilities)


def mixture(parts: Sequence[tuple[Any, float]]) -> Any:
    """The volume mean of media: right for a pixel cut by an interface parallel to E (arithmetic mean of eps).

    parts: [(mp.Medium, fraction)], fractions > 0 with sum 1. Conductivity is refused (its mean is not a medium's).
    """
    total = sum(fraction for _, fraction in parts)
    if not parts or abs(total - 1) > 1e-9 or any(fraction < 0 for _, fraction in parts):
        raise MaterialError(
            f"fractions must be positive with sum 1, found {[fraction for _, fraction in parts]}."
        )
    eps, limits = 0.0, []
    strengths: dict[tuple[str, float, float], float] = {}
    for medium, fraction in parts:
        if medium.D_conductivity_diag.x:
            raise MaterialError(
                "mixture of a medium with D_conductivity; put that layer on whole pixels instead."
            )
        eps += fraction * float(medium.epsilon_diag.x)
        for kind, f0, gamma, sigma in poles_of(medium):
            key = (kind, f0, gamma)
            strengths[key] = strengths.get(key, 0.0) + fraction * sigma
        limits.append(medium.valid_freq_range)
    mixed = build_medium(eps, [(*key, sigma) for key, sigma in strengths.items()])
    mixed.valid_freq_range = mp.FreqRange(min=max(r.min for r in limits), max=min(r.max for r in limits))
    return mixed


def index_range(medium: Any, frequencies: np.ndarray) -> tuple[float, float]:
    """Largest real part and smallest imaginary part of the refractive index over frequencies (n,)."""
    index = np.sqrt(epsilon_of(medium, frequencies))
    return float(index.real.max()), float(index.imag.min())
