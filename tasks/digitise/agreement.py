"""Whether the letters of a PDF say what the page shows: axis labels are recognised in the rendered page and compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tasks.digitise.ink import rendered
from tasks.digitise.labels import Letter, Word, number, plain
from tasks.digitise.page import Page
from tasks.digitise.raster.recognised import DIGITS, NUMBERS, recognised, tesseract

_MOST = 120  # labels
_FEW = 2  # labels that were recognised as numbers: fewer say nothing
_AROUND = 0.6  # points
WITHOUT = (
    "tesseract is not installed (apt-get install tesseract-ocr): only the PDF's letters say these numbers"
)
_UNSEEN = "fewer than two of its labels could be recognised in the rendered page"


def disagreeing(page: Page, axes: Sequence[Sequence[Word]]) -> tuple[dict[int, str], dict[int, str]]:
    """Of axes (each its labels), those whose picture shows other numbers than the letters say, and those not compared, with why."""
    if not tesseract():
        return {}, dict.fromkeys(range(len(axes)), WITHOUT)
    grey = rendered(page).astype(np.uint8)
    asked: list[tuple[int, str, NDArray[np.uint8], float, str]] = []
    for place, words in enumerate(axes):
        for word in words[:12]:
            if word.turned or len(asked) >= _MOST:
                continue
            line = [letter for letter in word.letters if letter.line - word.base <= 0.12 * word.size]
            power = [letter for letter in word.letters if letter.line - word.base > 0.12 * word.size]
            for letters, only in ((line, NUMBERS), (power, DIGITS)):
                text = plain("".join(letter.text for letter in letters)).lstrip("-")
                crop = _crop(grey, page, [letter for letter in letters if plain(letter.text) != "-"])
                if text and crop is not None and number(text, False) is not None:
                    tall = max(letter.v1 - letter.v0 for letter in letters) * page.scale
                    asked.append((place, text, crop, tall, only))
    shown: dict[int, list[tuple[str, str]]] = {}
    for only in (NUMBERS, DIGITS):
        mine = [entry for entry in asked if entry[4] == only]
        texts = recognised([entry[2] for entry in mine], [entry[3] for entry in mine], only)
        for (place, text, *_), seen in zip(mine, texts, strict=False):
            seen = seen.replace(" ", "").lstrip("-")
            if seen and number(seen, False) is not None and "/" not in seen:
                shown.setdefault(place, []).append((text, seen))
    found = {}
    few = {place: _UNSEEN for place in range(len(axes)) if len(shown.get(place, ())) < _FEW}
    for place, pairs in shown.items():
        off = [(text, seen) for text, seen in pairs if _digits(text) != _digits(seen)]
        if len(pairs) >= _FEW and len(off) > 0.5 * len(pairs):
            found[place] = (
                f"the PDF's letters say {off[0][0]!r} where the page shows {off[0][1]!r}: its text layer is damaged?"
            )
    return found, few


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def _crop(grey: NDArray[np.uint8], page: Page, letters: Sequence[Letter]) -> NDArray[np.uint8] | None:
    if not letters:
        return None
    left, low = page.corner
    s, rows = page.scale, grey.shape[0]
    x0 = max(int((min(a.u0 for a in letters) - left - _AROUND) * s), 0)
    x1 = int((max(a.u1 for a in letters) - left + _AROUND) * s) + 1
    y0 = max(int(rows - (max(a.v1 for a in letters) - low + _AROUND) * s), 0)
    y1 = int(rows - (min(a.v0 for a in letters) - low - _AROUND) * s) + 1
    crop = grey[y0:y1, x0:x1]
    if min(crop.shape, default=0) < 4:
        return None
    if float(np.median(crop)) < 110:  # light letters on a dark ground
        crop = 255 - crop
    return np.pad(crop, 4, constant_values=255)
