"""Frames of panels and the ticks on their sides, from axis-parallel lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemas.documents.digitised import Side
from tasks.digitise.page import Stroke

SMALLEST = 36.0  # points: a panel's side
LONGEST_TICK = 14.0
_OUTWARD = 30.0  # points: how far axes stand away from the panel
_NEAR = 0.8  # points
_MOST = 600  # lines of a frame that are tried
_STRAIGHT = 12  # points of a run that may be a frame or a tick
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Lines:
    """Axis-parallel lines as rows: across (the fixed coordinate), low, high, and the order of drawing."""

    rows: NDArray[np.float64]

    def lengths(self) -> NDArray[np.float64]:
        """high - low"""
        return self.rows[:, 2] - self.rows[:, 1]

    def longest(self) -> NDArray[np.float64]:
        """Rows of those that may be a panel's side, the longest first; bounded."""
        long = self.rows[self.lengths() >= SMALLEST]
        return np.asarray(long[np.argsort(long[:, 1] - long[:, 2])][:_MOST])


@dataclass
class Frame:
    """A panel's frame with its ticks: places along each side (points), and which are the long ones."""

    box: Box
    ticks: dict[Side, NDArray[np.float64]] = field(default_factory=dict)
    own: dict[Side, NDArray[np.float64]] = field(default_factory=dict)  # ticks that stand at this very side
    long: dict[Side, NDArray[np.float64]] = field(default_factory=dict)
    reach: dict[Side, float] = field(default_factory=dict)  # how far ticks reach out of the frame
    exact: float = 0.15  # how well ticks are placed, in the unit of the box (points; pixels of a picture)

    @property
    def has_ticks(self) -> bool:
        """Whether some side across and some side up have ticks."""
        return any(len(self.ticks[s]) > 1 for s in ("bottom", "top")) and any(
            len(self.ticks[s]) > 1 for s in ("left", "right")
        )


def straight_lines(strokes: list[Stroke]) -> tuple[Lines, Lines]:
    """Level and upright lines of a page: of stroked paths of few points, and of bars filled as thin as a line."""
    level: list[tuple[float, float, float, float]] = []
    upright: list[tuple[float, float, float, float]] = []
    for stroke in strokes:
        if stroke.stroke is None and stroke.fill is not None:
            x0, y0, x1, y1 = stroke.box
            if len(stroke.runs) == 1 and len(stroke.runs[0]) <= 6:
                if y1 - y0 < 1.6 and x1 - x0 > 2 * (y1 - y0):
                    level.append(((y0 + y1) / 2, x0, x1, stroke.order))
                elif x1 - x0 < 1.6 and y1 - y0 > 2 * (x1 - x0):
                    upright.append(((x0 + x1) / 2, y0, y1, stroke.order))
            continue
        for run in stroke.runs:
            if len(run) > _STRAIGHT:
                continue
            for (ax, ay), (bx, by) in zip(run[:-1].tolist(), run[1:].tolist(), strict=True):
                if abs(ay - by) < 0.05 < abs(ax - bx):
                    level.append(((ay + by) / 2, min(ax, bx), max(ax, bx), stroke.order))
                elif abs(ax - bx) < 0.05 < abs(ay - by):
                    upright.append(((ax + bx) / 2, min(ay, by), max(ay, by), stroke.order))
    return Lines(np.array(level, float).reshape(-1, 4)), Lines(np.array(upright, float).reshape(-1, 4))


def frames_of(strokes: list[Stroke], level: Lines, upright: Lines) -> tuple[list[Frame], list[Box]]:
    """Frames with ticks, largest first, and boxes without (legends, insets without axes)."""
    found: list[Frame] = []
    boxes: list[Box] = []
    drawn = list(_rectangles(strokes))
    for box in _distinct(sorted([*drawn, *_corners(level, upright)], key=_area, reverse=True)):
        frame = with_ticks(box, level, upright)
        if box not in drawn and any(_part_of(box, other.box) for other in found):
            continue  # an axis' line that is shorter than its side
        if frame.has_ticks:
            found.append(frame)
        elif box in drawn:
            boxes.append(box)
    for box in _distinct(sorted(_apart(level, upright), key=_area, reverse=True)):
        frame = with_ticks(box, level, upright)
        both = all(len(frame.own[side]) > 2 for side in ("bottom", "left"))
        if both and not any(_overlap(box, other.box) for other in found):
            found.append(frame)
    return found, boxes


def _overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def _apart(level: Lines, upright: Lines) -> Iterator[Box]:
    """Boxes of an axis below and one on the left that do not meet: both are moved outward, as far or nearly so."""
    wide, tall = level.longest(), upright.longest()
    for y, x0, x1, _ in wide:
        out, down = x0 - tall[:, 0], tall[:, 1] - y
        moved = (out > _NEAR) & (down > _NEAR) & (np.maximum(out, down) < _OUTWARD) & (np.abs(out - down) < 5)
        for x, _, y1, _ in tall[moved]:
            yield float(x), float(y), float(x1), float(y1)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _part_of(box: Box, other: Box) -> bool:
    """Whether a box is a drawn frame cut short along one direction."""
    same = [abs(a - b) < 1.5 for a, b in zip(box, other, strict=True)]
    return inside(box, other, 1.5) and (same[0] and same[2] or same[1] and same[3])


