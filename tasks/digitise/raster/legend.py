"""Legends of pictures: short level stretches of a curve's colour with words beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from tasks.digitise.curves import Drawn as Curve
from tasks.digitise.raster.colours import Layer
from tasks.digitise.raster.picture import Picture

_SHORT, _LONG = 0.02, 0.16  # of the panel's width: a sample
Box = tuple[int, int, int, int]


@dataclass
class Sample:
    """A sample's box in pixels of the picture (left, top, right, bottom), and the curve that it is tied to."""

    box: Box
    curve: Curve | None = None

    def words(self, picture: Picture) -> NDArray[np.uint8] | None:
        """What stands to its right, grey, up to the first wide gap; None where nothing does."""
        left, top, right, bottom = self.box
        reach = max(int(0.28 * (right - left)), 9)
        rows = slice(max(top - reach, 0), min(bottom + reach, picture.height))
        columns = slice(right + 2, min(right + 12 * (right - left), picture.width))
        dark = np.minimum(picture.far()[rows, columns], 255)
        ink = (dark > 90).any(0)
        if not ink.any():
            return None
        first = int(np.argmax(ink))
        if first > 0.9 * (right - left):
            return None
        gap = max(int(1.0 * reach), 12)
        end = first
        while end < len(ink) and ink[end : end + gap].any():
            end += int(np.flatnonzero(ink[end : end + gap])[-1]) + 1
        crop = 255 - dark[:, first:end]
        return (
            np.pad(np.clip(crop, 0, 255).astype(np.uint8), 4, constant_values=255)
            if end - first > 3
            else None
        )


def without_legend(layers: list[Layer], left: int, top: int) -> tuple[list[Layer], list[Sample | None]]:
    """Layers without the samples of a legend, and each one's sample. left, top: of the panel in the picture."""
    found = [_sample(layer) for layer in layers]
    stack = [box for box in found if box is not None]
    kept: list[Sample | None] = []
    for layer, box in zip(layers, found, strict=True):
        if box is None or not (len(stack) == 1 or _in_line(box, stack)):
            kept.append(None)
            continue
        a, b, c, d = box
        layer.cover[b - 1 : d + 1, a - 1 : c + 1] = 0
        kept.append(Sample((a + left, b + top, c + left, d + top)))
    letters = [k for k, layer in enumerate(layers) if _only_small(layer)]
    return [layer for k, layer in enumerate(layers) if k not in letters], [
        sample for k, sample in enumerate(kept) if k not in letters
    ]


def _only_small(layer: Layer) -> bool:
    """Whether a layer holds only small pieces close together: letters, which are no curve."""
    marked, count = ndimage.label(layer.mask, structure=np.ones((3, 3)))
    if not count:
        return True
    boxes = ndimage.find_objects(marked)
    wide = max(b[1].stop - b[1].start for b in boxes)
    span = max(b[1].stop for b in boxes) - min(b[1].start for b in boxes)
    return wide < 0.06 * layer.cover.shape[1] and span < 0.3 * layer.cover.shape[1]


def _sample(layer: Layer) -> Box | None:
    """The one short level stretch of a layer that stands apart from the rest; None where there is none, or several."""
    marked, count = ndimage.label(layer.mask, structure=np.ones((3, 3)))
    boxes = ndimage.find_objects(marked)
    if count < 2:
        return None
    wide_enough = layer.cover.shape[1]
    found = []
    for number, box in enumerate(boxes, 1):
        tall, wide = box[0].stop - box[0].start, box[1].stop - box[1].start
        full = float((marked[box] == number).mean())
        if _SHORT * wide_enough < wide < _LONG * wide_enough and tall <= max(0.3 * wide, 3) and full > 0.8:
            found.append((box[1].start, box[0].start, box[1].stop, box[0].stop))
    return found[0] if len(found) == 1 else None


def _in_line(box: Box, stack: list[Box]) -> bool:
    """Whether samples stand one above the other, or side by side."""
    return any(
        other is not box and abs((other[2] - other[0]) - (box[2] - box[0])) < 4
        and (abs(other[0] - box[0]) < 4 or abs(other[1] - box[1]) < 4)
        for other in stack
    )  # fmt: skip
