"""What a device radiates far away on a side without a guide: near-to-far from one plane along that whole side.

The plane is open: what crosses its ends is not seen. So it lies where the guides' evanescent fields are gone, and the cell
reaches as far again beside the structure as BESIDE says; how bright its ends are is measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from simkit.arrange.bands import frequencies
from simkit.arrange.device_cell import CLEAR_PX, DeviceCell, sign
from simkit.arrange.extent import extent, finite
from simkit.arrange.patterns import FAR, angles, clean
from simkit.describe.device import Device, DevicePattern
from simkit.describe.scene import Quantity
from simkit.runs import Monitor, Vector

FRAUNHOFER = 100.0  # of width^2 / wavelength: from there on angles do not change with distance


def radiating(quantities: Sequence[Quantity]) -> set[str]:
    """The sides whose far fields are asked for."""
    return {quantity.side for quantity in quantities if isinstance(quantity, DevicePattern)}


def far_fields(
    scene: Device, cell: DeviceCell, quantities: Sequence[Quantity], samples: int
) -> dict[str, Monitor]:
    """A far field 'far_ID' and the field on its plane, 'edge_ID', for each pattern. Raises ValueError: three dimensions, a
    side with a guide, a body through the plane."""
    out: dict[str, Monitor] = {}
    for quantity in quantities:
        if not isinstance(quantity, DevicePattern):
            continue
        _refuse(scene, quantity)
        own, other = "xyz".index(quantity.side[1]), 1 - "xyz".index(quantity.side[1])
        center, size = [0.0] * 3, [0.0] * 3
        center[own] = cell.inner[quantity.side] - sign(quantity.side) * CLEAR_PX * cell.pixel
        low, high = (_end(scene, cell, side + "xyz"[other]) for side in "-+")
        center[other], size[other] = (low + high) / 2, high - low
        at, span = cell.shifted(center), (size[0], size[1], size[2])
        lines = frequencies(scene.band, 1)
        out[f"far_{quantity.mark}"] = Monitor(
            "far_field",
            at,
            span,
            lines,
            weight=float(sign(quantity.side)),
            axis=quantity.side[1],  # type: ignore[arg-type]
            directions=tuple(_half_circle(quantity.side, angles(samples) // 2)),
            radius=max(FAR * cell.longest, FRAUNHOFER * size[other] ** 2 / cell.longest),
        )
        out[f"edge_{quantity.mark}"] = Monitor(
            "fields", at, span, lines, (scene.polarization,), axis=quantity.side[1]
        )  # type: ignore[arg-type]
    return out


def _refuse(scene: Device, quantity: DevicePattern) -> None:
    if scene.dimensions != "2D":
        raise ValueError(f"quantity {quantity.id}: a device's far field is computed in two dimensions")
    if any(port.side == quantity.side for port in scene.ports):
        raise ValueError(
            f"quantity {quantity.id}: a guide leaves on {quantity.side}, so no homogeneous medium follows there"
        )
    own, other = "xyz".index(quantity.side[1]), 1 - "xyz".index(quantity.side[1])
    for body in scene.bodies:
        bounds = extent([body])
        if not finite(bounds[own][sign(quantity.side) > 0]) and any(finite(v) for v in bounds[other]):
            raise ValueError(
                f"quantity {quantity.id}: body {body.id} reaches without a bound to {quantity.side}, so no "
                "homogeneous medium follows there; bound it, or let it fill the whole side"
            )


def _end(scene: Device, cell: DeviceCell, side: str) -> float:
    """Where a plane ends on a side: before a guide's own plane, or the absorber."""
    if any(port.side == side for port in scene.ports):
        return cell.plane(side)
    return cell.inner[side] - sign(side) * CLEAR_PX * cell.pixel


def _half_circle(side: str, count: int) -> list[Vector]:
    """Unit vectors from -90 to 90 degrees about a side's normal, towards the other axis."""
    own, other, out = "xyz".index(side[1]), 1 - "xyz".index(side[1]), []
    for number in range(count + 1):
        angle, unit = math.pi * (number / count - 0.5), [0.0] * 3
        unit[own], unit[other] = sign(side) * clean(math.cos(angle)), clean(math.sin(angle))
        out.append((unit[0], unit[1], unit[2]))
    return out
