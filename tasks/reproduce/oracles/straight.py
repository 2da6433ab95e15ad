"""A device that is nothing but its source's guide: all light goes on in its mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.describe.base import RESOLVED
from simkit.describe.device import Device, PortDelay, PortPhase, PortTransmittance, leaves
from simkit.describe.light import Line
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import Waveguide
from tasks.reproduce.measuring.values import Curve, Scalar
from tasks.reproduce.oracles.slabs import modes


def oracle(
    scene: Device, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None
) -> Scalar | Curve | None:
    """1 through the port opposite to the source in its own mode or all, 0 back and lost; phase and delay of films by their
    dispersion relation. None for any other device."""
    source = scene.port(scene.source)
    opposite = {"-": "+", "+": "-"}[source.side[0]] + source.side[1]
    if not all(leaves(body, source.side) and leaves(body, opposite) for body in scene.bodies):
        return None
    if isinstance(quantity, (PortPhase, PortDelay)):
        return _turned(scene, quantity, materials, x)
    value, mode = 0.0, getattr(quantity, "mode", None)
    if isinstance(quantity, PortTransmittance):
        ports = [scene.port(name) for name in quantity.ports]
        if len(ports) > 1 or ports[0].side != opposite or float(ports[0].center) != float(source.center):
            return None
        value = 1.0 if mode in (None, scene.mode) else 0.0
    if isinstance(scene.band, Line):
        return Scalar(value)
    return None if x is None else Curve(x, np.full(x.shape, value))


def _turned(
    scene: Device,
    quantity: PortPhase | PortDelay,
    materials: Mapping[str, Any],
    x: NDArray[np.float64] | None,
) -> Scalar | Curve | None:
    """beta L and its derivative, of films along y."""
    port = scene.port(quantity.port)
    if (
        scene.dimensions != "2D"
        or port.side[1] != "x"
        or float(port.center) != float(scene.port(scene.source).center)
        or quantity.mode != scene.mode
        or any(body.type != "block" for body in scene.bodies)
    ):
        return None
    f = np.atleast_1d(x) if x is not None else np.array([scene.band.frequencies()[0]])
    guide = Waveguide.model_validate(
        {
            "id": scene.id,
            "dimensions": "2D",
            "bodies": [body.model_dump() for body in scene.bodies],
            "background": scene.background.model_dump(),
            "wavelength": 1 / float(f[0]),
            "polarization": scene.polarization,
        },
        context=RESOLVED,
    )
    way = (float(quantity.end) - float(quantity.start)) * (-1 if port.side[0] == "-" else 1)

    def turned(at: float) -> float:
        return 2 * np.pi * at * modes(guide, 1 / at, materials)[scene.mode - 1] * way

    try:
        if isinstance(quantity, PortDelay):
            step = 1e-5 * float(f[0])
            slope = np.array([(turned(at + step) - turned(at - step)) / (4 * np.pi * step) for at in f])
            return Curve(f, slope, power=1)
        phase = np.array([turned(float(at)) for at in f])
    except IndexError:
        return None
    phase = phase - 2 * np.pi * np.round(phase[0] / (2 * np.pi))
    return Scalar(float(phase[0])) if isinstance(scene.band, Line) else Curve(f, phase)
