"""Run settings: every limit of the workflow in one described model (defaults from the specification)."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, Field

from schemas.reproduce.planning.scope import Scope
from schemas.run.settings import CoreLimits, CoreSettings


class Limits(CoreLimits):
    """How often, how long and how much. Reaching one escalates; nothing loops without end."""

    max_design_revisions: int = Field(
        3, ge=1, description="designs sent back, per stage attempt; then a person is asked"
    )
    max_code_revisions: int = Field(
        3, ge=1, description="codes sent back, per stage attempt; then a person is asked"
    )
    max_execution_failures: int = Field(
        2, ge=1, description="failed simulations per stage; then a person is asked"
    )
    max_physics_failures: int = Field(
        2, ge=1, description="failed physics checks per stage; then the supervisor decides"
    )
    max_convergence_revisions: int = Field(
        1,
        ge=0,
        description="designs made again because a major target is not converged, "
        "per stage; then the target is PARTIAL",
    )
    max_analysis_revisions: int = Field(
        2, ge=1, description="analyses sent back per stage; then the supervisor, flagged"
    )
    max_plan_revisions: int = Field(
        3, ge=0, description="times that a plan is sent back; then a person is asked"
    )
    max_replans: int = Field(2, ge=0, description="plans replaced per run; then a person is asked")
    max_backtracks: int = Field(
        2, ge=0, description="returns to an earlier stage per run; then a person is asked"
    )
    max_experiments: int = Field(12, ge=0, description="small trial scripts per stage")
    experiment_cpu_s: float = Field(90, gt=0, description="CPU seconds of one experiment")
    consecutive_stage_failures: int = Field(
        2, ge=1, description="stages in a row that failed, but for results that stand, before replanning"
    )
    max_stage_runtime_minutes: float = Field(
        60,
        gt=0,
        description="CPU time of one simulation, also bounded by its stage's "
        "budget (a described stage: all its runs by thrice that, in the seconds of "
        "a quiet computer); wall time may be four times that and two minutes",
    )
    max_parallel_simulations: int = Field(2, ge=1, description="simulations side by side")

    @property
    def side_by_side(self) -> int:
        """How many simulations run at the same time; each uses one core."""
        return min(self.max_parallel_simulations, self.max_cpu_cores)


# Environment variable -> (limit, factor). Options and the settings file win over them.
ENVIRONMENT_LIMITS: dict[str, tuple[str, float]] = {
    "MAX_STAGE_RUNTIME_MINUTES": ("max_stage_runtime_minutes", 1),
    "TOTAL_RUNTIME_BUDGET_MINUTES": ("max_total_runtime_hours", 1 / 60),
    "MAX_DESIGN_REVISIONS": ("max_design_revisions", 1),
    "MAX_CODE_REVISIONS": ("max_code_revisions", 1),
    "MAX_ANALYSIS_REVISIONS": ("max_analysis_revisions", 1),
    "MAX_REPLANS": ("max_replans", 1),
    "REPROLAB_USER_TIMEOUT_SECONDS": ("user_timeout_s", 1),
}


class RunSettings(CoreSettings):
    """Everything a run is parametrised by besides its paper."""

    limits: Limits = Field(default_factory=Limits)
    thresholds: Literal["default", "loose"] = Field(
        "default", description="comparison profile; see thresholds.py"
    )
    debug_mode: bool = Field(
        False,
        validation_alias=AliasChoices("debug_mode", "debug"),
        description="quick diagnostic "
        "pass: stage 0 and a minimal stage 1, one resolution, one sweep point (docs/guide/debug.md)",
    )
    debug_resolution_factor: float = Field(
        0.5,
        gt=0,
        le=1,
        description="debug mode: times the designed resolution, but at "
        "least an eighth of the shortest wavelength in the material",
    )
    debug_max_stages: int = Field(
        2, ge=1, le=2, description="debug mode: 1 for stage 0 only, 2 with a minimal stage 1"
    )
    debug_max_total_runtime_minutes: float = Field(30, gt=0, description="debug mode: time of the whole run")
    debug_max_stage_runtime_minutes: float = Field(10, gt=0, description="debug mode: time of one simulation")
    simulate_with: str = Field(
        "",
        max_length=200,
        pattern=r"^(here|[^/\s]+/[^/\s]+)?$",
        description="where simulations run, "
        "experiments and checks of materials too: `here`, in the run's own worker, or a deployment, "
        "such as simulate/simulate; empty: as the worker's REPROLAB_SIMULATE_DEPLOYMENT says",
    )
    meep_python: str | None = Field(None, description="interpreter that has Meep; found by itself when empty")
    scope: Scope = Field(
        default_factory=Scope,
        description="what to reproduce; empty: the scope in the paper's folder, or everything",
    )
    parallel_stages: int = Field(1, ge=1, description="independent stages side by side")
