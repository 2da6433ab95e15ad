"""Raw monitor data into quantities: trusted reducers, one module for each kind of scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simkit.arrange import Arrangement
from simkit.describe.scene import Quantity, Scene
from tasks.reproduce.measuring import crystal, device, emitter, resonator, scatterer, unit_cell, waveguide
from tasks.reproduce.measuring.values import COUNT, Curve, Map, Measured, NotMeasured, Raw, Scalar

_REDUCERS: Mapping[str, Any] = {
    "crystal": crystal, "device": device, "emitter": emitter, "resonator": resonator, "scatterer": scatterer,
    "unit_cell": unit_cell, "waveguide": waveguide}


def measure(scene: Scene, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Measured:
    """A quantity of a resolved scene from raw data, in base units. Raises NotMeasured with the cause."""
    unsettled = [name for name, data in raw.items() if "stats/stop_met" in data and not bool(data["stats/stop_met"])]
    if unsettled:
        raise NotMeasured(f"the fields had not settled when {', '.join(unsettled)} of {scene.id} ended",
                          found="the bound on run time was reached", fix="a longer run: slow light or a narrow resonance")
    found: Measured = _REDUCERS[scene.type].measure(scene, quantity, arrangement, raw)  # type: ignore[attr-defined]
    return found


__all__ = ["COUNT", "Curve", "Map", "Measured", "NotMeasured", "Raw", "Scalar", "measure"]
