"""A page's panels: frames with their axes, and the curves that belong to each; what is not certain is refused with its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from schemas.documents.digitised import Side
from tasks.digitise.agreement import disagreeing
from tasks.digitise.axes import Axis
from tasks.digitise.curves import (
    Drawn,
    belongs_to_frame,
    level_or_upright,
    lines_in,
    markers_in,
    words_for,
)
from tasks.digitise.error_bars import Bars, bars_through
from tasks.digitise.frames import Frame, frames_of, inside, straight_lines
from tasks.digitise.ink import Ink
from tasks.digitise.labels import plain
from tasks.digitise.legend import Entry, legend_of
from tasks.digitise.lines import new_budget
from tasks.digitise.maps import Bar, Map, bars_of, map_in, with_axes
from tasks.digitise.markers import LARGEST, Markers, groups_of
from tasks.digitise.naming import name_curves, once, own_series, whole
from tasks.digitise.no_curves import (
    filled_words,
    without_arrows,
    without_cells,
    without_connectors,
    without_contours,
)
from tasks.digitise.outlined import with_dashes
from tasks.digitise.page import Page, Stroke
from tasks.digitise.page_axes import all_axes
from tasks.digitise.scale import Scale
from tasks.digitise.work_clock import Clock

MAX_PANELS = 60
_OPAQUE = 200  # of 255
_BELOW = 40.0  # points: how far slanted labels reach


@dataclass
class Panel:
    """A frame with what was read of it. x, y: its axes by side, those with a scale and those without."""

    frame: Frame
    axes: dict[Side, Axis] = field(default_factory=dict)
    curves: list[Drawn] = field(default_factory=list)
    refused: str = ""
    not_read: list[str] = field(default_factory=list)
    map: Map | None = None


def panels_of(page: Page) -> list[Panel]:
    """All panels of a page from top to bottom and left to right. Raises InputError for a page that takes too long."""
    clock = Clock()
    page.strokes = with_dashes(page.strokes)
    level, upright = straight_lines(page.strokes)
    frames, boxes = frames_of(page.strokes, level, upright)
    clock.check()
    frames = frames[:MAX_PANELS]
    if not frames:
        return []
    bars = bars_of(page.strokes, frames, level, upright)
    found = all_axes(page, [*frames, *(bar.frame for bar in bars)], clock)
    panels = [Panel(frame, axes) for frame, axes in zip(frames, found[: len(frames)], strict=True)]
    _slanted(page, panels)
    bars = with_axes(bars, found[len(frames) :], page)
    taken = {id(word) for bar in bars if bar.axis for word in bar.axis.words}
    page.words = [word for word in page.words if id(word) not in taken]  # they name no curve
    _suspect(page, panels)
    share(panels)
    clock.check()
    _fill(page, panels, boxes, clock)
    for panel in panels:
        settle(panel)
        clock.check()
        _map(page, panel, bars)
    panels = [panel for panel in panels if not _nothing(panel)]
    return sorted(panels, key=lambda panel: (-round(panel.frame.box[3] / 40), panel.frame.box[0]))


def _map(page: Page, panel: Panel, bars: Sequence[Bar]) -> None:
    """Read the map of a panel whose axes are known."""
    if panel.refused or not bars:
        return
    found = map_in(panel.frame.box, bars, page)
    if isinstance(found, Map):
        panel.map = found
        cells = re.compile(
            r"filled shapes|filled region|bars on one base|squares edge to edge|picture drawn inside|single square marks"
        )
        panel.not_read = [words for words in panel.not_read if not cells.search(words)]
        panel.not_read += [found.beyond] if found.beyond else []
        panel.curves = [curve for curve in panel.curves if not _cell_like(curve)]
    elif found:
        panel.not_read.append(found)


def _cell_like(curve: Drawn) -> bool:
    return curve.kind == "points" and curve.marker == "square" and not curve.name


def _nothing(panel: Panel) -> bool:
    """Whether it is no panel: no number beside it, and no line in it."""
    return (
        not any(axis.labels or axis.words for axis in panel.axes.values())
        and not panel.curves
        and not panel.not_read
    )


def _slanted(page: Page, panels: list[Panel]) -> None:
    """Say of axes without numbers that slanted ones stand at them."""
    places = np.array(page.slanted).reshape(-1, 2)
    for panel in panels:
        x0, y0, x1, y1 = panel.frame.box
        for side, k, start, end in (("bottom", 0, y0 - _BELOW, y0), ("left", 1, x0 - _BELOW, x0)):
            axis = panel.axes[side]  # type: ignore[index]
            along, across = places[:, k], places[:, 1 - k]
            low, high = (x0, x1) if k == 0 else (y0, y1)
            near = (along > low - _BELOW) & (along < high + 5) & (across > start) & (across < end)
            if axis.silent and near.sum() > 2:
                axis.refused = "its labels are slanted, and slanted numbers are not read"


def share(panels: list[Panel]) -> None:
    """Panels in a column, or in a row, that share the axis whose numbers stand at one of them only."""
    for panel in panels:
        for side, k in (("bottom", 0), ("left", 1)):
            axis = panel.axes[side]  # type: ignore[index]
            opposite = panel.axes["top" if k == 0 else "right"]
            if axis.words or opposite.words or not axis.silent:
                continue
            options = []
            for other in panels:
                theirs = other.axes[side]  # type: ignore[index]
                box, mine = other.frame.box, panel.frame.box
                if (
                    theirs.scale is None
                    or other is panel
                    or abs(box[k] - mine[k]) > 0.6
                    or abs(box[k + 2] - mine[k + 2]) > 0.6
                ):
                    continue
                ticks, known = panel.frame.ticks[side], other.frame.ticks[side]  # type: ignore[index]
                if len(ticks) > 2 and all(np.abs(known - tick).min() < 0.15 for tick in ticks):
                    options.append((abs(box[1 - k] - mine[1 - k]), theirs))
            if options:
                theirs = min(options, key=lambda option: option[0])[1]
                panel.axes[side] = Axis(  # type: ignore[index]
                    side, list(theirs.labels), [], theirs.scale, "", theirs.factor, theirs.title,  # type: ignore[arg-type]
                    not_compared=theirs.not_compared,
                )  # fmt: skip


def _suspect(page: Page, panels: list[Panel]) -> None:
    """Take the scale from axes whose labels have ink beside them that no letter explains."""
    ink: Ink | None = None
    for panel in panels:
        for axis in panel.axes.values():
            if axis.scale is None or not axis.words:
                continue
            ink = ink or Ink(page, [panel.frame.box for panel in panels])
            odd = [word for word in axis.words if ink.unexplained(word)]
            if odd:
                axis.scale = None
                axis.refused = (
                    f"ink beside {plain(odd[0].text)!r} that is no letter of the text: a lost sign or power?"
                )
    left = [a for panel in panels for a in panel.axes.values() if a.scale is not None and a.words]
    off, unseen = disagreeing(page, [axis.words for axis in left])
    for place, why in unseen.items():
        left[place].not_compared = why
    for place, why in off.items():
        left[place].scale, left[place].refused = None, why


def _fill(
    page: Page, panels: list[Panel], boxes: list[tuple[float, float, float, float]], clock: Clock
) -> None:
    """Give every line and marker to the smallest frame that holds it, and read it there."""
    frames = [panel.frame for panel in panels]
    holders = sorted(
        [*((f.box, n) for n, f in enumerate(frames)), *((box, -1) for box in boxes)],
        key=lambda h: _area(h[0]),
    )
    small = [
        s for s in page.strokes if max(s.box[2] - s.box[0], s.box[3] - s.box[1]) <= LARGEST and s.visible
    ]
    groups = groups_of([s for s in small if not all(belongs_to_frame(run, frames) for run in s.runs)])
    in_groups = {member.order for group in groups for member in group.members}
    free = _free_lines(page, frames, in_groups, clock)
    labels = {id(word) for panel in panels for axis in panel.axes.values() for word in axis.words}
    words = [word for word in page.words if id(word) not in labels]
    samples = [(stroke, run) for stroke, runs in free for run in runs if stroke.stroke is not None]
    entries = legend_of(samples, groups, words)
    sampled = {order for entry in entries for order in entry.strokes}
    covers = _covers(page, in_groups)
    budget = new_budget()
    mine: dict[int, list[tuple[Stroke, list[np.ndarray]]]] = {}
    boxed: dict[tuple[float, ...], list[Stroke]] = {}
    for stroke, runs in free:
        if stroke.order in sampled:
            runs = [run for run in runs if not _is_sample(run, entries)]
        holder = next(((box, n) for box, n in holders if inside(stroke.seen, box, 1.5)), None)
        if not runs:
            pass
        elif holder is None:
            _leaving(stroke, panels)
        elif holder[1] < 0:
            boxed.setdefault(holder[0], []).append(stroke)
        else:
            mine.setdefault(holder[1], []).append((stroke, runs))
    for number, panel in enumerate(panels):
        clock.check()
        local = [e for e in entries if inside(e.box, panel.frame.box)]
        free_entries = [e for e in entries if not any(inside(e.box, frame.box) for frame in frames)]
        lines, bars = bars_through(mine.get(number, []), groups, sampled)
        found = lines_in(panel.frame, lines, covers, [*local, *free_entries], budget)
        panel.curves, panel.not_read = found.curves, panel.not_read + found.not_read
        _left_out(panel, without_arrows(panel.curves, panel.frame, page.strokes))
        _left_out(panel, without_connectors(panel.curves, frames, page.strokes))
        _left_out(panel, without_contours(panel.curves, panel.not_read))
        _points(
            panel, groups, holders, number, sampled, bars, own_series(local or free_entries, panel.curves)
        )
        _left_out(panel, without_cells(panel.curves))
        _filled(page, panel, in_groups, holders, number)
        name_curves(panel.curves, local or free_entries)
        panel.curves = whole(once(panel.curves))
        for box, strokes in boxed.items():
            if inside(box, panel.frame.box):  # type: ignore[arg-type]
                panel.not_read.append(f"{len(strokes)} lines in a box without ticks")
        names = {curve.name for curve in panel.curves}
        panel.not_read += [
            f"legend: {entry.words[:80]!r} has no curve"
            for entry in local
            if not entry.used and entry.words not in names
        ]
        if any(inside(picture, panel.frame.box) and _area(picture) > 25 for picture in page.pictures):
            panel.not_read.append("a picture drawn inside")


def _free_lines(
    page: Page, frames: Sequence[Frame], in_groups: set[int], clock: Clock
) -> list[tuple[Stroke, list[np.ndarray]]]:
    """Strokes with those of their runs that are no part of a frame and of no marker."""
    free: list[tuple[Stroke, list[np.ndarray]]] = []
    for number, stroke in enumerate(page.strokes):
        if number % 200 == 0:
            clock.check()
        if stroke.stroke is None or stroke.fill is not None and not all(len(run) == 2 for run in stroke.runs):
            continue
        if stroke.order in in_groups or not stroke.visible:
            continue
        runs = [
            run
            for run, closed in zip(stroke.runs, stroke.closed, strict=True)
            if not belongs_to_frame(run, frames) and not (closed and len(run) <= 6 and level_or_upright(run))
        ]
        if runs:
            free.append((stroke, runs))
    return free


def _covers(page: Page, in_groups: set[int]) -> list[Stroke]:
    """What may hide lines drawn before it."""
    return [
        stroke for stroke in page.strokes
        if stroke.fill is not None and stroke.fill[3] >= _OPAQUE and _area(stroke.box) > 9 and stroke.order not in in_groups
    ]  # fmt: skip


def _is_sample(run: np.ndarray, entries: Sequence[Entry]) -> bool:
    """Whether a run is a legend's sample; some programs draw it with its curve in one path."""
    (x0, y0), (x1, y1) = run.min(0).tolist(), run.max(0).tolist()
    return any(
        max(abs(a - b) for a, b in zip((x0, y0, x1, y1), entry.box, strict=True)) < 0.1
        or inside((x0, y0, x1, y1), entry.box, 0.1)
        and len(run) < 4
        for entry in entries
    )


