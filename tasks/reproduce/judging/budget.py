"""A target's uncertainty budget from what is kept: its convergence, the study's sensitivities, the reference's own error.

Nothing is simulated for it, and nothing that judges reads it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from schemas.reproduce.judging.budget import Budget, Contribution
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.numerics import QuantityResult, Sensitivity, StudyResult
from tasks.reproduce.curves.curve import Curve, normaliser
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.convergence import Convergence
from tasks.reproduce.evidence.numerics import FITS
from tasks.reproduce.evidence.rung import Value
from tasks.reproduce.judging.limits import (
    Limits,
    reference_error,
    scalar_error,
    shape_measure,
    unit_of_measure,
)
from tasks.reproduce.references.paper_value import ReferenceValue

_SHIFT_STEP = 0.0025  # of a spectrum's place: the step in which its shifts are tried (error_parts.shifted)
_TOLD_DIGITS = 5e-6  # of a tried value, which is kept with six digits
_STEPS = 20  # times that a change of an input must exceed them for its slope to be told
_EXACT = ("computed_from_exact_theory", "published_numbers")
_LARGEST = "; the largest change over the curve"
_FROM_CURVE = "how it moves what is read from the curve was not kept"


def budget_of(
    target: Target,
    evidence: TargetEvidence,
    last: Value,
    reference: ReferenceValue,
    limits: Limits,
    convergence: Convergence,
    study: StudyResult | None,
) -> Budget:
    """E = S - D of a target and what each side leaves open, in its unit; of a curve or map in the measure of its error.

    last: the value at the finest grid. study: what trusted code solved; None of a free script.
    """
    number = isinstance(reference.value, float)
    mine = [] if study is None else [q for q in study.quantities if target.target_id in q.answers]
    whole: dict[str, object] = {"unit": target.unit}
    if not isinstance(reference.value, float):
        whole = {
            "unit": unit_of_measure(limits.value.measure, target.unit) or "1",
            "of": "difference",
            "error": evidence.error,
        }
    elif isinstance(last, float):
        middle = reference.value if reference.upper is None else (reference.value + reference.upper) / 2
        whole |= {"simulated": last, "reference": middle, "error": last - middle}
    one = _per_measure(target, last, reference, limits) if number else 1.0
    known = evidence.uncertainty is not None and one is not None
    return Budget.model_validate(
        {
            **whole,
            "target_id": target.target_id,
            "stated": evidence.uncertainty * one if known else None,  # type: ignore[operator]
            "observed_order": evidence.observed_order,
            "grid": convergence.grid.words if convergence.grid else convergence.method,
            "contributions": (
                *_numerical(convergence, one, mine, study),
                *_inputs(target, last, reference, limits, mine, study),
                *_reference(target, reference, limits),
            ),
        }
    )


def _per_measure(target: Target, last: Value, reference: ReferenceValue, limits: Limits) -> float | None:
    """How much of the target's unit one of the threshold's measure is; None of a percentage of 0."""
    assert isinstance(reference.value, float) and isinstance(last, float)
    upper = reference.value if reference.upper is None else reference.upper
    nearest = min(max(last, reference.value), upper)
    error = scalar_error(2 * nearest or 1.0, nearest, limits.value.measure, target.unit)
    return (abs(nearest) or 1.0) / error if error else None


def _numerical(
    convergence: Convergence, one: float | None, mine: Sequence[QuantityResult], study: StudyResult | None
) -> list[Contribution]:
    said = {part.part: part for quantity in mine for part in quantity.parts}
    grid = convergence.grid
    known = grid is not None and one is not None
    found = [
        Contribution(
            side="numerical",
            source="grid",
            stated=_finite(grid.left * one) if known else None,  # type: ignore[union-attr, operator]
            coverage="k = 2" if grid is not None and grid.expanded else "bound",
            alike=True,
            how=grid.words if grid is not None else convergence.method,
        )
    ]
    for name, left in convergence.parts:
        how = next((part.how for part in said.values() if part.part == name), "")
        found.append(
            Contribution(
                side="numerical",
                source=name,
                stated=None if left is None or one is None else _finite(left * one),
                alike=name != FITS,
                how=how or ("every other sample of the simulated curve" if name == "sampling" else ""),
            )
        )
    told = {name for name, _ in convergence.parts}
    if study is None:
        how = "a free script has no variants of them"
        found.append(
            Contribution(side="numerical", source="absorber, distances, decay, time", alike=True, how=how)
        )
    for name, part in said.items():
        alone = all(p.state == "nothing to vary" for q in mine for p in q.parts if p.part == name)
        if alone and name not in told:
            found.append(
                Contribution(
                    side="numerical", source=name, stated=0.0, alike=True, how=f"nothing to vary: {part.how}"
                )
            )
    return found


def _reference(target: Target, reference: ReferenceValue, limits: Limits) -> list[Contribution]:
    """Digitising and digits of the paper's data, or rounding, range and uncertainty of its words."""

    def entry(source: str, stated: float | None, how: str) -> Contribution:
        stated = None if stated is None else _finite(stated)
        return Contribution(side="reference", source=source, stated=stated, how=how)

    value = reference.value
    if target.reference.kind == "quotation":
        if isinstance(value, float) and reference.upper is not None:
            half = abs(reference.upper - value) / 2
            return [entry("range", half, "half of the range that the paper's words state, about its middle")]
        how = "half a unit of the quotation's last digit, or the uncertainty written with it"
        return [entry("quotation", reference.rounding or None, how)]
    found: list[Contribution] = []
    if isinstance(value, float):
        how = "every other sample of the paper's curve"
        found.append(entry("sampling of the data", reference.sampling, how))
    error: float | None = reference_error(target, replace(reference, sampling=0.0), limits.value)
    if isinstance(value, float) and error:
        one = _per_measure(target, value, reference, limits)
        error = error * one if one is not None else None
    how = "as the paper's folder states it"
    if error:
        found.append(entry("data", error, how))
    elif reference.origin not in _EXACT:
        found.append(entry("data", None, "the paper's folder states no error of these data"))
    elif reference.digit is not None:
        size = reference.digit
        in_measure = size if isinstance(value, float) else _in_measure(target, size, value, limits)
        found.append(entry("digits of the data", in_measure, "half a unit of the last digit in the table"))
    elif not isinstance(value, float):
        found.append(entry("digits of the data", None, "not read from a table of this form"))
    if reference.x_error and isinstance(value, Curve):
        found.append(entry("abscissa of the data", None, "what its stated error does to the difference"))
    return found


