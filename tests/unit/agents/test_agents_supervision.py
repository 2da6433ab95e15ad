"""The supervisor chooses among what facts allow, and cannot overturn them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from agents.reproduce import results_analyzer
from agents.reproduce.rules.supervision import (
    SupervisorFacts,
    allowed_verdicts,
    disagrees,
    gather,
    held_up,
    judge,
    rule,
    stage_status,
)
from schemas.reproduce.judging.verdicts import BacktrackDecision, SupervisorAnswer, SupervisorVerdict
from schemas.reproduce.planning.progress import Counters, StageProgress
from schemas.reproduce.settings import Limits
from schemas.reproduce.state import ReproState
from schemas.talking.review import BacktrackSuggestion
from tests.unit.agents.agents_fixture import DIP, FILM, MINOR, PLAN, evidence, run_state

pytestmark = pytest.mark.unit

LIMITS = Limits()


def facts(**changes: object) -> SupervisorFacts:
    state = run_state()
    base = SupervisorFacts(
        plan=PLAN,
        stage_id="stage1",
        stage_type="SINGLE_STRUCTURE",
        stage_status_from_evidence="completed_success",
        hierarchy=state.hierarchy,
        counters=Counters(),
        limits=LIMITS,
        open_stages=("stage2",),
        finished_stages=("stage0", "stage1"),
        backtrack_suggestion=None,
        physics_stuck=False,
        comparison_flagged=False,
        materials_confirmed=True,
        runtime_left_s=3600,
    )
    return replace(base, **changes)


def suggestion(severity: str, confidence: str, target: str = "stage0") -> BacktrackSuggestion:
    return BacktrackSuggestion.model_validate(
        {"target_stage_id": target, "reason": "wrong metal", "severity": severity, "confidence": confidence}
    )


def answer(verdict: str, **more: object) -> SupervisorAnswer:
    return SupervisorAnswer.model_validate(
        {"verdict": verdict, "feedback": "mine", "assessment": "fine", **more}
    )


def test_stage_zero_always_ends_in_a_question_and_only_once():
    first = facts(stage_id="stage0", stage_type="MATERIAL_VALIDATION", materials_confirmed=False)
    for verdict in get_args(SupervisorVerdict):
        result = judge(answer(verdict), first)
        assert result.verdict == "ask_user" and result.question
    assert rule(replace(first, materials_confirmed=True)).verdict == "ok_continue"


@pytest.mark.parametrize(
    ("severity", "confidence", "backtracks", "expected"),
    [
        ("critical", "high", 0, "backtrack_to_stage"),
        ("critical", "high", 1, "backtrack_to_stage"),
        ("critical", "low", 0, "ask_user"),
        ("significant", "high", 0, "backtrack_to_stage"),
        ("significant", "low", 0, "ask_user"),
        ("minor", "high", 0, "ok_continue"),
        ("minor", "low", 0, "ok_continue"),
        ("critical", "high", 2, "ask_user"),
        ("significant", "low", 2, "ask_user"),
        ("minor", "high", 2, "ok_continue"),
    ],
)
def test_backtracks_follow_the_decision_matrix(severity, confidence, backtracks, expected):
    given = facts(
        backtrack_suggestion=suggestion(severity, confidence), counters=Counters(backtracks=backtracks)
    )
    result = judge(None, given)
    assert result.verdict == expected
    if expected == "backtrack_to_stage":
        assert result.backtrack.stages_to_invalidate == ("stage1", "stage2")
    else:
        assert result.backtrack is None


def test_the_supervisor_takes_back_nothing_that_the_stage_gone_back_to_needs():
    stages = tuple(
        stage.model_copy(update={"dependencies": ("stage2",) if stage.stage_id == "stage1" else ()})
        for stage in PLAN.stages
    )
    given = facts(
        stage_id="stage2",
        stage_status_from_evidence="completed_failed",
        open_stages=(),
        plan=PLAN.model_copy(update={"stages": stages}),
    )
    back = BacktrackDecision(target_stage_id="stage1", stages_to_invalidate=("stage2",), reason="wrong mesh")
    assert judge(answer("backtrack_to_stage", backtrack=back), given).backtrack.stages_to_invalidate == ()


def test_nobody_returns_to_a_stage_that_was_never_run():
    blocked = facts(finished_stages=("stage1",), open_stages=())
    assert "backtrack_to_stage" not in allowed_verdicts(
        replace(blocked, backtrack_suggestion=suggestion("critical", "high"))
    )
    back = BacktrackDecision(target_stage_id="stage0", stages_to_invalidate=(), reason="again")
    failed = replace(blocked, stage_status_from_evidence="completed_failed")
    assert judge(answer("backtrack_to_stage", backtrack=back), failed).verdict != "backtrack_to_stage"


def test_a_suggestion_to_return_to_an_unknown_or_open_stage_is_passed_over():
    for target in ("stage9", "stage2"):
        assert (
            rule(facts(backtrack_suggestion=suggestion("critical", "high", target))).verdict == "ok_continue"
        )


def test_a_backtrack_invalidates_the_dependents_whatever_the_answer_lists():
    given = facts(stage_status_from_evidence="completed_failed")
    back = BacktrackDecision(target_stage_id="stage0", stages_to_invalidate=(), reason="wrong metal")
    result = judge(answer("backtrack_to_stage", backtrack=back), given)
    assert result.verdict == "backtrack_to_stage"
    assert result.backtrack.stages_to_invalidate == PLAN.dependents("stage0")


def test_a_return_to_the_materials_invalidates_all_that_use_one_without_being_told_to_depend_on_them():
    loose = PLAN.model_copy(
        update={"stages": tuple(stage.model_copy(update={"dependencies": ()}) for stage in PLAN.stages)}
    )
    users = {stage.stage_id for stage in loose.stages if stage.materials} - {"stage0"}
    assert users and users <= set(loose.dependents("stage0"))
    assert loose.dependents("stage1") == ()


def test_the_supervisor_may_invalidate_more_and_only_what_comes_later():
    given = facts(
        stage_id="stage2",
        stage_status_from_evidence="completed_failed",
        open_stages=(),
        plan=PLAN.model_copy(
            update={"stages": tuple(stage.model_copy(update={"dependencies": ()}) for stage in PLAN.stages)}
        ),
    )
    back = BacktrackDecision(
        target_stage_id="stage1", stages_to_invalidate=("stage0", "stage2", "stage9"), reason="wrong mesh"
    )
    assert judge(answer("backtrack_to_stage", backtrack=back), given).backtrack.stages_to_invalidate == (
        "stage2",
    )


@pytest.mark.parametrize(
    "back", [None, BacktrackDecision(target_stage_id="stage2", stages_to_invalidate=(), reason="")]
)
def test_an_incomplete_or_impossible_backtrack_falls_back_to_the_rule(back):
    result = judge(
        answer("backtrack_to_stage", backtrack=back), facts(stage_status_from_evidence="completed_failed")
    )
    assert (
        result.verdict == "ok_continue"
        and "was not possible" in result.feedback
        and "mine" in result.feedback
    )


def test_replanning_ends_at_its_limit():
    failing = Counters(consecutive_stage_failures=2)
    assert rule(facts(counters=failing)).verdict == "replan_needed"
    assert rule(facts(counters=failing.model_copy(update={"replans": 2}))).verdict == "ask_user"
    used = facts(counters=Counters(replans=2), stage_status_from_evidence="completed_failed")
    assert judge(answer("replan_needed"), used).verdict == "ok_continue"


def test_results_that_stand_and_disagree_call_for_no_other_plan():
    def state(*found):
        return run_state(figure_comparisons=results_analyzer.judge(None, FILM, found))

    first, second = (target.target_id for target in FILM.numeric_targets[:2])
    others = tuple(evidence(target.target_id, "SUCCESS") for target in FILM.numeric_targets[2:])
    stands = evidence(first, "FAILURE"), evidence(second, "SUCCESS"), *others
    assert stands[0].stands and disagrees(state(*stands), FILM)
    open_too = evidence(second, "FAILURE").model_copy(update={"computed": False})
    assert not disagrees(state(stands[0], open_too, *others), FILM)
    doubted = stands[0].model_copy(
        update={"refutes": False}
    )  # by words alone: what waits for it loses nothing
    assert not doubted.stands and disagrees(state(doubted, *stands[1:]), FILM)
    assert not disagrees(state(doubted.model_copy(update={"scripted": True}), *stands[1:]), FILM)
    assert not disagrees(state(*(evidence(t.target_id, "SUCCESS") for t in FILM.numeric_targets)), FILM)
    assert not disagrees(run_state(), FILM)


def test_all_complete_needs_that_no_stage_is_open():
    assert judge(answer("all_complete"), facts()).verdict == "ok_continue"
    assert judge(answer("ok_continue"), facts(open_stages=())).verdict == "all_complete"


def test_stuck_physics_and_spent_time_are_put_to_a_person():
    assert rule(facts(physics_stuck=True)).verdict == "ask_user"
    assert rule(facts(runtime_left_s=0)).verdict == "ask_user"


@pytest.mark.parametrize(
    ("priority", "expected"),
    [(("stage2",), "change_priority"), ((), "ok_continue"), (("stage0",), "ok_continue")],
)
def test_priorities_name_open_stages(priority, expected):
    assert judge(answer("change_priority", priority=priority), facts()).verdict == expected


def test_no_answer_leaves_the_allowed_verdicts():
    statuses = ("completed_success", "completed_partial", "completed_failed")
    backs = (None, suggestion("critical", "high"), suggestion("critical", "low"), suggestion("minor", "high"))
    back = BacktrackDecision(target_stage_id="stage0", stages_to_invalidate=(), reason="r")
    for status, stuck, open_stages, given, replans, failures, backtracks, verdict in product(
        statuses, (False, True), ((), ("stage2",)), backs, (0, 2), (0, 2), (0, 2), get_args(SupervisorVerdict)
    ):
        case = facts(
            stage_status_from_evidence=status,
            physics_stuck=stuck,
            open_stages=open_stages,
            backtrack_suggestion=given,
            counters=Counters(replans=replans, consecutive_stage_failures=failures, backtracks=backtracks),
        )
        allowed = allowed_verdicts(case)
        result = judge(answer(verdict, backtrack=back, priority=open_stages), case)
        assert result.verdict in allowed
        assert result.verdict == verdict or verdict not in allowed or verdict == "change_priority"
        assert result.verdict != "replan_needed" or replans < LIMITS.max_replans
        assert result.verdict != "backtrack_to_stage" or (
            backtracks < LIMITS.max_backtracks and result.backtrack
        )
        assert result.verdict != "all_complete" or not open_stages
        assert result.verdict != "ask_user" or result.question


@pytest.mark.parametrize("classes", list(product(("SUCCESS", "PARTIAL", "FAILURE"), repeat=3)))
def test_stage_status_follows_the_major_targets(classes):
    shown = tuple(evidence(t.target_id, c) for t, c in zip(FILM.targets, classes, strict=True))
    major = classes[:2]
    expected = (
        "completed_failed"
        if "FAILURE" in major
        else "completed_success"
        if set(major) == {"SUCCESS"}
        else "completed_partial"
    )
    assert stage_status(results_analyzer.judge(None, FILM, shown), FILM) == expected


def test_a_stage_without_comparisons_failed_and_one_without_major_targets_is_judged_by_all():
    assert stage_status((), FILM) == "completed_failed"
    minor = FILM.model_copy(update={"targets": (MINOR,)})
    assert stage_status(results_analyzer.judge(None, minor, (evidence("fig1_note", "PARTIAL"),)), minor) == (
        "completed_partial"
    )
    missed = stage_status(results_analyzer.judge(None, minor, (evidence("fig1_note", "FAILURE"),)), minor)
    assert missed == "completed_partial"
    nothing = evidence("fig1_note", "FAILURE", ran=False)
    assert stage_status(results_analyzer.judge(None, minor, (nothing,)), minor) == "completed_failed"
    assert DIP.major and not MINOR.major


def test_facts_are_gathered_from_the_state():
    state = run_state(
        progress=(
            StageProgress(stage_id="stage0", status="completed_success"),
            StageProgress(stage_id="stage1", status="in_progress", comparison_flagged=True),
            StageProgress(stage_id="stage2", status="blocked"),
        )
    )
    found = gather(state, FILM, LIMITS, runtime_left_s=10)
    assert found.open_stages == () and found.comparison_flagged and found.materials_confirmed
    assert found.stage_status_from_evidence == "completed_failed"


@pytest.mark.parametrize(("status", "asked"), [("completed_failed", True), ("completed_partial", False)])
def test_it_is_told_where_going_on_ends_at_a_question(status: str, asked: bool) -> None:
    told = held_up(run_state(), facts(stage_status_from_evidence=status))
    assert ("stage2 waits for" in told and "a person is asked" in told) is asked
    assert held_up(run_state(), facts(open_stages=())) == ""


def test_going_on_ends_at_no_question_where_a_person_let_it_run_or_the_failure_stands() -> None:
    failed = facts(stage_status_from_evidence="completed_failed")

    def state(disagrees: bool, anyway: bool) -> ReproState:
        return run_state(
            progress=(
                StageProgress(stage_id="stage0", status="completed_success"),
                StageProgress(stage_id="stage1", status="completed_failed", disagrees=disagrees),
                StageProgress(stage_id="stage2", run_anyway=anyway),
            )
        )

    assert held_up(state(False, False), failed)
    assert not held_up(state(True, False), failed) and not held_up(state(False, True), failed)
