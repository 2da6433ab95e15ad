"""Where things lie along the stack of a unit cell, and its layers and bodies as a run draws them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simkit.arrange.narrowest import Solid
from simkit.arrange.numerics import Numerics
from simkit.arrange.outlines import Disk, Outline, Pieces, Polygon
from simkit.arrange.permittivity import dispersive, index_of
from simkit.arrange.placing import ASIDE_PX
from simkit.describe.base import INF
from simkit.describe.media import AnyMedium, Medium, PerfectConductor
from simkit.describe.unit_cell import Film, Sheet, UnitCell, upright
from simkit.runs import Run, Vector

OPAQUE = 1e-5  # field left at the back of an opaque substrate
LEAST_APART_PX, NODE_PX = (
    2.5,
    0.49,
)  # faces of bars from each other; half of a block that holds one node and no half ones
ABSORBING = (
    1.0,
    0.7,
    0.35,
)  # longest wavelengths of PML: films, bars, two periods (where half of 0.7 moved a disk array's T by 6e-5, for 0.65 of the CPU time)
ABSORBING_PX = 15  # of the coarsest grid, at least, where PML is thinner than usual
FREE, LEAST_FREE = 0.5, 0.15  # longest wavelengths before and behind the layers
DIED_OUT = 5.0  # what an order that does not leave falls to over the free distance: exp(-5), and as much on its way back
LOOKED_AT, DEEPEST = 32, 10.0  # frequencies of a band; longest wavelengths of an absorbing half-space
SEEN = 4  # pairs of layers before, among which one alike is looked for


@dataclass(frozen=True)
class Place:
    """Positions along the stack, relative to the cell's centre; length: of the cell."""

    length: float
    source: float
    reflection: float
    first: float
    last: float
    transmission: float


def dimensions(scene: UnitCell) -> int:
    """1 for plain films (whose runs at an angle are two-dimensional), 2 for bars, 3 for two periods."""
    return 1 + len(scene.period)


def films_of(scene: UnitCell) -> list[Film]:
    return [film for film in scene.layers if isinstance(film, Film)]


def room(
    scene: UnitCell, oblique: float | None, coarsest: float, materials: Mapping[str, Any]
) -> tuple[float, float]:
    """(free distance, PML) in longest wavelengths, of a ladder that begins at `coarsest` pixels per unit.

    Less of both where one order leaves, at normal incidence, and all others have died out on a shorter way: the absorptance of
    strips in a period of 0.1 to 0.5 of the wavelength moved by 1e-6, for two thirds of the CPU time.
    """
    usual = FREE, ABSORBING[len(scene.period)]
    if not scene.period or oblique is not None:
        return usual
    low, high = scene.band.frequencies()
    outside = [m for m in (scene.above, scene.below) if not isinstance(m, PerfectConductor)]
    leaving = max(high * index_of(m, high, materials).real for m in outside)
    across = 1 / max(float(p) for p in scene.period) ** 2 - leaving**2
    if across <= 0:
        return usual
    free = max(LEAST_FREE, low * DIED_OUT / (2 * math.pi * math.sqrt(across)))
    return (free, min(usual[1], max(ABSORBING[2], ABSORBING_PX * low / coarsest))) if free < FREE else usual


def placed(
    scene: UnitCell,
    layers: Sequence[Film | Sheet],
    opaque: float | None,
    numerics: Numerics,
    around: tuple[float, float],
    dims: int,
    shown: tuple[float, float] = (0.0, 0.0),
) -> tuple[Vector, Place]:
    """The cell and the places in it. around: free distance and PML. shown: how far before and behind the layers fields are looked at."""
    pixel, (free, pml) = 1 / numerics.resolution, around
    total = sum(float(film.thickness) for film in layers if isinstance(film, Film))
    behind = free if opaque is None else opaque + free
    before = max(0.0, shown[0] - free)  # more than there is
    behind = max(behind, shown[1])
    cell = 2 * math.ceil((2 * pml + before + 1.3 * free + total + behind) / (2 * pixel) - 1e-6) * pixel
    # From the cell's lower end in whole pixels, each by itself: the same from cell to cell.
    at = math.ceil((pml + before + 1.2 * free) / pixel - 1e-6)
    first = at * pixel - cell / 2
    last = first + total
    place = Place(
        cell,
        round((pml + 0.1 * free) / pixel) * pixel - cell / 2,
        (at - round(0.5 * free / pixel)) * pixel - cell / 2,
        first,
        last,
        _grid(last + (0.5 * free if opaque is None else opaque + 0.25 * free), pixel),
    )
    return vector(dims, cell, [float(p) for p in scene.period]), place


