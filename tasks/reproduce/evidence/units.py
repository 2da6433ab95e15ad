"""Units of data columns and targets, and conversion of their values (schemas/reproduce/simulations/units.py has the tables)."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from schemas.reproduce.simulations.units import canonical, converted, reciprocal
from schemas.reproduce.words.written import LOUDEST
from tasks.reproduce.evidence.not_computed import UnitError

__all__ = ["canonical", "convert", "from_levels", "unit_of_name"]

_UNIT = r"pm|nm|um|mm|thz|ghz|mhz|hz|ev|mev|deg|rad|percent|fs|ps|ns|db"
_SUFFIX = re.compile(
    rf"(?:(?:_(?P<over>{_UNIT}))?_(?:per|inv|inverse)_(?P<per>{_UNIT}|cm|m)|_(?P<unit>{_UNIT}))$",
    re.IGNORECASE,
)


_ANGLE = re.compile(r"(?i)angle|phase|theta|phi|psi|tilt|twist|turn|rotat|azimuth|inciden|direct|polar|arg")


def unit_of_name(name: str) -> str | None:
    """The unit a column or parameter name ends in ("gap_nm" -> "nm", "k_per_um" -> "1/um"); None if it names none."""
    found = _SUFFIX.search(name)
    if found is None:
        return None
    if found["unit"] == "rad" and not _ANGLE.search(name[: found.start()]):
        return None  # "Q_rad", "gamma_rad": the radiative part
    if found["per"]:
        return canonical(f"{canonical(found['over'] or '1')}/{canonical(found['per'])}")
    return canonical(found["unit"])


def from_levels(levels: ArrayLike) -> NDArray[np.float64]:
    """Shares of power from levels in dB, of at most 300; same shape."""
    return np.asarray(10 ** (np.clip(np.asarray(levels, dtype=float), -LOUDEST, LOUDEST) / 10))


def convert(values: ArrayLike, unit: str, wanted: str) -> NDArray[np.float64]:
    """`values` given in `unit`, expressed in `wanted`; same shape.

    Wavelength against frequency, energy or wavenumber inverts the order of an ascending abscissa.

    Raises:
        UnitError: the units do not measure the same thing, or a wavelength or frequency of 0 is to be
        inverted.
    """
    array = np.asarray(values, dtype=float)
    if reciprocal(unit, wanted) and np.any(array == 0):
        raise UnitError(
            f"a value of 0 {unit} has no equivalent in {wanted}",
            fix=f"leave out the zero, or compare in {unit}",
        )
    found = converted(array, unit, wanted)
    if found is None:
        raise UnitError(
            f"unit {unit!r} cannot be converted to {wanted!r}",
            found=f"{unit!r} in the data, {wanted!r} in the target",
            allowed="the same unit, or two lengths, spectral units, times, angles, areas, dB per length, or 1 and %",
            fix="save the column in the target's unit (normalised units such as c/a only match themselves)",
        )
    return np.asarray(found, dtype=float)
