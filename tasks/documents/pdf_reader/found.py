"""What stands on a page besides running text: captions with their figures, tables, equations."""

from __future__ import annotations

import re

from .layout import Line

_LABELS = 90.0  # points between a caption and what is drawn: an axis' labels and its name stand there
Box = tuple[float, float, float, float]
FIGURE = re.compile(
    r"(?:supplementary\s+)?fig(?:ure|\.)?\s*S?\d{1,3}[a-z]?\s*(?:[.:|(\u2013\u2014]|$)", re.IGNORECASE
)
TABLE = re.compile(r"table\s+(?:S?\d{1,2}|[IVX]{1,5})\b\s*(?:[.:|\u2013\u2014]|$|[A-Z])", re.IGNORECASE)
EQUATION = re.compile(r"\(\s*[A-Z]?\.?\d{1,3}[a-z]?\s*\)\s*$")


def block_from(lines: list[Line], start: int) -> list[Line]:
    """The lines of a caption: those that follow without a gap, in the same column, in letters of the same size."""
    block = [lines[start]]
    for line in lines[start + 1 :]:
        before = block[-1]
        gap, tall = line.box[1] - before.box[3], max(before.size, 4.0)
        if (
            line.column != before.column
            or not -tall < gap < 0.8 * tall
            or abs(line.size - block[0].size) > 0.6
            or FIGURE.match(line.text)
            or TABLE.match(line.text)
        ):
            break
        block.append(line)
    return block


def region_of(
    caption: list[Line], lines: list[Line], boxes: list[Box], width: float, middle: float
) -> Box | None:
    """The box of what is drawn above a caption (else below it), with the short labels around it, or None."""
    top, bottom = caption[0].box[1], caption[-1].box[3]
    left, right = {0: (0.0, width), 1: (0.0, middle), 2: (middle, width)}[caption[0].column]
    mine = [
        box
        for box in boxes
        if box[0] >= left - 6 and box[2] <= right + 6 and (box[2] - box[0] > 1 or box[3] - box[1] > 1)
    ]
    for above in (True, False):
        side = [box for box in mine if (box[3] <= top + 4 if above else box[1] >= bottom - 4)]
        found = _grown(side, lines, top if above else bottom, above, left, right)
        if found is not None and found[2] - found[0] > 40 and found[3] - found[1] > 30:
            return found
    return None


def _grown(
    boxes: list[Box], lines: list[Line], edge: float, above: bool, left: float, right: float
) -> Box | None:
    """The boxes next to an edge, joined as long as no running text stands between them."""
    body = [line.box for line in lines if _running(line, left, right)]
    found: Box | None = None
    for box in sorted(boxes, key=lambda box: -box[3] if above else box[1]):
        reach = edge if found is None else (found[1] if above else found[3])
        gap = (reach - box[3]) if above else (box[1] - reach)
        low, high = (box[3], reach) if above else (reach, box[1])
        if gap > (60 if found else _LABELS) or any(low < (text[1] + text[3]) / 2 < high for text in body):
            break
        found = box if found is None else _union(found, box)
    if found is None:
        return None
    for _ in range(2):  # labels of axes, then what stands beside them
        for line in lines:
            for piece in line.pieces:
                near = (
                    piece.x1 > found[0] - 14
                    and piece.x0 < found[2] + 14
                    and piece.y1 > found[1] - 14
                    and piece.y0 < found[3] + 14
                )
                beyond = piece.y1 > edge + 1 if above else piece.y0 < edge - 1
                if near and not beyond and len(piece.text.strip()) < 40 and left - 6 <= piece.x0 <= right + 6:
                    found = _union(found, (piece.x0, piece.y0, piece.x1, piece.y1))
    return found


def _running(line: Line, left: float, right: float) -> bool:
    """Whether a line is running text of the column, not a label in a drawing or a row of an axis' numbers."""
    x0, _, x1, _ = line.box
    if sum(letter.isalpha() for letter in line.text) < 0.5 * len(line.text.replace(" ", "")):
        return False
    return x0 >= left - 6 and x1 <= right + 6 and len(line.text) > 30 and x1 - x0 > 0.5 * (right - left)


def _union(a: Box, b: Box) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def rows_of(lines: list[Line], start: int) -> list[list[str]]:
    """Cells of the lines that follow a table's caption and stand in columns; as found, nothing is mended."""
    rows: list[list[str]] = []
    skipped = 0
    for line in lines[start:]:
        cells = line.cells
        if len(cells) > 1:
            rows.append(cells)
        elif rows or skipped > 3:
            break
        else:
            skipped += 1
    return rows


def is_equation(line: Line) -> bool:
    """A line with an equals sign and hardly a word; with a number at its end, also one that is mostly not words."""
    text = EQUATION.sub("", line.text)
    words = sum(map(len, re.findall(r"[A-Za-z]{4,}", text)))
    letters = len(text.replace(" ", ""))
    if text == line.text:
        return "=" in text and letters > 3 and words < 0.1 * letters
    return letters > 0 and ("=" in text or words < 0.4 * letters)
