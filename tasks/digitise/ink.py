"""Whether letters explain all the ink around a label: a lost sign or power leaves ink that no letter and no line explains."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from schemas.errors import InputError
from tasks.digitise.labels import Word
from tasks.digitise.page import Page, Stroke

_MOST_PIXELS = 16_000_000
_DARK = 70  # grey levels from the ground
_LEFT, _RIGHT, _UP = 0.75, 0.55, 0.45  # of the letters' size: how far around a label is looked
_ALLOWED = 0.02  # of the square of the letters' size


def rendered(page: Page) -> NDArray[np.int16]:
    """Grey levels of a page's picture, (rows, columns). Raises InputError if the picture is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(page.picture), formats=("PNG",)) as image:
                if image.width * image.height > _MOST_PIXELS:
                    raise ValueError(f"{image.width} x {image.height} pixels")
                return np.asarray(image.convert("L"), dtype=np.int16)
    except (
        OSError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        raise InputError(
            "the page could not be drawn", found=str(error)[:200], fix="save it again with another program"
        ) from error


class Ink:
    """The ink of a page around words. frames: boxes of panels; what is drawn in them is no part of a label."""

    def __init__(self, page: Page, frames: Sequence[tuple[float, float, float, float]]) -> None:
        self._grey = rendered(page)
        self._scale = page.scale
        self._height = page.size[1]
        self._corner = page.corner
        self._words = page.words
        self._frames = list(frames)
        self._lines = [s for s in page.strokes if s.stroke is not None and max(map(len, s.runs)) <= 12]

    def unexplained(self, word: Word) -> bool:
        """Whether there is ink beside a word that neither letters nor straight lines explain."""
        x0, y0, x1, y1 = word.box
        size = word.size
        ends = (_UP, _LEFT, _UP, _RIGHT) if word.turned else (_LEFT, 0.1, _RIGHT, _UP)
        around = (x0 - ends[0] * size, y0 - ends[1] * size, x1 + ends[2] * size, y1 + ends[3] * size)
        if word.turned:
            around = (x0 - _UP * size, y0 - _LEFT * size, x1 + 0.1 * size, y1 + _RIGHT * size)
        left, top, right, bottom = self._pixels(around, 0.0)
        patch = self._grey[top:bottom, left:right]
        if not patch.size:
            return False
        ground = int(np.bincount(patch.ravel(), minlength=256).argmax())
        ink = np.abs(patch - ground) > _DARK
        for box, slack in self._known(around, word):
            a, b, c, d = self._pixels(box, slack)
            ink[max(b - top, 0) : max(d - top, 0), max(a - left, 0) : max(c - left, 0)] = False
        ink[:, :1] = ink[:, -1:] = False  # the soft edge of what stands next to it
        return float(ink.sum()) / self._scale**2 > max(_ALLOWED * size * size, 0.4)

    def _pixels(self, box: Sequence[float], slack: float) -> tuple[int, int, int, int]:
        x0, y0, x1, y1 = box
        left, low = self._corner
        s = self._scale
        rows, columns = self._grey.shape
        return (
            int(np.clip(np.floor((x0 - left - slack) * s), 0, columns)),
            int(np.clip(np.floor((self._height - (y1 - low) - slack) * s), 0, rows)),
            int(np.clip(np.ceil((x1 - left + slack) * s), 0, columns)),
            int(np.clip(np.ceil((self._height - (y0 - low) + slack) * s), 0, rows)),
        )

    def _known(
        self, around: tuple[float, float, float, float], beside: Word
    ) -> list[tuple[tuple[float, float, float, float], float]]:
        found: list[tuple[tuple[float, float, float, float], float]] = [
            (frame, 1.0) for frame in self._frames
        ]
        for word in self._words:
            if _apart(word.box, around):
                continue
            for a in word.letters:
                found.append(((-a.v1, a.u0, -a.v0, a.u1) if word.turned else (a.u0, a.v0, a.u1, a.v1), 0.5))
        for stroke in self._lines:
            if not _apart(stroke.box, around):
                found += [
                    ((*run.min(0).tolist(), *run.max(0).tolist()), stroke.width / 2 + 0.5)
                    for run in _sides(stroke)
                    if not (_like_a_minus(run, beside) and not self._touched(run))
                ]
        return found

    def _touched(self, run: NDArray[np.float64]) -> bool:
        """Whether a short line ends at another line, as a tick does."""
        along = int(np.ptp(run[:, 0]) < np.ptp(run[:, 1]))
        for stroke in self._lines:
            if _apart(stroke.box, (*(run.min(0) - 1.5).tolist(), *(run.max(0) + 1.5).tolist())):
                continue
            for side in _sides(stroke):
                low, high = side.min(0) - 1.5, side.max(0) + 1.5
                if np.ptp(side[:, along]) < 1 and any(
                    (low <= end).all() and (end <= high).all() for end in run
                ):
                    return True
        return False


def _like_a_minus(run: NDArray[np.float64], word: Word) -> bool:
    """Whether a short line stands before a digit of a word where its minus sign would: some programs draw it."""
    line = np.column_stack([run[:, 1], -run[:, 0]]) if word.turned else run
    (u0, v0), (u1, v1) = line.min(0).tolist(), line.max(0).tolist()
    return v1 - v0 < 0.2 and any(
        -0.05 < (a.u0 - u1) / a.size < 0.45 and 0.25 < (u1 - u0) / a.size < 0.95 and 0.12 < (v0 - a.line) / a.size < 0.55
        for a in word.letters
        if a.text.isdigit()
    )  # fmt: skip


def _sides(stroke: Stroke) -> list[NDArray[np.float64]]:
    """The single straight stretches of a stroke."""
    return [run[k : k + 2] for run in stroke.runs for k in range(len(run) - 1)]


def _apart(a: Sequence[float], b: Sequence[float]) -> bool:
    return a[0] > b[2] or a[2] < b[0] or a[1] > b[3] or a[3] < b[1]
