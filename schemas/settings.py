"""Run settings: every limit of the workflow in one described model (defaults from the specification)."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, Field

from schemas.base import Model
from schemas.scope import Scope


class Limits(Model):
    """How often, how long and how much. Reaching one escalates; nothing loops without end."""

    max_design_revisions: int = Field(3, ge=1, description="designs sent back, per stage attempt; then a person is asked")
    max_code_revisions: int = Field(3, ge=1, description="codes sent back, per stage attempt; then a person is asked")
    max_execution_failures: int = Field(2, ge=1, description="failed simulations per stage; then a person is asked")
    max_physics_failures: int = Field(2, ge=1, description="failed physics checks per stage; then the supervisor decides")
    max_convergence_revisions: int = Field(1, ge=0, description="designs made again because a major target is not converged, "
                                                                "per stage; then the target is PARTIAL")
    max_analysis_revisions: int = Field(2, ge=0, description="analyses sent back per stage; then the supervisor, flagged")
    max_replans: int = Field(2, ge=0, description="plans sent back or replaced, per run; then a person is asked")
    max_backtracks: int = Field(2, ge=0, description="returns to an earlier stage per run; then a person is asked")
    max_experiments: int = Field(12, ge=0, description="small trial scripts per stage")
    experiment_cpu_s: float = Field(90, gt=0, description="CPU seconds of one experiment")
    max_invalid_answers: int = Field(3, ge=1, description="tries at an answer that fits its schema; then a person is asked")
    model_retries: int = Field(5, ge=0, description="retries of a failing model call (1, 2, 4, 8, 16 s)")
    retry_base_s: float = Field(1.0, ge=0, description="first wait before a retry of a model call; doubled each time")
    consecutive_stage_failures: int = Field(2, ge=1, description="failed stages in a row before replanning")
    max_total_runtime_hours: float = Field(8, gt=0, description="wall time of a run without the waiting for people; what "
                                           "runs is stopped then, and a partial report written")
    max_stage_runtime_minutes: float = Field(60, gt=0, description="CPU time of one simulation, also bounded by its stage's "
                                             "budget (a described stage: by twice that, as a busy computer needs more for the "
                                             "same steps); wall time may be four times that and two minutes")
    user_timeout_s: float = Field(86400, gt=0, description="how long a question waits in a terminal's run")
    hold_worker_minutes: float = Field(5, gt=0, description="how long a question keeps its worker's place; then the run is "
                                       "suspended, and goes on in a new process when it is answered, however late")
    max_memory_gb: float = Field(8, gt=0, description="memory of one simulation's process tree")
    max_parallel_simulations: int = Field(2, ge=1, description="simulations side by side")
    max_cpu_cores: int = Field(4, ge=1, description="processor cores that all local simulations of the run use together")
    max_questions: int = Field(3, ge=0, description="questions of one agent to a person, per round (planner, designer, "
                               "supervisor); then it decides by itself")
    max_cost_usd: float | None = Field(None, gt=0, description="hard cap on money; none by default")
    max_tokens: int | None = Field(None, gt=0, description="hard cap on model tokens; none by default")
    safe_paper_tokens: int = Field(140_000, gt=0, description="context size above which recovery starts")

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


class ModelSettings(Model):
    """Which model answers."""

    kind: Literal["replay", "manual", "anthropic"] = Field("replay", description="replay a transcript, ask a person "
                                                           "with any chat window, or call a Messages API")
    name: str = Field("claude-fable-5-2", description="model name sent to the API; free text")
    per_agent: tuple[tuple[str, str], ...] = Field((), description="(agent, model name) pairs that differ")
    base_url: str | None = Field(None, description="another server that speaks the Messages API")
    block: str | None = Field(None, description="Prefect block (ReproLab model endpoint): address, model name, name "
                              "of the key's variable")
    max_tokens: int = Field(32000, gt=0, description="longest answer, in tokens")
    timeout_s: float = Field(600, gt=0, description="time-out of one request")
    transcript: str | None = Field(None, description="recorded transcript to replay; the paper's own by default")
    strict_replay: bool = Field(False, description="refuse a transcript recorded with other prompts")

    def model_for(self, agent: str) -> str:
        """The model name for one agent."""
        return dict(self.per_agent).get(agent, self.name)


class RunSettings(Model):
    """Everything a run is parametrised by besides its paper."""

    model: ModelSettings = Field(default_factory=ModelSettings)
    limits: Limits = Field(default_factory=Limits)
    thresholds: Literal["default", "loose"] = Field("default", description="comparison profile; see schemas/thresholds.py")
    non_interactive: bool = Field(False, description="save and exit instead of asking")
    answers: tuple[tuple[str, str], ...] = Field((), description="(question kind, answer) given beforehand")
    debug_mode: bool = Field(False, validation_alias=AliasChoices("debug_mode", "debug"), description="quick diagnostic "
                             "pass: stage 0 and a minimal stage 1, one resolution, one sweep point (docs/debug.md)")
    debug_resolution_factor: float = Field(0.5, gt=0, le=1, description="debug mode: times the designed resolution, but at "
                                           "least an eighth of the shortest wavelength in the material")
    debug_max_stages: int = Field(2, ge=1, le=2, description="debug mode: 1 for stage 0 only, 2 with a minimal stage 1")
    debug_max_total_runtime_minutes: float = Field(30, gt=0, description="debug mode: time of the whole run")
    debug_max_stage_runtime_minutes: float = Field(10, gt=0, description="debug mode: time of one simulation")
    simulate_with: str = Field("", max_length=200, pattern=r"^(here|[^/\s]+/[^/\s]+)?$", description="where simulations by "
                               "free scripts run: `here`, in the run's own worker, or a deployment, such as simulate/simulate; "
                               "empty: as the worker's REPROLAB_SIMULATE_DEPLOYMENT says")
    meep_python: str | None = Field(None, description="interpreter that has Meep; found by itself when empty")
    allow_degraded_sandbox: bool = Field(False, description="run generated code without bubblewrap, resource limits only")
    scope: Scope = Field(default_factory=Scope, description="what to reproduce; empty: the scope in the paper's folder, or "
                         "everything")
    parallel_stages: int = Field(1, ge=1, description="independent stages side by side")
    fresh: str = Field("", description="any text; part of every request's key: another text asks the model anew")
