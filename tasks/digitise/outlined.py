"""Dashes drawn as filled outlines, as browsers print dashed lines: back to the line in their middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tasks.digitise.page import Stroke

_THIN = (0.2, 5.0)  # points: how wide a line is
_LEAST = 4  # dashes of a line; a legend's sample of a line that was found may have fewer
_ALIKE = 0.2  # of the width
_MOST_RUNS, _MOST_ENDS = 5000, 40


def with_dashes(strokes: Sequence[Stroke]) -> list[Stroke]:
    """The strokes, with a dashed line in place of each filled shape that consists of thin pieces of one width."""
    found: list[Stroke] = []
    looks: set[tuple[object, ...]] = set()
    few: list[int] = []
    for stroke in strokes:
        dashed = _dashed(stroke) if stroke.fill is not None and stroke.stroke is None else None
        if dashed is None:
            found.append(stroke)
        elif len(dashed.runs) >= _LEAST:
            looks.add(dashed.style[:2])
            found.append(dashed)
        else:
            few.append(len(found))
            found.append(stroke)
    for place in few:
        dashed = _dashed(found[place])
        if dashed is not None and dashed.style[:2] in looks:
            found[place] = dashed
    return found


def _dashed(stroke: Stroke) -> Stroke | None:
    """The dashed line whose outline a shape is; None for other shapes."""
    if not 2 <= len(stroke.runs) <= _MOST_RUNS or not all(stroke.closed) or min(map(len, stroke.runs)) < 4:
        return None
    middles = [_middle(run) for run in stroke.runs]
    widths = np.array([width for _, width in middles if width])
    if len(widths) < 2:
        return None
    width = float(np.median(widths))
    large = [np.ptp(run, axis=0).max() for run in stroke.runs]
    dots = sum(not own and size < 2 * width for (_, own), size in zip(middles, large, strict=True))
    widths = np.array(
        [own for (_, own), size in zip(middles, large, strict=True) if own and size > 1.2 * width]
    )
    dots += sum(bool(own) for _, own in middles) - len(widths)  # what is left of a dash at the line's end
    if not len(widths):
        return None
    if len(widths) + dots < 0.8 * len(
        middles
    ):  # the dots of a line of dashes and dots lie between its dashes
        return None
    if not _THIN[0] < width < _THIN[1] or np.mean(np.abs(widths - width) < _ALIKE * width) < 0.9:
        return None
    lines = [line for line, own in middles if line is not None and abs(own - width) < _ALIKE * width]
    longest = max(float(np.hypot(*np.diff(line, axis=0).T).sum()) for line in lines)
    lines = sorted(
        (line if line[0, 0] <= line[-1, 0] else line[::-1] for line in lines),
        key=lambda line: float(line[0, 0]),
    )
    if (whole := _straight(lines)) is not None:
        lines = [whole]
    return replace(
        stroke,
        runs=lines,
        closed=[False] * len(lines),
        stroke=stroke.fill,
        fill=None,
        width=round(width, 1),
        dash=(float(round(longest)),),
    )


def _straight(lines: Sequence[NDArray[np.float64]]) -> NDArray[np.float64] | None:
    """The ends of all pieces where they lie on one straight line: a straight line is one, dashed or not."""
    points = np.vstack(lines)
    middle = points.mean(0)
    direction = np.linalg.svd(points - middle, full_matrices=False)[2][0]
    along = (points - middle) @ direction
    if np.abs(points - middle - along[:, None] * direction).max() > 0.05:
        return None
    return np.asarray(middle + np.array([[along.min()], [along.max()]]) * direction)


def _middle(run: NDArray[np.float64]) -> tuple[NDArray[np.float64] | None, float]:
    """The line in the middle of a thin outline, and the outline's width; None and 0 for other shapes."""
    ring = run[:-1] if np.abs(run[0] - run[-1]).max() < 1e-3 else run
    ring = _without_spikes(ring)
    steps = np.roll(ring, -1, axis=0) - ring
    lengths = np.hypot(*steps.T)
    around = float(lengths.sum())
    x, y = ring.T
    area = abs(float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())) / 2
    under = (
        around**2 / 4 - 4 * area
    )  # of length and width: length + width = around / 2, length * width = area
    if len(ring) < 4 or under <= 0:
        return None, 0.0
    width = around / 4 - under**0.5 / 2
    if width <= 0 or around < 5 * width:
        return None, 0.0
    caps = np.flatnonzero(np.abs(lengths - width) < _ALIKE * width)
    pairs = [(int(a), int(b)) for k, a in enumerate(caps[:60]) for b in caps[k + 1 : 60]]
    half = (around - 2 * width) / 2
    options = []
    for a, b in pairs:  # two ends with as much outline on one side as on the other
        off = abs(float(lengths[a + 1 : b].sum()) - half)
        if b - a > 1 and off < 0.25 * half + 0.3 * width:
            options.append((off, a, b))
    best: tuple[float, NDArray[np.float64]] | None = None
    for _, a, b in sorted(options)[:_MOST_ENDS]:  # of several, those between which it is as wide everywhere
        one = ring[a + 1 : b + 1]
        other = np.vstack([ring[b + 1 :], ring[: a + 1]])[::-1]
        t = np.linspace(0, 1, max(2, min(len(one), len(other))))
        along, back = _resampled(one, t), _resampled(other, t)
        uneven = float(np.abs(np.hypot(*(along - back).T) - width).max())
        if best is None or uneven < best[0]:
            best = uneven, (along + back) / 2
    if best is None or best[0] > 0.5 * width:
        return None, 0.0
    return best[1], width


def _without_spikes(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    """A ring without corners that run to the middle of the line and back, as outlines of bent lines have."""
    for _ in range(3):
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        spike = np.hypot(*(after - before).T) < 0.25 * np.hypot(*(ring - before).T)
        if not spike.any() or len(ring) - spike.sum() < 4:
            break
        ring = ring[~spike]
    return ring


def _resampled(line: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
    steps = np.hypot(*np.diff(line, axis=0).T)
    s = np.concatenate([[0.0], np.cumsum(steps)])
    if s[-1] <= 0:
        return np.repeat(line[:1], len(t), axis=0)
    return np.column_stack([np.interp(t * s[-1], s, line[:, k]) for k in (0, 1)])
