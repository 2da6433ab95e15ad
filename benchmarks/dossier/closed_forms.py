"""Exact values from drawn numbers alone: no description, no scene and no oracle of ReproLab is read.

Lengths in um, frequencies in c/um, time as exp(-i omega t). Sources: M. Born, E. Wolf, "Principles of Optics", section 1.6 (films); C. F.
Bohren, D. R. Huffman, "Absorption and Scattering of Light by Small Particles", chapters 4 and 8 (spheres, cylinders); A. W. Snyder, J. D.
Love, "Optical Waveguide Theory", chapter 12 (slabs, fibres); P. Yeh, "Optical Waves in Layered Media", chapter 6 (layered crystals); K. H.
Drexhage, Prog. Opt. 12, 163 (1974) (dipoles before a mirror).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def stack(
    f: Array, indices: Sequence[complex], lengths: Sequence[float], angle: float = 0.0, p: bool = False
) -> tuple[Complex, Complex, Array, Array]:
    """(r, t, R, T) of films: Airy's sums, film by film. indices: (layers + 2,) from the side of the light; r and t of E."""
    f = np.asarray(f, float)
    lateral = indices[0] * math.sin(angle)
    cosines = [np.sqrt(1 - (lateral / n) ** 2 + 0j) for n in indices]

    def face(i: int, j: int) -> tuple[complex, complex]:
        a, b = (indices[j], indices[i]) if p else (indices[i], indices[j])
        sign = -1 if p else 1
        r = sign * (a * cosines[i] - b * cosines[j]) / (a * cosines[i] + b * cosines[j])
        return r, 2 * indices[i] * cosines[i] / (a * cosines[i] + b * cosines[j])

    r, t = (np.full(f.shape, v, complex) for v in face(len(indices) - 2, len(indices) - 1))
    for i in range(len(indices) - 3, -1, -1):
        r0, t0 = face(i, i + 1)
        turn = np.exp(2j * np.pi * f * indices[i + 1] * cosines[i + 1] * lengths[i])
        r, t = (r0 + r * turn**2) / (1 + r0 * r * turn**2), t0 * t * turn / (1 + r0 * r * turn**2)
    first, last = indices[0] * cosines[0], indices[-1] * cosines[-1]
    if p:  # power of amplitudes of E
        first, last = indices[0] * np.conj(cosines[0]), indices[-1] * np.conj(cosines[-1])
    return r, t, np.abs(r) ** 2, np.abs(t) ** 2 * (last.real / first.real)


def shells(radii: Sequence[float], indices: Sequence[complex], k: float, along: bool) -> Complex:
    """Amplitudes c_m, m = -M..M, of what a cylinder of shells scatters: field + sum of i^m c_m H_m(kr) e^(i m phi) for light
    e^(ikx). indices: from the centre outwards, one more than radii, the last one 1 (k is that of the background)."""
    most = math.ceil(k * radii[-1] + 4 * (k * radii[-1]) ** (1 / 3) + 8)
    found = []
    for m in range(most + 1):
        size = 2 * len(radii)
        rows, right = np.zeros((size, size), complex), np.zeros(size, complex)
        for i, radius in enumerate(radii):
            for side, sign in ((i, 1), (i + 1, -1)):
                n = indices[side]
                z, slope = n * k * radius, n if along else 1 / n
                if side == 0:
                    waves = [(0, special.jv(m, z), special.jvp(m, z))]
                elif side == len(radii):
                    waves = [(size - 1, special.hankel1(m, z), special.h1vp(m, z))]
                    right[2 * i : 2 * i + 2] = special.jv(m, z), slope * special.jvp(m, z)
                else:
                    waves = [
                        (2 * side - 1, special.jv(m, z), special.jvp(m, z)),
                        (2 * side, special.yv(m, z), special.yvp(m, z)),
                    ]
                for column, value, derived in waves:
                    rows[2 * i, column] += sign * value
                    rows[2 * i + 1, column] += sign * slope * derived
        found.append(np.linalg.solve(rows, right)[-1])
    return np.array([*found[:0:-1], *found])


def cylinder(
    radii: Sequence[float], indices: Sequence[complex], f: float, along: bool
) -> tuple[float, float]:
    """(scattering, extinction) widths; the background is vacuum."""
    k = 2 * np.pi * f
    c = shells(radii, indices, k, along)
    return float(4 / k * np.sum(np.abs(c) ** 2)), float(-4 / k * np.sum(c.real))


def cylinder_pattern(
    radii: Sequence[float], indices: Sequence[complex], f: float, along: bool, angle: Array
) -> Array:
    """Scattered width per angle from the direction of the light."""
    k = 2 * np.pi * f
    c = shells(radii, indices, k, along)
    m = np.arange(c.size) - c.size // 2
    return np.asarray(2 / (np.pi * k) * np.abs(np.exp(1j * np.outer(angle, m)) @ c) ** 2)