def _inputs(
    target: Target,
    last: Value,
    reference: ReferenceValue,
    limits: Limits,
    mine: Sequence[QuantityResult],
    study: StudyResult | None,
) -> list[Contribution]:
    """What the kept changes of inputs do to the target: of each input the largest, and one entry for what is not known."""

    def unknown(why: str) -> list[Contribution]:
        return [Contribution(side="input", source="inputs", how=why)]

    if study is None:
        return unknown("inputs of a free script are not varied")
    if len(mine) != 1 or target.reference.made_of:
        return unknown("what inputs do to what is made of several quantities was not kept")
    quantity = mine[0]
    if not quantity.sensitivities:
        doubtful = any(p.used and p.origin in ("paper", "assumption") for p in study.parameters)
        if doubtful and not any(q.sensitivities for q in study.quantities):
            return unknown("no input was varied")
        how = "it rests on no number that is rounded or assumed"
        return [Contribution(side="input", source="inputs", stated=0.0, how=how)]
    usual, note, why = _moved(target, last, reference, limits, quantity)

    def moved(tried: Sensitivity) -> float | None:
        return tried.read.get(target.target_id, usual(tried))

    note = "" if any(target.target_id in s.read for s in quantity.sensitivities) else note
    found: list[Contribution] = []
    for name in dict.fromkeys(s.parameter for s in quantity.sensitivities):
        tried = [(s, moved(s)) for s in quantity.sensitivities if s.parameter == name]
        sizes = [(s, size) for s, size in tried if size is not None and math.isfinite(size)]
        stated = [pair for pair in sizes if not by_convention(pair[0])]
        if sizes:
            worst, size = max(stated or sizes, key=lambda pair: pair[1])
            nobody = "" if stated else f"; nobody states its error: this change moves it by {size:.2g}"
            found.append(
                Contribution(
                    side="input",
                    source=name,
                    stated=size if stated else None,
                    varied=worst.tried,
                    sensitivity=_slope(worst, size, study),
                    how=f"{worst.reason}{nobody}{note}",
                )
            )
        if len(sizes) < len(tried):
            open_ = next(s for s, size in tried if size is None or not math.isfinite(size))
            found.append(Contribution(side="input", source=name, varied=open_.tried, how=open_.remark or why))
    return found


