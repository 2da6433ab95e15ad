"""A device that is nothing but its source's guide: all light goes on in its mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.describe.device import Device, PortTransmittance, leaves
from simkit.describe.light import Line
from simkit.describe.scene import Quantity
from tasks.measuring.values import Curve, Scalar


def oracle(scene: Device, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None
           ) -> Scalar | Curve | None:
    """1 through the port opposite to the source in its own mode or all, 0 back and lost; None for any other device."""
    source = scene.port(scene.source)
    opposite = {"-": "+", "+": "-"}[source.side[0]] + source.side[1]
    if not all(leaves(body, source.side) and leaves(body, opposite) for body in scene.bodies):
        return None
    value, mode = 0.0, getattr(quantity, "mode", None)
    if isinstance(quantity, PortTransmittance):
        port = scene.port(quantity.port)
        if port.side != opposite or float(port.center) != float(source.center):
            return None
        value = 1.0 if mode in (None, scene.mode) else 0.0
    if isinstance(scene.band, Line):
        return Scalar(value)
    return None if x is None else Curve(x, np.full(x.shape, value))
