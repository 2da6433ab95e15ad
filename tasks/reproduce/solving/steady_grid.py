"""Grids whose time steps keep described poles bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from simkit.arrange import Needs
from simkit.describe.scene import Scene
from tasks.reproduce.materials.drude_lorentz import Pole
from tasks.reproduce.materials.stability import PlainModel, stability

_FINER_STEP, _FINER_STEPS = 1.2, 16  # of a grid whose time steps a medium's poles would make grow


def steady(need: Needs, scene: Scene) -> Needs:
    """The needs of a scene whose described poles Meep's time steps keep bounded: with a finer grid, hence shorter steps, where those
    asked for do not."""
    dims = 3 if getattr(scene, "dimensions", "2D") not in ("1D", "2D") else 2
    resolution = need.resolution
    for epsilon, poles in _models(scene.model_dump(mode="json")):
        for _ in range(_FINER_STEPS):
            if stability(PlainModel(epsilon, poles), resolution, dims=dims).stable:
                break
            resolution *= _FINER_STEP
    return need if resolution == need.resolution else replace(need, resolution=resolution)


def _models(node: Any) -> Iterator[tuple[float, tuple[Pole, ...]]]:
    """Permittivity without poles, and the poles, of every medium of a dumped scene that has some; of three axes the least."""
    if isinstance(node, Mapping):
        if node.get("kind") == "medium" and node.get("poles"):
            value = node["epsilon"]
            yield (
                float(min(value) if isinstance(value, (list, tuple)) else value),
                tuple(
                    Pole(one["kind"], float(one["frequency"]), float(one["damping"]), float(one["strength"]))
                    for one in node["poles"]
                ),
            )
        for value in node.values():
            yield from _models(value)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from _models(value)
