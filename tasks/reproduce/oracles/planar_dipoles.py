"""A dipole in or near plane films and mirrors: its power as an integral over the waves it sends out.

Each wave of lateral wavenumber u k meets the films on both sides of the dipole; their reflection coefficients give its share.
The path runs below the real axis, around the poles of guided modes and surface waves. Sources: R. R. Chance, A. Prock,
R. Silbey, Adv. Chem. Phys. 37, 1 (1978); W. Lukosz, J. Opt. Soc. Am. 71, 744 (1981); one ideal mirror: K. H. Drexhage,
J. Lumin. 1-2, 693 (1970), whose image also gives the pattern. In two dimensions the same for a line of dipoles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.extent import extent, finite
from simkit.arrange.frames import ideal_mirror
from simkit.arrange.patterns import circle
from simkit.arrange.permittivity import index_of, permittivity
from simkit.describe.emitter import Emitter, PurcellFactor, PurcellSpectrum, RadiationPattern
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring.emitter import dipole_pattern
from tasks.reproduce.measuring.values import Curve, Scalar

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Stack = list[tuple[float, AnyMedium]]
"""(thickness, medium) outwards from the dipole's own medium; the last one is half-infinite, its thickness inf."""
DEEP, TAIL = 0.1, 40.0  # depth of the path; exponent at which the tail ends
POINTS = 48  # Gauss-Legendre, on each piece


def oracle(
    scene: Emitter, quantity: Quantity, materials: Mapping[str, Any], x: Array | None
) -> Scalar | Curve | None:
    """The exact value, at frequencies (or angles) x (n,); None where bodies are no plane films or the dipole touches one."""
    if isinstance(quantity, RadiationPattern):
        return None if x is None else _pattern(scene, quantity, materials, np.asarray(x, float))
    if not isinstance(quantity, (PurcellFactor, PurcellSpectrum)):
        return None
    found = films(scene)
    if found is None:
        return None
    single = isinstance(quantity, PurcellFactor)
    f = np.array([scene.band.frequencies()[0]]) if single or x is None else np.asarray(x, float)
    y = np.array([whole_power(scene, found, float(one), materials) for one in f])
    return Scalar(float(y[0])) if single else Curve(f, y)


Found = tuple[int, AnyMedium, tuple[float, float], tuple[Stack, Stack]]


def whole_power(scene: Emitter, found: Found, f: float, materials: Mapping[str, Any]) -> float:
    """Power over that in the background alone, of what `films` found; of an isotropic dipole the mean over its directions."""
    if scene.orientation != "isotropic":
        return _power(scene, *found, f, materials)
    normal = "xyz"[found[0]]
    shares = {normal: 1 / 3, "xyz"[(found[0] + 1) % 3]: 2 / 3}
    return sum(
        share * _power(scene.model_copy(update={"orientation": axis}), *found, f, materials)
        for axis, share in shares.items()
    )


def films(scene: Emitter) -> Found | None:
    """(axis across the films, medium around the dipole, its distances to the films below and above, the films there)."""
    bounded = {
        i for body in scene.bodies for i, pair in enumerate(extent([body])) if any(finite(v) for v in pair)
    }
    if len(bounded) != 1 or any(body.type != "block" for body in scene.bodies):
        return None
    (axis,) = bounded
    if scene.dimensions == "2D" and axis == 2:
        return None
    media = [scene.background, *(body.medium for body in scene.bodies)]  # type: ignore[union-attr]
    if any(isinstance(getattr(m, "epsilon", None), tuple) for m in media):
        return None
    ends = sorted({v for body in scene.bodies for v in extent([body])[axis] if finite(v)})
    places = [ends[0] - 1, *((a + b) / 2 for a, b in zip(ends, ends[1:], strict=False)), ends[-1] + 1]
    filled: list[AnyMedium] = []
    for place in places:
        medium = scene.background
        for body in scene.bodies:
            low, high = extent([body])[axis]
            medium = body.medium if low <= place <= high else medium  # type: ignore[union-attr]
        filled.append(medium)
    at = float(scene.position[axis])
    if any(abs(at - end) < 1e-9 for end in ends):
        return None
    number = sum(end < at for end in ends)
    own = filled[number]
    if isinstance(own, PerfectConductor):
        return None
    thick = [math.inf, *(b - a for a, b in zip(ends, ends[1:], strict=False)), math.inf]
    below = list(zip(thick[:number], filled[:number], strict=True))[::-1]
    above = list(zip(thick[number + 1 :], filled[number + 1 :], strict=True))
    gaps = (
        at - ends[number - 1] if number else math.inf,
        ends[number] - at if number < len(ends) else math.inf,
    )
    return axis, own, gaps, (below, above)


