"""Which stage comes next: priorities, gates, budget, and a deadlock that is found instead of waited for."""

from __future__ import annotations

import random

import pytest

from flows.reproduce.planning.selection import behind_failed, held_priority, select_stage
from schemas.errors import StateError
from schemas.reproduce.judging.verdicts import SupervisorAnswer
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from schemas.reproduce.planning.plan import STAGE_TYPES, Plan, Reference, Stage, Target
from schemas.reproduce.planning.plan_faults import plan_faults
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.planning.readiness import unreachable
from schemas.reproduce.state import ReproState

pytestmark = pytest.mark.unit
GLASS = MaterialChoice(name="glass", index=1.5, band_um=(0.4, 0.7), reason="stated", source="the paper")
RECORD = MaterialRecord(name="glass", index=1.5, band_um=(0.4, 0.7))


def stage(name: str, kind: str = "SINGLE_STRUCTURE", *needs: str, seconds: float = 10) -> Stage:
    """A stage with one target of its own."""
    target = Target(
        target_id=f"t_{name}",
        figure_id="fig1",
        description="R",
        kind="curve",
        quantity="efficiency",
        reference=Reference(kind="fresnel", material="glass"),
    )
    return Stage(
        stage_id=name,
        stage_type=kind,
        name=name,
        description=name,
        dependencies=needs,
        targets=(target,),
        estimated_runtime_s=seconds,
    )


MATERIALS = Stage(
    stage_id="m", stage_type="MATERIAL_VALIDATION", name="m", description="m", materials=("glass",)
)


def state(*stages: Stage, confirmed: bool = True, **status: str) -> ReproState:
    """A run whose plan has the material stage and `stages`; statuses by stage id, not started by default."""
    plan = Plan(title="t", summary="s", main_claim="c", materials=(GLASS,), stages=(MATERIALS, *stages))
    progress = tuple(
        StageProgress(stage_id=s.stage_id, status=status.get(s.stage_id, "not_started")) for s in plan.stages
    )
    return ReproState(
        paper_id="p",
        run_id="r",
        plan=plan,
        plan_approved=True,
        progress=progress,
        validated_materials=(RECORD,) if confirmed else None,
    )


def test_materials_come_first_and_nothing_before_their_confirmation() -> None:
    assert select_stage(state(stage("a", "SINGLE_STRUCTURE", "m"), confirmed=False), budget_left_s=1e4)[
        :2
    ] == ("stages", ("m",))
    waiting = select_stage(state(stage("a"), confirmed=False, m="completed_success"), budget_left_s=1e4)
    assert waiting.kind == "deadlock" and waiting.stage_ids == ("a",)


def test_a_stage_to_run_again_comes_before_invalidated_ones_and_those_before_new_ones() -> None:
    a, b, c = stage("a"), stage("b"), stage("c")
    both = state(a, b, c, m="completed_success", b="invalidated", c="needs_rerun")
    assert select_stage(both, budget_left_s=1e4).stage_ids == ("c",)
    invalidated = state(a, b, c, m="completed_success", b="invalidated", c="completed_success")
    assert select_stage(invalidated, budget_left_s=1e4).stage_ids == ("b",)


def test_an_invalidated_stage_waits_for_its_dependencies() -> None:
    a, b = stage("a"), stage("b", "SINGLE_STRUCTURE", "a")
    assert select_stage(
        state(a, b, m="completed_success", a="needs_rerun", b="invalidated"), budget_left_s=1e4
    ).stage_ids == ("a",)


def test_a_rerun_on_an_invalidated_dependency_is_a_fault_of_ours() -> None:
    a, b = stage("a"), stage("b", "SINGLE_STRUCTURE", "a")
    with pytest.raises(StateError, match="'b' is to run again but its dependency 'a' is invalidated"):
        select_stage(state(a, b, m="completed_success", a="invalidated", b="needs_rerun"), budget_left_s=1e4)


def test_independent_stages_are_offered_together_and_priority_reorders_them() -> None:
    run = state(stage("a"), stage("b"), m="completed_success")
    assert select_stage(run, budget_left_s=1e4).stage_ids == ("a", "b")
    assert select_stage(run, budget_left_s=1e4, priority=("b", "no_such")).stage_ids == ("b", "a")


