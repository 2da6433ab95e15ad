"""A colour's pixels as a curve: one place a column, nothing where there is none or more than one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from tasks.digitise.raster.marked import Mark, marks_on, on_line

_WIDE = 0.25  # of the panel's width: what a curve covers at least
_EXPLAINED = 0.96  # of a colour's pixels: what a curve must go through
_DOUBLE = 0.04  # of the columns: with more than one place
_GAP = 2  # pixels: columns without a line that make no gap
_MARKS = 4
_THICKEST = (20.0, 0.04)  # pixels, and of the panel's height: a line
_JUMP = (25.0, 0.08)  # pixels, and of the panel's height: more than the gap between two dashes
_FREE = 0.15  # of its columns: where no other ink touches a curve, so that its width is known


@dataclass
class Traced:
    """Parts of a curve as (n, 2) places in pixels of the panel, rows from the top, and the error of each, rows and columns.

    width: of the line, pixels. points: whether they are marks that stand alone. left_out: pixels of the colour in small pieces
    beside a drawn-through line. level: whether it runs level from edge to edge, as a frame's side or a mark of a value does.
    """

    parts: list[NDArray[np.float64]]
    errors: list[NDArray[np.float64]]
    width: float
    points: bool = False
    gaps: int = 0
    left_out: int = 0
    level: bool = False


class NotTraced(Exception):
    """Why a colour's pixels are no single curve."""


def traced(cover: NDArray[np.float32], foreign: NDArray[np.bool_]) -> Traced:
    """The curve, or the marks, of a colour. foreign: pixels with other ink, which may hide a part of it. Raises NotTraced."""
    mask = cover > 0.33
    marked, count = ndimage.label(mask, structure=np.ones((3, 3)))
    if not count:
        raise NotTraced("nothing is left of it")
    boxes = ndimage.find_objects(marked)
    sizes = np.bincount(marked.ravel(), minlength=count + 1)[1:]
    if (marks := _marks(cover, marked, boxes, sizes)) is not None:
        return marks
    wide = [box[1].stop - box[1].start for box in boxes]
    left_out = 0
    if max(wide) > _WIDE * mask.shape[1]:  # drawn through: small things of its colour are letters or marks
        stays = {k + 1 for k, w in enumerate(wide) if w > 0.06 * mask.shape[1]}
        mask &= np.isin(marked, list(stays))
        left_out = int(sizes.sum() - mask.sum())
    else:
        tall = np.array([b[0].stop - b[0].start for b in boxes], float)
        heavy = sizes > np.median(sizes) / 3
        full = (
            sizes[heavy] / (tall * np.array(wide))[heavy]
        )  # a dash that is not level fills little of its box
        if (
            np.median(tall[heavy]) >= 5
            and np.median(tall[heavy] / np.array(wide)[heavy]) > 0.55
            and np.median(full) > 0.5
        ):
            raise NotTraced("marks, some of which touch each other or other lines")
    on = marks_on(mask)
    marked_columns = np.zeros(mask.shape[1], bool)
    for mark in on:
        marked_columns[mark.columns] = True
    line = _line(np.where(mask, cover, 0), mask, foreign, marked_columns)
    _through_marks(line, on)
    covered = sum(np.ptp(part[:, 0]) for part in line.parts)
    if covered < _WIDE * mask.shape[1]:
        raise NotTraced("it is short: an arrow, a mark or letters")
    line.level = _level_across(line, mask.shape[1])
    line.left_out = left_out if left_out > 0.02 * mask.sum() else 0
    shown = mask & ~ndimage.binary_dilation(foreign, iterations=3)
    for mark in on:
        shown[mark.rows, mark.columns] = False
    _check(line, shown)
    return line


