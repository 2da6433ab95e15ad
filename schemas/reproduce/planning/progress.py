"""Progress of the stages, counters, metrics, and the validation hierarchy computed from them."""

from __future__ import annotations

from typing import Literal, cast

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.reproduce.planning.plan import STAGE_TYPES, Plan, StageStatus, StageType

HierarchyValue = Literal["passed", "partial", "failed", "not_done"]


class StageProgress(Model):
    """Where a stage stands."""

    stage_id: Identifier
    status: StageStatus = "not_started"
    attempts: int = 0
    issues: tuple[str, ...] = ()
    invalidation_reason: str = ""
    wall_s: float = 0
    summary: str = ""
    run_anyway: bool = Field(
        False, description="a person decided to run it although it waits for what will not come"
    )
    disagrees: bool = Field(
        False, description="it failed by results that were computed from fields and are physical"
    )
    not_asked: tuple[str, ...] = Field(
        (), description="judging agents that were not asked: code found nothing to judge"
    )
    comparison_flagged: bool = Field(
        False, description="the analysis was still disputed when its limit was reached"
    )

    @property
    def opens(self) -> StageStatus:
        """Its status as it opens the way for others: what failed by results does as what passed in part."""
        return "completed_partial" if self.status == "completed_failed" and self.disagrees else self.status


class Counters(Model):
    """How often each loop went round.

    Per-stage ones restart with each stage attempt; those of reviews and executions also when a person gives guidance.
    """

    design_revisions: int = 0
    code_revisions: int = 0
    execution_failures: int = 0
    physics_failures: int = 0
    convergence_revisions: int = 0
    analysis_revisions: int = 0
    experiments: int = 0
    total_execution_failures: int = Field(0, description="never reset")
    plan_revisions: int = Field(0, description="times that the plan being made was sent back by its reviewer")
    replans: int = Field(0, description="plans replaced; never reset")
    backtracks: int = 0
    consecutive_stage_failures: int = 0

    def for_new_stage(self) -> Counters:
        """The counters at the start of a stage attempt."""
        return self.model_copy(
            update=dict.fromkeys(
                (
                    "design_revisions",
                    "code_revisions",
                    "execution_failures",
                    "physics_failures",
                    "convergence_revisions",
                    "analysis_revisions",
                    "experiments",
                ),
                0,
            )
        )


class ValidationHierarchy(Model):
    """How far each kind of validation got. Computed on demand, never stored."""

    material_validation: HierarchyValue = "not_done"
    single_structure: HierarchyValue = "not_done"
    arrays_systems: HierarchyValue = "not_done"
    parameter_sweeps: HierarchyValue = "not_done"
    complex_physics: HierarchyValue = "not_done"

    def of(self, stage_type: StageType) -> HierarchyValue:
        """The value for one stage type."""
        name = list(type(self).model_fields)[STAGE_TYPES.index(stage_type)]
        return cast(HierarchyValue, getattr(self, name))


_VALUE: dict[str, HierarchyValue] = {
    "completed_success": "passed",
    "completed_partial": "partial",
    "completed_failed": "failed",
}


def validation_hierarchy(plan: Plan | None, progress: tuple[StageProgress, ...]) -> ValidationHierarchy:
    """The hierarchy from stage statuses: the worst of a kind's stages, not_done as long as one is open.

    A summary for people and the supervisor; what may start is decided by `schemas/reproduce/planning/readiness.py`.
    """
    if plan is None:
        return ValidationHierarchy()
    status = {entry.stage_id: entry.status for entry in progress}
    order: tuple[HierarchyValue, ...] = ("passed", "partial", "failed", "not_done")
    values: dict[str, HierarchyValue] = {}
    for name, kind in zip(ValidationHierarchy.model_fields, STAGE_TYPES, strict=True):
        found = [
            _VALUE.get(status.get(s.stage_id, "not_started"), "not_done")
            for s in plan.stages
            if s.stage_type == kind
        ]
        values[name] = max(found, key=order.index, default="not_done")
    return ValidationHierarchy(**values)
