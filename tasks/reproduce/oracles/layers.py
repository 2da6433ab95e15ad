"""Plane stacks: reflectance and transmittance by the transfer matrix, at any angle, in s or p polarisation.

Source: P. Yeh, "Optical Waves in Layered Media" (Wiley 1988), chapter 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.cell_layout import opaque_depth
from simkit.arrange.optical_path import optical_path
from simkit.arrange.permittivity import index_of
from simkit.arrange.places import points
from simkit.describe.media import PerfectConductor
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import CellField, Film, GroupDelay, Phase, Sheet, UnitCell
from tasks.reproduce.measuring.values import Curve

Array = NDArray[np.float64]


def oracle(scene: UnitCell, quantity: Quantity, materials: Mapping[str, Any], x: Array) -> Curve | None:
    """The exact curve at frequencies x (n,), for plain films; None where the scene is no plane stack."""
    kind = quantity.type  # type: ignore[attr-defined]
    if not scene.period and isinstance(quantity, CellField):
        return _inside(scene, quantity, materials, np.asarray(x, float))
    if not scene.period and isinstance(quantity, (Phase, GroupDelay)):
        return _turned(scene, quantity, materials, np.asarray(x, float))
    if scene.period or kind not in ("reflectance", "transmittance", "absorptance"):
        return None
    values = np.array([_solved(scene, float(f), materials)[:2] for f in x])
    back = scene.above if scene.light_from == "below" else scene.below
    if (
        opaque_depth(back, *scene.band.frequencies(), materials) is not None
    ):  # what enters it is absorbed there
        values[:, 1] = 0
    y = {"reflectance": values[:, 0], "transmittance": values[:, 1], "absorptance": 1 - values.sum(axis=1)}[
        kind
    ]
    return Curve(np.asarray(x, float), y)


def _turned(
    scene: UnitCell, quantity: Phase | GroupDelay, materials: Mapping[str, Any], x: Array
) -> Curve | None:
    """Phase, or its derivative from two frequencies beside each; whole turns as of the reducer."""
    number = 2 if quantity.side == "reflected" else 3
    if isinstance(quantity, GroupDelay):
        step = 1e-5 * float(x[0])
        beside = [
            np.array([_solved(scene, float(f) + side * step, materials)[number] for f in x])
            for side in (-1, 1)
        ]
        if not np.all(beside[0]):
            return None
        return Curve(x, np.angle(beside[1] / beside[0]) / (4 * np.pi * step), power=1)
    amplitudes = np.array([_solved(scene, float(f), materials)[number] for f in x])
    if not np.all(amplitudes):
        return None
    path = optical_path(scene, float(x[0]), materials)
    phase = np.unwrap(np.angle(amplitudes))
    middle = np.pi / 2 if quantity.side == "reflected" else 2 * np.pi * float(x[0]) * path
    return Curve(x, phase - 2 * np.pi * np.round((phase[0] - middle) / (2 * np.pi)))


def _inside(scene: UnitCell, quantity: CellField, materials: Mapping[str, Any], x: Array) -> Curve:
    """The field over the incident one at positions x on the line: of each film from its back to its front."""
    f, below = scene.band.frequencies()[0], scene.light_from == "below"
    layers = list(scene.layers if below else reversed(scene.layers))
    front, back = (scene.below, scene.above) if below else (scene.above, scene.below)
    axis = {"x": "x", "p": "x", "y": "y", "s": "y"}[scene.polarization]
    z = points(quantity, x)[:, 2]
    total = sum(float(layer.thickness) for layer in layers if isinstance(layer, Film))
    depth = z if below else total - z  # behind the first interface
    n0, n1 = (
        0j if isinstance(m, PerfectConductor) else index_of(m, f, materials, axis) for m in (front, back)
    )
    e, h = (0j, 1 + 0j) if isinstance(back, PerfectConductor) else (1 + 0j, n1)
    fields = np.where(depth >= total, e * np.exp(2j * np.pi * f * n1 * np.maximum(depth - total, 0)), 0)
    at = total
    for layer in reversed(layers):
        if isinstance(layer, Sheet):
            h = h + e / float(layer.resistance)
            continue
        thick = float(layer.thickness)
        inside = (depth >= at - thick) & (depth < at)
        if isinstance(layer.medium, PerfectConductor):
            fields[depth >= at - thick] = 0
            e, h = 0j, 1 + 0j
        else:
            n = index_of(layer.medium, f, materials, axis)
            phase = 2 * np.pi * f * n * (at - depth[inside])
            fields[inside] = np.cos(phase) * e - 1j * np.sin(phase) / n * h
            whole = 2 * np.pi * f * n * thick
            e, h = (
                np.cos(whole) * e - 1j * np.sin(whole) / n * h,
                -1j * n * np.sin(whole) * e + np.cos(whole) * h,
            )
        at -= thick
    before = depth < 0
    phase = -2 * np.pi * f * n0 * depth[before]
    fields[before] = np.cos(phase) * e - 1j * np.sin(phase) / n0 * h
    amplitude = np.abs(2 * n0 / (n0 * e + h) * fields)
    return Curve(x, amplitude**2 if quantity.field == "intensity" else amplitude, "position")


def _solved(scene: UnitCell, f: float, materials: Mapping[str, Any]) -> tuple[float, float, complex, complex]:
    """(R, T) and the amplitudes of E, reflected at the first and transmitted at the last interface, at a frequency c/length."""
    below = scene.light_from == "below"
    layers = list(scene.layers if below else reversed(scene.layers))
    front, back = (scene.below, scene.above) if below else (scene.above, scene.below)
    axis = {"x": "x", "p": "x", "y": "y", "s": "y"}[scene.polarization]
    n0 = index_of(front, f, materials, axis)
    lateral = n0 * np.sin(float(scene.angle))
    p_polarised = scene.polarization == "p"

    def admittance(n: complex) -> complex:
        """Tangential H over tangential E of a forward wave."""
        cosine = np.sqrt(1 - (lateral / n) ** 2 + 0j)
        return complex(n / cosine if p_polarised else n * cosine)

    y0 = admittance(n0)
    if isinstance(back, PerfectConductor):
        e, h = 0j, 1 + 0j
    else:
        e, h = 1 + 0j, admittance(index_of(back, f, materials, axis))
    e_back, h_back = e, h
    for layer in reversed(layers):
        if isinstance(layer, Sheet):
            h = h + e / float(layer.resistance)
            continue
        assert isinstance(layer, Film)
        if isinstance(layer.medium, PerfectConductor):
            e, h, e_back = 0j, 1 + 0j, 0j
            continue
        n = index_of(layer.medium, f, materials, axis)
        phase = 2 * np.pi * f * float(layer.thickness) * np.sqrt(n**2 - lateral**2 + 0j)
        y = admittance(n)
        e, h = (
            np.cos(phase) * e - 1j * np.sin(phase) / y * h,
            -1j * y * np.sin(phase) * e + np.cos(phase) * h,
        )
    r = (y0 * e - h) / (y0 * e + h)
    if e_back == 0:
        return float(abs(r) ** 2), 0.0, complex(r), 0j
    amplitude = 2 * y0 / (y0 * e + h)
    power = (h_back * np.conj(e_back)).real * abs(amplitude) ** 2 / y0.real
    return float(abs(r) ** 2), float(power), complex(r), complex(amplitude * e_back)
