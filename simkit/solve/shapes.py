"""Bodies of a run into Meep's objects: infinite bounds, repeats, and periodic copies along periodic axes only.

Meep's own wrapping (ensure_periodicity) brings a body that reaches into the PML back on the other side; it is switched
off, and copies are drawn here along the axes that are truly periodic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import meep as mp

from simkit.errors import GeometryError
from simkit.solve.media import CONDUCTORS

AXES = "xyz"
WHISKER_PX = 0.01
INFINITE = 1e19  # larger bounds are infinite
IN_PLANE = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}  # axes of a prism's vertices
Body = Mapping[str, Any]
Box = tuple[list[float], list[float]]


def plain(shapes: Sequence[Body]) -> Iterator[Body]:
    """The bodies one by one: repeats written out, rings as two cylinders, prisms turned, patterns as the prisms of their pieces."""
    for shape in shapes:
        kind = shape.get("type")
        if kind == "repeat":
            for number in range(int(shape["count"])):
                yield from plain([moved(shape["body"], [number * float(s) for s in shape["step"]])])
        elif kind == "ring":
            common = {"type": "cylinder", "center": shape["center"], "axis": "z", "bounds": shape["bounds"]}
            yield {**common, "radius": shape["outer"], "medium": shape["medium"]}
            yield {**common, "radius": shape["inner"], "medium": shape["filling"]}
        elif kind == "pattern":
            common = {"type": "prism", "axis": "z", "bounds": shape["bounds"], "medium": shape["medium"]}
            for piece in _pieces(shape):
                yield {**common, "id": shape["id"], "vertices": piece}
        elif kind == "prism" and (shape.get("rotation") or shape.get("aside")):
            c, s = math.cos(shape.get("rotation", 0.0)), math.sin(shape.get("rotation", 0.0))
            turned = [(c * u - s * v, s * u + c * v) for u, v in shape["vertices"]]
            wider = _wider(turned, shape.get("aside", 0.0))
            yield {**shape, "vertices": wider, "rotation": 0.0, "aside": 0.0}
        elif kind in DRAW:
            yield shape
        else:
            raise GeometryError(
                f"body of type {kind!r}; known: {', '.join(sorted([*DRAW, 'pattern', 'repeat', 'ring']))}."
            )


def _pieces(pattern: Body) -> Iterator[list[tuple[float, float]]]:
    """Corners of what a handed-in file draws where they lie, its sides moved outwards by `aside`."""
    (a, b), aside = (
        (pattern["pixel"][0], pattern["pixel"][-1]) if pattern["pixel"] else (1.0, 1.0),
        pattern.get("aside", 0.0),
    )
    x, y = pattern["center"]
    for piece in pattern["drawing"]["pieces"]:
        yield _wider([(x + a * u, y + b * v) for u, v in piece], aside)


def _wider(corners: Sequence[tuple[float, float]], by: float) -> list[tuple[float, float]]:
    """The corners of a polygon, in either sense, with its sides moved outwards."""
    after = [*corners[1:], corners[0]]
    turns = sum(u * t - v * s for (u, v), (s, t) in zip(corners, after, strict=True))
    around = zip([corners[-1], *corners], corners, after, strict=False)
    return [_outwards(*three, math.copysign(by, turns)) for three in around]


def _outwards(
    before: Sequence[float], corner: Sequence[float], after: Sequence[float], by: float
) -> tuple[float, float]:
    """A corner moved along the normals of both of its sides, which run counter-clockwise."""
    x, y = corner
    for (u, v), (s, t) in ((before, corner), (corner, after)):
        side = math.hypot(s - u, t - v) or 1.0
        x, y = x + by * (t - v) / side, y - by * (s - u) / side
    return x, y


def moved(shape: Body, step: Sequence[float]) -> Body:
    """The body (not a repeat) moved by `step`; infinite bounds stay infinite."""
    found = dict(shape)
    kind = shape["type"]
    if kind == "block":
        for axis, shift in zip(AXES, step, strict=True):
            found[axis] = _shifted(shape.get(axis, (-mp.inf, mp.inf)), shift)
        return found
    if kind == "prism":
        first, second = IN_PLANE[shape.get("axis", "z")]
        if shape.get("rotation"):
            [shape] = plain([shape])
            found = dict(shape)
        found["vertices"] = [(u + step[first], v + step[second]) for u, v in shape["vertices"]]
    else:
        found["center"] = [c + s for c, s in zip(shape["center"], step, strict=True)]
    if "bounds" in shape:
        found["bounds"] = _shifted(shape["bounds"], step[AXES.index(shape.get("axis", "z"))])
    return found


def _shifted(bounds: Sequence[float], shift: float) -> tuple[float, float]:
    low, high = (float(b) if abs(b) >= INFINITE else float(b) + shift for b in bounds)
    return low, high


def box_of(shape: Body) -> Box:
    """(low, high) corners of a plain body, each [x, y, z]."""
    kind = shape["type"]
    if kind == "block":
        bounds = [shape.get(axis, (-mp.inf, mp.inf)) for axis in AXES]
        return [float(b[0]) for b in bounds], [float(b[1]) for b in bounds]
    if kind == "prism":
        along, spread = shape.get("axis", "z"), list(zip(*shape["vertices"], strict=True))
        low, high = [0.0] * 3, [0.0] * 3
        for place, values in zip(IN_PLANE[along], spread, strict=True):
            low[place], high[place] = min(values), max(values)
    else:
        radii = {"ellipsoid": shape.get("semi_axes")}.get(kind) or [shape.get("radius")] * 3
        low = [c - r for c, r in zip(shape["center"], radii, strict=True)]
        high = [c + r for c, r in zip(shape["center"], radii, strict=True)]
        along = shape.get("axis", "z") if kind == "cylinder" else ""
    if along:
        low[AXES.index(along)], high[AXES.index(along)] = shape.get("bounds", (-mp.inf, mp.inf))
    return low, high


def objects(
    shapes: Sequence[Body],
    medium: Callable[[Any], Any],
    cell: Sequence[float],
    resolution: float,
    periodic: str = "",
    cylindrical: bool = False,
    to_edge: bool = False,
) -> list[Any]:
    """Meep's objects of the bodies, in painting order, with copies along the `periodic` axes ("xy").

    to_edge: half-infinite bodies end at the cell's edge (MPB wraps everything round), else well beyond it.
    """
    drawn = []
    edges = [
        (0.0, side) if cylindrical and axis == "x" else (-side / 2, side / 2)
        for axis, side in zip(AXES, cell, strict=True)
    ]
    far = [side / 2 if to_edge else 2 * side + 2 / resolution for side in cell]
    reach = [length if side else mp.inf for length, side in zip(far, cell, strict=True)]
    copies = [
        moved(body, shift) if any(shift) else body
        for body in plain(shapes)
        for shift in _copies(body, edges, resolution, periodic)
    ]
    metal = [body["medium"].get("kind") in CONDUCTORS for body in copies]
    boxes = [box_of(body) for body in copies] if any(metal) else []
    for number, body in enumerate(copies):
        if boxes:
            metals = [
                (boxes[m], [boxes[i] for i in range(m + 1, len(copies)) if not metal[i] and i != number])
                for m in range(number)
                if metal[m]
            ]
            body = _faced(body, metals, resolution)
        drawn.append(DRAW[body["type"]](body, medium(body["medium"]), reach))
    return drawn


def _faced(body: Body, metals: Sequence[tuple[Box, Sequence[Box]]], resolution: float) -> Body:
    """The body with its faces beside the nodes, where an ideal metal is: a node on a metal's face belongs to the metal.

    An ideal metal is a trifle larger. Another body that is drawn over metal, or touches it, is a trifle smaller on every side
    beyond which that metal goes on, and reaches twice as far out where it opens the metal's own face: to the open, or into
    another opening that holds its whole mouth.

    metals: those that were drawn before, each with the openings that are drawn over it, this body left out.
    """
    whisker = WHISKER_PX / resolution
    if body["medium"].get("kind") in CONDUCTORS:
        return _grown(body, [(whisker, whisker)] * 3)
    low, high = box_of(body)
    near = [
        (metal, openings)
        for metal, openings in metals
        if all(metal[0][i] <= high[i] + whisker and metal[1][i] >= low[i] - whisker for i in range(3))
    ]
    if not near:
        return body
    sides = []
    for i in range(3):
        across = [j for j in range(3) if j != i]
        beside = [
            (metal, openings)
            for metal, openings in near
            if all(min(metal[1][j], high[j]) - max(metal[0][j], low[j]) > 4 * whisker for j in across)
        ]
        ends = []
        for place, (end, out) in enumerate(((low[i], -2 * whisker), (high[i], 2 * whisker))):
            beyond = [openings for metal, openings in beside if metal[0][i] < end + out < metal[1][i]]
            closed = any(
                not any(
                    o[0][i] < end + out < o[1][i]
                    and all(o[0][j] <= low[j] + whisker and o[1][j] >= high[j] - whisker for j in across)
                    for o in openings
                )
                for openings in beyond
            )
            flush = any(abs(metal[place][i] - end) <= whisker for metal, _ in beside)
            ends.append(-whisker if closed else 2 * whisker if beyond or flush else 0.0)
        sides.append((ends[0], ends[1]))
    return _grown(body, sides)


def _grown(body: Body, by: Sequence[tuple[float, float]]) -> Body:
    """The body with its box larger by these lengths at its lower and upper end along each axis."""
    kind, found = body["type"], dict(body)
    along = "" if kind not in ("cylinder", "prism") else body.get("axis", "z")
    if along:
        found["bounds"] = _moved_ends(body.get("bounds", (-mp.inf, mp.inf)), by[AXES.index(along)])
    if kind == "block":
        return found | {axis: _moved_ends(body[axis], by[i]) for i, axis in enumerate(AXES) if axis in body}
    if kind == "prism":
        low, high = box_of(body)
        for place, axis in enumerate(IN_PLANE[along]):
            down, up = by[axis]
            scale = 1 + (down + up) / (high[axis] - low[axis])
            found["vertices"] = [
                tuple(
                    low[axis] - down + (v - low[axis]) * scale if i == place else v
                    for i, v in enumerate(pair)
                )
                for pair in found["vertices"]
            ]
        return found
    across = [min(by[i]) for i in range(3) if AXES[i] != along]
    if kind == "ellipsoid":
        return found | {"semi_axes": [s + min(ends) for s, ends in zip(body["semi_axes"], by, strict=True)]}
    return found | {"radius": body["radius"] + min(across)}


def _moved_ends(bounds: Sequence[float], by: tuple[float, float]) -> tuple[float, float]:
    low, high = (float(b) for b in bounds)
    return (low if abs(low) >= INFINITE else low - by[0]), (high if abs(high) >= INFINITE else high + by[1])


def _copies(
    body: Body, edges: Sequence[tuple[float, float]], resolution: float, periodic: str
) -> Iterator[tuple[float, ...]]:
    low, high = box_of(body)
    pixel = 1 / resolution
    shifts: list[list[float]] = []
    for number, axis in enumerate(AXES):
        bottom, top = edges[number]
        side = top - bottom
        if (
            axis not in periodic
            or not side
            or (low[number] <= bottom - pixel and high[number] >= top + pixel)
        ):
            shifts.append([0.0])
            continue
        first = math.ceil((bottom - pixel - high[number]) / side) if abs(high[number]) < INFINITE else 0
        last = math.floor((top + pixel - low[number]) / side) if abs(low[number]) < INFINITE else 0
        shifts.append([n * side for n in range(first, last + 1)])
    return itertools.product(*shifts)


def _extent(bounds: Sequence[float], reach: float) -> tuple[float, float]:
    """(centre, length) of an interval with its infinite ends drawn in to `reach`."""
    low, high = float(bounds[0]), float(bounds[1])
    if low <= -INFINITE and high >= INFINITE:
        return 0.0, mp.inf
    if reach >= INFINITE:  # an axis without extent: only whether the body covers 0 matters
        reach = 1e3 * (1 + min(abs(low), abs(high)))
    low, high = max(low, -reach) if low <= -INFINITE else low, min(high, reach) if high >= INFINITE else high
    return (low + high) / 2, high - low


def _block(body: Body, medium: Any, reach: Sequence[float]) -> Any:
    parts = [_extent(body.get(axis, (-mp.inf, mp.inf)), far) for axis, far in zip(AXES, reach, strict=True)]
    return mp.Block(
        center=mp.Vector3(*(p[0] for p in parts)), size=mp.Vector3(*(p[1] for p in parts)), material=medium
    )


def _cylinder(body: Body, medium: Any, reach: Sequence[float]) -> Any:
    number = AXES.index(body.get("axis", "z"))
    center, height = list(body["center"]), 0.0
    center[number], height = _extent(body.get("bounds", (-mp.inf, mp.inf)), reach[number])
    axis = [float(i == number) for i in range(3)]
    return mp.Cylinder(
        radius=float(body["radius"]),
        height=height,
        axis=mp.Vector3(*axis),
        center=mp.Vector3(*center),
        material=medium,
    )


def _sphere(body: Body, medium: Any, reach: Sequence[float]) -> Any:
    return mp.Sphere(radius=float(body["radius"]), center=mp.Vector3(*body["center"]), material=medium)


def _ellipsoid(body: Body, medium: Any, reach: Sequence[float]) -> Any:
    return mp.Ellipsoid(
        size=mp.Vector3(*(2 * float(a) for a in body["semi_axes"])),
        center=mp.Vector3(*body["center"]),
        material=medium,
    )


def _prism(body: Body, medium: Any, reach: Sequence[float]) -> Any:
    along = body.get("axis", "z")
    number = AXES.index(along)
    middle, height = _extent(body.get("bounds", (-mp.inf, mp.inf)), reach[number])
    if height >= INFINITE:
        height = 2 * (reach[number] if reach[number] < INFINITE else 1e3)
    vertices = []
    for pair in body["vertices"]:
        place = [middle - height / 2] * 3
        for axis, value in zip(IN_PLANE[along], pair, strict=True):
            place[axis] = float(value)
        vertices.append(mp.Vector3(*place))
    return mp.Prism(
        vertices=vertices,
        height=height,
        axis=mp.Vector3(*[float(i == number) for i in range(3)]),
        material=medium,
    )


DRAW: dict[str, Callable[[Body, Any, Sequence[float]], Any]] = {
    "block": _block,
    "cylinder": _cylinder,
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "prism": _prism,
}
