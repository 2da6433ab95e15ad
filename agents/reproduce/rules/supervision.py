"""The supervisor's room for decision, computed from facts: what must happen, what may, what may not."""

from __future__ import annotations

from dataclasses import dataclass

from agents.talking.reviewing import join
from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.judging.looks import VisualComparison
from schemas.reproduce.judging.verdicts import BacktrackDecision, SupervisorAnswer, SupervisorVerdict
from schemas.reproduce.planning.plan import Plan, Stage, StageStatus, StageType
from schemas.reproduce.planning.progress import Counters, StageProgress, ValidationHierarchy
from schemas.reproduce.planning.readiness import waits_for
from schemas.reproduce.settings import Limits
from schemas.reproduce.state import ReproState
from schemas.talking.review import BacktrackSuggestion

OPEN: frozenset[StageStatus] = frozenset({"not_started", "in_progress", "needs_rerun", "invalidated"})


@dataclass(frozen=True)
class SupervisorFacts:
    """All that decides what may happen after a stage."""

    plan: Plan
    stage_id: str
    stage_type: StageType
    stage_status_from_evidence: StageStatus
    hierarchy: ValidationHierarchy
    counters: Counters
    limits: Limits
    open_stages: tuple[str, ...]
    finished_stages: tuple[str, ...]
    backtrack_suggestion: BacktrackSuggestion | None
    physics_stuck: bool
    comparison_flagged: bool
    materials_confirmed: bool
    runtime_left_s: float


def status_from_evidence(state: ReproState, stage: Stage) -> StageStatus:
    """A stage's status: of the material stage from the checks that code made, of others from their comparisons."""
    if stage.stage_type != "MATERIAL_VALIDATION":
        return stage_status(state.figure_comparisons, stage, state.visual_comparisons)
    checks = [record.check for record in state.materials]
    nothing = (
        state.plan is not None and not state.plan.materials
    )  # vacuum, ideal metals, media by stated numbers
    passed = (checks or nothing) and all(check is not None and check.status != "failed" for check in checks)
    return "completed_success" if passed else "completed_failed"


def stage_status(
    comparisons: tuple[FigureComparison, ...], stage: Stage, visuals: tuple[VisualComparison, ...] = ()
) -> StageStatus:
    """A stage's status from its comparisons.

    completed_success if all major targets are SUCCESS, completed_failed if one is a FAILURE or was not
    compared. Targets that its description does not attempt leave it at most completed_partial and are not judged
    beside others. A stage without major targets is judged by all of them, and fails only if it showed nothing: a minor
    target that is missed leaves it completed_partial. Targets judged by eye never decide beside numbers; a stage that
    has no others is completed_partial once it has a picture to show.
    """
    if not stage.numeric_targets:
        shown = any(entry.stage_id == stage.stage_id and entry.pictures.simulation for entry in visuals)
        return "completed_partial" if shown else "completed_failed"
    own = [entry for entry in comparisons if entry.stage_id == stage.stage_id]
    known = {entry.target_id: entry.classification for entry in own}
    left_out = {entry.target_id for entry in own if entry.evidence.not_attempted}
    attempted = [target for target in stage.numeric_targets if target.target_id not in left_out]
    major = [target for target in attempted if target.major]
    found = {known.get(target.target_id, "FAILURE") for target in major or attempted}
    if not attempted:
        return "completed_failed"
    if "FAILURE" in found and (major or not any(entry.evidence.ran for entry in own)):
        return "completed_failed"
    return "completed_success" if found == {"SUCCESS"} and not left_out else "completed_partial"


def disagrees(state: ReproState, stage: Stage) -> bool:
    """Whether a stage failed by results: all its failures were computed from fields and are physical, whatever words leave in doubt
    of them. No other plan is due for that, and what comes after it loses nothing by it."""
    own = [entry for entry in state.figure_comparisons if entry.stage_id == stage.stage_id]
    failed = [entry.evidence for entry in own if entry.classification == "FAILURE"]
    compared = {entry.target_id for entry in own} >= {target.target_id for target in stage.numeric_targets}
    return (
        compared
        and bool(failed)
        and all(one.ran and one.computed and one.physical and not one.scripted for one in failed)
    )


