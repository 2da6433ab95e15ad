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
    bloch_layers,
    cavities,
    cylinders,
    damped_guides,
    gratings,
    layers,
    planar_dipoles,
    planar_far,
    plane_waves,
    slabs,
    spheres,
    straight,
    undepleted,
)
from tasks.reproduce.oracles.seen import as_seen

_ORACLES: Mapping[str, tuple[tuple[str, Any], ...]] = {
    "crystal": (("plane waves", plane_waves),),
    "device": (("a straight guide", straight),),
    "emitter": (
        ("waves of a dipole among films", planar_dipoles),
        ("plane waves of a dipole through films", planar_far),
    ),
    "resonator": (("Bessel and Hankel functions", cavities),),
    "scatterer": (("partial waves", cylinders), ("partial waves", spheres)),
    "unit_cell": (("transfer matrix", layers), ("coupled waves", gratings), ("undepleted pump", undepleted)),
    "waveguide": (
        ("dispersion relation of films", slabs),
        ("complex roots of the dispersion relation of films", damped_guides),
        ("dispersion relation of periodic layers", bloch_layers),
    ),
}


def oracle(
    scene: Scene, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None = None
) -> tuple[str, Measured] | None:
    """(theory, its value) of a quantity of a resolved scene, at the abscissae x of a curve; None where there is none."""
    plain = as_seen(with_stripes(scene), materials)
    if plain is None:
        return None
    for name, module in _ORACLES.get(scene.type, ()):  # type: ignore[attr-defined]
        found = module.oracle(plain[0], quantity, plain[1], x)
        if found is not None:
            return name, found
    return None
