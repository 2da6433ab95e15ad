"""Numerical uncertainty from runs at several resolution scales.

Three or more regular rungs: Richardson extrapolation with the observed order (P. J. Roache, "Verification and
Validation in Computational Science and Engineering", 1998), with his safety factor 1.25. The order used is at
most 2, Meep's formal order: a larger observed one says that the last step is small by luck, or the first grid too
coarse, and gains nothing (L. Eça, M. Hoekstra, J. Comput. Phys. 262, 104 (2014) then fit the formal order). So each of
the last steps says what it leaves at the finest rung if it shrinks with the formal order, and the largest counts.
Irregular sequences (staircased metals do that) have the spread of their last three rungs, twice what Stern et al.
(2001) state for oscillatory convergence, and no less than what the coarser rungs leave if their distance shrank no
faster than the pixel. A sequence that turned anywhere is irregular: that its last two steps go one way may be luck, so
they give no order, and what they would leave with theirs is a lower bound only. Two rungs show no order: then Roache
asks for a factor of 3 at the formal order, which is the whole difference where one grid is twice as fine; never less
than that difference, nor than the error if the order were one: no second step says that it shrank faster.

Where an arrangement knows that its error is of first order (simkit/arrange/formal_order.py), the last step shrinks with no
more than that: a larger observed order is that of terms that are larger on the coarser grids, and dies before the error
does. Where it shrank with less than that, Roache's factor of 3 holds instead of 1.25.

Where trusted code chose the grids and their values are regular, the value that is told is the one extrapolated to a pixel of no
size (`extrapolated`), and half of what that adds to the finest grid's (all of it, where the observed order is far below the one that is
expected) is its uncertainty: docs/guide/solving.md says on what
this was measured.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAFETY, SAFETY_OF_TWO = 1.25, 3.0
FORMAL_ORDER = 2.0
ORDER_RANGE = (0.3, 8.0)
REGULAR, SLOWEST = (
    0.95,
    0.5,
)  # share of first order that is regular; the lowest order that an error is extrapolated with
REGULAR_ORDERS = (0.7, 3.0)  # observed orders with which a value is extrapolated
OF_A_CURVE, OF_A_NUMBER = 3, 4  # regular grids it takes: one number alone may be regular on three by chance
FEWEST_POINTS = 5  # of a curve whose regularity says something
ADDED = 0.5  # of what is added to the finest grid's value: its uncertainty
LOW = 0.5  # below the expected order, an observed one from which all of what is added is uncertain
SMALL = 0.1  # of the value, the last step: beyond it no order is an error's leading one
APART = 1.0  # how far the extrapolation from the grids before may lie off, over what is added
STEPS = 3  # of a regular sequence, the last ones, that must have shrunk with the formal order
EXTRAPOLATED = "Richardson extrapolation, a share of what it adds"
IRREGULAR = "irregular: spread of the last three resolutions"
TWO = "two resolutions, three times the error of the formal order"


@dataclass(frozen=True)
class Grid:
    """What the grid leaves: its size, how it follows (ratio, orders, factor), and whether it is a grid convergence index.

    expanded: from a regular ladder with the factor 1.25, which Roache means to hold 95 %. Everything else is a bound.
    """

    left: float
    words: str
    expanded: bool = False


@dataclass(frozen=True)
class Convergence:
    """Uncertainty of the finest value (unit of the values; None without a second rung) and observed order.

    sampling: the part of it that the spacing of a curve's samples leaves open, of a number read from one. grid: the
    resolution's part, where it is known. parts: what was varied beside the resolution, each with what it leaves; None
    where that could not be measured. extrapolated: it is of the value for a pixel of no size, not of the finest.
    """

    uncertainty: float | None
    observed_order: float | None
    method: str
    sampling: float = 0.0
    grid: Grid | None = None
    parts: tuple[tuple[str, float | None], ...] = ()
    extrapolated: bool = False

    def words(self) -> str:
        """The uncertainty by what it comes from."""
        assert self.uncertainty is not None
        grid = f"resolution {self.uncertainty - self.sampling:.2g}"
        return f"{grid}, sampling {self.sampling:.2g}" if self.sampling else grid


def scalar_convergence(
    scales: Sequence[float], values: Sequence[float], formal: float = FORMAL_ORDER
) -> Convergence:
    """From values at resolution scales, ascending. formal: the most that the last step may shrink with.

    Raises:
        ValueError: lengths differ, scales do not ascend, or a value is not finite.
    """
    h, v = 1 / np.asarray(scales, dtype=float), np.asarray(values, dtype=float)
    if h.shape != v.shape or np.any(np.diff(h) >= 0) or not np.all(np.isfinite(v)):
        raise ValueError(
            f"needs one finite value for each ascending scale; found {list(values)} at {list(scales)}"
        )
    if v.size < 2:
        return Convergence(None, None, "one resolution: no evidence of convergence")
    steps = np.diff(v)
    if v.size == 2:
        return _two(h, abs(float(steps[0])), formal)
    order = (
        observed_order(h[-3:], abs(float(steps[-2])), abs(float(steps[-1]))) if _one_way(steps[-2:]) else None
    )
    left = _slow(h, abs(float(steps[-1])), order, formal) if _one_way(steps) else 0.0
    if order is None or not _one_way(steps):
        left = left if order is None else max(left, _left(h, np.abs(steps), min(order, formal)))
        return _irregular_found(
            max(left, _irregular(h, np.abs(v - v[-1]), float(np.ptp(v[-3:])))), IRREGULAR, h
        )
    return _regular(h, np.abs(steps), order, formal, left)


def curve_convergence(
    scales: Sequence[float], differences: Sequence[float], formal: float = FORMAL_ORDER
) -> Convergence:
    """From the differences (any norm, one for each neighbouring pair of scales, ascending) between curves."""
    h, d = 1 / np.asarray(scales, dtype=float), np.asarray(differences, dtype=float)
    if not d.size:
        return Convergence(None, None, "one resolution: no evidence of convergence")
    if d.size == 1:
        return _two(h, float(d[0]), formal)
    order = observed_order(h[-3:], float(d[-2]), float(d[-1]))
    slow = _slow(h, float(d[-1]), order, formal)
    if order is None:
        known = max(slow, _irregular(h, d, float(d[-2:].max())))
        return _irregular_found(known, "irregular: largest of the last two differences", h)
    return _regular(h, d, order, formal, slow)


@dataclass(frozen=True)
class Extrapolated:
    """Values for a pixel of no size, from the last two grids; from the two before, with the same order; and the orders.

    values, before, finest: of one number, or of all points of a curve. order: the observed one. formal: the expected one.
    along_lines: a curve's lines move, and were followed (moving_lines.py).
    """

    values: NDArray[np.float64]
    before: NDArray[np.float64]
    finest: NDArray[np.float64]
    order: float
    formal: float
    along_lines: bool = False

    @property
    def used(self) -> float:
        """The order that is extrapolated with: the observed one between first and the expected."""
        return used_order(self.order, self.formal)

    @property
    def open(self) -> float:
        """The share of what was added that is uncertain: all of it where the error falls far more slowly than it should."""
        return ADDED if self.order >= min(self.formal, FORMAL_ORDER) - LOW else 1.0

    @property
    def left(self) -> NDArray[np.float64]:
        """The uncertainty of each value: what is open of what was added, or how far the extrapolation before lies off."""
        return np.maximum(self.open * np.abs(self.values - self.finest), np.abs(self.values - self.before))

    @property
    def apart(self) -> float:
        """How far the extrapolation before lies off, over what is added, both as root mean squares."""
        off, added = (
            float(np.sqrt(np.mean((self.values - other) ** 2))) for other in (self.before, self.finest)
        )
        return off / added if added else (math.inf if off else 0.0)

    def convergence(self, left: float, grids: int) -> Convergence:
        """Its uncertainty, in whatever measure it was taken, with how it was found."""
        share = "half of" if self.open < 1 else f"not the {self.formal:g} that is expected, so all of"
        words = (
            f"{grids} grids, extrapolated to a pixel of no size from the last two{' along its lines, which move' * self.along_lines}, "
            f"order {self.used:.3g} (observed {self.order:.3g}): {share} what that adds, or how far the two before lead elsewhere"
        )
        return Convergence(left, self.order, EXTRAPOLATED, grid=Grid(left, words), extrapolated=True)


def grids_for(points: int) -> int:
    """How many grids must be regular for a curve of so many points to be extrapolated."""
    return OF_A_CURVE if points >= FEWEST_POINTS else OF_A_NUMBER


def extrapolated(
    scales: Sequence[float], table: NDArray[np.float64], fewest: int, formal: float = FORMAL_ORDER
) -> Extrapolated | None:
    """Of values at ascending resolution scales; None where they are not regular on the last `fewest` grids, or are fewer.

    table: shape (grids, points), one point of a number. fewest: OF_A_CURVE, of a number that was read from a curve that is regular
    itself as well; OF_A_NUMBER; 0 where it is not known who chose the grids.
    Regular: the root mean square of the last steps shrinks with an order in REGULAR_ORDERS, no step before is smaller than it would
    be with the lowest of them, the last is small, and what the grids before lead to lies near. Leading terms of an error on a grid
    are of first order at least, and of Meep's formal order at most.
    """
    if not 0 < fewest <= len(scales) or not np.all(np.isfinite(table[-fewest:])):
        return None
    if not (shrinking(scales, table) and _rms(table[-1] - table[-2]) <= SMALL * _rms(table[-1])):
        return None
    h, last = 1 / np.asarray(scales[-fewest:], dtype=float), table[-fewest:]
    sizes = np.sqrt(np.mean(np.diff(last, axis=0) ** 2, axis=1))
    orders = [observed_order(h[i : i + 3], float(sizes[i]), float(sizes[i + 1])) for i in range(fewest - 2)]
    low, high = REGULAR_ORDERS
    known = [order for order in orders if order is not None and low <= order <= high]
    if len(known) < len(orders):
        return None
    used = used_order(known[-1], formal)
    values, before = at_no_pixel(last, h, used, -1), at_no_pixel(last, h, used, -2)
    found = Extrapolated(values, before, last[-1], known[-1], formal)
    return found if found.apart <= APART else None


def used_order(observed: float, formal: float) -> float:
    """The order to extrapolate with."""
    return min(max(observed, 1.0), formal, FORMAL_ORDER)


def shrinking(scales: Sequence[float], table: NDArray[np.float64]) -> bool:
    """Whether each step between the grids, as a root mean square, is smaller than the one before as the lowest regular order has it:
    one that grew says that the grids were too coarse for any order (a resonance at one wavelength that each grid moves across it)."""
    h, low = 1 / np.asarray(scales, dtype=float), REGULAR_ORDERS[0]
    sizes = [_rms(step) for step in np.diff(table, axis=0)]
    shares = np.diff(-(h**low))
    return all(
        fine * shares[i] <= coarse * shares[i + 1] * (1 + 1e-9)
        for i, (coarse, fine) in enumerate(itertools.pairwise(sizes))
    )


def _rms(values: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(values**2)))


def at_no_pixel(
    table: NDArray[np.float64], h: Sequence[float] | NDArray[np.float64], order: float, fine: int
) -> NDArray[np.float64]:
    """Richardson's extrapolation from the grid `fine` of a table, shape (grids, points), and the one before; pixel sizes h."""
    return np.asarray(table[fine] + (table[fine] - table[fine - 1]) / ((h[fine - 1] / h[fine]) ** order - 1))


