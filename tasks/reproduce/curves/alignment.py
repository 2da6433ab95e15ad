"""Two curves compared: as they stand, after the best rigid shift, and feature by feature.

A plain distance misleads (an exact spectrum shifted by 3 nm can differ by 22 % RMS and correlate with 0.28),
so shift, scale and the residual after alignment are reported separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tasks.reproduce.curves.curve import Curve, FloatArray, grid, is_flat, normaliser, rise
from tasks.reproduce.curves.features import PROMINENCE_MAJOR, Extremum, extrema, least_prominence, match

SHIFT_LIMIT = 0.15  # of the compared range
SHIFT_STEPS = 301
MIN_COVER = 0.8  # of the points compared unshifted must remain after a shift
MIN_GAIN = 0.01  # relative improvement below which the curve counts as not shifted
MIN_POINTS_TO_SHIFT = 10
FAINT, FEWEST_RATIOS = 0.05, 3  # of a reference's largest value; points that have more, for a ratio
_AT_ONCE = 300_000  # numbers in one array of trials


class NoOverlap(ValueError):
    """The curves share no part of the range asked for."""


@dataclass(frozen=True)
class Pair:
    """A feature of the reference and its partner in the simulation, if it has one."""

    reference: Extremum
    simulated: Extremum | None
    major: bool


@dataclass(frozen=True)
class Factor:
    """One curve over another: in the middle of all points where the other is more than a twentieth of its largest value, how far the
    ratio of nine in ten of these is from that at most, and the other's middle magnitude."""

    middle: float
    off: float
    magnitude: float


@dataclass(frozen=True)
class CurveComparison:
    """How a simulated curve differs from a reference.

    nrms values are percent of `scale_y` (range of the reference; the largest magnitude of a flat one).
    shift: how far the simulation lies to larger x, in units of x; shift_percent: relative to the reference's
    main feature (or the middle of the range). scale: amplitude of the simulation relative to the reference.
    shift_at_limit: the best shift is the largest that was tried, so none was found. largest_difference: in units of y, as
    it stands.
    pearson: after the shift; None for a flat curve. overlap: part of the asked range that both cover. rises: in percent of `scale_y`,
    what a flat reference and the simulation beside it rise by all along (less than 0: fall); 0 where they turn. factor: what the
    simulation is of the reference, as it stands; None of too few points. beside: simulation and reference at the same places, as they
    stand.
    """

    overlap: float
    scale_y: float
    flat: bool
    nrms_percent: float
    nrms_aligned_percent: float
    rms_difference: float
    rms_relative_percent: float | None
    pearson: float | None
    shift: float
    shift_percent: float | None
    scale: float | None
    pairs: tuple[Pair, ...]
    unmatched_simulated: int
    major_extra: int
    shift_at_limit: bool = False
    largest_difference: float = 0.0
    rises: tuple[float, float] = (0.0, 0.0)
    factor: Factor | None = None
    beside: tuple[FloatArray, FloatArray] | None = field(default=None, compare=False, repr=False)

    @property
    def major_missing(self) -> int:
        """Major features of the reference without a partner."""
        return sum(pair.major and pair.simulated is None for pair in self.pairs)

    @property
    def matched_fraction(self) -> float:
        """Fraction of the reference's features that have a partner; 1 if it has none."""
        return sum(p.simulated is not None for p in self.pairs) / len(self.pairs) if self.pairs else 1.0


def compare(
    simulated: Curve, reference: Curve, x_range: tuple[float, float] | None = None
) -> CurveComparison:
    """Compare over `x_range` (default: the reference's range), both curves in the same units.

    Raises:
        NoOverlap: simulation and reference have no common part in the range.
    """
    whole = float(reference.x[0]), float(reference.x[-1])
    asked = (min(x_range), max(x_range)) if x_range else whole
    part = reference.within(*asked)
    low = max(asked[0], float(reference.x[0]), float(simulated.x[0]))
    high = min(asked[1], float(reference.x[-1]), float(simulated.x[-1]))
    if part is None or not low < high:
        raise NoOverlap(
            f"the simulation covers {simulated.x[0]:g} to {simulated.x[-1]:g}, the reference "
            f"{reference.x[0]:g} to {reference.x[-1]:g}; nothing in common between {asked[0]:g} and "
            f"{asked[1]:g}"
        )
    x = grid(simulated, part)
    covered = (x >= low) & (x <= high)
    if np.count_nonzero(covered) < 2:
        x = np.linspace(low, high, 400)
        covered = np.ones(x.size, dtype=bool)
    wanted = part.at(x)
    scale_y, flat, span = normaliser(part), is_flat(part), asked[1] - asked[0]
    margin = SHIFT_LIMIT * span
    near = simulated.within(low - margin, high + margin) or simulated
    prominence = least_prominence((near, part), scale_y)
    ref_features = () if flat else extrema(part, prominence)
    sim_features = () if flat else extrema(near, prominence)
    shift = 0.0 if flat else _best_shift(simulated, x, wanted, covered, margin, ref_features, sim_features)
    raw = simulated.at(x[covered]) - wanted[covered]
    aligned, target = _shifted(simulated, x, wanted, shift)
    matched = dict(match(ref_features, sim_features, shift, span))
    # prominence and width depend on where a curve is cut: measure both curves between the same ends
    cut = simulated.within(low + shift, high + shift)
    within_cut = extrema(cut, prominence) if cut is not None and not flat else ()
    extra = [
        e
        for j, e in enumerate(sim_features)
        if j not in matched.values() and low + 0.02 * span < e.x - shift < high - 0.02 * span
    ]
    magnitude = np.abs(wanted[covered])
    relative = None if np.any(magnitude == 0) else 100 * _rms(raw / magnitude)
    main = max(ref_features, key=lambda e: e.prominence, default=None)
    centre = main.x if main else (low + high) / 2
    return CurveComparison(
        overlap=(high - low) / span,
        scale_y=scale_y,
        flat=flat,
        nrms_percent=100 * _rms(raw) / scale_y,
        nrms_aligned_percent=100 * _rms(aligned - target) / scale_y,
        rms_difference=_rms(raw),
        rms_relative_percent=relative,
        pearson=None if flat else _pearson(aligned, target),
        shift=shift,
        shift_percent=100 * shift / abs(centre) if centre else None,
        scale=None if flat else _slope(aligned, target),
        pairs=tuple(
            Pair(
                e,
                _as_cut(sim_features[matched[i]], within_cut, span) if i in matched else None,
                e.prominence >= PROMINENCE_MAJOR * scale_y,
            )
            for i, e in enumerate(ref_features)
        ),
        unmatched_simulated=len(extra),
        major_extra=sum(e.prominence >= PROMINENCE_MAJOR * scale_y for e in extra),
        shift_at_limit=abs(shift) >= 0.995 * margin > 0,
        largest_difference=float(np.abs(raw).max()),
        rises=(100 * rise(wanted[covered]) / scale_y, 100 * rise(simulated.at(x[covered])) / scale_y)
        if flat
        else (0.0, 0.0),
        factor=_factor(simulated.at(x[covered]), wanted[covered]),
        beside=(simulated.at(x[covered]), wanted[covered]),
    )


