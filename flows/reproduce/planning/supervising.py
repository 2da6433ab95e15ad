"""Supervision after a stage: what happens next, backtracking, and the questions that only a person can answer."""

from __future__ import annotations

from agents.reproduce import supervisor
from agents.reproduce.rules.supervision import (
    SupervisorFacts,
    checkpoint_due,
    disagrees,
    finished_stages,
    gather,
    rule,
    status_from_evidence,
)
from agents.reproduce.rules.supervision import judge as judge_supervisor
from flows.calls.calling import ask_agent, unrecorded
from flows.questions.asking import ask
from flows.questions.consulting import consult
from flows.reproduce.computing.material_checkpoint import material_checkpoint
from flows.reproduce.context import Run
from flows.reproduce.counting import returns_used
from flows.reproduce.pages.overview import show_overview
from flows.reproduce.planning.selection import held_priority
from flows.reproduce.regressing.rules import may_plan_again
from flows.run.costs import spent_line
from flows.run.endings import StageAbandoned
from schemas.reproduce.judging.comparison import Turn
from schemas.reproduce.judging.verdicts import BacktrackDecision, SupervisorAnswer
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.questions import QuestionKind
from schemas.talking.interaction import Choice, Question
from tasks.reproduce.judging import record
from tasks.reproduce.judging.common_factor import COMPUTED, common_factor

# What a stage attempt can lead to: the next stage, a new plan, the report, or an end by a person.
CONTINUE, REPLAN, FINISH, STOP = "continue", "replan", "finish", "stop"


def supervise(run: Run, stage: Stage, attempt: int) -> str:
    """Set the stage's status from evidence, then let the supervisor choose among what is allowed."""
    limits = run.settings.limits
    status = status_from_evidence(run.state, stage)
    stands = status == "completed_failed" and disagrees(run.state, stage)
    failed = status == "completed_failed" and not stands
    counters = run.state.counters
    summary = run.state.analysis.summary if run.state.analysis else ""
    if stage.stage_type == "MATERIAL_VALIDATION":
        summary = "; ".join(
            f"{record.name} {record.check.words()}" for record in run.state.materials if record.check
        )
    run.update(
        "supervisor",
        progress=run.state.with_progress(
            stage.stage_id,
            status=status,
            attempts=attempt,
            wall_s=_simulated_s(run, stage),
            summary=summary,
            disagrees=stands,
            not_asked=_not_asked(run),
        ),
        counters=counters.model_copy(
            update={"consecutive_stage_failures": counters.consecutive_stage_failures + 1 if failed else 0}
        ),
    )
    spent = spent_line(run)
    run.console.say(f"ended as {status}" + (f"; {spent}" if spent else ""), stage=stage.stage_id)
    show_overview(run)
    facts = gather(run.state, stage, limits, runtime_left_s=run.budget_left_s())
    decision = _decide(run, facts, stage, attempt)
    run.update(
        "supervisor",
        supervisor_verdict=decision,
        supervisor_feedback=decision.feedback,
        priority=held_priority(run.state.priority, decision),
        systematic_discrepancies=_systematic(run),
    )
    run.checkpoint(f"{stage.stage_id}_complete")
    return _act(run, stage, attempt, decision)


def _decide(run: Run, facts: SupervisorFacts, stage: Stage, attempt: int) -> SupervisorAnswer:
    """The supervisor's decision within what is allowed. No model is asked about stage 0, and at the material checkpoint."""
    if checkpoint_due(facts) or stage.stage_type == "MATERIAL_VALIDATION":
        return rule(facts).model_copy(update={"feedback": ""})  # nothing for the designer to read
    return judge_supervisor(_ask_supervisor(run, facts, stage, attempt), facts)


def _ask_supervisor(run: Run, facts: SupervisorFacts, stage: Stage, attempt: int) -> SupervisorAnswer | None:
    position = run.position("supervisor", stage.stage_id, attempt)
    if unrecorded(run, position):
        return None
    try:
        asked = 0
        for step in range(run.settings.limits.max_questions + 1):
            here = position.model_copy(update={"step": step})
            answer = ask_agent(
                run,
                supervisor.AGENT,
                supervisor.context(run.state, run.paper, facts=facts),
                SupervisorAnswer,
                position=here,
            )
            more = consult(run, answer.questions, here, asked=asked) if answer.questions else 0
            if not more:
                break
            asked += more
        return answer
    except StageAbandoned:
        return None  # the stage is over; what follows is decided by the rule


