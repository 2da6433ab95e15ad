"""Where an emitter's light in a guided mode is looked at, and how much room that mode has beside its guide."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.device_cell import LARGEST_LOSS, LONGEST_TAIL, ROOM, medium_of
from simkit.arrange.frames import ideal_mirror, in_front
from simkit.arrange.guided_tail import tail_decay
from simkit.arrange.permittivity import permittivity
from simkit.describe.device import leaves
from simkit.describe.emitter import Emitter, GuidedShare
from simkit.describe.media import PerfectConductor
from simkit.runs import Monitor, Run

INSIDE_PX = 2  # of a plane, before the absorber


def room_beside(
    scene: Emitter, shares: Sequence[GuidedShare], longest: float, materials: Mapping[str, Any]
) -> dict[int, float]:
    """Axis across the guide -> free space that its modes ask for: of plane films by their own decay, in three dimensions of an index
    half way between the densest medium and the thinnest. Raises ValueError for a side on which no body leaves the scene, and for
    media with loss."""
    low, _ = scene.band.frequencies()
    out: dict[int, float] = {}
    for share in shares:
        for side in share.sides:
            if not any(leaves(body, side) for body in scene.bodies):
                raise ValueError(
                    f"quantity {share.id}: no body of emitter {scene.id} goes on without end to {side}"
                )
        along = share.sides[0][1]
        leaving = [body for body in scene.bodies if any(leaves(body, side) for side in share.sides)]
        media = [m for m in map(medium_of, leaving) if not isinstance(m, PerfectConductor)]
        eps = [permittivity(medium, low, materials) for medium in (scene.background, *media)]
        if any(e.real <= 0 or abs(e.imag) > LARGEST_LOSS * abs(e) for e in eps):
            raise ValueError(
                f"quantity {share.id}: a guide of emitter {scene.id} that absorbs carries no fixed share"
            )
        if scene.dimensions == "3D":
            squares = sorted(e.real for e in eps)
            half_way = 2 * math.pi * low * math.sqrt((squares[-1] - squares[0]) / 2)
            for across in (i for i in range(3) if "xyz"[i] != along and half_way):
                out[across] = max(out.get(across, 0.0), min(ROOM / half_way, LONGEST_TAIL * longest))
        else:
            if along == "z":
                raise ValueError(
                    f"quantity {share.id}: nothing changes along z in two dimensions; sides are of x or y"
                )
            bodies = leaving
            polarization = "Ez" if scene.orientation == "z" else "Hz"
            across, number = 1 - "xy".index(along), share.mode
            mirror = ideal_mirror(scene.bodies, [float(p) for p in scene.position])
            if (
                mirror is not None and mirror[1] == across
            ):  # half of a guide twice as thick, with half of its modes
                bodies = [
                    in_front(body, across, mirror[2], float(scene.position[across]) - mirror[2])
                    for body in bodies
                    if body is not scene.bodies[mirror[0]]
                ]
                bodies += [_image(body, "xy"[across], mirror[2]) for body in bodies if body.type == "block"]
                number = 2 * number - (polarization == "Hz")
            decay = tail_decay(bodies, scene.background, along, polarization, [number], low, materials)
            if decay:
                out[across] = max(out.get(across, 0.0), min(ROOM / decay, LONGEST_TAIL * longest))
    return out


def seen_as(share: GuidedShare, side: str) -> str:
    """Name of a side's monitor: raw data are files."""
    return f"guided_{share.mark}_{'up' if side[0] == '+' else 'down'}_{side[1]}"


def _image(body: Any, axis: str, face: float) -> Any:
    low, high = (float(end) for end in getattr(body, axis))
    return body.model_copy(update={axis: (2 * face - high, 2 * face - low)})


def planes(
    scene: Emitter, shares: Sequence[GuidedShare], run: Run, wall: tuple[int, float] | None
) -> dict[str, Monitor]:
    """A monitor of modes for each side of each share. wall: axis and side of an ideal mirror that is a mirror plane
    of the run, where light is. Raises ValueError for a side behind it."""
    [frequencies] = {monitor.frequencies for monitor in run.monitors.values() if monitor.kind == "ldos"}
    inner = [
        side / 2 - next((layer.thickness for layer in run.layers if layer.axis == axis), 0.0)
        for axis, side in zip("xyz", run.cell, strict=True)
    ]
    axes = (0, 1) if run.dimensions == "2D" else (0, 1, 2)
    out = {}
    for share in shares:
        w = "xyz".index(share.sides[0][1])
        parity = ["ODD_Z" if scene.orientation == "z" else "EVEN_Z"] if run.dimensions == "2D" else []
        # Modes of a flat guide are told by their number alone; those of others come in pairs.
        for axis, phase in run.mirrors:
            if axis != "xyz"[w] and (run.dimensions == "3D" or (wall and axis == "xyz"[wall[0]])):
                parity.append(f"{'EVEN' if phase > 0 else 'ODD'}_{axis.upper()}")
        for side in share.sides:
            sign = 1 if side[0] == "+" else -1
            if wall and wall[0] == w:
                if sign != wall[1]:
                    raise ValueError(
                        f"quantity {share.id}: {side} lies behind the mirror of emitter {scene.id}"
                    )
                sign = 1
            center, size = [0.0] * 3, [0.0] * 3
            for i in axes:
                size[i] = 0.0 if i == w else 2 * round(inner[i] * run.resolution) / run.resolution
            center[w] = sign * (round(inner[w] * run.resolution) - INSIDE_PX) / run.resolution
            out[seen_as(share, side)] = Monitor(
                "modes",
                (center[0], center[1], center[2]),
                (size[0], size[1], size[2]),
                frequencies,
                weight=0.5 if wall and wall[0] != w else 1.0,  # the images carry as much
                count=share.mode,
                parity="+".join(parity),
                axis=share.sides[0][1],  # type: ignore[arg-type]
            )
    return out
