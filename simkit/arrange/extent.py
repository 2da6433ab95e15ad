"""How far resolved bodies reach, and which mirror planes they have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from simkit.describe.base import INF

Box = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
NEAR = 1e-9


def extent(bodies: Sequence[Any]) -> Box:
    """Smallest box around all bodies; unbounded ones reach to +-1e20. Raises ValueError without bodies."""
    boxes = [box for body in bodies for box in _boxes(body)]
    return tuple((min(b[i][0] for b in boxes), max(b[i][1] for b in boxes)) for i in range(3))  # type: ignore[return-value]


def symmetric(bodies: Sequence[Any], axis: int) -> bool:
    """Whether every body is its own mirror image in the plane through the origin normal to `axis` (0, 1, 2)."""
    return all(_symmetric(body, axis) for body in bodies)


def finite(value: float) -> bool:
    """Whether a resolved bound is a real one."""
    return abs(value) < INF / 2


def smallest(bodies: Sequence[Any]) -> float:
    """The smallest finite dimension of any body, inf if there is none."""
    found = [math.inf]
    for body in bodies:
        if body.type == "ring":
            found += [float(body.inner), float(body.outer) - float(body.inner)]
        for box in _boxes(body):
            found += [high - low for low, high in box if finite(low) and finite(high)]
    return min(found)


def _boxes(body: Any) -> list[Box]:
    if body.type == "repeat":
        first = _boxes(body.body)[0]
        steps = [float(s) * (body.count - 1) for s in body.step]
        return [tuple((low + min(0.0, s), high + max(0.0, s)) for (low, high), s in zip(first, steps, strict=True))  # type: ignore[list-item]
                ]
    if body.type == "block":
        return [tuple((float(a), float(b)) for a, b in (body.x, body.y, body.z))]  # type: ignore[list-item]
    if body.type == "prism":
        first, second = {"z": (0, 1), "x": (1, 2), "y": (2, 0)}[body.axis]
        turn = float(body.rotation)
        points = [(float(u) * math.cos(turn) - float(v) * math.sin(turn), float(u) * math.sin(turn) + float(v) * math.cos(turn))
                  for u, v in body.vertices]
        box: list[tuple[float, float]] = [(0.0, 0.0)] * 3
        box[first] = min(p[0] for p in points), max(p[0] for p in points)
        box[second] = min(p[1] for p in points), max(p[1] for p in points)
        box["xyz".index(body.axis)] = float(body.bounds[0]), float(body.bounds[1])
        return [tuple(box)]  # type: ignore[list-item]
    center = [float(c) for c in body.center]
    if body.type in ("sphere", "ellipsoid"):
        half = [float(body.radius)] * 3 if body.type == "sphere" else [float(s) for s in body.semi_axes]
        return [tuple((c - h, c + h) for c, h in zip(center, half, strict=True))]  # type: ignore[list-item]
    radius = float(body.outer if body.type == "ring" else body.radius)
    axis = 2 if body.type == "ring" else "xyz".index(body.axis)
    bounds = float(body.bounds[0]), float(body.bounds[1])
    return [tuple(bounds if i == axis else (c - radius, c + radius) for i, c in enumerate(center))]  # type: ignore[list-item]


def _symmetric(body: Any, axis: int) -> bool:
    if body.type == "repeat":
        return abs(float(body.step[axis])) < NEAR and _symmetric(body.body, axis)
    if body.type == "prism":
        if body.axis == "xyz"[axis]:
            return abs(float(body.bounds[0]) + float(body.bounds[1])) < NEAR or not finite(float(body.bounds[0]))
        if abs(float(body.rotation)) > NEAR:
            return False
        place = {"z": (0, 1), "x": (1, 2), "y": (2, 0)}[body.axis].index(axis)
        points = {(round(float(v[0]), 9), round(float(v[1]), 9)) for v in body.vertices}
        return all(((-p[0], p[1]) if place == 0 else (p[0], -p[1])) in points for p in points)
    low, high = _boxes(body)[0][axis]
    return abs(low + high) < NEAR or not (finite(low) or finite(high))
