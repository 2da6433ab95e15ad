"""Verdicts: SUCCESS up to acceptable, PARTIAL up to investigate, FAILURE beyond; bounds included."""

from __future__ import annotations

import math

import numpy as np

from schemas.reproduce.judging.evidence import Classification
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.planning.target_quantity import derived_quantity
from schemas.reproduce.planning.thresholds import Threshold, threshold
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.units import canonical
from tasks.reproduce.curves.alignment import FAINT, FEWEST_RATIOS, SHIFT_LIMIT, CurveComparison
from tasks.reproduce.judging.limits import (
    MOST_DB,
    OF_LEVEL,
    Limits,
    allowed_number,
    allowed_values,
    scalar_error,
    shape_measure,
)
from tasks.reproduce.references.paper_value import ReferenceValue

MIN_OVERLAP = 0.8
MIN_MATCHED = 0.8
MIN_WINDOW = 0.1
MIN_SLOPE = (
    0.02  # a slope is told at one place; whether its curve is the paper's, `together.py` sees on all of it
)
ONE_FACTOR = 3.0  # so much nearer to each other than to one are ratios that are one factor
ALL_BY_ONE = "Every value of ours is"  # begins the reason that a curve is off by one factor
ONE_SIDE, HALF = 0.8, 0.5  # of the values, on one side by more than this share of what a number may be off
_DEPTH_DB, _LEAST_DB = (
    30.0,
    0.2,
)  # from the level nearest to 0: deeper down noise decides; 0.2 dB are 5 % of the light, which a share may be off
OWN_WIDTH = 1.05  # a peak further away than its own width agrees with nothing; the tails of neighbours hide some of a width
# Ratios to the reference of a feature's height and width: as for line widths, 30 % and 50 %.
RATIO_ACCEPTABLE, RATIO_INVESTIGATE = 0.30, 0.50
_ROUNDING = 1 + 1e-9
_TILT = 2 * math.sqrt(3)
_PLACES = ("peak_position", "plasmonic_peak_position", "band_frequency", "effective_index")


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


def window_verdict(reference: ReferenceValue, target: Target, reasons: list[str]) -> Classification:
    """At most PARTIAL where the plan compares only a part of the paper's data; a feature needs a tenth of them, a slope less."""
    if reference.coverage > 0.995:
        return "SUCCESS"
    feature = target.reference.feature
    slope = feature is not None and as_feature(feature).kind == "slope"
    least = MIN_OVERLAP if target.kind != "scalar" else MIN_SLOPE if slope else MIN_WINDOW
    share = f"The plan looks at {100 * reference.coverage:.0f} % of the paper's data"
    if reference.coverage >= least:
        reasons.append(f"{share}.")
        return "SUCCESS"
    reasons.append(f"{share}; SUCCESS needs {100 * least:.0f} %.")
    return "PARTIAL"


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
        verdict, error = _grade_flat(c, limits, reasons) if limits.flat else _grade_shape(c, limits, reasons)
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
    if bounds is not None and not c.flat:
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
    if not c.flat and bounds is not None:
        reasons.append(
            f"Allowed besides: correlation from {bounds[1]:g}, a shift of {limits.position.acceptable:.3g} %, heights of major "
            f"features off by {100 * RATIO_ACCEPTABLE:g} %, widths by {100 * RATIO_INVESTIGATE:g} %."
        )
    if c.overlap < MIN_OVERLAP:
        reasons.append(
            f"Simulation and reference share only {100 * c.overlap:.0f} % of the range; SUCCESS needs "
            f"{100 * MIN_OVERLAP:.0f} %."
        )
        verdict = worse(verdict, "PARTIAL")
    return verdict, error, reasons


def against_the_trend(
    c: CurveComparison | None, target: Target, limits: Limits, uncertainty: float | None
) -> str:
    """Why a flat curve that goes the other way all along does not agree; '' where it does not go so, or that is not sure.

    uncertainty: RMS, in percent of the magnitude. A straight error of that size tilts a curve by `_TILT` times it.
    """
    if c is None or uncertainty is None or not (limits.flat and shape_measure(target)):
        return ""
    paper, ours = c.rises
    bound = limits.value.acceptable
    if paper * ours >= 0 or min(abs(ours), abs(paper - ours) - bound) <= _TILT * uncertainty:
        return ""
    way = "rises" if paper > 0 else "falls"
    return (
        f"The paper's curve {way} all along by {abs(paper):.3g} % of its magnitude, ours goes the other way by {abs(ours):.3g} %, which "
        f"its numerical uncertainty ({uncertainty:.3g} %) does not turn: together more than the acceptable {bound:.3g} %."
    )


def against_its_change(
    c: CurveComparison | None, target: Target, uncertainty: float | None, error_percent: float
) -> str:
    """Why a curve of places (frequencies, indices) that hardly varies is no SUCCESS though each of its values is near: what it changes
    by all along is another, as a group velocity that is a third too large. '' where it is not, or that is not sure.

    uncertainty, error_percent: of ours and of the paper's values, in percent of the magnitude.
    """
    if c is None or uncertainty is None or not c.flat or derived_quantity(target)[0] not in _PLACES:
        return ""
    paper, ours = c.rises
    if not paper or not ours:  # one of them turns
        return ""
    bound = threshold("default", "curve").investigate
    apart = abs(paper - ours) - _TILT * math.hypot(uncertainty, error_percent)
    if apart <= bound / 100 * abs(paper):
        return ""
    return (
        f"The paper's curve {'rises' if paper > 0 else 'falls'} all along by {abs(paper):.3g} % of its magnitude, ours "
        f"{'rises' if ours > 0 else 'falls'} by {abs(ours):.3g} %: the change is off by more than {bound:g} % of it, "
        "whatever each value is."
    )