def _riccati(n: Array, z: complex) -> tuple[Any, Any, Any, Any]:
    """psi, psi', xi, xi' (Bohren and Huffman)."""
    j, y = special.spherical_jn(n, z), special.spherical_yn(n, z)
    dj, dy = special.spherical_jn(n, z, True), special.spherical_yn(n, z, True)
    h, dh = j + 1j * y, dj + 1j * dy
    return z * j, j + z * dj, z * h, h + z * dh


def sphere(radius: float, m: complex, f: float) -> float:
    """Scattering efficiency in vacuum."""
    x = 2 * np.pi * f * radius
    n = np.arange(1, math.ceil(x + 4 * x ** (1 / 3) + 8))
    inner, outer = _riccati(n, m * x), _riccati(n, x)
    a = (m * inner[0] * outer[1] - outer[0] * inner[1]) / (m * inner[0] * outer[3] - outer[2] * inner[1])
    b = (inner[0] * outer[1] - m * outer[0] * inner[1]) / (inner[0] * outer[3] - m * outer[2] * inner[1])
    return float(2 / x**2 * np.sum((2 * n + 1) * (np.abs(a) ** 2 + np.abs(b) ** 2)))


def sphere_modes(
    radius: float, index: float, order: int, magnetic: bool, low: float, high: float
) -> list[complex]:
    """Complex frequencies of a sphere's modes of one order in vacuum: poles of b_n (magnetic: no radial E) or a_n."""

    def pole(f: complex) -> complex:
        x = 2 * np.pi * f * radius
        inner, outer = _riccati(np.array([order]), index * x), _riccati(np.array([order]), x)
        if magnetic:
            return complex((inner[0] * outer[3] - index * outer[2] * inner[1])[0] / outer[2][0])
        return complex((index * inner[0] * outer[3] - outer[2] * inner[1])[0] / outer[2][0])

    return _roots(pole, low, high)


def _roots(pole: Callable[[complex], complex], low: float, high: float) -> list[complex]:
    found: list[complex] = []
    with np.errstate(all="ignore"):  # of guesses that wander off
        _collect(pole, low, high, found)
    return sorted(found, key=lambda f: f.real)


def _collect(pole: Callable[[complex], complex], low: float, high: float, found: list[complex]) -> None:
    for start in np.linspace(low, high, 40):
        for q in (10, 100, 2000):
            try:
                f = complex(optimize.newton(pole, complex(start, -start / 2 / q), tol=1e-13, maxiter=60))
            except (RuntimeError, ZeroDivisionError, np.linalg.LinAlgError):
                continue
            known = any(abs(f - g) < 1e-7 * abs(f) for g in found)
            if low <= f.real <= high and f.imag < 0 and not known and abs(pole(f)) < 1e-6:
                found.append(f)


def slab(f: float, below: float, core: float, above: float, width: float, along: bool) -> list[float]:
    """Effective indices of a film between two half-spaces, highest first: its phase is a whole number of half turns."""

    def surplus(n: float, m: int) -> float:
        k = 2 * np.pi * f
        q = math.sqrt(max(core**2 - n**2, 1e-15))
        turn = k * q * width - m * math.pi
        for side in (below, above):
            weight = 1.0 if along else (core / side) ** 2
            turn -= math.atan(weight * math.sqrt(max(n**2 - side**2, 0.0)) / q)
        return turn

    low, high = max(below, above) * (1 + 1e-12), core * (1 - 1e-12)
    found: list[float] = []
    while surplus(low, len(found)) > 0:
        m = len(found)
        found.append(float(optimize.brentq(lambda n, m=m: surplus(n, m), low, high, xtol=1e-14)))
    return found


def group_index(index: Callable[[float], float], f: float) -> float:
    """n + f dn/df, of five points."""
    h = 1e-3 * f
    slope = (8 * (index(f + h) - index(f - h)) - index(f + 2 * h) + index(f - 2 * h)) / (12 * h)
    return index(f) + f * slope


def slab_frequency(k: float, below: float, core: float, above: float, width: float, along: bool) -> float:
    """Frequency of the first mode with the wavenumber k (1/length) along the film."""
    low, high = k / core * (1 + 1e-9), k / max(below, above) * (1 - 1e-9)

    def miss(f: float) -> float:
        found = slab(f, below, core, above, width, along)
        return (found[0] if found else max(below, above)) - k / f

    return float(optimize.brentq(miss, low, high, xtol=1e-13))