def number_told(
    scales: Sequence[float], values: Sequence[float], fewest: int, formal: float = FORMAL_ORDER
) -> tuple[float, Convergence]:
    """The value to tell, and its uncertainty: the extrapolated one where that is surer than the finest grid's. Raises as
    `scalar_convergence`."""
    found = scalar_convergence(scales, values, formal)
    limit = extrapolated(scales, np.asarray(values, dtype=float)[:, None], fewest, formal)
    if limit is None or found.uncertainty is None or not limit.left[0] < found.uncertainty:
        return float(values[-1]), found
    return float(limit.values[0]), limit.convergence(float(limit.left[0]), len(scales))


def _two(h: NDArray[np.float64], step: float, formal: float) -> Convergence:
    """Two grids show no order."""
    words = (
        f"{_grids(h)}, no observed order: {_of_two(h, 1.0, formal):.3g} |step|, the largest of Roache's factor "
        f"{SAFETY_OF_TWO:g} with the formal order {FORMAL_ORDER:g}, the error of first order, and the step"
    )
    left = _of_two(h, step, formal)
    return Convergence(left, None, TWO, grid=Grid(left, words))


def _irregular_found(left: float, method: str, h: NDArray[np.float64]) -> Convergence:
    """A bound without an observed order, never below what a coarser grid's distance leaves that shrinks with the pixel."""
    words = f"{_grids(h)}, no observed order; {method}, or what the coarser ones leave if that is more"
    return Convergence(left, None, method, grid=Grid(left, words))


