"""Units of declared parameters. Base units: micrometre (or the free length `a`), c/um (or c/a), um/c, radian; fields V/um.

An angular wavenumber (rad/um) becomes k / 2 pi in 1/um, as `2pi/a` does in 1/a: the effective index times the frequency in c/um.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

_C_UM_PER_FS = 0.299792458
_EV_UM = 1.23984198433  # h c in eV um (CODATA 2018)
_W_M2 = 2 * 376.730313668 * 1e-12  # square of the field in V/um of 1 W/m^2 in vacuum: fields are in V/um


@dataclass(frozen=True)
class Unit:
    """factor: base units in one of it. power: of length (0: a pure number). scale: which length it is measured in."""

    factor: float
    power: int
    scale: str = ""


UNITS: dict[str, Unit] = {
    "1": Unit(1.0, 0),
    "%": Unit(0.01, 0),
    "deg": Unit(math.pi / 180, 0),
    "rad": Unit(1.0, 0),
    "ohm": Unit(1 / 376.730313668, 0),  # in impedances of free space
    "nm": Unit(1e-3, 1, "um"),
    "um": Unit(1.0, 1, "um"),
    "mm": Unit(1e3, 1, "um"),
    "angstrom": Unit(1e-4, 1, "um"),
    "a": Unit(1.0, 1, "a"),
    "c/a": Unit(1.0, -1, "a"),
    "2pi/a": Unit(1.0, -1, "a"),
    "pi/a": Unit(0.5, -1, "a"),
    "a/c": Unit(1.0, 1, "a"),
    "c/um": Unit(1.0, -1, "um"),
    "1/nm": Unit(1e3, -1, "um"),
    "1/um": Unit(1.0, -1, "um"),
    "1/cm": Unit(1e-4, -1, "um"),
    "rad/nm": Unit(1e3 / (2 * math.pi), -1, "um"),
    "rad/um": Unit(1 / (2 * math.pi), -1, "um"),
    "rad/mm": Unit(1e-3 / (2 * math.pi), -1, "um"),
    "rad/cm": Unit(1e-4 / (2 * math.pi), -1, "um"),
    "rad/m": Unit(1e-6 / (2 * math.pi), -1, "um"),
    "THz": Unit(1e-3 / _C_UM_PER_FS, -1, "um"),
    "GHz": Unit(1e-6 / _C_UM_PER_FS, -1, "um"),
    "eV": Unit(1 / _EV_UM, -1, "um"),
    "meV": Unit(1e-3 / _EV_UM, -1, "um"),
    "fs": Unit(_C_UM_PER_FS, 1, "um"),
    "ps": Unit(1e3 * _C_UM_PER_FS, 1, "um"),
    "V/um": Unit(1.0, 0),
    "V/m": Unit(1e-6, 0),
    "pm/V": Unit(1e-6, 0),
    "um/V": Unit(1.0, 0),
    "m^2/V^2": Unit(1e12, 0),
    "um^2/V^2": Unit(1.0, 0),
    "W/m^2": Unit(_W_M2, 0),
    "W/cm^2": Unit(1e4 * _W_M2, 0),
    "MW/cm^2": Unit(1e10 * _W_M2, 0),
    "GW/cm^2": Unit(1e13 * _W_M2, 0),
    "TW/cm^2": Unit(1e16 * _W_M2, 0),
    "m^2/W": Unit(1 / _W_M2, 0),
    "cm^2/W": Unit(1e-4 / _W_M2, 0),
    "um^2": Unit(1.0, 2, "um"),
    "nm^2": Unit(1e-6, 2, "um"),
    "um^3": Unit(1.0, 3, "um"),
}

_ALIASES = {
    "": "1",
    "dimensionless": "1",
    "unitless": "1",
    "a.u.": "1",
    "percent": "%",
    "degree": "deg",
    "degrees": "deg",
    "\u00b0": "deg",
    "radian": "rad",
    "radians": "rad",
    "ohms": "ohm",
    "\u03c9": "ohm",
    "micron": "um",
    "microns": "um",
    "micrometer": "um",
    "micrometre": "um",
    "nanometer": "nm",
    "nanometre": "nm",
    "millimeter": "mm",
    "millimetre": "mm",
    "\u00e5": "angstrom",
    "angstroms": "angstrom",
    "latticeconstant": "a",
    "latticeconstants": "a",
    "cm^-1": "1/cm",
    "cm-1": "1/cm",
    "um^-1": "1/um",
    "um-1": "1/um",
    "nm^-1": "1/nm",
    "nm-1": "1/nm",
    **{
        f"rad{length}{power}": f"rad/{length}"
        for length in ("nm", "um", "mm", "cm", "m")
        for power in ("^-1", "-1")
    },
    **{f"{word}/um": "rad/um" for word in ("radian", "radians")},
    **{f"rad/{word}": "rad/um" for word in ("micron", "micrometer", "micrometre")},
    "um2": "um^2",
    "nm2": "nm^2",
    "um3": "um^3",
    "a/lambda": "c/a",
    "2pic/a": "c/a",
    "wa/2pic": "c/a",
    "omegaa/2pic": "c/a",
    "\u03c9a/2pic": "c/a",
    "k/2pi/a": "2pi/a",
    "ka/2pi": "2pi/a",
    "k/pi/a": "pi/a",
    "ka/pi": "pi/a",
}
_SIGNS = str.maketrans(
    {
        "\u00b5": "u",
        "\u03bc": "u",
        "\u03c0": "pi",
        "\u03bb": "lambda",
        "\u2126": "\u03c9",
        "\u212b": "\u00e5",
        "\u00b2": "^2",
        "\u00b3": "^3",
        "\u00b9": "1",
        "\u207b": "^-",
        **dict.fromkeys(" *\u00b7\u22c5()[]{}\\$_", ""),
    }
)
_LOWER = {name.lower(): name for name in UNITS}


@lru_cache(maxsize=1024)
def canonical(unit: str) -> str:
    """The table's name of a unit as people write it: 2*pi/a, k/(2pi/a), micron, degrees; the text itself if it has none."""
    text = unit.strip()
    if text in UNITS:
        return text
    plain = text.translate(_SIGNS)
    if plain in UNITS:
        return plain
    plain = plain.lower()
    return text if text.startswith("M") else _LOWER.get(plain) or _ALIASES.get(plain, text)  # MeV is not meV
