"""Lines cut to what is seen of them: by the frame, by what is drawn over them; and pieces joined where they meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tasks.digitise.page import Stroke

Line = NDArray[np.float64]
Box = tuple[float, float, float, float]
MEETS = 0.06  # points between ends that are one
_MOST_TESTS = 40_000_000  # corner tests of one page


def cut_to(line: Line, box: Box) -> list[Line]:
    """The parts of a line (n, 2) within a box, each with its ends on the box's edge where it was cut."""
    return _parts(line, box, keep_inside=True)


def cut_out(line: Line, box: Box) -> list[Line]:
    """The parts of a line (n, 2) outside a box."""
    return _parts(line, box, keep_inside=False)


def _parts(line: Line, box: Box, keep_inside: bool) -> list[Line]:
    a, step = line[:-1], np.diff(line, axis=0)
    enter, leave = np.zeros(len(a)), np.ones(len(a))
    for axis in (0, 1):
        low, high = box[axis] - a[:, axis], box[axis + 2] - a[:, axis]
        d = step[:, axis]
        with np.errstate(divide="ignore", invalid="ignore"):
            first, last = np.minimum(low / d, high / d), np.maximum(low / d, high / d)
        still = np.abs(d) < 1e-12
        outside = still & ((low > 0) | (high < 0))
        first, last = np.where(still, 0.0, first), np.where(still, 1.0, last)
        enter, leave = np.maximum(enter, first), np.where(outside, -1.0, np.minimum(leave, last))
    meets = enter < leave if not keep_inside else enter <= leave
    found: list[list[NDArray[np.float64]]] = []
    open_end = False
    for k in range(len(a)):
        spans = (
            ([(float(enter[k]), float(leave[k]))] if meets[k] else [])
            if keep_inside
            else ([(0.0, float(enter[k])), (float(leave[k]), 1.0)] if meets[k] else [(0.0, 1.0)])
        )
        for start, end in spans:
            if end <= start and not (keep_inside and meets[k]):
                open_end = open_end and start == 1.0
                continue
            first_point, last_point = a[k] + start * step[k], a[k] + end * step[k]
            if open_end and start == 0.0:
                found[-1].append(last_point)
            else:
                found.append([first_point, last_point])
            open_end = end == 1.0
        if not spans:
            open_end = False
    return [np.array(part) for part in found if np.abs(part[0] - np.array(part)).max() > 1e-9]


def uncovered(line: Line, order: int, covers: Sequence[Stroke], budget: list[int]) -> tuple[list[Line], int]:
    """The parts of a line that nothing drawn later hides, and how many stretches are hidden. budget: corner tests left."""
    parts, hidden = [line], 0
    low, high = line.min(0), line.max(0)
    for cover in covers:
        x0, y0, x1, y1 = cover.seen
        if cover.order <= order or x0 > high[0] or x1 < low[0] or y0 > high[1] or y1 < low[1]:
            continue
        for run in cover.runs:
            before = len(parts)
            (rx0, ry0), (rx1, ry1) = run.min(0).tolist(), run.max(0).tolist()
            box = (max(rx0, x0), max(ry0, y0), min(rx1, x1), min(ry1, y1))
            if box[0] >= box[2] or box[1] >= box[3]:
                continue
            level = len(run) <= 6 and np.abs(np.diff(run, axis=0)).min(1).max(initial=0.0) < 0.1
            if level:
                kept = [piece for part in parts for piece in cut_out(part, box)]
            else:
                budget[0] -= len(run) * sum(map(len, parts))
                if budget[0] < 0:
                    return [], 1
                kept = [piece for part in parts for piece in _outside(part, run)]
            if sum(map(_length, kept)) < sum(map(_length, parts)) - 0.01:
                hidden += max(1, len(kept) - before)
            parts = kept
    return parts, hidden


def new_budget() -> list[int]:
    """Corner tests that one page may take."""
    return [_MOST_TESTS]


def _length(line: Line) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def _outside(line: Line, polygon: Line) -> list[Line]:
    """Pieces of a line between points outside a polygon (even-odd)."""
    x, y = line[:, 0], line[:, 1]
    odd = np.zeros(len(line), bool)
    ring = polygon if np.abs(polygon[0] - polygon[-1]).max() < 1e-9 else np.vstack([polygon, polygon[:1]])
    for (ax, ay), (bx, by) in zip(ring[:-1].tolist(), ring[1:].tolist(), strict=True):
        if ay == by:
            continue
        crosses = (ay > y) != (by > y)
        odd ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    found, start = [], 0
    for k in range(len(line) + 1):
        if k == len(line) or odd[k]:
            if k - start > 1:
                found.append(line[start:k])
            start = k + 1
    return found


def joined(pieces: Iterable[Line]) -> list[Line]:
    """Pieces in the order of drawing, those joined that begin where the one before ends."""
    found: list[list[Line]] = []
    for piece in pieces:
        if found and np.abs(found[-1][-1][-1] - piece[0]).max() < MEETS:
            found[-1].append(piece[1:])
        else:
            found.append([piece])
    return [np.vstack(parts) for parts in found]


def follow_each_other(pieces: Sequence[Line]) -> bool:
    """Whether pieces lie one after the other along x, in either direction, so that they may be one curve with gaps."""
    spans = [(float(piece[:, 0].min()), float(piece[:, 0].max())) for piece in pieces]
    return all(b[0] >= a[1] - 0.3 for a, b in zip(spans, spans[1:], strict=False)) or all(
        b[1] <= a[0] + 0.3 for a, b in zip(spans, spans[1:], strict=False)
    )