def _moved(
    target: Target, last: Value, reference: ReferenceValue, limits: Limits, quantity: QuantityResult
) -> tuple[Callable[[Sensitivity], float | None], str, str]:
    """How far a change of an input moves the target, in the budget's unit; a note to it; and why it may not be known."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    against = reference.value
    if isinstance(last, float):
        if quantity.value is not None:  # both are proportional, so a small share of one is that of the other
            return (lambda s: None if s.relative is None else s.relative * abs(last)), "", "not measured"
        if feature is not None and feature.kind == "position" and feature.on_x:
            step = f"{100 * _SHIFT_STEP:g} %"
            return (
                (lambda s: (abs(s.moved) + _SHIFT_STEP / 2) * abs(last) if s.moved else None),
                f"; the shift of the whole spectrum, found in steps of {step}",
                f"the spectrum moves by less than the {step} in which shifts are tried",
            )
        plain = feature is None or feature.kind in ("value", "value_at")
        per = {"%": 100.0, "1": 1.0, "": 1.0}.get(target.unit)
        if plain and quantity.power == 0 and per is not None:
            return (lambda s: None if s.change is None else s.change * per), _LARGEST, _FROM_CURVE
        return (lambda s: None), "", _FROM_CURVE
    if isinstance(against, float) or (isinstance(last, Map) and target.amplitude != "absolute"):
        return (lambda s: None), "", "what inputs do to a fitted amplitude was not kept"
    largest = float(np.nanmax(np.abs(last.z if isinstance(last, Map) else last.y), initial=0.0))
    return (
        (
            lambda s: (
                None if s.relative is None else _in_measure(target, s.relative * largest, against, limits)
            )
        ),
        _LARGEST,
        "not measured",
    )


def _in_measure(target: Target, size: float, reference: Curve | Map, limits: Limits) -> float | None:
    """A change of at most `size` everywhere, in the measure of a curve's or map's error."""
    if isinstance(reference, Map):
        span = float(np.nanmax(reference.z) - np.nanmin(reference.z))
        return 100 * size / span if span > 0 else None
    part = reference.within(*target.x_range) if target.x_range else reference
    part = part or reference
    if shape_measure(target):
        return 100 * size / normaliser(part)
    if limits.value.measure == "relative_percent":
        return 100 * size * float(np.sqrt(np.mean(1 / part.y**2))) if np.all(part.y != 0) else None
    return scalar_error(size, 0.0, limits.value.measure, target.unit)


def _slope(tried: Sensitivity, size: float, study: StudyResult) -> float | None:
    """Change of the target over that of the input; None where the input's is lost in the digits it is kept with."""
    item = next((p for p in study.parameters if p.id == tried.parameter), None)
    try:
        value = float(tried.tried.split()[0])
    except (ValueError, IndexError):
        return None
    if item is None:
        return None
    step = abs(value - item.value)
    return _finite(size / step) if step > _STEPS * _TOLD_DIGITS * abs(value) else None


def by_convention(tried: Sensitivity) -> bool:
    """Whether the change is a share of the number, because neither the paper's digits nor alternatives say another."""
    return "%" in tried.reason


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
