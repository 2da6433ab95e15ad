"""A target's final comparison: evidence by code and words by the analyst."""

from __future__ import annotations

from schemas.base import Identifier, Model
from schemas.evidence import Classification, TargetEvidence


class FigureComparison(Model):
    """What the report shows for one target."""

    figure_id: str
    stage_id: Identifier
    target_id: Identifier
    classification: Classification
    evidence: TargetEvidence
    explanation: str = ""
    likely_causes: tuple[str, ...] = ()
    visual: str = ""
    stricter_than_evidence: bool = False