def _through_marks(line: Traced, marks: list[Mark]) -> None:
    """Add marks that stand on a line, a point each, to its parts. Raises NotTraced where one stands beside it."""
    if not marks:
        return
    points = np.vstack(line.parts)
    if not all(on_line(mark, points, line.width) for mark in marks):
        raise NotTraced("marks beside a line of this colour: another series?")
    errors = np.vstack(line.errors)
    off = np.array([[mark.error, mark.error] for mark in marks])
    points = np.vstack([points, [[mark.x, mark.y] for mark in marks]])
    errors = np.vstack([errors, off])
    order = np.argsort(points[:, 0], kind="stable")
    points, errors = points[order], errors[order]
    side = max(mark.side for mark in marks)
    cuts = np.flatnonzero(np.diff(points[:, 0]) > side / 2 + _GAP + 2) + 1
    line.parts, line.errors = np.split(points, cuts), np.split(errors, cuts)
    line.gaps = len(cuts)


def _level_across(line: Traced, columns: int) -> bool:
    """Whether a line runs level from edge to edge."""
    points = np.vstack(line.parts)
    return bool(np.ptp(points[:, 0]) > 0.95 * columns and np.ptp(points[:, 1]) < 2 + line.width)


def _marks(
    cover: NDArray[np.float32],
    marked: NDArray[np.int32],
    boxes: list[tuple[slice, slice]],
    sizes: NDArray[np.int64],
) -> Traced | None:
    """Blobs of one size, about as wide as tall: marks that stand alone. None for anything else."""
    tall = np.array([b[0].stop - b[0].start for b in boxes], float)
    wide = np.array([b[1].stop - b[1].start for b in boxes], float)
    good = (np.maximum(tall, wide) >= 5) & (np.abs(tall - wide) <= 0.3 * np.maximum(tall, wide) + 1)
    rows_, columns_ = cover.shape
    cut = np.array(
        [b[0].start == 0 or b[0].stop == rows_ or b[1].start == 0 or b[1].stop == columns_ for b in boxes]
    )
    good &= ~cut  # a mark that the frame cuts has its middle elsewhere
    if good.sum() < _MARKS or sizes[good].sum() < 0.93 * sizes[~cut].sum():
        return None
    side = float(np.median(np.maximum(tall, wide)[good]))
    alike = good & (np.abs(tall - side) <= 0.15 * side + 1) & (np.abs(wide - side) <= 0.15 * side + 1)
    if alike.sum() < 0.97 * good.sum() or side > 0.12 * cover.shape[1] or (tall[cut] > side + 2).any():
        return None  # some touch each other, or they are letters
    filled = sizes[alike] / (tall * wide)[alike]
    if np.ptp(filled) > 0.25:
        return None
    places = []
    for k in np.flatnonzero(alike):
        rows, columns = boxes[k]
        places.append(((columns.start + columns.stop - 1) / 2, (rows.start + rows.stop - 1) / 2))
    points = np.array(places, float)[np.argsort([p[0] for p in places])]
    error = np.full(points.shape, 0.6 + 0.09 * side)
    return Traced([points], [error], side, True, left_out=int(sizes.sum() - sizes[alike].sum()))


