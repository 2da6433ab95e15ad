"""A crystal into one run of MPB: the path's k points, and those of single quantities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.narrowest import coarsest, solids_of
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive
from simkit.describe.crystal import BandFrequency, Crystal, Gap
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.scene import Quantity
from simkit.runs import BandsRun, Vector

PIXELS_PER_PERIOD, PIXELS_PER_BODY = (
    {1: 64, 2: 24, 3: 12},
    6,
)  # of the shortest lattice vector; of the narrowest body
PIECES_PER_SAMPLE = 1 / 12  # parts of each side of the path for each sample of a band
MORE_BANDS = 1  # MPB's highest band converges last


def needs(scene: Crystal, materials: Mapping[str, Any]) -> Needs:
    """Pixels per lattice vector and in the narrowest body, four in the narrowest gap; lattice vectors whole."""
    lengths = [math.hypot(*vector) for vector in scene.basis()]
    solids = solids_of(scene.bodies, tuple(range(len(lengths))))
    finest = coarsest(solids, PIXELS_PER_BODY, scene.basis(), scene.background)
    return Needs(
        resolution=max(PIXELS_PER_PERIOD[len(lengths)] / min(lengths), finest),
        whole=tuple(sorted(set(lengths))),
    )


def arrange(
    scene: Crystal, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """Run 'bands'. facts: indices of the path's k points and the way to them, index of each single quantity's point."""
    for medium in (scene.background, *(m for body in scene.bodies for m in _media(body))):
        if isinstance(medium, PerfectConductor) or dispersive(medium, materials):
            raise ValueError(
                f"crystal {scene.id}: bands are computed for dielectrics without poles; describe a resonator that "
                "is periodic along its lattice instead"
            )
    points: list[Vector] = []
    way: list[float] = []
    if any(not isinstance(q, BandFrequency) for q in quantities):
        points, way = _path(scene, max(2, round(numerics.samples * PIECES_PER_SAMPLE)))
    single = {}
    for quantity in quantities:
        if isinstance(quantity, BandFrequency):
            point = scene.point(quantity.k)
            if point not in points:
                points.append(point)
            single[quantity.id] = points.index(point)
    count = max(q.above + 1 if isinstance(q, Gap) else q.band for q in quantities)  # type: ignore[attr-defined]
    basis = scene.basis()
    plain = scene.model_dump(mode="json")
    run = BandsRun(
        lattice=_rows(basis),
        size=tuple(1.0 if i < len(basis) else 0.0 for i in range(3)),  # type: ignore[arg-type]
        geometry=tuple(plain["bodies"]),
        count=count + MORE_BANDS,
        polarisation=scene.polarization,
        resolution=numerics.resolution,
        k_points=tuple(points),
        background=plain["background"],
        materials={name: materials[name] for name in sorted(names_of_materials(plain))},
    )
    return Arrangement({"bands": run}, {"path": list(range(len(way))), "way": way, "single": single})


def reciprocal(basis: Sequence[Vector]) -> list[Vector]:
    """Reciprocal lattice vectors without 2 pi, 1/length: b_i . a_j = 1 or 0."""
    rows = _rows(basis)
    volume = _dot(rows[0], _cross(rows[1], rows[2]))
    found = [_cross(rows[(i + 1) % 3], rows[(i + 2) % 3]) for i in range(3)]
    return [(b[0] / volume, b[1] / volume, b[2] / volume) for b in found]


def _path(scene: Crystal, pieces: int) -> tuple[list[Vector], list[float]]:
    """k points from corner to corner, and the length of the way to each."""
    corners, vectors = scene.corners(), reciprocal(scene.basis())
    points, way = [corners[0]], [0.0]
    for start, end in zip(corners, corners[1:], strict=False):
        step = [e - s for s, e in zip(start, end, strict=True)]
        length = math.hypot(*(sum(step[i] * vectors[i][axis] for i in range(3)) for axis in range(3)))
        begin = way[-1]
        for n in range(1, pieces + 1):
            points.append(
                (
                    start[0] + step[0] * n / pieces,
                    start[1] + step[1] * n / pieces,
                    start[2] + step[2] * n / pieces,
                )
            )
            way.append(begin + length * n / pieces)
    return points, way


def _rows(basis: Sequence[Vector]) -> tuple[Vector, Vector, Vector]:
    """Three basis vectors; missing ones stand across those given."""
    rows = list(basis)
    if len(rows) == 1:
        first = rows[0]
        other = (0.0, 1.0, 0.0) if abs(first[1]) < 0.9 * math.hypot(*first) else (1.0, 0.0, 0.0)
        across = _cross(_cross(first, other), first)
        rows.append(_unit(across))
    if len(rows) == 2:
        rows.append(_unit(_cross(rows[0], rows[1])))
    if abs(_dot(rows[0], _cross(rows[1], rows[2]))) < 1e-9 * math.prod(math.hypot(*row) for row in rows):
        raise ValueError("the lattice vectors lie in one line or plane")
    return rows[0], rows[1], rows[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _unit(a: Vector) -> Vector:
    length = math.hypot(*a)
    if length < 1e-12:
        raise ValueError("the lattice vectors lie in one line or plane")
    return a[0] / length, a[1] / length, a[2] / length


def _media(body: Any) -> list[Any]:
    shape = body.body if body.type == "repeat" else body
    return [m for m in (shape.medium, getattr(shape, "filling", None)) if m is not None]
