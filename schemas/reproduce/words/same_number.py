"""Whether two numbers state the same quantity, in any unit a physicist would use for it.

685 nm, 0.685 um, 437.6 THz, 2.75e15 rad/s, 1.81 eV, 14 598 1/cm and 2.285 fs (its period) are one wavelength, 3.7 % and 0.037
one fraction, 12.5 ps and 0.0125 ns one time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from schemas.reproduce.simulations.spectral import LIGHT_SPEED
from schemas.reproduce.simulations.units import (
    LENGTH_M,
    TIME_S,
    WAVENUMBER_PER_M,
    canonical,
    converted,
    dimension,
)
from schemas.text.numbers import Number, quantities_in

_JOULE = 1 / 1.98644586e-25  # 1/(h c) in 1/m
_ENERGY = {
    "j": _JOULE,
    "zj": 1e-21 * _JOULE,
    "aj": 1e-18 * _JOULE,
    "fj": 1e-15 * _JOULE,
    "pj": 1e-12 * _JOULE,
}
_PER_S = {"1/s": 1.0, "1/ns": 1e9, "1/ps": 1e12, "1/fs": 1e15, "1/m": LIGHT_SPEED, "1/mm": 1e3 * LIGHT_SPEED}
_EITHER_WAY = frozenset({*_PER_S, "1/um", "1/nm", "1/cm"})  # one of a period, or 2 pi of one
_ANGULAR = {
    f"{prefix}rad/{time}": 1000.0**step * per_s
    for step, prefix in enumerate(("", "k", "m", "g", "t", "p"))
    for time, per_s in (("s", 1.0), ("ps", 1e12), ("fs", 1e15))
} | {f"rad/{length}": LIGHT_SPEED / LENGTH_M[length] for length in ("nm", "um", "mm", "cm", "m")}
_SCALED = (1.0, 1e3, 1e-3)  # where a unit is unknown


def same(one: float, unit: str, other: float, other_unit: str, tolerance: float) -> bool:
    """Whether two numbers with units ('' if unknown, '1' if dimensionless) state the same, within a relative tolerance.

    Spectral units convert, a time is also a period of light, % is a fraction. Where a unit is unknown, powers of 1000 and
    per cent are tried; two known units of different dimension are never the same.
    """
    one, other = abs(one), abs(other)
    name, wanted = canonical(unit), canonical(other_unit)
    if unit and other_unit and (name == wanted or dimension(unit) == dimension(other_unit) != "other"):
        value = converted(one, unit, other_unit)
        if value is not None and _close(value, other, tolerance):
            return True
        if name == wanted or not {name, wanted} & _EITHER_WAY:
            return False
    mine, theirs = _waves(one, unit), _waves(other, other_unit)
    if mine and theirs:
        return any(_close(a, b, tolerance) for a in mine for b in theirs)
    if "" in (unit, other_unit) and (mine or theirs):
        return any(_close(one, other * factor, tolerance) for factor in _SCALED)
    scales = {("%", ""): (1.0, 0.01), ("", "%"): (1.0, 100.0), ("", ""): _SCALED}.get(
        (unit, other_unit), (1.0,)
    )
    return "" in (unit, other_unit) and any(_close(one * scale, other, tolerance) for scale in scales)


def every_number(values: Iterable[object]) -> list[tuple[float, str]]:
    """(value, unit) of all numbers in plain data, texts included; a number without a unit is compared in any."""
    found: list[tuple[float, str]] = []
    for value in values:
        if isinstance(value, dict):
            found += every_number(value.values())
        elif isinstance(value, (list, tuple)):
            found += every_number(value)
        elif isinstance(value, str):
            found += quantities_in(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append((float(value), ""))
    return list(dict.fromkeys(found))


def rounding(number: Number) -> float:
    """How far another number may lie, relative to the larger, for the one written to be its rounding: half a unit of the last
    digit written. 0 for fewer than two significant digits and for words, which round nothing."""
    if number.words or not number.value or abs(number.value) < 20 * number.half * (1 - 1e-9):
        return 0.0
    half = number.half / abs(number.value)
    return half / (1 + half)


def digits(value: float) -> int:
    """How many significant digits a number has."""
    return len(f"{abs(value):.12e}".split("e")[0].replace(".", "").rstrip("0"))


def _waves(value: float, unit: str) -> tuple[float, ...]:
    """Wavenumbers in 1/m of the light that a number with a spectral unit or a time may mean; () for any other."""
    name = canonical(unit)
    if not value or not math.isfinite(value):
        return (0.0,) if name in LENGTH_M or name in WAVENUMBER_PER_M else ()
    if name in LENGTH_M:
        return (1 / (value * LENGTH_M[name]),)
    turn = 2 * math.pi
    if name in _EITHER_WAY:
        per_m = value * (WAVENUMBER_PER_M[name] if name in WAVENUMBER_PER_M else _PER_S[name] / LIGHT_SPEED)
        return (per_m, per_m / turn)
    if name in WAVENUMBER_PER_M or name in _ENERGY:
        return (value * (WAVENUMBER_PER_M.get(name) or _ENERGY[name]),)
    if name in _ANGULAR:
        return (value * _ANGULAR[name] / LIGHT_SPEED / turn,)
    if name in TIME_S:
        return (1 / (value * TIME_S[name] * LIGHT_SPEED), 1 / (value * TIME_S[name] * LIGHT_SPEED * turn))
    return ()


def _close(one: float, other: float, tolerance: float) -> bool:
    return abs(one - other) <= (tolerance + 1e-9) * max(one, other) if one and other else one == other
