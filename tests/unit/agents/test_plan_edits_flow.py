"""A planner who edits the plan as a liar would: what failed is forgotten no sooner than by a whole plan."""

from __future__ import annotations

import pytest

from flows.reproduce.planning import approved_plan
from flows.run.endings import RunStopped
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.planning.plan_edits import PlanRevisionAnswer
from schemas.reproduce.planning.readings import Reading
from schemas.reproduce.state import ReproState
from schemas.talking.interaction import UserAnswer
from tests.unit.reproduce.test_flow_replanning import (
    ARRAY,
    Planning,
    film,
    finished,
    planned,
    reviewed,
    revised,
)
from tests.unit.reproduce.test_flow_selection import stage

pytestmark = pytest.mark.unit


def by_edits(**edits: object) -> PlanRevisionAnswer:
    return PlanRevisionAnswer.model_validate({"edits": edits})


def outcome(
    monkeypatch, tmp_path, before: ReproState, *answers: object
) -> tuple[ReproState, list[str], dict[str, object]]:
    """The state after a replan, the history, and what the plan's reviewer was last told."""
    run = Planning(monkeypatch, tmp_path, before, *answers)
    approved_plan.make_plan(run, "again", "the supervisor asked for it after array")
    return run.state, run.history, [context for name, context in run.asked if name == "plan_reviewer"][-1]


ARRAY_FAILED = "plan.stages[array].targets[t_array]"
OTHER = stage("other", "ARRAY_SYSTEM", "film")
LIES: dict[str, tuple[dict[str, object], object]] = {  # edits, and the same lie as a whole plan
    "the failed stage is dropped": ({"remove": ["plan.stages[array]"]}, lambda b: revised(b, film())),
    "the failed target gives way to another": (
        {
            "remove": [ARRAY_FAILED],
            "targets": [{"stage_id": "array", "target": OTHER.targets[0].model_dump()}],
        },
        lambda b: revised(b, film(), ARRAY.model_copy(update={"targets": OTHER.targets})),
    ),
    "the failed target gets another name": (
        {"changes": [{"path": f"{ARRAY_FAILED}.target_id", "value": "t_new"}]},
        lambda b: revised(
            b,
            film(),
            ARRAY.model_copy(
                update={"targets": (ARRAY.targets[0].model_copy(update={"target_id": "t_new"}),)}
            ),
        ),
    ),
    "the failed target is demoted": (
        {"changes": [{"path": f"{ARRAY_FAILED}.major", "value": False}]},
        lambda b: revised(
            b,
            film(),
            ARRAY.model_copy(update={"targets": (ARRAY.targets[0].model_copy(update={"major": False}),)}),
        ),
    ),
    "the failed target becomes a reading nobody wrote": (
        {"readings": [{"name": "guess", "targets": ["t_array"]}]},
        lambda b: revised(b, film(), ARRAY, readings=(Reading(name="guess", targets=("t_array",)),)),
    ),
    "the claim rests on nothing any more": (
        {"changes": [{"path": "plan.claim_targets", "value": []}]},
        lambda b: revised(b, film(), ARRAY, claim_targets=()),
    ),
    "the claim is another": (
        {"changes": [{"path": "plan.main_claim", "value": "There is a film."}]},
        lambda b: revised(b, film(), ARRAY, main_claim="There is a film."),
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_edits_hide_nothing_that_a_whole_plan_could_not(lie: str, monkeypatch, tmp_path) -> None:
    """A planner who wants a failed comparison to be forgotten gains nothing by an edit: state, ledger, history and what the
    reviewer reads are those of the same plan written as a whole. And the failure stands in the ledger."""
    before = finished()
    assert before.plan is not None
    before = before.model_copy(
        update={"plan": before.plan.model_copy(update={"claim_targets": ("t_array",)})}
    )
    edits, whole = LIES[lie]
    plan = Plan.model_validate(whole(before).model_dump())
    small = outcome(
        monkeypatch,
        tmp_path,
        before,
        by_edits(**edits),
        reviewed("needs_revision", "no"),
        by_edits(changes=[{"path": "plan.title", "value": "final"}]),
        reviewed("approve"),
        *[planned(before.plan), reviewed("approve")] * 2,
    )
    large = outcome(
        monkeypatch,
        tmp_path,
        before,
        planned(plan),
        reviewed("needs_revision", "no"),
        planned(plan.model_copy(update={"title": "final"})),
        reviewed("approve"),
        *[planned(before.plan), reviewed("approve")] * 2,
    )
    assert small == large
    lost = [(r.target_id, r.classification) for r in small[0].comparison_history if r.event == "withdrawn"]
    assert ("t_array", "FAILURE") in lost and small[0].figure_comparisons == before.figure_comparisons[:1]


def test_a_finished_target_cannot_be_edited_away_without_its_line(monkeypatch, tmp_path) -> None:
    before = finished()
    state, history, _ = outcome(
        monkeypatch,
        tmp_path,
        before,
        by_edits(changes=[{"path": "plan.stages[film].targets[t_film].target_id", "value": "t_soft"}]),
        reviewed("approve"),
    )
    assert "new plan: withdrawn: film (what it computes or is compared with changed)" in history
    assert [(r.target_id, r.event) for r in state.comparison_history if r.target_id == "t_film"] == [
        ("t_film", "withdrawn"),
        ("t_film", "dropped"),
    ]


def test_edits_that_do_not_fit_are_told_beside_what_was_open_and_never_accepted(
    monkeypatch, tmp_path
) -> None:
    """Nothing is applied, no reviewer is asked, and no person is offered to accept the plan that is still refused."""
    before = finished()
    offered: list[str] = []

    def stop(_run: object, question: object) -> UserAnswer:
        offered.extend(choice.name for choice in question.choices)
        return UserAnswer(choice="stop")

    monkeypatch.setattr(approved_plan, "ask", stop)
    misfit = by_edits(remove=["plan.stages[array]", "plan.stages[nix]"])
    run = Planning(
        monkeypatch,
        tmp_path,
        before,
        by_edits(changes=[{"path": "plan.title", "value": "draft"}]),
        reviewed("needs_revision", "name the claim"),
        *[misfit] * 8,
    )
    with pytest.raises(RunStopped):
        approved_plan.make_plan(run, "again", "the supervisor asked for it after array")
    *_, last = (context for name, context in run.asked if name == "planner")
    assert [name for name, _ in run.asked].count("plan_reviewer") == 1 and last["previous_plan"][
        "plan"
    ].title == "draft"
    assert "no entry has the id 'nix' in stages; allowed: m, film" in last["reviewer_feedback"]
    assert (
        last["reviewer_feedback"].count("name the claim") == 1
        and "accept" not in offered
        and "guide" in offered
    )
    assert run.state.plan == before.plan and run.state.figure_comparisons == before.figure_comparisons


def test_edits_that_fit_at_the_second_try_cost_no_revision(monkeypatch, tmp_path) -> None:
    run = Planning(
        monkeypatch,
        tmp_path,
        finished(),
        by_edits(remove=["plan.stages[nix]"]),
        by_edits(changes=[{"path": "plan.title", "value": "final"}]),
        reviewed("approve"),
    )
    approved_plan.make_plan(run, "again", "the supervisor asked for it after array")
    second = run.asked[1][1]
    assert (
        "no entry has the id 'nix'" in second["reviewer_feedback"]
        and second["supervisor_feedback"] == "again"
    )
    assert run.state.plan.title == "final" and run.state.counters.replans == 1 and run.state.plan_round == 2
