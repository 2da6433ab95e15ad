"""Which stage comes next: the specification's priorities as a pure function."""

from __future__ import annotations

from typing import Literal, NamedTuple

from schemas.errors import StateError
from schemas.plan import DONE, STAGE_TYPES, Plan, Stage, StageType
from schemas.progress import StageProgress
from schemas.state import ReproState
from schemas.verdicts import SupervisorAnswer

_CLOSED = {"completed_success", "completed_partial", "completed_failed", "blocked"}


class Selection(NamedTuple):
    """What select_stage found.

    kind: "stages" (run these, side by side if wanted), "done" (nothing is left), "deadlock" (stages are left but
    none can run). blocked: stages to mark blocked, each with the reason.
    """

    kind: Literal["stages", "done", "deadlock"]
    stage_ids: tuple[str, ...] = ()
    blocked: tuple[tuple[str, str], ...] = ()
    reason: str = ""


def select_stage(state: ReproState, *, budget_left_s: float, priority: tuple[str, ...] = (),
                 max_stages: int | None = None) -> Selection:
    """The next stage or stages.

    Priorities: stages to run again after a backtrack; invalidated stages whose dependencies are done again;
    stages not started, in plan order (or the supervisor's `priority`), gated by the validation hierarchy and by
    the time left. Deadlock is found, never waited for.
    """
    plan = state.plan
    assert plan is not None
    status = {entry.stage_id: entry.status for entry in state.progress}
    order = [plan.stage(name) for name in priority if name in status]
    order += [stage for stage in plan.stages if stage not in order]
    considered = order[:max_stages] if max_stages else order

    for stage in considered:
        if status[stage.stage_id] == "needs_rerun":
            broken = [d for d in stage.dependencies if status[d] == "invalidated"]
            if broken:
                raise StateError(f"stage {stage.stage_id!r} is to run again but its dependency {broken[0]!r} is "
                                 "invalidated", fix="this is a fault of the backtrack; report it")
            return Selection("stages", (stage.stage_id,))
    for stage in considered:
        if status[stage.stage_id] == "invalidated" and all(status[d] in DONE for d in stage.dependencies):
            return Selection("stages", (stage.stage_id,))

    ready: list[Stage] = []
    blocked: list[tuple[str, str]] = []
    for stage in considered:
        if status[stage.stage_id] not in ("not_started", "in_progress"):
            continue
        dead = [d for d in stage.dependencies if status[d] in ("completed_failed", "blocked")]
        if dead:
            blocked.append((stage.stage_id, f"dependency {dead[0]} is {status[dead[0]]}"))
            continue
        if not all(status[d] in DONE for d in stage.dependencies) or not _gate_open(stage, state, plan):
            continue
        if stage.estimated_runtime_s > budget_left_s:
            blocked.append((stage.stage_id, f"estimated {stage.estimated_runtime_s:.0f} s exceeds the "
                                            f"{max(0.0, budget_left_s):.0f} s left"))
            continue
        ready.append(stage)
    if ready:
        return Selection("stages", tuple(stage.stage_id for stage in ready), tuple(blocked))
    open_ids = [s.stage_id for s in considered if status[s.stage_id] not in _CLOSED
                and s.stage_id not in {name for name, _ in blocked}]
    if blocked:  # marking them may close others; look again
        return Selection("stages", (), tuple(blocked))
    if open_ids:
        return Selection("deadlock", tuple(open_ids), reason=_why(open_ids, plan, state))
    return Selection("done")


def held_priority(before: tuple[str, ...], decision: SupervisorAnswer) -> tuple[str, ...]:
    """The stages to take first: the supervisor's last word on it holds until it says otherwise."""
    return decision.priority if decision.verdict == "change_priority" else before


def _gate(stage: Stage, plan: Plan) -> StageType | None:
    """The kind of stage that must have passed, at least in part: the nearest earlier kind that the plan has."""
    earlier = STAGE_TYPES[:STAGE_TYPES.index(stage.stage_type)]
    present = {other.stage_type for other in plan.stages}
    return next((kind for kind in reversed(earlier) if kind in present), None)


def _gate_open(stage: Stage, state: ReproState, plan: Plan) -> bool:
    if stage.stage_type != "MATERIAL_VALIDATION" and state.validated_materials is None:
        return False
    gate = _gate(stage, plan)
    return gate is None or state.hierarchy.of(gate) in ("passed", "partial")


def _why(open_ids: list[str], plan: Plan, state: ReproState) -> str:
    lines = []
    for name in open_ids:
        stage = plan.stage(name)
        waits = [f"{d} ({state.stage_progress(d).status})" for d in stage.dependencies
                 if state.stage_progress(d).status not in DONE]
        gate = _gate(stage, plan)
        if not waits and gate:
            waits = [f"{gate} to pass (now {state.hierarchy.of(gate)})"]
        lines.append(f"{name} waits for {', '.join(waits) or 'nothing that will come'}")
    return "; ".join(lines)


def initial_progress(plan: Plan) -> tuple[StageProgress, ...]:
    """Progress of a fresh plan: nothing started."""
    return tuple(StageProgress(stage_id=stage.stage_id) for stage in plan.stages)
