"""What a reducer gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.core.errors import ReproLabError

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
    between them).
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    axis: str = "frequency"
    power: int = 0


Measured = Scalar | Curve
