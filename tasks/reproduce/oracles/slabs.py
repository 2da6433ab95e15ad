"""Guided modes of plane films: roots of the dispersion relation by transfer of fields, lossless media (damped_guides.py has the others).

Source: P. Yeh, "Optical Waves in Layered Media" (Wiley 1988), chapter 11.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.damped_guide import OF_LOSS, is_damped
from simkit.arrange.extent import finite
from simkit.arrange.permittivity import permittivity
from simkit.arrange.places import ends, points, positions
from simkit.arrange.waveguide import limits
from simkit.describe.base import INF
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import BeatLength, EffectiveIndex, GuidedProfile, Waveguide
from tasks.reproduce.measuring.values import Curve, Scalar

SCAN, STEP = 3000, 1e-4


def oracle(
    scene: Waveguide, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None
) -> Scalar | Curve | None:
    """The exact value for films along y, called periodic or not; None for anything else, where there is no such mode, and where a
    period folds the bands."""
    if not are_films(scene) or isinstance(quantity, OF_LOSS) or is_damped(scene, materials):
        return None
    wavelength = float(scene.wavelength)
    found = modes(scene, wavelength, materials)
    if scene.period is not None and found and not found[0] < wavelength / (2 * float(scene.period)):
        return None
    last = quantity.second if isinstance(quantity, BeatLength) else quantity.mode  # type: ignore[attr-defined]
    if len(found) < last:
        return None
    if isinstance(quantity, BeatLength):
        return Scalar(wavelength / (2 * (found[quantity.first - 1] - found[quantity.second - 1])), power=1)
    if isinstance(quantity, GuidedProfile):
        return _profile(scene, quantity, found[last - 1], materials, x)
    if isinstance(quantity, EffectiveIndex):
        return Scalar(found[last - 1])
    beside = [modes(scene, wavelength * (1 + side), materials) for side in (-STEP, STEP)]
    if min(map(len, beside)) < last:
        return None
    slope = (beside[1][last - 1] - beside[0][last - 1]) / (2 * STEP * wavelength)
    return Scalar(found[last - 1] - wavelength * slope)


def are_films(scene: Waveguide) -> bool:
    """Whether a guide is of plane films along y alone."""
    return scene.dimensions == "2D" and scene.supercell is None and all(map(_film, scene.bodies))


def _film(body: Any) -> bool:
    return body.type == "block" and min(abs(float(end)) for end in body.x) > INF / 2


def _profile(
    scene: Waveguide,
    quantity: GuidedProfile,
    index: float,
    materials: Mapping[str, Any],
    x: NDArray[np.float64] | None,
) -> Curve | None:
    """Of the field along z, transferred from film to film; where it grows again beyond the last, its decay instead."""
    own = {"Ez": ("E", "Ez"), "Hz": ("Hz",)}[scene.polarization]
    if quantity.component not in own:
        return None
    x = positions(quantity, np.linspace(*ends(quantity), 201)) if x is None else x
    layers = _layers(scene, 1 / float(scene.wavelength), materials)
    dense = field(scene, index, layers, np.linspace(*ends(quantity), 4001)[:, 1])
    at = points(quantity, x)[:, 1]
    return Curve(x, np.abs(field(scene, index, layers, at)) / np.abs(dense).max(), axis="position")


def field(
    scene: Waveguide, index: complex, layers: Sequence[tuple[complex, float]], y: NDArray[np.float64]
) -> NDArray[np.complex128]:
    """The field along z (n,) of a mode at y (n,); layers: (epsilon, thickness) from below to above."""
    k0, across = 2 * np.pi / float(scene.wavelength), scene.polarization == "Hz"
    edge = min(float(v) for body in scene.bodies for v in body.y if finite(float(v)))  # type: ignore[union-attr]
    weights = [1 / epsilon if across else 1.0 for epsilon, _ in layers]
    decay = [k0 * np.sqrt(index**2 - epsilon + 0j) for epsilon, _ in layers]
    own, slope = 1.0 + 0j, decay[0] * weights[0]
    found = np.where(y <= edge, np.exp(decay[0] * np.minimum(y - edge, 0)), 0j)
    for (_, thickness), q, weight in zip(layers[1:-1], decay[1:-1], weights[1:-1], strict=True):
        inside, d = (y > edge) & (y <= edge + thickness), y - edge
        q = q if abs(q) > 1e-12 else 1e-12 + 0j
        found[inside] = (np.cosh(q * d) * own + np.sinh(q * d) / (q * weight) * slope)[inside]
        c, s = np.cosh(q * thickness), np.sinh(q * thickness)
        own, slope = c * own + s / (q * weight) * slope, q * weight * s * own + c * slope
        edge += thickness
    beyond = y > edge
    found[beyond] = (own * np.exp(-decay[-1] * np.maximum(y - edge, 0)))[beyond]
    return np.asarray(found)


def modes(scene: Waveguide, wavelength: float, materials: Mapping[str, Any]) -> list[float]:
    """Effective indices of all guided modes at a wavelength, highest first."""
    layers = _layers(scene, 1 / wavelength, materials)
    low, high = limits(scene.model_copy(update={"wavelength": wavelength}), materials)
    return indices(layers, 2 * np.pi / wavelength, scene.polarization == "Hz", low, high)


def indices(
    layers: list[tuple[float, float]], k0: float, across: bool, low: float, high: float
) -> list[float]:
    """Effective indices of the modes of films between two indices, highest first. layers: (epsilon, thickness), half-spaces first and
    last; across: of Hz."""
    from scipy.optimize import brentq

    grid = np.linspace(low * (1 + 1e-9), high * (1 - 1e-9), SCAN)

    def relation(index: float) -> float:
        return _mismatch(index, layers, k0, across)

    values = [relation(float(n)) for n in grid]
    found = [
        float(brentq(relation, grid[i], grid[i + 1], xtol=1e-14))
        for i in range(SCAN - 1)
        if values[i] * values[i + 1] < 0
    ]
    return sorted(found, reverse=True)


def _mismatch(index: float, layers: list[tuple[float, float]], k0: float, across: bool) -> float:
    """Zero where fields that decay on both sides meet; layers: (epsilon, thickness), half-spaces first and last."""

    def inverse(epsilon: float) -> float:
        return 1 / epsilon if across else 1.0

    first, last = layers[0][0], layers[-1][0]
    field, slope = 1.0 + 0j, k0 * np.sqrt(index**2 - first + 0j) * inverse(first)
    for epsilon, thickness in layers[1:-1]:
        q = k0 * np.sqrt(index**2 - epsilon + 0j)
        q = q if abs(q) > 1e-12 else 1e-12 + 0j
        c, s, weight = np.cosh(q * thickness), np.sinh(q * thickness), q * inverse(epsilon)
        field, slope = c * field + s / weight * slope, weight * s * field + c * slope
    return float((slope + k0 * np.sqrt(index**2 - last + 0j) * inverse(last) * field).real)


def _layers(scene: Waveguide, f: float, materials: Mapping[str, Any]) -> list[tuple[float, float]]:
    """(epsilon, thickness) from below to above, of media without loss."""
    return [
        (permittivity(medium, f, materials).real, thickness) for medium, thickness in media_of_films(scene)
    ]


def media_of_films(scene: Waveguide) -> list[tuple[Any, float]]:
    """(medium, thickness) from below to above; later bodies over earlier ones. Half-spaces first and last, of thickness 0."""
    edges = sorted({float(v) for body in scene.bodies for v in body.y if finite(float(v))})  # type: ignore[union-attr]
    places = [edges[0] - 1, *((a + b) / 2 for a, b in zip(edges, edges[1:], strict=False)), edges[-1] + 1]
    thicknesses = [0.0, *(b - a for a, b in zip(edges, edges[1:], strict=False)), 0.0]
    out = []
    for place, thickness in zip(places, thicknesses, strict=True):
        medium = scene.background
        for body in scene.bodies:
            if float(body.y[0]) <= place <= float(body.y[1]):  # type: ignore[union-attr]
                medium = body.medium  # type: ignore[union-attr]
        out.append((medium, thickness))
    return out
