"""The bytes of a handed-in pattern as a drawing; hostile until checked. A bitmap is read here, GDSII in the sandbox."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from schemas.errors import InputError, UnreadableAnswer
from schemas.reproduce.handed_pattern import MAX_BYTES, PatternFile
from schemas.text.visible import visible
from simkit.describe.handed import Drawing
from tasks.limited import limited
from tasks.reproduce.patterns.gds import drawing_of_gds
from tasks.reproduce.patterns.tracing import drawing_of

MOST_PIXELS, LONGEST_SIDE = 1 << 20, 4096
READ_CPU_S = 60.0
_KINDS = {".csv": "CSV", ".txt": "CSV", ".png": "PNG", ".gds": "GDSII", ".gdsii": "GDSII"}
_BETWEEN = re.compile(r"[,;\s]+")
_ALLOWED = "a CSV of 0 and 1, a PNG of two colours, black and white, or a GDSII file (.csv, .png, .gds)"


@dataclass(frozen=True)
class HandedPattern:
    """A pattern that was read. sha256: of the file's bytes. words: what it is, for whoever describes."""

    name: str
    file: str
    sha256: str
    drawing: Drawing
    words: str


def read_pattern(
    name: str, entry: PatternFile, content: bytes, allow_degraded: bool = False
) -> HandedPattern:
    """The pattern of a file's bytes. Raises InputError: too large, no 0 and 1, grey, ragged, empty, or too fine to be solved."""
    return _read(name, entry, content, allow_degraded)


@lru_cache(maxsize=32)
def _read(name: str, entry: PatternFile, content: bytes, allow_degraded: bool) -> HandedPattern:
    kind = _KINDS.get("." + entry.file.lower().rpartition(".")[2], "")
    try:
        if len(content) > MAX_BYTES:
            raise ValueError(f"has {len(content)} bytes, at most {MAX_BYTES} are read")
        drawing, words = limited(
            lambda: _drawn(kind, entry, content, allow_degraded), "reading a pattern", cpu_s=READ_CPU_S
        )
    except (ValueError, UnreadableAnswer) as error:
        raise InputError(
            f"the pattern {name!r} cannot be used",
            found=f"{ascii(entry.file[:120])} {visible(' '.join(str(error).split()), 400)}",
            allowed=_ALLOWED,
            fix="correct the file",
        ) from error
    return HandedPattern(name, entry.file, hashlib.sha256(content).hexdigest(), drawing, words)


def _drawn(kind: str, entry: PatternFile, content: bytes, allow_degraded: bool) -> tuple[Drawing, str]:
    if kind == "GDSII":
        drawing = drawing_of_gds(content, entry, allow_degraded=allow_degraded)
        size = [high - low for low, high in zip(drawing.low, drawing.high, strict=True)]
        return (
            drawing,
            f"layer {entry.layer}/{entry.datatype} of a GDSII file, {size[0]:.6g} x {size[1]:.6g} um",
        )
    if not kind:
        raise ValueError("has another ending than .csv, .png or .gds")
    solid = csv_bitmap(content, entry.lines_along) if kind == "CSV" else png_bitmap(content)
    share = 100 * float(solid.mean())
    return drawing_of(
        solid
    ), f"a bitmap of {solid.shape[0]} x {solid.shape[1]} pixels (x, y), {share:.3g} % of them 1"


def csv_bitmap(content: bytes, lines_along: str = "x") -> NDArray[np.bool_]:
    """(along x, along y) of a CSV of 0 and 1. Raises ValueError with the line."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is no text in UTF-8 (byte {error.start})") from error
    rows: list[NDArray[np.bool_]] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = _BETWEEN.split(line.strip().strip(",;"))
        if cells == [""]:
            continue
        if (
            len(cells) > LONGEST_SIDE
            or len(rows) >= LONGEST_SIDE
            or len(cells) * (len(rows) + 1) > MOST_PIXELS
        ):
            raise ValueError(
                f"has more than {MOST_PIXELS} pixels, or {LONGEST_SIDE} along a side; make it coarser"
            )
        try:
            values = np.array([float(cell) for cell in cells])
        except ValueError:
            raise ValueError(
                f"line {number} holds no numbers: {ascii(line[:60])}; no header, only 0 and 1"
            ) from None
        if (bad := values[(values != 0) & (values != 1)]).size:
            raise ValueError(
                f"line {number} holds {bad[0]:g}; only 0 and 1, no grey values: say where its edge lies"
            )
        if rows and values.size != rows[0].size:
            raise ValueError(f"line {number} has {values.size} values, the first one {rows[0].size}")
        rows.append(values == 1)
    if not rows:
        raise ValueError("is empty")
    found = np.array(rows)
    return found if lines_along == "x" else found.T


def png_bitmap(content: bytes) -> NDArray[np.bool_]:
    """(along x to the right, along y upwards) of a PNG that is black and white. Raises ValueError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(content), formats=("PNG",)) as image:
                if image.width * image.height > MOST_PIXELS or max(image.size) > LONGEST_SIDE:
                    raise ValueError(
                        f"has {image.width} x {image.height} pixels, at most {MOST_PIXELS} are read"
                    )
                if image.mode not in ("1", "L", "P", "RGB", "RGBA", "LA"):
                    raise ValueError(f"has the mode {image.mode}; save it in black and white")
                if getattr(image, "n_frames", 1) > 1:
                    raise ValueError("has several pictures in it")
                colours = np.asarray(image.convert("RGBA"))
    except ValueError:
        raise
    except Exception as error:  # whatever Pillow says of a stranger's file
        raise ValueError(f"cannot be read ({visible(str(error), 200)})") from error
    if (colours[..., 3] != 255).any():
        raise ValueError("is transparent in places; only black and white")
    white, black = ((colours[..., :3] == value).all(axis=2) for value in (255, 0))
    if not (white | black).all():
        y, x = np.argwhere(~(white | black))[0]
        raise ValueError(
            f"has the colour {tuple(int(v) for v in colours[y, x, :3])} at ({x}, {y}); only black and white, no grey values: "
            "say where its edge lies"
        )
    return np.asarray(white[::-1].T)