def gather(state: ReproState, stage: Stage, limits: Limits, *, runtime_left_s: float) -> SupervisorFacts:
    """The facts after a stage, from the run's state. Raises ValueError without a plan."""
    if state.plan is None:
        raise ValueError("supervising needs a plan")
    entries = {entry.stage_id: entry for entry in state.progress}
    open_stages = tuple(
        entry.stage_id
        for entry in state.progress
        if entry.status in OPEN and (entry.stage_id != stage.stage_id or entry.status == "needs_rerun")
    )
    return SupervisorFacts(
        plan=state.plan,
        stage_id=stage.stage_id,
        stage_type=stage.stage_type,
        stage_status_from_evidence=status_from_evidence(state, stage),
        hierarchy=state.hierarchy,
        counters=state.counters,
        limits=limits,
        open_stages=open_stages,
        finished_stages=finished_stages(state.progress),
        backtrack_suggestion=state.backtrack_suggestion,
        physics_stuck=state.physics_stuck,
        comparison_flagged=stage.stage_id in entries and entries[stage.stage_id].comparison_flagged,
        materials_confirmed=state.validated_materials is not None,
        runtime_left_s=runtime_left_s,
    )


def held_up(state: ReproState, facts: SupervisorFacts) -> str:
    """What happens to the open stages if the run goes on and none of them can start; '' if one can, or none is left."""
    entries = {entry.stage_id: entry for entry in state.progress}
    here = entries[facts.stage_id].model_copy(update={"status": facts.stage_status_from_evidence})
    status = {name: entry.opens for name, entry in (entries | {facts.stage_id: here}).items()}
    waits = {
        name: waits_for(facts.plan.stage(name), facts.plan, status, confirmed=facts.materials_confirmed)
        for name in facts.open_stages
        if not (name in entries and entries[name].run_anyway and facts.materials_confirmed)
    }
    if len(waits) < len(facts.open_stages):
        return ""
    if not waits or not all(waits.values()):
        return ""
    said = "; ".join(f"{name} waits for {', '.join(what)}" for name, what in waits.items())
    return f"no stage can start ({said}): a person is asked"


def finished_stages(progress: tuple[StageProgress, ...]) -> tuple[str, ...]:
    """Stages that a run can go back to, in plan order."""
    return tuple(entry.stage_id for entry in progress if entry.status.startswith("completed"))


def allowed_verdicts(facts: SupervisorFacts) -> tuple[SupervisorVerdict, ...]:
    """The verdicts open to the supervisor; the first is the rule's own."""
    return _options(facts)[0]


def rule(facts: SupervisorFacts) -> SupervisorAnswer:
    """What happens if the supervisor says nothing, or nothing that is allowed."""
    allowed, reason = _options(facts)
    verdict, suggestion = allowed[0], facts.backtrack_suggestion
    return SupervisorAnswer(
        verdict=verdict,
        feedback=reason,
        assessment=f"{facts.stage_id}: {facts.stage_status_from_evidence}",
        backtrack=_decision(facts, suggestion.target_stage_id, suggestion.reason)
        if verdict == "backtrack_to_stage" and suggestion
        else None,
        question=reason if verdict == "ask_user" else "",
    )


def judge(answer: SupervisorAnswer | None, facts: SupervisorFacts) -> SupervisorAnswer:
    """The supervisor's answer if it is allowed and complete, else the rule's with a note in the feedback.

    A backtrack invalidates the stages that depend on its target and, of those the answer names, the later ones: it may add
    to them and take none away.
    """
    ruled = rule(facts)
    if answer is None:
        return ruled
    fault = _fault(answer, facts)
    if fault:
        note = f"{answer.verdict} was not possible: {fault}."
        return ruled.model_copy(
            update={
                "feedback": join(answer.feedback, note, ruled.feedback),
                "assessment": answer.assessment or ruled.assessment,
            }
        )
    backtrack = None
    if answer.verdict == "backtrack_to_stage" and answer.backtrack:
        named = answer.backtrack
        backtrack = _decision(facts, named.target_stage_id, named.reason, named.stages_to_invalidate)
    question = (answer.question or answer.feedback or ruled.feedback) if answer.verdict == "ask_user" else ""
    return answer.model_copy(
        update={
            "backtrack": backtrack,
            "question": question,
            "priority": answer.priority if answer.verdict == "change_priority" else (),
        }
    )


def checkpoint_due(facts: SupervisorFacts) -> bool:
    """Whether the material checkpoint comes next: then nothing else is possible, and no model need be asked."""
    return facts.stage_type == "MATERIAL_VALIDATION" and not facts.materials_confirmed


