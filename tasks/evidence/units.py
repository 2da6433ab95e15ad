"""Units of data columns and targets, and conversion between those that measure the same thing.

Spectral units (vacuum wavelength, frequency, photon energy, wavenumber) convert into each other by
lambda = c / f = h c / E, with the constants of the 2019 SI.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from schemas.spectral import HC_EV_M, LIGHT_SPEED
from tasks.evidence.errors import UnitError

_C, _HC_EV_M = LIGHT_SPEED, HC_EV_M

_LENGTH_M = {"pm": 1e-12, "angstrom": 1e-10, "nm": 1e-9, "um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0}
# Wavenumber 1/lambda in 1/m of one unit: proportional to frequency, so one table serves all of them.
_WAVENUMBER_PER_M = {
    "hz": 1 / _C,
    "ghz": 1e9 / _C,
    "thz": 1e12 / _C,
    "phz": 1e15 / _C,
    "ev": 1 / _HC_EV_M,
    "mev": 1e-3 / _HC_EV_M,
    "1/cm": 100.0,
    "1/um": 1e6,
    "1/nm": 1e9,
    "c/um": 1e6,
    "c/nm": 1e9,
}
_SCALES: tuple[dict[str, float], ...] = (
    {"1": 1.0, "%": 0.01},
    _LENGTH_M,
    _WAVENUMBER_PER_M,
    {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15},
    {"rad": 1.0, "deg": np.pi / 180},
    {"nm^2": 1e-18, "um^2": 1e-12, "m^2": 1.0},
)
_ALIASES = {
    "": "1",
    "-": "1",
    "none": "1",
    "dimensionless": "1",
    "unitless": "1",
    "percent": "%",
    "pct": "%",
    "micron": "um",
    "microns": "um",
    "micrometer": "um",
    "micrometre": "um",
    "nanometer": "nm",
    "nanometre": "nm",
    "degree": "deg",
    "degrees": "deg",
    "°": "deg",
    "radian": "rad",
    "radians": "rad",
    "å": "angstrom",
    "cm^-1": "1/cm",
    "cm-1": "1/cm",
    "um^-1": "1/um",
    "nm^-1": "1/nm",
    "wa/2pic": "c/a",
    "a/lambda": "c/a",
    "nm2": "nm^2",
    "um2": "um^2",
    "m2": "m^2",
}
_SUFFIX = re.compile(r"_(pm|nm|um|mm|thz|ghz|hz|ev|mev|deg|rad|percent)$", re.IGNORECASE)


def canonical(unit: str) -> str:
    """One spelling for one unit: lower case, micro as u, aliases resolved."""
    text = unit.strip().lower().replace("µ", "u").replace("μ", "u").replace("²", "^2").replace(" ", "")
    return _ALIASES.get(text, text)


def unit_of_name(name: str) -> str | None:
    """The unit a column or parameter name ends in ("gap_nm" -> "nm"); None if it names none."""
    found = _SUFFIX.search(name)
    return canonical(found.group(1)) if found else None


def convert(values: ArrayLike, unit: str, wanted: str) -> NDArray[np.float64]:
    """`values` given in `unit`, expressed in `wanted`; same shape.

    Wavelength against frequency, energy or wavenumber inverts the order of an ascending abscissa.

    Raises:
        UnitError: the units do not measure the same thing, or a wavelength or frequency of 0 is to be
        inverted.
    """
    array = np.asarray(values, dtype=float)
    a, b = canonical(unit), canonical(wanted)
    if a == b:
        return array
    for table in _SCALES:
        if a in table and b in table:
            return array * (table[a] / table[b])
    if (a in _LENGTH_M and b in _WAVENUMBER_PER_M) or (a in _WAVENUMBER_PER_M and b in _LENGTH_M):
        if np.any(array == 0):
            raise UnitError(f"a value of 0 {unit} has no equivalent in {wanted}", fix="leave out the zero")
        if a in _LENGTH_M:
            return 1 / (array * _LENGTH_M[a]) / _WAVENUMBER_PER_M[b]
        return 1 / (array * _WAVENUMBER_PER_M[a]) / _LENGTH_M[b]
    raise UnitError(
        f"unit {unit!r} cannot be converted to {wanted!r}",
        found=f"{unit!r} in the data, {wanted!r} in the target",
        allowed="the same unit, or two lengths, spectral units, times, angles, areas, or 1 and %",
        fix="save the column in the target's unit (normalised units such as c/a only match themselves)",
    )
