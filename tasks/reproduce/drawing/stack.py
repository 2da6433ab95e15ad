"""A unit cell: its layers from below to above, the pattern of each, the incident light. Heights are not to scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tasks.reproduce.drawing.dimension_labels import Node, Words, handed
from tasks.reproduce.drawing.strokes import (
    FAINT,
    FILLS,
    INK,
    LIGHT,
    METAL,
    arrow,
    box,
    dimension,
    disk,
    polygon,
    text,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LAYERS = 24
_LEAST, _MOST = 0.45, 2.2  # drawn heights, of a layer of the median thickness
_CORNERS = 48  # of a rod as it is drawn


def figure_of_cell(scene: Node, words: Words) -> Figure:
    """The drawing of a unit cell."""
    from matplotlib.figure import Figure

    layers, left_out = _shown(scene["layers"])
    patterned = [layer for layer in layers if layer.plain["type"] == "film" and layer.plain["pattern"]]
    flat = patterned if len(scene.plain["period"]) == 2 else []
    figure = Figure(figsize=(8.6, max(3.2, 1.9 + 0.5 * len(layers))), dpi=110, layout="constrained")
    axes = figure.subplots(1, 1 + bool(flat), squeeze=False, width_ratios=(1.5, 1) if flat else (1,))[0]
    fills = _Fills(words)
    _side(axes[0], scene, layers, left_out, words, fills)
    if flat:
        _top(axes[1], scene, flat[0], words, fills)
    return figure


class _Fills:
    """One colour for each medium."""

    def __init__(self, words: Words):
        self.words, self.known = words, {"vacuum": "white", "ideal metal": METAL}

    def __call__(self, medium: Node) -> str:
        said = self.words.medium(medium)
        return self.known.setdefault(said, FILLS[(len(self.known) - 2) % len(FILLS)])


def _shown(layers: Node) -> tuple[list[Node], int]:
    """The layers that are drawn, and how many in the middle are not."""
    found = list(layers)
    if len(found) <= MOST_LAYERS:
        return found, 0
    half = MOST_LAYERS // 2
    return found[:half] + found[-half:], len(found) - 2 * half


def _side(axes: Axes, scene: Node, layers: list[Node], left_out: int, words: Words, fills: _Fills) -> None:
    across = scene["period"][0].value if scene.plain["period"] else 1.0
    thick = sorted(layer["thickness"].value for layer in layers if layer.plain["type"] == "film")
    median = thick[len(thick) // 2] if thick else 1.0
    low, high = -across / 2, across / 2
    y = 0.0
    box(axes, (low, high), (-1.0, 0.0), fills(scene["below"]), hatch="//", lw=0)
    beside = high + 0.03 * across
    text(axes, beside, -0.5, f"{words.medium(scene['below'])}, to infinity", ha="left")
    for index, layer in enumerate(layers):
        if left_out and index == len(layers) // 2:
            text(axes, 0, y + 0.2, f"... {left_out} more layers ...", color=FAINT)
            y += 0.4
        if layer.plain["type"] == "sheet":
            axes.plot([low, high], [y, y], color=LIGHT, lw=2.5)
            text(axes, beside, y, f"sheet, {words.number(layer['resistance'], 0)}", ha="left")
            continue
        tall = min(_MOST, max(_LEAST, layer["thickness"].value / median * 0.9))
        box(axes, (low, high), (y, y + tall), fills(layer["medium"]))
        bars = [body for body in layer["pattern"] if body.plain["type"] == "bar"]
        for bar in bars:
            edges = (max(low, bar["x"][0].value), min(high, bar["x"][1].value))
            if bar.plain["top"] is None:
                box(axes, edges, (y, y + tall), fills(bar["medium"]))
            else:
                upper = [edge.value for edge in bar["top"]]
                corners = [(edges[0], y), (edges[1], y), (upper[1], y + tall), (upper[0], y + tall)]
                polygon(axes, corners, fills(bar["medium"]))
                said = f"{words.plain(upper[0])} to {words.plain(upper[1])}"
                dimension(axes, (upper[0], y + tall - 0.12), (upper[1], y + tall - 0.12), said)
            text(axes, sum(edges) / 2, y + tall / 2, words.medium(bar["medium"]), fontsize=7)
            dimension(
                axes,
                (edges[0], y + 0.12),
                (edges[1], y + 0.12),
                f"{words.plain(bar['x'][0].value)} to {words.plain(bar['x'][1].value)}",
            )
        beyond = "".join(words.handed(body) for body in layer["pattern"] if body.plain["type"] == "pattern")
        for pattern in (body for body in layer["pattern"] if body.plain["type"] == "pattern"):
            for ends in handed(pattern).bars() if len(scene.plain["period"]) == 1 else ():
                box(axes, (max(low, ends[0]), min(high, ends[1])), (y, y + tall), fills(pattern["medium"]))
        for rod in (body for body in layer["pattern"] if body.plain["type"] == "rod"):
            deep, radius, x = (layer["thickness"].value, rod["radius"].value, rod["x"].value)
            up = deep / 2 if rod.plain["height"] is None else rod["height"].value
            corners = [
                (x + radius * math.cos(turn), y + tall * (up + radius * math.sin(turn)) / deep)
                for turn in (2 * math.pi * n / _CORNERS for n in range(_CORNERS))
            ]
            polygon(axes, corners, fills(rod["medium"]))
            beyond += f"; rod of {words.medium(rod['medium'])}, radius {words.number(rod['radius'])}"
        dimension(
            axes,
            (beside, y),
            (beside, y + tall),
            f"{words.medium(layer['medium'])}, {words.number(layer['thickness'])}"
            + (beyond or ("" if bars or not layer.plain["pattern"] else ", patterned")),
        )
        y += tall
    box(axes, (low, high), (y, y + 1.0), fills(scene["above"]), lw=0)
    text(axes, beside, y + 0.75, f"{words.medium(scene['above'])}, to infinity", ha="left")
    if scene.plain["period"]:
        for edge in (low, high):
            axes.plot([edge, edge], [-1.0, y + 1.0], color=INK, lw=0.8, ls="--")
        dimension(axes, (low, -1.12), (high, -1.12), words.number(scene["period"][0]), side=-12)
    _light(axes, scene, words, across, y)
    axes.set(xlim=(low - 0.12 * across, high + 0.9 * across), ylim=(-1.5, y + 1.15))
    axes.set_axis_off()
    axes.set_title("layers from below to above; heights not to scale", fontsize=8, color=FAINT, loc="left")


def _light(axes: Axes, scene: Node, words: Words, across: float, top: float) -> None:
    angle = scene["angle"].value
    above = scene.plain["light_from"] == "above"
    reach, start = 0.75, (-0.22 * across, top + 0.05 if above else -0.05)
    lean = math.tan(min(abs(angle), 1.2)) * 0.25 * across
    away = (start[0] - lean, start[1] + (reach if above else -reach))
    arrow(axes, away, start)
    said = f"light, {scene.plain['polarization']}" + (
        f", angle {math.degrees(angle):.4g} deg" if angle else ""
    )
    text(
        axes,
        start[0] + 0.03 * across,
        (away[1] + start[1]) / 2,
        said,
        color=LIGHT,
        ha="left",
        fontsize=7.5,
        bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.75},
    )


def _top(axes: Axes, scene: Node, layer: Node, words: Words, fills: _Fills) -> None:
    half = [part.value / 2 for part in scene["period"]]
    box(axes, (-half[0], half[0]), (-half[1], half[1]), fills(layer["medium"]), ls="--")
    for body in layer["pattern"]:
        fill, kind = fills(body["medium"]), body.plain["type"]
        if kind == "bar":
            box(axes, (body["x"][0].value, body["x"][1].value), (-half[1], half[1]), fill)
        elif kind == "pattern":
            for piece in handed(body).pieces():
                polygon(axes, piece, fill, lw=0)
        elif kind == "disk":
            centre = (body["center"][0].value, body["center"][1].value)
            disk(axes, centre, body["radius"].value, fill)
            dimension(
                axes,
                centre,
                (centre[0] + body["radius"].value, centre[1]),
                f"radius {words.number(body['radius'])}",
            )
        else:
            corners = _corners(body)
            polygon(axes, corners, fill)
            if kind == "rectangle":
                dimension(axes, corners[0], corners[1], words.number(body["size"][0]), side=-10)
                dimension(axes, corners[1], corners[2], words.number(body["size"][1]))
    dimension(
        axes,
        (-half[0], -1.12 * half[1]),
        (half[0], -1.12 * half[1]),
        words.number(scene["period"][0]),
        side=-12,
    )
    dimension(axes, (1.08 * half[0], -half[1]), (1.08 * half[0], half[1]), words.number(scene["period"][1]))
    axes.set(xlim=(-1.25 * half[0], 1.9 * half[0]), ylim=(-1.4 * half[1], 1.2 * half[1]), aspect="equal")
    axes.set_axis_off()
    axes.set_title("the patterned layer from above, to scale", fontsize=8, color=FAINT, loc="left")


def _corners(body: Node) -> list[tuple[float, float]]:
    if body.plain["type"] == "polygon":
        return [(x.value, y.value) for x, y in body["vertices"]]
    (cx, cy), (wide, tall), turn = body.plain["center"], body.plain["size"], float(body.plain["rotation"])
    return [
        (cx + math.cos(turn) * x - math.sin(turn) * y, cy + math.sin(turn) * x + math.cos(turn) * y)
        for x, y in (
            (-wide / 2, -tall / 2),
            (wide / 2, -tall / 2),
            (wide / 2, tall / 2),
            (-wide / 2, tall / 2),
        )
    ]
