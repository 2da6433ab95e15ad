"""Scenes of bodies in a background, to scale: one plane of them, with the dimensions of each body."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simkit.describe.base import INF
from tasks.reproduce.drawing.dimension_labels import Node, Words, handed
from tasks.reproduce.drawing.marks import Plane, Span, lattice_cell, mark
from tasks.reproduce.drawing.strokes import FAINT, FILLS, INK, METAL, box, dimension, disk, polygon, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_COPIES, MOST_DIMENSIONED = 400, 6
_MOST_LINES, _LINE_IN = 120, 0.13  # of the words beside the drawing; height of one, inches
_AXES = "xyz"


@dataclass(frozen=True)
class Body:
    """A body, once or as one copy of a row of them; moved: by how much along x, y, z."""

    node: Node
    moved: tuple[float, float, float] = (0.0, 0.0, 0.0)
    copies: int = 1
    step: str = ""

    @property
    def first(self) -> bool:
        """Whether it is no later copy."""
        return not any(self.moved)


def figure_of_bodies(scene: Node, words: Words) -> Figure:
    """The drawing of a scene that has bodies and a background."""
    from matplotlib.figure import Figure

    plane, bodies = plane_of(scene.plain), list(_bodies(scene["bodies"]))
    view = _view(scene, bodies, plane)
    wide, tall = (end[1] - end[0] for end in view)
    shown = [body for body in bodies if body.first]
    told = [
        f"background: {words.medium(scene['background'])}",
        *(_told(n, b, words) for n, b in enumerate(shown, 1)),
    ]
    lines = "\n".join(told).split("\n")[:_MOST_LINES]
    # Room for every line: a layout that finds none for them leaves the drawing none either.
    height = max(min(5.0, max(2.6, 4.4 * tall / wide)), _LINE_IN * len(lines))
    figure = Figure(figsize=(8.6, height + 0.6), dpi=110, layout="constrained")
    axes, beside = figure.subplots(1, 2, width_ratios=(1.6, 1))
    fills = dict[str, str]()

    def fill(medium: Node) -> str:
        said = words.medium(medium)
        return {"vacuum": "white", "ideal metal": METAL}.get(said) or fills.setdefault(
            said, FILLS[len(fills) % len(FILLS)]
        )

    box(axes, *view, fill(scene["background"]), lw=0)
    for body in bodies:
        _draw(axes, body, plane, view, fill)
    for number, body in enumerate(shown[:MOST_DIMENSIONED], 1):
        _dimension(axes, body, plane, view, words, number)
    mark(axes, scene, plane, view, words)
    axes.set(
        xlim=view[0],
        ylim=view[1],
        aspect="equal",
        xlabel=f"{_AXES[plane[0]]} ({words.scale})",
        ylabel=f"{_AXES[plane[1]]} ({words.scale})",
    )
    axes.tick_params(labelsize=7)
    text(
        beside,
        0.0,
        1.0,
        "\n".join(lines),
        ha="left",
        va="top",
        fontsize=7.5,
        transform=beside.transAxes,
        wrap=False,
    )
    beside.set_axis_off()
    axes.set_title(
        f"{scene.plain['type']} in the plane {_AXES[plane[0]]}-{_AXES[plane[1]]}, to scale",
        fontsize=8,
        color=FAINT,
        loc="left",
    )
    return figure


def plane_of(plain: dict[str, object]) -> Plane:
    """The two axes that show a scene best."""
    kind, dimensions = plain["type"], plain.get("dimensions")
    if kind == "waveguide":
        return (1, 2) if dimensions == "3D" and plain.get("period") is None else (0, 1)
    if dimensions == "cylindrical" or (dimensions == "3D" and kind == "emitter"):
        return 0, 2
    if dimensions == "3D" and kind == "scatterer":
        direction, along = _AXES.index(str(plain["direction"])[1]), _AXES.index(str(plain["polarization"]))
        return (min(direction, along), max(direction, along))
    return 0, 1


def _bodies(found: Node) -> Iterator[Body]:
    for node in found:
        if node.plain["type"] != "repeat":
            yield Body(node)
            continue
        step = [part.value for part in node["step"]]
        count = int(node.plain["count"])
        for index in range(min(count, MOST_COPIES)):
            yield Body(node["body"], (index * step[0], index * step[1], index * step[2]), count)


def _span(body: Body, axis: int) -> Span:
    """(low, high) of a body along an axis; infinite where it has no bound."""
    node, moved = body.node, body.moved[axis]
    kind = node.plain["type"]
    if kind == "pattern":
        low, high = (*handed(node).box(), tuple(end.value for end in node["bounds"]))[axis]
    elif kind == "block":
        low, high = (end.value for end in node[_AXES[axis]])
    elif kind in ("sphere", "ellipsoid"):
        half = node["radius"].value if kind == "sphere" else node["semi_axes"][axis].value
        low, high = node["center"][axis].value - half, node["center"][axis].value + half
    elif kind in ("cylinder", "ring"):
        half = node["radius" if kind == "cylinder" else "outer"].value
        if axis == _AXES.index(node.plain.get("axis", "z")):
            low, high = (end.value for end in node["bounds"])
        else:
            low, high = node["center"][axis].value - half, node["center"][axis].value + half
    else:
        along = _AXES.index(node.plain["axis"])
        if axis == along:
            low, high = (end.value for end in node["bounds"])
        else:
            corners = [corner[(along + 1) % 3 != axis] for corner in _turned(node)]
            low, high = min(corners), max(corners)
    return (low if low <= -INF else low + moved), (high if high >= INF else high + moved)


def _turned(prism: Node) -> list[tuple[float, float]]:
    turn = float(prism.plain["rotation"])
    return [
        (
            math.cos(turn) * a.value - math.sin(turn) * b.value,
            math.sin(turn) * a.value + math.cos(turn) * b.value,
        )
        for a, b in prism["vertices"]
    ]


def _view(scene: Node, bodies: list[Body], plane: Plane) -> tuple[Span, Span]:
    ends: list[list[float]] = [[], []]
    for body, (number, axis) in itertools.product(bodies, enumerate(plane)):
        ends[number] += [end for end in _span(body, axis) if abs(end) < INF]
    if (position := scene.get("position")) is not None:
        for number, axis in enumerate(plane):
            ends[number].append(position[axis].value)
    for corner in lattice_cell(scene):
        for number, axis in enumerate(plane):
            ends[number].append(corner[axis] if axis < 2 else 0.0)
    sizes = [max(found) - min(found) if found else 0.0 for found in ends]
    largest = (
        max(*sizes, 1e-9)
        if max(sizes) > 0
        else max([abs(end) for found in ends for end in found] or [1.0]) or 1.0
    )
    out = []
    for found, size in zip(ends, sizes, strict=True):
        middle = (max(found) + min(found)) / 2 if found else 0.0
        half = max(size / 2 + 0.22 * largest, 0.42 * largest)
        out.append((middle - half, middle + half))
    return out[0], out[1]


def _clipped(span: Span, view: Span) -> Span:
    return max(span[0], view[0] - 1e-9), min(span[1], view[1] + 1e-9)


def _draw(axes: Axes, body: Body, plane: Plane, view: tuple[Span, Span], fill: object) -> None:
    node, (a, b) = body.node, plane
    colour = fill(node["medium"])  # type: ignore[operator]
    kind = node.plain["type"]
    across = kind in ("cylinder", "ring", "prism") and _AXES.index(node.plain.get("axis", "z")) not in plane
    if kind == "sphere" or (across and kind in ("cylinder", "ring")):
        centre = (node["center"][a].value + body.moved[a], node["center"][b].value + body.moved[b])
        disk(axes, centre, node["outer" if kind == "ring" else "radius"].value, colour)
        if kind == "ring":
            disk(axes, centre, node["inner"].value, fill(node["filling"]))  # type: ignore[operator]
        return
    if kind == "pattern" and plane == (0, 1):
        for piece in handed(node).pieces():
            polygon(axes, piece, colour, lw=0)
        return
    if kind == "prism" and across:
        along = _AXES.index(node.plain["axis"])
        order = ((along + 1) % 3, (along + 2) % 3)
        corners = [
            tuple(corner[order.index(axis)] + body.moved[axis] for axis in plane) for corner in _turned(node)
        ]
        polygon(axes, [(corner[0], corner[1]) for corner in corners], colour)
        return
    spans = _clipped(_span(body, a), view[0]), _clipped(_span(body, b), view[1])
    if all(high > low for low, high in spans):
        box(axes, *spans, colour)
        if kind == "ring":
            inner, middle = node["inner"].value, node["center"][a].value + body.moved[a]
            box(axes, (middle - inner, middle + inner), spans[1], fill(node["filling"]), lw=0)  # type: ignore[operator]


def _dimension(
    axes: Axes, body: Body, plane: Plane, view: tuple[Span, Span], words: Words, number: int
) -> None:
    node, (a, b) = body.node, plane
    kind = node.plain["type"]
    spans = _span(body, a), _span(body, b)
    shown = _clipped(spans[0], view[0]), _clipped(spans[1], view[1])
    middle = tuple((low + high) / 2 for low, high in shown)
    if kind in ("sphere", "cylinder", "ring") and (
        kind == "sphere" or _AXES.index(node.plain.get("axis", "z")) not in plane
    ):
        centre = (node["center"][a].value, node["center"][b].value)
        for name, turn in (("inner", 2.4), ("outer", 0.5)) if kind == "ring" else (("radius", 0.5),):
            far = node[name].value
            dimension(
                axes,
                centre,
                (centre[0] + far * math.cos(turn), centre[1] + far * math.sin(turn)),
                f"{name} {words.number(node[name])}",
            )
    else:
        for index, span in enumerate(spans):
            if max(abs(span[0]), abs(span[1])) >= INF:
                continue
            offset = 0.06 * number * (shown[1 - index][1] - shown[1 - index][0])
            place = shown[1 - index][0] + offset
            ends = (
                ((span[0], place), (span[1], place)) if index == 0 else ((place, span[0]), (place, span[1]))
            )
            dimension(axes, *ends, words.plain(span[1] - span[0]))
    text(
        axes,
        middle[0],
        middle[1],
        str(number),
        fontsize=9,
        weight="bold",
        bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "ec": INK, "lw": 0.6},
    )


def _told(number: int, body: Body, words: Words) -> str:
    node = body.node
    kind = node.plain["type"]
    lines = [
        f"{number}  {kind} {node.plain['id']}" + (f", {body.copies} of them" if body.copies > 1 else ""),
        f"    {words.medium(node['medium'])}",
    ]
    if kind == "block":
        lines += [
            f"    {axis}: {words.number(node[axis][0])} .. {words.number(node[axis][1])}"
            for axis in _AXES
            if abs(node[axis][0].value) < INF or abs(node[axis][1].value) < INF
        ]
    for name in ("radius", "inner", "outer"):
        if node.plain.get(name) is not None:
            lines.append(f"    {name}: {words.number(node[name])}")
    if kind == "pattern":
        lines += [f"    {part.strip()}" for part in words.handed(node).split("; ") if part]
    if kind == "ellipsoid":
        lines += [
            f"    semi-axis {axis}: {words.number(part)}"
            for axis, part in zip(_AXES, node["semi_axes"], strict=True)
        ]
    if node.plain.get("center") and any(node.plain["center"]):
        lines.append("    centre: " + ", ".join(words.number(part) for part in node["center"]))
    if node.plain.get("bounds") and abs(node.plain["bounds"][0]) < INF:
        lines.append(f"    ends: {words.number(node['bounds'][0])} .. {words.number(node['bounds'][1])}")
    return "\n".join(line[:78] for line in lines)
