"""Filled rectangles of a picture: maps, which leave no ground inside their frame, and colour bars."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from tasks.digitise.maps import LONG, SLIM, THIN
from tasks.digitise.raster.picture import Picture
from tasks.digitise.raster.pixel_lines import Drawn

_LEAST = 45  # pixels: a map's side
_THICK = 7  # pixels: ticks and letters are thinner
_WHOLE = 0.97  # of its box that a rectangle fills
_LINE = 1.5  # pixels: a frame's line


def solid_frames(picture: Picture) -> tuple[list[Drawn], list[Drawn]]:
    """(maps, slim rectangles that may be colour bars), largest first."""
    ink = ndimage.binary_fill_holes(picture.ink())
    solid = ndimage.binary_opening(ink, np.ones((_THICK, _THICK)))
    marked, _ = ndimage.label(solid)
    maps: list[Drawn] = []
    bars: list[Drawn] = []
    for number, place in enumerate(ndimage.find_objects(marked)[:500], 1):
        rows, columns = place
        tall, wide = rows.stop - rows.start, columns.stop - columns.start
        if (marked[place] == number).mean() < _WHOLE:
            continue
        found = Drawn(
            float(columns.start), float(rows.start), float(columns.stop - 1), float(rows.stop - 1), _LINE
        )
        short, long = sorted((tall, wide))
        if long > max(LONG, SLIM * short) and short > THIN[0]:
            bars.append(found)
        elif short > _LEAST:
            maps.append(found)
    return sorted(maps, key=_size), sorted(bars, key=_size)[:20]


def _size(frame: Drawn) -> float:
    return -(frame.right - frame.left) * (frame.bottom - frame.top)
