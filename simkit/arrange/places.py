"""Where fields are told: along a line, or over a rectangle, on points that are the same on every grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
PER_WAVELENGTH, LEAST, MOST = 20, 25, 121  # points along a side of a rectangle
BESIDE_PX = 2  # by which what is recorded is larger than what is asked for
_SAME = 1e-12


def ends(quantity: Any) -> tuple[list[float], list[float]]:
    """The points `start` and `end` of a resolved quantity."""
    start, end = ([float(v) for v in point] for point in (quantity.start, quantity.end))
    return start, end


def spanned(quantity: Any) -> tuple[int, ...]:
    """The axes on which start and end differ: one of a line, two of a rectangle; none where there is neither end."""
    if not hasattr(quantity, "start") or not hasattr(quantity.start, "__len__"):
        return ()
    start, end = ends(quantity)
    return tuple(i for i in range(3) if abs(start[i] - end[i]) > _SAME)


def is_rectangle(quantity: Any) -> bool:
    """Whether its field is a map."""
    return len(spanned(quantity)) == 2


def axes_of(quantity: Any) -> tuple[int, ...]:
    """The axis of a line, or the two of a rectangle. Raises ValueError: a point, a box, a line across the axes."""
    found = spanned(quantity)
    if len(found) not in (1, 2):
        raise ValueError(
            f"{quantity.id}: start and end differ along {len(found)} axes; one is a line, two are a rectangle "
            "with its corners there"
        )
    return found


def positions(quantity: Any, places: Array) -> Array:
    """Positions (n,) of points (n, 3) on a line: from `origin`, growing towards `end`."""
    return np.asarray((places - _origin(quantity)) @ _way(quantity))


def points(quantity: Any, x: Array) -> Array:
    """Points (n, 3) of a line at positions (n,)."""
    start = np.array(ends(quantity)[0])
    way = _way(quantity)
    return np.asarray(start + np.outer(x - (start - _origin(quantity)) @ way, way))


def rectangle(quantity: Any, wavelength: float) -> tuple[Array, Array]:
    """Coordinates (nu,) and (nv,) along the two axes of a rectangle; wavelength: the longest outside the bodies."""
    start, end = ends(quantity)
    first, second = axes_of(quantity)
    one, other = (
        np.linspace(min(start[i], end[i]), max(start[i], end[i]), _count(abs(end[i] - start[i]), wavelength))
        for i in (first, second)
    )
    return one, other


def recorded(quantity: Any, pixel: float, axes: Sequence[int]) -> tuple[list[float], list[float]]:
    """Centre and size of the monitor of a line or rectangle; of `axes`, those of the cell, each spanned one a bit longer.

    Raises ValueError.
    """
    start, end = ends(quantity)
    spread = axes_of(quantity)
    for i in spread:
        if i not in axes:
            raise ValueError(
                f"{quantity.id}: nothing changes along {'xyz'[i]} in this scene; start and end differ there"
            )
    centre = [(a + b) / 2 if i in axes else 0.0 for i, (a, b) in enumerate(zip(start, end, strict=True))]
    size = [
        abs(b - a) + 2 * BESIDE_PX * pixel if i in spread else 0.0
        for i, (a, b) in enumerate(zip(start, end, strict=True))
    ]
    return centre, size


def _way(quantity: Any) -> Array:
    start, end = (np.array(point) for point in ends(quantity))
    return np.asarray((end - start) / np.linalg.norm(end - start))


def _origin(quantity: Any) -> Array:
    return np.array([float(v) for v in quantity.origin])


def _count(length: float, wavelength: float) -> int:
    return min(MOST, max(LEAST, math.ceil(PER_WAVELENGTH * length / wavelength) + 1))
