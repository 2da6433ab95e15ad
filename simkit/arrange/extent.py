"""How far resolved bodies reach, and which mirror planes they have."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simkit.describe.base import INF

Box = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
NEAR = 1e-9
CORNER = 0.05
PLACES = 9  # decimals to which two places are the same
_FLAT = {"z": (0, 1), "x": (1, 2), "y": (2, 0)}  # axes of a prism's vertices


def extent(bodies: Sequence[Any]) -> Box:
    """Smallest box around all bodies; unbounded ones reach to +-1e20. Raises ValueError without bodies."""
    boxes = [box for body in bodies for box in _boxes(body)]
    return tuple((min(b[i][0] for b in boxes), max(b[i][1] for b in boxes)) for i in range(3))  # type: ignore[return-value]


def symmetric(bodies: Sequence[Any], axis: int) -> bool:
    """Whether all bodies together are their own mirror image in the plane through the origin normal to `axis` (0, 1, 2).

    Bodies of one medium that are drawn one after another may change places with each other, others not: later ones cover.
    """
    drawn = itertools.groupby(single(bodies), key=lambda one: _media(one[0]))
    return all(
        Counter(_shape(*one, axis, 1) for one in alike) == Counter(_shape(*one, axis, -1) for one in alike)
        for alike in (list(group) for _, group in drawn)
    )


def halved(bodies: Sequence[Any], axis: int, parity: int) -> bool:
    """Whether the cell may be cut in half at the plane through the origin normal to `axis`, for fields of this parity.

    Not odd ones (of Meep's phase) where a prism has a corner on the plane or within a twentieth of its width: Meep's mean takes
    the normal of one of the corner's sides there, which is not its own mirror image, and fields grow without bound on every
    grid and Courant factor (NanoComp/meep#3222; seen for triangles and rhombs, whole cells are stable).
    """
    return symmetric(bodies, axis) and not (
        parity < 0 and any(_cornered(*one, axis) for one in single(bodies))
    )


def _cornered(body: Any, by: Sequence[float], axis: int) -> bool:
    if body.type == "pattern":
        return axis < 2
    if body.type != "prism" or axis not in _FLAT[body.axis]:
        return False
    places = [pair[_FLAT[body.axis].index(axis)] + by[axis] for pair in prism_corners(body)]
    return min(map(abs, places)) < CORNER * (max(places) - min(places))


def overlap(one: Any, other: Any) -> bool:
    """Whether the boxes around two bodies share more than a face."""
    sides = zip(extent([one]), extent([other]), strict=True)
    return all(
        min(a[1], b[1]) - max(a[0], b[0]) > 1e-9 * max([1e-9, *(abs(v) for v in (*a, *b) if finite(v))])
        for a, b in sides
    )


def finite(value: float) -> bool:
    """Whether a resolved bound is a real one."""
    return abs(value) < INF / 2


def _boxes(body: Any) -> list[Box]:
    if body.type == "repeat":
        first = _boxes(body.body)[0]
        steps = [float(s) * (body.count - 1) for s in body.step]
        return [
            tuple(
                (low + min(0.0, s), high + max(0.0, s)) for (low, high), s in zip(first, steps, strict=True)
            )  # type: ignore[list-item]
        ]
    if body.type == "pattern":
        return [(*body.box(), (float(body.bounds[0]), float(body.bounds[1])))]
    if body.type == "block":
        return [tuple((float(a), float(b)) for a, b in (body.x, body.y, body.z))]  # type: ignore[list-item]
    if body.type == "prism":
        first, second = _FLAT[body.axis]
        points = prism_corners(body)
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


def single(bodies: Sequence[Any]) -> Iterator[tuple[Any, tuple[float, ...]]]:
    """Every body alone and how far it is moved: those of a repeat at their places."""
    for body in bodies:
        if body.type != "repeat":
            yield body, (0.0, 0.0, 0.0)
            continue
        for number in range(body.count):
            yield body.body, tuple(number * float(step) for step in body.step)


def _media(body: Any) -> str:
    filling = getattr(body, "filling", None)
    return f"{body.medium!r} {filling!r}"


def _shape(body: Any, by: Sequence[float], axis: int, sign: int) -> Any:
    """What tells one shape and place from another; moved, and mirrored where `sign` is -1."""
    (box,) = _boxes(body)
    place = []
    for i, ends in enumerate(box):
        moved = [end + by[i] if finite(end) else end for end in ends]
        place += sorted(sign * end for end in moved) if i == axis else moved
    corners: frozenset[tuple[float, ...]] = frozenset()
    if body.type == "pattern":
        if axis < 2 and sign < 0 and not body.mirrored(axis):
            place.append(math.nan)  # like nothing else
        return body.type, body.name, _rounded(place), 0.0, corners
    if body.type == "prism":
        signs = [sign if i == axis else 1 for i in _FLAT[body.axis]]
        shift = [by[i] for i in _FLAT[body.axis]]
        corners = frozenset(
            _rounded(g * (v + d) for g, v, d in zip(signs, pair, shift, strict=True))
            for pair in prism_corners(body)
        )
    return body.type, getattr(body, "axis", ""), _rounded(place), float(getattr(body, "inner", 0.0)), corners


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(value, PLACES) + 0.0 for value in values)


def prism_corners(body: Any) -> list[tuple[float, float]]:
    """The corners of a prism after its rotation."""
    cos, sin = math.cos(float(body.rotation)), math.sin(float(body.rotation))
    return [(float(u) * cos - float(v) * sin, float(u) * sin + float(v) * cos) for u, v in body.vertices]
