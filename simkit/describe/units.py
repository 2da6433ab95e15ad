"""Units of declared parameters. Base units: micrometre (or the free length `a`), c/um (or c/a), um/c, radian."""

from __future__ import annotations

import math
from dataclasses import dataclass

_C_UM_PER_FS = 0.299792458
_EV_UM = 1.23984198433  # h c in eV um (CODATA 2018)


@dataclass(frozen=True)
class Unit:
    """factor: base units in one of it. power: of length (0: a pure number). scale: which length it is measured in."""

    factor: float
    power: int
    scale: str = ""


UNITS: dict[str, Unit] = {
    "1": Unit(1.0, 0), "%": Unit(0.01, 0), "deg": Unit(math.pi / 180, 0), "rad": Unit(1.0, 0),
    "ohm": Unit(1 / 376.730313668, 0),  # in impedances of free space
    "nm": Unit(1e-3, 1, "um"), "um": Unit(1.0, 1, "um"), "mm": Unit(1e3, 1, "um"), "angstrom": Unit(1e-4, 1, "um"),
    "a": Unit(1.0, 1, "a"), "c/a": Unit(1.0, -1, "a"), "2pi/a": Unit(1.0, -1, "a"), "a/c": Unit(1.0, 1, "a"),
    "c/um": Unit(1.0, -1, "um"), "1/um": Unit(1.0, -1, "um"), "1/cm": Unit(1e-4, -1, "um"),
    "THz": Unit(1e-3 / _C_UM_PER_FS, -1, "um"), "GHz": Unit(1e-6 / _C_UM_PER_FS, -1, "um"),
    "eV": Unit(1 / _EV_UM, -1, "um"), "meV": Unit(1e-3 / _EV_UM, -1, "um"),
    "fs": Unit(_C_UM_PER_FS, 1, "um"), "ps": Unit(1e3 * _C_UM_PER_FS, 1, "um"),
    "um^2": Unit(1.0, 2, "um"), "nm^2": Unit(1e-6, 2, "um"), "um^3": Unit(1.0, 3, "um"),
}
