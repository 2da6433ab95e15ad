"""A new plan keeps finished work: which stages stay as they were run, what is withdrawn, and saying so."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from flows.reproduce.planning.selection import initial_progress
from schemas.base import canonical_json
from schemas.reproduce.judging.comparison import Turn
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.plan import DONE, Plan, Stage
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue
from tasks.reproduce.judging import record

# Words and estimates do not change what a stage computes and is compared with; a target's weight stays as it was.
_WORDS = {
    "name",
    "description",
    "validation_criteria",
    "estimated_runtime_s",
    "runtime_budget_minutes",
    "targets",
}
_TARGET_WORDS = {"description", "major"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Settled(NamedTuple):
    """A new plan with the finished stages put back as they were run.

    kept: finished stages that stay. reworded: those of them whose new words are not used. withdrawn: finished stages that
    run again or left the plan, each with the reason. refused: stages the planner wanted to keep that cannot be kept.
    claim_lost: what carried the claim, where the new plan names nothing: its failure would count for less. remarks: on what
    code ignores of it.
    """

    plan: Plan
    kept: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()
    withdrawn: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()
    claim_lost: tuple[str, ...] = ()
    remarks: tuple[Issue, ...] = ()

    def findings(self) -> tuple[Issue, ...]:
        """What the plan's reviewer and its author must know about kept stages."""
        return (
            *self.remarks,
            *(
                Issue(
                    severity="major",
                    where=name,
                    description="it cannot be kept: it is not finished, or what it rests on changed",
                    fix="leave it out of `keep`",
                )
                for name in self.refused
            ),
            *(
                Issue(
                    severity="minor",
                    where=name,
                    description="finished; kept as it was run, so its new words are not used",
                    fix="if it must run again, give it a new stage_id",
                )
                for name in self.reworded
            ),
            *(
                (
                    Issue(
                        severity="blocking",
                        where="claim_targets",
                        description="the plan before named what carries the "
                        f"claim ({', '.join(self.claim_lost)}), this one names nothing",
                        fix="name what carries the claim",
                    ),
                )
                if self.claim_lost
                else ()
            ),
        )


def settle(plan: Plan, before: ReproState, keep: tuple[str, ...] = ()) -> Settled:
    """Put finished stages that did not change back as they were run (also what failed by results: it would find them again), and insert
    those in `keep` that the plan lacks.

    before: the state before the new plan. A stage is unchanged if it computes and compares the same (its words may
    differ, the numbers in them may not), from the same materials, on dependencies that are kept too. Stage 0 may run
    again for another material without taking along what does not use it.
    """
    old = before.plan
    if old is None:
        return Settled(plan)
    finished = {entry.stage_id for entry in before.progress if entry.opens in DONE}
    plan = _with_kept(plan, old, [name for name in keep if name in finished])
    stages = {stage.stage_id: stage for stage in plan.stages}
    same = {
        stage.stage_id
        for stage in old.stages
        if stage.stage_id in finished
        and stage.stage_id in stages
        and (stage.stage_id in keep and stage.targets or _same_work(stage, stages[stage.stage_id]))
        and all(_same_material(name, plan, old) for name in stage.materials)
    }
    checks = {stage.stage_id for stage in plan.stages if stage.stage_type == "MATERIAL_VALIDATION"}
    while True:  # a stage cannot be kept on one that is not
        loose = {
            name
            for name in same
            if any(d not in same and d not in checks for d in old.stage(name).dependencies)
        }
        if not loose:
            break
        same -= loose
    kept = tuple(stage.stage_id for stage in plan.stages if stage.stage_id in same)
    reworded = tuple(
        name for name in kept if name not in (*keep, *checks) and stages[name] != old.stage(name)
    )
    plan = plan.model_copy(
        update={
            "stages": tuple(
                old.stage(stage.stage_id) if stage.stage_id in same else stage for stage in plan.stages
            )
        }
    )
    withdrawn = tuple(
        (name, _why(name, plan, old, same))
        for name in (s.stage_id for s in old.stages)
        if name in finished and name not in same
    )
    return Settled(
        plan,
        kept,
        reworded,
        withdrawn,
        tuple(name for name in keep if name not in same),
        () if plan.claim_targets else old.claim_targets,
    )


def carried_progress(settled: Settled, before: ReproState) -> tuple[StageProgress, ...]:
    """Progress under the new plan: kept stages stay done, the others start again, counting their attempts on."""
    earlier = {entry.stage_id: entry for entry in before.progress}
    return tuple(
        earlier[entry.stage_id]
        if entry.stage_id in settled.kept
        else entry.model_copy(
            update={"attempts": earlier[entry.stage_id].attempts if entry.stage_id in earlier else 0}
        )
        for entry in initial_progress(settled.plan)
    )


