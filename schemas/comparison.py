"""A target's final comparison: evidence by code and words by the analyst."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.evidence import Classification, TargetEvidence
from schemas.plan import TargetRole


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


class ComparisonRecord(Model):
    """One line of the run's memory of its targets: compared, or dropped by a new plan. Only ever added to."""

    target_id: Identifier
    figure_id: str
    stage_id: Identifier
    plan_round: int
    attempt: int = 0
    event: Literal["compared", "dropped"] = "compared"
    role: TargetRole = Field(description="what it counted for when this happened")
    classification: Classification | None = None
    error: float | None = None
    measure: str = ""
    reference: str = Field("", description="digest of what it was compared with: the same target under a new name")
    reason: str = ""
