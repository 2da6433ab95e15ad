"""Modes of a circular rod, disk or ring in two dimensions: roots of the Bessel-Hankel determinant.

Source: J. A. Stratton, "Electromagnetic Theory" (McGraw-Hill 1941), section 9.15, with outgoing waves outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.mode_fields import around
from simkit.arrange.modes import LEAST_Q
from simkit.arrange.permittivity import dispersive, index_of
from simkit.arrange.places import axes_of, ends, is_rectangle, points, positions, rectangle
from simkit.arrange.resonator import band
from simkit.describe.media import PerfectConductor
from simkit.describe.resonator import (
    DecayTime,
    LineWidth,
    ModePattern,
    ModeProfile,
    ModeVolume,
    QualityFactor,
    Resonator,
    RingDown,
)
from simkit.describe.scene import Quantity
from simkit.describe.shapes import Cylinder, Ring
from tasks.reproduce.measuring.values import Curve, Map, Scalar
from tasks.reproduce.oracles.circular import Circular

ZERO = 1e-6  # of the determinant at the guess: some guesses are given back as roots that are none
ABOVE_RIM = 3  # azimuthal orders beyond those whose waves fit round the rim: they have no mode


def oracle(
    scene: Resonator, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None
) -> Scalar | Curve | None:
    """The exact value, where one circular body stands in the middle and the choice does not hang on the excitation."""
    layers = _layers(scene, materials)
    choose = quantity.choose  # type: ignore[attr-defined]
    if layers is None or choose == "strongest":
        return None
    low, high = band(scene, quantity)
    orders = None if scene.m is None else [scene.m]
    found = [
        mode
        for mode in roots(*layers, low, high, scene.field, orders)
        if mode[0].real / (-2 * mode[0].imag) >= LEAST_Q
    ]
    if isinstance(quantity, ModePattern):
        found = [mode for mode in found if _standing(scene, quantity, mode[1]) is not None]
    if not found or (choose == "only" and len(found) > 1):
        return None
    f, m = (
        min(found, key=lambda mode: abs(mode[0].real - (low + high) / 2))
        if choose == "nearest"
        else min(found, key=lambda mode: -mode[0].imag / mode[0].real)
    )
    exact = Circular(tuple(layers[0]), tuple(layers[1]), m, scene.field)
    if isinstance(quantity, ModeProfile):
        if is_rectangle(quantity):
            return _over_rectangle(scene, quantity, exact, f, materials)
        return _profile(scene, quantity, exact, f, x)
    if isinstance(quantity, ModePattern):
        return _pattern(scene, quantity, m, x)
    if isinstance(quantity, ModeVolume):
        return _volume(scene, quantity, exact, f, materials)
    if isinstance(quantity, RingDown):
        return _ring_down(quantity, f, x)
    if isinstance(quantity, DecayTime):
        return Scalar(1 / (-4 * np.pi * f.imag), power=1)
    if isinstance(quantity, LineWidth):
        return Scalar(quantity.of(f.real, f.real / (-2 * f.imag)), power=quantity.power)
    return Scalar(f.real / (-2 * f.imag)) if isinstance(quantity, QualityFactor) else Scalar(f.real, power=-1)


def roots(
    radii: list[float],
    indices: list[complex],
    low: float,
    high: float,
    field: str,
    orders: Sequence[int] | None = None,
) -> list[tuple[complex, int]]:
    """Complex frequencies with their real part in the band, ascending, and their azimuthal orders (None: all).

    indices: of the layers from the centre outwards, one more than radii. field: 'Ez' or 'Hz'.
    """
    from scipy.optimize import root

    guesses = [complex(f, -f / (2 * q)) for f in np.linspace(low, high, 15) for q in (10, 100, 1000)]
    out: list[tuple[complex, int]] = []
    largest = max(abs(n) for n in indices) * 2 * np.pi * high * max(radii)
    for m in range(int(largest) + ABOVE_RIM) if orders is None else orders:
        exact = Circular(tuple(radii), tuple(indices), m, field)
        for guess in guesses:
            scale = abs(np.linalg.det(exact.matrix(guess)))

            def both(v: NDArray[np.float64], exact: Circular = exact, scale: float = scale) -> list[float]:
                value = complex(np.linalg.det(exact.matrix(complex(v[0], v[1])))) / scale
                return [value.real, value.imag]

            found = root(both, [guess.real, guess.imag], tol=1e-13)
            f = complex(found.x[0], found.x[1])
            if (
                found.success
                and np.hypot(*found.fun) < ZERO
                and low <= f.real <= high
                and f.imag < 0
                and not any(abs(f - g) < 1e-6 * abs(f) for g, _ in out)
            ):
                out.append((f, m))
    return sorted(out, key=lambda mode: mode[0].real)


def _profile(
    scene: Resonator, quantity: ModeProfile, exact: Circular, f: complex, x: NDArray[np.float64] | None
) -> Curve | None:
    """Of the field along z on a line through the centre; without m not through it, where the waves cos and sin mix."""
    start, end = ends(quantity)
    (axis,) = axes_of(quantity)
    own = {"Ez": ("E", "Ez"), "Hz": ("Hz",)}[scene.field]
    if quantity.component not in own or any(start[i] for i in (0, 1) if i != axis):
        return None
    x = positions(quantity, np.linspace(start, end, 201)) if x is None else x
    dense = np.abs(exact.radial(f, np.abs(np.linspace(start, end, 4001)[:, axis]))[0]).max()
    at = points(quantity, x)[:, axis]
    return Curve(x, np.abs(exact.radial(f, np.abs(at))[0]) / dense, axis="position")


def _over_rectangle(
    scene: Resonator, quantity: ModeProfile, exact: Circular, f: complex, materials: Mapping[str, Any]
) -> Map | None:
    """Of the field along z of the wave that the parities leave, cos or sin of m phi."""
    wave, own = _standing(scene, quantity, exact.m), {"Ez": ("E", "Ez"), "Hz": ("Hz",)}[scene.field]
    if quantity.component not in own or wave is None or axes_of(quantity) != (0, 1):
        return None
    low = scene.search.frequencies()[0]
    grid = rectangle(quantity, 1 / (low * index_of(scene.background, low, materials).real))
    x, y = np.meshgrid(*grid, indexing="ij")
    turn = {"cos": np.cos, "sin": np.sin}[wave](exact.m * np.arctan2(y, x))
    field = np.abs(exact.radial(f, np.hypot(x, y).reshape(-1))[0] * turn.reshape(-1))
    return Map.of(grid, field / field.max(), ("x", "y"))


def _standing(scene: Resonator, quantity: ModePattern | ModeProfile, m: int) -> str | None:
    """'cos' or 'sin' (m phi, of the field along z): the wave of order m with these parities; None: there is none, or both."""
    sign = 1 if scene.field == "Ez" else -1  # parities are those of the electric field
    wanted = {
        axis: sign * (1 if parity == "even" else -1)
        for axis, parity in (("x", quantity.parity_x), ("y", quantity.parity_y))
        if parity
    }
    own = {"cos": {"x": (-1) ** m, "y": 1}, "sin": {"x": -((-1) ** m), "y": -1}}
    fits = [
        wave
        for wave, has in own.items()
        if (m or wave == "cos") and all(has[axis] == s for axis, s in wanted.items())
    ]
    return fits[0] if len(fits) == 1 else None


def _pattern(scene: Resonator, quantity: ModePattern, m: int, x: NDArray[np.float64] | None) -> Curve:
    at = np.linspace(0, 2 * np.pi, 360, endpoint=False) if x is None else x
    angle = at if quantity.zero == "x" else np.pi / 2 - at
    wave = np.cos if _standing(scene, quantity, m) == "cos" else np.sin
    return Curve(at, wave(m * angle) ** 2, axis="angle")


def _ring_down(quantity: RingDown, f: complex, x: NDArray[np.float64] | None) -> Curve:
    at = np.linspace(0, float(quantity.duration), 201) if x is None else x
    field = np.exp(-2j * np.pi * f * at)
    return Curve(
        at,
        {"energy": np.abs(field) ** 2, "envelope": np.abs(field), "field": field.real}[quantity.what],
        axis="time",
    )


def _volume(
    scene: Resonator, quantity: ModeVolume, exact: Circular, f: complex, materials: Mapping[str, Any]
) -> Scalar | None:
    if scene.m is None or quantity.per == "medium":
        return None
    area = exact.area(f, exact.radii[-1] + around(scene, f.real, materials))
    return Scalar(area, power=2) if quantity.per == "length" else Scalar(area * f.real**2)


def _layers(scene: Resonator, materials: Mapping[str, Any]) -> tuple[list[float], list[complex]] | None:
    if scene.dimensions != "2D" or scene.periodic or len(scene.bodies) != 1:
        return None
    (body,) = scene.bodies
    if not isinstance(body, (Ring, Cylinder)):
        return None
    media: list[Any] = [body.medium, scene.background]
    if isinstance(body, Ring):
        media.insert(0, body.filling)
    if any(isinstance(m, PerfectConductor) or dispersive(m, materials) for m in media):
        return None
    if any(float(c) for c in body.center[:2]) or (isinstance(body, Cylinder) and body.axis != "z"):
        return None
    radii = [float(body.inner), float(body.outer)] if isinstance(body, Ring) else [float(body.radius)]
    return radii, [index_of(m, 1.0, materials) for m in media]
