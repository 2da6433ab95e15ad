"""More frequencies, or more points of a sweep, until they resolve what is read from the curves: no further than the grid lets them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.simulations.features import CurveFeature
from tasks.reproduce.curves.curve import Curve as Sampled
from tasks.reproduce.curves.features import PROMINENCE, Extremum, extrema
from tasks.reproduce.curves.measure import sampling_error as left_open
from tasks.reproduce.measuring import Curve, Map
from tasks.reproduce.measuring.splines import cubic
from tasks.reproduce.solving.groups import SWEEP_POINTS, Group
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.aims import Aim, Demand
from tasks.reproduce.uncertainty.boundaries import CHANGES, SHARE
from tasks.reproduce.uncertainty.climbed import Climb, dimensions_of
from tasks.reproduce.uncertainty.error_parts import axis_errors, sampling_error

MOST_SAMPLES, MOST_ADDED = 801, 24  # samples of a spectrum; points of a sweep for each of its curves
SMOOTH = 0.01  # of a curve's range: where less lies between the points, they show all that it does
SCATTER, EVENLY = (
    0.05,
    5,
)  # the same where no point lies beside its neighbours' spline by five times what a third of them do
FLAT = 1e-3  # of a curve's largest value: what rises less may be the grid's own steps
FINER = 1.5  # how much finer the second grid is at most
_SAMPLED = 0.005  # features are read from curves: their sampling is never coarser than this asks for
_NEAR = (
    0.25  # of the distance of a sweep's points: one so near to a place that is asked for makes room for it
)
_ALSO = 0.3  # of the most that a number hangs on one sample: beside such samples points are added, too
_STEPS = 3  # shortest distances around an extremum, within which it is the same with more points
Array = NDArray[np.float64]
Left = Callable[[], float]
"""CPU seconds that are left."""


def with_places(group: Group, wanted: Mapping[str, Aim]) -> Group:
    """A sweep that begins with the places at which numbers are asked for: between two points a number would be that of a line."""
    asked = sorted({x for name in group.ids for demand in wanted[name] for x in demand.places})
    if group.sweep is None or group.whole or not asked or len(group.points) < 2:
        return group
    low, high = group.points[0], group.points[-1]
    near, rounding = _NEAR * (high - low) / (len(group.points) - 1), 1e-9 * (high - low)
    ends = [x for x in (low, high) if all(abs(x - place) > rounding for place in asked)]
    inner = [x for x in group.points[1:-1] if all(abs(x - place) > near for place in asked)]
    return group.with_points([*ends, *inner, *(x for x in asked if low - rounding <= x <= high + rounding)])


def sample(made: Climb, solver: Solver, wanted: Mapping[str, Aim], left: Left) -> None:
    """More frequencies, or more points of a sweep, until the curves, the numbers that are read from them, those that functions of the
    writer's own take of spectra, and a sweep's extrema are resolved."""
    spent = False  # whether more frequencies changed no run
    doubts: dict[tuple[str, int], list[float]] = {}  # of each demand, with each number of points
    before: dict[str, Curve] = {}
    while True:
        coarse = {name: value for name, value in made.coarse.values.items() if isinstance(value, Curve)}
        rough = _rough(coarse, wanted, doubts)
        chart = next((coarse[name] for name in rough if isinstance(coarse[name], Map)), None)
        samples, affordable = made.numerics.samples, 2 * made.coarse.cost_s <= left()
        if not spent and samples < MOST_SAMPLES and affordable and _open_under(made, wanted):
            made.numerics = replace(made.numerics, samples=min(MOST_SAMPLES, 4 * samples - 3))
            spectra = True
        elif made.group.sweep is not None and (
            not isinstance(chart, Map) or axis_errors(chart)[1] >= axis_errors(chart)[0]
        ):
            points = _points(made, coarse, before, rough, left())
            if points is None:
                return
            solver.tell(
                f"{made.group.name}: {points.size} points instead of {len(made.group.points)}, as far as what "
                "is read between them asks for"
            )
            made.group, spectra, before = made.group.with_points(points.tolist()), False, coarse
        elif not rough or 2 * samples - 1 > MOST_SAMPLES or not affordable:
            return
        else:
            made.numerics, spectra = replace(made.numerics, samples=2 * samples - 1), False
        finer = made.group.evaluate(made.numerics, solver)
        if spectra:
            spent = finer.same_runs(made.coarse)
            made.numerics = replace(made.numerics, samples=samples) if spent else made.numerics
        elif not _more(finer, coarse):
            made.numerics = replace(made.numerics, samples=samples)
            return
        if not spent or not spectra:
            made.coarse = finer
            made.outcomes.append(("sampling", finer))


def settled(doubts: Sequence[float], patience: int) -> bool:
    """Whether more points would tell no more: the last `patience` rounds of them left more than half of the doubt, where each divides
    it by four or more. Grids move the points of a curve, and then only a finer grid tells more."""
    return len(doubts) > patience and doubts[-1] > doubts[-1 - patience] / 2


def resolved(curve: Curve) -> bool:
    """Whether a curve's points show all that it does: what lies between them is little, or as little everywhere as a grid's steps are,
    and not much at one place."""
    x, y = curve.x, curve.y
    left, reach = sampling_error(curve), float(np.ptp(y))
    if left <= SMOOTH * reach or x.size < 7:
        return left <= SMOOTH * reach
    miss = np.abs(cubic(x[::2], y[::2])(x[1:-1:2]) - y[1:-1:2])
    most = max(SCATTER * reach, SMOOTH * float(np.max(np.abs(y))))
    return bool(left <= most and np.max(miss) <= EVENLY * np.quantile(miss, 2 / 3))


def refined(curve: Curve) -> Array:
    """Midpoints beside the points that lie farthest from the line through their neighbours."""
    x, y = curve.x, curve.y
    return _beside(
        x, [abs(float(np.interp(x[i], x[[i - 1, i + 1]], y[[i - 1, i + 1]])) - y[i]) for i in _inner(x)]
    )


def hanging(curve: Curve, number: Callable[[Curve], float]) -> Array:
    """Midpoints beside the samples that a number hangs on most: without which it is another one, or cannot be read."""
    whole, without = number(curve), []
    for place in _inner(curve.x):
        rest = replace(curve, x=np.delete(curve.x, place), y=np.delete(curve.y, place))
        try:
            without.append(abs(number(rest) - whole))
        except ValueError:
            without.append(np.inf)
    return _beside(curve.x, without)


def turning(curve: Curve, share: float, before: Curve | None = None) -> Array:
    """Midpoints beside each extremum whose place or height is not known to `share` of it, as evidence will measure them.

    Evidence reads an extremum from three samples and its doubt from every other sample, so two intervals on either side are
    halved; each round divides the doubt by four. A height counts against the curve's largest value. before: the curve with fewer points,
    to know which extrema are as well known as they get.
    """
    earlier = list(_turns(before)) if before is not None and resolved(curve) else []
    extra: list[float] = []
    for top, doubt in _turns(curve):
        if doubt <= share:
            continue
        near = int(np.argmin(np.abs(curve.x - top.x)))
        ends = range(max(near - 2, 0), min(near + 2, curve.x.size - 1))
        if before is not None and resolved(curve):
            reach = _STEPS * float(np.min(np.diff(before.x)))
            same = [d for t, d in earlier if t.kind == top.kind and abs(t.x - top.x) <= reach]
            if settled([min(same), doubt], 1) if same else resolved(before):
                continue  # as well known as it gets; or not there before, in a curve that showed all that it does
        extra += [float(curve.x[i] + curve.x[i + 1]) / 2 for i in ends]
    return np.array(extra)


def _turns(curve: Curve) -> Iterator[tuple[Extremum, float]]:
    """A curve's extrema, and how far each one's place or height is open, whichever is more, in shares of it."""
    if curve.x.size < 5:
        return
    sampled, most = Sampled.of(curve.x, curve.y), float(np.max(np.abs(curve.y)))
    found = extrema(sampled, max(PROMINENCE * sampled.range(), FLAT * most))
    for kind, name in (("peak", "maximum"), ("dip", "minimum")):
        for number, top in enumerate((e for e in found if e.kind == kind), 1):
            sizes = (max(abs(top.x), 0.1 * float(np.ptp(curve.x))), most)
            doubts = [
                left_open(CurveFeature(kind=what, extremum=name, number=number), [sampled], value)
                for what, value in (("position", top.x), ("value", top.y))
            ]
            known = [d / size for d, size in zip(doubts, sizes, strict=True) if d is not None]
            yield top, max(known) if len(known) == len(doubts) else np.inf


def _inner(x: Array) -> range:
    return range(1, x.size - 1)


def _beside(x: Array, sizes: Sequence[float]) -> Array:
    """The middles of the intervals beside those inner abscissae whose sizes are among the largest."""
    most = max((size for size in sizes if np.isfinite(size)), default=0.0)
    chosen = {i for i, size in zip(_inner(x), sizes, strict=True) if size > _ALSO * most}
    return np.array([(x[i] + x[i + 1]) / 2 for i in range(x.size - 1) if i in chosen or i + 1 in chosen])


def _rough(
    coarse: Mapping[str, Curve], wanted: Mapping[str, Aim], doubts: dict[tuple[str, int], list[float]]
) -> dict[str, list[Demand]]:
    """The demands of each curve whose samples leave more of them open than they may, and that more samples may settle.

    A curve that is compared whole, and what is left open within all that is good enough, is given up after one round that told no
    more; a number, whose doubt may be small by chance, after two.
    """
    out: dict[str, list[Demand]] = {}
    for name, value in coarse.items():
        for place, demand in enumerate(wanted[name]):
            past = doubts.setdefault((name, place), [])
            past.append(demand.sampling(value, _SAMPLED))
            patience = 2 if demand.read is not None and past[-1] > 1 else 1
            plain = not isinstance(value, Map)
            if past[-1] > SHARE and not (plain and resolved(value) and settled(past, patience)):
                out.setdefault(name, []).append(demand)
    return out


def _open_under(made: Climb, wanted: Mapping[str, Aim]) -> bool:
    """Whether the samples of the spectra that a number, or a sweep of it, is taken of leave more of it open than they may."""
    found = made.coarse.sampled
    return any(
        isinstance(other, Missing) or any(demand.change(value, other) > SHARE for demand in wanted[name])
        for name, other in found.items()
        if not isinstance(value := made.coarse.values.get(name, Missing("")), Missing)
    )


def _more(finer: Outcome, coarse: Mapping[str, Curve]) -> bool:
    """Whether some curve has more points than before."""
    found = ((finer.values.get(name), value) for name, value in coarse.items())
    return any(isinstance(curve, Curve) and curve.x.size > value.x.size for curve, value in found)


def _points(
    made: Climb,
    coarse: Mapping[str, Curve],
    before: Mapping[str, Curve],
    rough: Mapping[str, Sequence[Demand]],
    left: float,
) -> Array | None:
    """The points of a sweep with those that resolve what is asked of it, and its extrema, better; None where there are none to add.

    Every point is solved again for each variant and on a finer grid: no more are added than leave CPU time for these.
    """
    if made.group.whole or not coarse:
        return None
    turns = np.unique(np.concatenate([_places(curve) for curve in coarse.values()]))
    finer, known = turns, len(made.group.points)
    for name, curve in coarse.items():
        if isinstance(curve, Map):
            halved = np.linspace(curve.grid[1][0], curve.grid[1][-1], 2 * known - 1)
            finer = np.union1d(finer, halved) if name in rough else finer
            continue
        turns = np.union1d(turns, turning(curve, _SAMPLED, before.get(name)))
        for demand in rough.get(name, ()):
            number = demand.number_of(curve)
            beside = np.array([]) if number is None else hanging(curve, number)
            finer = np.union1d(finer, beside if beside.size else refined(curve))
    grid_s = made.coarse.cost_s
    again = (
        len(CHANGES) - 1 + FINER ** (dimensions_of(made.coarse) + 1)
    )  # of the variants one has nothing to vary
    for points in (np.union1d(finer, turns), turns):
        if (
            known < points.size <= SWEEP_POINTS + MOST_ADDED * len(coarse)
            and (
                grid_s * (1 + again)
                if made.group.same_scene
                else grid_s / known * (points.size - known + again * points.size)
            )
            <= left
        ):
            return points
    return None


def _places(curve: Curve) -> Array:
    """The values of the parameter at which a sweep's curve, or map, is known."""
    return curve.grid[1] if isinstance(curve, Map) else curve.x
