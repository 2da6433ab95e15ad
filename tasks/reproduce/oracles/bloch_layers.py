"""Bloch waves of layers in both polarisations: the trace of one period's transfer matrix, at any wave number along the layers.

Source: P. Yeh, "Optical Waves in Layered Media" (Wiley 1988), chapter 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.permittivity import permittivity
from simkit.describe.base import INF
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import BeatLength, EffectiveIndex, GroupIndex, Waveguide
from tasks.reproduce.measuring.values import Scalar

SCAN, STEP, SIDES = 4000, 1e-4, 200
Array = NDArray[np.float64]


def oracle(
    scene: Waveguide, quantity: Quantity, materials: Mapping[str, Any], x: Array | None
) -> Scalar | None:
    """The exact value for layers across x that fill the supercell; None for anything else, or where there is no such mode."""
    if scene.dimensions != "2D" or scene.supercell is None or not all(map(_layer, scene.bodies)):
        return None
    wavelength = float(scene.wavelength)
    if isinstance(quantity, BeatLength):
        pair = [index(scene, mode, wavelength, materials) for mode in (quantity.first, quantity.second)]
        if None in pair or not pair[0] > pair[1]:  # type: ignore[operator]
            return None
        return Scalar(wavelength / (2 * (pair[0] - pair[1])), power=1)  # type: ignore[operator]
    if not isinstance(quantity, (EffectiveIndex, GroupIndex)):
        return None
    here = index(scene, quantity.mode, wavelength, materials)
    if here is None or isinstance(quantity, EffectiveIndex):
        return None if here is None else Scalar(here)
    beside = [index(scene, quantity.mode, wavelength * (1 + side), materials) for side in (-STEP, STEP)]
    if None in beside:
        return None
    slope = (beside[1] - beside[0]) / (2 * STEP * wavelength)  # type: ignore[operator]
    return Scalar(abs(here - wavelength * slope))


def index(scene: Waveguide, mode: int, wavelength: float, materials: Mapping[str, Any]) -> float | None:
    """Bloch index of band number `mode` at a wavelength; None in a gap, and where the supercell folds the band so that it passes
    through the wavelength more than once."""
    f, period = 1 / wavelength, float(scene.period)  # type: ignore[arg-type]
    layers = _layers(scene, f, materials)
    across = [side / float(scene.supercell) for side in range(-SIDES, SIDES + 1)]  # type: ignore[arg-type]
    across = [ky for ky in across if abs(ky) <= f * max(eps for eps, _ in layers) ** 0.5]
    found = set()
    for ky in across:
        half = float(_half_trace(np.array([f]), ky, layers, scene.polarization)[0])
        if abs(half) >= 1:
            continue
        k = np.arccos(half) / (2 * np.pi * period)
        below = sum(_below(f * (1 - 1e-9), other, half, layers, scene.polarization) for other in across)
        at = sum(_below(f * (1 + 1e-9), other, half, layers, scene.polarization) for other in across)
        if below < mode <= at:
            found.add(round(float(k) * wavelength, 12))
    return found.pop() if len(found) == 1 else None


def _below(f: float, ky: float, cosine: float, layers: list[tuple[float, float]], polarization: str) -> int:
    """How many bands of a wave number along the layers lie below a frequency at one Bloch wave vector."""
    grid = np.linspace(f * 1e-6, f, SCAN)
    values = _half_trace(grid, ky, layers, polarization) - cosine
    return int(np.count_nonzero(values[1:] * values[:-1] < 0))


def _half_trace(f: Array, ky: float, layers: list[tuple[float, float]], polarization: str) -> Array:
    """cos(k period): half of the trace of the matrix that takes the field along z, and its slope, through one period."""
    matrix = np.broadcast_to(np.eye(2, dtype=complex), (f.size, 2, 2))
    for epsilon, thickness in layers:
        q = 2 * np.pi * np.sqrt(epsilon * f**2 - ky**2 + 0j)
        q = np.where(abs(q) > 1e-12, q, 1e-12)
        weight = q / epsilon if polarization == "Hz" else q
        c, s = np.cos(q * thickness), np.sin(q * thickness)
        step = np.moveaxis(np.array([[c, s / weight], [-weight * s, c]]), -1, 0)
        matrix = step @ matrix
    return np.asarray((matrix[:, 0, 0] + matrix[:, 1, 1]).real / 2)


def _layer(body: Any) -> bool:
    """Whether a body is a plane layer across x."""
    return body.type == "block" and min(abs(float(end)) for end in (*body.y, *body.z)) > INF / 2


def _layers(scene: Waveguide, f: float, materials: Mapping[str, Any]) -> list[tuple[float, float]]:
    """(epsilon, thickness) through one period; later bodies, each with its images, over earlier ones."""
    period = float(scene.period)  # type: ignore[arg-type]
    ends = {-period / 2, period / 2}
    for body in scene.bodies:
        ends |= {(float(x) + period / 2) % period - period / 2 for x in body.x if abs(float(x)) < INF / 2}  # type: ignore[union-attr]
    ordered, out = sorted(ends), []
    for low, high in zip(ordered, ordered[1:], strict=False):
        medium = scene.background
        for body in scene.bodies:
            first, last = float(body.x[0]), float(body.x[1])  # type: ignore[union-attr]
            if last - first >= period or ((low + high) / 2 - first) % period <= last - first:
                medium = body.medium  # type: ignore[union-attr]
        out.append((permittivity(medium, f, materials).real, high - low))
    return out
