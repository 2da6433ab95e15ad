"""Nothing is paid for twice: what a call is kept under is the same when the work is done again, retried or resumed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from agents.models.wire import user_text
from agents.reproduce import planner, simulation_designer, supervisor
from agents.talking.agent import build_request
from flows.reproduce.context import Run
from flows.reproduce.stage import begin_stage
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.settings import Limits, RunSettings
from schemas.reproduce.state import ReproState
from schemas.run.settings import ModelSettings
from schemas.talking.interaction import UserInteraction, next_id
from schemas.talking.transcript import Position
from tests.flow.coating import PLAN
from tests.unit.agents.agents_fixture import run_state

pytestmark = pytest.mark.unit


def a_run() -> Run:
    """A run before its first stage, without what talks to the outside."""
    state = ReproState(
        paper_id="p",
        run_id="r",
        plan=Plan.model_validate(PLAN["plan"]),
        plan_approved=True,
        progress=(StageProgress(stage_id="stage0_materials"), StageProgress(stage_id="stage1_coating")),
    )
    nothing: Any = dict.fromkeys(
        (
            "paper",
            "paper_dir",
            "given",
            "run_dir",
            "store",
            "meep",
            "sandbox",
            "model",
            "transcript",
            "ledger",
            "unfinished",
            "console",
            "clock",
            "answers",
            "fits",
            "progress",
            "unanswered",
        )
    )
    return Run(**nothing, settings=RunSettings(), state=state)


def digest(agent: Any, context: dict[str, object], **settings: Any) -> str:
    return build_request(
        agent, context, position=Position(agent=agent.name), adaptations=(), settings=RunSettings(**settings)
    ).digest()


def test_a_retried_stage_attempt_does_not_meet_the_design_it_made_before():
    run = a_run()
    before, stage = run.snapshot(), run.stage("stage0_materials")
    run.designs[stage.stage_id] = run_state().design
    run.position("simulation_designer", stage.stage_id)
    run.history.append("design sent back")
    run.restore(before)
    begin_stage(run, stage, 1)
    assert run.state.design is None and not run.history
    assert run.position("simulation_designer", stage.stage_id).round == 1


def test_a_snapshot_holds_all_that_a_run_remembers_and_a_second_retry_finds_it_untouched():
    run = a_run()
    stays = {"executed", "artifacts", "stage_runs"}  # the last two are addresses on Prefect's server
    kept = {
        entry.name for entry in fields(Run) if isinstance(getattr(run, entry.name), (dict, list, set))
    } - stays
    before = run.snapshot()
    assert kept <= set(before.memory), "what work leaves behind must be forgotten when it is done again"
    for _ in range(2):
        run.restore(before)
        assert not any(getattr(run, name) for name in kept)
        run.history.append("x")
        run.outputs["s"] = None  # type: ignore[assignment]
        run.batch("b").set()


def test_raised_limits_buy_no_answer_again():
    """`resume --max-cost`, `--max-hours` and a longer answer: prompts and the supervisor tell them, the key does not."""
    agents = {
        planner.AGENT: {},
        simulation_designer.AGENT: {},
        supervisor.AGENT: {"runtime_budget": {"usd_left": 1}},
    }
    more = {
        "limits": Limits(
            max_replans=9, max_design_revisions=9, max_experiments=99, experiment_cpu_s=500, max_cost_usd=50
        ),
        "model": ModelSettings(max_tokens=64000),
    }
    for agent, context in agents.items():
        raised = context and {"runtime_budget": {"usd_left": 40}}
        assert digest(agent, context) == digest(agent, raised, **more)
        assert digest(agent, context) != digest(agent, context, model=ModelSettings(kind="anthropic"))
        assert digest(agent, context) != digest(agent, context, fresh="again")
    assert digest(planner.AGENT, {}) != digest(planner.AGENT, {}, thresholds="loose"), (
        "judging by other numbers is asked anew"
    )
    shown = build_request(
        supervisor.AGENT,
        {"runtime_budget": {"usd_left": 40}},
        position=Position(agent="supervisor"),
        adaptations=(),
        settings=RunSettings(**more),
    )
    assert "usd_left" in user_text(shown) and "at most 9;" in shown.system[1].text


def test_trouble_with_the_model_renames_no_assumption():
    """A resumed run does not meet a failure again: the answers it does meet keep their names, which agents are shown."""

    def entry(kind: Any, log: tuple[UserInteraction, ...]) -> UserInteraction:
        return UserInteraction(
            id=next_id(log, kind),
            timestamp="",
            interaction_type=kind,
            stage_id=None,
            agent="",
            reason="",
            question="",
            user_response="",
            answered_by="terminal",
        )

    names = []
    for kinds in (
        ("model_error", "clarification", "infrastructure", "material_checkpoint"),
        ("clarification", "material_checkpoint"),
    ):
        log: tuple[UserInteraction, ...] = ()
        for kind in kinds:
            log = (*log, entry(kind, log))
        names.append([e.id for e in log])
    assert names == [["M1", "U1", "M2", "U2"], ["U1", "U2"]]
