"""The lines of a panel by colour: each pixel's colour lies between the ground's and a line's, in the part that the line covers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

_MOST = 9
_FEW = 0.0012  # of the panel's pixels: what may be a line
_NEAR, _SOFT = 46.0, 70.0  # distance of colours that are one; of a JPEG
Colour = tuple[int, int, int]


@dataclass
class Layer:
    """A colour and how much of each pixel of the panel it covers, 0 to 1."""

    colour: Colour
    cover: NDArray[np.float32]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Pixels of which it covers a third."""
        return np.asarray(self.cover > 0.33)


class Many(Exception):
    """A panel with more colours than lines have: a map, or a photograph."""


def layers_of(rgb: NDArray[np.float32], ground: NDArray[np.float32], soft: bool) -> list[Layer]:
    """The colours of a panel (rows, columns, 3). Raises Many."""
    near = _SOFT if soft else _NEAR
    far = np.sqrt(((rgb - ground) ** 2).sum(2))
    inked = far > 45
    if inked.mean() > 0.5:
        raise Many("more than half of it is coloured: a map or a photograph?")
    core = inked & (far >= 0.92 * ndimage.maximum_filter(far, 3))
    pixels = rgb[core]
    colours: list[NDArray[np.float32]] = []
    left = np.ones(len(pixels), bool)
    least = max(12, _FEW * rgb.shape[0] * rgb.shape[1] * (0.5 if soft else 0.35))
    while left.sum() > least:
        codes = (pixels[left] // 24).astype(np.int64) @ np.array([121, 11, 1])
        counts = np.bincount(codes)
        best = pixels[left][codes == counts.argmax()]
        colour = np.median(best, axis=0)
        mine = np.sqrt(((pixels - colour) ** 2).sum(1)) < near
        if (mine & left).sum() < least:
            break
        if not any(_mixed(colour, other, ground) for other in colours):
            colours.append(colour.astype(np.float32))
        left &= ~mine
        if len(colours) > _MOST:
            raise Many(f"more than {_MOST} colours: a map or a photograph?")
    letters = np.full(
        3, 0 if ground.mean() > 127 else 255, np.float32
    )  # few pixels, but their soft edges look like other colours
    alone = all(np.sqrt(((colour - letters) ** 2).sum()) > 40 for colour in colours)
    found = _shared(rgb, ground, [*colours, *([letters] if alone else [])], near)
    return found[: len(colours)]


def _mixed(colour: NDArray[np.float32], other: NDArray[np.float32], ground: NDArray[np.float32]) -> bool:
    """Whether a colour is another one's soft edge. Greys are told apart: black, dark and light ones."""
    way, its = colour - ground, other - ground
    share = float(way @ its / (its @ its))
    grey = max(np.ptp(way), np.ptp(its)) < 20
    return bool(np.sqrt(((way - share * its) ** 2).sum()) < 18 and (0.75 if grey else 0.55) < share < 1.0)


def _shared(
    rgb: NDArray[np.float32], ground: NDArray[np.float32], colours: list[NDArray[np.float32]], near: float
) -> list[Layer]:
    if not colours:
        return []
    shape = rgb.shape[:2]
    off = np.full((len(colours), *shape), 1e9, np.float32)
    cover = np.zeros_like(off)
    away = rgb - ground
    for number, colour in enumerate(colours):
        way = colour - ground
        share = np.clip((away @ way) / (way @ way), 0, 1)
        off[number] = np.sqrt(((away - share[..., None] * way) ** 2).sum(2))
        cover[number] = share
    # a pixel belongs to the colour whose mixture with the ground it is; of two such, to the one that covers more of it
    score = off - 12 * cover
    owner = score.argmin(0)
    best = np.take_along_axis(off, owner[None], 0)[0]
    ok = best < near
    layers = []
    for number, colour in enumerate(colours):
        mine = np.where((owner == number) & ok, cover[number], 0).astype(np.float32)
        red, green, blue = (int(round(float(part))) for part in np.clip(colour, 0, 255))
        layers.append(Layer((red, green, blue), mine))
    return layers
