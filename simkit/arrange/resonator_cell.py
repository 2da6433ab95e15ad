"""The cell of a resonator: its form, where its bodies end, where currents and probes stand, whether light can leave."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.extent import extent, finite, overlap
from simkit.arrange.films import films
from simkit.arrange.narrowest import axes_in, medium_at, repeated, solids_of
from simkit.arrange.permittivity import index_of
from simkit.arrange.placing import is_metal
from simkit.describe.base import INF
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.resonator import Resonator, is_round
from simkit.runs import Run

RADIAL = ("cylindrical", "circular")
AXES = {
    "2D": (0, 1),
    "3D": (0, 1, 2),
    "cylindrical": (0, 2),
    "circular": (0,),
}  # circular: 2D with m, solved along r
Place = tuple[float, float, float]
PLACES, MOST_PLACES = 6, 2000
SHARES = (0.13, 0.41, 0.67, 0.83)  # of the bodies' half size: where currents and probes stand


def form_of(scene: Resonator) -> str:
    return "circular" if scene.dimensions == "2D" and scene.m is not None else scene.dimensions


def places_in(
    reach: Sequence[float], form: str, dark: Callable[[Place], bool] = lambda _: False
) -> list[Place]:
    """Six places off all symmetry planes: near the middle, half way, near the rim; x is the radius of radial forms.

    dark: whether there is no light at a place, in an ideal metal: then the next one is taken, and twice as many in all where that
    is so of one, because metal may part the cell.
    """
    out: list[Place] = []
    wanted = PLACES
    for n in range(MOST_PLACES):
        angle, share = (
            0.53 + 2.39996 * n,
            SHARES[n % 3] + 0.04 * (n // 3 % 7),
        )  # the golden angle: never twice the same side
        place = [
            share * reach[0] * math.cos(angle),
            share * reach[1] * math.sin(angle),
            0.31 * share * reach[2] * (-1) ** n,
        ]
        if form in RADIAL:
            place[0] = share * reach[0]
        if dark((place[0], place[1], place[2])):
            wanted = 2 * PLACES
        else:
            out.append((place[0], place[1], place[2]))
        if len(out) == wanted:
            return out
    raise ValueError(
        "no light can be anywhere: nearly all of the cell is ideal metal; let something that is none be drawn over it"
    )


def metal_at(scene: Resonator, pixel: float) -> Callable[[Place], bool]:
    """Whether an ideal metal is at a place, or within two pixels of it."""
    if not any(isinstance(m, PerfectConductor) for m in media_of(scene)):
        return lambda _: False
    axes = AXES[form_of(scene)]
    lattice = [
        [float(part.period) * (part.axis == axis) for axis in "xyz"]
        for part in scene.periodic
        if part.period is not None
    ]
    solids = repeated(solids_of(scene.bodies, axes_in(scene.dimensions)), lattice)

    def dark(place: Place) -> bool:
        near = [place, *(_stepped(place, i, way * 2 * pixel) for i in axes for way in (-1, 1))]
        return any(isinstance(medium_at(one, solids, scene.background), PerfectConductor) for one in near)

    return dark


def walls_of(scene: Resonator) -> dict[int, tuple[int, int]]:
    """Axes at both of whose ends a block of ideal metal closes the cell, each with the numbers of these two bodies."""
    periodic = {"xyz".index(part.axis) for part in scene.periodic}
    found = {}
    for i in AXES[form_of(scene)]:
        if i not in periodic and not (i == 0 and form_of(scene) in RADIAL):
            low, high = _wall(scene, i, 0), _wall(scene, i, 1)
            if low is not None and high is not None:
                found[i] = low, high
    return found


def _wall(scene: Resonator, axis: int, side: int) -> int | None:
    """The number of a block of ideal metal that is the outermost body at one end of an axis, whole all across there."""
    boxes, sign = [extent([body]) for body in scene.bodies], (-1, 1)[side]
    periods = {"xyz".index(p.axis): float(p.period) / 2 for p in scene.periodic if p.period is not None}
    across = [j for j in AXES[form_of(scene)] if j != axis]
    for number, (body, box) in enumerate(zip(scene.bodies, boxes, strict=True)):
        if body.type != "block" or not isinstance(body.medium, PerfectConductor):
            continue
        if any(min(-box[j][0], box[j][1]) < periods.get(j, INF / 2) for j in across):
            continue
        over = [
            other[axis][side]
            for later, other in zip(scene.bodies[number + 1 :], boxes[number + 1 :], strict=True)
            if not is_metal(later) and overlap(body, later)
        ]
        whole = max(sign * v for v in (box[axis][1 - side], *over)) < sign * box[axis][side]
        if whole and all(sign * other[axis][side] <= sign * box[axis][side] for other in boxes):
            return number
    return None


def _stepped(place: Place, axis: int, by: float) -> Place:
    return tuple(x + by * (i == axis) for i, x in enumerate(place))  # type: ignore[return-value]


def outline_of(scene: Resonator) -> list[float]:
    """Half sizes about the origin that hold all finite bounds."""
    out = [0.0, 0.0, 0.0]
    for body in scene.bodies:
        for i, pair in enumerate(extent([body])):
            out[i] = max([out[i], *(abs(v) for v in pair if finite(v))])
    return out


def unbounded_along(scene: Resonator, axis: int) -> bool:
    return any(not finite(v) for body in scene.bodies for v in extent([body])[axis])


def media_of(scene: Resonator) -> list[Any]:
    shapes = [body.body if body.type == "repeat" else body for body in scene.bodies]
    return [m for shape in shapes for m in (shape.medium, getattr(shape, "filling", None)) if m is not None]


def bloch_vector(scene: Resonator) -> tuple[float, float, float] | None:
    if not scene.periodic:
        return None
    k = {part.axis: float(part.k) for part in scene.periodic}
    return k.get("x", 0.0), k.get("y", 0.0), k.get("z", 0.0)


def is_closed(scene: Resonator, materials: Mapping[str, Any]) -> bool:
    """Whether no light can be lost: nothing open, nothing absorbing."""
    low, high = scene.search.frequencies()
    media = [m for m in (*media_of(scene), scene.background) if not isinstance(m, PerfectConductor)]
    passive = all(abs(index_of(m, f, materials).imag) < 1e-12 for m in media for f in (low, high))
    return passive and len(scene.periodic) + len(walls_of(scene)) == len(AXES[form_of(scene)])


def is_circular(scene: Resonator, materials: Mapping[str, Any]) -> bool:
    """Whether every rotation in the plane leaves a 2D resonator as it is."""
    names = names_of_materials(scene.model_dump(mode="json"))
    alike = scene.field == "Ez" or not any("axes" in materials[name] for name in names)  # in the plane
    return (
        scene.dimensions == "2D"
        and not scene.periodic
        and alike
        and all(is_round(body) for body in scene.bodies)
    )


def as_stack(run: Run, scene: Resonator) -> Run:
    """Plane films of dispersive media, with every interface on its node; anything else as it is."""
    open_axes = [i for i in AXES[form_of(scene)] if "xyz"[i] not in {p.axis for p in scene.periodic}]
    if len(open_axes) != 1:
        return run
    (axis,) = open_axes
    stack = films(scene.bodies, run.geometry, axis, run.cell[axis])
    if stack is None:
        return run
    along = "xyz"[axis]
    return replace(run, geometry=(), stack=stack, stack_axis=along, smoothing=False)  # type: ignore[arg-type]
