"""Harmonics and Kerr phase of plain films to first order in chi: an undepleted pump, its own linear field in the films.

The nonlinear polarization radiates; what leaves on a side is its overlap with the linear field u of unit light from that side
at the harmonic (reciprocity): A = i k0 / (2 n) integral u P dz, P2 = chi2 E^2 / 2, P3 = chi3 E^3 / 4, Kerr 3 chi3 |E|^2 E / 4.
Source: R. W. Boyd, "Nonlinear Optics", sections 1.5 and 2.1, with the films' transfer matrices instead of one plane wave.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.cell_layout import opaque_depth
from simkit.arrange.permittivity import index_of
from simkit.arrange.pumped import chi_of
from simkit.describe.media import PerfectConductor
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import Film, HarmonicEfficiency, KerrPhase, UnitCell
from tasks.reproduce.measuring.values import Scalar

MOST = (
    0.02  # change of phase (radian) and share of depletion up to which first order is good to 1 % or better
)
DARK = 1e-3  # amplitude of light that has no phase
POINTS = 64  # of Gauss and Legendre in each film
Fields = list[NDArray[np.complex128]]


def oracle(
    scene: UnitCell, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None
) -> Scalar | None:
    """The efficiency or phase; None for other quantities, strong effects, cascades of chi2, and opaque or patterned scenes."""
    if not isinstance(quantity, (HarmonicEfficiency, KerrPhase)) or scene.period or float(scene.angle):
        return None
    f, below = scene.band.frequencies()[0], scene.light_from == "below"
    front, back = (scene.below, scene.above) if below else (scene.above, scene.below)
    layers = tuple(scene.layers if below else reversed(scene.layers))
    if (
        isinstance(back, PerfectConductor)
        or opaque_depth(back, f, f, materials) is not None
        or any(not isinstance(layer, Film) or isinstance(layer.medium, PerfectConductor) for layer in layers)
    ):
        return None
    films = [(layer.medium, float(layer.thickness)) for layer in layers if isinstance(layer, Film)]
    chis = [chi_of(medium, materials) for medium, _ in films]
    strength = float(quantity.intensity) / index_of(front, f, materials).real
    pump, _ = _field(front, films, back, f, materials)
    pump = [np.sqrt(strength) * part for part in pump]
    kerr = [0.75 * chi3 * np.abs(part) ** 2 for (_, chi3), part in zip(chis, pump, strict=True)]
    grown = sum(
        float(np.sum(weights * change)) * np.pi * f / index_of(medium, f, materials).real
        for (medium, length), change in zip(films, kerr, strict=True)
        for weights in (_rule(length)[1],)
    )
    cascades = any(chi2 for chi2, _ in chis) and (isinstance(quantity, KerrPhase) or quantity.harmonic == 3)
    if abs(grown) > MOST or cascades:
        return None
    side = front if quantity.side == "reflected" else back
    if isinstance(quantity, HarmonicEfficiency):
        h = quantity.harmonic
        driven = [
            (chi2 / 2 if h == 2 else chi3 / 4) * part**h
            for (chi2, chi3), part in zip(chis, pump, strict=True)
        ]
        light = _radiated(side, quantity.side, front, films, back, h * f, materials, driven)
        found = (
            abs(light) ** 2
            / strength
            * index_of(side, h * f, materials).real
            / index_of(front, f, materials).real
        )
        return Scalar(float(found)) if found < MOST else None
    driven = [change * part for change, part in zip(kerr, pump, strict=True)]
    light = _radiated(side, quantity.side, front, films, back, f, materials, driven) / np.sqrt(strength)
    _, (r, t) = _field(front, films, back, f, materials)
    weak = r if quantity.side == "reflected" else t
    return Scalar(float((light / weak).imag)) if abs(weak) > DARK else None


def _radiated(
    medium: Any,
    side: str,
    front: Any,
    films: list[Any],
    back: Any,
    f: float,
    materials: Mapping[str, Any],
    driven: Fields,
) -> complex:
    """Amplitude that a polarization radiates out of the films on a side."""
    if side == "reflected":
        other, _ = _field(front, films, back, f, materials)
    else:
        turned, _ = _field(back, films[::-1], front, f, materials)
        other = [part[::-1] for part in turned[::-1]]
    overlap = sum(
        np.sum(_rule(length)[1] * u * p) for (_, length), u, p in zip(films, other, driven, strict=True)
    )
    return complex(1j * np.pi * f / index_of(medium, f, materials) * overlap)


def _field(
    front: Any, films: list[Any], back: Any, f: float, materials: Mapping[str, Any]
) -> tuple[Fields, tuple[complex, complex]]:
    """E at the points of each film for unit light from the front, and the amplitudes reflected and transmitted."""
    k0, n0, n1 = 2 * np.pi * f, index_of(front, f, materials), index_of(back, f, materials)
    e, h, inside = 1 + 0j, n1 + 0j, []
    for medium, length in reversed(films):
        n = index_of(medium, f, materials)
        way = k0 * n * (length - _rule(length)[0])  # back from the film's far face
        inside.append(np.cos(way) * e - 1j * np.sin(way) / n * h)
        turn = k0 * n * length
        e, h = np.cos(turn) * e - 1j * np.sin(turn) / n * h, -1j * n * np.sin(turn) * e + np.cos(turn) * h
    came = (e + h / n0) / 2
    return [part / came for part in reversed(inside)], (complex((e - h / n0) / 2 / came), complex(1 / came))


def _rule(length: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places in a film, ascending and symmetric, and their weights."""
    places, weights = np.polynomial.legendre.leggauss(POINTS)
    return length * (places + 1) / 2, length * weights / 2
