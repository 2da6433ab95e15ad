"""Exact or independent solutions of described scenes: shown beside the result, never in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.stripes import with_stripes
from simkit.describe.scene import Quantity, Scene
from tasks.reproduce.measuring.values import Measured
from tasks.reproduce.oracles import (
    cavities,
    cylinders,
    gratings,
    layers,
    planar_dipoles,
    plane_waves,
    slabs,
    spheres,
    straight,
    undepleted,
)

_ORACLES: Mapping[str, tuple[tuple[str, Any], ...]] = {
    "crystal": (("plane waves", plane_waves),),
    "device": (("a straight guide", straight),),
    "emitter": (("waves of a dipole among films", planar_dipoles),),
    "resonator": (("Bessel and Hankel functions", cavities),),
    "scatterer": (("partial waves", cylinders), ("partial waves", spheres)),
    "unit_cell": (("transfer matrix", layers), ("coupled waves", gratings), ("undepleted pump", undepleted)),
    "waveguide": (("dispersion relation of films", slabs),),
}


def oracle(
    scene: Scene, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None = None
) -> tuple[str, Measured] | None:
    """(theory, its value) of a quantity of a resolved scene, at the abscissae x of a curve; None where there is none."""
    for name, module in _ORACLES.get(scene.type, ()):  # type: ignore[attr-defined]
        found = module.oracle(with_stripes(scene), quantity, materials, x)
        if found is not None:
            return name, found
    return None
