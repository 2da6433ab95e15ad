"""Half-spaces, layers and stacks painted without seams, never beyond the cell along their axis and without an end across it.

Anything that sticks out of a cell with k_point set comes back on the opposite side (measured: R = -7), and abutting
blocks leave a seam of the default material. These helpers clip to the cell and paint from the widest to the finest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import meep as mp

from simkit.bounds import bounds_of, is_aligned_block
from simkit.errors import GeometryError
from simkit.media import is_dispersive

AXES = {"x": 0, "y": 1, "z": 2}


def axis_name(axis: Any) -> str:
    name = {mp.X: "x", mp.Y: "y", mp.Z: "z"}.get(axis, axis) if not isinstance(axis, str) else axis.lower()
    if name not in AXES:
        raise GeometryError(f"axis {axis!r}; allowed: 'x', 'y', 'z' (or mp.X, mp.Y, mp.Z).")
    return name


def slab_block(axis: str, low: float, high: float, material: Any) -> Any:
    """Without an end across the axis: an average beside the edge of a narrow cell would see what lies beyond."""
    sizes, centre = [mp.inf] * 3, [0.0] * 3
    sizes[AXES[axis]], centre[AXES[axis]] = high - low, (low + high) / 2
    return mp.Block(size=mp.Vector3(*sizes), center=mp.Vector3(*centre), material=material)


def cell_edges(cell: Any, axis: str) -> tuple[float, float]:
    size = getattr(cell, axis)
    if not size > 0:
        raise GeometryError(f"the cell has no extent along {axis} (size {size}); choose an axis of the cell.")
    return -size / 2, size / 2


def half_space(
    cell: Any, axis: Any, material: Any, start: float | None = None, end: float | None = None
) -> Any:
    """Block from `start` to the upper cell edge, or from the lower edge to `end` (exactly one of the two), um.

    cell: mp.Vector3 size. Ends exactly at the cell edge, PML included. A Drude metal must not touch a PML: use layer.
    """
    name = axis_name(axis)
    low, high = cell_edges(cell, name)
    if (start is None) == (end is None):
        raise GeometryError(
            "half_space needs exactly one of start (extends upwards) and end (extends downwards)."
        )
    if start is None:
        boundary, bottom, top = float(end or 0.0), low, float(end or 0.0)
    else:
        boundary, bottom, top = float(start), float(start), high
    if not low < boundary < high:
        raise GeometryError(f"half_space boundary {boundary:g} lies outside {low:g} .. {high:g}.")
    return slab_block(name, bottom, top, material)


def layer(cell: Any, axis: Any, start: float, thickness: float, material: Any) -> Any:
    """Layer from start to start + thickness (um) across the whole cell, clipped to it."""
    name = axis_name(axis)
    low, high = cell_edges(cell, name)
    bottom, top = max(low, start), min(high, start + thickness)
    if thickness <= 0 or top <= bottom:
        raise GeometryError(
            f"layer {start:g} .. {start + thickness:g} um along {name} has no part inside the cell {low:g} .. {high:g};"
            " thickness must be positive."
        )
    return slab_block(name, bottom, top, material)


def stack(
    cell: Any,
    axis: Any,
    start: float,
    layers: Sequence[tuple[Any, float]],
    below: Any = None,
    above: Any = None,
) -> list[Any]:
    """Layers [(mp.Medium, thickness_um)] upwards from `start`, between half-spaces `below` and `above` (None: air).

    Painting order: above, below, then each layer, everything up to the end of the stack and overpainted there: every
    interface is one edge of one object, so no seam of the default material is left.
    """
    above, below = above or mp.Medium(), below or mp.Medium()
    total = sum(thickness for _, thickness in layers)
    low, high = cell_edges(cell, axis_name(axis))
    if not layers:
        under, over = (above, below) if is_dispersive(below) else (below, above)
        bounds = {"end": start} if over is below else {"start": start}
        return [layer(cell, axis, low, high - low, under), half_space(cell, axis, over, **bounds)]
    objects = [half_space(cell, axis, above, start=start), half_space(cell, axis, below, end=start + total)]
    position = start
    for material, thickness in layers:
        objects.append(layer(cell, axis, position, start + total - position, material))
        position += thickness
    return objects


def clip(objects: Sequence[Any], cell: Any) -> list[Any]:
    """The objects with axis-aligned blocks cut at the cell edges; blocks entirely outside are dropped.

    Other shapes cannot be cut and raise GeometryError when they stick out.
    """
    kept = []
    for item in objects:
        low, high = bounds_of(item)
        half = [getattr(cell, name) / 2 if getattr(cell, name) > 0 else float("inf") for name in AXES]
        if all(-h - 1e-9 <= a and b <= h + 1e-9 for a, b, h in zip(low, high, half, strict=False)):
            kept.append(item)
        elif is_aligned_block(item):
            new_low = [max(a, -h) for a, h in zip(low, half, strict=False)]
            new_high = [min(b, h) for b, h in zip(high, half, strict=False)]
            if all(b > a for a, b in zip(new_low, new_high, strict=False)):
                size = [mp.inf if b - a > 1e19 else b - a for a, b in zip(new_low, new_high, strict=False)]
                centre = [
                    0.0 if s == mp.inf else (a + b) / 2
                    for a, b, s in zip(new_low, new_high, size, strict=False)
                ]
                kept.append(
                    mp.Block(size=mp.Vector3(*size), center=mp.Vector3(*centre), material=item.material)
                )
        else:
            raise GeometryError(
                f"{type(item).__name__} at {item.center} reaches {high} beyond the cell (half sizes {half}); only blocks"
                " can be cut. Enlarge the cell or replace the object."
            )
    return kept
