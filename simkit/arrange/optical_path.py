"""The way that light has through a stack, optically: what decides between whole turns of a phase."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from simkit.arrange.outlines import Disk, Pieces, Polygon
from simkit.arrange.permittivity import index_of
from simkit.describe.handed import Pattern
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.unit_cell import Bar, Drawn, Film, Rod, UnitCell
from simkit.describe.unit_cell import Disk as DiskBody
from simkit.describe.unit_cell import Rectangle as RectangleBody

POINTS = 24  # along each period, at which a pattern is looked at


def optical_path(scene: UnitCell, frequency: float, materials: Mapping[str, Any]) -> float:
    """Of a resolved cell: thickness times refractive index over all films, a length; of a patterned film its mean index.

    Of metals the small real part counts, of perfect conductors nothing.
    """
    return sum(
        _mean_index(film, scene.period, frequency, materials) * float(film.thickness)
        for film in scene.layers
        if isinstance(film, Film)
    )


def _mean_index(film: Film, period: tuple[Any, ...], frequency: float, materials: Mapping[str, Any]) -> float:
    def index(medium: AnyMedium) -> float:
        if isinstance(medium, PerfectConductor):
            return 0.0
        return max(0.0, float(index_of(medium, frequency, materials).real))

    plain = index(film.medium)
    if not film.pattern:
        return plain
    thick = float(film.thickness)
    covers = [(_cover(body, tuple(map(float, period)), thick), index(body.medium)) for body in film.pattern]
    total, points = 0.0, list(_points(tuple(map(float, period))))
    for point in points:
        total += next((inside for cover, inside in reversed(covers) if cover(point)), plain)
    return total / len(points)


def _points(period: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    count = POINTS if len(period) > 1 else POINTS**2
    rows = [[side * ((i + 0.5) / count - 0.5) for i in range(count)] for side in period]
    yield from itertools.product(*rows, *[(0.0,)] * (2 - len(rows)))


def _cover(body: Drawn, period: tuple[float, ...], thick: float) -> Any:
    """Whether a body, or its image in the next cells, holds a point; a rod counts as the bar of its area in a layer so thick."""
    if isinstance(body, (Bar, Rod)):
        if isinstance(body, Rod):
            across = math.pi * float(body.radius) ** 2 / thick / 2
            ends = [float(body.x) - across, float(body.x) + across]
        else:
            pairs = [body.x, body.x if body.top is None else body.top]
            ends = [sum(float(pair[i]) for pair in pairs) / 2 for i in (0, 1)]
        return lambda point: any(ends[0] <= point[0] + n * period[0] <= ends[1] for n in (-1, 0, 1))
    outline: Disk | Pieces | Polygon
    if isinstance(body, Pattern):
        outline = Pieces.of(body)
    elif isinstance(body, DiskBody):
        outline = Disk((float(body.center[0]), float(body.center[1])), float(body.radius))
    elif isinstance(body, RectangleBody):
        (x, y), turn = map(float, body.center), float(body.rotation)
        half = [float(side) / 2 for side in body.size]
        corners = [(half[0] * a, half[1] * b) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        c, s = math.cos(turn), math.sin(turn)
        outline = Polygon(tuple((x + c * a - s * b, y + s * a + c * b) for a, b in corners))
    else:
        outline = Polygon(tuple((float(x), float(y)) for x, y in body.vertices))
    bounds = zip(outline.bounds(), period, strict=True)
    inside = all(-side / 2 <= low and high <= side / 2 for (low, high), side in bounds)
    images = [(0.0, 0.0)] if inside else list(itertools.product(*[(-side, 0.0, side) for side in period]))
    return lambda point: any(outline.holds((point[0] + a, point[1] + b), 0.0) for a, b in images)
