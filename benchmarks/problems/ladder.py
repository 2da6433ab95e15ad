"""What a careful author of free scripts does: finer grids until the last change says that the value is good enough."""

from __future__ import annotations

import json
import math
import resource
from collections.abc import Callable
from typing import Any

import meep as mp

FINER, SAFETY, MOST = 1.5, 1.25, 7


def climb(value: Callable[[float], Any], first: float, wanted: float) -> None:
    """Print values, resolutions, relative uncertainty and CPU seconds as JSON.

    value: of a resolution, a number or (abscissae, ordinates). The uncertainty is Richardson's with the order of the last
    three grids, between 1 and 2, as ReproLab states it; two grids: of first order.
    """
    mp.verbosity(0)
    resolutions: list[float] = []
    curves: list[list[float]] = []
    error, axis = float("inf"), None
    while len(resolutions) < MOST and error > wanted:
        resolution = float(round(resolutions[-1] * FINER) if resolutions else first)
        found = value(resolution)
        axis, y = found if isinstance(found, tuple) else (None, [found])
        resolutions.append(resolution)
        curves.append(y)
        error = _error(resolutions, curves)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        "@"
        + json.dumps(
            {
                "resolutions": resolutions,
                "axis": axis,
                "values": curves[-1],
                "uncertainty": error,
                "cpu_s": used.ru_utime + used.ru_stime,
            }
        )
    )


def _error(resolutions: list[float], curves: list[list[float]]) -> float:
    if len(curves) < 2:
        return float("inf")
    changes = [math.dist(a, b) for a, b in zip(curves, curves[1:], strict=False)]
    scale = max(map(abs, curves[-1])) * math.sqrt(len(curves[-1]))
    ratio = resolutions[-1] / resolutions[-2]
    order = 1.0
    if len(changes) > 1 and changes[-1] < changes[-2]:
        order = min(2.0, max(1.0, math.log(changes[-2] / changes[-1]) / math.log(ratio)))
    return SAFETY * changes[-1] / (ratio**order - 1) / scale
