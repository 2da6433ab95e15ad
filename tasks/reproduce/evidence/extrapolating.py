"""A target's value for a pixel of no size, where trusted code chose the grids and its values on them are regular."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.execution import StageOutputs
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.evidence.convergence import (
    FEWEST_POINTS,
    OF_A_CURVE,
    OF_A_NUMBER,
    Convergence,
    Extrapolated,
    extrapolated,
)
from tasks.reproduce.evidence.moving_lines import extrapolated_curve
from tasks.reproduce.evidence.numerics import formal_order
from tasks.reproduce.evidence.rung import Rung, Value


@dataclass(frozen=True)
class AtNoPixel:
    """The value, where the grids before the last lead to, the finest grid's own, and how."""

    value: Value
    before: Value
    finest: Value
    limit: Extrapolated
    grids: int

    def convergence(self, apart: Callable[[Value, Value], float | None]) -> Convergence | None:
        """Its uncertainty in the measure of a comparison; None where the values have no distance in it."""
        added, before = apart(self.finest, self.value), apart(self.before, self.value)
        if added is None or before is None:
            return None
        return self.limit.convergence(max(self.limit.open * added, before), self.grids)


def limit_of(outputs: StageOutputs, target: Target, rungs: Sequence[Rung]) -> AtNoPixel | None:
    """A target's; None too where a function of the description's own made its values, whose witnesses are of the finest grid alone."""
    study = outputs.study
    if study is None or any(q.code for q in study.quantities if target.target_id in q.answers):
        return None
    return at_no_pixel(rungs, formal_order(outputs, target))


def at_no_pixel(rungs: Sequence[Rung], formal: float) -> AtNoPixel | None:
    """From a target's values by ascending resolution; None of a map, a free script, and of what is not regular.

    Quantities of several scenes have ladders of their own, whose grids do not shrink alike: none of these either.
    """
    behind = [rung.executions for rung in rungs]
    if any(
        len({e.resolution_scale for e in ones}) != 1 or not all(e.described for e in ones) for ones in behind
    ):
        return None
    scales = [rung.scale for rung in rungs]
    value = rungs[-1].value if rungs else None
    if isinstance(value, Curve):
        curves = [rung.value for rung in rungs if isinstance(rung.value, Curve)]
        limit = _of_curves(scales, curves, formal)
        if limit is None:
            return None
        made, before = Curve(value.x, limit.values), Curve(value.x, limit.before)
        return AtNoPixel(made, before, value, limit, len(rungs))
    if not isinstance(value, float):
        return None
    own = [rung.curve for rung in rungs if rung.curve is not None]
    steady = (
        len(own) == len(rungs)
        and own[-1].x.size >= FEWEST_POINTS
        and _of_curves(scales, own, formal) is not None
    )
    table = np.array([[rung.value] for rung in rungs], dtype=float)
    limit = extrapolated(scales, table, OF_A_CURVE if steady else OF_A_NUMBER, formal)
    if limit is None:
        return None
    return AtNoPixel(float(limit.values[0]), float(limit.before[0]), value, limit, len(rungs))


def _of_curves(scales: Sequence[float], curves: Sequence[Curve], formal: float) -> Extrapolated | None:
    x = curves[-1].x
    if len(curves) < len(scales):
        return None
    return extrapolated_curve(scales, x, np.array([curve.at(x) for curve in curves]), formal)
