"""A wide bound is for what nobody knows better: a width, a quality factor or an enhancement that numerics, rounded inputs and the
paper's own error explain, or that was measured. Where they do not, and the paper computes as we do, it is no agreement."""

from __future__ import annotations

import re

from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import StudyResult
from tasks.reproduce.evidence.two_solvers import in_its_measure
from tasks.reproduce.judging.doubts import lowered
from tasks.reproduce.judging.limits import number_moved

_WIDE = 10.0  # percent: no other bound of a number is wider
_MEASURES = re.compile(
    r"\b(?:experiment\w*|fabricat\w*|measurements?|measured|samples? (?:was|were|is|are))\b", re.IGNORECASE
)


def only_computes(text: str) -> bool:
    """Whether a paper's words speak of nothing that was made or measured."""
    return not _MEASURES.search(text)


def within_what_is_known(
    evidence: TargetEvidence, budget: Budget | None, study: StudyResult | None
) -> TargetEvidence:
    """The evidence of a paper that only computes: at most PARTIAL where a number is off by more than is excellent, and by more than all
    that is known to be open explains. As it was where something that is open is not known."""
    if (
        study is None
        or budget is None
        or evidence.measure != "relative_percent"
        or evidence.simulated is None
        or evidence.error is None
        or evidence.uncertainty is None
        or (evidence.acceptable or 0.0) <= _WIDE
    ):
        return evidence
    quantities = [quantity for quantity in study.quantities if evidence.target_id in quantity.answers]
    if len(quantities) != 1 or not (tried_ones := quantities[0].sensitivities):
        return evidence
    moved: dict[str, float] = {}
    for tried in tried_ones:
        by = number_moved(tried, evidence)
        if by is None and quantities[0].value is not None and tried.relative is not None:
            by = in_its_measure(evidence, tried.relative, quantities[0].scale)
        if by is None:
            return evidence
        moved[tried.parameter] = max(moved.get(tried.parameter, 0.0), by)
    paper = 200 * budget.known("reference") / (abs(budget.reference or 0.0) or 1.0)
    explained = evidence.uncertainty + sum(moved.values()) + paper
    if evidence.error <= max(evidence.excellent or 0.0, explained):
        return evidence
    return lowered(
        evidence,
        "PARTIAL",
        f"Off by {evidence.error:.3g} %, of which numerics, inputs as far as they are rounded or assumed, and the paper's own error "
        f"explain {explained:.2g} % at most. The paper computes, and {evidence.acceptable:g} % are only for what nobody knows better.",
        matches=False,
    )
