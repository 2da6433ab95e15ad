"""The cell of a resonator: its form, where its bodies end, where currents and probes stand, whether light can leave."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.extent import extent, finite
from simkit.arrange.films import films
from simkit.arrange.permittivity import index_of
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
SHARES = (0.13, 0.41, 0.67, 0.83)  # of the bodies' half size: where currents and probes stand


def form_of(scene: Resonator) -> str:
    return "circular" if scene.dimensions == "2D" and scene.m is not None else scene.dimensions


def places_in(reach: Sequence[float], form: str) -> list[tuple[float, float, float]]:
    """Six places off all symmetry planes: near the middle, half way, near the rim; x is the radius of radial forms."""
    out = []
    for n in range(6):
        angle, share = (
            0.53 + 2.39996 * n,
            SHARES[n % 3] + 0.04 * (n // 3),
        )  # the golden angle: never twice the same side
        place = [
            share * reach[0] * math.cos(angle),
            share * reach[1] * math.sin(angle),
            0.31 * share * reach[2] * (-1) ** n,
        ]
        if form in RADIAL:
            place[0] = share * reach[0]
        out.append((place[0], place[1], place[2]))
    return out


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
    return passive and len(scene.periodic) == len(AXES[form_of(scene)])


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
