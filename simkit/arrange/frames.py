"""Scenes moved and turned into the cell that costs least: ideal mirrors as mirror planes, bodies of revolution as sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.extent import NEAR, extent, finite
from simkit.describe.media import PerfectConductor
from simkit.runs import Vector


def ideal_mirror(bodies: Sequence[Any], place: Sequence[float]) -> tuple[int, int, float] | None:
    """(number of the body, axis, place of its face) of the one half-infinite ideal metal all else stands before, or, where all are
    plane films, reaches into and is drawn earlier.

    Such a mirror is a mirror plane of the fields: nothing behind it needs to be solved.
    """
    for number, body in enumerate(bodies):
        if body.type != "block" or not isinstance(body.medium, PerfectConductor):
            continue
        ends = [(i, low, high) for i, (low, high) in enumerate(extent([body])) if finite(low) or finite(high)]
        if len(ends) != 1 or (finite(ends[0][1]) and finite(ends[0][2])):
            continue
        axis, low, high = ends[0]
        face, side = (high, 1.0) if finite(high) else (low, -1.0)
        flat = all(map(_film, bodies))  # fields ran away where an edge met the plane
        others = [
            (flat and i < number, extent([other])[axis]) for i, other in enumerate(bodies) if i != number
        ]
        if side * (place[axis] - face) > 0 and all(
            side * (end - face) > -NEAR
            for covered, ends in others
            for end in ends
            if not (covered and any(side * (other - face) > NEAR for other in ends))
        ):
            return number, axis, face
    return None


def _film(body: Any) -> bool:
    return body.type == "block" and sum(finite(low) or finite(high) for low, high in extent([body])) <= 1


def in_front(body: Any, axis: int, face: float, side: float) -> Any:
    """A block as far as an ideal mirror's face; other bodies lie before it anyway."""
    if body.type != "block":
        return body
    name = "xyz"[axis]
    low, high = (float(end) for end in getattr(body, name))
    return body.model_copy(update={name: (max(low, face), high) if side > 0 else (low, min(high, face))})


def revolves(bodies: Sequence[Any], axis: int, through: Sequence[float]) -> bool:
    """Whether all bodies look alike from all sides of the line along `axis` through a point."""
    return all(_revolves(body, axis, through) for body in bodies)


def turned(vector: Sequence[float], axis: int) -> Vector:
    """A vector with its axes in cyclic order so that `axis` becomes z."""
    return float(vector[(axis + 1) % 3]), float(vector[(axis + 2) % 3]), float(vector[axis])


def section(body: Mapping[str, Any], axis: int) -> dict[str, Any]:
    """A body (a dictionary) that revolves about `axis`, as one that revolves about z; places along the axis stay."""
    found = dict(body)
    if body["type"] == "repeat":
        return {**found, "body": section(body["body"], axis), "step": turned(body["step"], axis)}
    if body["type"] == "block":
        return {
            **found,
            **{name: body["xyz"[(axis + shift) % 3]] for name, shift in (("x", 1), ("y", 2), ("z", 0))},
        }
    found["center"] = (0.0, 0.0, float(body["center"][axis]))
    if body["type"] == "ellipsoid":
        found["semi_axes"] = turned(body["semi_axes"], axis)
    if body["type"] == "cylinder":
        found["axis"] = "z"
    return found


def moved(body: Mapping[str, Any], axis: int, by: float) -> dict[str, Any]:
    """A body (a dictionary) moved along an axis; infinite bounds stay infinite."""
    found, name = dict(body), "xyz"[axis]
    if not by:
        return found

    def shifted(bounds: Sequence[float]) -> tuple[float, ...]:
        return tuple(float(end) + by if finite(float(end)) else float(end) for end in bounds)

    if body["type"] == "repeat":
        return {**found, "body": moved(body["body"], axis, by)}
    if body["type"] == "block":
        return {**found, name: shifted(body[name])}
    if "bounds" in body and body.get("axis", "z") == name:
        found["bounds"] = shifted(body["bounds"])
    if body["type"] == "prism":
        if body.get("rotation"):
            raise ValueError("a turned prism before an ideal mirror: give the mirror's face the coordinate 0")
        plane = {"z": "xy", "x": "yz", "y": "zx"}[body["axis"]]
        if name in plane:
            found["vertices"] = [
                tuple(v + by * (plane[i] == name) for i, v in enumerate(pair)) for pair in body["vertices"]
            ]
    else:
        found["center"] = tuple(float(c) + by * (i == axis) for i, c in enumerate(body["center"]))
    return found


def mirrored(body: Mapping[str, Any], axis: int) -> dict[str, Any]:
    """The image of a body (a dictionary) in the plane through the origin across an axis."""
    found, name = dict(body), "xyz"[axis]

    def turned_over(bounds: Sequence[float]) -> tuple[float, ...]:
        return tuple(-float(end) for end in reversed(bounds))

    if body["type"] == "repeat":
        step = tuple(-float(s) if i == axis else float(s) for i, s in enumerate(body["step"]))
        return {**found, "body": mirrored(body["body"], axis), "step": step}
    if body["type"] == "block":
        return {**found, name: turned_over(body[name])}
    if "bounds" in body and body.get("axis", "z") == name:
        found["bounds"] = turned_over(body["bounds"])
    if body["type"] == "prism":
        plane = {"z": "xy", "x": "yz", "y": "zx"}[body["axis"]]
        if name in plane:
            if body.get("rotation"):
                raise ValueError("a turned prism before an ideal mirror cannot be mirrored; give its corners")
            found["vertices"] = [
                tuple(-v if plane[i] == name else v for i, v in enumerate(pair)) for pair in body["vertices"]
            ]
    else:
        found["center"] = tuple(-float(c) if i == axis else float(c) for i, c in enumerate(body["center"]))
    return found


def _revolves(body: Any, axis: int, through: Sequence[float]) -> bool:
    lateral = [i for i in range(3) if i != axis]
    if body.type == "repeat":
        return all(abs(float(body.step[i])) < NEAR for i in lateral) and _revolves(body.body, axis, through)
    if any(
        isinstance(getattr(medium, "epsilon", None), tuple)
        for medium in (body.medium, getattr(body, "filling", None))
    ):
        return False
    if body.type == "block":
        return not any(finite(float(v)) for i in lateral for v in getattr(body, "xyz"[i]))
    if body.type == "prism":
        return False
    centred = all(abs(float(body.center[i]) - float(through[i])) < NEAR for i in lateral)
    if body.type == "ellipsoid":
        one, other = (float(body.semi_axes[i]) for i in lateral)
        return centred and abs(one - other) < NEAR
    if body.type in ("cylinder", "ring"):
        return centred and getattr(body, "axis", "z") == "xyz"[axis]
    return centred