def _regular(
    h: NDArray[np.float64], steps: NDArray[np.float64], order: float, formal: float, slow: float
) -> Convergence:
    """Richardson of a regular ladder, or what it leaves at least with less than the first order that was expected."""
    used = min(order, formal, FORMAL_ORDER)
    left, last = _left(h, steps, min(order, formal)), _left(h, steps[-1:], min(order, formal))
    ratio, told = float(h[-2] / h[-1]), f"{_grids(h)}, observed order p = {order:.3g}"
    if slow > left:
        words = f"{told}, below the expected first: factor {SAFETY_OF_TWO:g} on the last step"
    elif left > last * (1 + 1e-9):
        words = (
            f"{told}; an earlier step, shrinking with the formal order {FORMAL_ORDER:g}, leaves more than the last with "
            f"{used:.3g}: it counts (Eca and Hoekstra), with factor {SAFETY:g}"
        )
    else:
        capped = "" if order <= used else f", at most {used:g}"
        words = (
            f"{told}{capped}: grid convergence index (Roache) {SAFETY:g} |last step| / (r^p - 1), "
            f"p = {used:.3g}, r = {ratio:.3g}"
        )
    return Convergence(
        max(slow, left), order, _richardson(order, formal), grid=Grid(max(slow, left), words, slow <= left)
    )


