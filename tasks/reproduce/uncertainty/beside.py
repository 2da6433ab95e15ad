"""The exact or independent solution of what was described, beside the value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from schemas.reproduce.simulations.numerics import OracleComparison
from simkit.describe.feature import Feature
from simkit.describe.scene import Quantity
from tasks.limited import limited
from tasks.reproduce.measuring import Curve, Map, Measured, Scalar
from tasks.reproduce.measuring.swept_feature import feature_read
from tasks.reproduce.oracles import oracle
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import difference, pointwise, scale_of
from tasks.reproduce.uncertainty.free import described_by

FINELY, RESOLVED = (
    301,
    1e-3,
)  # frequencies of a theory's spectrum whose feature is swept; what its samples may leave open
THEORY_CPU_S = 600.0  # of our own process; the slowest of the bundled papers takes seconds
SOON_CPU_S = 60.0  # where a person said that it is enough


def beside(
    made: Climb,
    described: Any,
    finest: Measured,
    points: Any,
    uncertainty: float | None,
    materials: Mapping[str, Any],
    cpu_s: float,
) -> OracleComparison | None:
    """The exact solution where there is one; one that fails, or takes longer, leaves a remark."""
    try:
        found = limited(
            lambda: theory(made.group, described.id, finest, materials), "the theory", cpu_s=cpu_s
        )
    except Exception as error:  # noqa: BLE001  a theory is no reason to end
        made.remarks.append(
            f"{described.id}: theory could not be computed, so none stands beside it "
            f"({type(error).__name__}: {' '.join(str(error).split())[:300]})"
        )
        return None
    if found is None:
        return None
    name, exact = found
    if isinstance(finest, Scalar) and isinstance(exact, Scalar):
        gap = finest.value - exact.value
        within = uncertainty is not None and abs(gap) <= uncertainty
        return OracleComparison(theory=name, value=exact.value, difference=gap, within=within)
    if isinstance(finest, Curve) and isinstance(exact, Curve):
        gaps = pointwise(finest, exact)
        if not np.any(np.isfinite(gaps)):
            return None
        within = (
            points is not None and uncertainty is not None and bool(np.mean(gaps <= points + 1e-12) >= 0.95)
        )
        return OracleComparison(theory=name, difference=float(np.nanmax(gaps)), within=within)
    return None


def theory(
    group: Group, name: str, finest: Measured, materials: Mapping[str, Any]
) -> tuple[str, Measured] | None:
    """(theory, its value or curve) of a quantity, or of a sweep's at each of its points; none of a writer's own function."""
    if described_by(group.description.problem, name) is not None:
        return None

    def of(values: Mapping[str, float], wanted: str, x: Any) -> tuple[str, Measured] | None:
        problem = group.description.resolved(values)
        scene: Any = group.scene(problem)
        quantity: Quantity = next(q for q in problem.quantities if q.id == wanted)
        if isinstance(quantity, Feature):
            band = getattr(scene, "band", None)
            found = (
                of(values, quantity.of, np.linspace(*band.frequencies(), FINELY))
                if band is not None
                else None
            )
            if found is None or not isinstance(found[1], Curve):
                return None
            read, sampled = feature_read(quantity, found[1])
            return (found[0], read) if difference(read, sampled) <= RESOLVED * scale_of(read) else None
        if x is None and quantity.curve:  # a spectrum of one line
            x = np.array([scene.band.frequencies()[0]])
        return oracle(scene, quantity, materials, x)

    if group.sweep is None:
        return of({}, name, finest.x if isinstance(finest, Curve) else None)
    if not isinstance(finest, Curve):
        return None
    if isinstance(finest, Map):
        columns = []
        for point in finest.grid[1]:
            found = of({group.sweep.parameter: float(point)}, group.of(name), finest.grid[0])
            if found is None or not isinstance(found[1], Curve):
                return None
            columns.append(found[1].y)
        return found[0], replace(finest, y=np.column_stack(columns).reshape(-1))
    values = []
    for x in finest.x:
        found = of({group.sweep.parameter: float(x)}, group.of(name), None)
        if found is None:
            return None
        values.append(found[1].value if isinstance(found[1], Scalar) else float(found[1].y[0]))
    return found[0], replace(finest, y=np.array(values))
