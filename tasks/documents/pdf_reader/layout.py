"""Reading order: pieces of lines on a page, in points from its top left corner, as columns of lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """A piece of a line: left, top, right, bottom (points, downwards), its words and the size of its letters."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    size: float = 10.0


@dataclass
class Line:
    """A line of one column: its pieces from left to right. cells: pieces apart from each other, as in a table."""

    pieces: list[Piece]
    column: int = 0  # 0: over the whole width, 1: left, 2: right

    @property
    def box(self) -> tuple[float, float, float, float]:
        """left, top, right, bottom"""
        return (
            min(p.x0 for p in self.pieces),
            min(p.y0 for p in self.pieces),
            max(p.x1 for p in self.pieces),
            max(p.y1 for p in self.pieces),
        )

    @property
    def text(self) -> str:
        """The words of the line."""
        return " ".join(piece.text.strip() for piece in self.pieces if piece.text.strip())

    @property
    def size(self) -> float:
        """The size of most of its letters."""
        return max(self.pieces, key=lambda piece: len(piece.text)).size

    @property
    def cells(self) -> list[str]:
        """Words with wide gaps between them."""
        found = [self.pieces[0].text.strip()]
        for before, piece in zip(self.pieces, self.pieces[1:], strict=False):
            if piece.x0 - before.x1 > 1.2 * max(before.size, 4):
                found.append(piece.text.strip())
            else:
                found[-1] += " " + piece.text.strip()
        return [cell for cell in found if cell]


def gutter(pieces: list[Piece], width: float) -> float | None:
    """The middle between two columns, or None on a page of one column.

    It is where the fewest pieces cross, near the middle; two columns have many pieces on both sides of it, side by side.
    """
    wide = [piece for piece in pieces if len(piece.text.strip()) > 1]
    best = min(
        (width * step / 200 for step in range(84, 117)),
        key=lambda x: (_crossing(wide, x), abs(x - width / 2)),
    )
    left, right = [p for p in wide if p.x1 <= best], [p for p in wide if p.x0 >= best]
    beside = sum(any(p.y0 < q.y1 and q.y0 < p.y1 for q in right) for p in left)
    full = [p for p in left + right if p.x1 - p.x0 > 0.25 * width]
    if (
        min(len(left), len(right)) < 3
        or beside < 3
        or len(full) < 4
        or _crossing(wide, best) > 0.4 * len(wide)
    ):
        return None
    return best


def _crossing(pieces: list[Piece], x: float) -> int:
    return sum(piece.x0 < x - 1 and piece.x1 > x + 1 for piece in pieces)


def reading_order(pieces: list[Piece], width: float) -> list[Line]:
    """The lines in the order people read them: bands between lines over the whole width, in each the left column first."""
    middle = gutter(pieces, width)
    if middle is None:
        return lines_of(pieces, 0)
    across = [piece for piece in pieces if piece.x0 < middle - 1 and piece.x1 > middle + 1]
    ordered: list[Line] = []
    bounds = sorted(across, key=lambda piece: piece.y0)
    rest = [piece for piece in pieces if piece not in across]
    for line in lines_of(bounds, 0):
        top = line.box[1]
        above = [piece for piece in rest if (piece.y0 + piece.y1) / 2 < top]
        rest = [piece for piece in rest if piece not in above]
        ordered += _columns(above, middle)
        same = [piece for piece in rest if (piece.y0 + piece.y1) / 2 < line.box[3]]
        rest = [piece for piece in rest if piece not in same]
        ordered.append(Line(sorted([*line.pieces, *same], key=lambda piece: piece.x0)))
    return ordered + _columns(rest, middle)


def _columns(pieces: list[Piece], middle: float) -> list[Line]:
    return lines_of([p for p in pieces if p.x0 + p.x1 < 2 * middle], 1) + lines_of(
        [p for p in pieces if p.x0 + p.x1 >= 2 * middle], 2
    )


def lines_of(pieces: list[Piece], column: int) -> list[Line]:
    """Pieces of one column as lines from top to bottom; pieces whose heights overlap by half stand on one line."""
    lines: list[Line] = []
    for piece in sorted(pieces, key=lambda piece: (piece.y0 + piece.y1, piece.x0)):
        if lines:
            _, top, _, bottom = lines[-1].box
            if min(bottom, piece.y1) - max(top, piece.y0) > 0.5 * min(bottom - top, piece.y1 - piece.y0):
                lines[-1].pieces.append(piece)
                continue
        lines.append(Line([piece], column))
    for line in lines:
        line.pieces.sort(key=lambda piece: piece.x0)
    return lines
