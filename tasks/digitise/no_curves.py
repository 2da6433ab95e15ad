"""What looks like a curve and is none: arrows, lines of a contour plot, cells of a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tasks.digitise.curves import Drawn, hex_of, level_or_upright
from tasks.digitise.frames import Frame
from tasks.digitise.page import Stroke

_HEAD = 20.0  # points: the longest arrow's head
_BACK = 3.0  # points: how far a line turns back that is no function of x
_MANY = 3
_AT_CORNER = 1.5  # points
_CELLS = (12, 4000)


def without_arrows(
    curves: Sequence[Drawn], frame: Frame, strokes: Sequence[Stroke]
) -> tuple[list[Drawn], list[str]]:
    """Curves without lines that end in an arrow's head, and why others are none. Lines across most of the frame are curves."""
    small = [
        s for s in strokes
        if 3 <= len(s.runs[0]) <= 6 and max(s.box[2] - s.box[0], s.box[3] - s.box[1]) <= _HEAD and s.visible
    ][:2000]  # fmt: skip
    kept, why = [], []
    for curve in curves:
        wide = np.ptp(np.vstack(curve.parts)[:, 0]) > 0.7 * (frame.box[2] - frame.box[0])
        if curve.kind == "line" and len(curve.parts) == 1 and not wide and _is_arrow(curve, small):
            why.append(f"{hex_of(curve.colour)}: a line with an arrow's head")
        else:
            kept.append(curve)
    return kept, why


def _is_arrow(curve: Drawn, small: Sequence[Stroke]) -> bool:
    """Whether an open angle or a triangle lies at an end of a line, by its tip or its middle."""
    ends = np.array([curve.parts[0][0], curve.parts[-1][-1]])
    for stroke in small:
        run, colour = stroke.runs[0], stroke.stroke or stroke.fill
        if len(stroke.runs) > 1 or colour is None or colour[:3] != curve.colour[:3]:
            continue
        size = float(np.ptp(run, axis=0).max())
        tip = np.hypot(*(ends[:, None] - run[None]).transpose(2, 0, 1)).min()
        middle = np.hypot(*(ends - run.mean(0)).T).min()
        if size > 1 and (tip < 0.35 * size + curve.width or middle < 0.6 * size):
            return True
    return False


def without_connectors(
    curves: Sequence[Drawn], frames: Sequence[Frame], strokes: Sequence[Stroke]
) -> tuple[list[Drawn], list[str]]:
    """Curves without straight lines from corner to corner of two boxes, which join an inset to what it shows larger."""
    lines = [curve for curve in curves if curve.kind == "line" and not curve.name and _is_straight(curve)]
    if not lines:
        return list(curves), []
    boxes = [frame.box for frame in frames]
    boxes += [
        (*run.min(0).tolist(), *run.max(0).tolist())
        for stroke in strokes
        for run, closed in zip(stroke.runs, stroke.closed, strict=True)
        if closed and 4 <= len(run) <= 6 and level_or_upright(run)
    ][:2000]
    corners = np.array([(box[i], box[j]) for box in boxes for i in (0, 2) for j in (1, 3)])
    gone = {
        id(curve)
        for curve in lines
        if all(
            np.abs(corners - end).max(1).min() < _AT_CORNER
            for end in (curve.parts[0][0], curve.parts[-1][-1])
        )
    }
    return [curve for curve in curves if id(curve) not in gone], (
        [f"{len(gone)} lines from corner to corner of boxes, as an inset has that shows a part larger"]
        if gone
        else []
    )


def _is_straight(curve: Drawn) -> bool:
    points = np.vstack(curve.parts)
    along = points[-1] - points[0]
    length = float(np.hypot(*along))
    across = (points - points[0]) @ np.array([-along[1], along[0]])
    return length > 0 and bool(np.abs(across).max() < 0.1 * length)


def without_contours(curves: Sequence[Drawn], not_read: Sequence[str]) -> tuple[list[Drawn], list[str]]:
    """Curves without the lines of a contour plot: many that turn back or are closed. Their third quantity is not read."""
    lines = [c for c in curves if c.kind == "line" and not c.name]
    turning = [c for c in lines if any(_turns_back(part) for part in c.parts)]
    closed = sum("a closed outline" in words for words in not_read)
    count = len(turning) + closed
    if count < _MANY or count <= 0.5 * len(lines):
        return list(curves), []
    colours = {c.colour for c in turning}
    gone = {id(c) for c in lines if c.colour in colours or not turning}
    kept = [c for c in curves if id(c) not in gone]
    return kept, [f"{len(gone) + closed} lines that turn back: contour lines, whose values are not read"]


def _turns_back(part: NDArray[np.float64]) -> bool:
    steps = np.diff(part[:, 0])
    return bool(min(steps[steps > 0].sum(), -steps[steps < 0].sum()) > _BACK)


def filled_words(shapes: Sequence[Stroke], frame: Frame) -> list[str]:
    """What filled shapes of a panel are: bars on one base, regions across it, or others. None of them is read."""
    wide = frame.box[2] - frame.box[0]
    boxes = [s for s in shapes if len(s.runs) == 1 and len(s.runs[0]) <= 6 and s.box[3] - s.box[1] > 1]
    base = Counter(round(s.box[1]) for s in boxes).most_common(1)
    bars = {id(s) for s in boxes if base and base[0][1] >= _MANY and abs(s.box[1] - base[0][0]) < 1}
    regions = [
        s
        for s in shapes
        if id(s) not in bars and s.seen[2] - s.seen[0] > 0.3 * wide and max(map(len, s.runs)) > 8
    ]
    rest = len(shapes) - len(bars) - len(regions)
    found = [f"{len(bars)} bars on one base: their heights are not read"] if bars else []
    found += [
        f"{hex_of(s.fill or (0, 0, 0, 0))}: a filled region, whose edges are not read" for s in regions[:8]
    ]
    return found + ([f"{rest} filled shapes"] if rest else [])


def without_cells(curves: Sequence[Drawn]) -> tuple[list[Drawn], list[str]]:
    """Curves without squares that lie edge to edge."""
    squares = [c for c in curves if c.kind == "points" and c.marker == "square"]
    places = np.vstack([c.parts[0] for c in squares]) if squares else np.empty((0, 2))
    if not _CELLS[0] <= len(places) <= _CELLS[1]:
        return list(curves), []
    side = float(np.median([c.width for c in squares]))
    apart = np.abs(places[:, None] - places[None])
    beside = (np.abs(apart.max(2) - side) < 0.03 * side) & (apart.min(2) < 0.03 * side)
    if beside.any(1).mean() <= 0.5:
        return list(curves), []
    gone = {id(c) for c in squares}
    return [c for c in curves if id(c) not in gone], [f"{len(places)} squares edge to edge: a map's cells"]
