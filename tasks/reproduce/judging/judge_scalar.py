"""A number judged: its error against a value or a range, its peak's own width, and its convergence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from schemas.reproduce.judging.evidence import Classification, RungValue
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import CurveFeature
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.evidence.convergence import FORMAL_ORDER, Convergence, scalar_convergence
from tasks.reproduce.evidence.extrapolating import AtNoPixel
from tasks.reproduce.evidence.rung import Value
from tasks.reproduce.judging.classify import OWN_WIDTH, grade, worse
from tasks.reproduce.judging.limits import Limits, scalar_error
from tasks.reproduce.references.paper_value import ReferenceValue

_SAME_PLACE = 0.01  # of a power of ten: between the samples of a curve


def judge_scalar(
    target: Target,
    scales: Sequence[float],
    numbers: Sequence[float],
    reference: ReferenceValue,
    limits: Limits,
    fields: dict[str, Any],
    reasons: list[str],
    width: float | None = None,
    formal: float = FORMAL_ORDER,
    limit: AtNoPixel | None = None,
) -> tuple[Classification, Convergence]:
    """Class and numerical uncertainty; `fields` and `reasons` are filled in.

    A range is left at its nearest end: inside it the error is 0. width: of the simulated extremum whose position it is. limit: the
    value for a pixel of no size, told where it is surer than the finest grid's.
    """
    assert isinstance(reference.value, float)
    low, high = reference.value, reference.value if reference.upper is None else reference.upper
    found = scalar_convergence(scales, numbers, formal)
    last, measure = numbers[-1], limits.value.measure
    sure = None if limit is None else limit.convergence(_apart)
    if limit is not None and surer(sure, found):
        assert isinstance(limit.value, float) and sure is not None
        last, found = limit.value, sure
    nearest = min(max(last, low), high)
    error = 0.0 if nearest == last and low < high else scalar_error(last, nearest, measure, target.unit)
    fields |= {
        "simulated": last,
        "reference": low,
        "reference_upper": reference.upper,
        "error": error if error is not None and math.isfinite(error) else None,
        "rungs": tuple(RungValue(resolution_scale=s, value=v) for s, v in zip(scales, numbers, strict=True)),
    }
    if error is None:
        reasons.append("A relative error against a reference of 0 is undefined; choose an absolute quantity.")
        return "FAILURE", Convergence(None, found.observed_order, found.method)
    uncertainty = None
    if found.uncertainty is not None:
        uncertainty = scalar_error(nearest + found.uncertainty, nearest, measure, target.unit)
    unit = "" if target.unit in ("", "1") else f" {target.unit}"
    paper = f"{low:.6g}" + (f" to {high:.6g}" if low < high else "") + unit
    reasons.insert(
        0,
        f"Simulated {last:.6g}, paper {paper}: error {error:.3g} (acceptable {limits.value.acceptable:.4g}, investigate "
        f"{limits.value.investigate:.4g}"
        + ("; anything inside the range agrees, beyond it the nearest end counts)." if low < high else ")."),
    )
    if last != numbers[-1]:
        reasons.append(f"The finest grid has {numbers[-1]:.6g}; the value is {found.grid.words}.")  # type: ignore[union-attr]
    verdict = worse(
        _peak_verdict(abs(last - nearest), reference.width or width, unit, reasons),
        _room_verdict(target, low, high, reference, limits, reasons, width),
    )
    size = grade(error, limits.value)
    fields["beyond"] = size == "FAILURE" and verdict != "FAILURE"
    left = None if uncertainty is None or found.grid is None else replace(found.grid, left=uncertainty)
    found = replace(found, uncertainty=uncertainty, grid=left)
    return worse(verdict, size), found


def surer(one: Convergence | None, other: Convergence) -> bool:
    """Whether one uncertainty is known, and smaller than another that is known."""
    if one is None or one.uncertainty is None or other.uncertainty is None:
        return False
    return one.uncertainty < other.uncertainty


def _apart(one: Value, other: Value) -> float | None:
    return abs(one - other) if isinstance(one, float) and isinstance(other, float) else None


def with_sampling(
    target: Target,
    found: Convergence,
    sampling: float | None,
    reference: ReferenceValue,
    limits: Limits,
    reasons: list[str],
) -> Convergence:
    """The uncertainty of a feature: between resolutions, and between the samples of the curve it is taken from."""
    if sampling is None:
        return replace(
            found,
            uncertainty=None,
            method="every other sample of the simulated curve does not show the feature",
            parts=(("sampling", None),),
        )
    assert isinstance(reference.value, float)
    value, measure = reference.value, limits.value.measure
    ours, theirs = (
        scalar_error(value + e, value, measure, target.unit) for e in (sampling, reference.sampling)
    )
    if not ours or theirs is None or found.uncertainty is None:
        return found
    reasons.append(
        f"The spacing of the samples leaves open {ours:.2g} (simulation) and {theirs:.2g} (paper) of the error."
    )
    return replace(
        found,
        uncertainty=found.uncertainty + ours,
        method=f"{found.method}, and sampling",
        sampling=ours,
        parts=(("sampling", ours),),
    )


def with_flatness(
    target: Target,
    found: Convergence,
    reference: ReferenceValue,
    limits: Limits,
    flat: float | None,
    reasons: list[str],
) -> Convergence:
    """The uncertainty of an extremum's place, no less than how far it may move by what two grids leave open of its curve."""
    assert isinstance(reference.value, float)
    value = reference.value
    own = scalar_error(value + flat, value, limits.value.measure, target.unit) if flat else None
    if not own or found.uncertainty is None or own <= found.uncertainty:
        return found
    reasons.append(
        f"Within what two grids leave open of the curve its extremum may lie {own:.2g} elsewhere: it is so flat."
    )
    return replace(found, uncertainty=own, method=f"{found.method}, and how flat the extremum is")