def _area(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _leaving(stroke: Stroke, panels: list[Panel]) -> None:
    x0, y0, x1, y1 = stroke.seen
    for panel in panels:
        box = panel.frame.box
        if min(x1, box[2]) - max(x0, box[0]) > 2 and min(y1, box[3]) - max(y0, box[1]) > 2:
            panel.not_read.append(f"{words_for(stroke)}: a line that leaves the frame")


def _points(
    panel: Panel,
    groups: list[Markers],
    holders: Sequence[tuple[Sequence[float], int]],
    number: int,
    sampled: set[int],
    bars: Bars,
    series: set[tuple[object, ...]],
) -> None:
    for group in groups:
        members = []
        for member in group.members:
            if member.order in sampled or not inside(member.seen, panel.frame.box, group.side):
                continue
            x, y = (member.box[0] + member.box[2]) / 2, (member.box[1] + member.box[3]) / 2
            holder = next((n for box, n in holders if inside((x, y, x, y), box, 0.3)), None)  # type: ignore[arg-type]
            if holder == number:
                members.append(member)
        if not members:
            continue
        if min(group.colour[:3]) > 247:
            continue
        made = markers_in(
            panel.frame, group, members, () if group.look in series else panel.curves
        )  # with an entry of their own, the marks are no line's
        ends = np.array([bars.get(member.order, np.full(4, np.nan)) for member in members])
        known = bool(np.isfinite(ends).any())
        if made is None:
            panel.not_read += [f"error bars of {len(members)} marks on a line"] if known else []
            continue
        if known and len(ends) == len(made.parts[0]):
            made.bars = ends
        if len(made.parts[0]) >= 3:
            panel.curves.append(made)
        else:
            panel.not_read.append(f"{len(members)} single {group.form} marks")


def _left_out(panel: Panel, kept_and_why: tuple[list[Drawn], list[str]]) -> None:
    panel.curves, why = kept_and_why
    panel.not_read += why


def _filled(
    page: Page, panel: Panel, in_groups: set[int], holders: Sequence[tuple[Sequence[float], int]], number: int
) -> None:
    """Say which filled shapes stand in a panel; backgrounds of the frame and of boxes are none."""
    shapes = []
    for stroke in page.strokes:
        if (
            stroke.fill is None
            or stroke.order in in_groups
            or min(stroke.fill[:3]) > 247
            or _area(stroke.seen) < 4
        ):
            continue
        if all(len(run) == 2 for run in stroke.runs):
            continue
        holder = next((n for box, n in holders if inside(stroke.seen, box, 1.5)), None)  # type: ignore[arg-type]
        same = max(abs(a - b) for a, b in zip(stroke.seen, panel.frame.box, strict=True)) < 1.5
        if holder == number and not same:
            shapes.append(stroke)
    panel.not_read += filled_words(shapes, panel.frame)


def settle(panel: Panel) -> None:
    """Choose the axes that the curves belong to, or say why there are none."""
    x = _choice(panel, "bottom", "top")
    if isinstance(x, str):
        panel.refused = f"x axis: {x}"
        return
    panel.axes["bottom"] = x
    left, right = panel.axes["left"], panel.axes["right"]
    y = _choice(panel, "left", "right")
    if isinstance(y, Axis):
        panel.axes["left"] = y
        return
    if left.scale is None or right.scale is None:
        panel.refused = f"y axis: {y}"
        return
    colours = left.colour, right.colour
    apart = max(abs(a - b) for a, b in zip(*colours, strict=True)) > 40
    for curve in panel.curves:
        mine = [
            side
            for side, c in zip(("left", "right"), colours, strict=True)
            if max(abs(a - b) for a, b in zip(curve.colour, c, strict=False)) < 12
        ]
        if not apart or len(mine) != 1:
            panel.refused = "y axis: two different ones, and nothing tells which curve belongs to which"
            return
        curve.y_axis = mine[0]  # type: ignore[assignment]


def _inverse(scale: Scale, found: Sequence[tuple[float, float]]) -> bool:
    """Whether the numbers (value, place) of the other side are a constant over those of this one, as energy over wavelength."""
    if len(found) < 3 or any(value <= 0 for value, _ in found):
        return False
    values = np.array([value for value, _ in found])
    products = scale.values(np.array([place for _, place in found])) * values
    return bool(
        products.min() > 0
        and np.ptp(products) < 0.004 * products.min()
        and np.ptp(values) > 0.05 * values.min()
    )


def _choice(panel: Panel, first: Side, second: Side) -> Axis | str:
    """The axis of a direction, or why there is none that is certain."""
    a, b = panel.axes[first], panel.axes[second]
    if a.scale is not None and b.scale is not None:
        k = 0 if first == "bottom" else 1
        ends = np.array([panel.frame.box[k], panel.frame.box[k + 2]])
        with np.errstate(all="ignore"):
            apart = np.abs(b.scale.places(a.scale.values(ends)) - ends)
        if np.isfinite(apart).all() and apart.max() < 0.5:
            return a
        return "two different ones, and nothing tells which curve belongs to which"
    for axis, other in ((a, b), (b, a)):
        if axis.scale is not None and _inverse(axis.scale, other.found):
            return axis
    for axis, other in ((a, b), (b, a)):
        if axis.scale is not None:
            return axis if not other.words else f"the other side has numbers too, and {other.refused}"
    return a.refused if a.words or not b.words else b.refused
