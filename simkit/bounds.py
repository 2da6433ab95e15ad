"""Bounding boxes of Meep's geometric objects."""

from __future__ import annotations

import math
from typing import Any

import meep as mp

FAR = 1e19


def is_aligned_block(item: Any) -> bool:
    """True for a block whose edges run along the axes."""
    if not isinstance(item, mp.Block) or isinstance(item, mp.Ellipsoid):
        return False
    axes = ((item.e1, 0), (item.e2, 1), (item.e3, 2))
    return all(abs(abs(tuple(e)[i]) / max(e.norm(), 1e-300) - 1) < 1e-9 for e, i in axes)


def bounds_of(item: Any) -> tuple[list[float], list[float]]:
    """(low, high) corners in um, each [x, y, z]; infinite extents are +-inf."""
    if isinstance(item, mp.Prism):
        points = [list(v) for v in item.vertices]
        shift = item.height if item.height < FAR else math.inf
        axis = item.axis.unit() if item.axis.norm() else mp.Vector3(z=1)
        points += [
            [p + (a * shift if a else 0.0) for p, a in zip(point, axis, strict=False)] for point in points
        ]
        return [min(p[i] for p in points) for i in range(3)], [max(p[i] for p in points) for i in range(3)]
    centre = list(item.center)
    half = _half_extent(item)
    return [c - h for c, h in zip(centre, half, strict=False)], [
        c + h for c, h in zip(centre, half, strict=False)
    ]


def _half_extent(item: Any) -> list[float]:
    if isinstance(item, mp.Block):
        edges = [(item.e1, item.size.x), (item.e2, item.size.y), (item.e3, item.size.z)]
        half = [0.0, 0.0, 0.0]
        for direction, size in edges:
            unit = direction.unit()
            for i, part in enumerate(unit):
                if abs(part) > 1e-9:
                    half[i] += abs(part) * (math.inf if size > FAR else size / 2)
        return half
    radius = float(getattr(item, "radius", 0.0))
    if isinstance(item, mp.Cylinder):
        radius = max(radius, float(getattr(item, "radius2", 0.0) or 0.0))
        axis = item.axis.unit()
        length = math.inf if item.height > FAR else item.height / 2
        return [
            (abs(a) * length if abs(a) > 1e-9 else 0.0)
            + radius * math.sqrt(max(0.0, 1 - min(1.0, abs(a)) ** 2))
            for a in axis
        ]
    return [radius if radius < FAR else math.inf] * 3