def _options(facts: SupervisorFacts) -> tuple[tuple[SupervisorVerdict, ...], str]:
    """The allowed verdicts, the rule's first, and why."""
    if checkpoint_due(facts):
        return (
            "ask_user",
        ), "Stage 0 is done: a person confirms the materials before anything is built on them."
    if facts.runtime_left_s <= 0:
        return ("ask_user",), "The run's time is used up: allow more, or finish with what there is."
    back = _backtrack_options(facts)
    if back:
        return back
    may_replan = facts.counters.replans < facts.limits.max_replans
    replan: tuple[SupervisorVerdict, ...] = ("replan_needed",) if may_replan else ()
    step_back: tuple[SupervisorVerdict, ...] = ("backtrack_to_stage",) if _may_step_back(facts) else ()
    if facts.counters.consecutive_stage_failures >= facts.limits.consecutive_stage_failures:
        failed = f"{facts.counters.consecutive_stage_failures} stages in a row failed"
        finish: tuple[SupervisorVerdict, ...] = () if facts.open_stages else ("all_complete",)
        if may_replan:
            return (*replan, *finish, "ask_user"), f"{failed}: a new plan is due."
        return (*finish, "ask_user"), f"{failed} and the {facts.limits.max_replans} replans are used."
    if facts.physics_stuck:
        return (
            "ask_user",
            *replan,
            *step_back,
        ), "The physics check kept failing: another approach or a person's word."
    if not facts.open_stages:
        return ("all_complete", *step_back, "ask_user"), "No stage is open."
    flagged = (
        " The analysis was still disputed at its limit; the report says so."
        if facts.comparison_flagged
        else ""
    )
    more = (*replan, *step_back) if facts.stage_status_from_evidence != "completed_success" else ()
    return ("ok_continue", "change_priority", *more, "ask_user"), (
        f"{facts.stage_id} ended as {facts.stage_status_from_evidence}; "
        f"{len(facts.open_stages)} stages are open.{flagged}"
    )


def _backtrack_options(facts: SupervisorFacts) -> tuple[tuple[SupervisorVerdict, ...], str] | None:
    """The specification's decision matrix; None if there is no suggestion or it is to be rejected."""
    suggestion = facts.backtrack_suggestion
    if (
        suggestion is None
        or suggestion.severity == "minor"
        or not _reachable(facts, suggestion.target_stage_id)
    ):
        return None
    what = (
        f"{suggestion.suggested_by or 'An agent'} suggests to return to {suggestion.target_stage_id} "
        f"({suggestion.severity}, confidence {suggestion.confidence}): {suggestion.reason}"
    )
    if facts.counters.backtracks >= facts.limits.max_backtracks:
        return ("ask_user",), f"{what} The limit of {facts.limits.max_backtracks} backtracks is reached."
    if suggestion.confidence == "low":
        return ("ask_user",), f"{what} A person confirms or rejects it."
    return ("backtrack_to_stage", "ask_user"), what


def _may_step_back(facts: SupervisorFacts) -> bool:
    return (
        facts.stage_status_from_evidence != "completed_success"
        and facts.counters.backtracks < facts.limits.max_backtracks
    )


def _reachable(facts: SupervisorFacts, target: str) -> bool:
    """Whether the run can return to a stage: in the plan, not after the one just done, finished."""
    ids = [stage.stage_id for stage in facts.plan.stages]
    return (
        target in ids
        and target in (facts.stage_id, *facts.finished_stages)
        and target not in facts.open_stages
        and ids.index(target) <= ids.index(facts.stage_id)
    )


def _fault(answer: SupervisorAnswer, facts: SupervisorFacts) -> str:
    """Why an answer cannot be followed; empty if it can."""
    allowed = allowed_verdicts(facts)
    if answer.verdict not in allowed:
        return f"allowed were {', '.join(allowed)}"
    if answer.verdict == "backtrack_to_stage":
        if answer.backtrack is None:
            return "it names no stage to return to"
        if not _reachable(facts, answer.backtrack.target_stage_id):
            return f"{answer.backtrack.target_stage_id!r} is no finished stage of the plan"
    if answer.verdict == "change_priority":
        strange = sorted(set(answer.priority) - set(facts.open_stages))
        if strange or not answer.priority:
            allowed_ids = ", ".join(facts.open_stages)
            return f"the priority must name open stages ({allowed_ids}), not {strange or 'none'}"
    return ""


def _decision(
    facts: SupervisorFacts, target: str, reason: str, named: tuple[str, ...] = ()
) -> BacktrackDecision:
    ids = [stage.stage_id for stage in facts.plan.stages]
    dependent = facts.plan.dependents(target)
    later = [name for name in ids[ids.index(target) + 1 :] if target not in facts.plan.dependents(name)]
    return BacktrackDecision(
        target_stage_id=target,
        reason=reason,
        stages_to_invalidate=tuple(
            name for name in ids if name in dependent or (name in named and name in later)
        ),
    )
