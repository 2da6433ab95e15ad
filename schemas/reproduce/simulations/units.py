"""Units of compared values: one spelling for each, and conversion between those that measure the same thing.

Spectral units (vacuum wavelength, frequency, photon energy, wavenumber) convert into each other by lambda = c / f = h c / E,
with the constants of the 2019 SI.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Literal

from schemas.reproduce.simulations.spectral import HC_EV_M, LIGHT_SPEED
from simkit.describe.units import canonical as described

Dimension = Literal[
    "fraction",
    "length",
    "frequency",
    "normalised",
    "wave vector",
    "angular wavenumber",
    "time",
    "angle",
    "area",
    "attenuation",
    "other",
]

LENGTH_M = {
    "fm": 1e-15,
    "pm": 1e-12,
    "angstrom": 1e-10,
    "nm": 1e-9,
    "um": 1e-6,
    "mm": 1e-3,
    "cm": 1e-2,
    "m": 1.0,
    "km": 1e3,
}
TIME_S = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15, "as": 1e-18}
# Wavenumber 1/lambda in 1/m of one unit: proportional to frequency, so one table serves all of them.
WAVENUMBER_PER_M = {
    "hz": 1 / LIGHT_SPEED,
    "khz": 1e3 / LIGHT_SPEED,
    "mhz": 1e6 / LIGHT_SPEED,
    "ghz": 1e9 / LIGHT_SPEED,
    "thz": 1e12 / LIGHT_SPEED,
    "phz": 1e15 / LIGHT_SPEED,
    "ehz": 1e18 / LIGHT_SPEED,
    "ev": 1 / HC_EV_M,
    "kev": 1e3 / HC_EV_M,
    "mev": 1e-3 / HC_EV_M,
    "uev": 1e-6 / HC_EV_M,
    "1/cm": 100.0,
    "1/um": 1e6,
    "1/nm": 1e9,
    "c/um": 1e6,
    "c/nm": 1e9,
}
_SCALES: dict[Dimension, dict[str, float]] = {
    "fraction": {"1": 1.0, "%": 0.01, "‰": 1e-3, "ppm": 1e-6},
    "length": LENGTH_M,
    "frequency": WAVENUMBER_PER_M,
    "time": TIME_S,
    "angle": {"rad": 1.0, "mrad": 1e-3, "urad": 1e-6, "deg": math.pi / 180, "arcmin": math.pi / 10800},
    "wave vector": {
        "2pi/a": 1.0,
        "pi/a": 0.5,
        "c/a": 1.0,
    },  # of a lattice; a number of periods per a, as c/a is
    # 2 pi over a length: no unit of light, of which 1/um is one over a wavelength
    "angular wavenumber": {"rad/nm": 1e9, "rad/um": 1e6, "rad/mm": 1e3, "rad/cm": 100.0, "rad/m": 1.0},
    "attenuation": {"db/um": 1e6, "db/mm": 1e3, "db/cm": 100.0, "db/m": 1.0, "db/km": 1e-3},
    "area": {"nm^2": 1e-18, "um^2": 1e-12, "m^2": 1.0},
}
_NORMALISED = ("c/a", "a")
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
    **{
        f"rad{between}{length}{power}": f"rad/{length}"
        for length in ("nm", "um", "mm", "cm", "m")
        for between in ("", "·", ".")
        for power in ("^-1", "-1")
    },
    "nm2": "nm^2",
    "um2": "um^2",
    "m2": "m^2",
}


@lru_cache(maxsize=1024)
def canonical(unit: str) -> str:
    """One spelling for one unit: lower case, micro as u, aliases resolved."""
    if (lattice := described(unit)) in ("2pi/a", "pi/a"):
        return lattice
    text = (
        unit.strip()
        .lower()
        .replace("µ", "u")
        .replace("μ", "u")
        .replace("²", "^2")
        .replace("⁻¹", "^-1")
        .replace(" ", "")
    )
    over, _, under = text.partition("/")
    return "1" if over == under else _ALIASES.get(text, text)


@lru_cache(maxsize=1024)
def dimension(unit: str) -> Dimension:
    """What a unit measures; "other" for units that only match themselves."""
    name = canonical(unit)
    if name in _NORMALISED:
        return "normalised"
    return next((kind for kind, table in _SCALES.items() if name in table), "other")


def converted(value: Any, unit: str, wanted: str) -> Any | None:
    """A number or array of numbers, given in `unit`, in `wanted`; None if they measure different things, or if it has a 0 of which the
    inverse is asked (a frequency of 0 is no wavelength)."""
    a, b = canonical(unit), canonical(wanted)
    if a == b:
        return value
    for table in _SCALES.values():
        if a in table and b in table:
            return value * (table[a] / table[b])
    if a in LENGTH_M and b in WAVENUMBER_PER_M:
        return _inverse(value * LENGTH_M[a], WAVENUMBER_PER_M[b])
    if a in WAVENUMBER_PER_M and b in LENGTH_M:
        return _inverse(value * WAVENUMBER_PER_M[a], LENGTH_M[b])
    return None


def _inverse(value: Any, unit: float) -> Any | None:
    there = value.all() if hasattr(value, "all") else bool(value)
    return 1 / value / unit if there else None


def reciprocal(unit: str, wanted: str) -> bool:
    """Whether one of the units is a wavelength and the other a frequency: larger in one is smaller in the other."""
    return {dimension(unit), dimension(wanted)} == {"length", "frequency"}