def _grid(position: float, pixel: float) -> float:
    return round(position / pixel) * pixel


def opaque_depth(back: AnyMedium, low: float, high: float, materials: Mapping[str, Any]) -> float | None:
    """Thickness after which nothing is left of the light in an absorbing half-space; None if it may reach into the PML.

    A metal may not (PML makes what travels backward grow); what is transparent in a part of the band may, and would take a cell
    of hundreds of wavelengths (a dye, beside its line).
    """
    if isinstance(back, PerfectConductor) or not dispersive(back, materials):
        return None
    lines = [low + (high - low) * step / LOOKED_AT for step in range(LOOKED_AT + 1)]
    indices = [index_of(back, f, materials) for f in lines]
    decay = min(2 * math.pi * f * abs(index.imag) for f, index in zip(lines, indices, strict=True))
    deepest = DEEPEST / low
    if decay * deepest > -math.log(OPAQUE):
        return -math.log(OPAQUE) / decay
    if all(index.real > abs(index.imag) for index in indices) or decay <= 0:
        return None
    return -math.log(OPAQUE) / decay


def drawn(
    run: Run,
    scene: UnitCell,
    layers: Sequence[Film | Sheet],
    front: AnyMedium,
    back: AnyMedium,
    opaque: float | None,
    place: Place,
    materials: Mapping[str, Any],
    dims: int,
) -> Run:
    """The structure's run: one-dimensional stacks with exact interfaces, else layers painted whole and bodies over them."""
    ends = (
        [(place.last, place.last + opaque, back)]
        if opaque is not None
        else [(place.last, place.length / 2, back)]
    )
    if opaque is not None:
        ends.append((place.last + opaque, place.length / 2, Medium(index=1)))
    films, at = [], place.first
    sheets: list[tuple[float, float]] = []
    for item in layers:
        if isinstance(item, Sheet):
            sheets.append((at, float(item.resistance)))
            continue
        films.append((at, at + float(item.thickness), item))
        at += float(item.thickness)
    if not scene.period:
        parts = [
            (-place.length / 2, place.first, front),
            *((a, b, film.medium) for a, b, film in films),
            *ends,
        ]
        stack = tuple((plain(medium), a, b) for a, b, medium in parts)
        # Off its node an interface is put there by the mean of its pixel, which is that of E along it. E across it, of p light at an
        # angle, needs another, which Meep takes where nothing has poles: else T was off by 2 % on any grid, by 5e-4 since.
        media = [medium for _, _, medium in parts]
        smooth = bool(scene.angle) and not sheets and not any(_abrupt(m, materials) for m in media)
        return replace(run, stack=stack, stack_axis=axis_of(dims), smoothing=smooth, sheets=tuple(sheets))
    # Where three media meet, Meep averages nothing and takes the medium of the node. With edges on nodes rounding decided which
    # anew on every grid: errors of second order that jumped. Beside them it is the same one on all grids, left and right.
    aside = ASIDE_PX / run.resolution
    films, ends = (
        [(a - aside, b - aside, film) for a, b, film in films],
        [(a - aside, b, medium) for a, b, medium in ends],
    )
    axis, bodies = axis_of(dims), []
    for number, (low, high, medium) in enumerate([*((a, b, film.medium) for a, b, film in films), *ends]):
        # Each layer beyond the cell's end, overpainted by the next: where two only met, smoothing saw a seam of the background.
        # Not to the end: rounding then chose whose the last nodes were, and a metal's, deep in the PML, made the fields grow.
        reach = high if isinstance(medium, PerfectConductor) and number < len(films) else INF
        bodies.append({"type": "block", "id": f"layer{number}", "medium": plain(medium), axis: (low, reach)})
    poles = any(
        dispersive(m, materials)
        for m in [back, *(f.medium for _, _, f in films), *(b.medium for _, _, f in films for b in f.pattern)]
    )
    from_below = scene.light_from == "below"
    for low, high, film in films:
        bodies += [_body(body, low, high, dims, aside, from_below) for body in film.pattern]
        if poles and dims == 2:
            bodies += _edges(film, low, high, run.resolution, float(scene.period[0]))
    if poles and dims == 2 and scene.polarization in ("x", "p"):
        rows = [(front, ()), *((film.medium, film.pattern) for _, _, film in films), (back, ())]
        bodies += _between(
            rows, [a + aside for a, _, _ in films] + [place.last], run.resolution, float(scene.period[0])
        )
    return replace(
        run, geometry=tuple(bodies), smoothing=not poles, stack_axis=axis_of(dims), sheets=tuple(sheets)
    )


