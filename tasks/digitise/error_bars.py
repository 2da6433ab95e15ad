"""Error bars: lines through markers, with or without caps, taken from the lines of a panel before its curves are read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tasks.digitise.markers import Markers, centre
from tasks.digitise.page import Stroke

_NEAR = 0.35  # points: how well a bar stands at its marker's middle
_LEAST, _SHARE = 3, 0.6  # markers of a row that must have one
_MOST, _SAMPLE = 20_000, 40.0
Line = NDArray[np.float64]
Runs = list[tuple[Stroke, list[Line]]]
Bars = dict[
    int, Line
]  # a marker's order of drawing: where its bars end, x low, x high, y low, y high; NaN without one


def bars_through(mine: Runs, groups: Sequence[Markers], taken: set[int]) -> tuple[Runs, Bars]:
    """The lines that are no error bars of these markers, and the bars. taken: markers of a legend, where bars may be drawn too.

    A bar runs over its marker's middle to both sides, and most markers of a row have one: other lines are left as they are, but
    for short level and upright ones in the look of bars, which are a legend's sample.
    """
    straight = [
        (k, r, run)
        for k, (_, runs) in enumerate(mine)
        for r, run in enumerate(runs)
        if len(run) == 2 and np.abs(np.diff(run, axis=0)).min() < 0.05
    ]
    if not straight or len(straight) > _MOST:
        return mine, {}
    ends = np.array([[run.min(0), run.max(0)] for _, _, run in straight])  # (n, low and high, x and y)
    found: Bars = {}
    used: set[int] = set()
    for group in groups:
        members = [member for member in group.members if member.order not in taken]
        if len(members) < _LEAST:
            continue
        places = np.array([centre(member) for member in members])
        for axis in (0, 1):
            hits = [_bar_at(place, ends, axis) for place in places]
            there = [hit for hit in hits if hit is not None]
            if len(set(there)) < max(_LEAST, _SHARE * len(members)):
                continue
            for member, place, hit in zip(members, places, hits, strict=True):
                if hit is None:
                    continue
                bar = found.setdefault(member.order, np.full(4, np.nan))
                bar[2 * axis : 2 * axis + 2] = ends[hit, 0, axis], ends[hit, 1, axis]
                used.add(hit)
                used |= _caps(place, ends, hit, axis)
    looks = {straight[n][0] for n in used}
    styles = {mine[k][0].style for k in looks}
    short = np.max(ends[:, 1] - ends[:, 0], axis=1) < _SAMPLE
    loose = {
        n for n, (k, _, _) in enumerate(straight) if n not in used and short[n] and mine[k][0].style in styles
    }
    gone = {(straight[n][0], straight[n][1]) for n in used | loose}
    left = [
        (stroke, [run for r, run in enumerate(runs) if (k, r) not in gone])
        for k, (stroke, runs) in enumerate(mine)
    ]
    return [(stroke, runs) for stroke, runs in left if runs], found


def _bar_at(place: Line, ends: NDArray[np.float64], axis: int) -> int | None:
    """Which line runs along an axis over a place to both sides; of several the longest."""
    other = 1 - axis
    still = np.abs(ends[:, 1, other] - ends[:, 0, other]) < 0.05
    at = still & (np.abs(ends[:, 0, other] - place[other]) < _NEAR)
    over = at & (ends[:, 0, axis] < place[axis] - _NEAR) & (ends[:, 1, axis] > place[axis] + _NEAR)
    lengths = np.where(over, ends[:, 1, axis] - ends[:, 0, axis], -1.0)
    return int(lengths.argmax()) if over.any() else None


def _caps(place: Line, ends: NDArray[np.float64], bar: int, axis: int) -> set[int]:
    """The short lines across a bar's two ends."""
    other = 1 - axis
    middle = ends[:, :, other].mean(1)
    across = (np.abs(ends[:, 1, axis] - ends[:, 0, axis]) < 0.05) & (np.abs(middle - place[other]) < _NEAR)
    at_end = np.min([np.abs(ends[:, 0, axis] - ends[bar, k, axis]) for k in (0, 1)], axis=0) < 1.0
    short = ends[:, 1, other] - ends[:, 0, other] < 20
    return set(np.flatnonzero(across & at_end & short).tolist())
