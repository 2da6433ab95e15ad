"""Two-dimensional maps: a quantity over two axes, resampled and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tasks.reproduce.curves.curve import FLAT_FRACTION, LARGEST, FloatArray

Amplitude = Literal["absolute", "arbitrary", "arbitrary_with_sign"]
MIN_POINTS = 9
NEAR = 0.05  # of an axis: how far from the reference's maximum the simulation's may lie
ROUNDING = 1e-9  # of an axis
NEARLY = 0.9  # of its maximum: what the simulation reaches there


class NoCommonArea(ValueError):
    """The maps share too little of the area asked for."""


@dataclass(frozen=True, eq=False)
class Map:
    """z, shape (nx, ny), over strictly ascending x (nx,) and y (ny,); NaN where nothing is known. Make it with `of`."""

    x: FloatArray
    y: FloatArray
    z: FloatArray

    @classmethod
    def of(cls, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Map:
        """Sorted along both axes.

        Raises:
            ValueError: shapes that do not fit, fewer than two different x or y, a repeated coordinate, a value above 1e100.
        """
        xs, ys = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
        values = np.asarray(z, dtype=float)
        if values.shape != (xs.size, ys.size):
            raise ValueError(f"a map over {xs.size} x and {ys.size} y has the shape {values.shape}")
        for name, axis in (("x", xs), ("y", ys)):
            if axis.size < 2 or np.unique(axis).size != axis.size or not np.all(np.isfinite(axis)):
                raise ValueError(
                    f"the {name} axis of a map needs two or more different finite values; found {axis.size}, "
                    f"{np.unique(axis).size} different"
                )
        if np.isinf(values).any() or np.nanmax(np.abs(values), initial=0.0) > LARGEST:
            raise ValueError(f"a value of the map is infinite or exceeds {LARGEST:g}")
        order = np.ix_(np.argsort(xs), np.argsort(ys))
        return cls(np.sort(xs), np.sort(ys), values[order])

    @classmethod
    def of_points(cls, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Map:
        """From one value for each point (long form); points that are not given stay NaN.

        Raises:
            ValueError: a point is given twice, or the points are no grid (less than half of it is given).
        """
        import pandas as pd  # slow to import, and few targets are maps

        table = pd.DataFrame({"x": np.ravel(x), "y": np.ravel(y), "z": np.ravel(z)})
        if table.duplicated(["x", "y"]).any():
            raise ValueError("a point of the map is given twice")
        if table["x"].nunique() * table["y"].nunique() > 2 * len(table):
            raise ValueError(
                f"the points are no grid: {len(table)} points over {table['x'].nunique()} different x and "
                f"{table['y'].nunique()} different y"
            )
        wide = table.pivot(index="x", columns="y", values="z")
        return cls.of(wide.index.to_numpy(), wide.columns.to_numpy(), wide.to_numpy())

    def at(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Bilinear interpolation on the grid of x and y, shape (x, y); NaN outside and beside what is not known.

        Ends that differ by rounding, as after a change of units, are the same.
        """
        from scipy.interpolate import RegularGridInterpolator  # slow to import

        wanted = np.stack(np.meshgrid(_snapped(x, self.x), _snapped(y, self.y), indexing="ij"), axis=-1)
        found = RegularGridInterpolator((self.x, self.y), self.z, bounds_error=False, fill_value=np.nan)(
            wanted
        )
        return np.asarray(found, dtype=float)

    def transposed(self) -> Map:
        """The same with its axes exchanged."""
        return Map(self.y, self.x, self.z.T)

    def within(self, x_range: Sequence[float], y_range: Sequence[float]) -> Map:
        """The grid points inside both ranges (empty: all). Raises ValueError if fewer than two are left on an axis."""
        keep = [
            np.ones(axis.size, dtype=bool) if not limits else (axis >= min(limits)) & (axis <= max(limits))
            for axis, limits in ((self.x, x_range), (self.y, y_range))
        ]
        return Map.of(self.x[keep[0]], self.y[keep[1]], self.z[np.ix_(*keep)])