def _line(
    cover: NDArray[np.float32],
    mask: NDArray[np.bool_],
    foreign: NDArray[np.bool_],
    marked: NDArray[np.bool_],
) -> Traced:
    """One place a column, none where other ink touches the line and may hide a part. Raises NotTraced where many columns have two."""
    rows, columns = mask.shape
    edges = np.diff(
        np.vstack([np.zeros((1, columns), np.int8), mask.astype(np.int8), np.zeros((1, columns), np.int8)]),
        axis=0,
    )
    found: list[tuple[int, list[tuple[int, int]]]] = []
    for column in np.flatnonzero(mask.any(0) & ~marked).tolist():
        start, end = np.flatnonzero(edges[:, column] == 1), np.flatnonzero(edges[:, column] == -1)
        runs: list[tuple[int, int]] = []
        for a, b in zip(start.tolist(), end.tolist(), strict=True):
            if runs and a - runs[-1][1] <= 1:
                runs[-1] = (runs[-1][0], b)
            else:
                runs.append((a, b))
        found.append((int(column), runs))
    alone = [
        (column, runs[0], bool(foreign[max(runs[0][0] - 2, 0) : runs[0][1] + 2, column].any()))
        for column, runs in found
        if len(runs) == 1
    ]
    free = np.array([b - a for _, (a, b), touched in alone if not touched], float)
    if len(free) < max(8, _FREE * len(found)):
        raise NotTraced("lines of other colours touch it nearly everywhere")
    width = float(np.percentile(free, 20))
    if width > max(_THICKEST[0], _THICKEST[1] * rows):
        raise NotTraced("a band: a line that swings faster than pixels show, or a filled region")
    double = [column for column, runs in found if len(runs) > 1]
    if len(double) > _DOUBLE * len(found):
        raise NotTraced(
            f"at {100 * len(double) // max(len(found), 1)} % of its places there are two lines of this colour"
        )
    single = [(column, run) for column, run, touched in alone if not touched or run[1] - run[0] > width - 0.5]
    jump = max(_JUMP[0], _JUMP[1] * rows)
    for (c, one), (d, other) in zip(single, single[1:], strict=False):
        if d - c <= _GAP + 1 and max(other[0] - one[1], one[0] - other[1]) > jump:
            raise NotTraced("it jumps within a few pixels: letters, or two lines of this colour")
    parts: list[list[tuple[float, float, float]]] = []
    last = -10
    for place, (column, (a, b)) in enumerate(single):
        weights = cover[a:b, column]
        y = float((np.arange(a, b) * weights).sum() / weights.sum())
        error = 0.4 + 0.5 * width
        before = single[place - 1][1] if place and single[place - 1][0] == column - 1 else None
        after = (
            single[place + 1][1] if place + 1 < len(single) and single[place + 1][0] == column + 1 else None
        )
        long = (b - a) - width
        if long > 1.2:
            y, error = _steep((a, b), before, after, width, y, error)
        if column - last > _GAP + 1:
            parts.append([])
        parts[-1].append((float(column), y, error))
        last = column
    arrays = [np.array(part, float) for part in parts if part]
    return Traced(
        [part[:, :2] for part in arrays],
        [np.column_stack([np.full(len(part), 0.5 + 0.25 * width), part[:, 2]]) for part in arrays],
        width,
        gaps=max(len(arrays) - 1, 0),
    )


def _steep(
    run: tuple[int, int],
    before: tuple[int, int] | None,
    after: tuple[int, int] | None,
    width: float,
    y: float,
    error: float,
) -> tuple[float, float]:
    """Place and error in a column where the line is steep, or turns: at a peak its middle is half a width below its top."""
    a, b = run
    long = (b - a) - width
    if before is None or after is None:
        return y, error + long / 2
    middles = (before[0] + before[1]) / 2, (after[0] + after[1]) / 2
    here = (a + b) / 2
    if (
        here < min(middles) - 0.5
        or abs(before[0] - a) > 2
        and abs(after[0] - a) > 2
        and a < min(before[0], after[0])
    ):
        return a + width / 2 - 0.5, error + 0.5 + min(long / 2, width)
    if (
        here > max(middles) + 0.5
        or abs(before[1] - b) > 2
        and abs(after[1] - b) > 2
        and b > max(before[1], after[1])
    ):
        return b - width / 2 - 0.5, error + 0.5 + min(long / 2, width)
    return y, error + 0.25 * long


def _check(line: Traced, mask: NDArray[np.bool_]) -> None:
    """Redrawn, a curve must go through nearly all pixels of its colour. Raises NotTraced."""
    drawn = np.zeros_like(mask)
    for part in line.parts:
        x, y = part[:, 0], part[:, 1]
        if len(part) > 1:
            steps = np.concatenate([[0], np.cumsum(np.maximum(np.abs(np.diff(x)), np.abs(np.diff(y))))])
            fine = np.linspace(0, steps[-1], int(steps[-1]) * 2 + 2)
            x, y = np.interp(fine, steps, x), np.interp(fine, steps, y)
        rows, columns = np.round(y).astype(int), np.round(x).astype(int)
        drawn[np.clip(rows, 0, mask.shape[0] - 1), np.clip(columns, 0, mask.shape[1] - 1)] = True
    drawn = ndimage.distance_transform_edt(~drawn) <= line.width / 2 + 1.8
    share = float((drawn & mask).sum() / max(mask.sum(), 1))
    if share < _EXPLAINED:
        raise NotTraced(f"a single curve would leave {100 * (1 - share):.0f} % of its pixels unexplained")
