"""A circular cylinder or a sphere in a homogeneous background: partial waves.

Source: C. F. Bohren, D. R. Huffman, "Absorption and Scattering of Light by Small Particles" (Wiley 1983), chapters 4, 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.permittivity import index_of
from simkit.arrange.places import axes_of, ends, is_rectangle, points, rectangle
from simkit.describe.media import PerfectConductor
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
from simkit.describe.shapes import Cylinder, Sphere
from tasks.reproduce.measuring.values import Curve, Map

LARGEST = 1e5  # wavelengths around the body
Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def oracle(scene: Scatterer, quantity: Quantity, materials: Mapping[str, Any], x: Array) -> Curve | None:
    """The exact curve at frequencies, angles or distances x (n,); None where the scene is no single cylinder or sphere."""
    if len(scene.bodies) != 1:
        return None
    (body,) = scene.bodies
    if not isinstance(body, (Cylinder, Sphere)):
        return None
    kind = "cylinder" if scene.dimensions == "2D" else "sphere"
    if (
        body.type != kind
        or (isinstance(body, Cylinder) and body.axis != "z")
        or isinstance(body.medium, PerfectConductor)
    ):
        return None
    if isinstance(quantity, FarField):
        return _pattern(scene, quantity, body, materials, np.asarray(x, float))
    if isinstance(quantity, DifferentialCrossSection):
        angle = np.array([float(quantity.angle)])
        found = [_scattered(scene, quantity.towards, body, materials, angle, float(f)) for f in x]
        y, power = np.array([values[0] for values, _ in found]), 1 if kind == "cylinder" else 2
        per = quantity.per
        return (
            Curve(np.asarray(x, float), y, power=power)
            if per is None
            else Curve(np.asarray(x, float), y / float(per))
        )
    if isinstance(quantity, PointField):
        if kind != "cylinder":
            return None
        place = np.array([[float(v) for v in quantity.at]])
        fields = np.concatenate([_field(scene, body, materials, place, float(f)) for f in x])
        return Curve(np.asarray(x, float), _told(scene, quantity, fields))
    if isinstance(quantity, FieldAlong):
        return _along(scene, quantity, body, materials, np.asarray(x, float)) if kind == "cylinder" else None
    if isinstance(quantity, NearField):
        return _near(scene, quantity, body, materials, np.asarray(x, float)) if kind == "cylinder" else None
    if not isinstance(quantity, CrossSection):
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
        efficiency = {
            "scattering": scattering,
            "extinction": extinction,
            "absorption": extinction - scattering,
        }
        values.append(efficiency[quantity.process] * geometric)
    x, y = np.asarray(x, float), np.array(values)
    if quantity.per is not None:
        return Curve(x, y / float(quantity.per))
    return Curve(x, y, power=1 if kind == "cylinder" else 2)


def _cylinder(m: complex, size: float, along: bool) -> tuple[float, float]:
    """(Q_sca, Q_ext) at normal incidence; along: E along the axis."""
    c = _rings(m, size, along)
    weight = np.where(np.arange(c.size) == 0, 1, 2)
    return float(2 / size * np.sum(weight * np.abs(c) ** 2)), float(2 / size * np.sum(weight * c.real))


def _orders(size: float) -> int:
    """How many partial waves count. Raises ValueError beyond what is worth computing."""
    if not size < LARGEST:
        raise ValueError(
            f"a circumference of {size:.3g} wavelengths is too large for partial waves; at most {LARGEST:g}"
        )
    return int(size + 4 * size ** (1 / 3) + 12)


def _rings(m: complex, size: float, along: bool) -> Complex:
    """Coefficients of a cylinder's partial waves, orders 0, 1, ..."""
    from scipy.special import h1vp, hankel1, jv, jvp

    n = np.arange(_orders(size))
    inner, outer = m * size, size
    a, b = (m, 1.0) if along else (1.0, m)
    top = a * jvp(n, inner) * jv(n, outer) - b * jv(n, inner) * jvp(n, outer)
    bottom = a * jvp(n, inner) * hankel1(n, outer) - b * jv(n, inner) * h1vp(n, outer)
    return np.asarray(top / bottom)


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


def _medium(
    scene: Scatterer, body: Any, materials: Mapping[str, Any], frequency: float | None = None
) -> tuple[complex, float, float]:
    """(relative index, wavenumber, radius) of a body, at the frequency of a Line where none is given."""
    f = scene.band.frequencies()[0] if frequency is None else frequency
    outside = index_of(scene.background, f, materials)
    return index_of(body.medium, f, materials) / outside, 2 * np.pi * f * outside.real, float(body.radius)


def _pattern(
    scene: Scatterer, quantity: FarField, body: Any, materials: Mapping[str, Any], angle: Array
) -> Curve:
    """Differential cross-section over the angle from the direction of light, or over its maximum."""
    y, power = _scattered(scene, quantity.towards, body, materials, angle)
    return (
        Curve(angle, y / y.max(), "angle") if quantity.over == "maximum" else Curve(angle, y, "angle", power)
    )


