"""The narrowest body, gap and wall of a scene, wherever they lie: what the coarsest grid must resolve.

A gap or wall is what lies between the boundaries of two bodies, or of a body and its periodic image, if it is of another medium
than what is before and behind it. Where bodies touch or cross nothing is narrow. What differs faintly from its surroundings does
little to the light, and is narrow only in proportion: a graded index in many steps asks for no finer grid than its waves. A ball
counts as the cylinder around it, and a body seen along another axis than its own as the box around it: its gaps are at least as
wide as they are said to be.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simkit.arrange.extent import Box, extent, finite, prism_corners, single
from simkit.arrange.outlines import Disk, Outline, Pieces, Polygon, nearest, overlap, rectangle
from simkit.arrange.permittivity import permittivity
from simkit.describe.base import INF
from simkit.describe.media import Medium

PIXELS_PER_GAP = 4
THIN = 3  # times the pixels that waves ask for: a shell of a quarter of a pixel (n 1.45 on 3.5) was as right as one of six from there on
STRONG = 0.5  # difference of permittivity from which on a body counts as narrow with its whole width
PLANE = {0: (1, 2), 1: (2, 0), 2: (0, 1)}  # axes of an outline
SAME = 1e-6  # of a scene's largest finite bound: nearer places are one
CLEAR = 0.2  # of a gap's width: how far before and behind it the media are looked at
PLACES = (0.5, 0.11, 0.89)  # of what two boxes share: where they are compared
ELLIPSE = 48  # corners

Place = tuple[float, ...]


@dataclass(frozen=True)
class Solid:
    """A body as an outline along `axis` between two ends; without an outline a box. medium: compared only. sized: axes along
    which its own width counts, gaps count along all."""

    medium: Any
    box: Box
    axis: int = 2
    outline: Outline | None = None
    sized: tuple[int, ...] = (0, 1, 2)

    def moved(self, by: Sequence[float]) -> Solid:
        box = tuple(
            tuple(end + s if finite(end) else end for end in ends)
            for ends, s in zip(self.box, by, strict=True)
        )
        first, second = PLANE[self.axis]
        return replace(self, box=box, outline=self.outline and self.outline.moved((by[first], by[second])))

    def seen(self, axis: int, most: float) -> Outline:
        """Its outline along an axis; what is unbounded ends at `most`."""
        if self.outline is not None and axis == self.axis:
            return self.outline
        x, y = (tuple(max(-most, min(most, end)) for end in self.box[i]) for i in PLANE[axis])
        return rectangle((x[0], x[1]), (y[0], y[1]))

    def holds(self, place: Place, slack: float) -> bool:
        if not all(low - slack <= x <= high + slack for x, (low, high) in zip(place, self.box, strict=True)):
            return False
        first, second = PLANE[self.axis]
        return self.outline is None or self.outline.holds((place[first], place[second]), slack)


def coarsest(
    solids: Sequence[Solid],
    per_body: float,
    lattice: Sequence[Sequence[float]] = (),
    background: Any = None,
    per_gap: float = PIXELS_PER_GAP,
    most: float = math.inf,
) -> float:
    """Pixels per unit length: `per_body` in the narrowest body, `per_gap` in the narrowest gap, notch or wall; 0 without any. Of one
    that differs from what is beside it by less than STRONG in permittivity as many fewer.

    lattice: vectors by which everything is repeated. background: the medium of what no solid fills. most: pixels from which on Meep's
    averages have bodies and walls that are thinner as right as the rest.
    """
    width, notch = math.inf, math.inf
    drawn = repeated(solids, lattice)
    for solid in solids:
        inner = (math.inf, math.inf) if solid.outline is None else solid.outline.inner()
        notch = min(notch, inner[1])
        widths = {(i,): high - low for i, (low, high) in enumerate(solid.box) if finite(low) and finite(high)}
        sides = {axes: w for axes, w in widths.items() if axes[0] in solid.sized}
        if solid.outline is not None:
            sides = {axes: w for axes, w in sides.items() if axes == (solid.axis,)}
            sides[PLANE[solid.axis]] = inner[0]
        for axes, narrow in sides.items():
            if narrow < width and (shown := _shown(solid, axes, drawn, background)) > 0:
                width = min(width, narrow / shown)
    found = max(per_body / width, per_gap / gap(solids, lattice, background, notch))
    if found > most:
        found = max(most, per_gap / gap(solids, lattice, background, notch, between=True))
    return float(f"{found:.12g}")


def medium_at(place: Place, solids: Sequence[Solid], background: Any, slack: float = 0.0) -> Any:
    """The medium at a place: that of the last solid that holds it."""
    return next((solid.medium for solid in reversed(solids) if solid.holds(place, slack)), background)


def repeated(solids: Sequence[Solid], lattice: Sequence[Sequence[float]]) -> list[Solid]:
    """The solids with their images near the home cell, in the order in which they are drawn."""
    return [image for solid in solids for _, image in _images(solid, lattice)]


def gap(
    solids: Sequence[Solid],
    lattice: Sequence[Sequence[float]] = (),
    background: Any = None,
    least: float = math.inf,
    between: bool = False,
) -> float:
    """The narrowest gap or wall between solids and the images of others, a faint one as many times wider as it is fainter than STRONG;
    `least` where none is narrower. between: gaps alone, which no solid fills."""
    copies = [(n, home, image) for n, solid in enumerate(solids) for home, image in _images(solid, lattice)]
    scale = max(
        (abs(end) for _, _, solid in copies for ends in solid.box for end in ends if finite(end)), default=1.0
    )
    slack, most = SAME * scale, 4 * scale
    drawn = [solid for _, _, solid in copies]

    def medium(place: Place) -> Any:
        return medium_at(place, drawn, background, slack / 100)

    def shown(p: Place, q: Place, pair: tuple[Solid, Solid]) -> float:
        step = [CLEAR * (b - a) for a, b in zip(p, q, strict=True)]
        centre = tuple((a + b) / 2 for a, b in zip(p, q, strict=True))
        if between and any(solid.holds(centre, slack / 100) for solid in drawn):
            return 0.0
        middle = medium(centre)
        ends = (
            tuple(a - s for a, s in zip(p, step, strict=True)),
            tuple(b + s for b, s in zip(q, step, strict=True)),
        )
        found = 1.0
        for end in ends:
            if (found := min(found, _contrast(medium(_off_faces(end, pair, slack)), middle))) == 0:
                break
        return found

    along = max(
        range(3),
        key=lambda i: (
            max((s.box[i][0] for s in drawn if finite(s.box[i][0])), default=0.0)
            - min((s.box[i][0] for s in drawn if finite(s.box[i][0])), default=0.0)
        ),
    )
    copies.sort(key=lambda copy: copy[2].box[along][0])
    for number, (_, home, one) in enumerate(copies):
        for _, other_home, other in itertools.islice(copies, number + 1, None):
            if other.box[along][0] - one.box[along][1] >= least:
                break
            if not (home or other_home) or _apart(one.box, other.box) >= least:
                continue
            for distance, p, q in sorted(_candidates(one, other, slack, most)):
                if distance >= least:
                    break
                if distance > slack and (contrast := shown(p, q, (one, other))) > 0:
                    least = min(least, distance / contrast)
    return least


def _contrast(one: Any, other: Any) -> float:
    """How strongly a boundary of two media counts, from 0 (the same) to 1: in proportion to the difference of permittivity where both
    are without poles and respond alike to strong light."""
    if one == other:
        return 0.0
    plain = [m for m in (one, other) if isinstance(m, Medium) and m.material is None and not m.poles]
    if len(plain) < 2 or (plain[0].chi2, plain[0].chi3) != (plain[1].chi2, plain[1].chi3):
        return 1.0
    return min(
        1.0, max(abs(permittivity(one, 1.0, {}, i) - permittivity(other, 1.0, {}, i)) for i in "xyz") / STRONG
    )


def _shown(solid: Solid, axes: Sequence[int], drawn: Sequence[Solid], background: Any) -> float:
    """How strongly a block or disk differs from anything that lies beside it along some axes; 1 for other outlines."""
    if not (solid.outline is None or isinstance(solid.outline, Disk)):
        return 1.0
    middle = [(low + high) / 2 if finite(low) and finite(high) else 0.0 for low, high in solid.box]
    places = [
        _with(middle if share == PLACES[0] else _at(solid.box, share), i, end)
        for i in axes
        for low, high in (solid.box[i],)
        for end in (low - CLEAR * (high - low), high + CLEAR * (high - low))
        for share in (PLACES if solid.outline is None else PLACES[:1])
    ]
    return max(
        (_contrast(solid.medium, medium_at(place, drawn, background)) for place in places), default=1.0
    )


def _at(box: Box, share: float) -> list[float]:
    return [low + share * (high - low) if finite(low) and finite(high) else 0.0 for low, high in box]


def axes_in(dimensions: str) -> tuple[int, ...]:
    """Axes along which bodies are described."""
    return (0, 1) if dimensions == "2D" else (0, 1, 2)


def solids_of(bodies: Sequence[Any], axes: Sequence[int]) -> list[Solid]:
    """Resolved bodies, repeats one by one, a ring as two disks; axes: along which anything changes."""
    return [solid.moved(by) for body, by in single(bodies) for solid in _solid(body, axes)]


def _solid(body: Any, axes: Sequence[int]) -> Iterator[Solid]:
    box: Box = tuple(ends if i in axes else (-INF, INF) for i, ends in enumerate(extent([body])))  # type: ignore[assignment]
    if body.type == "pattern":
        yield Solid(body.medium, box, 2, Pieces.of(body))
        return
    if body.type == "ring":
        for radius, medium in ((float(body.outer), body.medium), (float(body.inner), body.filling)):
            center = (float(body.center[0]), float(body.center[1]))
            disk = Disk(center, radius)
            yield Solid(medium, (*disk.bounds(), box[2]), 2, disk)
        return
    axis = "xyz".index(getattr(body, "axis", "z"))
    if body.type == "block" or any(i not in axes for i in PLANE[axis]):
        yield Solid(body.medium, box)
        return
    outline: Outline
    if body.type == "prism":
        outline = Polygon(tuple(prism_corners(body)))
    else:
        first, second = (float(body.center[i]) for i in PLANE[axis])
        if body.type == "ellipsoid":
            a, b = (float(body.semi_axes[i]) for i in PLANE[axis])
            turns = [2 * math.pi * n / ELLIPSE for n in range(ELLIPSE)]
            outline = Polygon(tuple((first + a * math.cos(t), second + b * math.sin(t)) for t in turns))
        else:
            outline = Disk((first, second), float(body.radius))
    yield Solid(body.medium, box, axis, outline)


def _images(solid: Solid, lattice: Sequence[Sequence[float]]) -> Iterator[tuple[bool, Solid]]:
    """The solid with its middle in the cell about the origin, and its neighbours; whether it is that one."""
    if not lattice:
        yield True, solid
        return
    rows = np.array([[float(v) for v in (*vector, 0.0, 0.0)[:3]] for vector in lattice])
    middle = np.array([(low + high) / 2 if finite(low) and finite(high) else 0.0 for low, high in solid.box])
    turns = np.round(np.linalg.solve(rows @ rows.T, rows @ middle) - SAME)
    for shift in itertools.product((-1, 0, 1), repeat=len(lattice)):
        yield not any(shift), solid.moved([float(x) for x in (np.array(shift) - turns) @ rows])


def _off_faces(place: Place, pair: tuple[Solid, Solid], slack: float) -> Place:
    """A place in one of two solids moved off its faces, where others may begin."""
    for solid in pair:
        if solid.holds(place, slack):
            return tuple(
                max(low + 2 * slack, min(high - 2 * slack, x))
                for x, (low, high) in zip(place, solid.box, strict=True)
            )
    return place


def _apart(one: Box, other: Box) -> float:
    """Distance of two boxes."""
    return math.hypot(*(max(0.0, a[0] - b[1], b[0] - a[1]) for a, b in zip(one, other, strict=True)))


def _shared(one: tuple[float, float], other: tuple[float, float], most: float) -> tuple[float, float]:
    return max(one[0], other[0], -most), min(one[1], other[1], most)


def _candidates(one: Solid, other: Solid, slack: float, most: float) -> Iterator[tuple[float, Place, Place]]:
    """(distance, place on one boundary, place on the other) where something narrow may lie between two solids."""
    if one.outline is None and other.outline is None:
        yield from _boxes(one.box, other.box, slack, most)
        return
    axis = one.axis if one.outline is not None else other.axis
    views = one.seen(axis, most), other.seen(axis, most)
    low, high = _shared(one.box[axis], other.box[axis], most)

    def place(at: tuple[float, float], along: float) -> Place:
        out = [along] * 3
        out[PLANE[axis][0]], out[PLANE[axis][1]] = at
        return tuple(out)

    if high >= low - slack:  # beside each other, or one in the other
        for distance, p, q in nearest(*views):
            for share in PLACES:
                yield distance, place(p, low + share * (high - low)), place(q, low + share * (high - low))
    else:
        for distance, p, q in nearest(*views)[:1]:
            ends = (high, low) if one.box[axis][1] <= other.box[axis][0] else (low, high)
            yield math.hypot(distance, low - high), place(p, ends[0]), place(q, ends[1])
    inside = overlap(*views, slack)
    if inside is not None:
        for a, b in itertools.product(one.box[axis], other.box[axis]):
            if finite(a) and finite(b):
                yield abs(a - b), place(inside, min(a, b)), place(inside, max(a, b))


def _boxes(one: Box, other: Box, slack: float, most: float) -> Iterator[tuple[float, Place, Place]]:
    shared = [_shared(a, b, most) for a, b in zip(one, other, strict=True)]
    for i in range(3):
        if any(shared[j][1] - shared[j][0] < -slack for j in range(3) if j != i):
            continue
        for a, b in itertools.product(one[i], other[i]):
            if finite(a) and finite(b):
                for share in PLACES:
                    at = [low + share * (high - low) for low, high in shared]
                    yield abs(a - b), _with(at, i, min(a, b)), _with(at, i, max(a, b))
    if sum(high - low < -slack for low, high in shared) > 1:  # corner to corner
        p = tuple(low if low >= high else (low + high) / 2 for low, high in shared)
        q = tuple(high if low >= high else (low + high) / 2 for low, high in shared)
        turned = [one[i][0] > other[i][1] for i in range(3)]
        p, q = (
            tuple(max(a, b) if t else min(a, b) for a, b, t in zip(p, q, turned, strict=True)),
            tuple(min(a, b) if t else max(a, b) for a, b, t in zip(p, q, turned, strict=True)),
        )
        yield math.dist(p, q), p, q


def _with(place: Sequence[float], axis: int, value: float) -> Place:
    return tuple(value if i == axis else x for i, x in enumerate(place))
