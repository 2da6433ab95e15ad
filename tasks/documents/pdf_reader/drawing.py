"""One page as it is drawn: strokes and fills, letters with their places, and a picture of the page.

`python -m pdf_reader.drawing FILE PAGE [FIGURE]` writes result.json and page.png into the current directory. Lengths are points
from the page's lower left corner, upwards. Standard library and pypdfium2 only; what is too much is an error, never a part.
"""

from __future__ import annotations

import ctypes
import json
import math
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from .found import FIGURE, block_from, region_of
from .layout import gutter, reading_order
from .page import drawn, meant, picture, pieces_of, plain_letters

MAX_OBJECTS, MAX_POINTS, MAX_DEPTH, MAX_LETTERS = 60_000, 400_000, 8, 20_000
SCALE, LONGEST = 3.0, 3600  # pixels a point, pixels of the longer side
_FAR = 1e5  # points; nothing on a page lies farther
Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
ONE: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class TooMuch(Exception):
    """The page holds more than is read; the words say of what."""


class Drawing:
    """What is drawn on a page, in the order of drawing."""

    def __init__(self) -> None:
        self.paths: list[dict[str, Any]] = []
        self.pictures: list[Box] = []
        self.objects = self.points = 0

    def read(self, page: Any) -> None:
        """Every object of a page. Raises TooMuch."""
        self._walk(raw.FPDFPage_CountObjects(page), lambda k: raw.FPDFPage_GetObject(page, k), ONE, None, 0)

    def _walk(
        self, count: int, item: Callable[[int], Any], outer: Matrix, bound: Box | None, depth: int
    ) -> None:
        if depth > MAX_DEPTH:
            raise TooMuch(f"drawings nested more than {MAX_DEPTH} deep")
        for place in range(count):
            self.objects += 1
            if self.objects > MAX_OBJECTS:
                raise TooMuch(f"more than {MAX_OBJECTS} drawn objects")
            thing = item(place)
            kind = raw.FPDFPageObj_GetType(thing)
            clip = _meet(bound, _clip_of(thing, outer))
            if kind == raw.FPDF_PAGEOBJ_FORM:
                inside = raw.FPDFFormObj_CountObjects(thing)
                self._walk(
                    inside,
                    partial(raw.FPDFFormObj_GetObject, thing),
                    _after(_matrix_of(thing), outer),
                    clip,
                    depth + 1,
                )
            elif kind == raw.FPDF_PAGEOBJ_PATH:
                self._path(thing, outer, clip)
            elif kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
                self._picture(thing, outer, clip)

    def _picture(self, thing: Any, outer: Matrix, clip: Box | None) -> None:
        sides = [ctypes.c_float() for _ in range(4)]
        if raw.FPDFPageObj_GetBounds(thing, *sides):
            x0, y0, x1, y1 = (side.value for side in sides)
            corners = [_through(outer, x, y) for x in (x0, x1) for y in (y0, y1)]
            box = _meet(clip, _box_of(corners))
            if box is not None and all(abs(side) < _FAR for side in box):
                self.pictures.append(_rounded(box))

    def _path(self, thing: Any, outer: Matrix, clip: Box | None) -> None:
        matrix = _after(_matrix_of(thing), outer)
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(thing, fill, stroke)
        entry: dict[str, Any] = {
            "stroke": _colour(thing, raw.FPDFPageObj_GetStrokeColor) if stroke.value else None,
            "fill": _colour(thing, raw.FPDFPageObj_GetFillColor) if fill.value else None,
            "width": 0.0,
            "dash": [],
            "clip": None if clip is None else _rounded(clip),
        }
        if entry["stroke"] is None and entry["fill"] is None:
            return
        size = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        width = ctypes.c_float()
        if stroke.value and raw.FPDFPageObj_GetStrokeWidth(thing, width):
            entry["width"] = round(width.value * size, 4)
        if stroke.value and 0 < (dashes := raw.FPDFPageObj_GetDashCount(thing)) <= 32:
            lengths = (ctypes.c_float * dashes)()
            if raw.FPDFPageObj_GetDashArray(thing, lengths, dashes):
                entry["dash"] = [round(length * size, 3) for length in lengths]
        entry["runs"] = list(self._runs(_segments_of_path(thing), matrix))
        if entry["runs"]:
            self.paths.append(entry)

    def _runs(
        self, segments: Iterator[tuple[int, float, float, bool]], matrix: Matrix
    ) -> Iterator[dict[str, Any]]:
        """The connected lines of a path: closed or not, coordinates one after another; curves as short lines."""
        line: list[tuple[float, float]] = []
        control: list[tuple[float, float]] = []
        for kind, x, y, closes in segments:
            self.points += 1
            if self.points > MAX_POINTS:
                raise TooMuch(f"lines of more than {MAX_POINTS} points")
            here = _through(matrix, x, y)
            if not all(abs(value) < _FAR for value in here):
                raise TooMuch("lines that leave every page")
            if kind == raw.FPDF_SEGMENT_MOVETO:
                if len(line) > 1:
                    yield _run(line, False)
                line, control = [here], []
            elif kind == raw.FPDF_SEGMENT_LINETO:
                line.append(here)
            elif kind == raw.FPDF_SEGMENT_BEZIERTO:
                control.append(here)
                if len(control) == 3 and line:
                    bent = list(_bent(line[-1], *control))
                    self.points += len(bent)
                    line += bent
                    control = []
            if closes and line:
                yield _run([*line, line[0]], True)
                line, control = [line[0]], []
        if len(line) > 1:
            yield _run(line, False)


