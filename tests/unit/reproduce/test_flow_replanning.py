"""A new plan keeps finished work, says what it withdraws, and costs nothing while it is only a draft."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from agents.reproduce import planner
from agents.talking.agent import Agent
from flows.reproduce.planning import approved_plan
from flows.reproduce.planning.replanning import Settled, carried_progress, lines, settle, withdrawals
from flows.run.endings import RunStopped
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.plan import Plan, PlannerAnswer, Stage
from schemas.reproduce.settings import Limits, RunSettings
from schemas.reproduce.state import ReproState
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import Position
from tests.unit.agents.agents_fixture import PAPER
from tests.unit.evidence.test_evidence_headline import compared
from tests.unit.reproduce.test_flow_selection import GLASS, RECORD, stage, state

pytestmark = pytest.mark.unit
AIR = MaterialChoice(name="air", index=1.0, band_um=(0.4, 0.7), reason="stated", source="the paper")


def film(name: str = "film", **changes: object) -> Stage:
    made = stage(name, "SINGLE_STRUCTURE", "m")
    return made.model_copy(
        update={"materials": ("glass",), "description": "a film of 300 nm, E along y", **changes}
    )


ARRAY = stage("array", "ARRAY_SYSTEM", "film")
COMPARED = tuple(
    c.model_copy(update={"stage_id": c.target_id.removeprefix("t_")})
    for c in compared(t_film="SUCCESS", t_array="FAILURE")
)


def finished() -> ReproState:
    """Stage 0 and the film are done, the array failed."""
    run = state(film(), ARRAY, m="completed_success", film="completed_success", array="completed_failed")
    return run.model_copy(
        update={
            "figure_comparisons": COMPARED,
            "materials": (RECORD,),
            "plan_round": 1,
            "progress": run.with_progress("film", attempts=2),
        }
    )


def revised(before: ReproState, *stages: Stage, **more: object) -> Plan:
    assert before.plan is not None
    return before.plan.model_copy(update={"stages": (before.plan.stages[0], *stages), **more})


def status(settled: Settled, before: ReproState) -> dict[str, str]:
    return {entry.stage_id: entry.status for entry in carried_progress(settled, before)}


def test_a_new_plan_may_not_forget_what_carries_the_claim() -> None:
    before = finished()
    assert before.plan is not None
    before = before.model_copy(update={"plan": before.plan.model_copy(update={"claim_targets": ("film",)})})
    forgets = settle(revised(before, film(), ARRAY, claim_targets=()), before)
    assert [issue.where for issue in forgets.findings() if issue.severity == "blocking"] == ["claim_targets"]
    assert not settle(revised(before, film(), ARRAY), before).findings()


def test_words_order_and_weights_do_not_throw_finished_work_away() -> None:
    before = finished()
    reworded = film(
        description="The film (300 nm thick), with E along y",
        validation_criteria=("smooth",),
        estimated_runtime_s=99,
    )
    targets = tuple(
        t.model_copy(update={"description": "other words", "major": False}) for t in reworded.targets
    )
    new = revised(before, ARRAY, reworded.model_copy(update={"targets": targets}))
    settled = settle(new.model_copy(update={"stages": (*new.stages[1:], new.stages[0])}), before)
    assert set(settled.kept) == {"m", "film"} and settled.reworded == ("film",) and not settled.withdrawn
    assert settled.plan.stage("film") == film()  # as it was run: its target stays major
    assert status(settled, before) == {
        "m": "completed_success",
        "film": "completed_success",
        "array": "not_started",
    }
    assert [issue.where for issue in settled.findings()] == ["film"]
    assert lines(settled) == ("kept as finished: film, m",)


def test_what_failed_by_results_is_not_computed_again_under_the_same_words() -> None:
    """A new plan that changed one sentence took both solved stages back, and their numbers out of the report."""
    before = finished()
    by_results = before.model_copy(update={"progress": before.with_progress("array", disagrees=True)})
    settled = settle(revised(before, film(), ARRAY), by_results)
    assert set(settled.kept) == {"m", "film", "array"} and not settled.withdrawn
    assert status(settled, by_results)["array"] == "completed_failed"
    assert "t_array" in {c.target_id for c in withdrawals(settled, by_results)["figure_comparisons"]}
    other = ARRAY.model_copy(update={"description": "rods of 90 nm"})
    assert status(settle(revised(before, film(), other), by_results), by_results)["array"] == "not_started"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"description": "a film of 320 nm, E along y"}, "what it computes or is compared with changed"),
        ({"materials": ("glass", "air")}, "what it computes or is compared with changed"),
        ({"expected_balance": "lossless"}, "what it computes or is compared with changed"),
    ],
)
def test_a_stage_that_computes_something_else_runs_again_and_says_so(changes, why) -> None:
    before = finished()
    settled = settle(revised(before, film(**changes), materials=(GLASS, AIR)), before)
    assert settled.kept == ("m",) and settled.withdrawn == (("film", why),)
    assert lines(settled)[1] == f"withdrawn: film ({why})"
    again = {entry.stage_id: entry for entry in carried_progress(settled, before)}["film"]
    assert again.status == "not_started" and again.attempts == 2


def test_a_new_material_sends_stage_0_round_again_but_not_what_does_not_use_it() -> None:
    before = finished()
    assert before.plan is not None
    checks = before.plan.stages[0].model_copy(update={"materials": ("glass", "air")})
    new = before.plan.model_copy(update={"stages": (checks, film(), ARRAY), "materials": (AIR, GLASS)})
    settled = settle(new, before)
    assert settled.kept == ("film",) and settled.withdrawn[0][0] == "m"
    given_up = withdrawals(settled, before)
    assert given_up["validated_materials"] is None and [
        c.target_id for c in given_up["figure_comparisons"]
    ] == ["t_film"]


def test_a_changed_material_takes_along_what_uses_it_and_other_reasons_do_not() -> None:
    before = finished()
    reasoned = GLASS.model_copy(update={"reason": "other words", "source": "other words"})
    settled = settle(revised(before, film(), ARRAY, materials=(reasoned,)), before)
    assert settled.kept == ("m", "film")
    assert withdrawals(settled, before)["validated_materials"] == before.validated_materials
    settled = settle(
        revised(before, film(), ARRAY, materials=(GLASS.model_copy(update={"index": 1.52}),)), before
    )
    assert dict(settled.withdrawn)["film"] == "material glass changed"


def test_kept_stages_are_inserted_word_for_word_and_only_finished_ones_can_be() -> None:
    before = finished()
    assert before.plan is not None
    short = before.plan.model_copy(
        update={"stages": (stage("array2", "ARRAY_SYSTEM", "film"),), "materials": (AIR,)}
    )
    settled = settle(short, before, keep=("m", "film", "array", "nix"))
    assert [s.stage_id for s in settled.plan.stages] == ["m", "film", "array2"]
    assert {m.name for m in settled.plan.materials} == {"glass", "air"}
    assert settled.kept == ("m", "film") and settled.refused == ("array", "nix")
    assert [issue.where for issue in settled.findings()] == ["array", "nix"]


def test_a_stage_is_not_kept_on_one_that_runs_again() -> None:
    run = state(film(), ARRAY, m="completed_success", film="completed_success", array="completed_success")
    settled = settle(revised(run, film(description="a film of 5 nm"), ARRAY), run)
    assert dict(settled.withdrawn)["array"] == "it rests on film, which runs again"


def test_a_draft_that_is_sent_back_costs_nothing() -> None:
    before = finished()
    draft = settle(revised(before, film(description="a film of 5 nm"), ARRAY), before)
    now = before.apply("replan", plan_approved=False).apply(
        "replan", plan=draft.plan, progress=carried_progress(draft, before)
    )
    assert now.figure_comparisons == before.figure_comparisons
    final = settle(revised(before, film()), before)
    now = now.apply(
        "replan",
        plan=final.plan,
        progress=carried_progress(final, before),
        **withdrawals(final, before, "the array is too costly", "the supervisor"),
    )
    assert [c.target_id for c in now.figure_comparisons] == ["t_film"]
    assert [(r.target_id, r.event, r.classification) for r in now.comparison_history] == [
        ("t_array", "withdrawn", "FAILURE"),
        ("t_array", "dropped", None),
    ]
    assert now.comparison_history[0].reason == "the supervisor: the array is too costly"
    assert [(turn.kind, turn.reason) for turn in now.turns] == [("new plan", "the array is too costly")]


class Planning:
    """make_plan with canned answers: what it asks the planner, what it leaves in the state."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: ReproState, *answers: object):
        self.state, self.history, self.said, self.asked, self._answers = before, [], [], [], list(answers)
        self.console = SimpleNamespace(say=lambda text, stage="": self.said.append(text))
        self.checkpoints: list[str] = []
        self.paper = PAPER
        self.paper_dir = self.run_dir = tmp_path
        self.settings = RunSettings(limits=Limits(max_replans=5))
        monkeypatch.setattr(approved_plan, "ask_agent", self._ask)
        monkeypatch.setattr(approved_plan, "publish_markdown", lambda *_: None)
        monkeypatch.setattr(approved_plan, "figure_images", lambda *_: [])
        monkeypatch.setattr(approved_plan, "data_columns", lambda *_: {})
        monkeypatch.setattr(
            approved_plan, "_planner_context", lambda run: planner.context(run.state, run.paper)
        )
        monkeypatch.setattr(approved_plan, "plan_rule", lambda *_, **__: ())

    def position(self, agent: str, *_: object) -> Position:
        return Position(agent=agent)  # type: ignore[arg-type]

    def checkpoint(self, name: str) -> None:
        self.checkpoints.append(name)

    def update(self, node: str, **changes: object) -> None:
        self.state = self.state.apply(node, **changes)

    def _ask(
        self, _run: object, agent: Agent, context: dict[str, object], *_: object, **__: object
    ) -> object:
        self.asked.append((agent.name, context))
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def planned(plan: Plan, *keep: str) -> PlannerAnswer:
    return PlannerAnswer(plan=plan, keep=keep, extracted_parameters=(), assumptions=())


