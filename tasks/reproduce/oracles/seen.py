"""Media that differ along the axes, as the light of a scene sees them: theories here know one permittivity a medium."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from simkit.describe.media import Medium
from simkit.describe.scene import Scene

_IN_PLANE = {"Ez": "z", "Hz": "xy", "tm": "z", "te": "xy", "z": "z", "x": "xy", "y": "xy"}


class _Differs(Exception):
    """A medium differs along axes that the light has fields along."""


def axes_of_light(scene: Any) -> str:
    """The axes that E may have components along, anywhere in the scene."""
    if scene.type == "unit_cell":
        if len(scene.period) == 2:
            return "xyz"
        if scene.polarization in ("y", "s"):
            return "y"
        return "x" if not scene.period and not float(scene.angle) else "xz"
    if scene.type == "crystal":
        return _IN_PLANE.get(scene.polarization, "xyz")
    if getattr(scene, "dimensions", "3D") != "2D":
        return "xyz"
    told = {"resonator": "field", "emitter": "orientation"}.get(scene.type, "polarization")
    return _IN_PLANE.get(getattr(scene, told), "xyz")


def as_seen(scene: Scene, materials: Mapping[str, Any]) -> tuple[Scene, Mapping[str, Any]] | None:
    """The scene and materials with one permittivity a medium; themselves where nothing is anisotropic, None where the light sees that
    something is."""
    axes = axes_of_light(scene)

    def seen(node: Any) -> Any:
        if isinstance(node, Medium):
            entry = materials.get(node.material or "", {})
            if "axes" in entry and any(entry["axes"][axis] != entry["axes"][axes[0]] for axis in axes):
                raise _Differs
            if not isinstance(node.epsilon, tuple):
                return node
            along = {float(node.epsilon["xyz".index(axis)]) for axis in axes}
            if len(along) > 1:
                raise _Differs
            return node.model_copy(update={"epsilon": along.pop()})
        if isinstance(node, BaseModel):
            own = {name: getattr(node, name) for name in type(node).model_fields}
            changed = {name: new for name, value in own.items() if (new := seen(value)) is not value}
            return node.model_copy(update=changed) if changed else node
        if isinstance(node, tuple):
            new = tuple(map(seen, node))
            return node if all(a is b for a, b in zip(new, node, strict=True)) else new
        return node

    try:
        found = seen(scene)
    except _Differs:
        return None
    media = {name: entry["axes"][axes[0]] if "axes" in entry else entry for name, entry in materials.items()}
    return found, media
