"""Power that a device radiates per angle, from the far fields of one open plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simkit.describe.device import DevicePattern
from tasks.reproduce.measuring.values import Curve, NotMeasured

LARGEST_UNSEEN = 0.03  # of the beam's amplitude: what a wavelength beyond the plane's ends would add
OUTERMOST = 0.02  # of the plane's length at either end


def pattern(
    quantity: DevicePattern, raw: Mapping[str, Any], radius: float, incident: float, longest: float
) -> Curve:
    """Over the angle from the side's normal, (n,). radius: where the far fields are; incident: flux that comes in; longest:
    wavelength there. Raises NotMeasured: nothing is radiated to that side, or past the ends of the plane it is seen from."""
    own, other = "xy".index(quantity.side[1]), 1 - "xy".index(quantity.side[1])
    direction = np.asarray(raw[f"far_{quantity.mark}/directions"], float)
    fields = np.asarray(raw[f"far_{quantity.mark}/fields"], complex)[:, 0]
    power = np.sum(np.real(np.cross(np.conj(fields[:, :3]), fields[:, 3:])) * direction, axis=1)
    if not power.max() > 0:
        raise NotMeasured(f"{quantity.id}: nothing is radiated to {quantity.side}")
    unseen = _unseen(quantity, raw, longest)
    if unseen > LARGEST_UNSEEN:
        raise NotMeasured(
            f"{quantity.id}: light leaves {quantity.side} too flat for the cell to hold it",
            found=f"at the ends of the plane it is seen from, {unseen:.2g} of the beam's amplitude a wavelength",
            allowed=f"{LARGEST_UNSEEN:g}",
            fix="a side that the light leaves more steeply, or its Loss alone",
        )
    angle = np.arctan2(direction[:, other], (1 if quantity.side[0] == "+" else -1) * direction[:, own])
    return Curve(
        angle, power / power.max() if quantity.over == "maximum" else power * radius / incident, axis="angle"
    )


def _unseen(quantity: DevicePattern, raw: Mapping[str, Any], longest: float) -> float:
    """Amplitude at the plane's brighter end times a wavelength, over its integral along the plane: what far fields may lack."""
    edge = f"edge_{quantity.mark}"
    field = next(
        np.abs(np.asarray(raw[f"{edge}/{part}"], complex)[0].reshape(-1))
        for part in ("Ez", "Hz")
        if f"{edge}/{part}" in raw
    )
    where = np.asarray(raw[f"{edge}/{'yx'['xy'.index(quantity.side[1])]}"], float)[: field.size]
    outer = max(1, round(OUTERMOST * field.size))
    return float(max(field[:outer].max(), field[-outer:].max()) * longest / np.trapezoid(field, where))
