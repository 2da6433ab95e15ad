"""The relative permittivity of a described medium, from its own numbers or a confirmed fit."""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from typing import Any

from simkit.describe.media import AnyMedium, PerfectConductor


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
    entry = entry["axes"][axis] if "axes" in entry else entry
    if "index" in entry:
        return complex(float(entry["index"]) ** 2)
    poles = [
        (p["kind"], float(p["f0"]), float(p["gamma"]), float(p["sigma"])) for p in entry.get("poles", ())
    ]
    return _sum(float(entry["eps_inf"]), poles, frequency)


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


def _entry(name: str, materials: Mapping[str, Any]) -> Mapping[str, Any]:
    if name not in materials:
        raise UnknownMaterial(
            f"material {name!r} is not confirmed; confirmed: {', '.join(sorted(materials)) or 'none'}"
        )
    found: Mapping[str, Any] = materials[name]
    return found


def _sum(start: float, poles: list[tuple[str, float, float, float]], f: float) -> complex:
    eps = complex(start)
    for kind, f0, gamma, sigma in poles:
        eps += sigma * f0**2 / ((f0**2 if kind == "lorentz" else 0.0) - f**2 - 1j * f * gamma)
    return eps
