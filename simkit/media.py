"""Media: from fits in params.json to mp.Medium, their permittivity, and mixtures for interface nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import MaterialError

Pole = tuple[str, float, float, float]
AXES = "xyz"


def medium_from(name: str, materials: Mapping[str, Mapping[str, Any]]) -> Any:
    """mp.Medium of a params.json material. Raises MaterialError listing the known names."""
    if name not in materials:
        raise MaterialError(
            f"material {name!r} is not in params.json; known: {', '.join(sorted(materials)) or 'none'}. Use one of"
            " these names (they were confirmed for this paper); meep.materials is not the literature."
        )
    data = materials[name]
    nonlinear = {key: data[key] for key in ("chi2", "chi3") if key in data}
    if "axes" in data:
        parts = [_constants(data["axes"][axis]) for axis in AXES]
        return _build(
            [eps for eps, _ in parts],
            _merged([(poles, i) for i, (_, poles) in enumerate(parts)]),
            data.get("band_um"),
            **nonlinear,
        )
    if "index" in data:
        return mp.Medium(index=float(data["index"]), **_nonlinear(**nonlinear))
    eps_inf, poles = _constants(data)
    return build_medium(eps_inf, poles, data.get("band_um"), **nonlinear)


def build_medium(
    eps_inf: float,
    poles: Sequence[Pole],
    band_um: Sequence[float] | None = None,
    chi2: Sequence[float] = (),
    chi3: Sequence[float] = (),
) -> Any:
    """Isotropic mp.Medium from eps_inf and poles (kind, f0, gamma, sigma); band_um = (lo, hi) sets valid_freq_range.

    chi2, chi3: along x, y, z. In params.json they are scaled so that a Meep field of 1 is 1 V/um.
    """
    return _build([eps_inf] * 3, [(*pole[:3], [pole[3]] * 3) for pole in poles], band_um, chi2, chi3)


def _build(
    eps_inf: Sequence[float],
    poles: Sequence[tuple[str, float, float, Sequence[float]]],
    band_um: Sequence[float] | None = None,
    chi2: Sequence[float] = (),
    chi3: Sequence[float] = (),
) -> Any:
    kinds = {"drude": mp.DrudeSusceptibility, "lorentz": mp.LorentzianSusceptibility}
    terms = [
        kinds[kind](frequency=f0, gamma=gamma, sigma_diag=mp.Vector3(*sigma))
        for kind, f0, gamma, sigma in poles
    ]
    limits = {}
    if band_um is not None:
        # A hair wider, so that a band stated in wavelengths is not outside by rounding.
        limits["valid_freq_range"] = mp.FreqRange(
            min=(1 - 1e-9) / max(band_um), max=(1 + 1e-9) / min(band_um)
        )
    return mp.Medium(
        epsilon_diag=mp.Vector3(*eps_inf), E_susceptibilities=terms, **limits, **_nonlinear(chi2, chi3)
    )


def _nonlinear(chi2: Sequence[float] = (), chi3: Sequence[float] = ()) -> dict[str, Any]:
    given = {"E_chi2_diag": chi2, "E_chi3_diag": chi3}
    return {name: mp.Vector3(*(float(v) for v in values)) for name, values in given.items() if any(values)}


def _constants(data: Mapping[str, Any]) -> tuple[float, list[Pole]]:
    """eps_inf and poles of one isotropic entry of params.json."""
    if "index" in data:
        return float(data["index"]) ** 2, []
    poles = [(p["kind"], float(p["f0"]), float(p["gamma"]), float(p["sigma"])) for p in data.get("poles", [])]
    return float(data["eps_inf"]), poles


def _merged(parts: Sequence[tuple[Sequence[Pole], int]]) -> list[tuple[str, float, float, list[float]]]:
    """Poles of (poles, axis) pairs, equal ones joined, each with its strength along x, y, z."""
    strengths: dict[tuple[str, float, float], list[float]] = {}
    for poles, axis in parts:
        for kind, f0, gamma, sigma in poles:
            strengths.setdefault((kind, f0, gamma), [0.0, 0.0, 0.0])[axis] += sigma
    return [(*key, sigma) for key, sigma in strengths.items()]


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


def poles_of(medium: Any, axis: str = "x") -> list[Pole]:
    """(kind, f0, gamma, sigma) of an mp.Medium's electric susceptibilities along an axis."""
    found = []
    for term in medium.E_susceptibilities:
        kind = "drude" if isinstance(term, mp.DrudeSusceptibility) else "lorentz"
        if sigma := float(getattr(term.sigma_diag, axis)):
            found.append((kind, float(term.frequency), float(term.gamma), sigma))
    return found


