"""Resolved bodies as plain dictionaries, moved or made endless along an axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.extent import finite, overlap

Body = dict[str, Any]
ASIDE_PX = 1e-6  # by which edges stay beside their nodes
IN_PLANE = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}  # axes of a prism's vertices


def moved(body: Mapping[str, Any], step: Sequence[float]) -> Body:
    """The body moved by `step`; infinite bounds stay infinite."""
    found = dict(body)
    kind = body["type"]
    if kind == "repeat":
        return {**found, "body": moved(body["body"], step)}
    if kind == "block":
        return found | {axis: _shifted(body[axis], step[i]) for i, axis in enumerate("xyz")}
    if kind == "prism":
        first, second = IN_PLANE[body["axis"]]
        c, s = (
            math.cos(body["rotation"]),
            math.sin(body["rotation"]),
        )  # it turns about the origin, which stays
        found["vertices"] = [
            (c * u - s * v + step[first], s * u + c * v + step[second]) for u, v in body["vertices"]
        ]
        found["rotation"] = 0.0
    else:
        found["center"] = [
            c + s for c, s in zip(body["center"], step, strict=kind != "pattern")
        ]  # a pattern's has no z
    if "bounds" in body:
        found["bounds"] = _shifted(body["bounds"], step["xyz".index(body.get("axis", "z"))])
    return found


def drawing_order(bodies: Sequence[Any]) -> tuple[Any, ...]:
    """The bodies in the order in which they are drawn: ideal metals after what only touches them.

    The nodes on a metal's face belong to the metal. Another body that is drawn later and touches it would take them, and the
    metal would begin a whole pixel deeper: a slab on a mirror was 6 % too thick at 20 pixels to its thickness.
    """

    def late(number: int) -> bool:
        later = (other for other in bodies[number + 1 :] if not is_metal(other))
        return is_metal(bodies[number]) and not any(overlap(bodies[number], other) for other in later)

    return tuple(bodies[number] for number in sorted(range(len(bodies)), key=late))


def is_metal(body: Any) -> bool:
    """Whether a body, or what is repeated, is of an ideal metal."""
    return getattr(body, "body", body).medium.kind == "perfect_conductor"


def overlapping(body: Mapping[str, Any], resolution: float) -> Body:
    """A body; a prism or a handed-in pattern a trifle larger, so that it overlaps what it touches, a block a trifle aside.

    Where a seam lies on nodes Meep takes no mean (T of a guide's gap of 1.2 um, 0.755 instead of 0.778 on 20 pixels per um), and rounding
    decides whose they are, or gives them to the background (T of a taper of 4.35 um, 0.953 instead of 0.959, those of 4.30 and 4.40 um
    being right; a film of 10 nm on a stack of blocks shifted its mode the wrong way on 250 pixels per um). Beside the nodes blocks that
    touch leave none between them. Not where steps are drawn, of metals and media with poles: each face has its nodes there.
    """
    aside = ASIDE_PX / resolution
    if body["type"] == "repeat":
        return {**body, "body": overlapping(body["body"], resolution)}
    if body["type"] in ("prism", "pattern"):
        return {**body, "aside": aside}
    medium = body["medium"]
    if body["type"] == "block" and medium["kind"] == "medium" and not (medium["poles"] or medium["material"]):
        return moved(body, (-aside, -aside, -aside))
    return dict(body)


def endless(body: Mapping[str, Any], axis: str, bounds: tuple[float, float]) -> Body:
    """The body with its bounds along `axis` replaced."""
    if body["type"] == "repeat":
        return {**body, "body": endless(body["body"], axis, bounds)}
    return {**body, axis if body["type"] == "block" else "bounds": bounds}


def rounded(body: Mapping[str, Any]) -> Body:
    """The body with its numbers to nine decimals, so that one and the same body at two places is written alike."""

    def plain(value: Any) -> Any:
        if isinstance(value, float):
            return round(value, 9) + 0.0 if finite(value) else value
        if isinstance(value, (list, tuple)):
            return type(value)(map(plain, value))
        return {key: plain(one) for key, one in value.items()} if isinstance(value, dict) else value

    return {key: value if key == "medium" else plain(value) for key, value in body.items()}


def _shifted(bounds: Sequence[float], shift: float) -> tuple[float, float]:
    low, high = (float(b) + shift if finite(float(b)) else float(b) for b in bounds)
    return low, high
