"""Remarks about unit cells: what is larger than the period, metal cut by air, orders that open within the band."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from schemas.numerics import Finding
from simkit.arrange.permittivity import index_of

_GRAZING = math.radians(75)


def cell_findings(scene: Any, materials: Mapping[str, Any]) -> Iterator[Finding]:
    """Findings of a resolved unit cell; none for other scenes."""
    if scene.type != "unit_cell":
        return
    period = [float(p) for p in scene.period]
    for number, film in enumerate(scene.layers):
        if film.type != "film":
            continue
        for place, body in enumerate(film.pattern):
            where = f"{scene.id} layers[{number}] {body.type}[{place}]"
            yield from _inside(where, body, period)
            if film.medium.kind == "perfect_conductor" and body.medium.kind == "medium":
                yield Finding(level="error", where=where,
                              text="an opening cut into ideal metal is wrong by several per cent; draw "
                              "a film of the opening's medium and the metal as bodies around it",
                              source="first tries: an air slit cut into a perfect metal was 10 % wrong")
            if body.medium == film.medium and place == 0:
                yield Finding(level="warning", where=where, text="it is of the same medium as its layer: it draws nothing")
    yield from _optics(scene, materials, period)


def _inside(where: str, body: Any, period: list[float]) -> Iterator[Finding]:
    for axis, (low, high) in enumerate(_bounds(body)[:len(period)]):
        half = period[axis] / 2
        name = "xy"[axis]
        if high - low > 2 * half * (1 + 1e-9):
            yield Finding(level="error", where=where,
                          text=f"{high - low:.4g} wide along {name}, but the period is {2 * half:.4g}",
                          source="errors in papers: a size larger than the period")
        elif low < -half * (1 + 1e-9) or high > half * (1 + 1e-9):
            yield Finding(level="warning", where=where,
                          text=f"it leaves the cell ({low:.4g} to {high:.4g}, cell -{half:.4g} to "
                          f"{half:.4g} along {name}); its periodic image comes in on the other side", source="pitfalls 12")


def _bounds(body: Any) -> list[tuple[float, float]]:
    if body.type == "bar":
        return [(float(body.x[0]), float(body.x[1]))]
    if body.type == "polygon":
        return [(min(float(v[i]) for v in body.vertices), max(float(v[i]) for v in body.vertices)) for i in (0, 1)]
    if body.type == "disk":
        half = [float(body.radius)] * 2
    else:
        turn, sizes = float(body.rotation), [float(s) / 2 for s in body.size]
        half = [abs(sizes[0] * math.cos(turn)) + abs(sizes[1] * math.sin(turn)),
                abs(sizes[0] * math.sin(turn)) + abs(sizes[1] * math.cos(turn))]
    return [(float(c) - h, float(c) + h) for c, h in zip(body.center, half, strict=True)]


def _optics(scene: Any, materials: Mapping[str, Any], period: list[float]) -> Iterator[Finding]:
    low, high = scene.band.frequencies()
    angle = abs(float(scene.angle))
    if angle > _GRAZING:
        yield Finding(level="warning", where=scene.id,
                      text=f"light at {math.degrees(angle):.1f} degrees is nearly grazing: absorbers "
                      "reflect it, and the field settles slowly", source="pitfalls: modes at grazing incidence")
    if angle and scene.polarization in ("x", "y"):
        yield Finding(level="note", where=scene.id, text=f"polarization {scene.polarization!r} at an angle is read as "
                      f"{'p' if scene.polarization == 'x' else 's'}")
    sides = [("below", scene.below), ("above", scene.above)]
    front = scene.below if scene.light_from == "below" else scene.above
    for side, medium in sides:
        if medium.kind == "perfect_conductor" or not period:
            continue
        opening = []
        for f in (low, high):
            n, n0 = index_of(medium, f, materials).real, index_of(front, f, materials).real
            opening.append(period[0] * f * (n + n0 * math.sin(angle)))
        first, last = math.floor(opening[0]), math.floor(opening[1])
        for order in range(first + 1, last + 1):
            indices = [index_of(m, high, materials).real for m in (medium, front)]
            at = period[0] / order * (indices[0] + indices[1] * math.sin(angle))
            yield Finding(level="note", where=f"{scene.id} {side}",
                          text=f"diffraction order {order} opens near wavelength {at:.4g}, "
                          "within the band: sharp features there (Rayleigh anomaly)", source="gratings")
    for number, film in enumerate(scene.layers):
        if film.type == "film" and film.medium.kind == "medium":
            n = index_of(film.medium, (low + high) / 2, materials)
            if film.pattern == () and n.imag > 0.1 and 4 * math.pi * n.imag * float(film.thickness) * low > 14:
                yield Finding(level="note", where=f"{scene.id} layers[{number}]",
                              text="opaque: thinner or thicker, nothing behind it "
                              "is seen; only its surface matters")
