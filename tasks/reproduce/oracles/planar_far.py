"""What a dipole among plane films sends into a half-space: its own plane waves, to and fro in its layer and through the films.

The dipole's field is written as plane and evanescent waves (Weyl); each is thrown back by the films on both sides, and what passes
those before the half-space carries power away. Sources: L. Novotny, B. Hecht, "Principles of Nano-Optics" (Cambridge 2012), chapter
10; W. Lukosz, J. Opt. Soc. Am. 71, 744 (1981). No reciprocity: the simulation is judged by another way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.permittivity import index_of, permittivity
from simkit.describe.emitter import ConeShare, Emitter, HalfSpacePattern
from simkit.describe.media import PerfectConductor
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring.values import Curve, Scalar
from tasks.reproduce.oracles.planar_dipoles import Stack, films, reflection, whole_power

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
NODES = 96  # Gauss-Legendre, on each piece of an integral
LOSS, ASIDE = 1e-6, 1e-10


def oracle(
    scene: Emitter, quantity: Quantity, materials: Mapping[str, Any], x: Array | None
) -> Scalar | Curve | None:
    """The exact value, at angles x (n,); None where bodies are no plane films, or the dipole's layer or the half-space absorbs."""
    found = films(scene) if isinstance(quantity, (HalfSpacePattern, ConeShare)) else None
    if found is None or scene.dimensions != "3D":
        return None
    axis, own, gaps, stacks = found
    f = scene.band.frequencies()[0]
    assert isinstance(quantity, (HalfSpacePattern, ConeShare))
    if quantity.side[1] != "xyz"[axis]:
        return None
    told = _Films(own, gaps, stacks, f, materials, index_of(scene.background, f, materials).real)
    if not told.clear(own) or not told.clear(told.last(quantity.side)):
        return None
    if isinstance(quantity, HalfSpacePattern):
        return None if x is None else _pattern(scene, quantity, told, np.asarray(x, float))
    low = float(quantity.lowest)
    high = math.pi / 2 if quantity.highest is None else float(quantity.highest)
    into = told.into(scene, quantity.side, low, high)
    if quantity.over == "alone":
        return Scalar(into)
    if quantity.over == "emitted":
        return Scalar(into / whole_power(scene, found, f, materials))
    other = ("-" if quantity.side[0] == "+" else "+") + quantity.side[1]
    sides = [
        quantity.side,
        *([other] if quantity.over == "radiated" and told.clear(told.last(other)) else []),
    ]
    return Scalar(into / sum(told.into(scene, side, 0.0, math.pi / 2) for side in sides))


def _pattern(scene: Emitter, quantity: HalfSpacePattern, told: _Films, x: Array) -> Curve:
    normal, p, s = told.powers(quantity.side, np.abs(x))
    axis = quantity.side[1]
    of = {"p": {axis: normal, quantity.towards: p}, "s": {}}
    of["s"] = {name: s for name in "xyz" if name not in (axis, quantity.towards)}
    y = np.zeros(x.size)
    for polarization, parts in of.items():
        if quantity.polarization in ("all", polarization):
            for along, power in parts.items():
                y = y + power * (1 / 3 if scene.orientation == "isotropic" else along == scene.orientation)
    return Curve(x, y / y.max() if quantity.over == "maximum" else y, axis="angle")


