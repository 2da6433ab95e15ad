"""Parts of the numerical uncertainty beside the grid's: what changes when absorber, padding, decay or a fit changes.

Each part is measured on the saved values of a described simulation, in the measure of the target's threshold, as the
comparison itself measures it, and added in quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from schemas.plan import Target
from tasks.curves.alignment import NoOverlap, compare
from tasks.curves.curve import Curve
from tasks.evidence.classify import pointwise_error
from tasks.evidence.convergence import Convergence
from tasks.evidence.limits import Limits, scalar_error, shape_measure
from tasks.evidence.references import ReferenceValue
from tasks.evidence.simulated import Value


def with_parts(target: Target, found: Convergence, varied: Sequence[tuple[str, Value, Value]], reference: ReferenceValue,
               limits: Limits, reasons: list[str]) -> Convergence:
    """The uncertainty with the parts of `varied` (what was changed, value before, value after); said in `reasons`."""
    parts: dict[str, float] = {}
    for name, before, after in varied:
        error = _change(target, before, after, reference, limits)
        if error is None:
            reasons.append(f"The part of {name} in the numerical uncertainty could not be measured.")
            return Convergence(None, found.observed_order, f"{found.method}; {name} unknown")
        parts[name] = math.hypot(parts.get(name, 0.0), error)
    if not parts:
        return found
    listed = ", ".join(f"{name} {error:.2g}" for name, error in parts.items())
    if found.uncertainty is None:
        return Convergence(None, found.observed_order, f"{found.method}; {listed}")
    reasons.append(f"Numerical uncertainty in parts: resolution {found.uncertainty:.2g}, {listed}.")
    return Convergence(math.hypot(found.uncertainty, *parts.values()), found.observed_order, f"{found.method}; {listed}")


def _change(target: Target, before: Value, after: Value, reference: ReferenceValue, limits: Limits) -> float | None:
    if isinstance(before, float) and isinstance(after, float) and isinstance(reference.value, float):
        return scalar_error(reference.value + abs(after - before), reference.value, limits.value.measure, target.unit)
    if isinstance(before, Curve) and isinstance(after, Curve) and isinstance(reference.value, Curve):
        try:
            step = compare(after, before, target.x_range)
            against = compare(before, reference.value, target.x_range)
        except NoOverlap:
            return None
        if not shape_measure(target):
            return pointwise_error(step, limits.value.measure, target.unit)
        return float(step.nrms_percent * step.scale_y / against.scale_y)
    return None