def reviewed(verdict: str, feedback: str = "") -> ReviewAnswer:
    return ReviewAnswer(verdict=verdict, issues=(), checklist=(), feedback=feedback)


def test_a_replan_tells_the_planner_why_and_the_blind_agents_nothing(monkeypatch, tmp_path) -> None:
    before = finished().model_copy(
        update={"reviewer_feedback": "the analyst's words", "reviewer_verdict": "needs_revision"}
    )
    draft, final = (
        revised(before, film(description="a film of 5 nm")),
        revised(before, stage("array2", "ARRAY_SYSTEM", "film")),
    )
    run = Planning(
        monkeypatch,
        tmp_path,
        before,
        planned(draft),
        reviewed("needs_revision", "keep the film"),
        planned(final, "film"),
        reviewed("approve"),
    )
    approved_plan.make_plan(run, "the dip is too shallow", "a person asked for it after array")
    first, second = (context for name, context in run.asked if name == "planner")
    assert first["supervisor_feedback"] == "the dip is too shallow" and not first["reviewer_feedback"]
    assert first["replan_reason"] == "a person asked for it after array"
    assert second["reviewer_feedback"] == "keep the film" and second["replan_reason"].endswith(
        "sent the last version back"
    )
    assert run.state.supervisor_feedback == "" and run.state.plan_approved
    assert (run.state.counters.replans, run.state.counters.plan_revisions) == (1, 1)
    assert "kept as finished: m, film" in run.said and "new plan: kept as finished: m, film" in run.history
    assert [c.target_id for c in run.state.figure_comparisons] == ["t_film"]
    assert run.state.stage_progress("film").status == "completed_success"


def test_a_replan_that_a_person_gives_up_leaves_the_old_plan_and_its_results(monkeypatch, tmp_path) -> None:
    before = finished()
    draft = revised(before, film(description="a film of 5 nm"))
    run = Planning(monkeypatch, tmp_path, before, planned(draft), RunStopped("the model refused"))
    with pytest.raises(RunStopped):
        approved_plan.make_plan(run, "again", "the supervisor asked for it after array")
    assert run.state.plan == before.plan and run.state.progress == before.progress
    assert run.state.figure_comparisons == before.figure_comparisons
    assert run.state.validated_materials == before.validated_materials
