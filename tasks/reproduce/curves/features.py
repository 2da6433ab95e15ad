"""Peaks and dips: finding them with sub-sample position, and matching those of two curves one to one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tasks.reproduce.curves.curve import Curve

Kind = Literal["peak", "dip"]

PROMINENCE = 0.05  # of the reference's range: smallest feature looked for
PROMINENCE_MAJOR = 0.20  # of the reference's range: a feature the curve cannot do without
NOISE_FACTOR = 6.0  # a feature stands at least this many standard deviations out of the noise
GATE_SPAN = 0.10  # partners lie within this fraction of the compared range ...
GATE_FWHM = 0.5  # ... or within this fraction of the broader one's FWHM
WIDTH_GATE = 4.0  # partners differ in FWHM by less than this factor


@dataclass(frozen=True)
class Extremum:
    """A peak or dip: position and FWHM in units of x, y there, prominence in units of y."""

    kind: Kind
    x: float
    y: float
    fwhm: float
    prominence: float


class EdgeExtremum(ValueError):
    """The extremum lies at the end of the range, `there`: it is a limit of the data, not a feature."""

    def __init__(self, words: str, there: Extremum) -> None:
        super().__init__(words)
        self.there = there


def least_prominence(curves: Sequence[Curve], reference_range: float) -> float:
    """Prominence from which something counts as a feature: 5 % of the range, more (up to 20 %) in noise."""
    noise = max(curve.noise() for curve in curves)
    return float(
        np.clip(NOISE_FACTOR * noise, PROMINENCE * reference_range, PROMINENCE_MAJOR * reference_range)
    )


def extrema(curve: Curve, prominence: float) -> tuple[Extremum, ...]:
    """Interior peaks and dips of at least the given prominence (units of y), in ascending x."""
    from scipy.signal import find_peaks, peak_widths  # slow to import, and many targets have no feature

    found: list[Extremum] = []
    index = np.arange(curve.x.size)
    kinds: tuple[tuple[Kind, int], ...] = (("peak", 1), ("dip", -1))
    for kind, sign in kinds:
        signal = sign * curve.y
        places, properties = find_peaks(signal, prominence=max(prominence, 1e-300))
        apart = [
            at == 0 or _apart(signal, places[:at], int(place), prominence) for at, place in enumerate(places)
        ]
        places, properties = places[apart], {name: values[apart] for name, values in properties.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a peak of zero width
            _, _, left, right = peak_widths(signal, places, rel_height=0.5)
        widths = np.interp(right, index, curve.x) - np.interp(left, index, curve.x)
        for place, width, height in zip(places, widths, properties["prominences"], strict=True):
            x, y = _vertex(curve, int(place))
            found.append(Extremum(kind, x, y, float(width), float(height)))
    return tuple(sorted(found, key=lambda e: e.x))


def _apart(signal: np.ndarray, before: np.ndarray, place: int, prominence: float) -> bool:
    """Whether a peak is none of those before it: of two equally high ones scipy calls both prominent, however shallow the dip between."""
    return all(
        signal[one] != signal[place] or signal[place] - np.min(signal[one:place]) >= prominence
        for one in before
    )


def global_extremum(curve: Curve, kind: Kind) -> Extremum:
    """The highest peak or deepest dip of the whole curve.

    Raises:
        EdgeExtremum: the largest (smallest) value is the first or last sample.
    """
    place = int(np.argmax(curve.y) if kind == "peak" else np.argmin(curve.y))
    if place in (0, curve.x.size - 1):
        raise EdgeExtremum(
            f"the {'maximum' if kind == 'peak' else 'minimum'} lies at the edge of the range "
            f"{curve.x[0]:g} to {curve.x[-1]:g}, x = {curve.x[place]:g}; it must lie inside: widen the range",
            Extremum(kind, float(curve.x[place]), float(curve.y[place]), 0.0, 0.0),
        )
    x, y = _vertex(curve, place)
    return Extremum(kind, x, y, 0.0, curve.range())


def match(
    reference: Sequence[Extremum], simulated: Sequence[Extremum], shift: float, span: float
) -> list[tuple[int, int]]:
    """Pairs (index in reference, index in simulated) of the same kind, nearest in position after `shift`.

    One-to-one (Hungarian assignment). `shift` is how far the simulation lies to larger x.
    """
    from scipy.optimize import linear_sum_assignment

    if not reference or not simulated:
        return []
    cost = np.full((len(reference), len(simulated)), np.inf)
    for i, a in enumerate(reference):
        for j, b in enumerate(simulated):
            distance = abs(b.x - shift - a.x)
            gate = max(GATE_SPAN * span, GATE_FWHM * max(a.fwhm, b.fwhm))
            ratio = b.fwhm / a.fwhm if a.fwhm > 0 else np.inf
            if a.kind == b.kind and distance <= gate and 1 / WIDTH_GATE <= ratio <= WIDTH_GATE:
                cost[i, j] = distance / span + 0.1 * abs(np.log(ratio))
    impossible = 1e6
    rows, columns = linear_sum_assignment(np.where(np.isfinite(cost), cost, impossible))
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if np.isfinite(cost[i, j])]


def _vertex(curve: Curve, place: int) -> tuple[float, float]:
    """Vertex of the parabola through a sample and its neighbours; the sample itself if there is none."""
    if not 0 < place < curve.x.size - 1:
        return float(curve.x[place]), float(curve.y[place])
    x, y = curve.x[place - 1 : place + 2], curve.y[place - 1 : place + 2]
    left, right = x[1] - x[0], x[2] - x[1]
    slope_left, slope_right = (y[1] - y[0]) / left, (y[2] - y[1]) / right
    curvature = (slope_right - slope_left) / (left + right)
    if curvature == 0 or slope_left * slope_right > 0:
        return float(x[1]), float(y[1])
    # Newton's form p(t) = y0 + s0 (t - x0) + c (t - x0)(t - x1); p' = 0.
    vertex = (x[0] + x[1]) / 2 - slope_left / (2 * curvature)
    vertex = float(np.clip(vertex, x[0], x[2]))
    value = y[0] + slope_left * (vertex - x[0]) + curvature * (vertex - x[0]) * (vertex - x[1])
    return vertex, float(value)
