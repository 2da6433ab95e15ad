"""Remarks about unit cells and periodic guides: what is larger than the period, metal cut by air, orders that open within the band."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schemas.reproduce.simulations.numerics import Finding
from simkit.arrange.extent import extent, finite
from simkit.arrange.permittivity import index_of

_NEARLY = 0.03  # of a period
_GRAZING = math.radians(75)


def cell_findings(scene: Any, materials: Mapping[str, Any], quantities: Sequence[Any]) -> Iterator[Finding]:
    """Findings of a resolved unit cell or periodic guide and of what is measured in it; none for other scenes."""
    if scene.type == "waveguide":
        yield from _guide(scene)
    if scene.type != "unit_cell":
        return
    period = [float(p) for p in scene.period]
    for number, film in enumerate(scene.layers):
        if film.type != "film":
            continue
        for place, body in enumerate(film.pattern):
            where = f"{scene.id} layers[{number}] {body.type}[{place}]"
            yield from _inside(where, body, period)
            if body.type == "pattern":
                yield from _beside_period(where, body, period)
            if body.medium == film.medium and place == 0:
                yield Finding(
                    level="warning",
                    where=where,
                    text="it is of the same medium as its layer: it draws nothing",
                )
    yield from _through_metal(scene, materials, quantities)
    yield from _optics(scene, materials, period)


def _guide(scene: Any) -> Iterator[Finding]:
    """Bodies that are larger than the period or the supercell of a guide; those across an edge come in on the other side."""
    for body in scene.bodies:
        for name, size, (low, high) in zip(
            "xy", (scene.period, scene.supercell), extent([body]), strict=False
        ):
            if size is not None and finite(low) and finite(high) and high - low > float(size) * (1 + 1e-9):
                yield _larger(
                    f"{scene.id} {(body.body if body.type == 'repeat' else body).id}",
                    high - low,
                    name,
                    float(size),
                )


def _through_metal(scene: Any, materials: Mapping[str, Any], quantities: Sequence[Any]) -> Iterator[Finding]:
    """Light that comes out of a metal, or is to arrive in one: there is none."""
    low, high = scene.band.frequencies()
    front, back = ("below", "above") if scene.light_from == "below" else ("above", "below")
    arrives = [
        q.id for q in quantities if q.type == "transmittance" or getattr(q, "side", "") == "transmitted"
    ]
    for side in (front, back):
        medium = getattr(scene, side)
        if medium.kind != "medium":
            continue
        inside = [index_of(medium, f, materials) for f in (low, (low + high) / 2, high)]
        metal = inside[1]
        if any(n.imag <= n.real for n in inside) or (side == back and not arrives):
            continue  # above its plasma frequency a metal is transparent
        yield Finding(
            level="error",
            where=f"{scene.id}.{side}",
            text=f"light comes from {side}, out of a metal (index {metal:.3g}), in which it does not travel: nothing arrives at the "
            "layers; light_from is the other side, or the two sides are exchanged"
            if side == front
            else f"{', '.join(arrives)}: transmitted into {side}, a metal (index {metal:.3g}), in which light does not travel; what it "
            "takes in is the Absorptance, or another quantity or side is meant",
            source="mistakes of descriptions: the side of incidence",
        )


def _inside(where: str, body: Any, period: list[float]) -> Iterator[Finding]:
    for axis, (low, high) in enumerate(_bounds(body)[: len(period)]):
        half = period[axis] / 2
        name = "xy"[axis]
        if high - low > 2 * half * (1 + 1e-9):
            yield _larger(where, high - low, name, 2 * half)
        elif low < -half * (1 + 1e-9) or high > half * (1 + 1e-9):
            yield Finding(
                level="warning",
                where=where,
                text=f"it leaves the cell ({low:.4g} to {high:.4g}, cell -{half:.4g} to "
                f"{half:.4g} along {name}); its periodic image comes in on the other side",
                source="pitfalls 12",
            )


def _larger(where: str, size: float, axis: str, period: float) -> Finding:
    return Finding(
        level="error",
        where=where,
        text=f"{size:.4g} wide along {axis}, but the period is {period:.4g}",
        source="errors in papers: a size larger than the period",
    )


def _beside_period(where: str, body: Any, period: list[float]) -> Iterator[Finding]:
    """A handed-in pattern that nearly fills the cell."""
    for axis, (low, high) in enumerate(body.box()[: len(period)]):
        if 1e-9 < abs((high - low) / period[axis] - 1) < _NEARLY:
            yield Finding(
                level="warning",
                where=where,
                text=f"{body.name} is {high - low:.6g} wide along {'xy'[axis]}, the period {period[axis]:.6g}: if it is one whole cell, "
                "its pixel is the period over the number of pixels",
                source="patterns of whole cells with a rounded pixel",
            )


def _bounds(body: Any) -> list[tuple[float, float]]:
    if body.type == "bar":
        edges = [float(edge) for edge in (*body.x, *(body.top or ()))]
        return [(min(edges), max(edges))]
    if body.type == "rod":
        return [(float(body.x) - float(body.radius), float(body.x) + float(body.radius))]
    if body.type == "pattern":
        return list(body.box())
    if body.type == "polygon":
        return [
            (min(float(v[i]) for v in body.vertices), max(float(v[i]) for v in body.vertices)) for i in (0, 1)
        ]
    if body.type == "disk":
        half = [float(body.radius)] * 2
    else:
        turn, sizes = float(body.rotation), [float(s) / 2 for s in body.size]
        half = [
            abs(sizes[0] * math.cos(turn)) + abs(sizes[1] * math.sin(turn)),
            abs(sizes[0] * math.sin(turn)) + abs(sizes[1] * math.cos(turn)),
        ]
    return [(float(c) - h, float(c) + h) for c, h in zip(body.center, half, strict=True)]


def _optics(scene: Any, materials: Mapping[str, Any], period: list[float]) -> Iterator[Finding]:
    low, high = scene.band.frequencies()
    angle = abs(float(scene.angle))
    if angle > _GRAZING:
        yield Finding(
            level="warning",
            where=scene.id,
            text=f"light at {math.degrees(angle):.1f} degrees is nearly grazing: absorbers "
            "reflect it, and the field settles slowly",
            source="pitfalls: modes at grazing incidence",
        )
    if angle and scene.polarization in ("x", "y"):
        yield Finding(
            level="note",
            where=scene.id,
            text=f"polarization {scene.polarization!r} at an angle is read as "
            f"{'p' if scene.polarization == 'x' else 's'}",
        )
    if period and (opening := list(_opening(scene, materials, period[0]))):
        yield Finding(
            level="note",
            where=scene.id,
            source="gratings",
            text=f"diffraction orders open within the band, with sharp features there: {'; '.join(opening)}",
        )
    for number, film in enumerate(scene.layers):
        if film.type == "film" and film.medium.kind == "medium":
            n = index_of(film.medium, (low + high) / 2, materials)
            if (
                film.pattern == ()
                and n.imag > 0.1
                and 4 * math.pi * n.imag * float(film.thickness) * low > 14
            ):
                yield Finding(
                    level="note",
                    where=f"{scene.id} layers[{number}]",
                    text="opaque: thinner or thicker, nothing behind it is seen; only its surface matters",
                )


def _opening(scene: Any, materials: Mapping[str, Any], period: float) -> Iterator[str]:
    """The orders that open within the band, each side with its wavelengths: 'above 1 near 0.6, 2 near 0.3'."""
    low, high = scene.band.frequencies()
    front = scene.below if scene.light_from == "below" else scene.above
    sine = math.sin(abs(float(scene.angle)))
    for side, medium in (("below", scene.below), ("above", scene.above)):
        if medium.kind == "perfect_conductor":
            continue
        first, last = (
            period * (index_of(medium, f, materials).real + index_of(front, f, materials).real * sine)
            for f in (low, high)
        )  # order m opens at this path over m
        orders = range(math.floor(first * low) + 1, math.floor(last * high) + 1)
        if orders:
            named = [f"{order} near {last / order:.4g}" for order in orders[:3]]
            yield f"{side} {', '.join(named)}" + (f" and {len(orders) - 3} more" if len(orders) > 3 else "")