@pytest.mark.parametrize("single", ["completed_success", "completed_partial"])
def test_arrays_wait_for_single_structures_to_pass_at_least_in_part(single: str) -> None:
    waiting = state(stage("a"), stage("arrays", "ARRAY_SYSTEM"), m="completed_success")
    assert select_stage(waiting, budget_left_s=1e4).stage_ids == ("a",)
    passed = state(stage("a"), stage("arrays", "ARRAY_SYSTEM"), m="completed_success", a=single)
    assert select_stage(passed, budget_left_s=1e4).stage_ids == ("arrays",)


def test_one_failed_reading_does_not_block_what_the_other_one_allows() -> None:
    """The paper contradicts itself: two readings as two stages, one of which fails (once "No stage can run")."""
    readings = (
        stage("text"),
        stage("table"),
        stage("array", "ARRAY_SYSTEM", "table"),
        stage("other", "ARRAY_SYSTEM", "text"),
    )
    found = select_stage(
        state(*readings, m="completed_success", text="completed_failed", table="completed_success"),
        budget_left_s=1e4,
    )
    assert found.kind == "stages" and found.stage_ids == ("array",)
    assert found.blocked == (("other", "dependency text is completed_failed"),)


def test_a_kind_whose_stages_all_failed_opens_the_next_one_by_a_persons_word_only() -> None:
    both = (stage("a"), stage("b"), stage("arrays", "ARRAY_SYSTEM", "m"))
    one_open = state(*both, m="completed_success", a="completed_failed")
    assert select_stage(one_open, budget_left_s=1e4).stage_ids == (
        "b",
    )  # not before the other had its chance
    over = state(*both, m="completed_success", a="completed_failed", b="blocked")
    found = select_stage(over, budget_left_s=1e4)
    assert found.kind == "deadlock" and found.stage_ids == ("arrays",)
    assert found.reason == (
        "arrays waits for a SINGLE_STRUCTURE stage to pass, and none did (a completed_failed, b blocked)"
    )
    decided = over.model_copy(update={"progress": over.with_progress("arrays", run_anyway=True)})
    assert select_stage(decided, budget_left_s=1e4)[:2] == ("stages", ("arrays",))


def test_a_failure_by_results_that_stand_opens_the_way() -> None:
    """A false paper's first stage kept all others from being run, and nobody but a person could open them."""
    a, b = stage("a"), stage("b", "ARRAY_SYSTEM", "a")
    run = state(a, b, m="completed_success", a="completed_failed")
    assert (
        select_stage(run, budget_left_s=1e4).kind == "stages"
        and not select_stage(run, budget_left_s=1e4).stage_ids
    )
    stands = run.model_copy(update={"progress": run.with_progress("a", disagrees=True)})
    assert select_stage(stands, budget_left_s=1e4).stage_ids == ("b",)


def test_one_is_asked_about_the_next_kind_only_and_an_invalidated_stage_is_held_back_alike() -> None:
    later = (
        stage("arrays", "ARRAY_SYSTEM", "m"),
        stage("sweep", "PARAMETER_SWEEP", "m"),
        stage("more", "ARRAY_SYSTEM", "arrays"),
    )
    run = state(stage("a"), *later, m="completed_success", a="completed_failed", arrays="invalidated")
    assert select_stage(run, budget_left_s=1e4)[:2] == ("deadlock", ("arrays",))
    given_up = run.model_copy(update={"progress": run.with_progress("arrays", status="blocked")})
    assert select_stage(given_up, budget_left_s=1e4).blocked == (("more", "dependency arrays is blocked"),)
    none_left = given_up.model_copy(update={"progress": given_up.with_progress("more", status="blocked")})
    assert select_stage(none_left, budget_left_s=1e4)[:2] == ("deadlock", ("sweep",))


def test_stages_sent_on_run_in_the_order_of_what_they_rest_on() -> None:
    run = state(
        stage("sweep", "PARAMETER_SWEEP", "arrays"),
        stage("arrays", "ARRAY_SYSTEM", "a"),
        stage("a"),
        m="completed_success",
        a="completed_failed",
        sweep="invalidated",
    )
    run = run.model_copy(
        update={
            "progress": tuple(
                p.model_copy(update={"run_anyway": p.stage_id in ("sweep", "arrays")}) for p in run.progress
            )
        }
    )
    assert select_stage(run, budget_left_s=1e4).stage_ids == ("arrays",)


