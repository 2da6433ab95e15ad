"""One target judged: comparison, convergence, echo detection, gates. Pure: values in, evidence out.

The same function judges real results and the negative controls, so a control that passes exposes the
comparison.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.judging.evidence import Classification, Feature, RungValue, TargetEvidence
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import CurveFeature, as_feature
from tasks.reproduce.curves.alignment import CurveComparison, NoOverlap, compare
from tasks.reproduce.curves.curve import Curve, few_points, reach_of
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.convergence import FORMAL_ORDER, Convergence, curve_convergence
from tasks.reproduce.evidence.extrapolating import AtNoPixel
from tasks.reproduce.evidence.numerics import Varied, with_parts
from tasks.reproduce.evidence.rung import Value
from tasks.reproduce.judging.classify import (
    against_its_change,
    against_the_trend,
    classify_curve,
    off_by_a_factor,
    off_to_one_side,
    pointwise_error,
    window_verdict,
    worse,
)
from tasks.reproduce.judging.judge_map import judge_map
from tasks.reproduce.judging.judge_scalar import flatness, judge_scalar, surer, with_flatness, with_sampling
from tasks.reproduce.judging.limits import Limits, shape_measure
from tasks.reproduce.references.paper_value import ReferenceValue

IDENTICAL = 1e-12  # relative difference of two resolutions below which nothing was computed
_LEFT_OUT = 0.02  # share of what both curves cover that a plan may leave out
ECHO = 1e-9  # relative difference from the paper below which the paper was copied


def _not_compared(
    fields: dict[str, Any],
    reasons: Sequence[str],
    reference: ReferenceValue | None,
    *,
    ran: bool,
    computed: bool,
    physical: bool,
) -> TargetEvidence:
    """Evidence of a target of which one side is missing."""
    if reference is not None and isinstance(reference.value, float):
        fields |= {"reference": reference.value, "reference_upper": reference.upper}
    return TargetEvidence(
        **fields,
        ran=ran,
        computed=computed,
        converged=False,
        physical=physical,
        matches=False,
        classification="FAILURE",
        reasons=tuple(reasons),
        reference_source=reference.source if reference else "",
    )


def within_reach(error: float, convergence: Convergence, limits: Limits) -> bool:
    """Whether a number that is not converged may be as near as is investigated, with what its grids leave open; one grid tells nothing."""
    left, bound = convergence.uncertainty, limits.value
    return left is not None and left > bound.acceptable / 2 and error - left <= bound.investigate


def _gates(*, ran: bool, used_meep: bool, physical: bool) -> list[str]:
    """Why a value counts for nothing, whatever it is."""
    told = (
        (used_meep, "Meep did not run: the value does not come from a field computation."),
        (ran, "The run behind the value did not end well."),
        (physical, "A physics check of the stage failed."),
    )
    return [words for held, words in told if not held]


def judge(
    target: Target,
    stage_id: str,
    rungs: Sequence[tuple[float, Value]],
    reference: ReferenceValue | None,
    limits: Limits | None,
    *,
    ran: bool,
    used_meep: bool,
    physical: bool,
    remarks: Sequence[str] = (),
    sampling: float | None = 0.0,
    width: float | None = None,
    edge: str = "",
    lacks: bool = False,
    varied: Sequence[Varied] = (),
    formal: float = FORMAL_ORDER,
    limit: AtNoPixel | None = None,
    curves: Sequence[Curve | None] = (),
) -> tuple[TargetEvidence, Convergence | None]:
    """Evidence of one target, and its convergence, from its values at ascending resolution scales; the result is the last one, or
    the one for a pixel of no size where that is surer (`limit`).

    ran: the executions behind the values ended well. used_meep: they computed fields or modes. sampling: what the spacing of the
    samples leaves open of a feature (unit of the values); None if unknown. width: of the simulated extremum whose position is
    compared. edge: that its extremum lies at an end of the window, where the paper's lies inside. lacks: our curve has no such
    feature. varied: (what was changed beside the resolution, value before, value after), each a part of the uncertainty. formal:
    order of the grid's error, at most. curves: that a feature was read from, on each grid.
    """
    reasons = list(remarks)
    fields: dict[str, Any] = {"target_id": target.target_id, "stage_id": stage_id, "unit": target.unit}
    if limits is not None:
        fields |= {
            "measure": limits.value.measure,
            "excellent": limits.value.excellent,
            "acceptable": limits.value.acceptable,
            "investigate": limits.value.investigate,
        }
    if not rungs or reference is None or limits is None:
        if not rungs and not reasons:
            reasons.append("No simulation of ours wrote a value for this target.")
        nothing = _not_compared(
            fields,
            reasons,
            reference,
            ran=ran and (bool(rungs) or lacks),
            computed=lacks and used_meep,
            physical=physical,
        )
        return nothing, None
    fields["reference_source"] = reference.source
    scales = [scale for scale, _ in rungs]
    values = [value for _, value in rungs]
    copied = not edge and _copied(values, reference.value, reasons)
    if limit is not None and not edge and not copied:
        copied = _copied([limit.value], reference.value, reasons)
    verdict, convergence, compared = _compared(
        target, scales, values, reference, limits, fields, reasons, width, formal, limit, sampling, curves
    )
    if edge:
        reasons.append(f"No extremum of ours lies inside the window: {edge}. That is no SUCCESS.")
        verdict = worse(verdict, "PARTIAL")
    verdict = worse(verdict, window_verdict(reference, target, reasons))
    reasons += limits.allowances
    convergence = with_parts(target, convergence, varied, reference, limits, reasons)
    fields["beyond"] = fields.get("beyond", False) and within_reach(fields["error"], convergence, limits)
    if fields["beyond"]:
        reasons.append(
            f"With what is left open the error may be as small as is investigated, {limits.value.investigate:.4g}: that refutes nothing."
        )
        verdict = "PARTIAL"
    if against := against_the_trend(compared, target, limits, convergence.uncertainty):
        reasons.append(against)
        verdict = "FAILURE"
    if changes := against_its_change(compared, target, convergence.uncertainty, reference.error_percent):
        reasons.append(changes)
        verdict = worse(verdict, "PARTIAL")
    for off in (off_by_a_factor, off_to_one_side):
        if why := off(compared, target, limits, convergence.uncertainty, reference.error_percent):
            reasons.append(why)
            verdict = worse(verdict, "PARTIAL")
    matches = verdict == "SUCCESS"
    if "after alignment" in convergence.method:
        reasons.append(f"Numerical uncertainty: {convergence.method}.")
    half = limits.value.acceptable / 2
    converged = convergence.uncertainty is not None and convergence.uncertainty <= half * (1 + 1e-9)
    computed = used_meep and not copied
    reasons += _gates(ran=ran, used_meep=used_meep, physical=physical)
    if not (ran and computed and physical):
        verdict = "FAILURE"
    if not converged:
        found = "is unknown" if convergence.uncertainty is None else f"{convergence.uncertainty:.3g}"
        reasons.append(
            f"Not converged: the numerical uncertainty {found} ({convergence.method}); it must be at most "
            f"half the acceptable error, {half:.3g}."
        )
        verdict = worse(verdict, "PARTIAL")
    evidence = TargetEvidence(
        **fields,
        uncertainty=_finite(convergence.uncertainty),
        observed_order=_finite(convergence.observed_order),
        ran=ran,
        computed=computed,
        converged=converged,
        physical=physical,
        matches=matches,
        classification=verdict,
        reasons=tuple(reasons),
    )
    return evidence, convergence


def identical(values: Sequence[Value]) -> bool:
    """Whether values at two or more resolutions agree to 1e-12: a computed value never does."""
    if len(values) < 2:
        return False
    arrays = [np.atleast_1d(_numbers(value)) for value in values]
    first = arrays[0]
    return all(
        a.shape == first.shape and bool(np.all(np.abs(a - first) <= IDENTICAL * np.abs(first)))
        for a in arrays[1:]
    )


def _numbers(value: Value) -> NDArray[np.float64] | float:
    return value if isinstance(value, float) else value.z if isinstance(value, Map) else value.y


def _copied(values: Sequence[Value], reference: Value, reasons: list[str]) -> bool:
    if identical(values):
        reasons.append("The value is identical at all resolutions: nothing was computed.")
        return True
    last = values[-1]
    if isinstance(last, Curve) and isinstance(reference, Curve):
        expected = reference.at(last.x)
        inside = np.isfinite(expected)
        echo = np.count_nonzero(inside) > 2 and bool(
            np.all(np.abs(last.y[inside] - expected[inside]) <= ECHO * np.abs(reference.y).max())
        )
    elif isinstance(last, Map) and isinstance(reference, Map):
        difference = np.abs(last.at(reference.x, reference.y) - reference.z)
        inside = np.isfinite(difference)
        echo = np.count_nonzero(inside) > 2 and bool(
            np.all(difference[inside] <= ECHO * np.nanmax(np.abs(reference.z)))
        )
    else:
        echo = (
            isinstance(last, float)
            and isinstance(reference, float)
            and abs(last - reference) <= ECHO * abs(reference)
        )
    if echo:
        reasons.append("The value equals the paper's to nine digits: it was copied, not computed.")
    return bool(echo)


def _compared(
    target: Target,
    scales: Sequence[float],
    values: Sequence[Value],
    reference: ReferenceValue,
    limits: Limits,
    fields: dict[str, Any],
    reasons: list[str],
    width: float | None,
    formal: float,
    limit: AtNoPixel | None,
    sampling: float | None,
    curves: Sequence[Curve | None],
) -> tuple[Classification, Convergence, CurveComparison | None]:
    if isinstance(values[-1], Curve) and isinstance(reference.value, Curve):
        return _curves(target, scales, values, reference.value, limits, fields, reasons, formal, limit)
    if isinstance(values[-1], Map) and isinstance(reference.value, Map):
        maps = [value for value in values if isinstance(value, Map)]
        return *judge_map(target, scales, maps, reference.value, limits, fields, reasons, formal), None
    if isinstance(values[-1], float) and isinstance(reference.value, float):
        numbers = [value for value in values if isinstance(value, float)]
        verdict, convergence = judge_scalar(
            target, scales, numbers, reference, limits, fields, reasons, width, formal, limit
        )
        convergence = with_sampling(target, convergence, sampling, reference, limits, reasons)
        share = flatness(_feature(target), numbers[-1], curves, scales, formal)
        flat = None if share is None else min(share * abs(numbers[-1]), width / 2 if width else math.inf)
        return verdict, with_flatness(target, convergence, reference, limits, flat, reasons), None
    raise TypeError("simulation and reference must be of one kind: numbers, curves or maps")


def _feature(target: Target) -> CurveFeature | None:
    return None if target.reference.feature is None else as_feature(target.reference.feature)


def _curves(
    target: Target,
    scales: Sequence[float],
    values: Sequence[Value],
    reference: Curve,
    limits: Limits,
    fields: dict[str, Any],
    reasons: list[str],
    formal: float,
    limit: AtNoPixel | None,
) -> tuple[Classification, Convergence, CurveComparison | None]:
    curves = [value for value in values if isinstance(value, Curve)]
    try:
        last, c = curves[-1], compare(curves[-1], reference, target.x_range)
        found = _curve_uncertainty(target, scales, curves, c, limits, formal)
        if limit is not None and isinstance(limit.value, Curve):
            there = compare(limit.value, reference, target.x_range)
            sure = limit.convergence(partial(_apart, target, there, limits))
            if sure is not None and surer(sure, found):
                last, c, found = limit.value, there, sure
    except NoOverlap as error:
        reasons.append(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return "FAILURE", Convergence(None, None, "nothing to compare"), None
    verdict, error_value, sentences = classify_curve(c, target, limits)
    fields |= {"points": few_points(reference), "reach": reach_of(reference)}
    whole = _with_all_that_both_have(target, last, reference, limits)
    if worse(whole, verdict) != verdict:
        verdict = worse("PARTIAL", verdict)
        sentences = [
            *sentences,
            f"x_range leaves out data that our curve covers; with them it is {whole}: at most PARTIAL.",
        ]
    reasons[:0] = sentences
    if last is not curves[-1]:
        reasons.append(f"The curve is {found.grid.words}.")  # type: ignore[union-attr]
    fields |= {
        "error": _finite(error_value),
        "nrms_percent": _finite(c.nrms_percent),
        "nrms_aligned_percent": _finite(c.nrms_aligned_percent),
        "pearson": _finite(c.pearson),
        "shift": _finite(c.shift),
        "shift_percent": _finite(c.shift_percent),
        "scale": _finite(c.scale),
        "overlap": _finite(c.overlap),
        "features": _features(c),
        "unmatched_simulated": c.unmatched_simulated,
        "rungs": tuple(
            RungValue(resolution_scale=scale, value=value)
            for scale, value in zip(
                scales, (_distance(curve, reference, target, limits) for curve in curves), strict=True
            )
            if value is not None and math.isfinite(value)
        ),
    }
    return verdict, found, c


def _with_all_that_both_have(
    target: Target, curve: Curve, reference: Curve, limits: Limits
) -> Classification:
    """The class over all data that the simulated curve covers, whatever part of them the plan compares."""
    low, high = max(curve.x[0], reference.x[0]), min(curve.x[-1], reference.x[-1])
    first, last = target.x_range or (low, high)
    if min(first, last) - low <= _LEFT_OUT * (high - low) >= high - max(first, last):
        return "SUCCESS"
    every = (float(low), float(high))
    try:
        c = compare(curve, reference, every)
    except NoOverlap:
        return "SUCCESS"
    return classify_curve(c, target.model_copy(update={"x_range": every}), limits)[0]


def _distance(curve: Curve, reference: Curve, target: Target, limits: Limits) -> float | None:
    """Difference from the reference as it stands, in the threshold's measure."""
    try:
        c = compare(curve, reference, target.x_range)
    except NoOverlap:
        return None
    return c.nrms_percent if shape_measure(target) else pointwise_error(c, limits.value.measure, target.unit)


