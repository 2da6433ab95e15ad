"""A curve for a pixel of no size whose lines move from grid to grid by more than their width.

A grid shifts a spectrum's resonances (numerical dispersion) more than it changes their shape. Point by point such a curve is irregular
until the shift is small beside the narrowest line; the shift itself is regular long before. So the curves of the coarser grids are laid
on the finest one by a displacement of their abscissa, linear along it (registration of curves: J. O. Ramsay, B. W. Silverman, Functional
Data Analysis, 2nd ed., ch. 7), and displacement and aligned values are extrapolated, each with the order that the displacement has.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tasks.reproduce.evidence.convergence import (
    APART,
    FORMAL_ORDER,
    OF_A_CURVE,
    REGULAR_ORDERS,
    Extrapolated,
    at_no_pixel,
    extrapolated,
    grids_for,
    observed_order,
    used_order,
)
from tasks.reproduce.measuring.splines import cubic

Array = NDArray[np.float64]
FEWEST_FOR_LINES = 9  # points of a curve whose displacement says something
ALIGNED = 0.3  # of a step between grids, rms, that may be left once the displacement is taken away
_FURTHEST, _LEAST_TRIED, _MOST_TRIED = (
    0.2,
    401,
    1601,
)  # of the curve's reach; displacements that are tried on each side
_AS_GOOD = 2.0  # of fringes that repeat the nearest counts: its misfit over the least one
_COMMON, _STEPS, _STILL = (
    0.6,
    30,
    1e-10,
)  # share of points that must lie on both; steps of the search; where it ends


def extrapolated_curve(
    scales: Sequence[float], x: Array, table: Array, formal: float = FORMAL_ORDER
) -> Extrapolated | None:
    """A curve's points from those at ascending resolution scales, along its lines or each by itself: as the grids before the last
    lead to nearer the same.

    x: shape (points,), ascending. table: shape (grids, points). None where neither is regular.
    """
    points = extrapolated(scales, table, grids_for(x.size), formal)
    if x.size < FEWEST_FOR_LINES or len(scales) < OF_A_CURVE or not np.all(np.diff(x) > 0):
        return points
    last = np.ascontiguousarray(table[-OF_A_CURVE:], dtype=float)
    sizes = tuple(1 / float(scale) for scale in scales[-OF_A_CURVE:])
    found = _along_lines(sizes, np.ascontiguousarray(x, dtype=float).tobytes(), last.tobytes(), formal)
    if found is None or (points is not None and points.apart <= found.apart):
        return points
    return found


@functools.lru_cache(maxsize=64)
def _along_lines(
    h: tuple[float, ...], x_bytes: bytes, table_bytes: bytes, formal: float
) -> Extrapolated | None:
    """Of the three finest grids, pixel sizes h descending; None where the displacement is not regular or not what most of the change is."""
    x = np.frombuffer(x_bytes)
    table = np.frombuffer(table_bytes).reshape(len(h), x.size)
    finest = table[-1]
    if not np.all(np.isfinite(table)) or np.ptp(finest) == 0:
        return None
    moved = [_displacement(x, coarse, finest) for coarse in table[:-1]]
    if any(one is None for one in moved):
        return None
    there = np.array([*moved, np.zeros(x.size)])
    aligned = np.array([_at(x, y, x + d) for y, d in zip(table, there, strict=True)])
    for coarse, alike in zip(table[:-1], aligned[:-1], strict=True):
        if not _rms(alike - finest) <= ALIGNED * _rms(coarse - finest):
            return None
    steps = [_rms(one - other) for one, other in pairwise(there)]
    order = observed_order(h, steps[0], steps[1])
    low, high = REGULAR_ORDERS
    if order is None or not low <= order <= high:
        return None
    used = used_order(order, formal)
    values, before = (
        _bent(x, at_no_pixel(there, h, used, fine), at_no_pixel(aligned, h, used, fine)) for fine in (-1, -2)
    )
    if values is None or before is None:
        return None
    beyond = np.any((x + there < x[0]) | (x + there > x[-1]), axis=0)
    alone, alone_before = at_no_pixel(table, h, used, -1), at_no_pixel(table, h, used, -2)
    values, before = np.where(beyond, alone, values), np.where(beyond, alone_before, before)
    found = Extrapolated(values, before, finest, order, formal, along_lines=True)
    return found if found.apart <= APART else None


def _displacement(x: Array, coarse: Array, finest: Array) -> Array | None:
    """By how much the coarse curve lies along x of where the finest has the same, at each point: linear in x. None if none fits."""
    spline, reach = cubic(x, coarse), x[-1] - x[0]
    along = np.array([np.ones(x.size), (2 * x - x[0] - x[-1]) / reach])

    def misfit(bend: Array) -> tuple[float, Array]:
        place = x + reach * (bend @ along)
        common = (place >= x[0]) & (place <= x[-1])
        if np.count_nonzero(common) < _COMMON * x.size:
            return np.inf, common
        return _rms((spline(place) - finest)[common]), common

    count = int(np.clip(0.4 * x.size, _LEAST_TRIED // 2, _MOST_TRIED // 2))
    tried = np.linspace(-_FURTHEST, _FURTHEST, 2 * count + 1)
    sizes = np.array([misfit(np.array([shift, 0.0]))[0] for shift in tried])
    dips = [
        i
        for i in range(1, sizes.size - 1)
        if sizes[i] <= min(sizes[i - 1], sizes[i + 1]) and np.isfinite(sizes[i])
    ]
    good = [i for i in dips if sizes[i] <= _AS_GOOD * min(sizes[j] for j in dips)]
    if not good:
        return None
    bend = np.array([tried[min(good, key=lambda i: abs(tried[i]))], 0.0])
    size, common = misfit(bend)
    for _ in range(_STEPS):
        place = x + reach * (bend @ along)
        slope = (spline(place, 1) * reach * along)[:, common]
        step = np.linalg.lstsq(slope.T, (finest - spline(place))[common], rcond=None)[0]
        for part in (1.0, 0.5, 0.25, 0.125):
            new, there = misfit(bend + part * step)
            if new < size:
                break
        else:
            break
        bend, size, common = bend + part * step, new, there
        if np.max(np.abs(part * step)) < _STILL:
            break
    return np.asarray(reach * (bend @ along))


def _bent(x: Array, there: Array, values: Array) -> Array | None:
    """The curve with `values` at x + there, at x; None where that is no curve."""
    place = x + there
    return _at(place, values, x) if np.all(np.diff(place) > 0) else None


def _at(x: Array, y: Array, places: Array) -> Array:
    return np.asarray(cubic(x, y)(np.clip(places, x[0], x[-1])))


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))