def _scattered(
    scene: Scatterer,
    towards: str,
    body: Any,
    materials: Mapping[str, Any],
    angle: Array,
    frequency: float | None = None,
) -> tuple[Array, int]:
    """Differential cross-section at angles (n,) from the direction of light, and its power of length."""
    m, k, radius = _medium(scene, body, materials, frequency)
    if body.type == "cylinder":
        c = _rings(m, k * radius, along=scene.polarization == "z")
        n = np.arange(c.size)
        amplitude = np.cos(np.outer(angle, n)) @ (np.where(n == 0, 1, 2) * c)
        y, power = 2 / (np.pi * k) * np.abs(amplitude) ** 2, 1
    else:
        a, b = _shells(m, k * radius)
        n = np.arange(1, a.size + 1)
        pi, tau = _angular(np.cos(angle), a.size)
        parallel = towards == scene.polarization
        one, other = (tau, pi) if parallel else (pi, tau)
        y, power = np.abs((one * a + other * b) @ ((2 * n + 1) / (n * (n + 1)))) ** 2 / k**2, 2
    return y, power


def _angular(mu: Array, count: int) -> tuple[Array, Array]:
    """pi_n and tau_n of the angles' cosines, (angles, count)."""
    pi = np.zeros((mu.size, count + 1))
    pi[:, 1] = 1
    for n in range(2, count + 1):
        pi[:, n] = ((2 * n - 1) * mu * pi[:, n - 1] - n * pi[:, n - 2]) / (n - 1)
    orders = np.arange(1, count + 1)
    return pi[:, 1:], orders * mu[:, None] * pi[:, 1:] - (orders + 1) * pi[:, :-1]


def _along(
    scene: Scatterer, quantity: FieldAlong, body: Any, materials: Mapping[str, Any], x: Array
) -> Curve:
    """On a line outside a cylinder, at positions x."""
    return Curve(x, _told(scene, quantity, _field(scene, body, materials, points(quantity, x))), "position")


def _near(scene: Scatterer, quantity: NearField, body: Any, materials: Mapping[str, Any], x: Array) -> Curve:
    """In and around a cylinder: on a line at positions x, or on a rectangle."""
    if not is_rectangle(quantity):
        return Curve(
            x, _told(scene, quantity, _field(scene, body, materials, points(quantity, x))), "position"
        )
    index = index_of(scene.background, scene.band.frequencies()[0], materials).real
    grid = rectangle(quantity, 1 / (scene.band.frequencies()[0] * index))
    first, second = axes_of(quantity)
    places = np.zeros((grid[0].size * grid[1].size, 3)) + np.array(ends(quantity)[0])
    places[:, [first, second]] = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 2)
    return Map.of(
        grid, _told(scene, quantity, _field(scene, body, materials, places)), ("xyz"[first], "xyz"[second])
    )


def _told(scene: Scatterer, quantity: FieldAlong | NearField | PointField, fields: Complex) -> Array:
    parts = np.abs(fields)
    return np.asarray(
        np.sum(parts**2, axis=1)
        if quantity.field == "intensity"
        else parts[:, "xyz".index(quantity.field[1])]
    )


def _field(
    scene: Scatterer,
    body: Any,
    materials: Mapping[str, Any],
    places: Array,
    frequency: float | None = None,
) -> Complex:
    """E over the incident amplitude at places (n, 3) in and around a cylinder, (n, 3): its partial waves."""
    from scipy.special import h1vp, hankel1, jv, jvp

    m, k, radius = _medium(scene, body, materials, frequency)
    axis, sign = "xyz".index(scene.direction[1]), 1 if scene.direction[0] == "+" else -1
    wave = np.zeros(3)
    wave[axis] = sign
    beside = np.array([-wave[1], wave[0], 0.0])
    off = places - np.array([float(v) for v in body.center])
    forward, aside = off @ wave, off @ beside
    r, phi = np.maximum(np.hypot(forward, aside), 1e-9 * radius), np.arctan2(aside, forward)
    inside = r < radius
    along = scene.polarization == "z"
    c = _rings(m, k * radius, along)
    n = np.arange(c.size)
    weights = np.where(n == 0, 1, 2) * 1j**n
    turn, spin = np.cos(np.outer(phi, n)), -n * np.sin(np.outer(phi, n))
    q = np.where(inside, m * k, k)  # wavenumber at each place
    value, slope = np.zeros((r.size, n.size), complex), np.zeros((r.size, n.size), complex)
    out, within = k * r[~inside, None], m * k * r[inside, None]
    value[~inside], slope[~inside] = -c * hankel1(n, out), -c * h1vp(n, out)
    rim = (jv(n, k * radius) - c * hankel1(n, k * radius)) / jv(n, m * k * radius)
    value[inside], slope[inside] = rim * jv(n, within), rim * jvp(n, within)
    plane = np.where(inside, 0, np.exp(1j * k * forward))
    fields = np.zeros((r.size, 3), complex)
    if along:
        fields[:, 2] = plane + (value * turn) @ weights
        return fields
    # the same waves of H along z; E = (i k / q^2) curl H, the incident one along `beside` of sign that H = plane
    e_r, e_phi = 1j * k / (q**2 * r) * ((value * spin) @ weights), -1j * k / q * ((slope * turn) @ weights)
    unit_r = (forward[:, None] * wave + aside[:, None] * beside) / r[:, None]
    unit_phi = (-aside[:, None] * wave + forward[:, None] * beside) / r[:, None]
    return np.asarray(plane[:, None] * beside + e_r[:, None] * unit_r + e_phi[:, None] * unit_phi)
