"""What stands in a frame: curves and markers, and what is none of them, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from schemas.documents.digitised import Side
from tasks.digitise.frames import LONGEST_TICK, Box, Frame, inside
from tasks.digitise.legend import Entry
from tasks.digitise.lines import cut_to, follow_each_other, joined, uncovered
from tasks.digitise.markers import Markers
from tasks.digitise.page import Stroke

Line = NDArray[np.float64]
_ON_EDGE = 1.0  # points
_WIDE = 0.1  # of the frame: a curve that no legend names
_WIDE_STRAIGHT = 0.5
_MANY_PIECES = 6


@dataclass
class Drawn:
    """A curve as drawn: its parts in points on the page, in order; across: half its line's width, or its markers' error, points."""

    kind: str
    colour: tuple[int, int, int, int]
    width: float
    dash: tuple[float, ...]
    parts: list[Line]
    across: float
    marker: str = ""
    name: str = ""
    gaps: int = 0
    style: tuple[object, ...] | None = None
    group: Markers | None = None
    y_axis: Side = "left"
    errors: list[Line] | None = None  # of each part's points along x and y, beside `across`
    bars: Line | None = (
        None  # error bars of the points: where they end along x and y, low and high; NaN without one
    )


@dataclass
class Inside:
    """What was found in a frame."""

    curves: list[Drawn] = field(default_factory=list)
    not_read: list[str] = field(default_factory=list)


def level_or_upright(run: Line) -> bool:
    """Whether a run consists of level and upright stretches only."""
    return bool((np.abs(np.diff(run, axis=0)).min(1) < 0.05).all())


def belongs_to_frame(run: Line, frames: Sequence[Frame]) -> bool:
    """Whether a run is part of a frame: on its edges, or a tick."""
    (x0, y0), (x1, y1) = run.min(0).tolist(), run.max(0).tolist()
    if len(run) > 12 or not level_or_upright(run):
        return False
    for frame in frames:
        fx0, fy0, fx1, fy1 = frame.box
        if not (
            fx0 - LONGEST_TICK - 1 < x0
            and x1 < fx1 + LONGEST_TICK + 1
            and fy0 - LONGEST_TICK - 1 < y0
            and y1 < fy1 + LONGEST_TICK + 1
        ):
            continue
        on_x = np.minimum(np.abs(run[:, 0] - fx0), np.abs(run[:, 0] - fx1)) < _ON_EDGE
        on_y = np.minimum(np.abs(run[:, 1] - fy0), np.abs(run[:, 1] - fy1)) < _ON_EDGE
        ends = on_x[:-1] & on_x[1:] & (np.abs(np.diff(run[:, 0])) < 0.05) | on_y[:-1] & on_y[1:] & (
            np.abs(np.diff(run[:, 1])) < 0.05
        )
        if ends.all():
            return True
        if len(run) == 2 and max(x1 - x0, y1 - y0) <= LONGEST_TICK:
            upright = x1 - x0 < y1 - y0
            sides: tuple[Side, Side] = ("bottom", "top") if upright else ("left", "right")
            place, on = (x0, y0) if upright else (y0, x0), on_y.any() if upright else on_x.any()
            crosses = any(lo - 0.8 < edge < hi + 0.8 for lo, hi, edge in (
                ((y0, y1, fy0), (y0, y1, fy1)) if upright else ((x0, x1, fx0), (x0, x1, fx1))))  # fmt: skip
            if (on or crosses) and any(
                len(t := frame.ticks[s]) and np.abs(t - place[0]).min() < 0.1 for s in sides
            ):
                return True
    return False


def across_frame(run: Line, box: tuple[float, float, float, float]) -> str:
    """level or upright for a straight line from edge to edge of a frame; empty for others."""
    (x0, y0), (x1, y1) = run.min(0).tolist(), run.max(0).tolist()
    if y1 - y0 < 0.05 and abs(x0 - box[0]) < 1.2 and abs(x1 - box[2]) < 1.2:
        return "level"
    if x1 - x0 < 0.05 and abs(y0 - box[1]) < 1.2 and abs(y1 - box[3]) < 1.2:
        return "upright"
    return ""


def lines_in(
    frame: Frame,
    mine: Sequence[tuple[Stroke, list[Line]]],
    covers: Sequence[Stroke],
    entries: Sequence[Entry],
    budget: list[int],
) -> Inside:
    """Curves among the runs that belong to a frame, cut to it and to what is seen. covers: opaque fills of the page."""
    found = Inside()
    named = {entry.style for entry in entries if entry.style is not None}
    clumps: dict[tuple[object, ...], list[tuple[Stroke, list[Line]]]] = {}
    for stroke, runs in mine:
        clumps.setdefault(stroke.style, []).append((stroke, runs))
    width, height = frame.box[2] - frame.box[0], frame.box[3] - frame.box[1]
    for style, strokes in clumps.items():
        first = strokes[0][0]
        assert first.stroke is not None
        if min(first.stroke[:3]) > 247:
            continue
        look = words_for(first)
        loose: list[tuple[Stroke, Line]] = []
        curves: list[tuple[Stroke, list[Line]]] = []
        for stroke, runs in _chained(strokes):
            if len(runs) > 1 and follow_each_other(runs) and sum(map(len, runs)) > 2 * len(runs) + 2:
                curves.append((stroke, runs))
                continue
            for run in runs:
                if len(run) > 2 or style in named or not level_or_upright(run):
                    curves.append((stroke, [run]))
                else:
                    loose.append((stroke, run))
        short = [c for c in curves if all(len(run) == 2 for run in c[1])]
        if len(short) >= _MANY_PIECES and len(short) > 0.8 * len(curves):
            pieces = [run for _, runs in short for run in runs]
            longer = [c for c in curves if any(len(run) > 2 for run in c[1])]
            if all(np.ptp(piece[:, 0]) < 0.05 for piece in pieces):
                found.not_read.append(f"{look}: {len(short)} upright lines: their heights are not read")
                curves = longer
            elif follow_each_other(pieces):
                clip = _around([stroke.clip for stroke, _ in short])
                curves = [*longer, (replace(short[0][0], clip=clip), pieces)]
            else:
                found.not_read.append(f"{look}: {len(short)} short pieces that make no single curve")
                curves = longer
        for _, run in loose:
            _loose_line(run, frame, look, found)
        for stroke, runs in curves:
            _curve(runs, stroke, frame, covers, budget, style in named, look, found, width, height)
    return found


def _chained(strokes: Sequence[tuple[Stroke, list[Line]]]) -> list[tuple[Stroke, list[Line]]]:
    """Strokes whose single runs meet end to end as one; some programs break long lines."""
    found: list[tuple[Stroke, list[Line]]] = []
    for stroke, runs in strokes:
        runs = joined(runs)
        if found and len(runs) == 1:
            last = found[-1][1][-1]
            if np.abs(last[-1] - runs[0][0]).max() < 0.06:
                found[-1][1][-1] = np.vstack([last, runs[0][1:]])
                before = found[-1][0]
                found[-1] = replace(before, clip=_around([before.clip, stroke.clip])), found[-1][1]
                continue
        found.append((stroke, list(runs)))
    return found


def _around(clips: Sequence[Box | None]) -> Box | None:
    """The box around boxes that pieces of a line are cut to; None where one is not cut."""
    boxes = [clip for clip in clips if clip is not None]
    if len(boxes) < len(clips):
        return None
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def _loose_line(run: Line, frame: Frame, look: str, found: Inside) -> None:
    kind = across_frame(run, frame.box)
    if not kind:
        found.not_read.append(f"{look}: a short {'upright' if np.ptp(run[:, 0]) < 0.05 else 'level'} line")
        return
    place = run[0, 1] if kind == "level" else run[0, 0]
    ticks = np.concatenate(
        [frame.ticks[s] for s in (("left", "right") if kind == "level" else ("bottom", "top"))]
    )
    if not (len(ticks) and np.abs(ticks - place).min() < 0.3):
        found.not_read.append(
            f"{look}: a {kind} line all across, which may mark a value or be a constant curve"
        )


def _curve(
    runs: list[Line], stroke: Stroke, frame: Frame, covers: Sequence[Stroke], budget: list[int],
    is_named: bool, look: str, found: Inside, width: float, height: float,
) -> None:  # fmt: skip
    box = frame.box if stroke.clip is None else tuple(
        pick(a, b) for pick, a, b in zip((max, max, min, min), frame.box, stroke.clip, strict=True)
    )  # fmt: skip
    parts: list[Line] = []
    gaps = len(runs) - 1
    for run in runs:
        cut = cut_to(run, box)  # type: ignore[arg-type]
        for piece in cut:
            seen, hidden = uncovered(piece, stroke.order, covers, budget)
            gaps += hidden
            parts += seen
    if budget[0] < 0:
        found.not_read.append(f"{look}: too many shapes lie over it")
        return
    if not parts:
        found.not_read.append(f"{look}: a line of which nothing can be seen")
        return
    points = np.vstack(parts)
    spread = np.ptp(points, axis=0) / (width, height)
    straight = len(runs) == 1 and len(runs[0]) == 2
    enough = _WIDE_STRAIGHT if straight else _WIDE
    if not is_named and (spread[0] < enough if not straight else max(spread) < enough):
        found.not_read.append(
            f"{look}: a {'straight' if straight else 'short'} line, perhaps an arrow or a mark"
        )
        return
    if len(runs) == 1 and np.abs(runs[0][0] - runs[0][-1]).max() < 0.05:
        found.not_read.append(f"{look}: a closed outline")
        return
    assert stroke.stroke is not None
    found.curves.append(
        Drawn(
            "line",
            stroke.stroke,
            stroke.width,
            stroke.dash,
            parts,
            stroke.width / 2,
            gaps=gaps,
            style=stroke.style,
        )
    )


def words_for(stroke: Stroke) -> str:
    """How a line looks, for people."""
    colour = stroke.stroke or stroke.fill or (0, 0, 0, 255)
    return f"{hex_of(colour)}, {stroke.width:.2g} points{', dashed' if any(stroke.dash) else ''}"


def hex_of(colour: Sequence[int]) -> str:
    """As #rrggbb."""
    return "#" + "".join(f"{part:02x}" for part in colour[:3])


