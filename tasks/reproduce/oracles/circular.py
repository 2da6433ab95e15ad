"""The field of a mode of a circular rod, disk or ring in two dimensions: its Bessel and Hankel functions, matched.

Source: J. A. Stratton, "Electromagnetic Theory" (McGraw-Hill 1941), section 9.15, with outgoing waves outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Circular:
    """Layers from the centre outwards (indices: one more than radii) and a mode's order and polarisation, 'Ez' or 'Hz'."""

    radii: tuple[float, ...]
    indices: tuple[complex, ...]
    m: int
    field: str

    def matrix(self, f: complex) -> Complex:
        """Of the conditions at the interfaces; singular at the frequency of a mode."""
        size = 2 * len(self.radii)
        matrix = np.zeros((size, size), complex)
        for row, radius in enumerate(self.radii):
            for side, sign in ((row, 1), (row + 1, -1)):
                n = self.indices[side]
                weight, column = n if self.field == "Ez" else 1 / n, 0 if side == 0 else 2 * side - 1
                for shift, (value, slope) in enumerate(self._parts(side, 2 * np.pi * f * n * radius)):
                    matrix[2 * row, column + shift] = sign * value
                    matrix[2 * row + 1, column + shift] = sign * weight * slope
        return matrix

    def radial(self, f: complex, r: NDArray[np.float64]) -> tuple[Complex, Complex]:
        """The field along z and its derivative by r at radii r, up to a common factor; f: the frequency of a mode."""
        matrix = self.matrix(f)
        scale = np.abs(matrix).max(axis=0)
        weights = np.linalg.svd(matrix / scale)[2][-1].conj() / scale
        value, slope = np.zeros(r.shape, complex), np.zeros(r.shape, complex)
        layer = np.searchsorted(self.radii, r)
        for side, n in enumerate(self.indices):
            inside, k = layer == side, 2 * np.pi * f * n
            for shift, (v, s) in enumerate(self._parts(side, k * np.maximum(r[inside], 1e-12))):
                weight = weights[0 if side == 0 else 2 * side - 1 + shift]
                value[inside] += weight * v
                slope[inside] += weight * k * s
        return value, slope

    def energy(self, f: complex, r: NDArray[np.float64]) -> NDArray[np.float64]:
        """epsilon |E|^2 at radii r, up to a common factor."""
        value, slope = self.radial(f, r)
        epsilon = np.array([abs(n) ** 2 for n in self.indices])[np.searchsorted(self.radii, r)]
        if self.field == "Ez":
            return np.asarray(epsilon * np.abs(value) ** 2)
        return np.asarray((np.abs(self.m * value / np.maximum(r, 1e-12)) ** 2 + np.abs(slope) ** 2) / epsilon)

    def area(self, f: complex, outer: float) -> float:
        """Integral of epsilon |E|^2 of the rotating wave within a radius, over its largest value."""
        from scipy.integrate import quad

        edges = [0.0, *self.radii, outer]
        dense = np.concatenate(
            [np.linspace(a, b, 2001)[1:-1] for a, b in zip(edges, edges[1:], strict=False)]
        )
        whole = sum(
            quad(lambda r: float(r * self.energy(f, np.array([r]))[0]), a, b, epsrel=1e-7)[0]
            for a, b in zip(edges, edges[1:], strict=False)
        )
        return float(2 * np.pi * whole / self.energy(f, dense).max())

    def _parts(self, side: int, argument: Complex | complex) -> list[tuple[Complex, Complex]]:
        from scipy.special import h1vp, hankel1, jv, jvp, yv, yvp

        if side == 0:
            return [(jv(self.m, argument), jvp(self.m, argument))]
        if side == len(self.radii):
            return [(hankel1(self.m, argument), h1vp(self.m, argument))]
        return [(jv(self.m, argument), jvp(self.m, argument)), (yv(self.m, argument), yvp(self.m, argument))]
