"""A target's final comparison: evidence by code and words by the analyst."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.reproduce.judging.evidence import Classification, TargetEvidence
from schemas.reproduce.planning.plan import TargetRole


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

    @property
    def verdict(self) -> str:
        """The classification; 'not compared' for a target that its stage's description leaves out with a reason, and for one that no
        simulation of ours gave a value."""
        return "not compared" if self.evidence.not_attempted or not self.evidence.ran else self.classification


class ComparisonRecord(Model):
    """One line of the run's ledger of comparisons, written when it happens. Only ever added to.

    computed: code compared a target, before any agent that knows the paper saw it. compared: the comparison that a stage
    attempt ended with, the analyst's strictness included. withdrawn: taken back by a backtrack, a new plan or a change of
    materials. dropped: no longer in a new plan. demoted: a new plan lets it count for less.
    """

    target_id: Identifier
    figure_id: str
    stage_id: Identifier
    plan_round: int
    attempt: int = 0
    event: Literal["computed", "compared", "withdrawn", "dropped", "demoted"] = "compared"
    role: TargetRole = Field(description="what it counted for when this happened")
    classification: Classification | None = None
    simulated: float | None = Field(None, description="value of a scalar target")
    stated: float | None = Field(
        None, description="value of the paper it was compared with; None for curves and maps"
    )
    unit: str = "1"
    error: float | None = None
    measure: str = ""
    reference: str = Field(
        "", description="digest of what it was compared with: the same target under a new name"
    )
    evidence: str = Field("", description="digest of the whole evidence")
    ran: bool = Field(
        True, description="whether a simulation wrote the value: what did not run was not compared"
    )
    refutes: bool = Field(True, description="a failure counts against the paper, as the evidence says")
    beyond: bool = Field(
        False, description="it disagreed, and its numerical uncertainty alone kept it from a failure"
    )
    reason: str = Field("", description="withdrawn, dropped, demoted: why")


class Turn(Model):
    """A turn of the run: a new plan, a return to an earlier stage, other materials. Only ever added to."""

    kind: Literal["new plan", "return", "other materials"]
    plan_round: int = Field(description="the plan that was left, or within which the run went back")
    reason: str
    asked_by: str = ""
    to: str = Field("", description="the stage gone back to")
    claim_before: str = Field("", description="main claim, where a new plan words it otherwise")
    claim_after: str = ""