def _factor(ours: FloatArray, theirs: FloatArray) -> Factor | None:
    there = np.abs(theirs) > FAINT * np.max(np.abs(theirs))
    if np.count_nonzero(there) < FEWEST_RATIOS:
        return None
    ratio = ours[there] / theirs[there]
    middle = float(np.median(ratio))
    off = float(np.quantile(np.abs(ratio - middle), 0.9))
    return Factor(middle, off, float(np.median(np.abs(theirs[there]))))


def _as_cut(feature: Extremum, cut: Sequence[Extremum], span: float) -> Extremum:
    """The same feature as found on the cut curve; itself if the cut took it away."""
    same = [e for e in cut if e.kind == feature.kind and abs(e.x - feature.x) <= 1e-3 * span]
    return same[0] if same else feature


def _best_shift(
    simulated: Curve,
    x: FloatArray,
    wanted: FloatArray,
    covered: NDArray[np.bool_],
    limit: float,
    ref: tuple[Extremum, ...],
    sim: tuple[Extremum, ...],
) -> float:
    """Shift of the simulation with the least RMS difference, 0 unless it clearly helps."""
    from scipy.optimize import minimize_scalar

    least = max(2.0, MIN_COVER * float(np.count_nonzero(covered)))
    if np.count_nonzero(covered) < MIN_POINTS_TO_SHIFT:
        return 0.0

    def cost(shift: float) -> float:
        a, b = _shifted(simulated, x, wanted, shift)
        return _rms(a - b) if a.size >= least else np.inf

    # A line narrower than a grid step is only found from the positions of the features themselves.
    pairs = [b.x - a.x for a in ref for b in sim if a.kind == b.kind and abs(b.x - a.x) <= limit][:200]
    trials = np.concatenate([np.linspace(-limit, limit, SHIFT_STEPS), pairs])
    rows = max(1, _AT_ONCE // len(x))
    costs = [_costs(simulated, x, wanted, trials[n : n + rows], least) for n in range(0, len(trials), rows)]
    best = float(trials[int(np.argmin(np.concatenate(costs)))])
    step = min([2 * limit / (SHIFT_STEPS - 1), *(e.fwhm / 2 for e in ref if e.fwhm > 0)])
    fine = minimize_scalar(
        cost,
        bounds=(max(best - step, -limit), min(best + step, limit)),
        method="bounded",
        options={"xatol": 1e-4 * step},
    )
    if float(fine.fun) < cost(best):
        best = float(fine.x)
    return best if cost(best) < (1 - MIN_GAIN) * cost(0.0) else 0.0


def _costs(
    simulated: Curve, x: FloatArray, wanted: FloatArray, shifts: FloatArray, least: float
) -> FloatArray:
    """Of each shift the RMS difference, infinite where fewer than `least` points are left."""
    apart = np.square(simulated.at(x + shifts[:, None]) - wanted)
    left = np.isfinite(apart)
    count = left.sum(axis=1)
    mean = np.where(left, apart, 0.0).sum(axis=1) / np.maximum(count, 1)
    return np.where(count >= least, np.sqrt(mean), np.inf)


def _shifted(
    simulated: Curve, x: FloatArray, wanted: FloatArray, shift: float
) -> tuple[FloatArray, FloatArray]:
    moved = simulated.at(x + shift)
    inside = np.isfinite(moved)
    return moved[inside], wanted[inside]


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _pearson(a: FloatArray, b: FloatArray) -> float | None:
    """Correlation; None where one of them does not vary beyond rounding."""
    if a.size < 3 or np.std(a) <= 1e-9 * np.abs(a).max() or np.std(b) <= 1e-9 * np.abs(b).max():
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _slope(simulated: FloatArray, reference: FloatArray) -> float | None:
    variance = float(np.var(reference))
    if not variance:
        return None
    return float(np.mean((simulated - simulated.mean()) * (reference - reference.mean())) / variance)
