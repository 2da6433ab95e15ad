"""Blobs of ink as letters: how many letters they are at least, and which of them no word explains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_WIDEST = 0.95  # of its height: a digit
_BESIDE = 0.8  # of the letters' height: how far before a label its sign may stand
_SPECK = 3  # pixels: less is no sign
Box = tuple[int, int, int, int]  # left, top, right, bottom of the array, ends left out


@dataclass
class Blobs:
    """Letters side by side, of which several may be one blob. unexplained: ink beside them that belongs to none of them."""

    boxes: list[Box]
    unexplained: bool = False

    @property
    def box(self) -> Box:
        """Of all of them."""
        return (
            min(b[0] for b in self.boxes),
            min(b[1] for b in self.boxes),
            max(b[2] for b in self.boxes),
            max(b[3] for b in self.boxes),
        )


def tall(box: Box) -> int:
    """Its height."""
    return box[3] - box[1]


def wide(box: Box) -> int:
    """Its width."""
    return box[2] - box[0]


def all_there(text: str, boxes: Sequence[Box]) -> bool:
    """Whether a number has as many letters as its blobs are at least: a blob more, or one too wide, is a sign or a point that was lost."""
    size = max(map(tall, boxes))
    large = [b for b in boxes if tall(b) > 0.45 * size]  # the others are points
    least = len(boxes) - len(large) + sum(max(1, math.ceil(wide(b) / tall(b) + 1 - _WIDEST)) for b in large)
    return len(text) + 2 * text.count("%") >= least  # a percent sign is three


def with_strays(words: Sequence[Blobs], letters: Sequence[Box]) -> None:
    """Mark the words before which, or at whose upper corner, ink stands that is part of no word: it may be a sign."""
    kept = {box for word in words for box in word.boxes}
    strays = [b for b in letters if b not in kept and wide(b) * tall(b) >= _SPECK]
    for word in words:
        left, top, right, bottom = word.box
        size = max(map(tall, word.boxes))
        word.unexplained = any(
            left - _BESIDE * size < b[2] and b[0] < right + 0.3 * size
            and top - 0.4 * size < (b[1] + b[3]) / 2 < bottom and wide(b) < 1.2 * size and tall(b) < 0.5 * size
            for b in strays
        )  # fmt: skip
