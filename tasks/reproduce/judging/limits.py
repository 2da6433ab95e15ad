"""The thresholds of one target in its own unit, with every allowance in numbers.

Which threshold applies follows from the target's unit, kind and words (target_quantity.py in schemas), not from the planner's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.planning.target_quantity import derived_quantity
from schemas.reproduce.planning.thresholds import Quantity, Threshold, threshold
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.numerics import Sensitivity
from schemas.reproduce.simulations.units import canonical, dimension
from tasks.reproduce.curves.curve import Curve, is_flat, normaliser
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.references.paper_value import ReferenceValue

SHAPE_QUANTITIES = ("curve", "field_map")
# A curve's RMS error is judged by twice the share of its largest value that a number's error is judged by.
CURVE_SHARE = 2.0
SMALLEST = (
    0.1  # of an absolute bound: what is left of it for the smallest values, the noise of a good simulation
)
OF_LEVEL, MOST_DB = (
    (5.0, 10.0, 20.0),
    (0.5, 1.0, 2.0),
)  # percent of a number of dB, and dB at most; its rounding counts besides
_LEVELS = ("excellent", "acceptable", "investigate")


@dataclass(frozen=True)
class Limits:
    """Thresholds that apply to one target.

    value: of the target's quantity, raised by the reference's own error and rounding. nominal: the same without.
    position: of a curve's shift. plasmonic: whether the wider position bounds for metals apply. flat: the reference has no
    shape, its values are compared. allowances: where every number comes from, sentence by sentence.
    """

    value: Threshold
    nominal: Threshold
    position: Threshold
    plasmonic: bool = False
    quantity: Quantity = "scalar"
    flat: bool = False
    allowances: tuple[str, ...] = ()


def limits_for(target: Target, profile: str, reference: ReferenceValue, metal: bool) -> Limits:
    """Thresholds of the named profile in the target's unit; metal: whether a material of the stage carries plasmons."""
    quantity, why = derived_quantity(target, metal)
    sentences = [f"The plan's {why[:1].lower()}{why[1:]}; judged as {quantity}."] if why else []
    curve = reference.value if isinstance(reference.value, Curve) else None
    if curve is not None and target.x_range is not None:
        curve = curve.within(*target.x_range) or curve
    flat = curve is not None and quantity in SHAPE_QUANTITIES and is_flat(curve)
    row = threshold(profile, "scalar" if flat else quantity)
    bound = _concrete(row, target, reference, curve)
    if reference.level and isinstance(reference.value, float):
        bound = _of_level(bound, reference.value, reference.level, target.unit)
        sentences.append(
            f"The paper tells it as {reference.level:g} dB: acceptable is at most {OF_LEVEL[1]:g} % of that or {MOST_DB[1]:g} dB, "
            "whichever is less."
        )
    shift = threshold(profile, "plasmonic_peak_position" if metal else "peak_position")
    floor = 2 * reference_error(target, reference, bound)
    rounding = 0.0
    if reference.rounding and isinstance(reference.value, float):
        error = scalar_error(
            reference.value + reference.rounding, reference.value, bound.measure, target.unit
        )
        rounding = min(error or 0.0, bound.investigate)
    raised = {name: max(getattr(bound, name), floor, rounding) for name in _LEVELS}
    sign = "" if flat or curve is None and not isinstance(reference.value, Map) else " of the range"
    own = unit_of_measure(bound.measure, target.unit)
    sign = (f" {own}" if own else "") + (sign if quantity in SHAPE_QUANTITIES else "")
    share = f" ({_shares(row, target, curve is not None)})" if row.share else ""
    sentences.append(
        f"Threshold of {'a flat curve, by its values' if flat else quantity} ({profile} profile): acceptable "
        f"{bound.acceptable:.3g}{sign}, investigate {bound.investigate:.3g}{sign}{share}."
    )
    if floor > bound.excellent:
        sentences.append(
            f"Thresholds are at least {floor:.3g}{sign}: twice the error of the reference itself."
        )
    if rounding > bound.excellent:
        sentences.append(f"The paper's last digit leaves open {rounding:.3g}{sign}: no threshold is sharper.")
    if curve is not None and reference.x_error:
        percent = 100 * 2 * reference.x_error / (abs(float(curve.x[0] + curve.x[-1])) / 2 or 1.0)
        if percent > shift.acceptable:
            sentences.append(
                f"A shift of up to {percent:.2g} % is allowed: twice the error of the reference's abscissa."
            )
        shift = shift.model_copy(update={name: max(getattr(shift, name), percent) for name in _LEVELS})
    return Limits(bound.model_copy(update=raised), bound, shift, metal, quantity, flat, tuple(sentences))


def allowed_number(limits: Limits) -> float:
    """Percent that a number may be off which a curve by its shape has: as much more than by default as the profile gives the curve."""
    row = threshold("default", "curve")
    return threshold("default", "scalar").acceptable * max(1.0, limits.nominal.acceptable / row.acceptable)


def allowed_values(target: Target, sizes: NDArray[np.float64], limits: Limits) -> NDArray[np.float64]:
    """What each value of such a curve may be off as a number, in the target's unit; sizes: magnitudes of the paper's."""
    allowed = allowed_number(limits) / 100 * sizes
    if dimension(target.unit) != "fraction":
        return allowed
    row = threshold("default", "efficiency")
    assert row.most is not None
    small = row.acceptable * (100.0 if canonical(target.unit) == "%" else 1.0)
    return np.maximum(allowed, np.minimum(small, np.maximum(SMALLEST * small, row.most[1] / 100 * sizes)))