def withdrawals(settled: Settled, before: ReproState, why: str = "", asked_by: str = "") -> dict[str, Any]:
    """What the state gives up for an approved new plan, with a line in the ledger for each comparison, and the turn itself.

    before: the state before the first draft of the plan; drafts that are sent back cost nothing. why, asked_by: who wanted
    the new plan, and for what.
    """
    old, plan = before.plan, settled.plan
    assert old is not None
    targets = {t.target_id for name in settled.kept for t in plan.stage(name).targets}
    changed = not all(_same_material(material.name, plan, old) for material in plan.materials)
    asked = ": ".join(filter(None, (asked_by, why))) or "a new plan"
    claims = (old.main_claim, plan.main_claim) if old.main_claim != plan.main_claim else ("", "")
    return {
        "figure_comparisons": tuple(c for c in before.figure_comparisons if c.stage_id in settled.kept),
        "visual_comparisons": tuple(c for c in before.visual_comparisons if c.stage_id in settled.kept),
        "discrepancies": tuple(d for d in before.discrepancies if d.target_id in targets),
        "comparison_history": (
            *before.comparison_history,
            *record.replanned(before, plan, settled.kept, dict(settled.withdrawn), asked),
        ),
        "turns": (
            *before.turns,
            Turn(
                kind="new plan",
                plan_round=before.plan_round,
                reason=why,
                asked_by=asked_by,
                claim_before=claims[0],
                claim_after=claims[1],
            ),
        ),
        "materials": () if changed else before.materials,
        "validated_materials": None if changed else before.validated_materials,
    }


def lines(settled: Settled) -> tuple[str, ...]:
    """What is kept and what is withdrawn, for the terminal and the report's history."""
    kept = (f"kept as finished: {', '.join(settled.kept)}",) if settled.kept else ()
    return (*kept, *(f"withdrawn: {name} ({why})" for name, why in settled.withdrawn))


def _with_kept(plan: Plan, old: Plan, keep: list[str]) -> Plan:
    """The plan with kept stages it lacks, in their old order before the others, and the materials they need."""
    known, materials = {stage.stage_id for stage in plan.stages}, {m.name for m in plan.materials}
    missing = [stage for stage in old.stages if stage.stage_id in keep and stage.stage_id not in known]
    needed = {name for stage in missing for name in stage.materials}
    first = [stage for stage in missing if stage.stage_type == "MATERIAL_VALIDATION"]
    own_checks = [stage for stage in plan.stages if stage.stage_type == "MATERIAL_VALIDATION"]
    rest = [stage for stage in missing if stage not in first]
    return plan.model_copy(
        update={
            "stages": (
                *first,
                *own_checks,
                *rest,
                *(stage for stage in plan.stages if stage not in own_checks),
            )
            if missing
            else plan.stages,
            "materials": (*plan.materials, *(m for m in old.materials if m.name in needed - materials)),
        }
    )


def _same_work(old: Stage, new: Stage) -> bool:
    def work(stage: Stage) -> tuple[object, ...]:
        facts = {
            key: sorted(value) if isinstance(value, tuple) else value
            for key, value in stage.model_dump(exclude=_WORDS).items()
        }
        targets = sorted(
            canonical_json(target.model_dump(mode="json", exclude=_TARGET_WORDS)) for target in stage.targets
        )
        return facts, targets, sorted(_NUMBER.findall(stage.description))

    return work(old) == work(new)


def _same_material(name: str, plan: Plan, old: Plan) -> bool:
    def facts(choice: MaterialChoice | None) -> object:
        return choice and choice.model_copy(update={"reason": "", "source": ""})

    return facts(_material(name, plan)) == facts(_material(name, old)) is not None


def _material(name: str, plan: Plan) -> MaterialChoice | None:
    return next((m for m in plan.materials if m.name == name), None)


def _why(name: str, plan: Plan, old: Plan, same: set[str]) -> str:
    if name not in {stage.stage_id for stage in plan.stages}:
        return "no longer in the plan"
    changed = [m for m in old.stage(name).materials if not _same_material(m, plan, old)]
    if changed:
        return f"material {', '.join(changed)} changed"
    behind = [d for d in old.stage(name).dependencies if d not in same]
    if behind and _same_work(old.stage(name), plan.stage(name)):
        return f"it rests on {', '.join(behind)}, which runs again"
    return "what it computes or is compared with changed"
