"""Parts of the numerical uncertainty beside the grid's: what changes when absorber, padding, decay or a fit changes.

Each part is measured on the saved values of a described simulation, in the measure of the target's threshold, as the
comparison itself measures it. What absorber, padding, decay and time leave is added as it is, since all of them, like the grid,
may move a value the same way; what fits of materials leave has nothing to do with these and is added in quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from tasks.reproduce.curves.alignment import NoOverlap, compare
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.convergence import FORMAL_ORDER, Convergence
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.rung import Value
from tasks.reproduce.evidence.simulated import rung_of
from tasks.reproduce.judging.classify import pointwise_error
from tasks.reproduce.judging.judge_map import map_step
from tasks.reproduce.judging.limits import Limits, scalar_error, shape_measure
from tasks.reproduce.references.paper_value import ReferenceValue

FITS = "materials"
Varied = tuple[str, Value | None, Value | None]
"""(what was changed beside the resolution, value before, value with it); None: it could not be had."""


def variants(outputs: StageOutputs, target: Target, reader: Reader) -> tuple[Varied, ...]:
    """What changed with each variant of a described target, at its coarsest rung; what has no value is kept as unknown."""
    found: list[Varied] = []
    plain = [execution for execution in outputs.executions if not execution.variant]
    changed = [e for e in outputs.executions if e.variant and _answering(e, target)]
    alike: dict[str, list[Execution]] = {}
    for execution in (
        changed
    ):  # of two scenes that make a target both are varied at once: what moves both may move nothing
        label = execution.variant if target.reference.made_of else execution.execution_id
        alike.setdefault(label, []).append(execution)
    for ones in alike.values():
        scale, varied = ones[0].resolution_scale, set().union(*(_answering(e, target) for e in ones))
        same = [
            e
            for e in plain
            if any(
                e.resolution_scale == one.resolution_scale and _answering(one, target) & _answering(e, target)
                for one in ones
            )
        ]
        others = [e for e in outputs.finest() if _answering(e, target) and not varied & _answering(e, target)]
        try:
            before, after = (rung_of(scale, [*some, *others], target, reader).value for some in (same, ones))
            found.append((ones[0].variant, before, after))
        except (EvidenceError, ValueError):
            found.append((ones[0].variant, None, None))
    return (*found, *((part, None, None) for part in not_computed(outputs, target)))


def _answering(execution: Execution, target: Target) -> set[str]:
    """The datasets of an execution that answer the target, alone or together with those of other scenes."""
    return {
        dataset.dataset_id
        for dataset in execution.datasets
        if any(entry.target == target.target_id for entry in dataset.targets)
    }


def not_computed(outputs: StageOutputs, target: Target) -> tuple[str, ...]:
    """Parts of the uncertainty that a described target should have and has not: no budget was left, or a variant failed."""
    if outputs.study is None:
        return ()
    mine = [quantity for quantity in outputs.study.quantities if target.target_id in quantity.answers]
    return tuple(
        dict.fromkeys(
            part.part for quantity in mine for part in quantity.parts if part.state == "not computed"
        )
    )


def formal_order(outputs: StageOutputs, target: Target) -> float:
    """Order of the grid's error, at most: of a described target its scene's."""
    mine = (
        []
        if outputs.study is None
        else [q for q in outputs.study.quantities if target.target_id in q.answers]
    )
    return min((quantity.formal_order for quantity in mine), default=FORMAL_ORDER)


def with_parts(
    target: Target,
    found: Convergence,
    varied: Sequence[Varied],
    reference: ReferenceValue,
    limits: Limits,
    reasons: list[str],
) -> Convergence:
    """The uncertainty with the parts of `varied` (what was changed, value before, value after); said in `reasons`."""
    parts: dict[str, float | None] = {}
    for name, before, after in varied:
        error, known = _change(target, before, after, reference, limits), parts.get(name, 0.0)
        parts[name] = None if error is None or known is None else math.hypot(known, error)
    if not parts:
        return found
    found = replace(found, parts=(*found.parts, *parts.items()))
    if (unknown := next((name for name, error in parts.items() if error is None), None)) is not None:
        reasons.append(f"The part of {unknown} in the numerical uncertainty could not be measured.")
        return replace(found, uncertainty=None, method=f"{found.method}; {unknown} unknown", sampling=0.0)
    sizes = {name: error for name, error in parts.items() if error is not None}
    listed = ", ".join(f"{name} {error:.2g}" for name, error in sizes.items())
    method = f"{found.method}; {listed}"
    if found.uncertainty is None:
        return replace(found, method=method)
    reasons.append(f"Numerical uncertainty in parts: {found.words()}, {listed}.")
    alike = found.uncertainty + sum(error for name, error in sizes.items() if name != FITS)
    return replace(found, uncertainty=math.hypot(alike, sizes.get(FITS, 0.0)), method=method, sampling=0.0)


def _change(
    target: Target, before: Value | None, after: Value | None, reference: ReferenceValue, limits: Limits
) -> float | None:
    if isinstance(before, float) and isinstance(after, float) and isinstance(reference.value, float):
        return scalar_error(
            reference.value + abs(after - before), reference.value, limits.value.measure, target.unit
        )
    if isinstance(before, Curve) and isinstance(after, Curve) and isinstance(reference.value, Curve):
        try:
            step = compare(after, before, target.x_range)
            against = compare(before, reference.value, target.x_range)
        except NoOverlap:
            return None
        if not shape_measure(target):
            return pointwise_error(step, limits.value.measure, target.unit)
        return float(step.nrms_percent * step.scale_y / against.scale_y)
    if isinstance(before, Map) and isinstance(after, Map) and isinstance(reference.value, Map):
        return map_step(target, before, after, reference.value)
    return None