def unit_of_measure(measure: str, unit: str) -> str:
    """What an error in a threshold's measure is told in: percent of the value, percentage points, or the target's unit; '' for 1."""
    if measure == "relative_percent":
        return "%"
    if measure == "absolute_percentage_points" or unit == "%":
        return "percentage points"
    return "" if unit in ("", "1") else unit


def shape_measure(target: Target) -> bool:
    """Whether a curve is judged by its normalised RMS difference (else by the RMS of pointwise errors)."""
    return target.kind == "map" or (
        target.kind == "curve" and derived_quantity(target)[0] in SHAPE_QUANTITIES
    )


def scalar_error(simulated: float, reference: float, measure: str, unit: str) -> float | None:
    """The error in the threshold's measure (absolute: the target's unit); None if relative to 0."""
    if measure == "relative_percent":
        return 100 * abs(simulated - reference) / abs(reference) if reference else None
    if measure == "absolute_percentage_points":
        return abs(simulated - reference) * (1 if unit == "%" else 100)
    return abs(simulated - reference)


def number_moved(tried: Sensitivity, evidence: TargetEvidence) -> float | None:
    """What a change of an input does to the number that a target reads of a curve, in the measure of its bounds; None where that is not
    known."""
    by = tried.read.get(evidence.target_id)
    if by is None or evidence.simulated is None:
        return None
    return scalar_error(evidence.simulated + by, evidence.simulated, evidence.measure, evidence.unit)


def _concrete(row: Threshold, target: Target, reference: ReferenceValue, curve: Curve | None) -> Threshold:
    """A row of the table in the target's unit; shares become numbers of the reference's value (a curve's largest)."""
    scale = 100.0 if row.measure == "absolute" and target.unit == "%" else 1.0
    bounds = {name: scale * getattr(row, name) for name in _LEVELS}
    if row.share is not None:
        if isinstance(reference.value, float):
            size = abs(reference.value)
        else:
            size = CURVE_SHARE * float(np.abs(curve.y).max()) if curve is not None else 0.0
        size *= 100.0 if row.measure == "absolute_percentage_points" and target.unit != "%" else 1.0
        if row.most is not None and not _minimum(target):
            bounds = {
                name: min(bound, max(bound * SMALLEST, most / 100 * size))
                for (name, bound), most in zip(bounds.items(), row.most, strict=True)
            }
        bounds = {
            name: max(bounds[name], share / 100 * size)
            for name, share in zip(_LEVELS, row.share, strict=True)
        }
    return row.model_copy(update=bounds | {"share": None, "most": None})


def _of_level(bound: Threshold, value: float, level: float, unit: str) -> Threshold:
    """Bounds of a share that is told in dB: a loss of 0.1 dB is not one of 0.4 dB, though of the light that is left they are near."""
    most = {
        name: scalar_error(
            value * 10 ** (min(percent / 100 * level, most_db) / 10), value, bound.measure, unit
        )
        for name, percent, most_db in zip(_LEVELS, OF_LEVEL, MOST_DB, strict=True)
    }
    return bound.model_copy(
        update={name: min(getattr(bound, name), most[name] or getattr(bound, name)) for name in _LEVELS}
    )


def _minimum(target: Target) -> bool:
    """Whether the value is that of a minimum, which code takes: words alone lift no cap."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    return feature is not None and feature.extremum == "minimum" and feature.kind == "value"


def _shares(row: Threshold, target: Target, curve: bool) -> str:
    assert row.share is not None
    factor, what = (CURVE_SHARE, "the curve's largest value") if curve else (1.0, "the value")
    unit = " percentage points" if row.measure == "absolute_percentage_points" else ""
    capped = row.most is not None and not _minimum(target)
    return f"the larger of {row.acceptable:g}{unit} and {factor * row.share[1]:g} % of {what}" + (
        f", the first never above {factor * row.most[1]:g} % of it" if row.most and capped else ""
    )


def reference_error(target: Target, reference: ReferenceValue, bound: Threshold) -> float:
    """The reference's own error in the threshold's measure, on the axis the target lies on."""
    percent, value = reference.error_percent, reference.value
    if isinstance(value, float) and reference.sampling:
        sampled = scalar_error(value + reference.sampling, value, bound.measure, target.unit) or 0.0
        return sampled + reference_error(target, replace(reference, sampling=0.0), bound)
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    if isinstance(value, float) and feature is not None and feature.on_x:
        return (
            (scalar_error(value + reference.x_error, value, bound.measure, target.unit) or 0.0)
            if reference.x_error
            else 0.0
        )
    if not percent or (feature is not None and feature.kind == "quality_factor"):
        return 0.0
    if isinstance(value, Map):
        return (
            percent
            * float(np.nanmax(np.abs(value.z)))
            / (float(np.nanmax(value.z) - np.nanmin(value.z)) or 1.0)
        )
    if isinstance(value, Curve):
        largest = float(abs(value.y).max())
        if shape_measure(target):
            return percent * largest / normaliser(value)
    else:
        largest = abs(value)
    if bound.measure == "relative_percent":
        return percent
    return scalar_error(percent / 100 * largest, 0.0, bound.measure, target.unit) or 0.0
