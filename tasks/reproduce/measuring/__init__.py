"""Raw monitor data into quantities: trusted reducers, one module for each kind of scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simkit.arrange import Arrangement
from simkit.describe.scene import Quantity, Scene
from tasks.reproduce.measuring import crystal, device, emitter, resonator, scatterer, unit_cell, waveguide
from tasks.reproduce.measuring.unsettled import refuse_unsettled, still_to_come
from tasks.reproduce.measuring.values import COUNT, Curve, Map, Measured, NotMeasured, Raw, Scalar

_REDUCERS: Mapping[str, Any] = {
    "crystal": crystal,
    "device": device,
    "emitter": emitter,
    "resonator": resonator,
    "scatterer": scatterer,
    "unit_cell": unit_cell,
    "waveguide": waveguide,
}


def measure(scene: Scene, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Measured:
    """A quantity of a resolved scene from raw data, in base units. Raises NotMeasured with the cause."""
    refuse_unsettled(scene, arrangement, raw)
    found: Measured = _REDUCERS[scene.type].measure(scene, quantity, arrangement, raw)  # type: ignore[attr-defined]
    return found


__all__ = ["COUNT", "Curve", "Map", "Measured", "NotMeasured", "Raw", "Scalar", "measure", "still_to_come"]
