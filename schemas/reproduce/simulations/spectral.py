"""Spectral units, converted in one place: everything becomes a frequency in c/um (Meep's unit with a = 1 um).

f = 1 / lambda = E / (h c) = omega / (2 pi c), with the constants of the 2019 SI. A unit that a formula in omega uses
(rad/s, 1/s, 1/fs) is angular; Hz and its multiples are ordinary frequencies; a time is that of a decay, 1 / omega.
"""

from __future__ import annotations

import math

from schemas.errors import InputError

LIGHT_SPEED = 299_792_458.0  # m/s
HC_EV_M = 1.239841984332e-6  # h c / e in eV m
_PER_UM = 1e-6 / LIGHT_SPEED  # c/um of 1 Hz

# c/um of one unit.
_FREQUENCY = {
    "c/um": 1.0,
    "1/um": 1.0,
    "1/cm": 1e-4,
    "Hz": _PER_UM,
    "GHz": 1e9 * _PER_UM,
    "THz": 1e12 * _PER_UM,
    "PHz": 1e15 * _PER_UM,
    "eV": 1e-6 / HC_EV_M,
    "meV": 1e-9 / HC_EV_M,
}
_ANGULAR = {
    "rad/s": 1.0,
    "1/s": 1.0,
    "rad/ps": 1e12,
    "1/ps": 1e12,
    "Trad/s": 1e12,
    "rad/fs": 1e15,
    "1/fs": 1e15,
}
_WAVELENGTH_UM = {"nm": 1e-3, "um": 1.0, "mm": 1e3, "angstrom": 1e-4}
_TIME_S = {"fs": 1e-15, "ps": 1e-12, "ns": 1e-9, "s": 1.0}
SPECTRAL_UNITS = (*_WAVELENGTH_UM, *_FREQUENCY, *_ANGULAR, *_TIME_S)

_SPELLINGS = {
    "µm": "um",
    "μm": "um",
    "micron": "um",
    "microns": "um",
    "cm^-1": "1/cm",
    "cm-1": "1/cm",
    "um^-1": "1/um",
    "s^-1": "1/s",
    "s-1": "1/s",
    "fs^-1": "1/fs",
    "fs-1": "1/fs",
    "ps^-1": "1/ps",
    "ps-1": "1/ps",
    "Å": "angstrom",
    "rad s^-1": "rad/s",
    "rad s-1": "rad/s",
}
# How a paper may print a unit, in lower case without spaces and markup; the unit's own name always counts.
_PRINTED = {
    "1/cm": ("cm-1", "cm^-1", "cm−1"),
    "1/um": ("um-1", "um^-1"),
    "1/s": ("s-1", "s^-1", "hz"),
    "rad/s": ("rads-1", "rads^-1", "s-1", "s^-1", "1/s", "radpersecond"),
    "rad/ps": ("ps-1", "ps^-1", "1/ps", "thz"),
    "1/ps": ("ps-1", "ps^-1", "thz"),
    "Trad/s": ("thz", "ps-1", "ps^-1", "rad/ps"),
    "rad/fs": ("fs-1", "fs^-1", "1/fs", "phz"),
    "1/fs": ("fs-1", "fs^-1", "rad/fs"),
    "um": ("micron", "micrometer", "micrometre"),
    "nm": ("nanometer", "nanometre"),
    "eV": ("electronvolt", "electron volt"),
    "angstrom": ("å",),
}


def spectral_unit(unit: str) -> str:
    """The unit as this module names it. Raises InputError listing the units there are."""
    text = unit.strip()
    if text in SPECTRAL_UNITS:
        return text
    text = _SPELLINGS.get(text, _SPELLINGS.get(text.lower(), text))
    if text in SPECTRAL_UNITS:
        return text
    # only where the case cannot be mistaken: meV and MeV differ
    close = [name for name in SPECTRAL_UNITS if name.lower() == text.lower() and name != "meV"]
    if close:
        return close[0]
    raise InputError(
        f"{unit[:40]!r} is no spectral unit",
        found=unit[:40],
        allowed=", ".join(SPECTRAL_UNITS),
        fix="rad/s and 1/s are angular frequencies, Hz ordinary ones, fs a decay time, nm a vacuum wavelength",
    )


def to_frequency(value: float, unit: str) -> float:
    """A spectral quantity as an ordinary frequency in c/um.

    value: wavelength, frequency, photon energy, wavenumber, angular frequency, or decay time tau (giving 1/tau as an
    angular frequency). 0 is a frequency, but no wavelength and no time.
    Raises InputError for an unknown unit, and for a value that is not finite or has no frequency.
    """
    name = spectral_unit(unit)
    if not math.isfinite(value) or value < 0 or (value == 0 and (name in _WAVELENGTH_UM or name in _TIME_S)):
        raise InputError(
            "no frequency belongs to this value",
            found=f"{value:g} {unit}",
            allowed="a finite number above 0 (0 only for a frequency)",
            fix="correct the number",
        )
    if name in _FREQUENCY:
        return value * _FREQUENCY[name]
    if name in _ANGULAR:
        return value * _ANGULAR[name] * _PER_UM / (2 * math.pi)
    if name in _TIME_S:
        return _PER_UM / (2 * math.pi * value * _TIME_S[name])
    return 1 / (value * _WAVELENGTH_UM[name])


def to_wavelength_um(value: float, unit: str) -> float:
    """A spectral quantity as a vacuum wavelength in um; raises as `to_frequency`, and for a frequency of 0."""
    frequency = to_frequency(value, unit)
    if frequency == 0:
        raise InputError(
            "a frequency of 0 has no wavelength",
            found=f"{value:g} {unit}",
            allowed="above 0",
            fix="leave it out",
        )
    return 1 / frequency


def printed_forms(unit: str) -> tuple[str, ...]:
    """How a paper may print a unit: lower case, no spaces; () for a dimensionless one."""
    if unit.strip() in ("", "1"):
        return ()
    try:
        name = spectral_unit(unit)
    except InputError:
        name = unit.strip()
    plain = name.lower().replace(" ", "")
    return (plain, *(form.replace(" ", "") for form in _PRINTED.get(name, ())))
