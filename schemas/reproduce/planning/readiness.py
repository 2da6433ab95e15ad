"""When a stage may start: what it waits for, and what has closed its way. One rule for plans and for runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from schemas.reproduce.planning.plan import DONE, STAGE_TYPES, Plan, Stage, StageStatus, StageType

FAILED: frozenset[str] = frozenset({"completed_failed", "blocked"})


def gate(stage: Stage, plan: Plan) -> StageType | None:
    """The kind of stage to be tried first: the nearest earlier kind that the plan has."""
    earlier = STAGE_TYPES[: STAGE_TYPES.index(stage.stage_type)]
    present = {other.stage_type for other in plan.stages}
    return next((kind for kind in reversed(earlier) if kind in present), None)


def failed_dependency(stage: Stage, status: Mapping[str, StageStatus]) -> str | None:
    """A dependency that failed or was given up, so that the stage cannot start; None if there is none."""
    return next((name for name in stage.dependencies if status.get(name) in FAILED), None)


def waits_for(
    stage: Stage, plan: Plan, status: Mapping[str, StageStatus], *, confirmed: bool
) -> tuple[str, ...]:
    """What a stage waits for, in words; empty when it may start.

    It waits for its dependencies, for confirmed materials, and for the nearest earlier kind of validation: until one
    stage of that kind passed at least in part. Then its own dependencies decide: a stage that depends on none that failed
    is not held back by those that did. Where a whole kind failed, only a person opens the next one, unless it failed by
    results that stand (`StageProgress.opens`).

    status: stage id -> status. confirmed: whether a person confirmed the materials.
    """
    waits = [
        f"{name} ({status.get(name, 'no such stage')})"
        for name in stage.dependencies
        if status.get(name) not in DONE
    ]
    if stage.stage_type != "MATERIAL_VALIDATION" and not confirmed:
        waits.append("the materials to be confirmed")
    kind = gate(stage, plan)
    rivals = [other.stage_id for other in plan.stages if other.stage_type == kind]
    still = [name for name in rivals if status.get(name) not in (*DONE, *FAILED)]
    if rivals and not any(status.get(name) in DONE for name in rivals):
        waits.append(
            f"a {kind} stage to pass ({', '.join(still)} open)"
            if still
            else f"a {kind} stage to pass, and none did ({', '.join(f'{name} {status.get(name)}' for name in rivals)})"
        )
    return tuple(waits)


def comes_later(stage: Stage, plan: Plan, open_stages: Collection[str]) -> bool:
    """Whether a stage waits for one that is open itself, so that nothing has to be decided about it yet."""
    kind = gate(stage, plan)
    return any(
        other.stage_id in open_stages
        and other.stage_id != stage.stage_id
        and (other.stage_id in stage.dependencies or other.stage_type == kind)
        for other in plan.stages
    )


def unreachable(plan: Plan) -> dict[str, tuple[str, ...]]:
    """Stages that could never start although every stage before them succeeds, each with what it would wait for."""
    status: dict[str, StageStatus] = {stage.stage_id: "not_started" for stage in plan.stages}
    while True:
        confirmed = any(
            status[s.stage_id] in DONE for s in plan.stages if s.stage_type == "MATERIAL_VALIDATION"
        )
        left = {
            s.stage_id: waits_for(s, plan, status, confirmed=confirmed)
            for s in plan.stages
            if status[s.stage_id] not in DONE
        }
        ready = [name for name, waits in left.items() if not waits]
        if not ready:
            return left
        status |= dict.fromkeys(ready, "completed_success")