def off_by_a_factor(
    c: CurveComparison | None,
    target: Target,
    limits: Limits,
    uncertainty: float | None,
    error_percent: float,
) -> str:
    """Why a curve is no SUCCESS all of whose values are off by one factor, more than a number may be: over its range the difference is
    small where the curve is. '' where they are not, or that is not sure.

    uncertainty: RMS, in percent of the range. error_percent: of the paper's values.
    """
    if c is None or c.factor is None or uncertainty is None or not shape_measure(target):
        return ""
    off, bound = abs(c.factor.middle - 1), allowed_number(limits)
    left = uncertainty * c.scale_y / c.factor.magnitude + 2 * error_percent
    if c.factor.off > off / ONE_FACTOR or 100 * off - left <= bound:
        return ""
    return (
        f"{ALL_BY_ONE} {c.factor.middle:.3g} times the paper's, within {c.factor.off:.2g}: one factor that is off by "
        f"{100 * off:.3g} %, of which uncertainty and the paper's error explain {left:.2g} % (a number may be off by {bound:.3g} %)."
    )


def off_to_one_side(
    c: CurveComparison | None,
    target: Target,
    limits: Limits,
    uncertainty: float | None,
    error_percent: float,
) -> str:
    """Why a curve is no SUCCESS most of whose values agree with none of the paper's as numbers, all to one side: with some right
    points, a drift, a background or in dB it is no one factor. '' where they do, or that is not sure.

    uncertainty: RMS, in percent of the range. error_percent: of the paper's values.
    """
    if c is None or c.beside is None or uncertainty is None or c.flat or not shape_measure(target):
        return ""
    ours, theirs = c.beside
    size = np.abs(theirs)
    decibels = canonical(target.unit) == "db"
    there = size < np.min(size) + _DEPTH_DB if decibels else size > FAINT * np.max(size)
    if np.count_nonzero(there) < FEWEST_RATIOS:
        return ""
    levels = np.clip(OF_LEVEL[1] / 100 * size, _LEAST_DB, MOST_DB[1])
    bound = levels if decibels else allowed_values(target, size, limits)
    left = uncertainty / 100 * c.scale_y + 2 * error_percent / 100 * np.max(size)
    apart = ((ours - theirs) / (bound + left))[there]
    apart *= np.sign(np.median(apart))
    if np.median(apart) <= 1 or np.quantile(apart, 1 - ONE_SIDE) <= HALF:
        return ""
    side = "above" if np.median(ours[there] - theirs[there]) > 0 else "below"
    return (
        f"Most values of ours lie {side} the paper's by more than a number there may be off (in the middle {np.median(apart):.2g} times "
        "that, uncertainty and the paper's error included), and hardly one lies on the other side."
    )


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
        away = abs(b.x - a.x)
        if away > OWN_WIDTH * max(a.fwhm, b.fwhm) > 0:
            level = worse(level, "PARTIAL")
            reasons.append(
                f"The {a.kind} at {a.x:.5g} lies {away:.4g} away, further than its own width {max(a.fwhm, b.fwhm):.4g}: no "
                "agreement."
            )
        verdict = worse(verdict, level)
    return verdict


def _grade_flat(c: CurveComparison, limits: Limits, reasons: list[str]) -> tuple[Classification, float]:
    """By the RMS difference in percent of the magnitude; no sample may leave the outer bound."""
    largest = 100 * c.largest_difference / c.scale_y
    reasons.append(
        f"The reference varies by less than 10 % of its magnitude: values are compared, not a shape. RMS difference "
        f"{c.nrms_percent:.3g} % of its magnitude (acceptable {limits.value.acceptable:.3g}, investigate "
        f"{limits.value.investigate:.3g}), largest difference {largest:.3g} %."
    )
    verdict = grade(c.nrms_percent, limits.value)
    return (worse(verdict, "PARTIAL") if largest > limits.value.investigate else verdict), c.nrms_percent


def _grade_shape(c: CurveComparison, limits: Limits, reasons: list[str]) -> tuple[Classification, float]:
    raw = grade(c.nrms_percent, limits.value)
    shift = abs(c.shift_percent) if c.shift_percent is not None else float("inf")
    aligned = worse(grade(c.nrms_aligned_percent, limits.value), grade(shift, limits.position))
    if not c.shift or c.shift_at_limit or worse(raw, aligned) == aligned:
        reasons.append(
            f"RMS difference {c.nrms_percent:.3g} % of the range (acceptable {limits.value.acceptable:g}, "
            f"investigate {limits.value.investigate:g})."
        )
        if c.shift_at_limit:
            reasons.append(
                f"The best shift, {c.shift:.4g}, lies at the limit of its search ({100 * SHIFT_LIMIT:g} % of the range): the "
                "curves do not align, which is no SUCCESS."
            )
            return worse(raw, "PARTIAL"), c.nrms_percent
        return raw, c.nrms_percent
    kind = "metal" if limits.plasmonic else "dielectric"
    reasons.append(
        f"RMS difference {c.nrms_percent:.3g} % as it stands, {c.nrms_aligned_percent:.3g} % after a "
        f"shift of {c.shift:.4g} ({shift:.3g} % of the position; acceptable "
        f"{limits.position.acceptable:g}, {kind})."
    )
    return aligned, c.nrms_aligned_percent
