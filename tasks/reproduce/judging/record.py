"""The run's ledger of comparisons: a line when a target is computed, compared, taken back, dropped or made to count for less.

Agents decide what happens next, not what stands here: `ReproState.apply` takes no comparison back without its line.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from schemas.base import digest
from schemas.reproduce.judging.comparison import ComparisonRecord
from schemas.reproduce.judging.evidence import Classification, TargetEvidence
from schemas.reproduce.planning.plan import Plan, Stage, Target, TargetRole
from schemas.reproduce.state import ReproState

# What a target counts for: a failure is set aside where it counts for less than it did.
WEIGHT: dict[TargetRole, int] = {"claim": 3, "major": 2, "minor": 1, "inferred": 0, "material": 0}


def reference_digest(target: Target) -> str:
    """What a target is compared with, as a digest: the same comparison under another name has the same one."""
    return digest((target.kind, target.unit, target.reference.model_dump(mode="json")), 16)


def computed(
    state: ReproState, stage: Stage, attempt: int, found: tuple[TargetEvidence, ...]
) -> tuple[ComparisonRecord, ...]:
    """What code found, before anybody judges it or decides to run it again."""
    return tuple(
        _line(state, stage, evidence, evidence.classification, event="computed", attempt=attempt)
        for evidence in found
    )


def compared(state: ReproState, stage: Stage, attempt: int) -> tuple[ComparisonRecord, ...]:
    """The comparisons a stage attempt ended with, each with the stricter of evidence and analyst."""
    return tuple(
        _line(state, stage, c.evidence, c.classification, event="compared", attempt=attempt)
        for c in state.figure_comparisons
        if c.stage_id == stage.stage_id
    )


def withdrawn(state: ReproState, reasons: Mapping[str, str]) -> tuple[ComparisonRecord, ...]:
    """A line for every comparison that is taken back. reasons: stage -> why its comparisons are."""
    if state.plan is None:
        return ()
    attempts = {entry.stage_id: entry.attempts for entry in state.progress}
    return tuple(
        _line(
            state,
            state.plan.stage(c.stage_id),
            c.evidence,
            c.classification,
            event="withdrawn",
            attempt=attempts.get(c.stage_id, 0),
            reason=reasons[c.stage_id],
        )
        for c in state.figure_comparisons
        if c.stage_id in reasons
    )


def replanned(
    before: ReproState, plan: Plan, kept: Collection[str], why: Mapping[str, str], asked: str
) -> tuple[ComparisonRecord, ...]:
    """What a new plan takes back, drops, and lets count for less.

    kept: stages that stay as they were run. why: other stages with the reason. asked: who wanted the new plan, and why.
    """
    old = before.plan
    assert old is not None
    gone = withdrawn(
        before,
        {
            stage.stage_id: "; ".join(filter(None, (why.get(stage.stage_id, ""), asked)))
            for stage in old.stages
            if stage.stage_id not in kept
        },
    )
    now = {target.target_id: plan.role(stage, target) for stage, target in plan.targets()}
    less = tuple(
        ComparisonRecord(
            target_id=target.target_id,
            figure_id=target.figure_id,
            stage_id=stage.stage_id,
            plan_round=before.plan_round,
            event="demoted" if target.target_id in now else "dropped",
            role=old.role(stage, target),
            reference=reference_digest(target),
            reason=asked,
        )
        for stage, target in old.targets()
        if target.target_id not in now or WEIGHT[now[target.target_id]] < WEIGHT[old.role(stage, target)]
    )
    return (*gone, *less)


def _line(
    state: ReproState, stage: Stage, evidence: TargetEvidence, found: Classification, **more: Any
) -> ComparisonRecord:
    target = next(target for target in stage.targets if target.target_id == evidence.target_id)
    assert state.plan is not None
    return ComparisonRecord(
        target_id=target.target_id,
        figure_id=target.figure_id,
        stage_id=stage.stage_id,
        plan_round=state.plan_round,
        role=state.plan.role(stage, target),
        classification=found,
        simulated=evidence.simulated,
        stated=evidence.reference,
        unit=evidence.unit,
        error=evidence.error,
        measure=evidence.measure,
        reference=reference_digest(target),
        evidence=digest(evidence, 16),
        ran=evidence.ran,
        refutes=evidence.stands,
        beyond=evidence.beyond,
        **more,
    )
