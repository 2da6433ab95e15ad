"""What a reducer gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.errors import ReproLabError

Raw = dict[str, dict[str, NDArray[np.generic]]]
"""Run name -> key ('monitor/array') -> array, as the solver wrote it."""


COUNT = "count"  # axis of a curve over whole numbers


class NotMeasured(ReproLabError):
    """The raw data do not hold the quantity: no mode found, a reference without light, a monitor without data."""


@dataclass(frozen=True)
class Scalar:
    """A number in base units (power of length `power`)."""

    value: float
    power: int = 0


@dataclass(frozen=True)
class Curve:
    """y over x, (n,), x ascending, in base units.

    axis: 'frequency' | 'position' | 'angle' | 'parameter' | 'wavenumber' | 'time' (length/c) | 'count' (whole numbers, nothing
    between them) | 'point' (of a map).
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    axis: str = "frequency"
    power: int = 0


@dataclass(frozen=True)
class Map(Curve):
    """Values over two axes: y (nu nv,) row after row, the second axis fastest; x counts the points.

    grid: the axes' coordinates (nu,) and (nv,). labels, words: their names, and what they are (an axis of a curve).
    """

    axis: str = "point"
    grid: tuple[NDArray[np.float64], NDArray[np.float64]] = (np.zeros(0), np.zeros(0))
    labels: tuple[str, str] = ("x", "y")
    words: tuple[str, str] = ("position", "position")

    @classmethod
    def of(
        cls,
        grid: tuple[NDArray[np.float64], NDArray[np.float64]],
        z: NDArray[np.float64],
        labels: tuple[str, str],
        words: tuple[str, str] = ("position", "position"),
        power: int = 0,
    ) -> Map:
        """From values z (nu, nv)."""
        values = np.asarray(z, float).reshape(grid[0].size * grid[1].size)
        return cls(
            np.arange(values.size, dtype=float), values, power=power, grid=grid, labels=labels, words=words
        )

    @property
    def table(self) -> NDArray[np.float64]:
        """The values, (nu, nv)."""
        return self.y.reshape(self.grid[0].size, self.grid[1].size)

    def on(self, grid: tuple[NDArray[np.float64], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Its values between its points, bilinear, on another grid, (points,); NaN outside."""
        from scipy.interpolate import RegularGridInterpolator

        places = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 2)
        return np.asarray(RegularGridInterpolator(self.grid, self.table, bounds_error=False)(places), float)


Measured = Scalar | Curve