def _run(line: list[tuple[float, float]], closed: bool) -> dict[str, Any]:
    return {"closed": closed, "xy": [round(value, 4) for point in line for value in point]}


def _bent(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    """A cubic curve as lines, some two points long each."""
    length = math.dist(a, b) + math.dist(b, c) + math.dist(c, d)
    count = max(4, min(64, int(length / 2)))
    for step in range(1, count + 1):
        t = step / count
        s = 1 - t
        weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
        yield (
            sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
            sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
        )


def _segments_of_path(path: Any) -> Iterator[tuple[int, float, float, bool]]:
    for place in range(raw.FPDFPath_CountSegments(path)):
        yield _segment(raw.FPDFPath_GetPathSegment(path, place))


def _segment(segment: Any) -> tuple[int, float, float, bool]:
    x, y = ctypes.c_float(), ctypes.c_float()
    raw.FPDFPathSegment_GetPoint(segment, x, y)
    closes = bool(raw.FPDFPathSegment_GetClose(segment))
    return raw.FPDFPathSegment_GetType(segment), x.value, y.value, closes


def _clip_of(thing: Any, outer: Matrix) -> Box | None:
    """The box that an object is cut to, or None. PDFium keeps it in the coordinates around the object."""
    clip = raw.FPDFPageObj_GetClipPath(thing)
    if not clip:
        return None
    found: Box | None = None
    for path in range(max(raw.FPDFClipPath_CountPaths(clip), 0)):
        count = raw.FPDFClipPath_CountPathSegments(clip, path)
        if 0 < count <= 1000:
            points = [_segment(raw.FPDFClipPath_GetPathSegment(clip, path, k))[1:3] for k in range(count)]
            found = _meet(found, _box_of([_through(outer, x, y) for x, y in points]))
    return found


def _matrix_of(thing: Any) -> Matrix:
    m = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(thing, m)
    return m.a, m.b, m.c, m.d, m.e, m.f


def _after(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    x, y = _through(outer, e, f)
    return (
        outer[0] * a + outer[2] * b,
        outer[1] * a + outer[3] * b,
        outer[0] * c + outer[2] * d,
        outer[1] * c + outer[3] * d,
        x,
        y,
    )


def _through(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def _box_of(points: list[tuple[float, float]]) -> Box:
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)


def _meet(a: Box | None, b: Box | None) -> Box | None:
    if a is None or b is None:
        return a if b is None else b
    x0, y0 = max(a[0], b[0]), max(a[1], b[1])
    return x0, y0, max(x0, min(a[2], b[2])), max(y0, min(a[3], b[3]))


def _rounded(box: Box) -> Box:
    x0, y0, x1, y1 = (round(min(max(side, -_FAR), _FAR), 3) for side in box)
    return x0, y0, x1, y1


def _colour(thing: Any, ask: Callable[..., Any]) -> list[int] | None:
    """Red, green, blue, alpha, 0 to 255; None where nothing can be seen."""
    parts = [ctypes.c_uint() for _ in range(4)]
    if not ask(thing, *parts):
        return [0, 0, 0, 255]
    found = [min(part.value, 255) for part in parts]
    return found if found[3] > 2 else None


def letters_of(page: Any) -> list[list[Any]]:
    """Letters as [letter, x0, y0, x1, y1, baseline's x, baseline's y, size, turned (degrees), red, green, blue]."""
    text = page.get_textpage()
    count = text.count_chars()
    if count > MAX_LETTERS:
        raise TooMuch(f"more than {MAX_LETTERS} letters")
    found: list[list[Any]] = []
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    colours = [ctypes.c_uint() for _ in range(4)]
    m = raw.FS_MATRIX()
    for index in range(count):
        code = meant(text, index, raw.FPDFText_GetUnicode(text, index))
        if raw.FPDFText_IsGenerated(text, index) or code in (10, 13):
            continue
        raw.FPDFText_GetCharBox(text, index, left, right, bottom, top)
        raw.FPDFText_GetCharOrigin(text, index, x, y)
        size = raw.FPDFText_GetFontSize(text, index)
        turned = 0.0
        if raw.FPDFText_GetMatrix(text, index, m):
            size *= math.hypot(m.c, m.d)
            turned = math.degrees(math.atan2(m.b, m.a)) % 360
        letter = (
            "\ufffd" if code < 32 or 0xD800 <= code <= 0xDFFF or code >= 0xFFFD else plain_letters(chr(code))
        )
        if code in (2, 0xFFFE):  # PDFium's marks of a hyphen at a line's end
            letter = "-"
        raw.FPDFText_GetFillColor(text, index, *colours)
        numbers = [left.value, bottom.value, right.value, top.value, x.value, y.value, size, turned]
        if all(math.isfinite(number) and abs(number) < _FAR for number in numbers):
            seen = [min(colour.value, 255) for colour in colours]
            found.append([letter, *(round(number, 3) for number in numbers), *seen[:3]])
    return found


def figures_of(page: Any) -> list[dict[str, Any]]:
    """The captions of a page, and the box of what is drawn beside each where one was found."""
    pieces, _ = pieces_of(page)
    if not pieces:
        return []
    width, height = page.get_size()
    lines = reading_order(pieces, width)
    boxes, _, _ = drawn(page)
    middle = gutter(pieces, width) or width / 2
    found: list[Any] = []
    for place, line in enumerate(lines):
        if FIGURE.match(line.text) and len(found) < 50:
            caption = block_from(lines, place)
            region = region_of(caption, lines, boxes, width, middle)
            box = region and (region[0], height - region[3], region[2], height - region[1])
            found.append({"caption": " ".join(line.text for line in caption)[:4000], "box": box})
    return found


def read(path: str, number: int) -> dict[str, Any]:
    """Everything drawn on a page, as plain JSON; page.png beside it. number: from 1."""
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        kind = "encrypted" if "password" in str(error).lower() else "damaged"
        return {"error": kind, "detail": str(error)[:200]}
    if not 1 <= number <= len(document):
        return {"error": "pages", "detail": f"page {number} of {len(document)}"}
    try:
        page = document[number - 1]
        if page.get_rotation():
            return {"error": "turned", "detail": f"by {page.get_rotation()} degrees"}
        left, bottom, _, _ = page.get_bbox()
        drawing = Drawing()
        drawing.read(page)
        letters, figures = letters_of(page), figures_of(page)
        width, height = page.get_size()
        scale = min(SCALE, LONGEST / max(width, height, 1.0))
        Path("page.png").write_bytes(picture(page, (0.0, 0.0, width, height), LONGEST, scale))
    except pdfium.PdfiumError as error:
        return {"error": "damaged", "detail": str(error)[:200]}
    except TooMuch as error:
        return {"error": "much", "detail": str(error)}
    return {
        "pages": len(document),
        "corner": [left, bottom],
        "size": [width, height],
        "scale": scale,
        "paths": drawing.paths,
        "pictures": drawing.pictures,
        "letters": letters,
        "figures": figures,
    }


if __name__ == "__main__":
    Path("result.json").write_text(json.dumps(read(sys.argv[1], int(sys.argv[2]))))
