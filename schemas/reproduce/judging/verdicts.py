"""Answers of the agents that judge: execution, physics, analysis, comparison, supervision."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.reproduce.judging.evidence import Classification
from schemas.reproduce.judging.looks import VisualReport
from schemas.talking.interaction import AgentQuestion
from schemas.talking.review import BacktrackSuggestion, Issue

SupervisorVerdict = Literal[
    "ok_continue", "change_priority", "replan_needed", "backtrack_to_stage", "ask_user", "all_complete"
]


class ExecutionAnswer(Model):
    """Did the simulation run correctly? The one place where failures are interpreted."""

    verdict: Literal["pass", "warning", "fail"]
    recoverable: bool = Field(description="whether new code can mend it")
    issues: tuple[Issue, ...]
    advice: str = Field(description="for the code generator: cause and remedy; empty when passed")


class PhysicsAnswer(Model):
    """Are the results physically reasonable? design_flaw sends the stage back to its designer."""

    verdict: Literal["pass", "warning", "fail", "design_flaw"]
    issues: tuple[Issue, ...]
    advice: str
    backtrack_suggestion: BacktrackSuggestion | None = None
    cause_known: bool = Field(
        True, description="false: it fails and neither code nor design explains it; a person is asked"
    )


class TargetReport(Model):
    """The analyst's words on one target; numbers are the evidence's."""

    target_id: Identifier
    classification: Classification
    explanation: str
    likely_causes: tuple[str, ...] = ()
    visual: str = Field("", description="what the figure and the plot look like side by side")


class Discrepancy(Model):
    """A documented difference from the paper."""

    target_id: Identifier
    description: str
    likely_cause: str
    severity: Literal["acceptable", "investigate", "blocking"]
    action: str = ""


class AnalysisAnswer(Model):
    """Comparison of a stage's results with the paper."""

    reports: tuple[TargetReport, ...]
    discrepancies: tuple[Discrepancy, ...]
    systematic: tuple[str, ...] = Field((), description="named differences common to several targets")
    summary: str
    backtrack_suggestion: BacktrackSuggestion | None = None
    visual_reports: tuple[VisualReport, ...] = Field(
        (), description="one for each target with `looks`, each look once"
    )


class ComparisonAnswer(Model):
    """Is the analysis accurate?"""

    verdict: Literal["approve", "needs_revision"]
    issues: tuple[Issue, ...]
    feedback: str
    visual_reports: tuple[VisualReport, ...] = Field(
        (), description="your own judgement of each target with `looks`"
    )


class BacktrackDecision(Model):
    """The supervisor's decision to return to a stage."""

    target_stage_id: Identifier
    stages_to_invalidate: tuple[Identifier, ...]
    reason: str


class SupervisorAnswer(Model):
    """What happens next."""

    verdict: SupervisorVerdict
    feedback: str
    assessment: str = Field(description="is the main physics being reproduced, are we making progress")
    priority: tuple[Identifier, ...] = Field((), description="stage order, for change_priority")
    backtrack: BacktrackDecision | None = None
    question: str = Field("", description="for ask_user")
    questions: tuple[AgentQuestion, ...] = Field(
        (),
        description="only what a person must decide; the rest of the answer is "
        "then provisional, and you are asked again with the answers",
    )


class ConclusionsAnswer(Model):
    """The supervisor's words for the report; every number in the report itself comes from evidence."""

    executive_summary: str
    key_findings: tuple[str, ...]
    systematic_discrepancies: tuple[str, ...]
    final_statement: str
