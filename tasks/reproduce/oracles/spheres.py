"""A sphere in a homogeneous background: partial waves.

Source: C. F. Bohren, D. R. Huffman, "Absorption and Scattering of Light by Small Particles" (Wiley 1983), chapter 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.permittivity import index_of
from simkit.describe.media import PerfectConductor
from simkit.describe.scatterer import CrossSection, DifferentialCrossSection, FarField, Scatterer
from simkit.describe.scene import Quantity
from simkit.describe.shapes import Sphere
from tasks.reproduce.measuring.values import Curve

LARGEST = 1e5  # wavelengths around the body
Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def oracle(scene: Scatterer, quantity: Quantity, materials: Mapping[str, Any], x: Array) -> Curve | None:
    """The exact curve at frequencies or angles x (n,); None where the scene is no single sphere."""
    body, x = scene.bodies[0], np.asarray(x, float)
    if scene.dimensions == "2D" or len(scene.bodies) != 1 or not isinstance(body, Sphere):
        return None
    if isinstance(body.medium, PerfectConductor):
        return None

    def lit(frequency: float) -> tuple[complex, float]:
        """Relative index, and wavenumber outside."""
        outside = index_of(scene.background, frequency, materials)
        return index_of(body.medium, frequency, materials) / outside, 2 * np.pi * frequency * outside.real

    if isinstance(quantity, FarField):
        y = _scattered(scene, quantity.towards, *lit(scene.band.frequencies()[0]), float(body.radius), x)
        return Curve(x, y / y.max(), "angle") if quantity.over == "maximum" else Curve(x, y, "angle", 2)
    if isinstance(quantity, DifferentialCrossSection):
        angle = np.array([float(quantity.angle)])
        y = np.array(
            [_scattered(scene, quantity.towards, *lit(float(f)), float(body.radius), angle)[0] for f in x]
        )
    elif isinstance(quantity, CrossSection):
        y = np.array([_section(quantity.process, *lit(float(f)), float(body.radius)) for f in x])
    else:
        return None
    return Curve(x, y, power=2) if quantity.per is None else Curve(x, y / float(quantity.per))


def _section(process: str, m: complex, k: float, radius: float) -> float:
    """Cross-section, an area."""
    scattering, extinction = _sphere(m, k * radius)
    efficiency = {"scattering": scattering, "extinction": extinction}.get(process, extinction - scattering)
    return efficiency * np.pi * radius**2


def _orders(size: float) -> int:
    """How many partial waves count. Raises ValueError beyond what is worth computing."""
    if not size < LARGEST:
        raise ValueError(
            f"a circumference of {size:.3g} wavelengths is too large for partial waves; at most {LARGEST:g}"
        )
    return int(size + 4 * size ** (1 / 3) + 12)


def _sphere(m: complex, size: float) -> tuple[float, float]:
    """(Q_sca, Q_ext)."""
    a, b = _shells(m, size)
    weight = 2 * np.arange(1, a.size + 1) + 1
    return (
        float(2 / size**2 * np.sum(weight * (np.abs(a) ** 2 + np.abs(b) ** 2))),
        float(2 / size**2 * np.sum(weight * (a + b).real)),
    )


def _shells(m: complex, size: float) -> tuple[Complex, Complex]:
    """Electric and magnetic coefficients of a sphere's partial waves, orders 1, 2, ..."""
    from scipy.special import spherical_jn, spherical_yn

    n = np.arange(1, _orders(size))
    inner = m * size
    j, dj = spherical_jn(n, size), spherical_jn(n, size, derivative=True)
    y, dy = spherical_yn(n, size), spherical_yn(n, size, derivative=True)
    k, dk = spherical_jn(n, inner), spherical_jn(n, inner, derivative=True)
    h, dh = j + 1j * y, dj + 1j * dy
    psi_in, dpsi_in = inner * k, k + inner * dk
    psi, dpsi, xi, dxi = size * j, j + size * dj, size * h, h + size * dh
    a = (m * psi_in * dpsi - psi * dpsi_in) / (m * psi_in * dxi - xi * dpsi_in)
    b = (psi_in * dpsi - m * psi * dpsi_in) / (psi_in * dxi - m * xi * dpsi_in)
    return np.asarray(a), np.asarray(b)


def _scattered(scene: Scatterer, towards: str, m: complex, k: float, radius: float, angle: Array) -> Array:
    """Differential cross-section (n,) at angles from the direction of light."""
    a, b = _shells(m, k * radius)
    n = np.arange(1, a.size + 1)
    pi, tau = _angular(np.cos(angle), a.size)
    one, other = (tau, pi) if towards == scene.polarization else (pi, tau)
    return np.asarray(np.abs((one * a + other * b) @ ((2 * n + 1) / (n * (n + 1)))) ** 2 / k**2)


def _angular(mu: Array, count: int) -> tuple[Array, Array]:
    """pi_n and tau_n of the angles' cosines, (angles, count)."""
    pi = np.zeros((mu.size, count + 1))
    pi[:, 1] = 1
    for n in range(2, count + 1):
        pi[:, n] = ((2 * n - 1) * mu * pi[:, n - 1] - n * pi[:, n - 2]) / (n - 1)
    orders = np.arange(1, count + 1)
    return pi[:, 1:], orders * mu[:, None] * pi[:, 1:] - (orders + 1) * pi[:, :-1]
