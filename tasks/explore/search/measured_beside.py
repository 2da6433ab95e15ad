"""One measurement beside another: a difference inside the noise is no improvement."""

from __future__ import annotations

import math
from statistics import median

from schemas.explore.evaluation import Comparing, Comparison, Measured, MetricSpec, Spread
from tasks.explore.measuring.spread import standard_error

# Student's t: of n - 1 = 1, 2, ... degrees of freedom, what 97.5 % lie below (so 95 % between the two bounds)
_T = (
    12.71,
    4.30,
    3.18,
    2.78,
    2.57,
    2.45,
    2.36,
    2.31,
    2.26,
    2.23,
    2.20,
    2.18,
    2.16,
    2.14,
    2.13,
    2.12,
    2.11,
    2.10,
    2.09,
    2.09,
)
ROUNDING = 1e-9


def coverage(n: int, spread: Spread = "standard_deviation") -> float:
    """How many standard errors a difference of `n` values (or pairs) must exceed; infinite for one.

    At most 5 % of equal candidates are then called different, by simulation with normal noise, and about 1 % with bursts.
    The scaled deviation of the median is uncertain itself, so it needs a fifth more.
    """
    if n < 2:
        return math.inf
    return _T[min(n - 2, len(_T) - 1)] * (1.2 if spread == "scaled_mad" else 1.0)


def compare(
    child: Measured,
    other: Measured,
    other_id: str,
    spec: MetricSpec,
    *,
    paired: bool = False,
    smallest_effect: float = 0.01,
) -> Comparison:
    """A candidate beside another one.

    paired: both were measured alternately in one session, so neighbours shared what the machine did and their differences
    are what counts. smallest_effect: relative difference of a timed metric below which there is none, whatever its error bar.
    """
    if child.unit != other.unit or child.name != other.name:
        return Comparison(
            other=other_id,
            difference=0.0,
            uncertainty=0.0,
            verdict="no_difference",
            why=f"{child.name} in {child.unit} and {other.name} in {other.unit} cannot be compared",
        )
    paired = paired and len(child.values) == len(other.values) and child.n >= 2
    if paired:
        differences = [mine - its for mine, its in zip(child.values, other.values, strict=True)]
        scatter, spread = standard_error(differences, spec.kind)
        uncertainty = math.hypot(scatter, child.beside, other.beside)
        difference, factor = median(differences), coverage(len(differences), spread)
    else:
        difference, uncertainty = child.value - other.value, math.hypot(child.uncertainty, other.uncertainty)
        factor = max(coverage(one.n, one.spread) for one in (child, other))
    verdict, why = _verdict(child, other, difference, uncertainty, factor, spec, smallest_effect)
    ratio, ratio_uncertainty = _ratio(child, other, spec, paired)
    return Comparison(
        other=other_id,
        difference=difference,
        uncertainty=uncertainty,
        ratio=ratio,
        ratio_uncertainty=ratio_uncertainty,
        paired=paired,
        verdict=verdict,
        why=why,
    )


def _verdict(
    child: Measured,
    other: Measured,
    difference: float,
    uncertainty: float,
    factor: float,
    spec: MetricSpec,
    smallest_effect: float,
) -> tuple[Comparing, str]:
    scale = max(abs(child.value), abs(other.value))
    if abs(difference) <= ROUNDING * scale:
        return "no_difference", "the values are equal"
    if spec.kind == "timed" and abs(difference) < smallest_effect * scale:
        return (
            "no_difference",
            f"it differs by {abs(difference) / scale:.2%}; less than {smallest_effect:.2%} counts as none",
        )
    if spec.kind != "deterministic":
        if math.isinf(factor):
            return "no_difference", "one value has no error bar"
        if abs(difference) <= factor * uncertainty:
            return "no_difference", (
                f"the difference {difference:.3g} {child.unit} lies inside {factor:.3g} standard errors "
                f"of {uncertainty:.2g} {child.unit}"
            )
        if difference * (child.value - other.value) <= 0:
            return "no_difference", "the pairs say otherwise than the medians"
    better = (difference > 0) == (spec.direction == "higher")
    return (
        "better" if better else "worse"
    ), f"the difference {difference:.3g} {child.unit} exceeds its error bar"


def _ratio(
    child: Measured, other: Measured, spec: MetricSpec, paired: bool
) -> tuple[float | None, float | None]:
    if other.value == 0 or child.value * other.value <= 0:
        return None, None
    ratio = child.value / other.value
    if paired and all(value * other.value > 0 for value in other.values):
        each = [mine / its for mine, its in zip(child.values, other.values, strict=True)]
        beside = abs(ratio) * math.hypot(child.beside / child.value, other.beside / other.value)
        return ratio, math.hypot(standard_error(each, spec.kind)[0], beside)
    return ratio, abs(ratio) * math.hypot(child.uncertainty / child.value, other.uncertainty / other.value)


def improvement_score(comparison: Comparison | None, spec: MetricSpec) -> float:
    """0 to 1 for the axis `measured_improvement`: 0.5 for no difference; of factor r in the wanted sense 1 - 1/(2r) if r > 1.

    So twice as good gives 0.75, ten times 0.95, half as good 0.25. Without a ratio (values of two signs): 0.75 or 0.25.
    """
    if comparison is None or comparison.verdict == "no_difference":
        return 0.5
    if comparison.ratio is None:
        return 0.75 if comparison.verdict == "better" else 0.25
    # of negative values the larger size is the lower value
    larger_is_more = comparison.difference > 0 if comparison.ratio > 1 else comparison.difference < 0
    gain = comparison.ratio if larger_is_more == (spec.direction == "higher") else 1 / comparison.ratio
    return 1 - 1 / (2 * gain) if gain > 1 else gain / 2