def test_a_person_can_let_run_what_would_wait_for_ever() -> None:
    a, b = stage("a"), stage("b", "SINGLE_STRUCTURE", "a")
    stuck = state(a, b, m="completed_success", a="completed_failed", b="invalidated")
    found = select_stage(stuck, budget_left_s=1e4)
    assert (
        found.kind == "deadlock"
        and found.stage_ids == ("b",)
        and "b waits for a (completed_failed)" in found.reason
    )
    decided = stuck.model_copy(update={"progress": stuck.with_progress("b", run_anyway=True)})
    assert select_stage(decided, budget_left_s=1e4).stage_ids == ("b",)
    unconfirmed = decided.model_copy(update={"validated_materials": None})
    assert select_stage(unconfirmed, budget_left_s=1e4).kind == "deadlock"


def test_a_plan_without_faults_is_reached_to_its_end_and_one_that_cannot_be_is_refused() -> None:
    rng = random.Random(7)
    reached = 0
    for _ in range(600):
        kinds = [rng.choice(STAGE_TYPES[1:]) for _ in range(rng.randint(1, 6))]
        names = ["m", *(f"s{n}" for n in range(len(kinds)))]
        run = state(
            *(stage(f"s{n}", kind, *rng.sample(names, rng.randint(0, 2))) for n, kind in enumerate(kinds))
        )
        assert run.plan is not None
        if plan_faults(run.plan):
            continue
        reached += 1
        while (found := select_stage(run, budget_left_s=1e9)).kind == "stages":
            run = run.model_copy(
                update={
                    "progress": tuple(
                        p.model_copy(update={"status": "completed_success"})
                        if p.stage_id in found.stage_ids
                        else p
                        for p in run.progress
                    )
                }
            )
        assert found.kind == "done", run.plan
    assert reached > 30
    left = unreachable(state(stage("array", "ARRAY_SYSTEM"), stage("a", "SINGLE_STRUCTURE", "array")).plan)
    assert set(left) == {"array", "a"} and "a SINGLE_STRUCTURE stage to pass" in left["array"][0]


def test_a_stage_behind_a_failed_one_is_blocked_and_says_by_which() -> None:
    run = state(stage("a"), stage("b", "SINGLE_STRUCTURE", "a"), m="completed_success", a="completed_failed")
    assert select_stage(run, budget_left_s=1e4).blocked == (("b", "dependency a is completed_failed"),)


def test_a_person_is_asked_once_about_what_was_blocked_behind_a_failed_stage() -> None:
    a, b, c = stage("a"), stage("b", "SINGLE_STRUCTURE", "a"), stage("c", "SINGLE_STRUCTURE", "b")
    run = state(a, b, c, m="completed_success", a="completed_failed", b="blocked", c="blocked")
    assert behind_failed(run, ()) == ("b",) and behind_failed(run, {"b"}) == ()
    out_of_time = state(a, b, m="completed_success", a="completed_success", b="blocked")
    assert behind_failed(out_of_time, ()) == ()
    assert behind_failed(run.model_copy(update={"validated_materials": None}), ()) == ()


def test_a_stage_that_does_not_fit_the_time_left_is_blocked() -> None:
    run = state(stage("a", seconds=100), stage("b", seconds=5), m="completed_success")
    found = select_stage(run, budget_left_s=50)
    assert found.stage_ids == ("b",) and found.blocked == (("a", "estimated 100 s exceeds the 50 s left"),)


def test_everything_closed_is_done() -> None:
    run = state(stage("a"), stage("b"), m="completed_success", a="completed_failed", b="blocked")
    assert select_stage(run, budget_left_s=1e4).kind == "done"


def test_a_deadlock_names_what_each_stage_waits_for() -> None:
    run = state(
        stage("a", "SINGLE_STRUCTURE", "b"), stage("b", "SINGLE_STRUCTURE", "a"), m="completed_success"
    )
    found = select_stage(run, budget_left_s=1e4)
    assert found.kind == "deadlock" and found.stage_ids == ("a", "b")
    assert "a waits for b (not_started)" in found.reason


def test_a_priority_holds_until_the_supervisor_changes_it():
    changed = SupervisorAnswer(verdict="change_priority", feedback="", assessment="", priority=("s2",))
    going_on = SupervisorAnswer(verdict="ok_continue", feedback="", assessment="")
    assert held_priority(held_priority((), changed), going_on) == ("s2",)
    assert held_priority(("s2",), changed.model_copy(update={"priority": ("s3",)})) == ("s3",)
