"""Which stage comes next: the specification's priorities as a pure function."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from schemas.errors import StateError
from schemas.reproduce.judging.verdicts import SupervisorAnswer
from schemas.reproduce.planning.plan import Plan, Stage
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.planning.readiness import comes_later, failed_dependency, waits_for
from schemas.reproduce.state import ReproState

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


def select_stage(state: ReproState, *, budget_left_s: float, priority: tuple[str, ...] = ()) -> Selection:
    """The next stage or stages.

    Priorities: stages that a person sends on although they would wait; stages to run again after a backtrack;
    invalidated stages that wait for nothing; stages not started, in plan order (or the supervisor's
    `priority`), gated by `schemas/reproduce/planning/readiness.py` and by the time left. What failed by results that stand
    opens the way as what passed in part. Deadlock is found, never waited for.
    """
    plan = state.plan
    assert plan is not None
    status = {entry.stage_id: entry.opens for entry in state.progress}
    order = [plan.stage(name) for name in priority if name in status]
    order += [stage for stage in plan.stages if stage not in order]
    confirmed = state.validated_materials is not None

    sent_on = [
        stage
        for stage in order
        if confirmed
        and state.stage_progress(stage.stage_id).run_anyway
        and status[stage.stage_id] in ("not_started", "invalidated")
    ]
    if sent_on:
        names = {stage.stage_id for stage in sent_on}
        first = next((stage for stage in sent_on if not comes_later(stage, plan, names)), sent_on[0])
        return Selection("stages", (first.stage_id,))
    for stage in order:
        if status[stage.stage_id] == "needs_rerun":
            broken = [d for d in stage.dependencies if status[d] == "invalidated"]
            if broken:
                raise StateError(
                    f"stage {stage.stage_id!r} is to run again but its dependency {broken[0]!r} is "
                    "invalidated",
                    fix="this is a fault of the backtrack; report it",
                )
            return Selection("stages", (stage.stage_id,))
    for stage in order:
        if status[stage.stage_id] == "invalidated" and not waits_for(
            stage, plan, status, confirmed=confirmed
        ):
            return Selection("stages", (stage.stage_id,))

    ready: list[Stage] = []
    blocked: list[tuple[str, str]] = []
    for stage in order:
        if status[stage.stage_id] not in ("not_started", "in_progress"):
            continue
        dead = failed_dependency(stage, status)
        if dead:
            blocked.append((stage.stage_id, f"dependency {dead} is {status[dead]}"))
            continue
        if waits_for(stage, plan, status, confirmed=confirmed):
            continue
        if stage.estimated_runtime_s > budget_left_s:
            blocked.append(
                (
                    stage.stage_id,
                    f"estimated {stage.estimated_runtime_s:.0f} s exceeds the "
                    f"{max(0.0, budget_left_s):.0f} s left",
                )
            )
            continue
        ready.append(stage)
    if ready:
        return Selection("stages", tuple(stage.stage_id for stage in ready), tuple(blocked))
    open_ids = [
        s.stage_id
        for s in order
        if status[s.stage_id] not in _CLOSED and s.stage_id not in {name for name, _ in blocked}
    ]
    if blocked:  # marking them may close others; look again
        return Selection("stages", (), tuple(blocked))
    if open_ids:
        now = [name for name in open_ids if not comes_later(plan.stage(name), plan, open_ids)] or open_ids
        waiting = {name: waits_for(plan.stage(name), plan, status, confirmed=confirmed) for name in now}
        return Selection(
            "deadlock",
            tuple(now),
            reason="; ".join(
                f"{name} waits for {', '.join(waits) or 'nothing that will come'}"
                for name, waits in waiting.items()
            ),
        )
    return Selection("done")


def behind_failed(state: ReproState, settled: Collection[str]) -> tuple[str, ...]:
    """Stages that were blocked because one they depend on failed, and that a person may let run all the same.

    settled: stages about which a person decided already. None before the materials are confirmed.
    """
    plan = state.plan
    if plan is None or state.validated_materials is None:
        return ()
    status = {entry.stage_id: entry.status for entry in state.progress}
    return tuple(
        stage.stage_id
        for stage in plan.stages
        if status[stage.stage_id] == "blocked"
        and stage.stage_id not in settled
        and any(status.get(name) == "completed_failed" for name in stage.dependencies)
    )


def held_priority(before: tuple[str, ...], decision: SupervisorAnswer) -> tuple[str, ...]:
    """The stages to take first: the supervisor's last word on it holds until it says otherwise."""
    return decision.priority if decision.verdict == "change_priority" else before


def initial_progress(plan: Plan) -> tuple[StageProgress, ...]:
    """Progress of a fresh plan: nothing started."""
    return tuple(StageProgress(stage_id=stage.stage_id) for stage in plan.stages)
