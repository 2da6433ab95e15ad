"""Mirror planes of a unit cell's patterns."""

from __future__ import annotations

import math
from typing import Any

from simkit.describe.handed import Pattern
from simkit.describe.unit_cell import Film, Rod, UnitCell


def mirrors(scene: UnitCell, dims: int, along: str) -> tuple[tuple[Any, int], ...]:
    """Mirror planes of structure and light together; found here, never asked for."""
    if dims == 1:
        return ()
    out: list[tuple[Any, int]] = []
    films = [film for film in scene.layers if isinstance(film, Film)]
    if dims == 2:
        slanted = any(getattr(body, "top", None) is not None for film in films for body in film.pattern)
        if all(_symmetric_bars(film) for film in films) and (along == "y" or not slanted):
            out.append(("x", 1 if along == "y" else -1))  # odd beside corners: see extent.halved
        return tuple(out)
    for axis in (0, 1):
        bodies = [body for film in films for body in film.pattern]
        cornered = "xy"[axis] == along and any(isinstance(body, Pattern) for body in bodies)  # extent.halved
        if not cornered and all(_symmetric(body, axis) for body in bodies):
            out.append(("xy"[axis], -1 if along == "xy"[axis] else 1))
    return tuple(out)


def _symmetric_bars(film: Film) -> bool:
    edges = [
        pair
        for body in film.pattern
        for pair in ([(body.x, body.x)] if isinstance(body, Rod) else [body.x, body.top or body.x])
    ]
    return all(abs(float(low) + float(high)) < 1e-9 for low, high in edges)


def _symmetric(body: Any, axis: int) -> bool:
    if isinstance(body, Pattern):
        return body.mirrored(axis)
    if body.type == "disk":
        return abs(float(body.center[axis])) < 1e-9
    if body.type == "rectangle":
        quarter = float(body.rotation) / (math.pi / 2)
        return abs(float(body.center[axis])) < 1e-9 and abs(quarter - round(quarter)) < 1e-9
    return False
