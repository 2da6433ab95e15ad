"""Films and patterned layers by the Fourier modal method: every layer's modes in the orders of one or two periods.

Fields go as exp(2 pi i (k . r - f t)), lengths count in wavelengths, H in units of E over the impedance of free space. Where the
permittivity jumps, D is continuous along the normal and E along the edge. A product of two series that jump at the same place
converges only by the inverse of the inverse's series, so D = eps E along the edge and (1/eps)^-1 E along the normal, which is told
by a smooth tensor N N of normals (of bars exactly x x). It is symmetric in both factors, so that power is kept and both
ways through a layer are equal. Layers are joined by reflection from the back, which is stable however thick they are.

Sources: L. Li, J. Opt. Soc. Am. A 14, 2758 (1997); E. Popov, M. Neviere, J. Opt. Soc. Am. A 18, 2886 (2001);
T. Schuster et al., J. Opt. Soc. Am. A 24, 2880 (2007). Plain numbers and numpy only: this runs alone in the sandbox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.inexact[Any]]
Array = NDArray[np.float64]
CUT_OFF = 1e-7  # of q^2: a wave along the layer is moved this far off its cut-off
GRID = 256  # samples a period of the field of normals
FILTER = 0.8  # its width over the highest order of the outlines that it is made from
NEAR = 1 / 128  # of the shorter period: how close to an edge its normal alone decides


@dataclass(frozen=True)
class Layer:
    """thickness in any length; epsilon of its media; chi: their indicators' coefficients, None of a plain film.
    normals: coefficients of N_x N_x and N_x N_y, on a grid's full set of orders."""

    thickness: float
    epsilon: tuple[complex, ...]
    chi: Complex | None = None
    normals: tuple[Complex, Complex] | None = None


@dataclass(frozen=True)
class Waves:
    """Of one frequency: orders (n, 2), power in each reflected and transmitted over the incident power (n,), and the
    amplitudes of E in order 0 along the incident one, at the first and behind the last interface."""

    orders: NDArray[np.int64]
    reflected: Array
    transmitted: Array
    r: complex
    t: complex


def kept_orders(period: Sequence[float], radius: float) -> NDArray[np.int64]:
    """All orders (n, 2) whose lateral waves have a wavelength of at least 1/radius."""
    top = [int(np.floor(radius * p + 1e-9)) for p in period] + [0] * (2 - len(period))
    m, n = np.meshgrid(np.arange(-top[0], top[0] + 1), np.arange(-top[1], top[1] + 1), indexing="ij")
    across = [p for p in period] + [np.inf] * (2 - len(period))
    inside = (m / across[0]) ** 2 + (n / across[1]) ** 2 <= (radius * (1 + 1e-9)) ** 2
    return np.stack([m[inside], n[inside]], axis=1)


