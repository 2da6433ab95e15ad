"""One page of a PDF through PDFium: pieces of text, boxes of what is drawn, and pictures of regions."""

from __future__ import annotations

import ctypes
import re
import struct
import unicodedata
import zlib
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from .layout import Piece

MAX_CHARACTERS, MAX_OBJECTS = 200_000, 20_000
# TeX's fonts of symbols hold no accents and fractions: a reader without their map shows Greek letters as these.
_SYMBOLS = re.compile(rb"(?:[A-Z]{6}\+)?(?:CMMI|CMSY|CMEX|CMBSY|MSAM|MSBM)[A-Z]?\d")
_TRUE_SYMBOLS = frozenset(map(ord, "\u00ac\u00b0\u00b1\u00b5\u00b7\u00d7\u00f7"))
MIN_UNSEEN = 40  # letters; fewer are labels in a dark drawing
Box = tuple[float, float, float, float]


def pieces_of(page: Any) -> tuple[list[Piece], int]:
    """Pieces of lines and how many characters had no known meaning (fonts without a map to Unicode)."""
    height = page.get_height()
    text = page.get_textpage()
    pieces: list[Piece] = []
    letters: list[str] = []
    box: list[float] = []
    size, unknown = 10.0, 0
    halves: list[tuple[int, list[float]]] = []

    def end() -> None:
        nonlocal letters, box
        if "".join(letters).strip() and box:
            pieces.append(
                Piece(box[0], height - box[3], box[2], height - box[1], plain_letters("".join(letters)), size)
            )
        letters, box = [], []

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    for index in range(min(text.count_chars(), MAX_CHARACTERS)):
        code = meant(text, index, raw.FPDFText_GetUnicode(text, index))
        if code in (10, 13):
            end()
            continue
        if code in (0, 0xFFFE, 0xFFFF, 0xFFFD) or code < 32:
            unknown += code not in (2, 0xFFFE)  # 2 and FFFE: PDFium's marks of a hyphen at a line's end
            code = 45 if code in (2, 0xFFFE) else 0xFFFD
        raw.FPDFText_GetCharBox(text, index, left, right, bottom, top)
        here = [left.value, bottom.value, right.value, top.value]
        if (
            0xD800 <= code <= 0xDFFF
        ):  # a letter in two halves; one glyph may come as several copies in one place
            if (code, here) in halves:
                continue
            halves = [*halves[-1:], (code, here)]
        blank = chr(code).isspace() or here[2] <= here[0]
        if box and not blank:
            gap, tall = here[0] - box[2], max(box[3] - box[1], 4.0)
            apart = here[1] > box[3] or here[3] < box[1]
            if gap > 1.6 * tall or gap < -3 * tall or apart:
                end()
        if not blank:
            if not box:
                size = raw.FPDFText_GetFontSize(text, index)
            box = (
                [min(box[0], here[0]), min(box[1], here[1]), max(box[2], here[2]), max(box[3], here[3])]
                if box
                else here
            )
        if letters or not blank:
            letters.append(chr(code))
    end()
    return pieces, unknown


def meant(text: Any, index: int, code: int) -> int:
    """A character's code, U+FFFD where the font has no such letter: a symbol whose meaning the file does not tell."""
    if not 0xA1 <= code <= 0xFF or code in _TRUE_SYMBOLS:
        return code
    name, flags = ctypes.create_string_buffer(200), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text, index, name, len(name), flags)
    return 0xFFFD if _SYMBOLS.match(name.value) else code


def unseen(page: Any) -> str:
    """Letters that a reader hardly sees: smaller than 2 points, or filled with white or with nothing."""
    text = page.get_textpage()
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    found = []
    for index in range(min(text.count_chars(), MAX_CHARACTERS)):
        code = raw.FPDFText_GetUnicode(text, index)
        if code <= 32 or code >= 0xD800:
            continue
        coloured = raw.FPDFText_GetFillColor(text, index, red, green, blue, alpha)
        white = coloured and (alpha.value < 10 or min(red.value, green.value, blue.value) > 245)
        if white or 0 < raw.FPDFText_GetFontSize(text, index) < 2 and _height(text, index) < 2:
            found.append(chr(code))
    return "".join(found)


def _height(text: Any, index: int) -> float:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(text, index, left, right, bottom, top)
    return top.value - bottom.value


def plain_letters(text: str) -> str:
    """PDFium's halves of letters joined; letters of formulas and ligatures as plain ones, which quotations can hold.
    Powers and indices stay as they are."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return "".join(
        unicodedata.normalize("NFKC", letter)
        if 0x1D400 <= ord(letter) <= 0x1D7FF or 0xFB00 <= ord(letter) <= 0xFB06
        else letter
        for letter in joined
    )


def drawn(page: Any) -> tuple[list[Box], float, bool]:
    """Boxes of pictures and drawings (points, downwards), the part of the page that pictures cover, and whether all
    objects were looked at."""
    width, height = page.get_size()
    boxes: list[Box] = []
    covered = 0.0
    kinds = [raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_SHADING, raw.FPDF_PAGEOBJ_FORM]
    for number, item in enumerate(page.get_objects(filter=kinds, max_depth=1)):
        if number >= MAX_OBJECTS:
            return boxes, covered, False
        try:
            x0, y0, x1, y1 = item.get_bounds()
        except pdfium.PdfiumError:
            continue
        x0, x1, y0, y1 = max(x0, 0), min(x1, width), max(y0, 0), min(y1, height)
        if x1 - x0 <= 0 or y1 - y0 <= 0:
            continue
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            covered = max(covered, (x1 - x0) * (y1 - y0) / (width * height))
        if (x1 - x0) * (y1 - y0) > 0.9 * width * height:
            continue
        boxes.append((x0, height - y1, x1, height - y0))
    return boxes, covered, True


def picture(page: Any, box: Box, longest: int = 1600, fine: float = 200 / 72) -> bytes:
    """A region of the page as PNG: `fine` pixels a point, at most `longest` pixels on its long side."""
    width, height = page.get_size()
    x0, y0, x1, y1 = max(box[0] - 3, 0), max(box[1] - 3, 0), min(box[2] + 3, width), min(box[3] + 3, height)
    scale = min(fine, longest / max(x1 - x0, y1 - y0, 1))
    bitmap = page.render(scale=scale, crop=(x0, height - y1, width - x1, y0), rev_byteorder=True)
    data, stride, channels = bytes(bitmap.buffer), bitmap.stride, bitmap.n_channels
    rows = []
    for row in range(bitmap.height):
        line = data[row * stride : row * stride + bitmap.width * channels]
        if channels == 4:
            line = b"".join(line[place : place + 3] for place in range(0, len(line), 4))
        rows.append(b"\0" + line)
    return _png(bitmap.width, bitmap.height, 0 if channels == 1 else 2, b"".join(rows))


def _png(width: int, height: int, colour: int, rows: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows, 6))
        + chunk(b"IEND", b"")
    )
