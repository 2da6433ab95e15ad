"""Small shapes that are drawn again and again: markers, by form, colour and size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tasks.digitise.page import Stroke

LARGEST = 16.0  # points
_SAME_SIZE = 0.45
_OFF_CENTRE = {
    "triangle": 0.18,
    "polygon": 0.12,
    "star": 0.12,
}  # of the side: where a program may think its centre is
_ROUNDING = 0.06  # points
Colour = tuple[int, int, int, int]


@dataclass
class Markers:
    """Markers of one form, colour and size. centres: (n, 2), points; error: of a centre, points."""

    form: str
    fill: Colour | None
    stroke: Colour | None
    side: float
    members: list[Stroke]

    @property
    def centres(self) -> NDArray[np.float64]:
        """The middle of each marker's box, in the order of drawing."""
        return np.array([centre(member) for member in self.members])

    @property
    def error(self) -> float:
        """How far a middle may lie from where the program that drew it meant it, points."""
        return _ROUNDING + _OFF_CENTRE.get(self.form, 0.0) * self.side

    @property
    def colour(self) -> Colour:
        """Of its edge where it has one, else of its face; a white face has the colour of its edge."""
        return self.stroke or self.fill or (0, 0, 0, 255)

    @property
    def look(self) -> tuple[object, ...]:
        """What tells it from other markers."""
        return self.form, self.fill, self.stroke

    def alike(self, other: Markers) -> bool:
        """Whether both look the same."""
        return self.look == other.look and abs(self.side - other.side) < _SAME_SIZE


def centre(stroke: Stroke) -> tuple[float, float]:
    """The middle of a path's box."""
    x0, y0, x1, y1 = stroke.box
    return (x0 + x1) / 2, (y0 + y1) / 2


def form_of(stroke: Stroke) -> str:
    """circle, square, diamond, triangle, polygon, star, plus, cross; empty for what is no marker."""
    x0, y0, x1, y1 = stroke.box
    width, height = x1 - x0, y1 - y0
    if not (0.8 < max(width, height) <= LARGEST) or min(width, height) < 0.7 * max(width, height):
        return ""
    if len(stroke.runs) == 2 and all(len(run) == 2 for run in stroke.runs) and stroke.stroke is not None:
        return _crossing(stroke.runs, stroke.box)
    if len(stroke.runs) != 1:
        return ""
    run = stroke.runs[0]
    if not (stroke.closed[0] or stroke.fill is not None or np.abs(run[0] - run[-1]).max() < 0.05):
        return ""
    ring = run[:-1] if np.abs(run[0] - run[-1]).max() < 0.05 else run
    ring = _corners(ring)
    if len(ring) < 3:
        return ""
    turns = _turns(ring)
    convex = bool((turns > -1e-9).all() or (turns < 1e-9).all())
    if not convex:
        return "star" if len(ring) in (8, 10, 12) and _alternates(turns) else ""
    if len(ring) == 3:
        return "triangle"
    if len(ring) == 4:
        sides = np.abs(np.roll(ring, -1, axis=0) - ring)
        if sides.min(1).max() < 0.1:
            return "square"
        middle = ring.mean(0)
        return "diamond" if np.abs(ring - middle).min(1).max() < 0.1 * max(width, height) else ""
    if len(ring) < 8:
        return "polygon"
    radii = np.hypot(*(ring - np.array(centre(stroke))).T)
    return "circle" if radii.max() < 1.15 * radii.min() else ""


def _corners(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without points on straight stretches."""
    turns = _turns(ring)
    sides = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    kept = np.abs(turns) > 1e-3 * np.maximum(sides * np.roll(sides, 1), 1e-12)
    return np.asarray(ring[kept], dtype=float)


def _turns(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    return before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]


def _alternates(turns: NDArray[np.float64]) -> bool:
    signs = np.sign(turns)
    return bool((signs[::2] == signs[0]).all() and (signs[1::2] == -signs[0]).all())


def _crossing(runs: Sequence[NDArray[np.float64]], box: tuple[float, float, float, float]) -> str:
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
    if any(np.abs(run.mean(0) - middle).max() > 0.15 for run in runs):
        return ""
    level = [bool(np.abs(run[1] - run[0]).min() < 0.05) for run in runs]
    return "plus" if all(level) else "" if any(level) else "cross"


def groups_of(strokes: Sequence[Stroke]) -> list[Markers]:
    """Markers by look, in the order of drawing; a form that stands alone is a group of one."""
    found: list[Markers] = []
    by_look: dict[tuple[object, ...], list[Markers]] = {}
    for stroke in strokes:
        form = form_of(stroke)
        if not form:
            continue
        side = max(stroke.box[2] - stroke.box[0], stroke.box[3] - stroke.box[1])
        one = Markers(form, stroke.fill, stroke.stroke, side, [stroke])
        mine = by_look.setdefault(one.look, [])
        same = next((group for group in mine if group.alike(one)), None)
        if same is not None:
            same.members.append(stroke)
        elif len(mine) < 50:
            mine.append(one)
            found.append(one)
    return found
