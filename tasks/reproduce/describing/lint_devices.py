"""Remarks about devices: guides that leave without a port, ports beside their guide, bodies that end just before another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from schemas.reproduce.simulations.numerics import Finding
from simkit.arrange.extent import extent, finite
from simkit.describe.device import leaves

_SIDES = ("-x", "+x", "-y", "+y")


def device_findings(scene: Any, _materials: Mapping[str, Any]) -> Iterator[Finding]:
    """Findings of a resolved device; none for other scenes."""
    if scene.type != "device":
        return
    for side in _SIDES:
        across = 1 if side[1] == "x" else 0
        places = [float(port.center) for port in scene.ports if port.side == side]
        guides = []
        for body in scene.bodies:
            shape = body.body if body.type == "repeat" else body
            low, high = extent([body])[across]
            if (
                not leaves(body, side)
                or shape.medium == scene.background
                or not (finite(low) and finite(high))
            ):
                continue
            guides.append((low, high))
            if not any(low - (high - low) <= place <= high + (high - low) for place in places):
                yield Finding(
                    level="warning" if places else "note",  # a film or a substrate leaves where nobody looks
                    where=f"{scene.id} {shape.id}",
                    text=f"it leaves on side {side} without a port: its light counts as lost",
                    source="first mistakes: a guide that nobody looks at",
                )
        for port in scene.ports:
            if (
                port.side == side
                and guides
                and not any(low <= float(port.center) <= high for low, high in guides)
            ):
                yield Finding(
                    level="note",
                    where=f"{scene.id} port {port.id}",
                    text=f"its centre {float(port.center):.6g} lies in no body, right only for guides of several",
                )
    axis = {"x": 0, "y": 1}
    for port in scene.ports:
        ends = [v for body in scene.bodies for v in extent([body])[axis[port.side[1]]] if finite(v)]
        if ends and max(ends) - min(ends) > _LONGEST / scene.band.frequencies()[0]:
            yield Finding(
                level="note",
                where=scene.id,
                text=f"{max(ends) - min(ends):.4g} long along {port.side[1]}: over "
                f"{_LONGEST:g} wavelengths; small errors of the index add up in phase",
                source="couplers",
            )
            break


_LONGEST = 20.0
