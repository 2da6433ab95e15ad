"""The relative permittivity of a described medium, from its own numbers or a confirmed fit."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simkit.describe.media import AnyMedium, PerfectConductor

# A loss tangent below this changes no observable of a structure of ordinary size or Q below about 1e6.
LOSSLESS_TANGENT = 1e-6
FAR, MILD = 1e9, 0.5  # a frequency above all poles; what poles may add to eps_inf and be averaged with it


class UnknownMaterial(ValueError):
    """A name that is no confirmed material."""


def permittivity(
    medium: AnyMedium, frequency: float, materials: Mapping[str, Any], axis: str = "x"
) -> complex:
    """eps along an axis at a frequency (c/length, > 0); Im > 0 is loss. A perfect conductor is -inf.

    Meep manual, "Materials": eps_inf + sum of sigma f0^2 / (f0^2 [Lorentz] - f^2 - i f gamma).
    """
    if isinstance(medium, PerfectConductor):
        return complex(float("-inf"))
    if medium.index is not None:
        return complex(float(medium.index) ** 2)
    if medium.epsilon is not None:
        value = medium.epsilon
        start = float(value["xyz".index(axis)]) if isinstance(value, tuple) else float(value)
        poles = [(p.kind, float(p.frequency), float(p.damping), float(p.strength)) for p in medium.poles]
        return _sum(start, poles, frequency)
    entry = _entry(str(medium.material), materials)
    return _of_fit(entry["axes"][axis] if "axes" in entry else entry, frequency)


def index_of(medium: AnyMedium, frequency: float, materials: Mapping[str, Any], axis: str = "x") -> complex:
    """Complex refractive index; inf for a perfect conductor."""
    eps = permittivity(medium, frequency, materials, axis)
    return complex(0, float("inf")) if eps.real == float("-inf") else cmath.sqrt(eps)


def dispersive(medium: AnyMedium, materials: Mapping[str, Any]) -> bool:
    """Whether it has poles: such media get no sub-pixel smoothing and may not touch a PML as metals."""
    if isinstance(medium, PerfectConductor):
        return False
    if medium.material is None:
        return bool(medium.poles)
    entry = _entry(medium.material, materials)
    parts = list(entry["axes"].values()) if "axes" in entry else [entry]
    return any(part.get("poles") for part in parts)


def stepped(
    media: Iterable[AnyMedium], band: Sequence[float], materials: Mapping[str, Any], along: bool
) -> bool:
    """Whether faces are drawn in steps, because Meep averages nothing but eps_inf where they cut pixels: of media with poles, but
    where E lies along all faces and what poles add is small over the band (c/length).

    along: whether it does. Of a lossy rod (eps 12.25 + 1.5i from one Drude pole, radius 0.15 um, peak at 892 nm) on 50, 75 and 110
    pixels per um steps gave peaks at 904, 907 and 898 nm, averages 898.0, 893.8 and 893.0. Where E crosses faces, averages were no better.
    """
    return any(dispersive(m, materials) and not (along and _is_mild(m, band, materials)) for m in media)


def _is_mild(medium: AnyMedium, band: Sequence[float], materials: Mapping[str, Any]) -> bool:
    """Whether poles are a small part of the permittivity along z, at the band's ends and at each pole within."""
    far, (low, high) = permittivity(medium, FAR, materials, "z"), band
    found = (low, *(f for f in _resonances(medium, materials) if low < f < high), high)
    return all(abs(permittivity(medium, f, materials, "z") - far) <= MILD * abs(far) for f in found)


def _resonances(medium: AnyMedium, materials: Mapping[str, Any]) -> list[float]:
    """Frequencies of the poles along z, c/length."""
    if isinstance(medium, PerfectConductor):
        return []
    if medium.material is None:
        return [float(pole.frequency) for pole in medium.poles]
    entry = _entry(medium.material, materials)
    return [float(pole["f0"]) for pole in (entry["axes"]["z"] if "axes" in entry else entry).get("poles", ())]


def without_poles(materials: Mapping[str, Any], frequency: float) -> dict[str, Any]:
    """Confirmed fits for light of one frequency (c/length): one without loss there becomes the index that it has there, which
    Meep smooths and steps faster, and which has no pole elsewhere that could make fields grow. Others stay as they are."""
    return {name: _at_one(entry, frequency) for name, entry in materials.items()}


def _at_one(entry: Mapping[str, Any], frequency: float) -> Mapping[str, Any]:
    if "axes" in entry:
        return {**entry, "axes": {axis: _at_one(part, frequency) for axis, part in entry["axes"].items()}}
    if not entry.get("poles") or "chi2" in entry or "chi3" in entry:
        return entry
    eps = _of_fit(entry, frequency)
    if eps.real <= 0 or abs(eps.imag) > LOSSLESS_TANGENT * eps.real:
        return entry
    return {"index": math.sqrt(eps.real)}


def _entry(name: str, materials: Mapping[str, Any]) -> Mapping[str, Any]:
    if name not in materials:
        raise UnknownMaterial(
            f"material {name!r} is not confirmed; confirmed: {', '.join(sorted(materials)) or 'none'}"
        )
    found: Mapping[str, Any] = materials[name]
    return found


def _of_fit(entry: Mapping[str, Any], frequency: float) -> complex:
    if "index" in entry:
        return complex(float(entry["index"]) ** 2)
    poles = [
        (p["kind"], float(p["f0"]), float(p["gamma"]), float(p["sigma"])) for p in entry.get("poles", ())
    ]
    return _sum(float(entry["eps_inf"]), poles, frequency)


def _sum(start: float, poles: list[tuple[str, float, float, float]], f: float) -> complex:
    eps = complex(start)
    for kind, f0, gamma, sigma in poles:
        eps += sigma * f0**2 / ((f0**2 if kind == "lorentz" else 0.0) - f**2 - 1j * f * gamma)
    return eps