def normals(chi: Complex, period: Sequence[float]) -> tuple[Complex, Complex]:
    """Coefficients (GRID, GRID) of N_x N_x and N_x N_y, where N is normal to the edges that the indicators draw.

    The tensor of gradients is drawn out from the edges with a weight that falls fast with the distance and scaled to trace 1: on
    an edge it is N N, between edges it turns smoothly, and without a sign it needs no seam.
    """
    if chi.shape[2] == 1:  # bars
        one = np.zeros((GRID, 1), complex)
        one[0, 0] = 1
        return one, np.zeros((GRID, 1), complex)
    a, b = period
    tops = [(size - 1) // 2 for size in chi.shape[1:]]
    m, n = (np.arange(-top, top + 1) for top in tops)
    soft = np.exp(-((m[:, None] / (FILTER * tops[0])) ** 2) - (n[None, :] / (FILTER * tops[1])) ** 2)
    xx = xy = yy = np.zeros((GRID, GRID))
    for one in chi[1:] if len(chi) > 1 else chi:
        gx = _on_grid(2j * np.pi * m[:, None] / a * soft * one).real
        gy = _on_grid(2j * np.pi * n[None, :] / b * soft * one).real
        size = np.sqrt(gx**2 + gy**2)
        size = np.where(size > 0, size, 1)
        xx, xy, yy = xx + gx * gx / size, xy + gx * gy / size, yy + gy * gy / size
    x, y = (np.minimum(np.arange(GRID), GRID - np.arange(GRID)) / GRID * p for p in (a, b))
    kernel = np.fft.fft2(1 / (x[:, None] ** 2 + y[None, :] ** 2 + (NEAR * min(a, b)) ** 2) ** 2)
    xx, xy, yy = (np.fft.ifft2(np.fft.fft2(part) * kernel).real for part in (xx, xy, yy))
    trace = xx + yy
    trace = np.where(trace > 0, trace, 1)
    return np.fft.fft2(xx / trace) / GRID**2, np.fft.fft2(xy / trace) / GRID**2


def _on_grid(coefficients: Complex) -> Complex:
    full = np.zeros((GRID, GRID), complex)
    m, n = (np.arange(size) - (size - 1) // 2 for size in coefficients.shape)
    full[np.ix_(m % GRID, n % GRID)] = coefficients
    return np.asarray(np.fft.ifft2(full) * GRID**2)


def diffracted(
    frequency: float,
    period: Sequence[float],
    layers: Sequence[Layer | float],
    front: complex,
    back: complex | None,
    along: str,
    lateral: float,
    orders: NDArray[np.int64],
) -> Waves:
    """Orders of a plane wave from `front` (permittivity); layers from front to back, a number among them a resistive sheet.

    frequency in c/length. back: None for a perfect conductor. along: 'x' (E in the plane x-z) or 'y'. lateral: the wave's
    index along x.
    """
    across = [*period, np.inf, np.inf][:2]
    kx = lateral + orders[:, 0] / (across[0] * frequency)
    ky = orders[:, 1] / (across[1] * frequency)
    count = kx.size
    eye = np.eye(2 * count, dtype=complex)
    if back is None:  # tangential E vanishes
        e, h = np.zeros_like(eye), eye
    else:
        e, h = eye, _plain(kx, ky, back)[1]
    steps: list[Complex] = []
    for layer in reversed(layers):
        if not isinstance(layer, Layer):
            h = h + np.concatenate([-e[count:], e[:count]]) / layer
            continue
        q, v, w = _modes(kx, ky, layer, orders)
        forward, backward = _into(w, v, e, h)
        phase = np.exp(2j * np.pi * frequency * layer.thickness * q)
        inverse = np.linalg.inv(forward)
        returned = phase[:, None] * (backward @ inverse) * phase[None, :]
        steps.append(inverse * phase[None, :])
        e, h = eye + returned, v @ (eye - returned)
        e = e if w is None else w @ e
    q, v = _plain(kx, ky, front)[:2]
    forward, backward = _into(None, v, e, h)
    home = int(np.flatnonzero((orders == 0).all(axis=1))[0])
    at = home + (count if along == "y" else 0)
    incident = np.zeros(2 * count, complex)
    incident[at] = 1
    passed = np.linalg.solve(forward, incident)
    mirrored = backward @ passed
    for step in reversed(steps):
        passed = step @ passed
    power = _power(incident, v @ incident)[home]
    reflected = _power(mirrored, v @ mirrored) / power
    if back is None:
        return Waves(orders, reflected, np.zeros(count), complex(mirrored[at]), 0j)
    transmitted = _power(passed, _plain(kx, ky, back)[1] @ passed) / power
    return Waves(orders, reflected, transmitted, complex(mirrored[at]), complex(passed[at]))


def _power(e: Complex, h: Complex) -> Array:
    """Along z, of each order."""
    half = e.size // 2
    return np.asarray((e[:half] * h[half:].conj() - e[half:] * h[:half].conj()).real)


def _into(w: Complex | None, v: Complex, e: Complex, h: Complex) -> tuple[Complex, Complex]:
    """Forward and backward modes (w None: plain waves) that make up the fields e, h."""
    one: Complex = e if w is None else np.linalg.solve(w, e)
    other: Complex = np.linalg.solve(v, h)
    return (one + other) / 2, (one - other) / 2


def _forward(square: Complex) -> Complex:
    """The root that travels or decays forward."""
    q = np.sqrt(np.where(np.abs(square) < CUT_OFF, CUT_OFF, square) + 0j)
    return np.where((q.imag < -1e-12) | ((np.abs(q.imag) <= 1e-12) & (q.real < 0)), -q, q)


def _curl_h(kx: Array, ky: Array, xx: Complex, xy: Complex, yy: Complex) -> Complex:
    """d/dz of (Hx, Hy) from (Ex, Ey), over i k0."""
    x, y = np.diag(kx), np.diag(ky)
    return np.block([[-x @ y - xy, x @ x - yy], [xx - y @ y, x @ y + xy]])


def _plain(kx: Array, ky: Array, epsilon: complex) -> tuple[Complex, Complex]:
    """(indices along z, H) of the waves of a homogeneous medium, E of which is a unit matrix."""
    q = _forward(epsilon - kx.astype(complex) ** 2 - ky**2)
    q = np.concatenate([q, q])
    one = epsilon * np.eye(kx.size)
    return q, _curl_h(kx, ky, one, 0 * one, one) / q[None, :]


def _modes(
    kx: Array, ky: Array, layer: Layer, orders: NDArray[np.int64]
) -> tuple[Complex, Complex, Complex | None]:
    """(indices along z, H, E or None for a unit matrix) of a layer's modes, as columns."""
    if layer.chi is None or layer.normals is None or len(set(layer.epsilon)) == 1:
        q, v = _plain(kx, ky, layer.epsilon[0])
        return q, v, None
    epsilon = np.array(layer.epsilon)
    direct = _products(np.tensordot(epsilon, layer.chi, 1), orders)
    inverse = np.linalg.inv(_products(np.tensordot(1 / epsilon, layer.chi, 1), orders))
    step = direct - inverse
    nxx, nxy = (_wrapped(part, orders) for part in layer.normals)
    xx, xy = (step @ nxx + nxx @ step) / 2, (step @ nxy + nxy @ step) / 2
    curl_h = _curl_h(kx, ky, direct - xx, -xy, inverse + xx)
    z, x, y, eye = np.linalg.inv(direct), np.diag(kx), np.diag(ky), np.eye(kx.size)
    curl_e = np.block([[x @ z @ y, eye - x @ z @ x], [y @ z @ y - eye, -y @ z @ x]])
    square, w = np.linalg.eig(curl_e @ curl_h)
    q = _forward(square)
    return q, curl_h @ w / q[None, :], w


def _products(coefficients: Complex, orders: NDArray[np.int64]) -> Complex:
    """The matrix of products with a function, of its coefficients with order 0 in the middle."""
    m, n = (orders[:, None, i] - orders[None, :, i] for i in (0, 1))
    return np.asarray(
        coefficients[m + (coefficients.shape[0] - 1) // 2, n + (coefficients.shape[1] - 1) // 2]
    )


def _wrapped(coefficients: Complex, orders: NDArray[np.int64]) -> Complex:
    """The same of coefficients in the order of a Fourier transform; orders beyond its grid are none."""
    m, n = (orders[:, None, i] - orders[None, :, i] for i in (0, 1))
    inside = (2 * np.abs(m) < coefficients.shape[0]) & (2 * np.abs(n) < max(2, coefficients.shape[1]))
    return np.where(inside, coefficients[m % coefficients.shape[0], n % coefficients.shape[1]], 0)
