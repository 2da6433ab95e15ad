"""Marks on a line of their colour: thick places of one size, whose middles are points of the curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

_LEAST = 4  # marks
_THICKER = 1.8  # times the line's width, and 2 pixels more: a mark
_ALIKE = 0.2  # of their size, and a pixel: how far marks of one kind differ
_OFF = 0.2  # of a mark's size, and a pixel: how far its middle may lie from the line


@dataclass(frozen=True)
class Mark:
    """Its middle, pixels (column, row), how well that is known, its side, and the pixels that it covers."""

    x: float
    y: float
    error: float
    side: float
    rows: slice
    columns: slice


def marks_on(mask: NDArray[np.bool_]) -> list[Mark]:
    """The marks of one size on the line of a colour; none where the thick places differ, or are no marks."""
    inside = ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1]
    ridge = inside[(inside == ndimage.maximum_filter(inside, 3)) & mask]
    if not len(ridge):
        return []
    half = float(np.percentile(ridge, 30))
    radius = max(_THICKER * half, half + 1.0)
    core = inside > radius
    marked, count = ndimage.label(core, structure=np.ones((3, 3)))
    if count < _LEAST:
        return []
    found = []
    for number, box in enumerate(ndimage.find_objects(marked), 1):
        grown = int(np.ceil(radius))
        rows = slice(max(box[0].start - grown, 0), min(box[0].stop + grown, mask.shape[0]))
        columns = slice(max(box[1].start - grown, 0), min(box[1].stop + grown, mask.shape[1]))
        part = marked[box] == number
        y, x = (float(np.mean(places)) for places in np.nonzero(part))
        tall, wide = rows.stop - rows.start, columns.stop - columns.start
        cut = (
            rows.start == 0
            or columns.start == 0
            or rows.stop == mask.shape[0]
            or columns.stop == mask.shape[1]
        )
        side = float(max(tall, wide))
        found.append(
            (
                Mark(x + box[1].start, y + box[0].start, 0.6 + 0.09 * side, side, rows, columns),
                tall,
                wide,
                cut,
            )
        )
    sides = np.array([mark.side for mark, _, _, cut in found if not cut])
    if len(sides) < _LEAST:
        return []
    side = float(np.median(sides))
    alike = [
        abs(tall - side) <= _ALIKE * side + 1 and abs(wide - side) <= _ALIKE * side + 1
        for _, tall, wide, cut in found
        if not cut
    ]
    return [mark for mark, _, _, cut in found if not cut] if all(alike) else []


def on_line(mark: Mark, points: NDArray[np.float64], width: float) -> bool:
    """Whether a mark's middle lies where the line runs on both sides of it, or on the one side that there is.

    points: columns and rows of the line without marks.
    """
    near = points[np.abs(points[:, 0] - mark.x) < 1.5 * mark.side + 3]
    before, after = near[near[:, 0] < mark.x], near[near[:, 0] > mark.x]
    if not len(before) and not len(after):
        return False
    slack = _OFF * mark.side + 1.0 + width / 2
    if len(before) and len(after):
        a, b = before[np.argmax(before[:, 0])], after[np.argmin(after[:, 0])]
        low, high = sorted((a[1], b[1]))
        at = np.interp(mark.x, [a[0], b[0]], [a[1], b[1]])
        turns = abs(b[1] - a[1]) < slack  # at a peak the mark stands beyond both
        return bool(abs(at - mark.y) <= slack or (turns and low - mark.side <= mark.y <= high + mark.side))
    one = before[np.argmax(before[:, 0])] if len(before) else after[np.argmin(after[:, 0])]
    return bool(abs(one[1] - mark.y) <= mark.side)
