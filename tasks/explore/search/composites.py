"""Four formulas that make one score of a node's axes. All lie between the lowest and the highest axis; no axes give 0."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from schemas.explore.evaluation import AxisScore
from schemas.explore.settings import CompositeFormula


def axis_composite(axes: Sequence[AxisScore], formula: CompositeFormula) -> float:
    """The composite of axis scores, 0 to 1, by their weights."""
    if not axes:
        return 0.0
    scores, weights = [axis.score for axis in axes], [axis.weight for axis in axes]
    return min(1.0, max(0.0, FORMULAS[formula](scores, weights)))


def harmonic_mean(scores: Sequence[float], weights: Sequence[float]) -> float:
    """sum(w) / sum(w/s): one bad axis pulls hard, a zero gives 0."""
    if min(scores) <= 0:
        return 0.0
    return sum(weights) / sum(weight / score for score, weight in zip(scores, weights, strict=True))


def arithmetic_mean(scores: Sequence[float], weights: Sequence[float]) -> float:
    """sum(w s) / sum(w): a bad axis can be made up for."""
    return sum(weight * score for score, weight in zip(scores, weights, strict=True)) / sum(weights)


def geometric_mean(scores: Sequence[float], weights: Sequence[float]) -> float:
    """exp(sum(w ln s) / sum(w)): between the two others, a zero gives 0."""
    if min(scores) <= 0:
        return 0.0
    return math.exp(
        sum(weight * math.log(score) for score, weight in zip(scores, weights, strict=True)) / sum(weights)
    )


def weighted_min(scores: Sequence[float], weights: Sequence[float]) -> float:
    """min(1 - w/max(w) (1 - s)): the worst axis decides, and one of half the weight loses half as much."""
    top = max(weights)
    return min(1 - weight / top * (1 - score) for score, weight in zip(scores, weights, strict=True))


FORMULAS: dict[CompositeFormula, Callable[[Sequence[float], Sequence[float]], float]] = {
    "harmonic_mean": harmonic_mean,
    "arithmetic_mean": arithmetic_mean,
    "weighted_min": weighted_min,
    "geometric_mean": geometric_mean,
}
