"""Plane outlines of bodies, disks and polygons: how wide they are, how far their boundaries lie apart, what is inside."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simkit.describe.handed import Pattern

Point2 = tuple[float, float]
Near = tuple[float, Point2, Point2]  # distance of two points, one on each boundary
FACING = -0.9  # cosine between the normals of two sides that face each other, at most
CANDIDATES = 16  # nearest places of two boundaries that are looked at


@dataclass(frozen=True)
class Disk:
    """A full circle."""

    center: Point2
    radius: float

    def moved(self, by: Point2) -> Disk:
        return Disk((self.center[0] + by[0], self.center[1] + by[1]), self.radius)

    def holds(self, point: Point2, slack: float) -> bool:
        return math.dist(point, self.center) <= self.radius + slack

    def bounds(self) -> tuple[tuple[float, float], tuple[float, float]]:
        (x, y), r = self.center, self.radius
        return (x - r, x + r), (y - r, y + r)

    def inner(self) -> tuple[float, float]:
        """(narrowest width, narrowest notch)."""
        return 2 * self.radius, math.inf


@dataclass(frozen=True)
class Polygon:
    """Corners in cyclic order."""

    corners: tuple[Point2, ...]

    def moved(self, by: Point2) -> Polygon:
        return Polygon(tuple((x + by[0], y + by[1]) for x, y in self.corners))

    def bounds(self) -> tuple[tuple[float, float], tuple[float, float]]:
        x, y = zip(*self.corners, strict=True)
        return (min(x), max(x)), (min(y), max(y))

    def sides(self) -> list[tuple[Point2, Point2]]:
        return list(zip(self.corners, self.corners[1:] + self.corners[:1], strict=True))

    def holds(self, point: Point2, slack: float) -> bool:
        inside = False
        for a, b in self.sides():
            if slack > 0 and math.dist(point, _foot(point, a, b)) <= slack:
                return True
            if (a[1] > point[1]) != (b[1] > point[1]) and point[0] < a[0] + (point[1] - a[1]) * (
                b[0] - a[0]
            ) / (b[1] - a[1]):
                inside = not inside
        return inside

    def inner(self) -> tuple[float, float]:
        """(narrowest width, narrowest notch): as a whole, and where two of its sides face each other."""
        width, notch = math.inf, math.inf
        sides = [(a, b) for a, b in self.sides() if math.dist(a, b) > 0]
        normals = [((b[1] - a[1]) / math.dist(a, b), (a[0] - b[0]) / math.dist(a, b)) for a, b in sides]
        for n in normals:
            reach = [n[0] * x + n[1] * y for x, y in self.corners]
            width = min(width, max(reach) - min(reach))
        for i, j in itertools.combinations(range(len(sides)), 2):
            if normals[i][0] * normals[j][0] + normals[i][1] * normals[j][1] > FACING or j - i in (
                1,
                len(sides) - 1,
            ):
                continue
            gap, p, q = min(_between(sides[i], sides[j]))
            if not 0 < gap < max(width, notch):
                continue
            if self.holds(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2), 0.0):
                width = min(width, gap)
            else:
                notch = min(notch, gap)
        return width, notch


@dataclass(frozen=True)
class Pieces:
    """What a handed-in file draws: outlines side by side, with the box around them and what was measured of them together.
    To others it is as near as its box."""

    polygons: tuple[Polygon, ...]
    box: tuple[Point2, Point2]
    narrowest: float

    @classmethod
    def of(cls, pattern: Pattern) -> Pieces:
        return cls(
            tuple(Polygon(tuple(piece)) for piece in pattern.pieces()), pattern.box(), pattern.narrowest()
        )

    def moved(self, by: Point2) -> Pieces:
        x, y = ((low + step, high + step) for (low, high), step in zip(self.box, by, strict=True))
        return Pieces(tuple(polygon.moved(by) for polygon in self.polygons), (x, y), self.narrowest)

    def holds(self, point: Point2, slack: float) -> bool:
        inside = all(low - slack <= v <= high + slack for v, (low, high) in zip(point, self.box, strict=True))
        return inside and any(polygon.holds(point, slack) for polygon in self.polygons)

    def bounds(self) -> tuple[Point2, Point2]:
        return self.box

    def inner(self) -> tuple[float, float]:
        """(narrowest width, narrowest notch), not told apart."""
        return self.narrowest, self.narrowest


Outline = Disk | Pieces | Polygon


def rectangle(x: tuple[float, float], y: tuple[float, float]) -> Polygon:
    return Polygon(((x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])))


def nearest(one: Outline, other: Outline) -> list[Near]:
    """Where the boundaries come near each other, the nearest first; places where they meet are left out."""
    one, other = (rectangle(*side.box) if isinstance(side, Pieces) else side for side in (one, other))
    if isinstance(one, Disk) and isinstance(other, Disk):
        found = _disks(one, other)
    elif isinstance(one, Disk):
        found = [(d, q, p) for d, p, q in nearest(other, one)]
    elif isinstance(other, Disk):
        found = list(_with_disk(one, other))
    else:
        found = [near for a in one.sides() for b in other.sides() for near in _between(a, b)]
    return sorted(near for near in found if near[0] > 0)[:CANDIDATES]


def overlap(one: Outline, other: Outline, slack: float) -> Point2 | None:
    """A place inside both; None where they lie apart."""
    one, other = (rectangle(*side.box) if isinstance(side, Pieces) else side for side in (one, other))
    for inner, outer in ((one, other), (other, one)):
        inside = [inner.center] if isinstance(inner, Disk) else [_middle(inner), *inner.corners]
        for point in inside:
            if outer.holds(point, -slack) and inner.holds(point, slack):
                return point
    for _, p, q in nearest(one, other):
        middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
        if one.holds(middle, 0.0) and other.holds(middle, 0.0):
            return middle
    return None


def _middle(polygon: Polygon) -> Point2:
    count = len(polygon.corners)
    return sum(x for x, _ in polygon.corners) / count, sum(y for _, y in polygon.corners) / count


def _disks(one: Disk, other: Disk) -> list[Near]:
    apart = math.dist(one.center, other.center)
    x, y = ((other.center[i] - one.center[i]) / apart for i in (0, 1)) if apart > 0 else (1.0, 0.0)
    if apart >= one.radius + other.radius:
        ends, sign = (one.radius, -other.radius), 1.0
    elif apart <= abs(one.radius - other.radius):  # one in the other, nearest on the side it is moved to
        sign = 1.0 if one.radius > other.radius else -1.0
        ends = (sign * one.radius, sign * other.radius)
    else:
        return []
    p = (one.center[0] + x * ends[0], one.center[1] + y * ends[0])
    q = (other.center[0] + x * ends[1], other.center[1] + y * ends[1])
    return [(math.dist(p, q), p, q)]


def _with_disk(polygon: Polygon, disk: Disk) -> Iterator[Near]:
    def rim(point: Point2) -> Point2:
        away = math.dist(point, disk.center)
        x, y = ((point[i] - disk.center[i]) / away for i in (0, 1)) if away > 0 else (1.0, 0.0)
        return disk.center[0] + x * disk.radius, disk.center[1] + y * disk.radius

    inside = all(disk.holds(corner, 0.0) for corner in polygon.corners)
    for place in polygon.corners if inside else [_foot(disk.center, a, b) for a, b in polygon.sides()]:
        if inside or math.dist(place, disk.center) > disk.radius:
            yield math.dist(place, rim(place)), place, rim(place)


def _between(one: tuple[Point2, Point2], other: tuple[Point2, Point2]) -> Sequence[Near]:
    places = [(p, _foot(p, *other)) for p in one] + [(_foot(q, *one), q) for q in other]
    return [(math.dist(p, q), p, q) for p, q in places]


def _foot(point: Point2, a: Point2, b: Point2) -> Point2:
    """The place of a side nearest to a point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else min(1.0, max(0.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square))
    return a[0] + t * dx, a[1] + t * dy