def distinct_axes(medium: Any) -> str:
    """ "x" for an isotropic medium, else the axes along which it differs, as "xyz"."""
    first = float(medium.epsilon_diag.x), poles_of(medium)
    differ = any((float(getattr(medium.epsilon_diag, a)), poles_of(medium, a)) != first for a in "yz")
    return AXES if differ else "x"


def along_axis(medium: Any, axis: str) -> Any:
    """The isotropic medium that a field along `axis` ("x", "y", "z") sees in an anisotropic one with these principal axes."""
    if axis not in tuple(AXES):
        raise MaterialError(f"axis {axis!r} is none of x, y, z.")
    one = {name: [float(getattr(getattr(medium, f"E_{name}_diag"), axis))] * 3 for name in ("chi2", "chi3")}
    found = build_medium(float(getattr(medium.epsilon_diag, axis)), poles_of(medium, axis), **one)
    found.D_conductivity_diag = mp.Vector3(*[float(getattr(medium.D_conductivity_diag, axis))] * 3)
    found.valid_freq_range = medium.valid_freq_range
    return found


def epsilon_of(medium: Any, frequency: Any, axis: str = "x") -> np.ndarray:
    """Complex relative permittivity along an axis at frequency (c/um; scalar or (n,)), including conductivity. Im > 0 is loss.

    Meep manual, "Materials": eps = (1 + i sigma_D/(2 pi f)) (eps_inf + sum of Drude and Lorentz terms).
    """
    f = np.asarray(frequency, float)
    eps = np.full(f.shape, float(getattr(medium.epsilon_diag, axis)), complex)
    for kind, f0, gamma, sigma in poles_of(medium, axis):
        eps = eps + sigma * f0**2 / ((f0**2 if kind == "lorentz" else 0.0) - f**2 - 1j * f * gamma)
    conductivity = float(getattr(medium.D_conductivity_diag, axis))
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
    eps, chi2, chi3 = np.zeros(3), np.zeros(3), np.zeros(3)
    poles: list[tuple[list[Pole], int]] = []
    for medium, fraction in parts:
        if medium.D_conductivity_diag.norm():
            raise MaterialError(
                "mixture of a medium with D_conductivity; put that layer on whole pixels instead."
            )
        eps += fraction * np.array(list(medium.epsilon_diag), float)
        chi2 += fraction * np.array(list(medium.E_chi2_diag), float)
        chi3 += fraction * np.array(list(medium.E_chi3_diag), float)
        for i, axis in enumerate(AXES):
            poles.append(([(*pole[:3], fraction * pole[3]) for pole in poles_of(medium, axis)], i))
    mixed = _build(list(eps), _merged(poles), None, list(chi2), list(chi3))
    limits = [medium.valid_freq_range for medium, _ in parts]
    mixed.valid_freq_range = mp.FreqRange(min=max(r.min for r in limits), max=min(r.max for r in limits))
    return mixed


def index_range(medium: Any, frequencies: np.ndarray) -> tuple[float, float]:
    """Largest real part and smallest imaginary part of the refractive index over frequencies (n,) and axes."""
    index = np.sqrt([epsilon_of(medium, frequencies, axis) for axis in distinct_axes(medium)])
    return float(index.real.max()), float(index.imag.min())
