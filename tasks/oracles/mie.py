"""A circular cylinder or a sphere in a homogeneous background: partial waves.

Source: C. F. Bohren, D. R. Huffman, "Absorption and Scattering of Light by Small Particles" (Wiley 1983), chapters 4, 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import h1vp, hankel1, jv, jvp, spherical_jn, spherical_yn

from simkit.arrange.permittivity import index_of
from simkit.describe.media import PerfectConductor
from simkit.describe.scatterer import CrossSection, Scatterer
from simkit.describe.scene import Quantity
from tasks.measuring.values import Curve

Array = NDArray[np.float64]


def oracle(scene: Scatterer, quantity: Quantity, materials: Mapping[str, Any], x: Array) -> Curve | None:
    """The exact cross-section at frequencies x (n,); None where the scene is no single cylinder or sphere."""
    if not isinstance(quantity, CrossSection) or len(scene.bodies) != 1:
        return None
    (body,) = scene.bodies
    kind = "cylinder" if scene.dimensions == "2D" else "sphere"
    if body.type != kind or (kind == "cylinder" and body.axis != "z") or isinstance(body.medium, PerfectConductor):
        return None
    radius, values = float(body.radius), []
    for f in x:
        outside = index_of(scene.background, float(f), materials)
        m = index_of(body.medium, float(f), materials) / outside
        size = float(2 * np.pi * outside.real * f * radius)
        if kind == "cylinder":
            scattering, extinction = _cylinder(m, size, along=scene.polarization == "z")
            geometric = 2 * radius
        else:
            scattering, extinction = _sphere(m, size)
            geometric = np.pi * radius**2
        efficiency = {"scattering": scattering, "extinction": extinction, "absorption": extinction - scattering}
        values.append(efficiency[quantity.process] * geometric)
    x, y = np.asarray(x, float), np.array(values)
    if quantity.per is not None:
        return Curve(x, y / float(quantity.per))
    return Curve(x, y, power=1 if kind == "cylinder" else 2)


def _cylinder(m: complex, size: float, along: bool) -> tuple[float, float]:
    """(Q_sca, Q_ext) at normal incidence; along: E along the axis."""
    n = np.arange(int(size + 4 * size ** (1 / 3) + 12))
    inner, outer = m * size, size
    a, b = (m, 1.0) if along else (1.0, m)
    top = a * jvp(n, inner) * jv(n, outer) - b * jv(n, inner) * jvp(n, outer)
    bottom = a * jvp(n, inner) * hankel1(n, outer) - b * jv(n, inner) * h1vp(n, outer)
    c = top / bottom
    weight = np.where(n == 0, 1, 2)
    return float(2 / size * np.sum(weight * np.abs(c) ** 2)), float(2 / size * np.sum(weight * c.real))


def _sphere(m: complex, size: float) -> tuple[float, float]:
    """(Q_sca, Q_ext)."""
    n = np.arange(1, int(size + 4 * size ** (1 / 3) + 12))
    inner = m * size
    j, dj = spherical_jn(n, size), spherical_jn(n, size, derivative=True)
    y, dy = spherical_yn(n, size), spherical_yn(n, size, derivative=True)
    k, dk = spherical_jn(n, inner), spherical_jn(n, inner, derivative=True)
    h, dh = j + 1j * y, dj + 1j * dy
    psi_in, dpsi_in = inner * k, k + inner * dk
    psi, dpsi, xi, dxi = size * j, j + size * dj, size * h, h + size * dh
    a = (m * psi_in * dpsi - psi * dpsi_in) / (m * psi_in * dxi - xi * dpsi_in)
    b = (psi_in * dpsi - m * psi * dpsi_in) / (psi_in * dxi - m * xi * dpsi_in)
    weight = 2 * n + 1
    return (float(2 / size**2 * np.sum(weight * (np.abs(a) ** 2 + np.abs(b) ** 2))),
            float(2 / size**2 * np.sum(weight * (a + b).real)))
