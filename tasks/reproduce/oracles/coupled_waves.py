"""Lamellar gratings by coupled waves: any layers of bars, all orders, both polarisations, at an angle in the plane x-z.

Fields are expanded in the grating's orders; every layer is solved by its eigenmodes, layers are joined by scattering
matrices, which stay stable however thick they are. Where E lies across the bars, permittivity is expanded by its inverse:
Fourier series of products of two jumping functions converge only so. Slots in ideal metal have modes of their own (slots.py).

Sources: M. G. Moharam, T. K. Gaylord, J. Opt. Soc. Am. 71, 811 (1981); L. Li, J. Opt. Soc. Am. A 13, 1024 and 1870 (1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.reproduce.oracles.slots import slots_of, through_slots

Complex = NDArray[np.inexact[Any]]
Slices = Sequence[tuple[float, complex | None]]
"""(width, permittivity, None of an ideal metal) along x from -period/2, filling one period."""


@dataclass(frozen=True)
class Orders:
    """Power in each order over the incident power; both (2 n + 1,), order 0 in the middle."""

    reflected: NDArray[np.float64]
    transmitted: NDArray[np.float64]


def diffracted(
    frequency: float,
    period: float,
    layers: Sequence[tuple[float, Slices]],
    front: complex,
    back: complex | None,
    across: bool,
    lateral: float = 0.0,
    count: int = 20,
) -> Orders:
    """Orders of a plane wave that comes from `front` (permittivity); layers (thickness, slices) from front to back.

    frequency in c/length. across: E across the bars (H along them). lateral: the wave's index along x, n sin(angle). back:
    None for a perfect conductor. count: orders kept on each side.
    """
    k = lateral + np.arange(-count, count + 1) / (period * frequency)
    behind = None if back is None else _plain(k, back, across)
    w0, v0 = _plain(k, front, across)
    size = k.size
    total = (
        np.zeros((size, size), complex),
        np.eye(size, dtype=complex),
        np.eye(size, dtype=complex),
        np.zeros((size, size), complex),
    )  # reflection from the front, transmission to and fro, reflection from the back
    free = (np.diag(w0), np.diag(v0))
    here = free
    for thickness, slices in layers:
        slots = slots_of(slices)
        if slots is None:
            w, v, q = _modes(k, slices, period, across)
            total = _through(
                _joined(total, _interface(here, (w, v))), np.exp(2j * np.pi * frequency * thickness * q)
            )
            here = (w, v)
        else:  # between orders of the front's medium, which may be of no thickness
            total = _joined(
                _joined(total, _interface(here, free)),
                through_slots(k, (w0, v0), slots, period, thickness, frequency, across, _forward),
            )
            here = free
    if behind is not None:
        total = _joined(total, _interface(here, (np.diag(behind[0]), np.diag(behind[1]))))
    if (
        behind is None
    ):  # tangential E vanishes: V(forward - backward) = 0 across the bars, forward + backward = 0 along them
        sign = 1.0 if across else -1.0
        r11, t12, t21, r22 = total
        reflection = r11 + t12 @ np.linalg.solve(np.eye(size) - sign * r22, sign * t21)
        transmission = np.zeros((size, size), complex)
    else:
        reflection, transmission = total[0], total[2]
    incident = v0[count].real
    reflected = np.abs(reflection[:, count]) ** 2 * v0.real / incident
    transmitted = (
        np.zeros(size) if behind is None else np.abs(transmission[:, count]) ** 2 * behind[1].real / incident
    )
    return Orders(reflected, transmitted)


def _plain(k: NDArray[np.float64], epsilon: complex, across: bool) -> tuple[Complex, Complex]:
    """Modes of a homogeneous medium: fields and admittances, both diagonal, (n,)."""
    q = _forward(epsilon - k.astype(complex) ** 2)
    return np.ones(k.size, complex), q / (epsilon if across else 1)


def _forward(square: Complex) -> Complex:
    """The root that travels or decays forward; a mode at cut-off is moved a trifle off it."""
    q = np.sqrt(np.where(np.abs(square) < 1e-14, 1e-14, square) + 0j)
    return np.where((q.imag < -1e-12) | ((np.abs(q.imag) <= 1e-12) & (q.real < 0)), -q, q)


def _modes(
    k: NDArray[np.float64], slices: Slices, period: float, across: bool
) -> tuple[Complex, Complex, Complex]:
    """(tangential fields along the bars, across them, index along z) of a layer's modes, as columns."""
    solid = [(width, epsilon) for width, epsilon in slices if epsilon is not None]
    assert len(solid) == len(slices), "slots in a perfect conductor have modes of their own"
    if len({epsilon for _, epsilon in solid}) == 1:
        w, v = _plain(k, solid[0][1], across)
        return np.diag(w), np.diag(v), _forward(solid[0][1] - k.astype(complex) ** 2)
    direct = _toeplitz(solid, period, k.size)
    if not across:
        square, w = np.linalg.eig(direct - np.diag(k**2))
        q = _forward(square)
        return w, w * q, q
    inverse = _toeplitz([(width, 1 / epsilon) for width, epsilon in solid], period, k.size)
    bent = np.eye(k.size) - k[:, None] * np.linalg.solve(direct, np.diag(k).astype(complex))
    square, w = np.linalg.eig(np.linalg.solve(inverse, bent))
    q = _forward(square)
    return w, inverse @ w * q, q


def _toeplitz(slices: Sequence[tuple[float, complex]], period: float, size: int) -> Complex:
    """The matrix of Fourier coefficients c[m - n] of a function that is constant in slices from -period/2 on."""
    orders = np.arange(1 - size, size)
    nonzero = np.where(orders == 0, 1, orders)
    coefficients, at = np.zeros(orders.size, complex), -period / 2
    for width, value in slices:
        ends = np.exp(-2j * np.pi * np.outer([at, at + width], orders) / period)
        coefficients += value * np.where(
            orders == 0, width / period, (ends[0] - ends[1]) / (2j * np.pi * nonzero)
        )
        at += width
    index = np.arange(size)
    return np.asarray(coefficients[index[:, None] - index[None, :] + size - 1])


def _interface(
    one: tuple[Complex, Complex], other: tuple[Complex, Complex]
) -> tuple[Complex, Complex, Complex, Complex]:
    """Scattering matrix where the fields of two sets of modes meet."""
    a, b = np.linalg.solve(other[0], one[0]), np.linalg.solve(other[1], one[1])
    plus, minus = (a + b) / 2, (a - b) / 2
    back = np.linalg.inv(plus)
    return -back @ minus, back, plus - minus @ back @ minus, minus @ back


def _joined(
    first: tuple[Complex, ...], second: tuple[Complex, ...]
) -> tuple[Complex, Complex, Complex, Complex]:
    """Two scattering matrices one after the other (Redheffer)."""
    r1, b1, f1, s1 = first
    r2, b2, f2, s2 = second
    unit = np.eye(r1.shape[0])
    there, again = np.linalg.solve(unit - s1 @ r2, f1), np.linalg.solve(unit - r2 @ s1, b2)
    return r1 + b1 @ r2 @ there, b1 @ again, f2 @ there, s2 + f2 @ s1 @ again


def _through(total: tuple[Complex, ...], phase: Complex) -> tuple[Complex, Complex, Complex, Complex]:
    """The scattering matrix extended by a layer's thickness."""
    r, b, f, s = total
    return r, b * phase[None, :], phase[:, None] * f, phase[:, None] * s * phase[None, :]