def _apart(
    target: Target, against: CurveComparison, limits: Limits, one: Value, other: Value
) -> float | None:
    """How far two of our curves are apart, in the measure of their comparison with the paper's."""
    if not isinstance(one, Curve) or not isinstance(other, Curve):
        return None
    try:
        step = compare(one, other, target.x_range)
    except NoOverlap:
        return None
    if not shape_measure(target):
        return pointwise_error(step, limits.value.measure, target.unit)
    return float(step.nrms_percent * step.scale_y / against.scale_y)


def _curve_uncertainty(
    target: Target,
    scales: Sequence[float],
    curves: Sequence[Curve],
    against: CurveComparison,
    limits: Limits,
    formal: float,
) -> Convergence:
    try:
        steps = [compare(a, b, target.x_range) for a, b in pairwise(curves)]
    except NoOverlap:
        return Convergence(None, None, "the resolutions have no common range")
    if not shape_measure(target):
        errors = [pointwise_error(step, limits.value.measure, target.unit) for step in steps]
        numbers = [error for error in errors if error is not None]
        return curve_convergence(scales, numbers if len(numbers) == len(errors) else [], formal)
    factors = [step.scale_y / against.scale_y for step in steps]
    raw = curve_convergence(scales, [s.nrms_percent * f for s, f in zip(steps, factors, strict=True)], formal)
    if raw.uncertainty is None or raw.uncertainty <= limits.value.acceptable / 2:
        return raw
    # A narrow line that still moves a little is judged as the comparison judges it: shape and shift apart.
    shift = steps[-1].shift_percent
    if shift is None or not steps[-1].shift or abs(shift) > limits.position.acceptable / 2:
        return raw
    aligned = curve_convergence(
        scales, [s.nrms_aligned_percent * f for s, f in zip(steps, factors, strict=True)], formal
    )
    method = (
        f"{aligned.method}, after alignment; the position moves by {abs(shift):.2g} % between the finest two"
    )
    grid = aligned.grid and replace(
        aligned.grid, words=f"{aligned.grid.words}; of the shape, after alignment"
    )
    return replace(aligned, method=method, grid=grid)


def _features(c: CurveComparison) -> tuple[Feature, ...]:
    features = []
    for pair in c.pairs:
        a, b = pair.reference, pair.simulated
        features.append(
            Feature(
                kind=a.kind,
                x_reference=a.x,
                x_simulated=b.x if b else None,
                shift_percent=_finite(100 * (b.x / a.x - 1)) if b and a.x else None,
                fwhm_ratio=_finite(b.fwhm / a.fwhm) if b and a.fwhm else None,
                height_difference=_finite(b.y - a.y) if b else None,
            )
        )
    return tuple(features)


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None
