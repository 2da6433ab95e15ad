"""Stages side by side: each in a branch with a state of its own, merged and supervised one after the other."""

from __future__ import annotations

import contextvars
from concurrent.futures import ThreadPoolExecutor

from flows.calls.unreadable import blamed
from flows.reproduce.context import Run
from flows.reproduce.planning.supervising import CONTINUE, supervise
from flows.reproduce.stage import stage_flow
from flows.run.context import ACTIVE
from schemas.reproduce.state import ReproState
from schemas.talking.interaction import next_id
from tasks.reproduce.assumption_ledger import branched, renumbered

# What belongs to the stage at work and is needed to supervise it.
_WORK = (
    "current_stage_id",
    "current_stage_type",
    "design",
    "code",
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
    "materials",
)


def run_stages(run: Run, stage_ids: tuple[str, ...]) -> list[str]:
    """Run an attempt at each stage, then supervise them in plan order; returns what each leads to.

    Stages given together do not depend on each other. A branch sees the state from before any of them started, so
    that its requests do not depend on how fast the others are.
    """
    attempts = {stage_id: run.state.stage_progress(stage_id).attempts + 1 for stage_id in stage_ids}
    if len(stage_ids) == 1:
        [stage_id] = stage_ids
        stage_flow(run, stage_id, attempts[stage_id])
        return [supervise(run, run.stage(stage_id), attempts[stage_id])]
    run.console.say(f"side by side: {', '.join(stage_ids)}")
    base = run.state
    branches = [run.fork(stage_id) for stage_id in stage_ids]
    for branch in branches:
        ACTIVE[branch.handle] = branch
    try:
        with ThreadPoolExecutor(max_workers=len(branches)) as pool:
            futures = [
                pool.submit(
                    contextvars.copy_context().run,
                    blamed,
                    branch,
                    stage_flow,
                    branch,
                    branch.branch,
                    attempts[branch.branch],
                )
                for branch in branches
            ]
            failures = [error for future in futures if (error := future.exception()) is not None]
    finally:
        for branch in branches:
            ACTIVE.pop(branch.handle, None)
    outcomes = []
    for branch in branches:
        merge(run, branch, base)
        if not failures and run.state.stage_progress(branch.branch).status == "in_progress":
            outcomes.append(supervise(run, run.stage(branch.branch), attempts[branch.branch]))
    if failures:
        raise failures[0]
    return outcomes or [CONTINUE]


def _overtaken(run: Run, stage_id: str, base: ReproState) -> bool:
    """Whether an earlier branch's supervision sent the run back behind what this branch was built on."""
    assert run.state.plan is not None
    again = ("invalidated", "needs_rerun")
    if stage_id not in {stage.stage_id for stage in run.state.plan.stages}:
        return True
    changed = (
        run.state.stage_progress(stage_id).status in again
        and base.stage_progress(stage_id).status not in again
    )
    behind = any(run.state.stage_progress(name).status in again for name in run.stage(stage_id).dependencies)
    return changed or behind


def merge(run: Run, branch: Run, base: ReproState) -> None:
    """Bring what a branch found into the run; nothing if an earlier branch's supervision invalidated it."""
    stage_id, mine, theirs = branch.branch, run.state, branch.state
    run.history += branch.history
    spent = theirs.runtime_used_s - base.runtime_used_s
    run.update(
        "account",
        metrics=(*mine.metrics, *theirs.metrics[len(base.metrics) :]),
        runtime_used_s=mine.runtime_used_s + spent,
        stop_reason=mine.stop_reason or theirs.stop_reason,
        comparison_history=(
            *mine.comparison_history,
            *theirs.comparison_history[len(base.comparison_history) :],
        ),
        turns=(*mine.turns, *theirs.turns[len(base.turns) :]),
    )
    if _overtaken(run, stage_id, base):
        return
    known = {entry.id for entry in base.user_interactions}
    asked = [entry for entry in theirs.user_interactions if entry.id not in known]
    log, numbers = mine.user_interactions, {}
    for entry in asked:
        numbers[entry.id] = next_id(log, entry.interaction_type)
        log = (*log, entry.model_copy(update={"id": numbers[entry.id]}))
    counters = theirs.counters.model_copy(
        update={
            "total_execution_failures": mine.counters.total_execution_failures
            + theirs.counters.total_execution_failures
            - base.counters.total_execution_failures,
            "replans": mine.counters.replans,
            "backtracks": mine.counters.backtracks,
            "consecutive_stage_failures": mine.counters.consecutive_stage_failures,
        }
    )
    run.update(
        "merge_stage",
        progress=tuple(
            theirs.stage_progress(stage_id) if p.stage_id == stage_id else p for p in mine.progress
        ),
        counters=counters,
        visual_comparisons=(
            *(c for c in mine.visual_comparisons if c.stage_id != stage_id),
            *(c for c in theirs.visual_comparisons if c.stage_id == stage_id),
        ),
        figure_comparisons=(
            *(c for c in mine.figure_comparisons if c.stage_id != stage_id),
            *(c for c in theirs.figure_comparisons if c.stage_id == stage_id),
        ),
        discrepancies=(
            *mine.discrepancies,
            *(d for d in theirs.discrepancies if d not in mine.discrepancies),
        ),
        assumptions=branched(base.assumptions, mine.assumptions, renumbered(theirs.assumptions, numbers)),
        user_interactions=log,
        **{name: getattr(theirs, name) for name in _WORK},
    )