def markers_in(
    frame: Frame, group: Markers, members: Sequence[Stroke], curves: Sequence[Drawn]
) -> Drawn | None:
    """A group's markers in a frame as points; None where they sit on a line of their colour, which they then mark."""
    kept = Markers(group.form, group.fill, group.stroke, group.side, list(members))
    centres = kept.centres
    within = [inside((x, y, x, y), frame.box, 0.3) for x, y in centres.tolist()]
    centres = centres[within]
    if not len(centres):
        return None
    colours = {c[:3] for c in (group.fill, group.stroke) if c is not None}
    on = {
        number: _on(centres, curve.parts, 0.35 + kept.error)
        for number, curve in enumerate(curves)
        if curve.kind == "line" and curve.colour[:3] in colours
    }
    alone = [number for number, hits in on.items() if hits.mean() >= 0.9][:1]
    marked = alone or [number for number, hits in on.items() if hits.sum() >= 3]
    if marked and np.any([on[number] for number in marked], axis=0).mean() >= 0.9:
        for number in marked:
            curves[number].marker, curves[number].group = group.form, group
        return None
    return Drawn("points", kept.colour, kept.side, (), [centres], kept.error, group.form, group=group)


def _on(points: Line, parts: Sequence[Line], near: float) -> NDArray[np.bool_]:
    """Which points lie on a line."""
    a = np.vstack([part[:-1] for part in parts])
    d = np.vstack([np.diff(part, axis=0) for part in parts])
    hits = np.zeros(len(points), bool)
    if len(a) * len(points) > 4_000_000:
        return hits
    size = np.maximum((d**2).sum(1), 1e-12)
    for place, point in enumerate(points):
        t = np.clip(((point - a) * d).sum(1) / size, 0, 1)
        hits[place] = bool((np.hypot(*(a + t[:, None] * d - point).T) < near).any())
    return hits
