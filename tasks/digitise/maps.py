"""Maps: colours inside a panel inverted to values through a colour bar beside it, each with its error; read off the rendered page."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import maximum_filter, median_filter, minimum_filter

from schemas.documents.digitised import Side
from tasks.digitise.axes import Axis
from tasks.digitise.frames import Box, Frame, Lines, with_ticks
from tasks.digitise.page import Page, Stroke
from tasks.digitise.scale import Scale

THIN, LONG, SLIM = (3.0, 45.0), 45.0, 4.0  # points: a bar's sides, and how much longer one is
_SAME = 5.0  # distance of colours (of 255) that are one colour, drawn twice
_FAR = 20.0  # farther from every colour of the bar a pixel is something else: a line, letters, nothing
_FILLED = 0.6  # of a panel: less is no map
_MOST = 80  # points of a map along an axis
_AMBIGUOUS = 0.2  # of a bar's length: colours that stand at places so far apart tell no value
_CLIPPED = (
    0.02,
    8,
)  # of a map's points, and times those of the next colour: so many of the last one are cut off
_OUTLINE = 10.0  # of 255, between neighbours: more than a bar's colours change from pixel to pixel
_EDGE = 2  # pixels at a frame's edge that its line covers
_NO_SCALE = Scale("linear", 1.0, 0.0, 0.0)  # to see whether there is a map at all
Floats = NDArray[np.float64]


@dataclass
class Bar:
    """A colour bar: its frame, its axis or why it has none, the colours along it (n, 3) and their places (points)."""

    frame: Frame
    upright: bool
    axis: Axis | None = None
    refused: str = ""
    colours: Floats = field(default_factory=lambda: np.empty((0, 3)))
    places: Floats = field(default_factory=lambda: np.empty(0))


@dataclass
class Map:
    """A map: places x and y (points) with values and their errors, (rows, columns); NaN where the colour tells no value.

    off: how far the places may be off, points. known: the part of it that has values. bar, scale: what its colours mean.
    beyond: words about points that may lie beyond the bar.
    """

    x: Floats
    y: Floats
    values: Floats
    errors: Floats
    off: float
    bar: Bar
    scale: Scale
    name: str = ""
    beyond: str = ""

    @property
    def known(self) -> float:
        """The part of its points that have a value."""
        return float(np.isfinite(self.values).mean())

    def colour_of(self, values: Floats) -> list[list[tuple[int, int, int] | None]]:
        """The colours that values have on the bar; None for NaN."""
        places = self.bar.places
        nearest = np.abs(places[None] - np.nan_to_num(self.scale.places(values.ravel()))[:, None]).argmin(1)
        colours = self.bar.colours[nearest].round().astype(int).tolist()
        known = np.isfinite(values).ravel().tolist()
        flat = [(c[0], c[1], c[2]) if there else None for c, there in zip(colours, known, strict=True)]
        wide = values.shape[1]
        return [flat[start : start + wide] for start in range(0, len(flat), wide)]


def bars_of(strokes: Sequence[Stroke], frames: Sequence[Frame], level: Lines, upright: Lines) -> list[Bar]:
    """Slim rectangles outside of all panels, which may be colour bars; whether they are, their colours and numbers say."""
    found: list[Bar] = []
    for stroke in strokes:
        for run in stroke.runs[:4]:
            (x0, y0), (x1, y1) = run.min(0).tolist(), run.max(0).tolist()
            short, long = sorted((x1 - x0, y1 - y0))
            steps = np.abs(np.diff(run, axis=0)).min(1)
            if not (4 <= len(run) <= 8 and THIN[0] < short < THIN[1] and long > max(LONG, SLIM * short)):
                continue
            if steps.max() > 0.1 or any(_meets((x0, y0, x1, y1), f.box) for f in frames):
                continue
            box = (x0, y0, x1, y1)
            if len(found) < 20 and not any(_close(box, bar.frame.box) for bar in found):
                found.append(Bar(with_ticks(box, level, upright, slim=True), y1 - y0 > x1 - x0))
    return found


def _meets(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


def _close(a: Box, b: Box) -> bool:
    return max(abs(p - q) for p, q in zip(a, b, strict=True)) < 2


def with_axes(bars: Sequence[Bar], axes: Sequence[dict[Side, Axis]], page: Page) -> list[Bar]:
    """The bars that have colours along them, with their axis where they have one."""
    rgb = colours_of(page) if bars else None
    kept = []
    for bar, found in zip(bars, axes, strict=True):
        sides: tuple[Side, Side] = ("right", "left") if bar.upright else ("bottom", "top")
        bar.axis = next((found[side] for side in sides if found[side].scale is not None), None)
        bar.refused = next(
            (found[side].refused for side in sides if found[side].words), "no numbers stand beside it"
        )
        if rgb is not None and _gradient(bar, rgb, page):
            kept.append(bar)
    return kept


def colours_of(page: Page) -> NDArray[np.uint8]:
    """The page as rendered, (rows, columns, 3)."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(page.picture), formats=("PNG",)) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)


