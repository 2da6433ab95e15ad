"""Names and judgements in words that several parts of the report share."""

from __future__ import annotations

import math

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.origin_words import origin_words
from schemas.reproduce.planning.plan import MATERIALS, TEXT
from tasks.reproduce.report.document import Cell
from tasks.reproduce.report.source import Source, TargetLine
from tasks.reproduce.report.text import NONE, in_measure, quantity, reference_quantity, slug


def figure_name(source: Source, figure_id: str) -> str:
    """The figure's id; the material checks by their own name."""
    return {MATERIALS: "Materials (stage 0)", TEXT: "Numbers in the text"}.get(figure_id, figure_id)


def figure_anchor(figure_id: str) -> str:
    """The fragment of a figure's part of the report."""
    return f"figure-{slug(figure_id)}"


def target_anchor(target_id: str) -> str:
    """The fragment of a target's part of the report."""
    return f"target-{slug(target_id)}"


def target_cell(line: TargetLine) -> Cell:
    """The target's id, leading to its evidence."""
    return Cell(line.target_id, code=True, href=f"#{target_anchor(line.target_id)}")


def reference_name(source: Source, line: TargetLine) -> str:
    """What the target is compared with: 'computed' if code computed it, 'paper' if its text says it, or the data's origin."""
    return origin_words(line.target.reference if line.target else None, source.paper)


def reference_cell(source: Source, line: TargetLine, evidence: TargetEvidence | None) -> Cell:
    """The reference's value, or that it is a curve or map, and where it is from."""
    kind = line.target.kind if line.target and line.target.kind != "scalar" else ""
    value = reference_quantity(evidence) if evidence and evidence.reference is not None else kind or NONE
    return Cell(f"{value} ({reference_name(source, line)})", number=not kind)


def simulated_cell(line: TargetLine, evidence: TargetEvidence | None) -> Cell:
    """The simulated value, or that it is a curve or map."""
    if evidence is None:
        return Cell(NONE, number=True)
    kind = line.target.kind if line.target and line.target.kind != "scalar" and evidence.ran else ""
    value = quantity(evidence.simulated, evidence.unit) if evidence.simulated is not None else kind or NONE
    return Cell(value, number=not kind)


def against_uncertainty(evidence: TargetEvidence) -> str:
    """What the error means beside the numerical uncertainty, in words."""
    error, uncertainty = evidence.error, evidence.uncertainty
    if evidence.not_attempted:
        return f"not attempted: {evidence.not_attempted}"
    if error is None:
        return "no error could be computed"
    if uncertainty is None:
        few = len(evidence.rungs) < 2
        return f"uncertainty unknown: {'one resolution only' if few else 'a part of it was not computed'}"
    if abs(error) <= uncertainty:
        return "agrees within uncertainty" if evidence.matches else "uncertainty exceeds the error"
    times = abs(error) / uncertainty if uncertainty else math.inf
    beyond = "a little" if times < 1.5 else "clearly" if times < 3 else "far"
    return f"{'allowed; ' if evidence.matches else ''}{beyond} beyond the numerical uncertainty alone"


def error_text(evidence: TargetEvidence) -> str:
    """The error with its numerical uncertainty."""
    if evidence.error is None:
        return NONE
    return in_measure(evidence.error, evidence) + (
        f" ± {in_measure(evidence.uncertainty, evidence)}" if evidence.uncertainty is not None else ""
    )
