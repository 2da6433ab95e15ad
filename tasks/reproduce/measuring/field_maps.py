"""Fields over a rectangle, from the grid they were recorded on to the points they are told at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.places import axes_of, ends, positions, rectangle
from tasks.reproduce.measuring.splines import bicubic
from tasks.reproduce.measuring.values import Curve, Map, NotMeasured

Array = NDArray[np.float64]


def shaped(raw: Any, where: Sequence[Array]) -> NDArray[np.complex128]:
    """The first frequency of a recorded field, (n,) on a line or (nu, nv) on a rectangle with these coordinates."""
    first = np.asarray(raw, complex)[0]
    if len(where) == 1:
        return first.reshape(-1)[: where[0].size]
    return first.reshape(where[0].size, where[1].size)


def mapped(quantity: Any, where: Sequence[Array], z: Array, longest: float) -> Map:
    """Values z (nu, nv), recorded at `where`, as the map of a quantity, linear between them; longest: wavelength outside the
    bodies. Raises NotMeasured: the rectangle leaves what was recorded.
    """
    return _map(
        quantity, Map.of((where[0], where[1]), z, _labels(quantity)).on(rectangle(quantity, longest)), longest
    )


def told(quantity: Any, where: Sequence[Array], y: Array, longest: float) -> Curve:
    """Values recorded at `where`, (n,) or (nu, nv), as a curve over the position on the line, or a map. Raises NotMeasured."""
    if len(where) == 2:
        return mapped(quantity, where, y, longest)
    (axis,), (start, end) = axes_of(quantity), ends(quantity)
    low, high = sorted((start[axis], end[axis]))
    inside = (where[0] >= low - 1e-9) & (where[0] <= high + 1e-9)
    return along(quantity, where[0][inside], y[inside])


def along(quantity: Any, coordinates: Array, y: Array) -> Curve:
    """Values (n,) at coordinates (n,) along the axis of a line, as a curve over the position on it."""
    (axis,), places = axes_of(quantity), np.zeros((coordinates.size, 3))
    places[:, axis] = coordinates
    x = positions(quantity, places)
    order = np.argsort(x)
    return Curve(x[order], y[order], axis="position")


def magnitude_map(
    quantity: Any, where: Sequence[Array], fields: Sequence[NDArray[np.complex128]], longest: float
) -> Map:
    """Length of the field with these components (nu, nv), over its largest in the rectangle; a mode's fields are smooth, so
    each component is a cubic spline. Raises NotMeasured: no such field, or the rectangle leaves what was recorded."""
    grid = rectangle(quantity, longest)
    power = np.zeros((grid[0].size, grid[1].size))
    for field in fields:
        for part in (field.real, field.imag):
            power += bicubic(where[0], where[1], part)(*grid) ** 2
    for axis, wanted in zip(where, grid, strict=True):
        if not axis[0] - 1e-9 <= wanted[0] <= wanted[-1] <= axis[-1] + 1e-9:
            power[:] = np.nan
    found = _map(quantity, np.sqrt(power).reshape(-1), longest)
    if not found.y.max() > 0:
        raise NotMeasured(
            f"{quantity.id}: the mode has no such field there", fix="a rectangle off the mode's nodal planes"
        )
    return replace(found, y=found.y / found.y.max())


def _map(quantity: Any, there: Array, longest: float) -> Map:
    if not np.all(np.isfinite(there)):
        raise NotMeasured(
            f"{quantity.id}: its rectangle leaves what is simulated",
            found=f"{np.count_nonzero(~np.isfinite(there))} of {there.size} points outside",
            fix="corners nearer to the bodies",
        )
    return Map.of(rectangle(quantity, longest), there, _labels(quantity))


def _labels(quantity: Any) -> tuple[str, str]:
    first, second = axes_of(quantity)
    return "xyz"[first], "xyz"[second]
