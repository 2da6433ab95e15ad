"""Sizes and distances in a scene in plain numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.describe.base import INF

_RADII = ("radius", "inner", "outer", "waist", "semi_axes")
_CONSTANTS = (
    "index",
    "epsilon",
    "chi2",
    "chi3",
    "resistance",
    "angle",
    "wavelength",
    "shortest",
    "longest",
    "k",
    "count",
    "m",
    "mode",
)


class Lengths:
    """Sizes, and the distances of places along an axis."""

    def __init__(self, sizes: set[float], places: Mapping[str, set[float]]) -> None:
        self.sizes, self.places = sorted(sizes), [sorted(each) for each in places.values()]

    def __contains__(self, length: float) -> bool:
        close = abs(length) * 1e-6
        return _near(self.sizes, length, close) or any(
            _near(each, place + length, close) for each in self.places for place in each
        )


def _near(ascending: Sequence[float], value: float, close: float) -> bool:
    at = bisect_left(ascending, value - close)
    return at < len(ascending) and ascending[at] <= value + close


def middles(plain: Mapping[str, Any]) -> Lengths:
    """The middles of a scene's bodies, along each axis; and at what they come again."""
    found, out = {axis: set[float]() for axis in "xyz"}, set[float]()
    for body in plain.get("bodies", ()):
        out |= {abs(float(step)) for step in body.get("step", ())}
        shape = body.get("body", body)
        for place, axis in enumerate("xyz"):
            if "center" in shape:
                found[axis].add(float(shape["center"][place]))
            elif isinstance(shape.get(axis), list) and all(abs(float(end)) < INF for end in shape[axis]):
                found[axis].add(sum(map(float, shape[axis])) / 2)
    periods = [plain.get("period") or (), (plain.get("lattice") or {}).get("period") or ()]
    for period in periods:
        out |= {float(one) for one in (period if isinstance(period, list) else [period] if period else [])}
    return Lengths(out, found)


def measure_scene(node: Any, lengths: set[float], places: dict[str, set[float]], field: str = "") -> None:
    """Sizes and, by axis, coordinates of a scene in plain numbers."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key in ("x", "y", "z") and isinstance(value, list):
                places[key] |= {float(end) for end in value if abs(float(end)) < INF}
            elif key in ("center", "position") and isinstance(value, list):
                reaches = [float(node.get(name) or 0) for name in ("radius", "inner", "outer")]
                for axis, end in zip("xyz", value, strict=False):
                    places[axis] |= {float(end) + side for reach in reaches for side in (-reach, 0.0, reach)}
            elif key in ("bounds",) and isinstance(value, list):
                places[node.get("axis", "z")] |= {float(end) for end in value if abs(float(end)) < INF}
            elif key == "vertices":
                for point in value:
                    for axis, end in zip("xyz", point, strict=False):
                        places[axis].add(float(end))
            else:
                measure_scene(value, lengths, places, key)
    elif isinstance(node, list):
        for one in node:
            measure_scene(one, lengths, places, field)
    elif isinstance(node, (int, float)) and not isinstance(node, bool) and field not in _CONSTANTS:
        lengths |= {abs(float(node)), 2 * abs(float(node))} if field in _RADII else {abs(float(node))}
