"""Words recognised in small pictures by tesseract, in the sandbox: all of them in one picture, a row each."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from schemas.errors import PrerequisiteError
from schemas.reading.beneath import Unopened, read_below
from tasks.sandbox import Limits, run_sandboxed, scratch

LIMITS = Limits(
    wall_s=200, cpu_s=40, memory_mb=1500, processes=16, file_mb=20, disk_mb=60, files=20, output_mb=1
)
DIGITS = "0123456789"
NUMBERS = "0123456789.,e+-/%"
_LETTER, _ROW, _MOST = 34, 72, 400  # pixels: letters' height, a row's; crops
_SURE = 20.0  # percent
_TIMES = 3


def tesseract() -> str:
    """The program, or '' where it is not installed."""
    return shutil.which("tesseract", path="/usr/bin:/usr/local/bin") or ""


def needed() -> str:
    """The program. Raises PrerequisiteError without it."""
    if not tesseract():
        raise PrerequisiteError(
            "labels in pictures cannot be recognised", found="no tesseract", fix="apt-get install tesseract-ocr"
        )  # fmt: skip
    return tesseract()


def recognised(crops: Sequence[NDArray[np.uint8]], heights: Sequence[float], letters: str = "") -> list[str]:
    """What stands in each crop (grey, dark on light), '' where nothing sure does.

    heights: of the letters in each crop, pixels. letters: the only ones that may occur; all by default.
    Raises PrerequisiteError without tesseract.
    """
    program = needed()
    crops = list(crops)[:_MOST]
    if not crops:
        return []
    short = [crop.shape[1] < 2.2 * height + 8 for crop, height in zip(crops, heights, strict=True)]
    rows = [
        _row(np.hstack([crop[:, 2:-2]] * _TIMES) if few and letters else crop, height)
        for crop, height, few in zip(crops, heights, short, strict=True)
    ]
    wide = max(row.shape[1] for row in rows) + 40
    sheet = np.full((_ROW * len(rows) + 40, wide), 255, np.uint8)
    for place, row in enumerate(rows):
        top = 20 + place * _ROW + (_ROW - row.shape[0]) // 2
        sheet[top : top + row.shape[0], 20 : 20 + row.shape[1]] = row
    picture = io.BytesIO()
    Image.fromarray(sheet).save(picture, "PNG", dpi=(300, 300))
    with scratch("reprolab-ocr-") as root:
        (root / "sheet.png").write_bytes(picture.getvalue())
        (root / "sheet.png").chmod(0o644)
        only = ["-c", f"tessedit_char_whitelist={letters}"] if letters else []
        result = run_sandboxed(
            [program, "/sandbox/in/sheet.png", "found", "--psm", "6", *only, "tsv"],
            root / "work",
            readonly={root / "sheet.png": "/sandbox/in/sheet.png"},
            env={"OMP_THREAD_LIMIT": "1"},
            limits=LIMITS,
            allow_degraded=True,
        )
        if not result.ok:
            return [""] * len(crops)
        try:
            table = read_below(root / "work", "found.tsv", 5_000_000).decode("utf-8", "replace")
        except Unopened:
            return [""] * len(crops)
    texts = _by_row(table, len(crops), 0.0 if letters else _SURE)
    return [_once(text) if few and letters else text for text, few in zip(texts, short, strict=True)]


def _once(text: str) -> str:
    """What was recognised three times side by side, because single letters are hard to tell: what at least two of them agree on."""
    text = text.replace(" ", "")
    if 2 <= len(text) <= _TIMES and len(set(text)) == 1:
        return text[0]
    third = len(text) // _TIMES
    if len(text) % _TIMES or not third:
        return ""
    thirds = [text[k * third : (k + 1) * third] for k in range(_TIMES)]
    return next((one for one in thirds if thirds.count(one) > 1), "")


def _row(crop: NDArray[np.uint8], height: float) -> NDArray[np.uint8]:
    factor = min(max(_LETTER / max(height, 3.0), 0.3), 8.0)
    size = max(int(crop.shape[1] * factor), 1), max(int(crop.shape[0] * factor), 1)
    image = Image.fromarray(crop).resize(
        (min(size[0], 3000), min(size[1], _ROW - 6)), Image.Resampling.BICUBIC
    )
    return np.asarray(image)


def _by_row(table: str, count: int, sure_enough: float) -> list[str]:
    found: list[list[tuple[int, str]]] = [[] for _ in range(count)]
    for entry in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        try:
            place = int((int(entry["top"]) + int(entry["height"]) / 2 - 20) // _ROW)
            sure, left, text = float(entry["conf"]), int(entry["left"]), entry["text"] or ""
        except (KeyError, TypeError, ValueError):
            continue
        if 0 <= place < count and sure >= sure_enough and text.strip():
            found[place].append((left, text.strip()[:200]))
    return [" ".join(text for _, text in sorted(row)) for row in found]


def installed() -> Path | None:
    """Where the program is, for `doctor`."""
    return Path(tesseract()) if tesseract() else None
