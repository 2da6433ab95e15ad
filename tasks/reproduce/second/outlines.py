"""Fourier series of what is drawn into a layer: exact outlines, later bodies over earlier ones, beyond the cell from its other side.

A layer is cut along y at every corner; between two cuts each line along x is a row of intervals with exact ends. What has
upright edges only is integrated in closed form, slanted and round edges by Gauss and Legendre in an angle, in which the
square root where a circle begins is smooth. So the error of a curved body is not that of steps or pixels.

Plain numbers and numpy only: this runs alone in the sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]
Array = NDArray[np.float64]
Interval = tuple[float, float]
SAME = 1e-12  # of a period: places that rounding alone keeps apart
POINTS = 16  # of the rule in one of its panels
IN_A_CELL = 6  # of the rule in a row of cells
LEAST, PER_WAVE = 2, 0.6  # panels between two cuts, and more for each wave of the highest orders there


def indicators(
    bodies: Sequence[Mapping[str, Any]], media: int, period: Sequence[float], most: Sequence[int]
) -> Complex:
    """Fourier coefficients (media, 2 most_x + 1, 2 most_y + 1) of where each medium is; order 0 in the middle.

    bodies: in the order of drawing, each with `medium` (its number; 0 is the layer's own) and `x` (a bar's interval),
    `center` and `radius`, or `vertices`. period: one or two lengths; most: highest orders along x and y (0 with one period).
    """
    a, b = period[0], period[1] if len(period) > 1 else 1.0
    m, n = (np.arange(-top, top + 1) for top in most)
    images = list(_images(bodies, a, b, len(period) > 1))
    parts: list[Complex] = []
    drawn: list[tuple[int, int, float, float]] = []  # medium, number of its line, from, to
    for low, high in _cuts(images, b):
        active = [body for body in images if body["low"] < high and body["high"] > low]
        if all(body["upright"] for body in active):
            lines = [((low + high) / 2, _share(n / b, low, high))]
        else:
            bent = max(_bent(body, low, high) for body in active)
            lines = _rule(low, high, n / b, most[1] / b * (high - low) + most[0] / a * bent)
        for y, part in lines:
            drawn += [(medium, len(parts), start, end) for start, end, medium in _row(active, y, a)]
            parts.append(part / b)
    along = np.array(parts)
    table = np.array(drawn)
    medium, line = table[:, 0].astype(int), table[:, 1].astype(int)
    across = _share(m[None, :] / a, table[:, 2:3], table[:, 3:4]) / a
    return np.array([across[medium == k].T @ along[line[medium == k]] for k in range(media)])


def _images(bodies: Sequence[Mapping[str, Any]], a: float, b: float, two: bool) -> Iterator[dict[str, Any]]:
    """Every body, moved by the whole periods that bring a part of it into the cell."""
    for body in bodies:
        if "x" in body and body["x"][1] - body["x"][0] >= a:  # it may reach to infinity
            body = {**body, "x": (-a / 2, a / 2)}
        if "x" in body:
            box = (*body["x"], -np.inf, np.inf)
        elif "radius" in body:
            (x, y), r = body["center"], body["radius"]
            box = (x - r, x + r, y - r, y + r)
        else:
            corners = np.array(body["vertices"], float)
            box = (*_ends(corners[:, 0]), *_ends(corners[:, 1]))
        for i in _turns(box[0], box[1], a):
            for j in _turns(box[2], box[3], b) if two and np.isfinite(box[2]) else (0,):
                yield _moved(body, i * a, j * b, (box[2] + j * b, box[3] + j * b))


def _moved(body: Mapping[str, Any], dx: float, dy: float, span: Interval) -> dict[str, Any]:
    out: dict[str, Any] = {"medium": body["medium"], "low": span[0], "high": span[1], "upright": True}
    if "x" in body:
        return out | {"x": (body["x"][0] + dx, body["x"][1] + dx), "corners": ()}
    if "radius" in body:
        centre = (body["center"][0] + dx, body["center"][1] + dy)
        return out | {"center": centre, "radius": body["radius"], "corners": span, "upright": False}
    corners = np.array(body["vertices"], float) + (dx, dy)
    edges = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    sizes = np.abs(edges[:, 1] - edges[:, 0])
    slanted = np.min(sizes, axis=1) > SAME * np.max(sizes)
    return out | {"edges": edges, "corners": corners[:, 1], "upright": not bool(np.any(slanted))}


def _ends(values: Array) -> Interval:
    return float(values.min()), float(values.max())


def _turns(low: float, high: float, period: float) -> range:
    """Whole periods by which something from low to high is moved to reach into the cell."""
    return range(int(np.ceil(-0.5 - high / period)), int(np.floor(0.5 - low / period)) + 1)


def _cuts(images: Sequence[Mapping[str, Any]], b: float) -> list[Interval]:
    places = sorted(
        {-b / 2, b / 2, *(float(y) for body in images for y in body["corners"] if abs(y) < b / 2)}
    )
    kept = [places[0]]
    for place in places[1:]:
        if place - kept[-1] > SAME * b:
            kept.append(place)
    kept[-1] = b / 2
    return list(zip(kept, kept[1:], strict=False))


def _row(active: Sequence[Mapping[str, Any]], y: float, a: float) -> list[tuple[float, float, int]]:
    """(from, to, medium) over -a/2..a/2 of the line at y."""
    drawn: list[tuple[float, float, int]] = []
    for body in active:
        drawn += [(low, high, body["medium"]) for low, high in _crossed(body, y)]
    ends = sorted({-a / 2, a / 2, *(x for low, high, _ in drawn for x in (low, high) if abs(x) < a / 2)})
    middles = (np.array(ends[:-1]) + np.array(ends[1:])) / 2
    medium = np.zeros(middles.size, int)
    for low, high, number in drawn:
        medium[(middles > low) & (middles < high)] = number
    return [(ends[i], ends[i + 1], int(medium[i])) for i in range(middles.size)]


def _crossed(body: Mapping[str, Any], y: float) -> list[Interval]:
    """Intervals of the line at y inside a body; of a polygon every other one between crossings."""
    if "x" in body:
        return [body["x"]]
    if "radius" in body:
        square = body["radius"] ** 2 - (y - body["center"][1]) ** 2
        half = np.sqrt(square) if square > 0 else 0.0
        return [(body["center"][0] - half, body["center"][0] + half)]
    begin, end = body["edges"][:, 0], body["edges"][:, 1]
    met = (begin[:, 1] <= y) != (end[:, 1] <= y)
    share = (y - begin[met, 1]) / (end[met, 1] - begin[met, 1])
    x = np.sort(begin[met, 0] + share * (end[met, 0] - begin[met, 0]))
    return [(float(x[i]), float(x[i + 1])) for i in range(0, x.size - 1, 2)]


def _share(waves: Array, low: float | Array, high: float | Array) -> Complex:
    """Integrals of exp(-2 pi i w x) from low to high."""
    width = high - low
    return np.asarray(np.exp(-1j * np.pi * waves * (low + high)) * width * np.sinc(waves * width))


def _bent(body: Mapping[str, Any], low: float, high: float) -> float:
    """How far along x an edge of a body goes between two cuts, at most."""
    if body["upright"]:
        return 0.0
    if "radius" in body:
        return float(body["radius"])
    begin, end = body["edges"][:, 0], body["edges"][:, 1]
    tall = np.abs(end[:, 1] - begin[:, 1])
    met = (
        (np.minimum(begin[:, 1], end[:, 1]) < high) & (np.maximum(begin[:, 1], end[:, 1]) > low) & (tall > 0)
    )
    return float(np.max(np.abs(end - begin)[met, 0] * np.minimum(1, (high - low) / tall[met]), initial=0.0))


def _rule(
    low: float, high: float, orders: Array, waves: float, points: int = POINTS, least: int = LEAST
) -> list[tuple[float, Complex]]:
    """Places between two cuts, each with the weight of every order there; as many as `waves` of the highest orders need."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    ends = np.linspace(-np.pi / 2, np.pi / 2, least + int(PER_WAVE * waves) + 1)
    half = (ends[1] - ends[0]) / 2
    angle = ((ends[:-1] + half)[:, None] + half * nodes[None, :]).ravel()
    weights = np.tile(weights, len(ends) - 1) * half
    places = (low + high) / 2 + (high - low) / 2 * np.sin(angle)
    weights = weights * np.cos(angle) * (high - low) / 2
    return [(float(y), np.exp(-2j * np.pi * orders * y) * w) for y, w in zip(places, weights, strict=True)]


