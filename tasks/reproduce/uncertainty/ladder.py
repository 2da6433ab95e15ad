"""Resolutions at which every length that matters is whole pixels, far enough apart to say something."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simkit.arrange import Needs
from simkit.describe.base import INF

APART = 1.3
_REACH = 1.7  # how much finer than asked for, to have every length whole
_FURTHER = 10.0  # how much dearer a rung may be for it: an irregular sequence costs finer ones yet
_NEAR = 1.15  # how much finer a rung may be than asked for where time is short
_ALL_WHOLE = (
    1.25  # the same of the first one, where edges that cut pixels are smoothed and it fits all lengths
)
LITTLE = 1.4  # the same of a point of a sweep above its own coarser grid
_WHOLE_PX = 0.01
_MOST_TRIED = 20_000  # resolutions


def next_rungs(need: Needs, last: float, apart: float, dimensions: int) -> tuple[float, ...]:
    """The rungs that may follow `last`, in the order of their worth: on a common grid of all lengths where that is not too dear, so
    that the sequence is regular; near to what is asked for; the nearest that says anything."""
    further = _NEAR if need.smoothed else _FURTHER ** (1 / (dimensions + 1))
    found = (
        fitting(need, last * apart, further),
        fitting(need, last * apart, _NEAR),
        fitting(need, last * APART, _NEAR),
    )
    return tuple(dict.fromkeys(found))


def fitting(need: Needs, least: float = 0.0, reach: float = _REACH) -> float:
    """The coarsest resolution from `least` (and from what is needed) on at which all lengths are whole pixels; else the one that
    misses least.

    Lengths that share no common measure up to `reach` times `least` can only be met approximately: then every one lies within
    the smallest largest distance that any resolution up to 1.7 times `least` (and `reach`) gives at which the periods are whole,
    where there is one: Meep would round these, and solve another structure. Where Meep smooths edges none is much finer than asked for.
    """
    least = max(least, need.resolution)
    approximate = _NEAR if need.smoothed else _REACH
    reach = min(reach, _ALL_WHOLE) if need.smoothed else reach
    lengths, periods = _lengths(need.whole), _lengths(need.periods)
    if not lengths:
        return float(math.ceil(least - 1e-9)) if least > 10 else least
    most = _MOST_TRIED // len(lengths)
    candidates = sorted(
        {k / length for length in lengths for k in _pixels(length, least, reach, most) if k > 0}
    )
    if (exact := next((r for r in candidates if _miss(lengths, r) <= _WHOLE_PX), None)) is not None:
        return exact
    near = [r for r in candidates if r <= least * min(reach, approximate) * (1 + 1e-9)]
    near = [r for r in near if _miss(periods, r) <= _WHOLE_PX] or near
    return min(near, key=lambda r: (_miss(lengths, r), r)) if near else least


def furthest(need: Needs) -> float:
    """How much finer than asked for a first grid may be that all lengths fit."""
    return _ALL_WHOLE if need.smoothed else _REACH


def _lengths(found: Sequence[float]) -> list[float]:
    return sorted({length for length in found if 0 < length < INF})


def _pixels(length: float, least: float, reach: float, most: int) -> range:
    """Whole numbers of pixels of a length from `least` on; of many some, evenly: a long one fits nearly always."""
    first, last = math.ceil(length * least - 1e-6), math.floor(length * least * reach)
    return range(first, last + 1, max(1, (last - first) // max(most, 1)))


def misfits(whole: Sequence[float], resolution: float) -> tuple[float, ...]:
    """Distances from whole pixels, in pixels, of each length."""
    return tuple(abs(length * resolution - round(length * resolution)) for length in whole)


def _miss(lengths: Sequence[float], resolution: float) -> float:
    return max(misfits(lengths, resolution), default=0.0)
