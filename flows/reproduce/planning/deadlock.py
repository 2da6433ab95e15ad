"""Stages that cannot start by themselves: a person decides; they are never waited for, or dropped, in silence."""

from __future__ import annotations

from flows.questions.asking import ask
from flows.reproduce.context import Run
from flows.reproduce.planning.approved_plan import make_plan
from flows.reproduce.planning.supervising import CONTINUE, STOP
from schemas.reproduce.planning.plan import StageStatus
from schemas.talking.interaction import Choice, Question, UserAnswer

_ANYWAY = Choice(
    name="run_anyway",
    effect="run them although what they wait for will not come; the report says that you decided it",
)


def ask_about_deadlock(run: Run, reason: str, stages: tuple[str, ...], number: int) -> str:
    """No stage can run though some are left: CONTINUE or STOP."""
    answer = _asked(
        run, "No stage can run", f"Stages are left, but none can start: {reason}.", reason, number
    )
    if answer.choice == "run_anyway":
        _let_run(run, stages, reason)
    elif answer.choice == "give_up_stages":
        for stage_id in stages:
            _mark(run, stage_id, "blocked", f"deadlock: {reason}")
    return _ended(run, answer, reason)


def ask_about_blocked(run: Run, stages: tuple[str, ...], number: int) -> str:
    """All else is over, and these stages are blocked because one that they depend on failed: CONTINUE or STOP."""
    plan = run.state.plan
    assert plan is not None
    reason = "; ".join(f"{name}: {', '.join(run.state.stage_progress(name).issues[-1:])}" for name in stages)
    answer = _asked(
        run, "Stages were not run because one before them failed", f"Not run: {reason}.", reason, number
    )
    if answer.choice == "run_anyway":
        _let_run(run, stages, reason)
        for name in {later for stage_id in stages for later in plan.dependents(stage_id)} - set(stages):
            if run.state.stage_progress(name).status == "blocked":  # decided anew by what it depends on
                _mark(run, name, "not_started", f"open again, because {', '.join(stages)} runs")
    return _ended(run, answer, reason)


def _asked(run: Run, title: str, body: str, reason: str, number: int) -> UserAnswer:
    choices = [
        Choice(name="give_up_stages", effect="mark them blocked and write the report"),
        Choice(
            name="replan",
            effect="make a new plan, with your words as guidance",
            words="text",
            words_to="planner",
        ),
        Choice(name="stop", effect="stop the run and report what there is"),
    ]
    if run.state.validated_materials is not None:
        choices.insert(1, _ANYWAY)
    return ask(
        run,
        Question(
            question_id=f"deadlock-{number}",
            kind="deadlock",
            title=title,
            choices=tuple(choices),
            body=body,
            asked_by="ReproLab",
            reason=reason,
        ),
    )


def _let_run(run: Run, stages: tuple[str, ...], reason: str) -> None:
    run.history.append(f"a person let run what could not start: {reason}")
    for stage_id in stages:
        status = run.state.stage_progress(stage_id).status
        _mark(
            run,
            stage_id,
            "not_started" if status == "blocked" else status,
            f"run because a person decided it, although: {reason}",
            run_anyway=True,
        )


def _mark(run: Run, stage_id: str, status: StageStatus, issue: str, **more: bool) -> None:
    issues = (*run.state.stage_progress(stage_id).issues, issue)
    run.update(
        "select_stage", progress=run.state.with_progress(stage_id, status=status, issues=issues, **more)
    )


def _ended(run: Run, answer: UserAnswer, reason: str) -> str:
    if answer.choice == "stop":
        run.update("ask_user", stop_reason=f"stopped by the user: no stage can run ({reason})")
        return STOP
    if answer.choice == "replan":
        make_plan(run, answer.text, f"no stage can run: {reason}; a person asked for a new plan")
    return CONTINUE
