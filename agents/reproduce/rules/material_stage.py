"""Stage 0 of a plan belongs to code: it is added where the planner left it out, and carries nothing the planner wrote."""

from __future__ import annotations

from schemas.reproduce.planning.plan import Plan, Stage
from schemas.talking.review import Issue

STAGE_ID = "stage0_materials"


def with_material_stage(plan: Plan, before: Plan | None = None) -> tuple[Plan, tuple[Issue, ...]]:
    """The plan with one material stage, first, of all its materials and without targets; and what was ignored.

    before: the plan it replaces, whose stage keeps its id.
    """
    own = [stage for stage in plan.stages if stage.stage_type == "MATERIAL_VALIDATION"]
    old = [stage for stage in before.stages if stage.stage_type == "MATERIAL_VALIDATION"] if before else []
    first = (
        (*own, *old)[0]
        if own or old
        else Stage(
            stage_id=STAGE_ID,
            stage_type="MATERIAL_VALIDATION",
            name="Materials",
            description="Bare surface of each material in air at normal incidence, by code.",
        )
    )
    first = first.model_copy(
        update={
            "materials": tuple(material.name for material in plan.materials),
            "targets": (),
            "dependencies": (),
            "validation_criteria": (),
            "expected_balance": "none",
            "estimated_runtime_s": 0,
        }
    )
    merged = {stage.stage_id for stage in own} - {first.stage_id}
    rest = tuple(
        stage.model_copy(
            update={
                "dependencies": tuple(
                    dict.fromkeys(first.stage_id if name in merged else name for name in stage.dependencies)
                )
            }
        )
        for stage in plan.stages
        if stage not in own
    )
    ignored = [target.target_id for stage in own for target in stage.targets]
    remarks = (
        (
            Issue(
                severity="minor",
                where=first.stage_id,
                description=f"its targets ({', '.join(ignored)}) are ignored: "
                "code compares the bare surface of every material with Fresnel",
                fix="leave them out",
            ),
        )
        if ignored
        else ()
    )
    return plan.model_copy(update={"stages": (first, *rest)}), remarks
