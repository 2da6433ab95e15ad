"""Parallel circular cylinders in a homogeneous background, solid or of shells around one axis, any number: partial waves.

Each answers the plane wave and what all others scatter towards it (Graf's addition theorem); of one cylinder nothing is left of that.
Sources: C. F. Bohren, D. R. Huffman, "Absorption and Scattering of Light by Small Particles" (Wiley 1983), chapter 8; D. Felbacq,
G. Tayeb, D. Maystre, J. Opt. Soc. Am. A 11, 2526 (1994).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.permittivity import index_of
from simkit.arrange.places import axes_of, ends, is_rectangle, points, rectangle
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scatterer import (
    CrossSection,
    DifferentialCrossSection,
    FarField,
    FieldAlong,
    NearField,
    PointField,
    Scatterer,
)
from simkit.describe.scene import Quantity
from simkit.describe.shapes import Cylinder, Repeat, Ring, Shape
from tasks.reproduce.measuring.values import Curve, Map

MOST_WAVES = 400  # partial waves of all cylinders together
TO_THE_NEAREST = 8  # e-foldings by which waves decay on their way through the narrowest gap
_ONE_AXIS = 1e-9  # of a radius
Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class _Rod:
    """Shells around one axis: their outer radii, from the innermost on, and what fills each."""

    center: tuple[float, float]
    radii: tuple[float, ...]
    media: tuple[AnyMedium, ...]

    @property
    def radius(self) -> float:
        return self.radii[-1]


def oracle(scene: Scatterer, quantity: Quantity, materials: Mapping[str, Any], x: Array) -> Curve | None:
    """The exact curve at frequencies, angles or positions x (n,); None where the bodies are no such cylinders, or need too many waves."""
    rods = _rods(scene.bodies) if scene.dimensions == "2D" else None
    if rods is None:
        return None
    x = np.asarray(x, float)

    def lit(frequency: float) -> _Lit:
        return _Lit(scene, rods, materials, frequency)

    try:
        with np.errstate(all="ignore"):
            return _curve(scene, quantity, lit, x)
    except _TooMany:
        return None


def _curve(scene: Scatterer, quantity: Quantity, lit: Any, x: Array) -> Curve | None:
    if isinstance(quantity, CrossSection):
        y = np.array([lit(float(f)).section(quantity.process) for f in x])
        return Curve(x, y, power=1) if quantity.per is None else Curve(x, y / float(quantity.per))
    if isinstance(quantity, DifferentialCrossSection):
        angle = np.array([float(quantity.angle)])
        y = np.array([lit(float(f)).scattered(quantity.towards, angle)[0] for f in x])
        return Curve(x, y, power=1) if quantity.per is None else Curve(x, y / float(quantity.per))
    if isinstance(quantity, PointField):
        place = np.array([[float(v) for v in quantity.at]])
        return Curve(x, _told(quantity, np.concatenate([lit(float(f)).field(place) for f in x])))
    if not isinstance(quantity, (FarField, FieldAlong, NearField)):
        return None
    frequency = scene.band.frequencies()[0]
    if isinstance(quantity, FarField):
        y = lit(frequency).scattered(quantity.towards, x)
        return Curve(x, y / y.max(), "angle") if quantity.over == "maximum" else Curve(x, y, "angle", 1)
    if isinstance(quantity, FieldAlong) or not is_rectangle(quantity):
        return Curve(x, _told(quantity, lit(frequency).field(points(quantity, x))), "position")
    grid = rectangle(quantity, lit(frequency).wavelength)
    first, second = axes_of(quantity)
    places = np.zeros((grid[0].size * grid[1].size, 3)) + np.array(ends(quantity)[0])
    places[:, [first, second]] = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 2)
    return Map.of(grid, _told(quantity, lit(frequency).field(places)), ("xyz"[first], "xyz"[second]))


def _told(quantity: FieldAlong | NearField | PointField, fields: Complex) -> Array:
    parts = np.abs(fields)
    return np.asarray(
        np.sum(parts**2, axis=1)
        if quantity.field == "intensity"
        else parts[:, "xyz".index(quantity.field[1])]
    )


def _rods(bodies: Sequence[Shape]) -> list[_Rod] | None:
    """The bodies as rods that do not touch, later ones in place of earlier ones; None where they are no such."""
    found: list[_Rod] = []
    for body, center in _each(bodies):
        if isinstance(body, Cylinder) and body.axis == "z":
            shells: list[tuple[float, AnyMedium]] = [(float(body.radius), body.medium)]
        elif isinstance(body, Ring):
            shells = [(float(body.outer), body.medium), (float(body.inner), body.filling)]
        else:
            return None
        if any(isinstance(medium, PerfectConductor) for _, medium in shells):
            return None
        outer = shells[0][0]
        same = [rod for rod in found if np.hypot(*np.subtract(rod.center, center)) < _ONE_AXIS * rod.radius]
        around = [pair for rod in same for pair in zip(rod.radii, rod.media, strict=True) if pair[0] > outer]
        whole = sorted([*shells, *around], key=lambda pair: pair[0])
        found = [rod for rod in found if rod not in same]
        new = _Rod(center, tuple(radius for radius, _ in whole), tuple(medium for _, medium in whole))
        if any(_apart(rod, new) <= 1 for rod in found):
            return None
        found.append(new)
    return found


def _each(bodies: Sequence[Shape]) -> Iterator[tuple[Any, tuple[float, float]]]:
    """Each body with the centre that it is drawn at."""
    for shape in bodies:
        body, count = (shape.body, shape.count) if isinstance(shape, Repeat) else (shape, 1)
        for number in range(count):
            at = getattr(body, "center", (0, 0, 0))
            step = shape.step if isinstance(shape, Repeat) else (0, 0, 0)
            yield body, (float(at[0]) + number * float(step[0]), float(at[1]) + number * float(step[1]))
            if number > MOST_WAVES:
                break


def _apart(one: _Rod, other: _Rod) -> float:
    """Distance of two axes over the sum of the radii."""
    return float(np.hypot(*np.subtract(one.center, other.center))) / (one.radius + other.radius)


class _TooMany(Exception):
    """More partial waves than are worth computing, or than double precision holds."""


class _Lit:
    """The partial waves of all rods in light of one frequency.

    Of H along z instead of E where E lies across the rods. Coefficients are of J_n (towards a rod), of H_n (from it), times
    exp(i n phi), phi from the direction of light.
    """

    def __init__(
        self, scene: Scatterer, rods: Sequence[_Rod], materials: Mapping[str, Any], frequency: float
    ) -> None:
        from scipy.special import hankel1

        self.rods, self.along = rods, scene.polarization == "z"
        axis = "z" if self.along else "x"
        outside = index_of(scene.background, frequency, materials)
        self.wavelength = 1 / (frequency * outside.real)
        self.k = 2 * np.pi * frequency * outside.real
        self.inner = [
            np.array([index_of(medium, frequency, materials, axis) / outside for medium in rod.media])
            for rod in rods
        ]
        self.wave = np.zeros(3)
        self.wave["xyz".index(scene.direction[1])] = 1 if scene.direction[0] == "+" else -1
        self.beside = np.array([-self.wave[1], self.wave[0], 0.0])
        centers = np.array([[*rod.center, 0.0] for rod in rods])
        self.centers = np.stack([centers @ self.wave, centers @ self.beside], axis=-1)
        self.orders = [np.arange(-count, count + 1) for count in map(self._count, range(len(rods)))]
        if sum(orders.size for orders in self.orders) > MOST_WAVES:
            raise _TooMany
        self.shells = [self._shells(number) for number in range(len(rods))]
        plane = [
            1j**orders * np.exp(1j * self.k * place[0])
            for orders, place in zip(self.orders, self.centers, strict=True)
        ]
        # unknown: what each sends, times H_n at its own rim, so that high orders are neither huge nor tiny
        rims = [hankel1(n, self.k * rod.radius) for n, rod in zip(self.orders, rods, strict=True)]
        rows = []
        for j, orders in enumerate(self.orders):
            answer = self.shells[j][-1][1] * rims[j]
            row = [
                np.eye(orders.size) if i == j else -answer[:, None] * self._from(i, j) / rims[i]
                for i in range(len(rods))
            ]
            rows.append((np.concatenate(row, axis=1), answer * plane[j]))
        system, right = np.concatenate([row for row, _ in rows]), np.concatenate([b for _, b in rows])
        if not (np.all(np.isfinite(system)) and np.all(np.isfinite(right))):
            raise _TooMany
        ends_at = np.cumsum([orders.size for orders in self.orders])[:-1]
        scaled = np.split(np.linalg.solve(system, right), ends_at)
        self.sent = [one / rim for one, rim in zip(scaled, rims, strict=True)]
        self.plane = plane
        self.met = [  # all that comes to each
            plane[j] + sum(self._from(i, j) @ self.sent[i] for i in range(len(rods)) if i != j)
            for j in range(len(rods))
        ]

    def _count(self, number: int) -> int:
        rod = self.rods[number]
        size = self.k * rod.radius
        nearest = min((_apart(rod, other) for other in self.rods if other is not rod), default=np.inf)
        count = size + 4 * size ** (1 / 3) + 8 + TO_THE_NEAREST / np.arccosh(nearest)
        if not count < MOST_WAVES:
            raise _TooMany
        return int(count)

    def _from(self, sender: int, receiver: int) -> Complex:
        """(orders of the receiver, orders of the sender): what comes of what another sends."""
        from scipy.special import hankel1

        forward, aside = self.centers[receiver] - self.centers[sender]
        m = self.orders[sender][None, :] - self.orders[receiver][:, None]
        every = np.arange(m.min(), m.max() + 1)
        waves = hankel1(every, self.k * np.hypot(forward, aside)) * np.exp(
            1j * every * np.arctan2(aside, forward)
        )
        return np.asarray(waves[m - m.min()])

    def _shells(self, number: int) -> list[tuple[Complex, Complex]]:
        """Of each shell, from the innermost on, and of the background: the share of J_n in it, and that of H_n beside its J_n."""
        from scipy.special import h1vp, hankel1, jv, jvp

        rod, n = self.rods[number], self.orders[number]
        indices = np.append(self.inner[number], 1.0)
        beside = [np.zeros(n.size, complex)]
        for radius, m, further in zip(rod.radii, indices[:-1], indices[1:], strict=True):
            z, out = m * self.k * radius, further * self.k * radius
            weight, outer = (m, further) if self.along else (1 / m, 1 / further)
            b = beside[-1]
            slope = weight * (jvp(n, z) + b * h1vp(n, z))
            value = jv(n, z) + b * hankel1(n, z)
            beside.append(
                (slope * jv(n, out) - value * outer * jvp(n, out))
                / (value * outer * h1vp(n, out) - slope * hankel1(n, out))
            )
        share = np.ones(n.size, complex)
        found = [(share, beside[-1])]
        for number_of_shell in range(len(rod.radii) - 1, -1, -1):
            radius = rod.radii[number_of_shell]
            there, here = (
                jv(n, indices[i] * self.k * radius) + beside[i] * hankel1(n, indices[i] * self.k * radius)
                for i in (number_of_shell + 1, number_of_shell)
            )
            share = share * there / here
            found.append((share, beside[number_of_shell]))
        return found[::-1]

    def section(self, process: str) -> float:
        """Cross-section per length, a length."""
        pairs = list(zip(self.plane, self.met, self.sent, strict=True))
        extinction = -4 / self.k * sum(float(np.sum((plane.conj() * sent).real)) for plane, _, sent in pairs)
        absorption = (
            -4
            / self.k
            * sum(float(np.sum((met.conj() * sent).real + np.abs(sent) ** 2)) for _, met, sent in pairs)
        )
        return {"extinction": extinction, "absorption": absorption}.get(process, extinction - absorption)

    def scattered(self, towards: str, angle: Array) -> Array:
        """Differential cross-section (n,) at angles from the direction of light towards an axis."""
        turned = angle * float(self.beside["xyz".index(towards)] or 1.0)
        far = np.zeros(angle.size, complex)
        for place, orders, sent in zip(self.centers, self.orders, self.sent, strict=True):
            way = np.cos(turned) * place[0] + np.sin(turned) * place[1]
            waves = np.exp(1j * np.outer(turned, orders)) @ ((-1j) ** orders * sent)
            far += np.exp(-1j * self.k * way) * waves
        return np.asarray(2 / (np.pi * self.k) * np.abs(far) ** 2)

    def field(self, places: Array) -> Complex:
        """E over the incident amplitude at places (n, 3), (n, 3)."""
        flat = np.stack([places @ self.wave, places @ self.beside], axis=-1)
        out = np.zeros((len(places), 3), complex)
        outside = np.ones(len(places), bool)
        for number, rod in enumerate(self.rods):
            r = np.hypot(*(flat - self.centers[number]).T)
            inner = 0.0
            for shell, radius in enumerate(rod.radii):
                here = (r >= inner) & (r < radius)
                share, beside = self.shells[number][shell]
                m, met = self.inner[number][shell], self.met[number] * share
                out[here] = self._waves(number, flat[here], m, met, met * beside)
                inner = radius
            outside &= r >= rod.radius
        plane = np.exp(1j * self.k * flat[outside, 0])
        out[outside] = plane[:, None] * (np.array([0, 0, 1.0]) if self.along else self.beside)
        for number, sent in enumerate(self.sent):
            out[outside] += self._waves(number, flat[outside], 1.0, 0 * sent, sent)
        return out

    def _waves(self, number: int, flat: Array, m: complex, standing: Complex, running: Complex) -> Complex:
        """E (n, 3) of partial waves around a rod at places (n, 2), in a medium of index m; of H along z E = (i k / q^2) curl H."""
        from scipy.special import h1vp, hankel1, jv, jvp

        n, q = self.orders[number], m * self.k
        forward, aside = (flat - self.centers[number]).T
        r = np.maximum(np.hypot(forward, aside), 1e-9 * self.rods[number].radius)
        turn = np.exp(1j * np.outer(np.arctan2(aside, forward), n))
        z = (q * r)[:, None]
        value, slope = np.zeros((2, r.size, n.size), complex)
        for part, of, steep in ((standing, jv, jvp), (running, hankel1, h1vp)):
            if np.any(part):
                value += part * of(n, z)
                slope += part * steep(n, z)
        fields = np.zeros((r.size, 3), complex)
        if self.along:
            fields[:, 2] = np.sum(value * turn, axis=1)
            return fields
        radial = 1j * self.k / (q**2 * r) * ((value * turn) @ (1j * n))
        around = -1j * self.k / q * np.sum(slope * turn, axis=1)
        unit_r = (forward[:, None] * self.wave + aside[:, None] * self.beside) / r[:, None]
        unit_phi = (-aside[:, None] * self.wave + forward[:, None] * self.beside) / r[:, None]
        return np.asarray(radial[:, None] * unit_r + around[:, None] * unit_phi)