def _act(run: Run, stage: Stage, attempt: int, decision: SupervisorAnswer) -> str:
    verdict = decision.verdict
    if (
        verdict == "ask_user"
        and stage.stage_type == "MATERIAL_VALIDATION"
        and run.state.validated_materials is None
    ):
        outcome = material_checkpoint(run, stage.stage_id, attempt)
        if outcome == "stop":
            return STOP
        if outcome == "confirmed":
            run.checkpoint("after_stage0_user_confirm")
        return CONTINUE
    run.console.say(
        f"supervisor: {verdict}" + (f" ({decision.feedback[:160]})" if decision.feedback else ""),
        stage=stage.stage_id,
    )
    if verdict == "backtrack_to_stage" and decision.backtrack is not None:
        backtrack(run, decision.backtrack, _who_asked(run, decision.backtrack))
        return CONTINUE
    if verdict == "replan_needed":
        return REPLAN if may_plan_again(run) else CONTINUE
    if verdict == "all_complete":
        return FINISH
    if verdict == "ask_user":
        return _ask(run, stage, decision)
    return CONTINUE


def _who_asked(run: Run, decision: BacktrackDecision) -> str:
    suggestion = run.state.backtrack_suggestion
    suggested = (
        suggestion is not None
        and suggestion.target_stage_id == decision.target_stage_id
        and suggestion.suggested_by
    )
    return f"{suggested}, and the supervisor agreed" if suggested else "the supervisor"


def backtrack(run: Run, decision: BacktrackDecision, asked_by: str) -> None:
    """Return to a stage: it is to run again, its dependents are invalidated, their comparisons withdrawn."""
    plan = run.state.plan
    assert plan is not None
    touched = {decision.target_stage_id, *decision.stages_to_invalidate}
    progress = []
    for entry in run.state.progress:
        if entry.stage_id == decision.target_stage_id:
            entry = entry.model_copy(update={"status": "needs_rerun"})
        elif entry.stage_id in decision.stages_to_invalidate and entry.status != "not_started":
            entry = entry.model_copy(update={"status": "invalidated", "invalidation_reason": decision.reason})
        progress.append(entry)
    counters = run.state.counters
    to_materials = plan.stage(decision.target_stage_id).stage_type == "MATERIAL_VALIDATION"
    targets = {t.target_id for name in touched for t in plan.stage(name).targets}
    run.update("supervisor", backtrack_decision=decision)
    why = f"return to {decision.target_stage_id}: {decision.reason}"
    run.update(
        "backtrack",
        progress=tuple(progress),
        comparison_history=(
            *run.state.comparison_history,
            *record.withdrawn(run.state, dict.fromkeys(touched, why)),
        ),
        turns=(
            *run.state.turns,
            Turn(
                kind="return",
                plan_round=run.state.plan_round,
                reason=decision.reason,
                asked_by=asked_by,
                to=decision.target_stage_id,
            ),
        ),
        counters=counters.model_copy(
            update={"backtracks": counters.backtracks + 1, "consecutive_stage_failures": 0}
        ),
        validated_materials=None if to_materials else run.state.validated_materials,
        figure_comparisons=tuple(c for c in run.state.figure_comparisons if c.stage_id not in touched),
        visual_comparisons=tuple(c for c in run.state.visual_comparisons if c.stage_id not in touched),
        discrepancies=tuple(d for d in run.state.discrepancies if d.target_id not in targets),
        current_stage_id=None,
        code=None,
        design=None,
        backtrack_suggestion=None,
    )
    run.history.append(f"backtrack to {decision.target_stage_id}: {decision.reason}")
    run.console.say(f"going back to {decision.target_stage_id}: {decision.reason}")


