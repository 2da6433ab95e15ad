"""Frames of a picture, and the ticks on their sides, with places better than a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.documents.digitised import Side
from tasks.digitise.frames import Frame
from tasks.digitise.raster.picture import Mask, Picture

_SHORTEST = 0.12  # of the picture's side: a frame's line
_LEAST = 45  # pixels
_MOST = 60
EXACT = 0.8  # pixels: how well ticks are placed
Line = tuple[float, int, int, float]  # across (middle), first, last, width; pixels from the top left


@dataclass(frozen=True)
class Drawn:
    """A frame in pixels of the array: rows from the top. width: of its lines, pixels."""

    left: float
    top: float
    right: float
    bottom: float
    width: float


def long_lines(ink: Mask, dark: NDArray[np.float32]) -> list[Line]:
    """Level lines of a mask: runs of ink at least a part of its width long, rows that touch as one line. dark: weights."""
    rows, columns = ink.shape
    least = max(_LEAST, int(_SHORTEST * columns))
    found: list[tuple[int, int, int]] = []
    for row in range(rows):
        line = ink[row]
        if line.sum() < least:
            continue
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            if end - start >= least:
                found.append((row, start, end - 1))
    lines: list[list[tuple[int, int, int]]] = []
    for row, start, end in found:
        for group in reversed(lines[-40:]):
            above = group[-1]
            if above[0] == row - 1 and min(end, above[2]) - max(start, above[1]) > 0.8 * (end - start):
                group.append((row, start, end))
                break
        else:
            lines.append([(row, start, end)])
    result = []
    for group in lines:
        first, last = min(g[1] for g in group), max(g[2] for g in group)
        span = np.arange(max(group[0][0] - 1, 0), min(group[-1][0] + 2, rows))
        weights = np.median(dark[span][:, first : last + 1], axis=1)
        if len(group) <= 12 and weights.sum() > 0:
            result.append(
                (float((span * weights).sum() / weights.sum()), first, last, float(weights.sum() / 255))
            )
    return result


def frames_of(picture: Picture) -> list[Drawn]:
    """Frames, largest first: a level and an upright line that meet in a corner, closed by others or by their own ends."""
    ink, dark = picture.ink(), np.minimum(picture.far(), 255)
    level, upright = long_lines(ink, dark), long_lines(ink.T, dark.T)
    found: list[Drawn] = []
    for y, x0, x1, wide in sorted(level, key=lambda line: line[1] - line[2])[:_MOST]:
        near = wide + 3
        far = near + 0.03 * (x1 - x0)  # a tick at the corner makes a line longer
        for x, y0, y1, bold in sorted(upright, key=lambda line: line[1] - line[2])[:_MOST]:
            if -near < x - x0 < far and -near < y1 - y < far and x1 - x0 > _LEAST and y1 - y0 > _LEAST:
                right = [
                    u[0] for u in upright
                    if -near < x1 - u[0] < far and -near < u[2] - y < far and abs(u[1] - y0) < far
                    and u[0] > x + _LEAST and u[3] > 0.6 * bold
                ]  # fmt: skip
                top = [
                    h[0] for h in level
                    if -near < h[0] - y0 < far and -near < x - h[1] < far and abs(h[2] - x1) < far
                    and h[0] < y - _LEAST and h[3] > 0.6 * wide
                ]  # fmt: skip
                others = [
                    u[1] for u in upright if u[0] > x + _LEAST and u[0] < x1 + near and -near < u[2] - y < far
                ]
                end = max([y0, *(start for start in others if abs(start - y0) < far)])
                found.append(Drawn(x, min(top, default=float(end)), max(right, default=float(x1)), y, wide))
    kept: list[Drawn] = []
    for frame in sorted(found, key=lambda f: -(f.right - f.left) * (f.bottom - f.top)):
        same_side = [
            k for k in kept
            if k.left - 3 <= frame.left and frame.right <= k.right + 3 and k.top - 3 <= frame.top and frame.bottom <= k.bottom + 3
            and (abs(k.left - frame.left) < 4 or abs(k.bottom - frame.bottom) < 4)
        ]  # fmt: skip
        if not same_side:
            kept.append(frame)
    return kept


def frame_with_ticks(drawn: Drawn, picture: Picture, ground: NDArray[np.float32] | None = None) -> Frame:
    """The frame with its ticks, in pixels upwards from the lower edge of the picture."""
    height = picture.height
    dark = np.minimum(picture.far(ground), 255)
    box = (drawn.left, height - 1 - drawn.bottom, drawn.right, height - 1 - drawn.top)
    frame = Frame(box, exact=EXACT)
    for side in ("bottom", "top", "left", "right"):
        name: Side = side
        best = max(
            (_ticks(dark, drawn, name, outward) for outward in (True, False)), key=lambda found: len(found[0])
        )
        places, lengths, outward = best
        frame.own[name] = frame.ticks[name] = places
        frame.long[name] = places[lengths > 0.8 * lengths.max(initial=0.0)]
        frame.reach[name] = float(lengths.max(initial=0.0)) if outward else 0.0
    for name, other in (("bottom", "top"), ("left", "right")):
        a, b = frame.own[name], frame.own[other]  # type: ignore[index]
        if (
            min(len(a), len(b)) > 2 and len(_both(a, b)) > 2
        ):  # what stands on both sides is no curve that meets an edge
            for side in (name, other):
                frame.ticks[side] = _even(_both(a, b), np.concatenate([a, b]))  # type: ignore[index]
                frame.long[side] = _even(_both(frame.long[side], _both(a, b)), np.concatenate([a, b]))  # type: ignore[index]
        for one, its in ((name, other), (other, name)):
            if len(frame.ticks[one]) < 2 <= len(frame.ticks[its]):  # type: ignore[index]
                frame.ticks[one], frame.long[one] = frame.ticks[its], frame.long[its]  # type: ignore[index]
    return frame


def _both(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places of a that b has too, within a pixel and a half."""
    return a[[bool(len(b)) and float(np.abs(b - place).min()) < 1.5 for place in a.tolist()]] if len(a) else a


