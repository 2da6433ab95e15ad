"""Handed-in patterns of cells with one period: stripes, which are bars."""

from __future__ import annotations

from typing import Any, TypeVar

from simkit.describe.handed import Pattern
from simkit.describe.scene import Scene
from simkit.describe.unit_cell import Bar, Film, UnitCell

AnyOf = TypeVar("AnyOf", bound=Scene)


def with_stripes(scene: AnyOf) -> AnyOf:
    """The resolved scene with the stripes of each handed-in pattern as bars; itself where there are none."""
    if not isinstance(scene, UnitCell) or len(scene.period) != 1:
        return scene
    layers = tuple(_striped(layer) if isinstance(layer, Film) else layer for layer in scene.layers)
    return scene if layers == scene.layers else scene.model_copy(update={"layers": layers})


def _striped(film: Film) -> Film:
    if not any(isinstance(body, Pattern) for body in film.pattern):
        return film
    drawn: list[Any] = []
    for body in film.pattern:
        if isinstance(body, Pattern):
            drawn += [
                Bar.model_construct(type="bar", medium=body.medium, x=ends, top=None) for ends in body.bars()
            ]
        else:
            drawn.append(body)
    return film.model_copy(update={"pattern": tuple(drawn)})
