"""A dipole in or near plane films and mirrors: its power as an integral over the waves it sends out.

Each wave of lateral wavenumber u k meets the films on both sides of the dipole; their reflection coefficients give its share.
The path runs below the real axis, around the poles of guided modes and surface waves. Sources: R. R. Chance, A. Prock,
R. Silbey, Adv. Chem. Phys. 37, 1 (1978); W. Lukosz, J. Opt. Soc. Am. 71, 744 (1981); one ideal mirror: K. H. Drexhage,
J. Lumin. 1-2, 693 (1970), whose image also gives the pattern. In two dimensions the same for a line of dipoles, where the residue of a
guided mode's pole is what goes into that mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.extent import extent, finite
from simkit.arrange.frames import ideal_mirror
from simkit.arrange.patterns import circle
from simkit.arrange.permittivity import index_of, permittivity
from simkit.describe.emitter import Emitter, GuidedShare, PurcellFactor, PurcellSpectrum, RadiationPattern
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring.emitter import dipole_pattern
from tasks.reproduce.measuring.values import Curve, Scalar
from tasks.reproduce.oracles.slabs import indices

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Stack = list[tuple[float, AnyMedium]]
"""(thickness, medium) outwards from the dipole's own medium; the last one is half-infinite, its thickness inf."""
DEEP, TAIL = 0.1, 40.0  # depth of the path; exponent at which the tail ends
POINTS = 48  # Gauss-Legendre, on each piece
AROUND = 64  # points around a pole


def oracle(
    scene: Emitter, quantity: Quantity, materials: Mapping[str, Any], x: Array | None
) -> Scalar | Curve | None:
    """The exact value, at frequencies (or angles) x (n,); None where bodies are no plane films or the dipole touches one."""
    if isinstance(quantity, RadiationPattern):
        return None if x is None else _pattern(scene, quantity, materials, np.asarray(x, float))
    if not isinstance(quantity, (PurcellFactor, PurcellSpectrum, GuidedShare)):
        return None
    found = films(scene)
    if found is None:
        return None
    if isinstance(quantity, GuidedShare):
        return _guided(scene, quantity, found, materials)
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
    if scene.dimensions == "2D":
        return float(
            1 + np.sum(weights * _line(scene, axis, inside.real, gaps, stacks, f, materials, u)).real
        )
    q, share = _shares(inside.real, gaps, stacks, f, materials, u)
    if scene.orientation == "xyz"[axis]:
        kernel = 1.5 * u**3 / q * (share(True, 1) - 1)
    else:
        kernel = 0.75 * u / q * (share(False, 1) - 1 + q**2 * (share(True, -1) - 1))
    return float((1 + np.sum(weights * kernel).real) * n / outside)


def _shares(
    own: float,
    gaps: tuple[float, float],
    stacks: tuple[Stack, Stack],
    f: float,
    materials: Mapping[str, Any],
    u: Complex,
) -> tuple[Complex, Callable[[bool, int], Complex]]:
    """The wavenumber across the films over that in the dipole's medium, and the field at the dipole of waves to and fro, over that without
    films: of p or s, and of a dipole that its image adds to or is taken from."""
    k = 2 * math.pi * f * math.sqrt(own)
    q = np.sqrt(1 - u**2)
    q = np.where(q.imag < 0, -q, q)
    waves = [np.exp(2j * k * g * q) if g < math.inf else np.zeros_like(u) for g in gaps]

    def share(p: bool, sign: int) -> Complex:
        one, other = (
            sign * reflection(stack, u, q, own, f, materials, p) * wave
            for stack, wave in zip(stacks, waves, strict=True)
        )
        return (1 + one) * (1 + other) / (1 - one * other)

    return q, share


def _line(
    scene: Emitter,
    axis: int,
    own: float,
    gaps: tuple[float, float],
    stacks: tuple[Stack, Stack],
    f: float,
    materials: Mapping[str, Any],
    u: Complex,
    less: int = 1,
) -> Complex:
    """What films add to the power of a line of dipoles, per u. less: 0 for all of it, which is even in the wavenumber across them."""
    q, share = _shares(own, gaps, stacks, f, materials, u)
    if scene.orientation == "z":
        return 2 / math.pi * (share(False, 1) - less) / q
    across = scene.orientation == "xyz"[axis]
    return 4 / math.pi * (u**2 / q * (share(True, 1) - less) if across else q * (share(True, -1) - less))


def _guided(
    scene: Emitter, quantity: GuidedShare, found: Found, materials: Mapping[str, Any]
) -> Scalar | None:
    """Half of a mode's residue for each side that the films run out of; in two dimensions, without loss and ideal metal."""
    axis, own, gaps, stacks = found
    if scene.dimensions != "2D" or quantity.sides[0][1] == "xyz"[axis]:
        return None
    f, (below, above) = scene.band.frequencies()[0], stacks
    laid = [*reversed(below), (sum(gaps), own), *above]
    if not below or not above or any(isinstance(medium, PerfectConductor) for _, medium in laid):
        return None
    layers = [(permittivity(medium, f, materials), 0.0 if math.isinf(t) else t) for t, medium in laid]
    if any(abs(eps.imag) > 1e-9 * abs(eps) or eps.real <= 0 for eps, _ in layers):
        return None
    real = [(eps.real, t) for eps, t in layers]
    n = math.sqrt(permittivity(own, f, materials).real)
    ends = math.sqrt(max(real[0][0], real[-1][0])), math.sqrt(max(eps for eps, _ in real))
    modes = indices(real, 2 * math.pi * f, scene.orientation != "z", *ends) if ends[1] > ends[0] else []
    if len(modes) < quantity.mode:
        return None
    at = modes[quantity.mode - 1]
    apart = [
        abs(at - other) for other in (*modes, ends[0], n, *(math.sqrt(eps) for eps, _ in real)) if other != at
    ]
    turn = np.exp(2j * math.pi * (np.arange(AROUND) + 0.5) / AROUND)
    reach = 0.3 * min(apart) / n
    values = _line(scene, axis, n**2, gaps, stacks, f, materials, at / n + reach * turn, 0)
    residue = np.mean(values * reach * turn)
    power = float((1j * math.pi * residue).real) * len(quantity.sides) / 2
    return Scalar(power if quantity.over == "alone" else power / whole_power(scene, found, f, materials))


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