def _abrupt(medium: AnyMedium, materials: Mapping[str, Any]) -> bool:
    """Whether Meep takes no mean where a medium ends."""
    return isinstance(medium, PerfectConductor) or dispersive(medium, materials)


def solids_of_pairs(scene: UnitCell) -> Iterator[list[Solid]]:
    """Each two layers that touch, with what is drawn into them, between half-spaces of what lies beyond: to be measured. Farther
    layers are no nearer to each other than one between them is thick."""
    films = films_of(scene)
    media = [scene.below, *(film.medium for film in films), scene.above]
    seen = []
    for number in range(max(1, len(films) - 1)):
        pair = films[number : number + 2]
        around = (media[number], media[number + len(pair) + 1])
        if any(film.pattern for film in pair) and (pair, around) not in seen[-SEEN:]:
            seen.append((pair, around))
            yield _solids(pair, *around)


def _solids(films: Sequence[Film], below: AnyMedium, above: AnyMedium) -> list[Solid]:
    """Half-spaces, layers and what is drawn into them, z from the lowest layer's lower face."""
    everywhere, at = (-INF, INF), 0.0
    found = [Solid(below, (everywhere, everywhere, (-INF, 0.0)))]
    for film in films:
        span = (at, at + float(film.thickness))
        at = span[1]
        found.append(Solid(film.medium, (everywhere, everywhere, span), sized=()))
        for body in film.pattern:
            if body.type == "rod":
                axis, radius = span[0] + body.above(float(film.thickness)), float(body.radius)
                rod = Disk((axis, float(body.x)), radius)  # of an outline along y: z, then x
                along_z, along_x = rod.bounds()
                found.append(Solid(body.medium, (along_x, everywhere, along_z), 1, rod, sized=(0, 2)))
                continue
            if body.type == "bar":
                # Of slanted sides half way up: a tip is no width that a grid must resolve.
                edges = tuple(
                    (float(a) + float(b)) / 2 for a, b in zip(body.x, body.top or body.x, strict=True)
                )
                found.append(Solid(body.medium, ((edges[0], edges[1]), everywhere, span), sized=(0,)))
                continue
            outline: Outline
            if body.type == "pattern":
                outline = Pieces.of(body)
            elif body.type == "disk":
                outline = Disk((float(body.center[0]), float(body.center[1])), float(body.radius))
            else:
                outline = Polygon(tuple(_body(body, *span, 3, 0.0)["vertices"]))
            found.append(Solid(body.medium, (*outline.bounds(), span), 2, outline, sized=(0, 1)))
    found.append(Solid(above, (everywhere, everywhere, (at, INF))))
    return found


def _body(
    body: Any, low: float, high: float, dims: int, aside: float, from_below: bool = True
) -> dict[str, Any]:
    """A body of a layer from `low` to `high` in a run. from_below: whether light does, and the layer's lower face lies at `low`."""
    if body.type == "rod":
        up = body.above(high - low)
        return {
            "type": "cylinder",
            "id": "rod",
            "medium": plain(body.medium),
            "axis": "z",
            "bounds": (-INF, INF),
            "center": (float(body.x), low + up if from_below else high - up, 0.0),
            "radius": float(body.radius),
        }
    if body.type == "bar" and body.top is not None:
        near, far = (body.x, body.top) if from_below else (body.top, body.x)
        corners = [(near[0], low), (near[1], low), (far[1], high), (far[0], high)]
        return {
            "type": "prism",
            "id": "bar",
            "medium": plain(body.medium),
            "axis": "z",
            "bounds": (-INF, INF),
            "vertices": tuple(dict.fromkeys((float(x), float(y)) for x, y in corners)),
            "rotation": 0.0,
        }
    if body.type == "bar":
        return {
            "type": "block",
            "id": "bar",
            "medium": plain(body.medium),
            "y": (low, high),
            "x": (float(body.x[0]) - aside, float(body.x[1]) + aside),
        }
    if body.type == "pattern":
        found: dict[str, Any] = body.model_dump(mode="json")
        return found | {"bounds": (low, high), "aside": aside}
    if body.type == "disk":
        return {
            "type": "cylinder",
            "id": "disk",
            "medium": plain(body.medium),
            "axis": "z",
            "bounds": (low, high),
            "center": (float(body.center[0]), float(body.center[1]), 0.0),
            "radius": float(body.radius),
        }
    if body.type == "rectangle":
        half_x, half_y = float(body.size[0]) / 2 + aside, float(body.size[1]) / 2 + aside
        turn, (cx, cy) = float(body.rotation), (float(body.center[0]), float(body.center[1]))
        corners = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
        vertices = [
            (cx + x * math.cos(turn) - y * math.sin(turn), cy + x * math.sin(turn) + y * math.cos(turn))
            for x, y in corners
        ]
    else:
        vertices = [(float(x), float(y)) for x, y in body.vertices]
    return {
        "type": "prism",
        "id": body.type,
        "medium": plain(body.medium),
        "axis": "z",
        "bounds": (low, high),
        "vertices": tuple(vertices),
        "rotation": 0.0,
    }


