"""Modes of a circular rod, disk or ring in two dimensions: roots of the Bessel-Hankel determinant.

Source: J. A. Stratton, "Electromagnetic Theory" (McGraw-Hill 1941), section 9.15, with outgoing waves outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root
from scipy.special import h1vp, hankel1, jv, jvp, yv, yvp

from simkit.arrange.modes import LEAST_Q
from simkit.arrange.permittivity import dispersive, index_of
from simkit.arrange.resonator import band
from simkit.describe.media import PerfectConductor
from simkit.describe.resonator import QualityFactor, Resonator
from simkit.describe.scene import Quantity
from tasks.measuring.values import Scalar

ABOVE_RIM = 3  # azimuthal orders beyond those whose waves fit round the rim: they have no mode


def oracle(scene: Resonator, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None) -> Scalar | None:
    """The exact value, where one circular body stands in the middle and the choice does not hang on the excitation."""
    layers = _layers(scene, materials)
    choose = quantity.choose  # type: ignore[attr-defined]
    if layers is None or choose == "strongest":
        return None
    low, high = band(scene, quantity)
    found = [f for f in roots(*layers, low, high, scene.field) if f.real / (-2 * f.imag) >= LEAST_Q]
    if not found or (choose == "only" and len(found) > 1):
        return None
    mode = (min(found, key=lambda f: abs(f.real - (low + high) / 2)) if choose == "nearest"
            else min(found, key=lambda f: -f.imag / f.real))
    return Scalar(mode.real / (-2 * mode.imag)) if isinstance(quantity, QualityFactor) else Scalar(mode.real, power=-1)


def roots(radii: list[float], indices: list[complex], low: float, high: float, field: str) -> list[complex]:
    """Complex frequencies of all azimuthal orders with their real part in the band, ascending.

    indices: of the layers from the centre outwards, one more than radii. field: 'Ez' or 'Hz'.
    """
    guesses = [complex(f, -f / (2 * q)) for f in np.linspace(low, high, 15) for q in (10, 100, 1000)]
    out: list[complex] = []
    largest = max(abs(n) for n in indices) * 2 * np.pi * high * max(radii)
    for m in range(int(largest) + ABOVE_RIM):
        for guess in guesses:
            scale = abs(_determinant(guess, m, radii, indices, field))

            def both(v: NDArray[np.float64], m: int = m, scale: float = scale) -> list[float]:
                value = _determinant(complex(v[0], v[1]), m, radii, indices, field) / scale
                return [value.real, value.imag]

            found = root(both, [guess.real, guess.imag], tol=1e-13)
            f = complex(found.x[0], found.x[1])
            if found.success and low <= f.real <= high and f.imag < 0 and not any(abs(f - g) < 1e-6 * abs(f) for g in out):
                out.append(f)
    return sorted(out, key=lambda f: f.real)


def _determinant(f: complex, m: int, radii: list[float], indices: list[complex], field: str) -> complex:
    size = 2 * len(radii)
    matrix = np.zeros((size, size), complex)
    for row, radius in enumerate(radii):
        for side, n, sign in ((row, indices[row], 1), (row + 1, indices[row + 1], -1)):
            k = 2 * np.pi * f * n
            weight = n if field == "Ez" else 1 / n
            if side == 0:
                parts, column = [(jv(m, k * radius), jvp(m, k * radius))], 0
            elif side == len(radii):
                parts, column = [(hankel1(m, k * radius), h1vp(m, k * radius))], size - 1
            else:
                parts = [(jv(m, k * radius), jvp(m, k * radius)), (yv(m, k * radius), yvp(m, k * radius))]
                column = 2 * side - 1
            for shift, (value, slope) in enumerate(parts):
                matrix[2 * row, column + shift] = sign * value
                matrix[2 * row + 1, column + shift] = sign * weight * slope
    return complex(np.linalg.det(matrix))


def _layers(scene: Resonator, materials: Mapping[str, Any]) -> tuple[list[float], list[complex]] | None:
    if scene.dimensions != "2D" or scene.periodic or len(scene.bodies) != 1 or scene.bodies[0].type not in ("ring", "cylinder"):
        return None
    (body,) = scene.bodies
    media: list[Any] = [body.medium, scene.background]
    if body.type == "ring":
        media.insert(0, body.filling)
    if any(isinstance(m, PerfectConductor) or dispersive(m, materials) for m in media):
        return None
    if any(float(c) for c in body.center[:2]) or (body.type == "cylinder" and body.axis != "z"):
        return None
    radii = [float(body.inner), float(body.outer)] if body.type == "ring" else [float(body.radius)]  # type: ignore[union-attr]
    return radii, [index_of(m, 1.0, materials) for m in media]