def _pixels(page: Page, box: Box) -> tuple[int, int, int, int]:
    """left, top, right, bottom of a box in pixels. Places of a picture are those of its pixels' middles."""
    s, (left, low), own = page.scale, page.corner, 0 if page.strokes else 1
    return (
        round((box[0] - left) * s), round((page.size[1] - (box[3] - low)) * s) - own,
        round((box[2] - left) * s) + own, round((page.size[1] - (box[1] - low)) * s),
    )  # fmt: skip


def _gradient(bar: Bar, rgb: NDArray[np.uint8], page: Page) -> bool:
    """Take the colours along a bar; whether they change along it and not across."""
    left, top, right, bottom = _pixels(page, bar.frame.box)
    part = rgb[top + _EDGE : bottom - _EDGE, left + _EDGE : right - _EDGE].astype(float)
    if min(part.shape[:2]) < 3:
        return False
    if not bar.upright:
        part = part.transpose(1, 0, 2)[::-1]
    wide = part.shape[1]
    middle = part[:, wide // 4 : max(wide - wide // 4, wide // 4 + 1)]
    line = np.median(middle, axis=1)
    line = np.column_stack([median_filter(line[:, k], 3, mode="nearest") for k in range(3)])
    even = np.abs(middle - line[:, None]).max(2)
    if np.mean(np.median(even, axis=1) < 12) < 0.8:
        return False
    if len(np.unique(line.round(), axis=0)) < 4 or np.abs(np.diff(line, axis=0)).sum() < 60:
        return False
    y0, y1 = (bar.frame.box[1], bar.frame.box[3]) if bar.upright else (bar.frame.box[0], bar.frame.box[2])
    rows = len(line)
    inner = _without_outline(line[::-1])
    bar.colours = line[::-1][inner]
    bar.places = (y0 + (y1 - y0) * (np.arange(rows) + 0.5 + _EDGE) / (rows + 2 * _EDGE))[inner]
    return True


def _without_outline(line: Floats) -> slice:
    """The colours (n, 3) of a bar without those at its ends that its outline is mixed into: single ones that differ much."""
    changed = np.flatnonzero(np.abs(np.diff(line, axis=0)).max(1) > _OUTLINE)
    start, end = 0, len(line)
    for place in changed.tolist():
        start = place + 1 if place - start < 2 and place < 6 else start
    for place in changed[::-1].tolist():
        end = place + 1 if end - place - 1 <= 2 and place > len(line) - 8 else end
    return slice(start, end)


def map_in(box: Box, bars: Sequence[Bar], page: Page, same: float = _SAME) -> Map | str:
    """The map of a panel. Returns why there is none where it looks like one; empty where nothing does.

    same: distance of colours that are one, larger in a JPEG.
    """
    near = sorted(((gap, k) for k, bar in enumerate(bars) if (gap := _beside(box, bar)) is not None))
    if not near:
        return ""
    bar = bars[near[0][1]]
    scale = bar.axis.scale if bar.axis is not None else None
    rgb = colours_of(page)
    left, top, right, bottom = _pixels(page, box)
    part = rgb[top + _EDGE : bottom - _EDGE, left + _EDGE : right - _EDGE]
    if min(part.shape[:2]) < 12:
        return ""
    columns, rows = _points(part, 1), _points(part, 0)
    values, errors, nearest, matched, unclear = _inverted(part, columns, rows, bar, scale or _NO_SCALE, same)
    if matched < _FILLED:
        return ""
    if bar.axis is None or scale is None:
        return f"a map whose colour bar has no scale: {bar.refused}"
    if len(near) > 1 and near[1][0] - near[0][0] < 3:
        return "a map with two colour bars beside it"
    if unclear > 0.1:
        return "a map whose colours stand at several places of its colour bar, so that they tell no value"
    s, (x_left, low), own = page.scale, page.corner, 0.0 if page.strokes else 0.5
    x = np.asarray(x_left + (left + _EDGE + columns + 0.5) / s - own, np.float64)
    y = np.asarray(low + page.size[1] - (top + _EDGE + rows + 0.5) / s - own, np.float64)
    clipped = [(end, at) for end in (0, -1) if (at := _clipped(nearest, bar, scale, end)).any()]
    for _, at in clipped:
        values[at] = errors[at] = np.nan
    beyond = "; ".join(
        f"{int(at.sum())} points have the last colour of the bar, at {_end_value(bar, scale, end):.4g}, and may lie beyond it: no value"
        for end, at in clipped
    )
    return Map(x, y, values, errors, 0.5 / s, bar, scale, bar.axis.title, beyond)


def _ends(bar: Bar) -> tuple[float, float]:
    """Where a bar begins and ends, points."""
    k = 1 if bar.upright else 0
    return bar.frame.box[k], bar.frame.box[k + 2]


def _end_value(bar: Bar, scale: Scale, end: int) -> float:
    return float(scale.values(np.array([_ends(bar)[end]]))[0])


def _clipped(nearest: NDArray[np.int64], bar: Bar, scale: Scale, end: int) -> NDArray[np.bool_]:
    """Which points have the colour of a bar's end (0, -1) because their values are cut there: far more than have those next to it.

    nearest: places on the bar, -1 where the colour is none of it. A bar that ends at nought, as an intensity's, cuts nothing there.
    """
    changes = np.flatnonzero(np.abs(np.diff(bar.colours, axis=0)).max(1) > 0.5)
    if end:
        changes = len(bar.colours) - 2 - changes[::-1]
        nearest = np.where(nearest >= 0, len(bar.colours) - 1 - nearest, -1)
    at = (nearest >= 0) & (nearest <= changes[0])
    beside = [
        int(((nearest > a) & (nearest <= b)).sum()) for a, b in zip(changes[:2], changes[1:3], strict=True)
    ]
    value, other = _end_value(bar, scale, end), _end_value(bar, scale, -1 - end)
    nought = scale.kind == "linear" and abs(value) < 0.01 * abs(other - value)
    many = at.sum() > max(_CLIPPED[0] * (nearest >= 0).sum(), _CLIPPED[1] * max([*beside, 1]))
    return at if many and not nought else np.zeros(at.shape, bool)


def _beside(box: Box, bar: Bar) -> float | None:
    """How far a bar stands from a panel, along whose side it runs; None where it does not."""
    b, k = bar.frame.box, 1 if bar.upright else 0
    shared = min(box[k + 2], b[k + 2]) - max(box[k], b[k])
    if shared < 0.5 * (b[k + 2] - b[k]):
        return None
    other = 1 - k
    gap = max(b[other] - box[other + 2], box[other] - b[other + 2])
    return gap if -1 < gap < 0.8 * (box[other + 2] - box[other]) else None


def _points(part: NDArray[np.uint8], axis: int) -> NDArray[np.int64]:
    """Which columns (axis 1) or rows are read: the middle of each cell where cells of one colour are seen, else even steps."""
    steps = np.abs(np.diff(part.astype(np.int16), axis=axis)).sum(2)
    changed = (steps > 3).mean(1 - axis) > 0.1
    count = part.shape[axis]
    edges = np.flatnonzero(changed)
    if 3 < len(edges) and changed.mean() < 0.67:
        groups = np.split(edges, np.flatnonzero(np.diff(edges) > 1) + 1)
        middles = np.array([group.mean() + 0.5 for group in groups])
        sides = np.concatenate([[-0.5], middles, [count - 0.5]])
        size = float(np.median(np.diff(middles))) if len(middles) > 2 else 0.0
        if size >= 3 and np.mean(np.abs(np.diff(middles) / size - 1) < 0.35) > 0.8:
            found = np.concatenate([_cells(a, b, size) for a, b in zip(sides[:-1], sides[1:], strict=True)])
            step = max(1, int(np.ceil(len(found) / (2 * _MOST))))
            return np.clip(np.round(found[::step]), 0, count - 1).astype(np.int64)
    return np.unique(np.linspace(1, count - 2, min(_MOST, max(count // 2, 2))).round().astype(np.int64))


def _cells(start: float, end: float, size: float) -> Floats:
    """The middles of the cells between two edges that were seen; neighbours of nearly one colour have none between them."""
    count = round((end - start) / size)
    return start + (end - start) * (np.arange(count) + 0.5) / max(count, 1)


def _inverted(
    part: NDArray[np.uint8],
    columns: NDArray[np.int64],
    rows: NDArray[np.int64],
    bar: Bar,
    scale: Scale,
    same: float,
) -> tuple[Floats, Floats, NDArray[np.int64], float, float]:
    """Values, errors and nearest places on the bar (-1: none) at these columns and rows; the part of them whose colour is one of the
    bar's, and the part that is unclear.

    The error spans the bar's places whose colour is as near as drawing twice leaves open, and the colours right beside the point.
    """
    palette = bar.colours
    step = float(np.median(np.abs(np.diff(bar.places))))
    low_end, high_end = _ends(bar)
    places = np.full((len(rows), len(columns)), -1)
    lowest = np.full((len(rows), len(columns)), np.nan)
    highest, unclear = lowest.copy(), np.zeros(lowest.shape, bool)
    matched = np.zeros(lowest.shape, bool)
    patch = part.astype(float)
    spread = np.max(
        [maximum_filter(patch[..., k], 3) - minimum_filter(patch[..., k], 3) for k in range(3)], axis=0
    )[rows[:, None], columns[None]]
    for number, row in enumerate(rows):
        colours = patch[row, columns]
        apart = np.sqrt(((colours[:, None] - palette[None]) ** 2).sum(2))
        nearest = apart.min(1)
        near = apart <= nearest[:, None] + same + np.minimum(spread[number], 2 * _FAR)[:, None] * 0.5
        first, last = near.argmax(1), near.shape[1] - 1 - near[:, ::-1].argmax(1)
        found = nearest < _FAR
        wide = (last - first) > _AMBIGUOUS * len(palette)
        holes = wide & (near.sum(1) < 0.6 * (last - first + 1))
        matched[number] = found
        unclear[number] = found & holes
        good = found & ~holes
        places[number, good] = apart.argmin(1)[good]
        # the last colours of the bar lie under its frame's line
        lowest[number, good] = np.where(first == 0, low_end, bar.places[first])[good]
        highest[number, good] = np.where(last == len(palette) - 1, high_end, bar.places[last])[good]
    ends = scale.values(lowest), scale.values(highest)
    values = (ends[0] + ends[1]) / 2
    with np.errstate(invalid="ignore"):
        errors = np.abs(ends[1] - ends[0]) / 2 + (step + scale.residual) * scale.per_point(
            (lowest + highest) / 2
        )
    return values, errors, places, float(matched.mean()), float(unclear.mean())