def _grids(h: NDArray[np.float64]) -> str:
    ratios = ", ".join(f"{coarse / fine:.3g}" for coarse, fine in zip(h[:-1], h[1:], strict=True))
    return f"{h.size} grids, refined by {ratios}"


def _richardson(order: float, formal: float) -> str:
    return (
        f"Richardson with order {formal:g}"
        if formal < min(order, FORMAL_ORDER)
        else "Richardson with observed order"
    )


def observed_order(h: Sequence[float] | NDArray[np.float64], coarse: float, fine: float) -> float | None:
    """Order p with (h0^p - h1^p)/(h1^p - h2^p) = coarse/fine, pixel sizes h descending; None if none fits."""
    from scipy.optimize import brentq

    if not (coarse > 0 and fine > 0):
        return None
    h0, h1, h2 = (float(size) / float(h[2]) for size in h)

    def excess(p: float) -> float:
        return float((h0**p - h1**p) / (h1**p - h2**p) - coarse / fine)

    low, high = ORDER_RANGE
    if excess(low) * excess(high) > 0:
        return None
    return float(brentq(excess, low, high))


def _slow(h: NDArray[np.float64], step: float, order: float | None, formal: float) -> float:
    """What a last step leaves at least that shrank with less than the first order that is expected: Roache's larger factor."""
    if formal == FORMAL_ORDER or (order is not None and order >= REGULAR * formal):
        return 0.0
    shrinks: float = float(h[-2] / h[-1]) ** max(order or SLOWEST, SLOWEST)
    return SAFETY_OF_TWO * step / (shrinks - 1)


def _one_way(steps: NDArray[np.float64]) -> bool:
    return bool(np.all(steps > 0) or np.all(steps < 0))


def _irregular(h: NDArray[np.float64], away: NDArray[np.float64], spread: float) -> float:
    """The spread of the last rungs, or more if an earlier rung's distance from the end, less by the pixel size, is larger.

    h: pixel sizes descending. away: distance of each rung (or of each step's coarser rung).
    """
    return max(spread, float(np.max(away * h[-1] / h[: away.size])))


def _of_two(h: NDArray[np.float64], step: float, formal: float) -> float:
    ratio = float(h[0] / h[1])
    first = 1.0 if formal == FORMAL_ORDER else SAFETY
    most: float = max(SAFETY_OF_TWO / (ratio**FORMAL_ORDER - 1), first / (ratio - 1), 1.0)
    return step * most


def _left(h: NDArray[np.float64], steps: NDArray[np.float64], order: float) -> float:
    """What the last step leaves at the finest rung with that order, or an earlier one with the formal order if that is more.

    h: pixel sizes descending. steps: size of each step between neighbours.
    """
    left = [steps[-1] * h[-1] ** p / (h[-2] ** p - h[-1] ** p) for p in (min(order, FORMAL_ORDER),)]
    for i in range(max(0, steps.size - STEPS), steps.size - 1):
        left.append(steps[i] * h[-1] ** FORMAL_ORDER / (h[i] ** FORMAL_ORDER - h[i + 1] ** FORMAL_ORDER))
    return float(SAFETY * max(left))