def flatness(
    feature: CurveFeature | None,
    place: float,
    curves: Sequence[Curve | None],
    scales: Sequence[float],
    formal: float,
) -> float | None:
    """How far from its extremum, over the place itself, a curve on the finer of two grids still lies within what these leave open of
    it, the coarser one laid so that their extrema meet; None of more grids, which show how it moves, and of other features and extrema.

    place: of the extremum, in the target's unit, where the curves may have another that is so many powers of ten larger.
    """
    if feature is None or feature.kind != "position" or len(scales) != 2 or len(curves) != 2:
        return None
    coarse, fine = curves
    if coarse is None or fine is None or feature.extremum not in ("maximum", "minimum"):
        return None
    sign = 1.0 if feature.extremum == "maximum" else -1.0
    shift = fine.x[np.argmax(sign * fine.y)] - coarse.x[np.argmax(sign * coarse.y)]
    x, y = fine.x, sign * fine.y
    top = int(np.argmax(y))
    step = np.abs(y - sign * np.interp(x, coarse.x + shift, coarse.y))
    left_open = scalar_convergence(scales, (0.0, float(max(step[top], np.median(step)))), formal).uncertainty
    if not x[top] or left_open is None or not _same_place(place, float(x[top])):
        return None
    near = np.flatnonzero(y < y[top] - left_open)
    below, above = near[near < top], near[near > top]
    low = x[below[-1] + 1] if below.size else x[0]
    high = x[above[0] - 1] if above.size else x[-1]
    return float(max(x[top] - low, high - x[top]) / abs(x[top]))


def _same_place(place: float, x: float) -> bool:
    """Whether two numbers are one length in units that are powers of ten apart."""
    if place * x <= 0:
        return False
    power = math.log10(place / x)
    return abs(power - round(power)) < _SAME_PLACE


def _peak_verdict(away: float, width: float | None, unit: str, reasons: list[str]) -> Classification:
    """A peak further from the paper's than its own width is another peak, whatever the percentage."""
    if not width or away <= OWN_WIDTH * width:
        return "SUCCESS"
    reasons.append(
        f"It lies {away:.4g}{unit} from the paper's, further than its own width {width:.4g}{unit}: no agreement."
    )
    return "PARTIAL"


def _room_verdict(
    target: Target,
    low: float,
    high: float,
    reference: ReferenceValue,
    limits: Limits,
    reasons: list[str],
    width: float | None,
) -> Classification:
    """A window that holds no wrong position, or a range wider than the bounds, cannot tell right from wrong."""
    own = OWN_WIDTH * (reference.width or width or math.inf)
    bound, measure = limits.value, limits.value.measure
    ends = [scalar_error(end, low, measure, target.unit) for end in reference.window]
    held = all(error is not None and error <= bound.acceptable for error in ends)
    if ends and held and all(abs(end - low) <= own for end in reference.window):
        reasons.append(
            f"Every position in the window {ends_words(reference.window)} lies within the acceptable error: the "
            "comparison cannot fail, which is no SUCCESS."
        )
        return "PARTIAL"
    middle = (low + high) / 2
    half = scalar_error(high, middle, measure, target.unit) if low < high else 0.0
    if half is None or half > bound.investigate:
        reasons.append(
            f"The paper's range is wider than the outer bound on either side ({bound.investigate:.3g}): too wide to "
            "tell right from wrong, which is no SUCCESS."
        )
        return "PARTIAL"
    return "SUCCESS"


def ends_words(window: Sequence[float]) -> str:
    """A window as text."""
    return " to ".join(f"{end:.5g}" for end in window)
