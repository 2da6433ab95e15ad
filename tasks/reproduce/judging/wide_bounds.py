"""A wide bound is for what nobody knows better: a width, a quality factor or an enhancement that rounded inputs and the paper's own error
explain, or that was measured. Where they do not, and the paper computes as we do, it is no agreement.

What we choose ourselves explains nothing: an assumption, a change by convention, what was not computed; our grid no more than what is
excellent anyway.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.simulations.numerics import QuantityResult, StudyResult
from schemas.reproduce.words.clauses import sentence_of
from tasks.reproduce.evidence.two_solvers import in_its_measure
from tasks.reproduce.judging.budget import by_convention
from tasks.reproduce.judging.doubts import lowered
from tasks.reproduce.judging.limits import number_moved

_WIDE = 10.0  # percent: no other bound of a number is wider
_MADE = re.compile(  # what was done to this paper's samples: no device that "is etched", no angle that "is measured from the normal"
    r"(?i)\b(?:was|were|been|we)\s+(?:[\w-]+(?:ly|-beam|first|then|also)\s+)?(?:fabricated|manufactured|grown|deposited|sputtered|evaporated|"
    r"etched|spin-?coated|patterned|synthesi[sz]ed|spun|cleaved|annealed|prepared|milled|exfoliated|defined\s+by|made\s+by)\b"
    r"(?!\s+(?:at|in|on|by)\s+(?:the\s+)?(?:refs?\b|\[|zenodo|figshare|repositor))|"
    r"\b(?:is|are|chip,|samples?,|devices?,)\s+(?:fabricated|grown|sputtered|evaporated)\s+(?:by|at|on|using|with)\b"
)
_MEASURED = re.compile(
    r"(?i)\b(?:experiment(?!al\s+parameter)\w*|measurements?)\b|\bmeasured\b(?!\s+(?:from|along|between|at|in|with|against|relative)\b)"
)
_NO_EXPERIMENT = re.compile(r"(?i)\b(?:numerical|thought|virtual|computer|future)\s+experiment\w*")


def only_computes(paper: PaperInput, reference: Reference) -> bool:
    """Whether a paper's words say neither that anything was made, nor that what a target compares was measured: its quoted sentence, its
    figure's caption."""
    captions = [
        figure.caption
        for figure in paper.figures
        if reference.file and any(data.file == reference.file for data in figure.data)
    ]
    words = paper.words(bibliography=False)
    at = words.find(reference.quotation) if reference.quotation else -1
    told = words[slice(*sentence_of(words, at, at + len(reference.quotation)))] if at >= 0 else ""
    own = " ".join([reference.quotation, told, *captions])
    return not (_MADE.search(words) or _MEASURED.search(_NO_EXPERIMENT.sub(" ", own)))


def within_what_is_known(
    evidence: TargetEvidence, budget: Budget | None, study: StudyResult | None
) -> TargetEvidence:
    """The evidence of a paper that only computes: at most PARTIAL where a number is off by more than is excellent, and by more than the
    paper's rounded inputs and its own error explain."""
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
    excellent = evidence.excellent or 0.0
    inputs = _by_inputs(evidence, quantities)
    paper = 200 * budget.known("reference") / (abs(budget.reference or 0.0) or 1.0)
    explained = min(evidence.uncertainty, excellent) + inputs + paper
    if evidence.error <= max(excellent, explained):
        return evidence
    return lowered(
        evidence,
        "PARTIAL",
        f"Off by {evidence.error:.3g} %, of which numerics, inputs as far as they are rounded, and the paper's own error explain "
        f"{explained:.2g} % at most. The paper computes, and {evidence.acceptable:g} % are only for what nobody knows better.",
        matches=False,
    )


def _by_inputs(evidence: TargetEvidence, quantities: Sequence[QuantityResult]) -> float:
    """What the doubts of the paper's own inputs do together to a number, in percent: each by the larger of its changes."""
    moved: dict[str, float] = {}
    for quantity in quantities:
        for tried in quantity.sensitivities:
            if tried.origin == "assumption" or by_convention(tried):
                continue
            by = number_moved(tried, evidence)
            if by is None and quantity.value is not None and tried.relative is not None:
                by = in_its_measure(evidence, tried.relative, quantity.scale)
            moved[tried.parameter] = max(moved.get(tried.parameter, 0.0), by or 0.0)
    return sum(moved.values())