def _power(
    scene: Emitter,
    axis: int,
    own: AnyMedium,
    gaps: tuple[float, float],
    stacks: tuple[Stack, Stack],
    f: float,
    materials: Mapping[str, Any],
) -> float:
    """Power over that in the background alone."""
    inside, outside = permittivity(own, f, materials), index_of(scene.background, f, materials).real
    if abs(inside.imag) > 1e-9 * abs(inside) or inside.real <= 0:
        raise ValueError("a dipole in an absorbing medium")
    n = math.sqrt(inside.real)
    k = 2 * math.pi * f * n
    largest = max(
        [
            abs(permittivity(m, f, materials)) / inside.real
            for stack in stacks
            for _, m in stack
            if not isinstance(m, PerfectConductor)
        ],
        default=1.0,
    )
    gap = min(gaps)
    u, weights = _path(
        2 + 1.5 * math.sqrt(largest), TAIL / (2 * k * gap), k * max(g for g in gaps if g < math.inf)
    )
    q = np.sqrt(1 - u**2)
    waves = [np.exp(2j * k * g * q) if g < math.inf else np.zeros_like(u) for g in gaps]
    r_s, r_p = (
        [reflection(stack, u, q, inside.real, f, materials, p) for stack in stacks] for p in (False, True)
    )

    def share(r: list[Complex], sign: float) -> Complex:
        """Field at the dipole of waves to and fro, over that without films, minus one."""
        one, other = sign * r[0] * waves[0], sign * r[1] * waves[1]
        return (1 + one) * (1 + other) / (1 - one * other) - 1

    across = scene.orientation == "xyz"[axis]
    if scene.dimensions == "2D":
        if scene.orientation == "z":
            return float(1 + 2 / math.pi * np.sum(weights * share(r_s, 1) / q).real)
        kernel = u**2 / q * share(r_p, 1) if across else q * share(r_p, -1)
        return float(1 + 4 / math.pi * np.sum(weights * kernel).real)
    if across:
        kernel = 1.5 * u**3 / q * share(r_p, 1)
    else:
        kernel = 0.75 * u / q * (share(r_s, 1) + q**2 * share(r_p, -1))
    return float((1 + np.sum(weights * kernel).real) * n / outside)


def _path(bend: float, tail: float, phase: float) -> tuple[Complex, Complex]:
    """Points and weights from 0 below the real axis to `bend`, then along it until exp(-TAIL)."""
    nodes, own = np.polynomial.legendre.leggauss(POINTS)
    pieces = 8 + math.ceil(phase)
    t = np.concatenate([(nodes + 1) / 2 / pieces + i / pieces for i in range(pieces)])
    w = np.tile(own / 2 / pieces, pieces)
    depth = min(DEEP, 3 / max(phase, 1.0))
    u = bend * t - 1j * depth * np.sin(math.pi * t)
    weights = w * (bend - 1j * depth * math.pi * np.cos(math.pi * t))
    steps = np.geomspace(1, 1 + max(tail, 1.0) / bend, 7) * bend
    for low, high in zip(steps, steps[1:], strict=False):
        u = np.append(u, (low + high) / 2 + (high - low) / 2 * nodes)
        weights = np.append(weights, (high - low) / 2 * own)
    return u, weights


def reflection(
    stack: Sequence[tuple[float, AnyMedium]],
    u: Complex,
    q: Complex,
    own: float,
    f: float,
    materials: Mapping[str, Any],
    p: bool,
) -> Complex:
    """Reflection coefficient (of E in s, of H in p) seen from the dipole's medium; 0 without films."""
    if not stack:
        return np.zeros_like(u)
    k = 2 * math.pi * f * math.sqrt(own)
    media: list[tuple[float, complex | None]] = [
        (0.0, own),
        *((t, None if isinstance(m, PerfectConductor) else permittivity(m, f, materials)) for t, m in stack),
    ]
    total: Complex | None = None
    for (_, near), (thick, far) in reversed(list(zip(media, media[1:], strict=False))):
        if far is None:
            total = np.full_like(u, 1 if p else -1)
            continue
        if near is None:
            continue  # behind an ideal metal
        one, other = (np.sqrt(e / own - u**2 + 0j) for e in (near, far))
        one, other = (np.where(v.imag < 0, -v, v) for v in (one, other))
        a, b = (one / near, other / far) if p else (one, other)
        r = (a - b) / (a + b)
        if total is not None:
            back = total * np.exp(2j * k * thick * other)
            r = (r + back) / (1 + r * back)
        total = r
    assert total is not None
    return total


def _pattern(
    scene: Emitter, quantity: RadiationPattern, materials: Mapping[str, Any], angle: Array
) -> Curve | None:
    """Of a dipole alone, or before one ideal mirror: its own pattern, and that of its image."""
    place = [float(p) for p in scene.position]
    found = ideal_mirror(scene.bodies, place)
    if len(scene.bodies) > 1 or (scene.bodies and found is None):
        return None
    own = dipole_pattern(scene, quantity, angle)
    if found is not None:
        _, axis, face = found
        toward = np.array([d[axis] for d in circle(quantity.zero, quantity.towards, angle.size)])
        f = scene.band.frequencies()[0]
        phase = (
            2 * math.pi * f * index_of(scene.background, f, materials).real * (place[axis] - face) * toward
        )
        own = own * 4 * (np.cos if scene.orientation == "xyz"[axis] else np.sin)(phase) ** 2
        own = np.where(toward * (place[axis] - face) < -1e-12, 0.0, own)
    return Curve(angle, own / own.max() if quantity.over == "maximum" else own, axis="angle")
