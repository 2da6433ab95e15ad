"""Verdicts: SUCCESS up to acceptable, PARTIAL up to investigate, FAILURE beyond; bounds included."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from schemas.evidence import Classification
from schemas.plan import Target
from schemas.thresholds import Threshold, threshold
from tasks.curves.alignment import CurveComparison
from tasks.curves.curve import Curve, normaliser
from tasks.curves.maps import Map
from tasks.evidence.references import ReferenceValue

MIN_OVERLAP = 0.8
MIN_MATCHED = 0.8
# Ratios to the reference of a feature's height and width: as for line widths, 30 % and 50 %.
RATIO_ACCEPTABLE, RATIO_INVESTIGATE = 0.30, 0.50
SHAPE_QUANTITIES = ("curve", "field_map")
_ROUNDING = 1 + 1e-9
_LEVELS = ("excellent", "acceptable", "investigate")


@dataclass(frozen=True)
class Limits:
    """Thresholds that apply to one target.

    value: of the target's quantity, floored at twice the reference's own error. nominal: the same without the
    floor. position: of a curve's shift. plasmonic: whether the wider position bounds for metals apply.
    floor: what the data's error raised the thresholds to, or None.
    """

    value: Threshold
    nominal: Threshold
    position: Threshold
    plasmonic: bool = False
    floor: float | None = None


def limits_for(target: Target, profile: str, reference: ReferenceValue, plasmonic: bool) -> Limits:
    """Thresholds of the named profile in the target's unit, floored at twice the reference data's error."""
    shape = target.kind != "map" or target.quantity in SHAPE_QUANTITIES
    bound = threshold(profile, target.quantity if shape else "field_map")
    if bound.measure == "absolute" and target.unit == "%":
        bound = bound.model_copy(update={name: 100 * getattr(bound, name) for name in _LEVELS})
    position = threshold(profile, "plasmonic_peak_position" if plasmonic else "peak_position")
    floor = 2 * _data_error(target, reference, bound)
    raised = {name: max(getattr(bound, name), floor) for name in _LEVELS}
    return Limits(
        bound.model_copy(update=raised),
        bound,
        position,
        plasmonic,
        floor if floor > bound.excellent else None,
    )


def shape_measure(target: Target) -> bool:
    """Whether a curve is judged by its normalised RMS difference (else by the RMS of pointwise errors)."""
    return target.kind == "map" or (target.kind == "curve" and target.quantity in SHAPE_QUANTITIES)


def scalar_error(simulated: float, reference: float, measure: str, unit: str) -> float | None:
    """The error in the threshold's measure (absolute: the target's unit); None if relative to 0."""
    if measure == "relative_percent":
        return 100 * abs(simulated - reference) / abs(reference) if reference else None
    if measure == "absolute_percentage_points":
        return abs(simulated - reference) * (1 if unit == "%" else 100)
    return abs(simulated - reference)


def pointwise_error(comparison: CurveComparison, measure: str, unit: str) -> float | None:
    """RMS of the pointwise errors of a curve in the threshold's measure; None if relative to 0 somewhere."""
    if measure == "relative_percent":
        return comparison.rms_relative_percent
    return scalar_error(comparison.rms_difference, 0.0, measure, unit)


def grade(error: float, bound: Threshold) -> Classification:
    """SUCCESS, PARTIAL or FAILURE for an error."""
    if error <= bound.acceptable * _ROUNDING:
        return "SUCCESS"
    return "PARTIAL" if error <= bound.investigate * _ROUNDING else "FAILURE"


def worse(a: Classification, b: Classification) -> Classification:
    """The stricter of two."""
    order: tuple[Classification, ...] = ("SUCCESS", "PARTIAL", "FAILURE")
    return max(a, b, key=order.index)


