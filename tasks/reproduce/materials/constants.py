"""Optical constants as plain data: a table of n and k against wavelength, with its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tasks.reproduce.materials.errors import MaterialDataError, WavelengthOutOfRange

FloatArray = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]
Band = tuple[float, float]

# Relative distance from an end of the range that still counts as on it (rounding of unit conversions).
RANGE_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class OpticalConstants:
    """n and k of one material against vacuum wavelength, linearly interpolated between the points.

    Attributes:
        page: shelf/book/page of the database, or another name of the source ("meep/Au").
        wavelength_um: shape (points,), strictly ascending, um.
        n, k: shape (points,), dimensionless; k > 0 is loss for fields exp(-i omega t).
        has_k: False when the source gives no k; k is then 0 everywhere.
        kind: how the source gives its numbers ("tabulated nk", "formula 4", "Drude-Lorentz model").
        reference, doi, comments: where the numbers come from; "" where the source says nothing.

    Raises:
        MaterialDataError: arrays of unequal length, fewer than 2 points, not ascending, not finite.
    """

    page: str
    wavelength_um: FloatArray
    n: FloatArray
    k: FloatArray
    has_k: bool = True
    kind: str = "tabulated nk"
    reference: str = ""
    doi: str = ""
    comments: str = ""

    def __post_init__(self) -> None:
        arrays = {}
        for field in ("wavelength_um", "n", "k"):
            array = np.array(getattr(self, field), dtype=float)
            if array.ndim != 1 or array.size < 2 or not np.isfinite(array).all():
                raise MaterialDataError(
                    f"{self.page}: {field} cannot be used as a table column",
                    found=f"shape {array.shape}, {int(np.count_nonzero(~np.isfinite(array)))} values not finite",
                    allowed="a one-dimensional array of at least 2 finite numbers",
                    fix="remove empty rows, or choose another page",
                )
            array.setflags(write=False)
            arrays[field] = array
            object.__setattr__(self, field, array)
        if len({array.size for array in arrays.values()}) != 1:
            sizes = {field: array.size for field, array in arrays.items()}
            raise MaterialDataError(
                f"{self.page}: the columns have unequal lengths",
                found=sizes,
                allowed="one n and one k for every wavelength",
                fix="fill in or remove the incomplete rows",
            )
        wavelength = arrays["wavelength_um"]
        if wavelength[0] <= 0 or (np.diff(wavelength) <= 0).any():
            raise MaterialDataError(
                f"{self.page}: the wavelengths are not in order",
                found=f"{wavelength.size} values from {wavelength[0]:g} to {wavelength[-1]:g} um",
                allowed="positive, strictly ascending, in um",
                fix="sort the table and remove repeated wavelengths",
            )

    @property
    def valid_um(self) -> Band:
        """Shortest and longest wavelength of the table, um."""
        return float(self.wavelength_um[0]), float(self.wavelength_um[-1])

    @property
    def lossless(self) -> bool:
        """True when k is 0 at every point."""
        return not self.k.any()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know about the table before using it; empty when there is nothing."""
        notes = []
        if not self.has_k:
            notes.append("gives no k: taken as lossless (k = 0)")
        if gain := int(np.count_nonzero(self.k < -1e-6)):
            notes.append(f"k < 0 (gain) at {gain} of {self.k.size} points, which no passive fit follows")
        if (self.n <= 0).any():
            notes.append("n <= 0 at some points")
        return tuple(notes)

    def covers(self, band_um: Band) -> bool:
        """True when both ends of the band lie inside the table's range."""
        low, high = self.valid_um
        return low * (1 - RANGE_TOLERANCE) <= min(band_um) and max(band_um) <= high * (1 + RANGE_TOLERANCE)

    def at(self, wavelength_um: ArrayLike) -> ComplexArray:
        """Complex refractive index n + i k at vacuum wavelengths in um, in the shape of the input.

        Raises:
            WavelengthOutOfRange: a wavelength outside `valid_um`; nothing is extrapolated.
        """
        wanted = np.asarray(wavelength_um, dtype=float)
        low, high = self.valid_um
        inside = (wanted >= low * (1 - RANGE_TOLERANCE)) & (wanted <= high * (1 + RANGE_TOLERANCE))
        if not inside.all():
            outside = np.atleast_1d(wanted)[~np.atleast_1d(inside)]
            span = f"{outside.min():g}" + (f" to {outside.max():g}" if outside.size > 1 else "")
            raise WavelengthOutOfRange(
                f"{self.page} has no data at the wavelength asked for",
                found=f"{span} um",
                allowed=f"{low:g} to {high:g} um",
                fix="choose a band inside the range, or a page that covers it (tasks.reproduce.materials.alternatives)",
            )
        return np.asarray(
            np.interp(wanted, self.wavelength_um, self.n) + 1j * np.interp(wanted, self.wavelength_um, self.k)
        )

    def epsilon(self, wavelength_um: ArrayLike) -> ComplexArray:
        """Relative permittivity (n + i k)^2 at vacuum wavelengths in um; raises as `at` does."""
        return self.at(wavelength_um) ** 2


def checked_band(band_um: Sequence[float]) -> Band:
    """A band as (low, high) in um.

    Raises:
        WavelengthOutOfRange: not two finite numbers with 0 < low < high.
    """
    values = tuple(float(value) for value in band_um)
    if len(values) != 2 or not np.isfinite(values).all() or not 0 < values[0] < values[1]:
        raise WavelengthOutOfRange(
            "band_um is not a band",
            found=tuple(band_um),
            allowed="two vacuum wavelengths in um, 0 < low < high, for example (0.45, 0.90)",
            fix="give the shorter wavelength first; divide values in nm by 1000",
        )
    return values[0], values[1]


def band_wavelengths(band_um: Band, points: int = 121) -> FloatArray:
    """Wavelengths in um over the band, uniform in frequency, ascending; shape (points,)."""
    low, high = band_um
    return np.clip(1.0 / np.linspace(1.0 / low, 1.0 / high, points), low, high)