class _Films:
    """A dipole's layer and the films on both sides, at one frequency."""

    def __init__(
        self,
        own: Any,
        gaps: tuple[float, float],
        stacks: tuple[Stack, Stack],
        f: float,
        materials: Mapping[str, Any],
        alone: float,
    ) -> None:
        self.own, self.gaps, self.stacks, self.f, self.materials, self.alone = (
            own,
            gaps,
            stacks,
            f,
            materials,
            alone,
        )
        self.eps = permittivity(own, f, materials)

    def last(self, side: str) -> Any:
        """The medium of the half-space on a side."""
        stack = self.stacks[side[0] == "+"]
        return stack[-1][1] if stack else self.own

    def clear(self, medium: Any) -> bool:
        """Whether light gets far in it."""
        if isinstance(medium, PerfectConductor):
            return False
        eps = permittivity(medium, self.f, self.materials)
        return eps.real > 0 and abs(eps.imag) <= LOSS * eps.real

    def into(self, scene: Emitter, side: str, low: float, high: float) -> float:
        """Power into a cone over the dipole's alone."""
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        n = index_of(self.last(side), self.f, self.materials).real
        edges = {low, high}
        for stack in (
            *self.stacks,
            [(math.inf, self.own)],
        ):  # wherever a wave stops travelling in one of the media
            for _, medium in stack:
                if not isinstance(medium, PerfectConductor):
                    sine = index_of(medium, self.f, self.materials).real / n
                    edges |= {math.asin(sine)} if sine < 1 and low < math.asin(sine) < high else set()
        total, ends = 0.0, sorted(edges)
        for one, other in zip(ends, ends[1:], strict=False):
            turn = (nodes + 1) * math.pi / 2  # close at both ends
            angle = one + (other - one) * (1 - np.cos(turn)) / 2
            weight = weights * math.pi / 2 * (other - one) * np.sin(turn) / 2
            normal, p, s = self.powers(side, angle)
            flat = (p + s) / 2
            power = {"isotropic": (normal + 2 * flat) / 3, side[1]: normal}.get(scene.orientation, flat)
            total += float(np.sum(weight * np.sin(angle) * power)) / 2
        return total

    def powers(self, side: str, angle: Array) -> tuple[Array, Array, Array]:
        """Power per solid angle, over the dipole's alone in all directions: of one along the normal, and of ones along the films in
        the plane of the light and across it."""
        up = int(side[0] == "+")
        stack, behind, gap, back = self.stacks[up], self.stacks[1 - up], self.gaps[up], self.gaps[1 - up]
        n, own = index_of(self.last(side), self.f, self.materials).real, math.sqrt(self.eps.real)
        u: Complex = (n * np.sin(np.minimum(angle, math.pi / 2)) / own + ASIDE).astype(complex)
        q = np.sqrt(1 - u**2)
        k = 2 * math.pi * self.f * own
        leaves = np.cos(angle)  # normal wavenumber over n k0
        out = []
        for p, sign, weight in (
            (True, 1.0, np.abs(u) ** 2),
            (True, -1.0, np.abs(q) ** 2),
            (False, 1.0, np.ones_like(angle)),
        ):
            r = reflection(behind, u, q, self.eps.real, self.f, self.materials, p)
            to_and_fro = sign * r * np.exp(2j * k * back * q) if back < math.inf else np.zeros_like(q)
            through, thrown = self._through(stack, u, q, p)
            way = np.exp(1j * k * gap * q) if gap < math.inf else np.ones_like(q)
            ring = 1 - sign * to_and_fro * thrown * way**2
            passed = np.abs((1 + to_and_fro) / ring * through * way / q) ** 2
            carried = (
                leaves / n * own if p else leaves * n / own
            )  # Poynting's vector along the normal, over that along k
            out.append(1.5 * weight * passed * carried * leaves * (n / own) ** 2 * own / self.alone)
        return out[0], out[1], out[2]

    def _through(self, stack: Stack, u: Complex, q: Complex, p: bool) -> tuple[Complex, Complex]:
        """(transmission into the last medium, reflection) of E in s, of H in p, by characteristic matrices backwards from there."""
        if not stack:
            return np.ones_like(q), np.zeros_like(q)
        own = self.eps.real
        k = 2 * math.pi * self.f * math.sqrt(own)

        def admittance(eps: complex) -> tuple[Complex, Complex]:
            z = np.sqrt(eps / own - u**2 + 0j)
            z = np.where(z.imag < 0, -z, z)
            return z, z / eps if p else z

        field = np.ones_like(q)
        slope = admittance(permittivity(stack[-1][1], self.f, self.materials))[1] * field
        for thick, medium in reversed(stack[:-1]):
            z, y = admittance(permittivity(medium, self.f, self.materials))
            c, s = np.cos(k * thick * z), np.sin(k * thick * z)
            field, slope = c * field - 1j * s / y * slope, -1j * y * s * field + c * slope
        slope = slope / (q / own if p else q)
        return 2 / (field + slope), (field - slope) / (field + slope)