def _distinct(boxes: list[Box]) -> Iterator[Box]:
    kept: list[Box] = []
    for box in boxes[: 4 * _MOST]:
        if all(max(abs(a - b) for a, b in zip(box, other, strict=True)) > 1.5 for other in kept):
            kept.append(box)
            yield box


def _rectangles(strokes: list[Stroke]) -> Iterator[Box]:
    for stroke in strokes:
        for run, closed in zip(stroke.runs, stroke.closed, strict=True):
            if not (4 <= len(run) <= 6 and (closed or np.abs(run[0] - run[-1]).max() < 0.1)):
                continue
            (x0, y0), (x1, y1) = run.min(0).tolist(), run.max(0).tolist()
            steps = np.abs(np.diff(run, axis=0)).min(1)
            if x1 - x0 >= SMALLEST and y1 - y0 >= SMALLEST and steps.max(initial=1.0) < 0.1:
                yield x0, y0, x1, y1


def _corners(level: Lines, upright: Lines) -> Iterator[Box]:
    """Boxes of a level and an upright line that meet at their ends."""
    wide, tall = level.longest(), upright.longest()
    for y, x0, x1, _ in wide:
        at_end = (np.abs(tall[:, 1] - y) < _NEAR) | (np.abs(tall[:, 2] - y) < _NEAR)
        corner = at_end & ((np.abs(tall[:, 0] - x0) < _NEAR) | (np.abs(tall[:, 0] - x1) < _NEAR))
        for _, y0, y1, _ in tall[corner]:
            yield float(x0), float(y0), float(x1), float(y1)


def with_ticks(box: Box, level: Lines, upright: Lines, slim: bool = False) -> Frame:
    """A frame with the ticks on each of its sides. Ticks of the opposite side, or lines all across, stand in for missing ones.

    slim: of a colour bar, whose ticks may be as long as it is wide.
    """
    frame = Frame(box)
    x0, y0, x1, y1 = box
    for side, lines, edge, low, high, span in (
        ("bottom", upright, y0, x0, x1, y1 - y0),
        ("top", upright, y1, x0, x1, y1 - y0),
        ("left", level, x0, y0, y1, x1 - x0),
        ("right", level, x1, y0, y1, x1 - x0),
    ):
        rows = lines.rows
        length = lines.lengths()
        mine = rows[
            (rows[:, 0] > low - 0.6)
            & (rows[:, 0] < high + 0.6)
            & (length > 0.8)
            & (length < (LONGEST_TICK if slim else min(max(LONGEST_TICK, 0.05 * span), 0.3 * span)))
            & (rows[:, 1] < edge + _NEAR)
            & (rows[:, 2] > edge - _NEAR)
        ]
        if slim:  # what fills it, strip by strip, is no tick
            near, far = (y0, y1) if side in ("bottom", "top") else (x0, x1)
            strips = (np.abs(mine[:, 1] - near) < 0.3) & (np.abs(mine[:, 2] - far) < 0.3)
            mine = mine[~strips]
        mine = mine[_like_ticks(mine[:, 1:3] - edge)]
        outward = edge - mine[:, 1] if side in ("bottom", "left") else mine[:, 2] - edge
        tall = mine[:, 2] - mine[:, 1]
        name: Side = side  # type: ignore[assignment]
        frame.ticks[name] = frame.own[name] = _places(mine[:, 0])
        frame.long[name] = _places(mine[tall > 0.8 * tall.max(initial=0.0), 0])
        frame.reach[name] = float(max(outward.max(initial=0.0), 0.0))
    for side, lines, low, high, start, end in (
        ("bottom", upright, x0, x1, y0, y1),
        ("left", level, y0, y1, x0, x1),
    ):
        name = side  # type: ignore[assignment]
        opposite: Side = "top" if side == "bottom" else "right"
        across = lines.rows[(np.abs(lines.rows[:, 1] - start) < 1) & (np.abs(lines.rows[:, 2] - end) < 1)]
        across = across[(across[:, 0] > low - 0.6) & (across[:, 0] < high + 0.6), 0]
        for mine_side, other in ((name, opposite), (opposite, name)):
            if len(frame.ticks[mine_side]) < 2 and len(frame.ticks[other]) > 1:
                frame.ticks[mine_side], frame.long[mine_side] = frame.ticks[other], frame.long[other]
        if len(frame.ticks[name]) < 2 and len(across) > 4 and not slim:  # beside the frame's own two lines
            frame.ticks[name] = frame.long[name] = _places(across)
    return frame


def _like_ticks(spans: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which lines lie as ticks do: from the edge, or like others; across it as far on both sides only where none is from it.

    Markers at the edge do not.

    spans: (n, 2) ends of lines from the edge, points.
    """
    at_edge = np.abs(spans).min(1, initial=1e9) < 0.15
    if at_edge.sum() < 3:
        at_edge |= np.abs(spans.sum(1)) < 0.15
    alike = (np.abs(spans[:, None] - spans[None]).max(2) < 0.15).sum(1) > max(2, at_edge.sum() - 1)
    return np.asarray(at_edge | alike)


def _places(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places in order, those within a twentieth of a point once."""
    places = np.sort(places)
    return places[np.concatenate([[True], np.diff(places) > 0.05])] if len(places) else places


def inside(box: Box, outer: Box, slack: float = 1.0) -> bool:
    """Whether a box lies in another."""
    return (
        box[0] >= outer[0] - slack
        and box[1] >= outer[1] - slack
        and box[2] <= outer[2] + slack
        and box[3] <= outer[3] + slack
    )