def _even(places: NDArray[np.float64], more: NDArray[np.float64]) -> NDArray[np.float64]:
    """Even places, and of others those that continue or fill them."""
    steps = np.diff(places)
    if len(places) < 3 or float(np.median(steps)) < 8:
        return places
    step = float(places[-1] - places[0]) / max(
        round(float(places[-1] - places[0]) / float(np.median(steps))), 1
    )
    off = (more - places[0]) / step
    fits = more[np.abs(off - np.round(off)) < 1.2 / step]
    found = np.sort(np.concatenate([places, fits]))
    return found[np.concatenate([[True], np.diff(found) > 3])]  # type: ignore[no-any-return]


def _ticks(
    dark: NDArray[np.float32], frame: Drawn, side: Side, outward: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
    """Places of ticks on a side (upwards or to the right), their lengths, and whether they point outward."""
    level = side in ("bottom", "top")
    field = dark if level else dark.T
    edge = {"bottom": frame.bottom, "top": frame.top, "left": frame.left, "right": frame.right}[side]
    low, high = (frame.left, frame.right) if level else (frame.top, frame.bottom)
    away = 1 if (side in ("bottom", "right")) == outward else -1
    half = frame.width / 2 + 0.6
    reach = max(int(0.03 * (high - low)), 14)
    start = int(round(edge + away * (half + 0.5)))
    span = [start + away * k for k in range(reach) if 0 <= start + away * k < field.shape[0]]
    first, last = max(int(low) - 2, 0), min(int(high) + 3, field.shape[1])
    if len(span) < 3 or last - first < 10:
        return np.empty(0), np.empty(0), outward
    strip = field[span, first:last]  # (away from the edge, along it)
    inked = strip > 70
    run = np.where(inked.all(0), reach, np.argmin(inked, axis=0))
    marks = run >= 3
    marks[run >= reach] = False
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marks.astype(np.int8), [0]])))
    places, lengths = [], []
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if b - a > 3 * frame.width + 4:
            continue
        length = int(np.median(run[a:b]))
        a, b = max(a - 1, 0), min(b + 1, strip.shape[1])
        weights = strip[: max(length - 1, 1), a:b].mean(0)
        places.append(first + float((np.arange(a, b) * weights).sum() / weights.sum()))
        lengths.append(float(run[a:b].max()))
    found, long = np.array(places, float), np.array(lengths, float)
    if len(found) > 1:  # ticks come in one or two lengths; what is alone with its length is something else
        alike = (np.abs(long[:, None] - long[None]) <= 1.0).sum(1) > 1
        found, long = found[alike], long[alike]
    if not level:
        found = dark.shape[0] - 1 - found
        order = np.argsort(found)
        found, long = found[order], long[order]
    return found, long, outward