def fibre(f: float, core: float, cladding: float, radius: float) -> float:
    """Effective index of the first mode (HE11) of a round core."""
    k = 2 * np.pi * f

    def miss(n: float) -> float:
        u, w = k * radius * math.sqrt(core**2 - n**2), k * radius * math.sqrt(n**2 - cladding**2)
        j, dj, b, db = special.jv(1, u), special.jvp(1, u), special.kv(1, w), special.kvp(1, w)
        one, other = dj / (u * j), db / (w * b)
        right = (n / core) ** 2 * (1 / u**2 + 1 / w**2) ** 2
        return float(((one + other) * (one + (cladding / core) ** 2 * other) - right) * (u * j) ** 2)

    grid = np.linspace(core * (1 - 1e-9), cladding * (1 + 1e-9), 4000)
    values = [miss(float(n)) for n in grid]
    for i in range(grid.size - 1):
        if values[i] * values[i + 1] < 0:
            return float(optimize.brentq(miss, grid[i], grid[i + 1], xtol=1e-14))
    raise ValueError("no guided mode")


def layered(k: float, n1: float, d1: float, n2: float, d2: float, count: int) -> list[float]:
    """The lowest frequencies at the Bloch wavenumber k (1/length) of two layers in turn, at normal incidence."""

    def miss(f: Any) -> Any:
        a, b = 2 * np.pi * f * n1 * d1, 2 * np.pi * f * n2 * d2
        one = np.cos(a) * np.cos(b) - (n1 / n2 + n2 / n1) / 2 * np.sin(a) * np.sin(b)
        return one - math.cos(2 * np.pi * k * (d1 + d2))

    top = (count + 1) / (n1 * d1 + n2 * d2)
    grid = np.linspace(1e-9, top, 20000)
    values = miss(grid)
    at = np.flatnonzero(values[:-1] * values[1:] < 0)
    return [float(optimize.brentq(miss, grid[i], grid[i + 1], xtol=1e-14)) for i in at[:count]]


def layered_edges(n1: float, d1: float, n2: float, d2: float) -> tuple[float, float]:
    """The first gap, at the edge of the zone: where the trace is -2, above and below the middle."""

    def trace(f: float) -> float:
        a, b = 2 * np.pi * f * n1 * d1, 2 * np.pi * f * n2 * d2
        return math.cos(a) * math.cos(b) - (n1 / n2 + n2 / n1) / 2 * math.sin(a) * math.sin(b) + 1

    middle = 0.5 / (n1 * d1 + n2 * d2)
    found = optimize.minimize_scalar(trace, bounds=(0.6 * middle, 1.4 * middle), method="bounded").x
    return tuple(float(optimize.brentq(trace, found, end * middle, xtol=1e-14)) for end in (0.3, 1.7))  # type: ignore[return-value]


def before_mirror(f: float, distance: float, orientation: str, line: bool) -> float:
    """Power of a dipole (or a line of dipoles) before an ideal mirror across z (line: across y) over that alone."""
    a = 4 * np.pi * f * distance
    if line:
        if orientation == "z":
            return float(1 - special.jv(0, a))
        across = orientation == "y"
        return float(
            1 + special.jv(0, a) + special.jv(2, a) if across else 1 - special.jv(0, a) + special.jv(2, a)
        )
    if orientation == "z":
        return float(1 - 3 * (math.cos(a) / a**2 - math.sin(a) / a**3))
    return float(1 - 1.5 * (math.sin(a) / a + math.cos(a) / a**2 - math.sin(a) / a**3))


def shells_modes(
    radii: Sequence[float], indices: Sequence[float], m: int, along: bool, low: float, high: float
) -> list[complex]:
    """Complex frequencies of a cylinder's modes of azimuthal order m: the impedance from within is that of an outgoing wave."""

    def pole(f: complex) -> complex:
        k = 2 * np.pi * f
        value, slope = special.jv(m, indices[0] * k * radii[0]), special.jvp(m, indices[0] * k * radii[0])
        slope = slope * (indices[0] if along else 1 / indices[0])
        for i in range(1, len(radii)):
            n, weight = indices[i], indices[i] if along else 1 / indices[i]
            a, b = n * k * radii[i - 1], n * k * radii[i]
            rows = np.array(
                [
                    [special.jv(m, a), special.yv(m, a)],
                    [weight * special.jvp(m, a), weight * special.yvp(m, a)],
                ]
            )
            one, other = np.linalg.solve(rows, np.array([value, slope]))
            value = one * special.jv(m, b) + other * special.yv(m, b)
            slope = weight * (one * special.jvp(m, b) + other * special.yvp(m, b))
        z = indices[-1] * k * radii[-1]
        weight = indices[-1] if along else 1 / indices[-1]
        return complex(slope - weight * special.h1vp(m, z) / special.hankel1(m, z) * value)

    return _roots(pole, low, high)
