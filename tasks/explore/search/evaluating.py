"""What is known of a node after it ran: the measurement first, the model's scores inside what the evidence allows."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.explore.claims import RefusedClaim, ResolvedClaim
from schemas.explore.evaluation import (
    AxisScore,
    Comparison,
    Evaluation,
    EvaluationAnswer,
    Measured,
    MeasuredRecord,
    MetricSpec,
)
from schemas.explore.settings import CompositeFormula, CustomAxis
from tasks.explore.search.axes import IMPROVEMENT, scored
from tasks.explore.search.composites import axis_composite
from tasks.explore.search.measured_beside import compare, improvement_score

FLOOR_WITH_EVIDENCE = 0.25
CEILING_WITHOUT = 0.2
"""A node without measured evidence ends below every node with it, whatever a model says of it."""


def within_evidence(composite: float, *, has_real_data: bool, sterile: bool) -> float:
    """The composite of the axes within the band of the node's evidence: 0.25 to 1 measured, 0 to 0.2 not, 0 sterile."""
    if sterile:
        return 0.0
    if has_real_data:
        return FLOOR_WITH_EVIDENCE + (1 - FLOOR_WITH_EVIDENCE) * composite
    return CEILING_WITHOUT * composite


def evaluate(
    spec: MetricSpec,
    axes: Sequence[CustomAxis],
    formula: CompositeFormula,
    *,
    answer: EvaluationAnswer | None = None,
    record: MeasuredRecord | None = None,
    root: Measured | None = None,
    root_id: str = "",
    claims: Sequence[ResolvedClaim] = (),
    refused_claims: Sequence[RefusedClaim] = (),
    sterile: bool = False,
    smallest_effect: float = 0.01,
) -> Evaluation:
    """The evaluation of a node.

    record: what the harness measured; None where it could not start. root: the root's primary metric, which progress is
    counted from. answer: the model's scores; without them the code's own axis stands alone.
    """
    mine = _usable(record, spec)
    real = mine is not None and not sterile
    comparison, baseline = _comparisons(mine if real else None, record, spec, root, root_id, smallest_effect)
    code = AxisScore(
        axis=IMPROVEMENT,
        by="code",
        score=improvement_score(baseline or comparison, spec) if real else 0.0,
        reason=_reason(baseline or comparison, real),
    )
    found = (*scored(axes, answer.axes if answer else ()), code) if answer else (code,)
    plain = axis_composite(found, formula)
    return Evaluation(
        has_real_data=real,
        comparison_found=comparison is not None,
        metrics=record.metrics if record and real else (),
        comparison=comparison,
        baseline=baseline,
        claims=() if sterile else tuple(claims),
        axes=found,
        axis_composite=plain,
        composite=within_evidence(plain, has_real_data=real, sterile=sterile),
        refused=_refused(record, refused_claims, sterile),
        headline=answer.headline if answer else "",
    )


def _usable(record: MeasuredRecord | None, spec: MetricSpec) -> Measured | None:
    if record is None or record.program_sha256 != spec.sha256 or not all(held for _, held in record.checks):
        return None
    found = next((metric for metric in record.metrics if metric.name == spec.name), None)
    return found if found is not None and found.unit == spec.unit else None


def _comparisons(
    mine: Measured | None,
    record: MeasuredRecord | None,
    spec: MetricSpec,
    root: Measured | None,
    root_id: str,
    smallest_effect: float,
) -> tuple[Comparison | None, Comparison | None]:
    if mine is None or record is None:
        return None, None
    its = next((metric for metric in record.parent_metrics if metric.name == spec.name), None)
    beside = (
        compare(mine, its, record.parent_id, spec, paired=True, smallest_effect=smallest_effect)
        if its
        else None
    )
    if root is None or root_id in ("", record.node_id):
        return beside, None
    if root_id == record.parent_id and beside is not None:
        return beside, beside
    return beside, compare(mine, root, root_id, spec, smallest_effect=smallest_effect)


def _reason(comparison: Comparison | None, real: bool) -> str:
    if not real:
        return "no measured evidence"
    if comparison is None:
        return "nothing to compare with yet"
    return (
        f"{comparison.verdict.replace('_', ' ')} than {comparison.other}: {comparison.why}"
        if (comparison.verdict != "no_difference")
        else f"no difference from {comparison.other}: {comparison.why}"
    )


def _refused(record: MeasuredRecord | None, claims: Sequence[RefusedClaim], sterile: bool) -> tuple[str, ...]:
    reasons = [f"{claim.name}: {claim.reason}" for claim in claims]
    if record is None:
        reasons.append("the primary metric was not measured")
    else:
        reasons += record.refused
        reasons += [f"the check {name!r} failed" for name, held in record.checks if not held]
    if sterile:
        reasons.append("the node changed nothing: it is sterile, and its parent's results are not its own")
    return tuple(dict.fromkeys(reasons))
