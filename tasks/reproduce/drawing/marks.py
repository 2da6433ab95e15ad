"""What a drawing shows beside the bodies: light, dipoles, the cell of a lattice, the axis of revolution."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tasks.reproduce.drawing.dimension_labels import Node, Words
from tasks.reproduce.drawing.strokes import INK, LIGHT, arrow, dimension, polygon, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Plane = tuple[int, int]
Span = tuple[float, float]
_AXES = "xyz"


def lattice_cell(scene: Node) -> list[tuple[float, float]]:
    """Corners of the cell of a crystal or periodic guide about the origin, in the plane x-y; of a guide with free cladding it is flat."""
    lattice = scene.plain.get("lattice")
    if scene.plain["type"] == "waveguide" and scene.plain.get("period") is not None:
        across = scene.plain.get("supercell") or 0.0
        lattice = {"type": "vectors", "vectors": [(scene.plain["period"], 0.0), (0.0, across)]}
    if lattice is None:
        return []
    period = float(lattice.get("period") or 0.0)
    vectors = {
        "chain": [(period, 0.0)],
        "square": [(period, 0.0), (0.0, period)],
        "hexagonal": [(period * math.sqrt(3) / 2, period / 2), (period * math.sqrt(3) / 2, -period / 2)],
        "vectors": [(float(v[0]), float(v[1])) for v in lattice.get("vectors", ())[:2]],
    }[lattice["type"]]
    first, second = (*vectors, (0.0, period or 1.0))[:2]
    return [
        ((i * first[0] + j * second[0]) / 2, (i * first[1] + j * second[1]) / 2)
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def _period(axes: Axes, half: float, view: Span, said: str) -> None:
    """The ends of one period along x."""
    for end in (-half, half):
        axes.axvline(end, color=INK, lw=1.0, ls="--")
    low = view[0] + 0.1 * (view[1] - view[0])
    dimension(axes, (-half, low), (half, low), said, side=-10)


def mark(axes: Axes, scene: Node, plane: Plane, view: tuple[Span, Span], words: Words) -> None:
    """Light, dipole, lattice cell, direction of travel."""
    kind = scene.plain["type"]
    reach = [end[1] - end[0] for end in view]
    if kind == "crystal" and (corners := lattice_cell(scene)):
        polygon(axes, corners, "none", ls="--", lw=1.0)
        if (period := scene["lattice"].get("period")) is not None:
            low = min(y for _, y in corners)
            dimension(
                axes,
                (corners[0][0], low - 0.05 * reach[1]),
                (corners[1][0], low - 0.05 * reach[1]),
                f"period {words.number(period)}" if scene.plain["lattice"]["type"] != "hexagonal" else "",
                side=-10,
            )
    if kind == "scatterer":
        sign, axis = (
            (1 if scene.plain["direction"][0] == "+" else -1),
            _AXES.index(scene.plain["direction"][1]),
        )
        if axis in plane:
            index = plane.index(axis)
            start = [view[0][0] + 0.1 * reach[0], view[1][0] + 0.1 * reach[1]]
            if sign < 0:
                start[index] = view[index][1] - 0.05 * reach[index]
            end = list(start)
            end[index] += sign * 0.18 * reach[index]
            arrow(axes, (start[0], start[1]), (end[0], end[1]))
            text(
                axes,
                view[0][0] + 0.02 * reach[0],
                view[1][0] + 0.04 * reach[1],
                f"light, E along {scene.plain['polarization']}",
                color=LIGHT,
                ha="left",
            )
    if kind == "emitter":
        at = [scene["position"][axis].value for axis in plane]
        along = "xyz".find(scene.plain["orientation"])  # -1 of an isotropic one
        turn = [0.08 * reach[n] if axis == along else 0.0 for n, axis in enumerate(plane)]
        axes.plot(*at, "o", color=LIGHT, ms=5)
        if any(turn):
            arrow(axes, (at[0] - turn[0], at[1] - turn[1]), (at[0] + turn[0], at[1] + turn[1]), style="<|-|>")
        said = ", ".join(words.number(scene["position"][axis]) for axis in plane)
        text(
            axes,
            at[0] + 0.02 * reach[0],
            at[1],
            f"dipole {'along all directions' if along < 0 else 'along ' + scene.plain['orientation']} at {said}",
            color=LIGHT,
            ha="left",
            fontsize=7.5,
        )
    if kind == "waveguide":
        if (period := scene.get("period")) is not None:
            _period(axes, period.value / 2, view[1], f"period {words.number(period)}")
            if (supercell := scene.get("supercell")) is not None:
                half, left = supercell.value / 2, view[0][0] + 0.08 * reach[0]
                dimension(axes, (left, -half), (left, half), f"supercell {words.number(supercell)}")
                axes.hlines((-half, half), *view[0], color=INK, lw=1.0, ls="--")
        text(
            axes,
            view[0][0] + 0.02 * reach[0],
            view[1][1] - 0.04 * reach[1],
            "light travels along x",
            color=LIGHT,
            ha="left",
        )
    if kind == "device":
        for port in scene["ports"]:
            sign, axis = (1 if port.plain["side"][0] == "+" else -1), _AXES.index(port.plain["side"][1])
            at = [view[n][sign > 0] if n == axis else port["center"].value for n in (0, 1)]
            inner = [a - sign * 0.1 * reach[n] if n == axis else a for n, a in enumerate(at)]
            comes = port.plain["id"] == scene.plain["source"]
            ends = (at[0], at[1]), (inner[0], inner[1])
            arrow(axes, *(ends if comes else ends[::-1]))
            text(
                axes,
                inner[0],
                inner[1] + 0.03 * reach[1],
                f"{port.plain['id']}{': light comes in' if comes else ''}",
                color=LIGHT,
                ha="left" if sign < 0 or axis else "right",
            )
    if scene.plain.get("dimensions") == "cylindrical":
        axes.axvline(0.0, color=INK, lw=0.8, ls="-.")
