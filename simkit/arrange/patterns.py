"""The directions of far-field patterns."""

from __future__ import annotations

import math

from simkit.arrange.frames import turned
from simkit.runs import Vector

LEAST = 180  # directions over the full circle
FAR = 1000.0  # wavelengths


def angles(samples: int) -> int:
    """How many directions over the full circle, a multiple of four, for a band's number of samples."""
    return 4 * math.ceil(max(LEAST, samples - 1) / 4)


def circle(zero: str, towards: str, count: int, sign: float = 1.0) -> list[Vector]:
    """Unit vectors at equally spaced angles from the axis `zero` (times sign) to the axis `towards`."""
    first, second = "xyz".index(zero), "xyz".index(towards)
    out = []
    for number in range(count):
        unit = [0.0, 0.0, 0.0]
        unit[first] = sign * clean(math.cos(2 * math.pi * number / count))
        unit[second] = clean(math.sin(2 * math.pi * number / count))
        out.append((unit[0], unit[1], unit[2]))
    return out


def seen(
    zero: str, towards: str, count: int, axis: int | None, component: str, free: tuple[int, float] | None
) -> list[tuple[Vector | None, float, float]]:
    """(direction in the cell, share of its polar field, share of its azimuthal field) of each angle.

    axis: of revolution, None in a cell that is not cylindrical (both shares 1). Of a dipole across the axis the polar field
    goes with the cosine of the azimuth, the azimuthal one with its sine. Nothing (None) goes behind the mirror: free is the
    axis and the sign of its free side.
    """
    out: list[tuple[Vector | None, float, float]] = []
    for unit in circle(zero, towards, count):
        if free is not None and unit[free[0]] * free[1] < -1e-12:
            out.append((None, 0.0, 0.0))
            continue
        if axis is None:
            out.append((unit, 1.0, 1.0))
            continue
        x, y, z = turned(unit, axis)
        direction = (clean(math.hypot(x, y)), 0.0, z)
        if component[1] == "xyz"[axis]:
            out.append((direction, 1.0, 1.0))
            continue
        along = turned([float("xyz"[i] == component[1]) for i in range(3)], axis)
        across = math.hypot(x, y)
        cosine = (x * along[0] + y * along[1]) / across if across > 1e-9 else 1.0
        out.append((direction, cosine**2, 1 - cosine**2))
    return out


def clean(value: float) -> float:
    """Without the rounding of a cosine that is zero."""
    return round(value, 12) + 0.0
