"""Where a sweep needs more points: where it is rough, and around the extrema that features are read from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.simulations.features import CurveFeature
from tasks.reproduce.curves.curve import Curve as Sampled
from tasks.reproduce.curves.features import PROMINENCE, extrema
from tasks.reproduce.curves.measure import sampling_error
from tasks.reproduce.measuring import Curve, Map

MOST_POINTS = 33
SCATTER = 0.02  # of a curve's range
FLAT = 1e-3  # of a curve's largest value: what rises less may be the grid's own steps
Array = NDArray[np.float64]


def refined(curve: Curve) -> Array:
    """The abscissae with midpoints beside the points that lie farthest from the line through their neighbours."""

    x, y = curve.x, curve.y
    miss = [
        abs(float(np.interp(x[i], x[[i - 1, i + 1]], y[[i - 1, i + 1]])) - y[i]) for i in range(1, x.size - 1)
    ]
    rough = {i + 1 for i, value in enumerate(miss) if value > 0.3 * max(miss)}
    extra = [(x[i] + x[i + 1]) / 2 for i in range(x.size - 1) if i in rough or i + 1 in rough]
    return np.unique(np.concatenate([x, extra]))


def roughness(curve: Curve) -> float:
    """How far the points lie from the lines through their neighbours, of the curve's range: the largest; 0 of a map."""
    if isinstance(curve, Map) or curve.x.size < 3 or not np.ptp(curve.y):
        return 0.0
    x, y = curve.x, curve.y
    lines = y[:-2] + (y[2:] - y[:-2]) * (x[1:-1] - x[:-2]) / (x[2:] - x[:-2])
    return float(np.max(np.abs(y[1:-1] - lines)) / np.ptp(y))


def scattered(curve: Curve, before: float) -> bool:
    """Whether a nearly straight curve is no smoother for the points it was given: it lies within SCATTER of its range of lines
    through its neighbours, and half of the spacing left more than half of that. Grids move such points, and no further ones
    tell more."""
    now = roughness(curve)
    return before / 2 < now <= SCATTER


def turning(curve: Curve, share: float) -> Array:
    """Midpoints beside each extremum whose place or height is not known to `share` of it, as evidence will measure them.

    Evidence reads an extremum from three samples and its doubt from every other sample, so two intervals on either side are
    halved; each round divides the doubt by four. A height counts against the curve's largest value.
    """
    if curve.x.size < 5:
        return np.array([])
    sampled = Sampled.of(curve.x, curve.y)
    found = extrema(sampled, max(PROMINENCE * sampled.range(), FLAT * float(np.max(np.abs(curve.y)))))
    extra: list[float] = []
    for kind, name in (("peak", "maximum"), ("dip", "minimum")):
        for number, top in enumerate((e for e in found if e.kind == kind), 1):
            doubts = [
                sampling_error(CurveFeature(kind=what, extremum=name, number=number), [sampled], value)  # type: ignore[arg-type]
                for what, value in (("position", top.x), ("value", top.y))
            ]
            sizes = (max(abs(top.x), 0.1 * float(np.ptp(curve.x))), float(np.max(np.abs(curve.y))))
            if all(
                doubt is not None and doubt <= share * size for doubt, size in zip(doubts, sizes, strict=True)
            ):
                continue
            near = int(np.argmin(np.abs(sampled.x - top.x)))
            ends = range(max(near - 2, 0), min(near + 2, sampled.x.size - 1))
            extra += [float(sampled.x[i] + sampled.x[i + 1]) / 2 for i in ends]
    return np.array(extra)