def classify_curve(
    c: CurveComparison, target: Target, limits: Limits
) -> tuple[Classification, float | None, list[str]]:
    """Classification, the error that decided it, and why, sentence by sentence.

    A shape passes a level (acceptable, investigate) if its RMS difference does so as it stands, or after a
    shift that stays within that level's bound on positions; if its correlation does; and if every major
    feature has a partner of similar height and width.
    """
    reasons: list[str] = []
    error: float | None
    if shape_measure(target):
        verdict, error = _grade_shape(c, limits, reasons)
    else:
        error = pointwise_error(c, limits.value.measure, target.unit)
        if error is None:
            reason = "A relative error is undefined where the reference is 0; use an absolute measure."
            return "FAILURE", None, [reason]
        verdict = grade(error, limits.value)
        reasons.append(
            f"RMS of the pointwise errors {error:.3g} (acceptable {limits.value.acceptable:g}, "
            f"investigate {limits.value.investigate:g})."
        )
    bounds = limits.value.pearson or threshold("default", "curve").pearson
    if c.flat:
        reasons.append(
            "The reference varies by less than 10 % of its magnitude: values are compared, not a shape."
        )
    elif bounds is not None:
        r = c.pearson if c.pearson is not None else 0.0
        level: Classification = "SUCCESS" if r >= bounds[1] else "PARTIAL" if r >= bounds[2] else "FAILURE"
        if level != "SUCCESS":
            reasons.append(f"Correlation {r:.3f} is below {bounds[1]:g}.")
        verdict = worse(verdict, level)
    if c.major_missing:
        reasons.append(
            f"{c.major_missing} major feature(s) of the reference have no partner in the simulation."
        )
        verdict = "FAILURE"
    elif c.matched_fraction < MIN_MATCHED:
        reasons.append(f"Only {100 * c.matched_fraction:.0f} % of the reference's features have a partner.")
        verdict = worse(verdict, "PARTIAL")
    if c.major_extra:
        reasons.append(
            f"The simulation shows {c.major_extra} major feature(s) that the reference does not have."
        )
        verdict = worse(verdict, "PARTIAL")
    verdict = worse(verdict, _grade_features(c, reasons))
    if c.overlap < MIN_OVERLAP:
        reasons.append(
            f"Simulation and reference share only {100 * c.overlap:.0f} % of the range; SUCCESS needs "
            f"{100 * MIN_OVERLAP:.0f} %."
        )
        verdict = worse(verdict, "PARTIAL")
    return verdict, error, reasons


def _grade_features(c: CurveComparison, reasons: list[str]) -> Classification:
    """Height and width of the major features: narrow lines weigh little in an RMS difference."""
    verdict: Classification = "SUCCESS"
    for pair in c.pairs:
        a, b = pair.reference, pair.simulated
        if b is None or not pair.major:
            continue
        height = b.prominence / a.prominence - 1
        width = b.fwhm / a.fwhm - 1 if a.fwhm > 0 else 0.0
        level: Classification = "SUCCESS"
        if abs(height) > RATIO_ACCEPTABLE or abs(width) > RATIO_INVESTIGATE:
            level = "FAILURE" if abs(height) > RATIO_INVESTIGATE else "PARTIAL"
            reasons.append(
                f"The {a.kind} at {a.x:.5g} has {1 + height:.2f} times the height and {1 + width:.2f} times "
                "the width."
            )
        verdict = worse(verdict, level)
    return verdict


def _grade_shape(c: CurveComparison, limits: Limits, reasons: list[str]) -> tuple[Classification, float]:
    raw = grade(c.nrms_percent, limits.value)
    shift = abs(c.shift_percent) if c.shift_percent is not None else float("inf")
    aligned = worse(grade(c.nrms_aligned_percent, limits.value), grade(shift, limits.position))
    if not c.shift or c.shift_at_limit or worse(raw, aligned) == aligned:
        reasons.append(
            f"RMS difference {c.nrms_percent:.3g} % of the range (acceptable {limits.value.acceptable:g}, "
            f"investigate {limits.value.investigate:g})."
        )
        return raw, c.nrms_percent
    kind = "metal" if limits.plasmonic else "dielectric"
    reasons.append(
        f"RMS difference {c.nrms_percent:.3g} % as it stands, {c.nrms_aligned_percent:.3g} % after a "
        f"shift of {c.shift:.4g} ({shift:.3g} % of the position; acceptable "
        f"{limits.position.acceptable:g}, {kind})."
    )
    narrow = min((p.reference.fwhm for p in c.pairs if p.major and p.reference.fwhm > 0), default=None)
    if narrow is not None and abs(c.shift) > narrow:
        reasons.append(f"The shift exceeds the width {narrow:.4g} of the narrowest major feature.")
    return aligned, c.nrms_aligned_percent


def _data_error(target: Target, reference: ReferenceValue, bound: Threshold) -> float:
    """The reference's own error in the threshold's measure."""
    percent, value = reference.error_percent, reference.value
    if isinstance(value, float) and reference.sampling:
        sampled = scalar_error(value + reference.sampling, value, bound.measure, target.unit) or 0.0
        return sampled + _data_error(target, replace(reference, sampling=0.0), bound)
    if not percent:
        return 0.0
    if isinstance(value, Map):
        return percent * float(np.nanmax(np.abs(value.z))) / (float(np.nanmax(value.z) - np.nanmin(value.z)) or 1.0)
    if isinstance(value, Curve):
        largest = float(abs(value.y).max())
        if shape_measure(target):
            return percent * largest / normaliser(value)
    else:
        largest = abs(value)
    if bound.measure == "relative_percent":
        return percent
    return scalar_error(percent / 100 * largest, 0.0, bound.measure, target.unit) or 0.0
