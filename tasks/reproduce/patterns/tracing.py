"""A bitmap as outlines: exact corners of its parts, cut where they have holes; how narrow its narrowest part or gap is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from simkit.describe.handed import Corners, Drawing

Solid = NDArray[np.bool_]
MOST_PIECES, MOST_CORNERS = 2_000, 20_000
_ALL_AROUND = np.ones((3, 3), bool)  # what is not solid meets over corners, what is solid does not
_LEFT = {(1, 0): (0, 1), (0, 1): (-1, 0), (-1, 0): (0, -1), (0, -1): (1, 0)}


class TooFine(ValueError):
    """A bitmap of more parts or corners than can be solved."""


def drawing_of(solid: Solid) -> Drawing:
    """The drawing of a bitmap (along x, along y) in pixels from its middle. Raises TooFine; ValueError for one without a 1."""
    if not solid.any():
        raise ValueError("it draws nothing: no 1 in it")
    across, up = (size / 2 for size in solid.shape)
    pieces = tuple(tuple((x - across, y - up) for x, y in piece) for piece in traced(solid))
    uniform = bool((solid == solid[:, :1]).all())
    return Drawing(
        pieces=pieces,
        low=(-across, -up),
        high=(across, up),
        narrowest=narrowest(solid),
        mirrored=(bool((solid == solid[::-1]).all()), bool((solid == solid[:, ::-1]).all())),
        bars=tuple((a - across, b - across) for a, b in runs(solid[:, 0])) if uniform else None,
    )


def runs(line: Solid) -> list[tuple[int, int]]:
    """(from, to) of every run of ones."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def traced(solid: Solid) -> list[Corners]:
    """Corners of every part that hangs together over sides, counter-clockwise, (0, 0) where the first pixel begins.

    A part with holes is cut across them along y: each piece is one outline, and pieces share the cuts. Raises TooFine.
    """
    labels = _cut(np.asarray(solid, bool))
    boxes = ndimage.find_objects(labels)
    if len(boxes) > MOST_PIECES:
        raise TooFine(f"has {len(boxes)} parts, at most {MOST_PIECES} are drawn")
    out: list[Corners] = []
    left = MOST_CORNERS
    for number, box in enumerate(boxes, 1):
        x, y = (side.start for side in box)
        found = _outline(labels[box] == number, left)
        left -= len(found)
        out.append(tuple((float(u + x), float(v + y)) for u, v in found))
    return out


def _cut(solid: Solid) -> NDArray[np.int32]:
    """Labels of the pieces, none with a hole."""
    labels, count = ndimage.label(solid)
    if count > MOST_PIECES:
        raise TooFine(f"has {count} parts, at most {MOST_PIECES} are drawn")
    around, _ = ndimage.label(np.pad(~solid, 1, constant_values=True), _ALL_AROUND)
    empty, outside = around[1:-1, 1:-1], around[0, 0]
    holes: dict[int, list[tuple[int, int]]] = {}
    for number, box in enumerate(ndimage.find_objects(empty), 1):
        if box is None or number == outside:
            continue
        first = int(np.flatnonzero(empty[box[0].start] == number)[0])
        owner = int(
            labels[box[0].start - 1, first]
        )  # the pixel before a hole's first one belongs to what is around it
        holes.setdefault(owner, []).append((box[0].start, box[0].stop))
    boxes = ndimage.find_objects(labels)
    for owner, spans in holes.items():
        box = boxes[owner - 1]
        mask = labels[box] == owner
        labels[box][mask] = 0
        places = [place - box[0].start for place in _through(spans)]
        for low, high in zip([0, *places], [*places, mask.shape[0]], strict=True):
            own, more = ndimage.label(mask[low:high])
            part = labels[box][low:high]
            part[own > 0] = own[own > 0] + count
            count += more
            if count > 2 * MOST_PIECES:
                raise TooFine(f"has more than {MOST_PIECES} parts, once those with holes are cut")
    return _renumbered(labels)


def _renumbered(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    known, inverse = np.unique(labels, return_inverse=True)
    return np.asarray(inverse.reshape(labels.shape) + (0 if known[0] == 0 else 1), np.int32)


def _through(spans: list[tuple[int, int]]) -> list[int]:
    """Places that open every hole, few of them: none lies wholly between two of these."""
    found: list[int] = []
    for low, high in sorted(spans, key=lambda span: span[1]):
        if not (found and low <= found[-1] < high):
            found.append(max(low, high - 1))
    return found


def _outline(mask: Solid, most: int) -> list[tuple[int, int]]:
    """Corners around one piece without holes. Where it meets itself over a corner, the way keeps to the pixel at hand."""
    around = np.pad(mask, 1).astype(np.int8)
    ways: dict[tuple[int, int], list[tuple[int, int]]] = {}
    total = 0
    for axis in (0, 1):
        step = np.diff(around, axis=axis)
        for sign in (1, -1):
            u, v = np.nonzero(step == sign)
            total += u.size
            if total > 20 * MOST_CORNERS:
                raise TooFine(f"a part has an edge of more than {20 * MOST_CORNERS} pixels")
            for i, j in zip(u.tolist(), v.tolist(), strict=True):
                # The face lies behind pixel i along the axis, beside pixel j of the padded mask; solid is on the left of the way.
                if axis == 0:
                    start, way = ((i, j), (0, -1)) if sign > 0 else ((i, j - 1), (0, 1))
                else:
                    start, way = ((i - 1, j), (1, 0)) if sign > 0 else ((i, j), (-1, 0))
                ways.setdefault(start, []).append(way)
    first = min(ways)
    at, before = first, (0, 0)
    out: list[tuple[int, int]] = []
    for _ in range(total):
        open_ways = ways[at]
        way = _LEFT[before] if len(open_ways) > 1 and before in _LEFT else open_ways[0]
        open_ways.remove(way)
        if way != before:
            out.append(at)
            if len(out) > most:
                raise TooFine(f"has more than {MOST_CORNERS} corners")
        at, before = (at[0] + way[0], at[1] + way[1]), way
        if at == first and not ways[first]:
            break
    return out


def narrowest(solid: Solid) -> float:
    """Width of the narrowest part, gap or hole, in pixels: twice the distance to the edge where it is largest all around, less one.

    Steps of a slanted or round edge are no parts: behind them it is farther from the edge. What meets the bitmap's end is taken to go
    on there: how wide it is, the file does not say.
    """
    least = float(max(solid.shape))
    for side in (solid, ~solid):
        wide = np.pad(side, 1, mode="edge")
        if wide.all() or not wide.any():
            continue
        away = ndimage.distance_transform_edt(wide)
        crest = wide & (away >= ndimage.maximum_filter(away, 3) - 1e-9)
        within = away[1:-1, 1:-1][crest[1:-1, 1:-1]]
        least = min(least, 2 * float(within.min(initial=np.inf)) - 1)
    return least
