"""A dipole before a plane ideal mirror.

Sources: K. H. Drexhage, J. Lumin. 1-2, 693 (1970); R. R. Chance, A. Prock, R. Silbey, Adv. Chem. Phys. 37, 1 (1978). In two
dimensions a line current along the mirror and its image: 1 - J0(2 k h).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import j0

from simkit.arrange.extent import extent, finite
from simkit.arrange.permittivity import index_of
from simkit.describe.emitter import Emitter, PurcellFactor
from simkit.describe.media import PerfectConductor
from simkit.describe.scene import Quantity
from tasks.measuring.values import Curve, Scalar

Array = NDArray[np.float64]


def oracle(scene: Emitter, quantity: Quantity, materials: Mapping[str, Any], x: Array | None) -> Scalar | Curve | None:
    """The exact value, at frequencies x (n,) of a spectrum; None where the scene is no dipole before one ideal mirror."""
    found = _mirror(scene)
    if found is None:
        return None
    axis, height = found
    single = isinstance(quantity, PurcellFactor)
    f = np.array([scene.band.frequencies()[0]]) if single or x is None else np.asarray(x, float)
    index = np.array([index_of(scene.background, float(one), materials).real for one in f])
    phase = 4 * np.pi * f * index * height  # 2 k h
    if scene.dimensions == "2D":
        if scene.orientation != "z":
            return None
        y = 1 - j0(phase)
    elif scene.orientation == "xyz"[axis]:
        y = 1 - 3 * (np.cos(phase) / phase**2 - np.sin(phase) / phase**3)
    else:
        y = 1 - 1.5 * (np.sin(phase) / phase + np.cos(phase) / phase**2 - np.sin(phase) / phase**3)
    return Scalar(float(y[0])) if single else Curve(f, y)


def _mirror(scene: Emitter) -> tuple[int, float] | None:
    """(axis across the mirror, distance of the dipole)."""
    if len(scene.bodies) != 1 or scene.bodies[0].type != "block" or not isinstance(scene.bodies[0].medium, PerfectConductor):
        return None
    ends = [(i, low, high) for i, (low, high) in enumerate(extent(scene.bodies)) if finite(low) or finite(high)]
    if len(ends) != 1 or (finite(ends[0][1]) and finite(ends[0][2])):
        return None
    axis, low, high = ends[0]
    place = float(scene.position[axis])
    height = place - high if finite(high) else low - place
    return (axis, height) if height > 0 else None
