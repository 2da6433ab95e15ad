"""The state of a run, who may write what, and what each node needs. `apply` is the only way it changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from schemas.base import Identifier
from schemas.errors import StateError
from schemas.reproduce.judging.comparison import ComparisonRecord, FigureComparison, Turn
from schemas.reproduce.judging.evidence import StageEvidence
from schemas.reproduce.judging.looks import VisualComparison
from schemas.reproduce.judging.verdicts import (
    AnalysisAnswer,
    BacktrackDecision,
    ComparisonAnswer,
    ConclusionsAnswer,
    Discrepancy,
    ExecutionAnswer,
    PhysicsAnswer,
    SupervisorAnswer,
)
from schemas.reproduce.materials.prepared_material import MaterialChange, MaterialRecord
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.planning.plan import Plan, StageType
from schemas.reproduce.planning.progress import (
    Counters,
    StageProgress,
    ValidationHierarchy,
    validation_hierarchy,
)
from schemas.reproduce.simulations.design import CodeNote, Design, NamedValue
from schemas.reproduce.simulations.drawn import DrawnInFigure
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.run.state import CoreState
from schemas.talking.adaptation import AdaptationAnalysis
from schemas.talking.review import BacktrackSuggestion, ReviewAnswer


class ReproState(CoreState):
    """All that a reproduction knows."""

    paper_id: Identifier
    paper_title: str = ""
    paper_domain: str = ""
    # planning
    adaptation_analysis: AdaptationAnalysis | None = None
    plan: Plan | None = None
    plan_approved: bool = False
    plan_round: int = Field(0, description="how many plans were made")
    assumptions: tuple[Assumption, ...] = ()
    extracted_parameters: tuple[ExtractedParameter, ...] = ()
    contradictions: tuple[str, ...] = ()
    contradiction_candidates: tuple[str, ...] = Field(
        (), description="found by code in words, drawings and data"
    )
    drawn: tuple[DrawnInFigure, ...] = Field((), description="dimensions the planner read from drawings")
    instructions_found: tuple[str, ...] = ()
    materials: tuple[MaterialRecord, ...] = Field((), description="prepared, not yet confirmed")
    validated_materials: tuple[MaterialRecord, ...] | None = Field(None, description="confirmed by a person")
    material_changes: tuple[MaterialChange, ...] = Field(
        (), description="people's corrections; they hold across plans"
    )
    # the stage at work
    current_stage_id: str | None = None
    current_stage_type: StageType | None = None
    design: Design | None = None
    performance_estimate: tuple[NamedValue, ...] = ()
    code: str | None = None
    code_note: CodeNote | None = None
    reviewer_verdict: str | None = None
    reviewer_feedback: str = ""
    review: ReviewAnswer | None = None
    stage_outputs: StageOutputs | None = None
    stage_evidence: StageEvidence | None = None
    execution_verdict: ExecutionAnswer | None = None
    physics_verdict: PhysicsAnswer | None = None
    analysis: AnalysisAnswer | None = None
    comparison_verdict: ComparisonAnswer | None = None
    physics_stuck: bool = False
    backtrack_suggestion: BacktrackSuggestion | None = None
    # the run
    progress: tuple[StageProgress, ...] = ()
    counters: Counters = Field(default_factory=Counters)
    figure_comparisons: tuple[FigureComparison, ...] = ()
    comparison_history: tuple[ComparisonRecord, ...] = Field(
        (), description="every comparison ever made; append-only"
    )
    turns: tuple[Turn, ...] = Field((), description="new plans and returns with their reasons; append-only")
    visual_comparisons: tuple[VisualComparison, ...] = Field(
        (), description="targets judged by eye, kept apart"
    )
    discrepancies: tuple[Discrepancy, ...] = ()
    systematic_discrepancies: tuple[str, ...] = ()
    priority: tuple[str, ...] = Field(
        (), description="stages the supervisor wants first, until it says otherwise"
    )
    supervisor_verdict: SupervisorAnswer | None = None
    supervisor_feedback: str = ""
    replan_reason: str = Field("", description="who asked for the last new plan, and why")
    backtrack_decision: BacktrackDecision | None = None
    conclusions: ConclusionsAnswer | None = None
    report_path: str | None = None

    @property
    def hierarchy(self) -> ValidationHierarchy:
        """The validation hierarchy, computed from the stages' statuses."""
        return validation_hierarchy(self.plan, self.progress)

    def stage_progress(self, stage_id: str) -> StageProgress:
        """The progress of one stage."""
        for entry in self.progress:
            if entry.stage_id == stage_id:
                return entry
        raise KeyError(stage_id)

    def with_progress(self, stage_id: str, **changes: Any) -> tuple[StageProgress, ...]:
        """The progress tuple with one stage changed; hand it to `apply`."""
        return tuple(
            entry.model_copy(update=changes) if entry.stage_id == stage_id else entry
            for entry in self.progress
        )

    @property
    def subject_id(self) -> str:
        """The paper's id."""
        return self.paper_id

    @property
    def place(self) -> str:
        """The stage at work."""
        return self.current_stage_id or "-"

    def _check(self, node: str, update: Mapping[str, Any]) -> None:
        if (
            "plan" in update
            and self.plan_approved
            and update["plan"] != self.plan
            and node not in ("replan", "material_checkpoint")
        ):
            raise StateError(
                "the plan is immutable once approved",
                found=f"a change by {node!r}",
                fix="ask the supervisor for a replan, or a person at the material checkpoint",
            )
        if (
            update.get("validated_materials") is not None
            and self.validated_materials is not None
            and update["validated_materials"] != self.validated_materials
        ):
            raise StateError(
                "materials are immutable once confirmed",
                found=f"a change by {node!r}",
                fix="backtrack to the material stage, which withdraws the confirmation",
            )
        self._check_memory(node, update)

    def _check_memory(self, node: str, update: Mapping[str, Any]) -> None:
        """What was compared is never forgotten: the ledger only grows, and nothing is taken back without a line in it."""
        for name in ("comparison_history", "turns"):
            kept = getattr(self, name)
            if name in update and update[name][: len(kept)] != kept:
                raise StateError(
                    "what was compared once is never forgotten",
                    found=f"node {node!r} shortens or changes it",
                    fix=f"append to {name}",
                )
        if "figure_comparisons" in update:
            gone = {c.target_id for c in self.figure_comparisons} - {
                c.target_id for c in update["figure_comparisons"]
            }
            added = update.get("comparison_history", self.comparison_history)[len(self.comparison_history) :]
            silent = gone - {record.target_id for record in added if record.event == "withdrawn"}
            if silent:
                raise StateError(
                    "a comparison is taken back only with a line in the ledger",
                    found=f"node {node!r} removes {', '.join(sorted(silent))}",
                    fix="append a 'withdrawn' record with the reason to comparison_history",
                )


