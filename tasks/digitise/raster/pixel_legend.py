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
_LETTER = (5, 45)  # pixels: how tall one is
Box = tuple[int, int, int, int]


@dataclass
class Sample:
    """A sample's box in pixels of the picture (left, top, right, bottom), its panel's first and last column, and its curve.

    left: whether its words stand to its left, as in gnuplot's keys.
    """

    box: Box
    ends: tuple[int, int]
    left: bool = False
    curve: Curve | None = None

    def words(self, picture: Picture) -> NDArray[np.uint8] | None:
        """What stands beside it, grey, up to the first wide gap; None where nothing does."""
        left, top, right, bottom = self.box
        reach = max(int(0.28 * (right - left)), 9)
        rows = slice(max(top - reach, 0), min(bottom + reach, picture.height))
        long = 12 * (right - left)
        first, last = (
            (max(left - 2 - long, self.ends[0]), left - 2)
            if self.left
            else (right + 2, min(right + long, self.ends[1]))
        )
        dark = np.minimum(picture.far()[rows, max(first, 0) : max(last, 0)], 255)
        dark = dark[:, ::-1] if self.left else dark
        ink = np.asarray((dark > 90).any(0), bool)
        if not ink.any():
            return None
        start = int(np.argmax(ink))
        if start > 0.9 * (right - left):
            return None
        gap = max(int(1.0 * reach), 12)
        end = start
        while end < len(ink) and ink[end : end + gap].any():
            end += int(np.flatnonzero(ink[end : end + gap])[-1]) + 1
        crop = 255 - dark[:, start:end]
        crop = crop[:, ::-1] if self.left else crop
        return (
            np.pad(np.clip(crop, 0, 255).astype(np.uint8), 4, constant_values=255)
            if end - start > 3
            else None
        )


def beside_letters(places: NDArray[np.float64], side: float, dark: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which marks, (n, 2) columns and rows of the panel, have a word beside them as a legend's sample has.

    dark: pixels as dark as letters. A word: at least two blobs as tall as letters that stand side by side.
    """
    marked, _ = ndimage.label(dark, structure=np.ones((3, 3)))
    letters = np.array(
        [
            (box[1].start, box[0].start, box[1].stop, box[0].stop)
            for box in ndimage.find_objects(marked)[:5000]
            if _LETTER[0] <= box[0].stop - box[0].start <= _LETTER[1]
            and box[1].stop - box[1].start <= _LETTER[1]
        ]
    ).reshape(-1, 4)
    found = np.zeros(len(places), bool)
    for number, (x, y) in enumerate(places.tolist()):
        tall = letters[:, 3] - letters[:, 1]
        level = letters[np.abs((letters[:, 1] + letters[:, 3]) / 2 - y) < 0.5 * tall + 1]
        for right in (True, False):
            gaps = level[:, 0] - x if right else x - level[:, 2]
            mine = level[(gaps > side / 2) & (gaps < 4 * side + 2 * _LETTER[1])]
            mine = mine[np.argsort(mine[:, 0])]
            high = mine[:, 3] - mine[:, 1]
            apart = mine[1:, 0] - mine[:-1, 2]
            found[number] |= bool(((apart < 0.4 * high[1:]) & (apart > -2)).any())
    return found


def without_legend(
    layers: list[Layer], ink: NDArray[np.bool_], left: int, top: int
) -> tuple[list[Layer], list[Sample | None]]:
    """Layers without the samples of a legend, and each one's sample. ink: of the panel; left, top: of it in the picture."""
    right = [_sample(layer, ink) for layer in layers]
    wide = ink.shape[1]
    turned = [_sample(Layer(layer.colour, layer.cover[:, ::-1]), ink[:, ::-1]) for layer in layers]
    before = [box and (wide - box[2], box[1], wide - box[0], box[3]) for box in turned]
    to_left = sum(box is not None for box in before) > sum(box is not None for box in right)
    found = before if to_left else right
    stack = [box for box in found if box is not None]
    kept: list[Sample | None] = []
    for layer, box in zip(layers, found, strict=True):
        if box is None or not (len(stack) == 1 or _in_line(box, stack)):
            kept.append(None)
            continue
        a, b, c, d = box
        layer.cover[max(b - 1, 0) : d + 1, max(a - 1, 0) : c + 1] = 0
        kept.append(Sample((a + left, b + top, c + left, d + top), (left, left + wide), to_left))
    return layers, kept


def _sample(layer: Layer, ink: NDArray[np.bool_]) -> Box | None:
    """The one short level stretch of a layer, or row of dashes, that has words to its right; None where there is none, or several."""
    marked, count = ndimage.label(layer.mask, structure=np.ones((3, 3)))
    width = layer.cover.shape[1]
    level = [
        (box[1].start, box[0].start, box[1].stop, box[0].stop)
        for number, box in enumerate(ndimage.find_objects(marked), 1)
        if (tall := box[0].stop - box[0].start) <= max(0.35 * (box[1].stop - box[1].start), 5)
        and box[1].stop - box[1].start < _LONG * width
        and float((marked[box] == number).mean()) > 0.75
        and tall < 0.03 * width + 3
    ]
    if count < 2 or len(level) > 400:
        return None
    rows: list[list[Box]] = []
    for box in sorted(level):
        for row in rows:
            last = row[-1]
            if abs(last[1] + last[3] - box[1] - box[3]) <= 3 and 0 < box[0] - last[2] < 0.03 * width + 2:
                row.append(box)
                break
        else:
            rows.append([box])
    found = []
    for row in rows:
        box = (row[0][0], min(b[1] for b in row), row[-1][2], max(b[3] for b in row))
        if _SHORT * width < box[2] - box[0] < _LONG * width and _words_follow(box, ink):
            found.append(box)
    return found[0] if len(found) == 1 else None


def _words_follow(box: Box, ink: NDArray[np.bool_]) -> bool:
    """Whether something taller than a line begins to the right of a sample, after a gap."""
    left, top, right, bottom = box
    long = right - left
    reach = max(int(0.4 * long), 6)
    near = ink[max(top - reach, 0) : bottom + reach, right + 2 : right + int(0.9 * long) + 6]
    if not near.size or near[:, : max(int(0.08 * long), 2)].any():
        return False
    columns = np.flatnonzero(near.any(0))
    if not len(columns):
        return False
    first = near[:, columns[0] : columns[0] + max(int(0.35 * long), 6)]
    return int(first.any(1).sum()) >= max(5, 2 * (bottom - top))


def _in_line(box: Box, stack: list[Box]) -> bool:
    """Whether samples stand one above the other, or side by side."""
    return any(
        other is not box and abs((other[2] - other[0]) - (box[2] - box[0])) < 0.35 * (box[2] - box[0])
        and (abs(other[0] - box[0]) < 4 or abs(other[1] - box[1]) < 4)
        for other in stack
    )  # fmt: skip