def shares(
    bodies: Sequence[Mapping[str, Any]],
    media: int,
    origin: Sequence[float],
    pixel: float,
    count: Sequence[int],
) -> Array:
    """Of each square cell's area what is of each medium, (media, nx, ny); along x exact.

    bodies: as `indicators` reads them, once; origin: the corner of the first cell; pixel: a side; count: nx, ny.
    """
    a, b = (n * pixel for n in count)
    middle = [low + side / 2 for low, side in zip(origin, (a, b), strict=True)]
    placed = [_moved(body, -middle[0], -middle[1], _span(body, middle[1])) for body in bodies]
    edges: NDArray[np.floating[Any]] = -a / 2 + pixel * np.arange(count[0] + 1)
    rows = -b / 2 + pixel * np.arange(count[1] + 1)
    corners = np.unique([y for body in placed for y in body["corners"]])
    cuts = np.unique([*rows, *corners[(corners > rows[0]) & (corners < rows[-1])]])
    out = np.zeros((media, *count))
    kept: tuple[int, Array] = (-1, out)  # between two corners upright edges cut every line alike
    for low, high in zip(cuts[:-1], cuts[1:], strict=True):
        row = min(int((low + high + b) / 2 / pixel), count[1] - 1)
        active = [body for body in placed if body["low"] < high and body["high"] > low]
        if all(body["upright"] for body in active):
            above = int(np.searchsorted(corners, (low + high) / 2))
            if above != kept[0]:
                kept = (above, _filled(active, (low + high) / 2, a, edges, media))
            out[:, :, row] += kept[1] * (high - low) / pixel**2
        else:
            for y, weight in _rule(low, high, np.zeros(1), 0.0, IN_A_CELL, 1):
                out[:, :, row] += _filled(active, y, a, edges, media) * weight.real / pixel**2
    return out


def _span(body: Mapping[str, Any], middle: float) -> Interval:
    """From where to where a body reaches along y, from the middle."""
    if "radius" in body:
        return body["center"][1] - body["radius"] - middle, body["center"][1] + body["radius"] - middle
    return _ends(np.array(body["vertices"], float)[:, 1] - middle)


def _filled(
    active: Sequence[Mapping[str, Any]], y: float, a: float, edges: NDArray[np.floating[Any]], media: int
) -> Array:
    """Lengths of each medium between edges on the line at y, (media, n)."""
    out = np.zeros((media, edges.size - 1))
    for low, high, medium in _row(active, y, a):
        out[medium] += np.diff(np.clip(edges, low, high))
    return out
