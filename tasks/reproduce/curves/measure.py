"""Numbers of a curve: extrema, widths, slopes, crossings, integrals, gaps. The same function for paper and simulation.

Between samples a curve is the straight line through its neighbours; an extremum lies at the vertex of the parabola
through three samples. A height is counted from its base, the higher of the lowest points on either side up to the next
higher extremum or the window's end (topographic prominence), or from zero. What the sampling leaves open is estimated by measuring
again on every other sample: both rules are of second order, so a third of the change, times 1.25 (Roache 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from schemas.reproduce.simulations.features import CurveFeature, SimpleFeature
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.features import (
    PROMINENCE,
    EdgeExtremum,
    Extremum,
    Kind,
    extrema,
    global_extremum,
)

SAFETY = 1.25
SAMPLING = SAFETY / 3
FAINT = 0.005
"""Share of the range from which on an extremum is there: fewer of `PROMINENCE` than asked for do not show that there is none."""


class NoFeature(ValueError):
    """The curve does not have the feature asked for; the message says what it has."""


class TooFaint(NoFeature):
    """The curve has more such extrema than asked for, that are too shallow to tell which is meant."""


class OnlyAtEdge(NoFeature):
    """The largest (smallest) value lies at an end of the window: the curve has no such extremum inside."""


def measure(feature: CurveFeature, curves: Sequence[Curve], edges: bool = False) -> float:
    """The feature's value. `curves`: one, or two for features of two curves, each cut to the compared range.

    edges: whether the value or position of an extremum may be that of an end of the window.

    Raises:
        OnlyAtEdge: the extremum lies at an end of its window.
        NoFeature: the curve has no such feature.
    """
    if feature.kind == "band_gap":
        return _band_gap(feature.measure, *(_cut(curve, feature.window) for curve in curves))
    values = [_simple(part, curves[part.curve == "second"], edges) for part in feature.parts]
    if feature.kind == "difference":
        return values[0] - values[1]
    if feature.kind == "ratio":
        if not values[1]:
            raise NoFeature("the second feature of the ratio is 0")
        return values[0] / values[1]
    return values[0]


def sampling_error(
    feature: CurveFeature, curves: Sequence[Curve], value: float, edges: bool = False
) -> float | None:
    """What the spacing of the samples leaves open, in units of the value; None if half the samples do not show it.

    Of a value at an abscissa that has a sample nothing is left open: that sample stays.
    """
    asked = [x for part in (feature, *feature.of) for x in part.at]
    try:
        halves = [
            measure(feature, [_every_other(curve, first, asked) for curve in curves], edges)
            for first in (0, 1)
        ]
    except ValueError:
        return None
    bent = max(
        (_bend(curve, x) for curve in curves for x in feature.at if feature.kind == "value_at"), default=0.0
    )
    return max(bent, SAMPLING * max(abs(half - value) for half in halves))


def _bend(curve: Curve, x: float) -> float:
    """How far parabolas and cubics through the samples around an abscissa leave the line between its neighbours there: beside a wider gap
    than elsewhere every other sample tells nothing."""
    after = int(np.clip(np.searchsorted(curve.x, x), 1, curve.x.size - 1))
    if np.min(np.abs(curve.x - x)) <= 1e-6 * (curve.x[-1] - curve.x[0]):
        return 0.0  # a sample
    line, found = float(curve.at(np.array([x]))[0]), [0.0]
    for count in (3, 4):
        for first in range(after + 1 - count, after):
            own = slice(first, first + count)
            if first >= 0 and first + count <= curve.x.size:
                apart = (curve.x[own] - x) / (curve.x[own][-1] - curve.x[own][0])
                found.append(
                    abs(float(np.polynomial.polynomial.polyfit(apart, curve.y[own], count - 1)[0]) - line)
                )
    return SAFETY * max(found)


def _every_other(curve: Curve, first: int, asked: Sequence[float]) -> Curve:
    rounding = 1e-6 * (curve.x[-1] - curve.x[0])
    there = [i for x in asked for i in np.flatnonzero(np.abs(curve.x - x) <= rounding)]
    keep = np.unique(np.r_[0, np.arange(first, curve.x.size, 2), curve.x.size - 1, np.array(there, int)])
    return Curve(curve.x[keep], curve.y[keep])


def _cut(curve: Curve, window: Sequence[float]) -> Curve:
    if not window:
        return curve
    part = curve.within(window[0], window[1])
    if part is None or curve.count(window[0], window[1]) < 3:
        raise NoFeature(
            f"fewer than three samples between {window[0]:g} and {window[1]:g}; the curve has {curve.x.size} "
            f"from {curve.x[0]:g} to {curve.x[-1]:g}"
        )
    return part


def _simple(feature: SimpleFeature | CurveFeature, whole: Curve, edges: bool = False) -> float:
    from scipy.integrate import trapezoid

    if feature.kind == "value_at":
        rounding = 1e-6 * (whole.x[-1] - whole.x[0])  # an end that went through units and a file
        if not whole.x[0] - rounding <= feature.at[0] <= whole.x[-1] + rounding:
            raise NoFeature(f"x = {feature.at[0]:g} is outside the curve, {whole.x[0]:g} to {whole.x[-1]:g}")
        return float(whole.at(np.clip(np.array(feature.at), whole.x[0], whole.x[-1]))[0])
    curve = _cut(whole, feature.window)
    taken: dict[str, Callable[[], float]] = {
        "position": lambda: _extremum(feature, curve, edges).x,
        "value": lambda: _extremum(feature, curve, edges).y,
        "prominence": lambda: _height(_extremum(feature, curve), curve),
        "width": lambda: _width(feature, curve, _extremum(feature, curve)),
        "quality_factor": lambda: _quality(feature, curve),
        "slope": lambda: float(np.polyfit(curve.x - curve.x.mean(), curve.y, 1)[0]),
        "crossing": lambda: _crossing(feature, curve),
        "integral": lambda: float(trapezoid(curve.y, curve.x)),
        "mean": lambda: float(trapezoid(curve.y, curve.x) / (curve.x[-1] - curve.x[0])),
        "cutoff": lambda: _cutoff(feature, curve),
    }
    return taken[feature.kind]()


def _extremum(feature: SimpleFeature | CurveFeature, curve: Curve, edges: bool = False) -> Extremum:
    kind: Kind = "dip" if feature.extremum == "minimum" else "peak"
    if not feature.number:
        try:
            return global_extremum(curve, kind)
        except EdgeExtremum as error:
            if edges:
                return error.there
            raise OnlyAtEdge(str(error)) from error
    found = [e for e in extrema(curve, PROMINENCE * curve.range()) if e.kind == kind]
    if abs(feature.number) > len(found):
        faint = [e for e in extrema(curve, FAINT * curve.range()) if e.kind == kind]
        if abs(feature.number) == len(faint):  # "a second, shallow minimum", on a logarithmic axis
            return faint[feature.number - (feature.number > 0)]
        missing = NoFeature if len(faint) < abs(feature.number) else TooFaint
        places = ", ".join(f"{e.x:g}" for e in found[:20]) or "none"
        raise missing(
            f"{feature.extremum} number {feature.number} was asked for; between {curve.x[0]:g} and "
            f"{curve.x[-1]:g} there are {len(found)} of at least {100 * PROMINENCE:g} % of the range: {places}; "
            f"of at least {100 * FAINT:g} %: {len(faint)}"
        )
    return found[feature.number - (feature.number > 0)]


def _sides(curve: Curve, top: Extremum) -> tuple[Curve, Curve]:
    """The curve left and right of an extremum, outwards from it, as if it were a peak."""
    sign = 1.0 if top.kind == "peak" else -1.0
    left, right = curve.x < top.x, curve.x > top.x
    return (
        Curve(np.r_[top.x, curve.x[left][::-1]], sign * np.r_[top.y, curve.y[left][::-1]]),
        Curve(np.r_[top.x, curve.x[right]], sign * np.r_[top.y, curve.y[right]]),
    )


def _height(top: Extremum, curve: Curve) -> float:
    height = top.y if top.kind == "peak" else -top.y
    bases = []
    for side in _sides(curve, top):
        higher = np.flatnonzero(side.y > height + 1e-12 * abs(height))
        bases.append(float(side.y[: higher[0] + 1 if higher.size else None].min()))
    return height - max(bases)


def _width(feature: SimpleFeature | CurveFeature, curve: Curve, top: Extremum) -> float:
    sign = 1.0 if top.kind == "peak" else -1.0
    level = (
        sign * feature.level[0]
        if feature.level
        else sign * top.y
        - (1 - feature.fraction) * (top.y if feature.base == "zero" else _height(top, curve))
    )
    if level >= sign * top.y:
        raise NoFeature(
            f"the level {sign * level:g} is not reached by the {feature.extremum} {top.y:g} at x = {top.x:g}"
        )
    ends = []
    for side in _sides(curve, top):
        below = np.flatnonzero(side.y <= level)
        if not below.size:
            raise NoFeature(
                f"from the {feature.extremum} at x = {top.x:g} the curve does not come to the level "
                f"{sign * level:g} before x = {side.x[-1]:g}; widen the window or choose another level"
            )
        ends.append(_between(side, int(below[0]), level))
    return abs(ends[1] - ends[0])


def _quality(feature: SimpleFeature | CurveFeature, curve: Curve) -> float:
    top = _extremum(feature, curve)
    width = _width(feature, curve, top)
    if not width:
        raise NoFeature(f"the {feature.extremum} at x = {top.x:g} has no width")
    return abs(top.x) / width


def _crossing(feature: SimpleFeature | CurveFeature, curve: Curve) -> float:
    level = feature.level[0]
    above = curve.y >= level
    places = [
        int(i) + 1
        for i in np.flatnonzero(above[1:] != above[:-1])
        if feature.direction in ("either", "rising" if above[i + 1] else "falling")
    ]
    wanted = feature.number or 1
    if len(places) < abs(wanted) or (not feature.number and len(places) > 1):
        found = ", ".join(f"{_between(curve, i, level):g}" for i in places[:20]) or "none"
        raise NoFeature(
            f"{'crossing ' + str(feature.number) if feature.number else 'the only crossing'} of the level "
            f"{level:g} ({feature.direction}) was asked for; there are {len(places)}: {found}"
        )
    return _between(curve, places[wanted - (wanted > 0)], level)


def _cutoff(feature: SimpleFeature | CurveFeature, curve: Curve) -> float:
    """Where the curve leaves the fraction of its maximum: the nearest crossing beyond (falling) or before (rising) it."""
    place = int(np.argmax(curve.y))
    level = feature.fraction * float(curve.y[place])
    below = np.flatnonzero(curve.y < level)
    after, before = below[below > place], below[below < place]
    sides = {"falling": after.size > 0, "rising": before.size > 0}
    possible = [name for name, there in sides.items() if there and feature.direction in ("either", name)]
    if len(possible) != 1 or curve.y[place] <= 0:
        raise NoFeature(
            f"the curve has {len(possible)} cut-offs at {feature.fraction:g} of its maximum "
            f"{curve.y[place]:g} at x = {curve.x[place]:g} ({feature.direction}); exactly one is needed: "
            "name rising or falling, or widen the window"
        )
    return (
        _between(curve, int(after[0]), level)
        if possible == ["falling"]
        else _between(curve, int(before[-1]) + 1, level)
    )


def _band_gap(wanted: str, one: Curve, other: Curve) -> float:
    lower, upper = sorted((one, other), key=lambda band: float(band.y.mean()))
    low, high = float(lower.y.max()), float(upper.y.min())
    if high <= low:
        raise NoFeature(
            f"the bands leave no gap: the lower one reaches {low:g}, the upper one comes down to {high:g}"
        )
    width, middle = high - low, (high + low) / 2
    return {"width": width, "middle": middle, "ratio": width / middle}[wanted]


def _between(curve: Curve, place: int, level: float) -> float:
    """Where the straight line between the samples place - 1 and place has the level."""
    (x0, x1), (y0, y1) = curve.x[place - 1 : place + 1], curve.y[place - 1 : place + 1]
    return float(x0 if y1 == y0 else x0 + (level - y0) / (y1 - y0) * (x1 - x0))