_STAGE_WORK = frozenset(
    {
        "current_stage_id",
        "current_stage_type",
        "design",
        "performance_estimate",
        "code",
        "code_note",
        "reviewer_verdict",
        "reviewer_feedback",
        "review",
        "stage_outputs",
        "stage_evidence",
        "execution_verdict",
        "physics_verdict",
        "analysis",
        "comparison_verdict",
        "physics_stuck",
        "backtrack_suggestion",
        "counters",
        "progress",
    }
)

# Who may write what (specification: data ownership matrix and state mutation contract).
OWNERSHIP: dict[str, frozenset[str]] = {
    "adapt_prompts": frozenset({"prompt_adaptations", "adaptation_analysis"}),
    "plan": frozenset(
        {
            "plan",
            "assumptions",
            "extracted_parameters",
            "contradictions",
            "contradiction_candidates",
            "drawn",
            "instructions_found",
            "progress",
            "plan_round",
        }
    ),
    "plan_review": frozenset(
        {"plan_approved", "reviewer_verdict", "reviewer_feedback", "review", "counters"}
    ),
    "replan": frozenset({"plan", "plan_approved", "counters", "supervisor_feedback", "replan_reason"})
    | _STAGE_WORK
    | {
        "materials",
        "validated_materials",
        "figure_comparisons",
        "visual_comparisons",
        "discrepancies",
        "comparison_history",
        "turns",
    },
    "prepare_materials": frozenset({"materials", "runtime_used_s"}),
    "select_stage": _STAGE_WORK,
    "design": frozenset(
        {
            "design",
            "performance_estimate",
            "assumptions",
            "counters",
            "code",
            "reviewer_feedback",
            "reviewer_verdict",
        }
    ),
    "design_review": frozenset(
        {"reviewer_verdict", "reviewer_feedback", "review", "counters", "backtrack_suggestion"}
    ),
    "generate_code": frozenset({"code", "code_note", "counters", "reviewer_feedback", "reviewer_verdict"}),
    "code_review": frozenset(
        {"reviewer_verdict", "reviewer_feedback", "review", "counters", "backtrack_suggestion"}
    ),
    "run_code": frozenset({"stage_outputs", "runtime_used_s"}),
    "execution_check": frozenset({"execution_verdict", "stage_evidence", "counters", "reviewer_feedback"}),
    "physics_check": frozenset(
        {
            "physics_verdict",
            "stage_evidence",
            "counters",
            "reviewer_feedback",
            "backtrack_suggestion",
            "physics_stuck",
            "comparison_history",
        }
    ),
    "confirm_doubts": frozenset({"figure_comparisons", "comparison_history", "progress"}),
    "analyze": frozenset(
        {
            "analysis",
            "figure_comparisons",
            "visual_comparisons",
            "comparison_history",
            "discrepancies",
            "stage_evidence",
            "backtrack_suggestion",
        }
    ),
    "comparison_check": frozenset(
        {"comparison_verdict", "visual_comparisons", "counters", "reviewer_feedback", "progress"}
    ),
    "supervisor": frozenset(
        {
            "supervisor_verdict",
            "supervisor_feedback",
            "progress",
            "assumptions",
            "priority",
            "systematic_discrepancies",
            "backtrack_decision",
            "counters",
        }
    ),
    "material_checkpoint": frozenset(
        {
            "validated_materials",
            "materials",
            "assumptions",
            "progress",
            "counters",
            "supervisor_feedback",
            "plan",
            "material_changes",
            "figure_comparisons",
            "visual_comparisons",
            "discrepancies",
            "comparison_history",
            "turns",
        }
    ),
    "backtrack": frozenset(
        {
            "progress",
            "counters",
            "validated_materials",
            "figure_comparisons",
            "visual_comparisons",
            "discrepancies",
            "backtrack_decision",
            "comparison_history",
            "turns",
        }
    )
    | _STAGE_WORK,
    "ask_user": frozenset(
        {
            "user_interactions",
            "pending_user_questions",
            "assumptions",
            "counters",
            "supervisor_feedback",
            "reviewer_feedback",
            "stop_reason",
        }
    ),
    "merge_stage": frozenset(
        {
            "progress",
            "counters",
            "figure_comparisons",
            "visual_comparisons",
            "discrepancies",
            "assumptions",
            "user_interactions",
            "supervisor_verdict",
            "supervisor_feedback",
            "metrics",
            "backtrack_suggestion",
            "backtrack_decision",
            "systematic_discrepancies",
            "runtime_used_s",
            "stop_reason",
            "materials",
        }
    )
    | _STAGE_WORK,
    "account": frozenset({"metrics", "runtime_used_s", "stop_reason", "comparison_history", "turns"}),
    "report": frozenset({"conclusions", "report_path"}),
}

# What must be there before a node may write (specification: NODE_REQUIREMENTS).
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "plan_review": ("plan",),
    "replan": ("plan",),
    "prepare_materials": ("plan",),
    "select_stage": ("plan", "progress"),
    "design": ("plan", "current_stage_id"),
    "design_review": ("design", "current_stage_id"),
    "generate_code": ("design", "current_stage_id"),
    "code_review": ("code", "design"),
    "run_code": ("code", "current_stage_id"),
    "execution_check": ("stage_outputs",),
    "physics_check": ("stage_outputs", "execution_verdict"),
    "analyze": ("stage_outputs", "stage_evidence"),
    "comparison_check": ("analysis", "stage_evidence"),
    "confirm_doubts": ("plan", "figure_comparisons"),
    "supervisor": ("plan", "progress"),
    "material_checkpoint": ("plan",),  # a plan may have no materials
    "backtrack": ("plan", "backtrack_decision"),
    "merge_stage": ("plan",),
}

ReproState.OWNERSHIP, ReproState.REQUIREMENTS = OWNERSHIP, REQUIREMENTS