def _ask(run: Run, stage: Stage, decision: SupervisorAnswer) -> str:
    suggestion = run.state.backtrack_suggestion
    finished = finished_stages(run.state.progress)
    may_go_back = suggestion is not None and suggestion.target_stage_id in finished
    if may_go_back and suggestion is not None:
        finished = (
            suggestion.target_stage_id,
            *(name for name in finished if name != suggestion.target_stage_id),
        )
    choices = [
        Choice(name="continue", effect="go on with the next stage"),
        Choice(
            name="rerun",
            effect=f"run this stage again, with your words as guidance{returns_used(run)}",
            words="text",
            words_to="simulation_designer",
        ),
        Choice(
            name="replan",
            effect="make a new plan, with your words as guidance",
            words="text",
            words_to="planner",
        ),
        Choice(name="stop", effect="stop the run and report what there is"),
    ]
    if finished:
        why = (
            f"; suggested: {suggestion.target_stage_id}, {suggestion.reason}"
            if may_go_back and suggestion
            else ""
        )
        choices.insert(
            0 if may_go_back else 3,
            Choice(
                name="backtrack",
                words="line",
                words_to="simulation_designer",
                one_of=finished,
                effect=f"go back to a stage, `backtrack: STAGE_ID` with one of {', '.join(finished)}{why}{returns_used(run)}",
            ),
        )
    own = ("general_feedback", "backtrack_approval", "backtrack_limit", "replan_limit")
    number = 1 + sum(
        entry.interaction_type in own and entry.stage_id == stage.stage_id
        for entry in run.state.user_interactions
    )
    kind = _kind(run, may_go_back)
    summary = "\n".join(f"- {c.target_id}: {c.verdict}" for c in run.state.figure_comparisons)
    answer = ask(
        run,
        Question(
            question_id=f"supervisor-{stage.stage_id}-{number}".lower().replace("_", "-"),
            kind=kind,
            title=f"How to go on after {stage.stage_id}?",
            choices=tuple(choices),
            stage_id=stage.stage_id,
            body=f"{decision.question or decision.feedback}\n\n{summary}",
            reason=decision.feedback[:500],
        ),
    )
    if answer.choice == "stop":
        run.update("ask_user", stop_reason="stopped by the user")
        return STOP
    if answer.choice == "backtrack" and run.state.plan is not None:
        target, _, words = answer.text.partition(" ")
        suggested = (
            suggestion.reason if may_go_back and suggestion and target == suggestion.target_stage_id else ""
        )
        backtrack(
            run,
            BacktrackDecision(
                target_stage_id=target,
                reason=words or suggested or "asked for by the user",
                stages_to_invalidate=run.state.plan.dependents(target),
            ),
            "a person",
        )
        if words:
            run.update("ask_user", supervisor_feedback=words)
        return CONTINUE
    words = (
        answer.text if answer.choice in ("rerun", "replan") else ""
    )  # others are for nobody who must stay blind
    run.update(
        "ask_user",
        supervisor_feedback=words or decision.feedback,
        counters=run.state.counters.model_copy(update={"consecutive_stage_failures": 0}),
    )
    if answer.choice == "rerun" and run.state.plan is not None:
        backtrack(
            run,
            BacktrackDecision(
                target_stage_id=stage.stage_id,
                reason=answer.text or "asked for by the user",
                stages_to_invalidate=run.state.plan.dependents(stage.stage_id),
            ),
            "a person",
        )
        run.update("ask_user", supervisor_feedback=answer.text)
        return CONTINUE
    return REPLAN if answer.choice == "replan" else CONTINUE


def _kind(run: Run, may_go_back: bool) -> QuestionKind:
    """What the question is about: a limit that is reached, an approval, or the supervisor's own question."""
    counters, limits = run.state.counters, run.settings.limits
    if may_go_back:
        return "backtrack_limit" if counters.backtracks >= limits.max_backtracks else "backtrack_approval"
    if (
        counters.consecutive_stage_failures >= limits.consecutive_stage_failures
        and counters.replans >= limits.max_replans
    ):
        return "replan_limit"
    return "general_feedback"


def _simulated_s(run: Run, stage: Stage) -> float:
    """Wall time of all the stage's simulations, failed rounds included, seconds; side by side they are added up."""
    return sum(e.wall_s for e in run.executions if e.stage_id == stage.stage_id)


def _not_asked(run: Run) -> tuple[str, ...]:
    return run.state.stage_evidence.not_asked if run.state.stage_evidence else ()


def _systematic(run: Run) -> tuple[str, ...]:
    known = list(run.state.systematic_discrepancies)
    if run.state.analysis:
        known += [item for item in run.state.analysis.systematic if item not in known]
    factor = common_factor([comparison.evidence for comparison in run.state.figure_comparisons])
    return tuple(
        [item for item in known if not item.startswith(COMPUTED)] + ([COMPUTED + factor] if factor else [])
    )