def _edges(film: Film, low: float, high: float, resolution: float, period: float) -> list[dict[str, Any]]:
    """The nodes at the faces of bars, where nothing is smoothed: each the mean of its pixel. Else both belonged to the bar, which
    was one pixel too wide for E along it. None where bars are narrow or near each other, or no mean is a medium."""
    if not all(map(upright, film.pattern)):
        return []
    faces = sorted(float(x) for bar in film.pattern for x in bar.x)
    near = [b - a for a, b in itertools.pairwise([*faces, faces[0] + period])] if faces else []
    media = [film.medium, *(bar.medium for bar in film.pattern)]
    if (
        not near
        or min(near) * resolution < LEAST_APART_PX
        or round(period * resolution) % 2
        or not all(isinstance(m, Medium) for m in media)
    ):
        return []
    out = []
    for bar in film.pattern:
        for face, side in zip((float(x) for x in bar.x), (1, -1), strict=True):
            node = round(face * resolution)
            within = 0.5 + side * (node - face * resolution)
            parts = [[plain(bar.medium), within], [plain(film.medium), 1 - within]]
            span = ((node - NODE_PX) / resolution, (node + NODE_PX) / resolution)
            out.append(
                {
                    "type": "block",
                    "id": "face of a bar",
                    "medium": {"kind": "mixture", "of": parts},
                    "y": (low, high),
                    "x": span,
                }
            )
    return out


def _between(
    rows: Sequence[tuple[AnyMedium, Sequence[Any]]], faces: Sequence[float], resolution: float, period: float
) -> list[dict[str, Any]]:
    """The nodes at the faces between layers, for E across bars where nothing is smoothed: each the mean of its pixel, as at the bars'
    sides. With those alone the strips of an absorber had 0.79 instead of 0.99 and twice their line's width on 40 pixels per um."""
    out = []
    for ((below, under), (above, over)), face in zip(itertools.pairwise(rows), faces, strict=True):
        if not all(map(upright, (*under, *over))):
            continue
        ends = {-period / 2, period / 2, *(float(x) for bar in (*under, *over) for x in bar.x)}
        node = round(face * resolution)
        within = 0.5 - (node - face * resolution)
        for low, high in itertools.pairwise(sorted(ends)):
            middle = (low + high) / 2
            one, other = (_medium_at(middle, *row) for row in ((below, under), (above, over)))
            if one == other or not isinstance(one, Medium) or not isinstance(other, Medium):
                continue
            parts = [[plain(one), within], [plain(other), 1 - within]]
            out.append(
                {
                    "type": "block",
                    "id": "face of a layer",
                    "medium": {"kind": "mixture", "of": parts},
                    "x": (low, high),
                    "y": ((node - NODE_PX) / resolution, (node + NODE_PX) / resolution),
                }
            )
    return out


def _medium_at(x: float, base: AnyMedium, bars: Sequence[Any]) -> AnyMedium:
    """What is drawn at a place of a layer: its last bar there, or itself."""
    found = [bar.medium for bar in bars if float(bar.x[0]) < x < float(bar.x[1])]
    return found[-1] if found else base


def plain(medium: AnyMedium) -> dict[str, Any]:
    return medium.model_dump(mode="json")


def axis_of(dims: int) -> Any:
    return {1: "z", 2: "y", 3: "z"}[dims]


def at_place(dims: int, position: float) -> Vector:
    return (0.0, position, 0.0) if dims == 2 else (0.0, 0.0, position)


def vector(dims: int, along: float, period: Sequence[float]) -> Vector:
    if dims == 1:
        return (0.0, 0.0, along)
    if dims == 2:
        return (period[0] if period else 0.0, along, 0.0)
    return (period[0], period[1], along)
