"""The state changes only through its owners, and what was decided stays decided."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from flows.reproduce.outcome import not_compared
from schemas.errors import StateError
from schemas.reproduce.planning.plan import Plan, Stage
from schemas.reproduce.planning.plan_faults import plan_faults
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.state import OWNERSHIP, REQUIREMENTS, ReproState
from tests.unit.reproduce.test_flow_selection import RECORD, stage, state

pytestmark = pytest.mark.unit


def test_a_node_writes_only_what_it_owns() -> None:
    with pytest.raises(
        StateError,
        match=r"(?s)'adapt_prompts' may not write code.*allowed: adaptation_analysis, "
        "prompt_adaptations",
    ):
        state().apply("adapt_prompts", code="x = 1")
    with pytest.raises(StateError, match="unknown node"):
        state().apply("nobody", code="x = 1")


def test_a_node_needs_what_it_works_on() -> None:
    with pytest.raises(StateError, match=r"(?s)'code_review' ran without what it needs.*code, design"):
        state().apply("code_review", reviewer_feedback="")


def test_values_are_checked_and_the_old_state_stays() -> None:
    before = state()
    with pytest.raises(ValidationError):
        before.apply("account", runtime_used_s="long")
    after = before.apply("account", runtime_used_s=3.0)
    assert (before.runtime_used_s, after.runtime_used_s) == (0, 3.0)
    with pytest.raises(ValidationError):
        before.runtime_used_s = 1.0  # type: ignore[misc]


def test_an_approved_plan_changes_only_by_a_replan() -> None:
    run = state(stage("a"))
    other = run.plan.model_copy(update={"title": "another"})
    with pytest.raises(StateError, match="immutable once approved"):
        run.apply("plan", plan=other)
    assert run.apply("replan", plan=other, plan_approved=False).plan.title == "another"
    assert run.model_copy(update={"plan_approved": False}).apply("plan", plan=other).plan.title == "another"


def test_confirmed_materials_are_withdrawn_before_they_change() -> None:
    run = state().apply("prepare_materials", materials=(RECORD,))
    other = RECORD.model_copy(update={"index": 1.6})
    with pytest.raises(StateError, match="immutable once confirmed"):
        run.apply("material_checkpoint", validated_materials=(other,))
    again = run.apply("material_checkpoint", validated_materials=None)
    assert (
        again.apply("material_checkpoint", validated_materials=(other,)).validated_materials[0].index == 1.6
    )


def test_the_tables_name_fields_that_exist() -> None:
    fields = set(ReproState.model_fields)
    assert set().union(*OWNERSHIP.values()) <= fields
    assert {name for names in REQUIREMENTS.values() for name in names} <= fields
    assert set(REQUIREMENTS) <= set(OWNERSHIP)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("completed_success", "completed_success", "passed"),
        ("completed_success", "completed_partial", "partial"),
        ("completed_partial", "completed_failed", "failed"),
        ("completed_failed", "not_started", "not_done"),
        ("completed_success", "invalidated", "not_done"),
    ],
)
def test_the_hierarchy_is_the_worst_of_a_kinds_stages(first: str, second: str, expected: str) -> None:
    run = state(stage("a"), stage("b"), m="completed_success", a=first, b=second)
    assert run.hierarchy.single_structure == expected
    assert run.hierarchy.material_validation == "passed" and run.hierarchy.complex_physics == "not_done"
    assert "hierarchy" not in run.model_dump(), "it is computed, never stored"


def test_targets_nothing_was_compared_for_are_named() -> None:
    assert not_compared(state(stage("a"))) == ("t_a",)
    assert not_compared(ReproState(paper_id="p", run_id="r")) == ()


def _faults(*stages: Stage) -> str:
    plan: Plan = state(*stages).plan
    return "\n".join(plan_faults(plan))


def test_a_sound_plan_has_no_faults() -> None:
    assert _faults(stage("a", "SINGLE_STRUCTURE", "m"), stage("b", "ARRAY_SYSTEM", "a")) == ""


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        (
            (stage("a", "SINGLE_STRUCTURE", "b"), stage("b", "SINGLE_STRUCTURE", "a")),
            "cycle: a -> b -> a; remove one",
        ),
        ((stage("a", "SINGLE_STRUCTURE", "a"),), "cycle: a -> a"),
        ((stage("a", "SINGLE_STRUCTURE", "x"),), "'a' depends on 'x', which is no stage; allowed: m, a"),
        ((stage("a"), stage("a")), "stage_id 'a' is used twice"),
        ((stage("b", "PARAMETER_SWEEP"),), "needs a SINGLE_STRUCTURE stage before it"),
        (
            (stage("a", "SINGLE_STRUCTURE", "b"), stage("b", "ARRAY_SYSTEM")),
            "'a' (SINGLE_STRUCTURE) depends on the later kind 'b'",
        ),
    ],
)
def test_what_makes_a_plan_impossible(stages: tuple[Stage, ...], words: str) -> None:
    assert words in _faults(*stages)


def test_a_plan_begins_with_its_materials_and_uses_only_those() -> None:
    plan = state(stage("a")).plan
    assert (
        "first stage must be MATERIAL_VALIDATION"
        in plan_faults(plan.model_copy(update={"stages": plan.stages[1:]}))[0]
    )
    gold = plan.stages[1].model_copy(update={"materials": ("gold",)})
    assert (
        "uses material 'gold', which the plan does not define; defined: glass"
        in plan_faults(plan.model_copy(update={"stages": (plan.stages[0], gold)}))[0]
    )


def test_progress_of_an_unknown_stage_is_an_error() -> None:
    run = state(stage("a"))
    assert run.with_progress("a", status="blocked")[1] == StageProgress(stage_id="a", status="blocked")
    with pytest.raises(KeyError):
        run.stage_progress("b")