@dataclass(frozen=True)
class MapComparison:
    """How a simulated map differs from a reference, on the reference's grid points that both know.

    overlap: part of those points. scale_z: what differences are divided by, the reference's range (at least 10 % of its
    largest magnitude). factor: what the simulation was multiplied with. maximum: where each is largest, (x, y).
    maximum_agrees: near the reference's maximum the simulation comes close to its own.
    """

    overlap: float
    scale_z: float
    flat: bool
    nrms_percent: float
    pearson: float | None
    factor: float
    maximum_reference: tuple[float, float]
    maximum_simulated: tuple[float, float]
    maximum_agrees: bool
    difference: Map


def _snapped(wanted: FloatArray, axis: FloatArray) -> FloatArray:
    near = ROUNDING * float(axis[-1] - axis[0])
    found = np.asarray(wanted, dtype=float)
    for end in (axis[0], axis[-1]):
        found = np.where(np.abs(found - end) <= near, end, found)
    return np.asarray(found, dtype=float)


def compare_maps(simulated: Map, reference: Map, amplitude: Amplitude = "absolute") -> MapComparison:
    """Compare on the reference's grid; cut the reference to the area asked for first.

    amplitude: whether a constant factor is free, and its sign too. It is the plan's choice, made before any result.

    Raises:
        NoCommonArea: fewer than 9 points of the reference lie in the simulated area.
    """
    known = np.isfinite(reference.z)
    found = simulated.at(reference.x, reference.y)
    both = known & np.isfinite(found)
    if np.count_nonzero(both) < MIN_POINTS:
        raise NoCommonArea(
            f"the simulation covers {_extent(simulated)}, the reference {_extent(reference)}; "
            f"{np.count_nonzero(both)} of its points are in both, {MIN_POINTS} are needed"
        )
    a, b = found[both], reference.z[both]
    factor = 1.0
    if amplitude != "absolute" and np.any(a):
        factor = float(np.dot(a, b) / np.dot(a, a))
        factor = factor if amplitude == "arbitrary_with_sign" else max(factor, 0.0)
    magnitude = float(np.abs(b).max())
    flat = float(np.ptp(b)) < FLAT_FRACTION * magnitude or not magnitude
    scale = max(float(np.ptp(b)), FLAT_FRACTION * magnitude) or 1.0
    scaled = np.where(both, factor * found, np.nan)
    places = [_place(reference, values) for values in (np.where(both, reference.z, np.nan), scaled)]
    return MapComparison(
        overlap=float(np.count_nonzero(both) / np.count_nonzero(known)),
        scale_z=scale,
        flat=flat,
        nrms_percent=float(100 * np.sqrt(np.mean((factor * a - b) ** 2)) / scale),
        pearson=None if flat else _pearson(factor * a, b),
        factor=factor,
        maximum_reference=places[0],
        maximum_simulated=places[1],
        maximum_agrees=_agrees(reference, scaled, places[0]),
        difference=Map(reference.x, reference.y, scaled - reference.z),
    )


def _place(grid: Map, values: FloatArray) -> tuple[float, float]:
    i, j = np.unravel_index(int(np.nanargmax(values)), values.shape)
    return float(grid.x[i]), float(grid.y[j])


def _agrees(grid: Map, values: FloatArray, place: tuple[float, float]) -> bool:
    """Whether the values near a place come close to their maximum; equal maxima elsewhere do not matter."""
    near = [
        np.abs(axis - at) <= max(NEAR * np.ptp(axis), 1.001 * np.diff(axis).max())
        for axis, at in ((grid.x, place[0]), (grid.y, place[1]))
    ]
    lowest, highest = np.nanmin(values), np.nanmax(values)
    return bool(np.nanmax(values[np.ix_(*near)]) >= lowest + NEARLY * (highest - lowest))


def _pearson(a: NDArray[np.float64], b: NDArray[np.float64]) -> float | None:
    if np.std(a) <= 1e-9 * np.abs(a).max() or np.std(b) <= 1e-9 * np.abs(b).max():
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _extent(found: Map) -> str:
    return f"x {found.x[0]:g} to {found.x[-1]:g}, y {found.y[0]:g} to {found.y[-1]:g}"
