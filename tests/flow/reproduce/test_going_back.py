"""Going back, as whole runs: to the materials, with all that used one; and never to a stage that has not finished."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.flow import bare, described
from tests.flow.kit import PARTLY, Bench, Model
from tests.messages_server import label_of

pytestmark = pytest.mark.flow
NOBODY = {"REPROLAB_NON_INTERACTIVE": "1"}
WAITS, REFUSED = 3, 2
SECOND = "stage2_again"
APPROVE = ("--answer", "material_checkpoint=approve")


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    """Two stages of bare glass beside gold; the plan has no stage 0 and names no dependencies: code adds what there is."""
    agent, stage = label_of(request).split(".")[:2]
    if agent == "planner":
        found = bare.plan(**bare.GOLD)
        first = found["plan"]["stages"][1] | {"dependencies": []}
        second = copy.deepcopy(first) | {"stage_id": SECOND, "stage_type": "PARAMETER_SWEEP"}
        second["targets"][0] |= {"target_id": "glass_again", "major": False}
        found["plan"]["stages"] = [first, second]
        return found
    words = json.dumps(bare.answer(request))
    return json.loads(words.replace("glass_bare", "glass_again") if stage == SECOND else words)


def _back(to: str) -> dict[str, Any]:
    return {
        "backtrack_suggestion": {
            "target_stage_id": to,
            "reason": "R is that of another glass",
            "severity": "critical",
            "confidence": "high",
        }
    }


def _rounds(model: Model, agent: str) -> list[str]:
    return sorted(
        {".".join(label.split(".")[1:3]) for label in model.answered if label.startswith(f"{agent}.stage")}
    )


@pytest.mark.long
def test_a_return_to_the_materials_takes_back_what_used_them_and_is_asked_about_anew(bench: Bench) -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        found, label = _answer(request), label_of(request)
        if label.startswith(f"results_analyzer.{SECOND}.1."):
            found |= _back(bare.STAGE0)
        if label.startswith(f"supervisor.{SECOND}.1."):
            found |= {
                "verdict": "backtrack_to_stage",
                "backtrack": {
                    "target_stage_id": bare.STAGE0,
                    "reason": "R is that of another glass",
                    "stages_to_invalidate": [],
                },
            }
        return found

    with Model(answer) as model:
        cli = bench.reproduce(model, *APPROVE, env=NOBODY)
        assert cli.wait() == WAITS, cli.err[-3000:]
        state = bench.state("before_ask_user")
        assert {entry["stage_id"]: entry["status"] for entry in state["progress"]} == {
            bare.STAGE0: "completed_success",
            bare.STAGE: "invalidated",
            SECOND: "invalidated",
        }
        assert state["figure_comparisons"] == [] and state["validated_materials"] is None
        gone = [entry for entry in state["comparison_history"] if entry["event"] == "withdrawn"]
        assert {entry["target_id"] for entry in gone} == {"glass_bare", "glass_again"}
        [question] = [
            json.loads(path.read_text()) for path in (bench.run_dir / "open_questions").glob("*.json")
        ]
        for said in (
            "ResultsAnalyzerAgent, and the supervisor agreed",
            "R is that of another glass",
            f"used by {bare.STAGE}, {SECOND}",
            "Alternatives for gold",
            "main/Au/Olmon-ev",
        ):
            assert said in question["body"], said
        assert "1 of 2 returns are used" in question["choices"][1]["effect"]
        assert [choice["name"] for choice in question["choices"]][0] == "approve_again"
        simulated = bench.simulated()

        on = bench.start("resume", "--answer", "material_checkpoint=approve_again", env=NOBODY)
        assert on.wait() == PARTLY, on.err[-3000:]
        assert _rounds(model, "simulation_designer") == [
            f"{bare.STAGE}.1",
            f"{bare.STAGE}.2",
            f"{SECOND}.1",
            f"{SECOND}.2",
        ]
    assert bench.simulated() == simulated, "the same code: nothing ran twice"
    state = bench.state()
    assert [entry["user_response"] for entry in state["user_interactions"]] == ["approve", "approve_again"]
    assert [(turn["kind"], turn["to"]) for turn in state["turns"]] == [("return", bare.STAGE0)]
    assert state["counters"]["backtracks"] == 1 and set(bench.comparisons()) == {"glass_bare", "glass_again"}
    assert "R is that of another glass" in bench.report()


@pytest.mark.long
def test_the_reviewer_of_a_description_can_send_a_run_back(bench: Bench) -> None:
    """Of a described stage it is the only reviewer: what it suggests comes to the supervisor, who says nothing of it."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        found = described.answer(request)
        return found | _back(bare.STAGE0) if label_of(request).startswith("design_reviewer") else found

    with Model(answer) as model:
        cli = bench.reproduce(model, *APPROVE, env=NOBODY)
        assert cli.wait() == WAITS, cli.err[-3000:]
    [question] = [json.loads(path.read_text()) for path in (bench.run_dir / "open_questions").glob("*.json")]
    assert (
        "Sent back by DesignReviewerAgent, and the supervisor agreed**: R is that of another glass"
        in question["body"]
    )


def test_a_run_goes_back_to_finished_stages_only(bench: Bench) -> None:
    """After the first stage an analyst and a supervisor want to return to the second, which has not started."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        found, label = _answer(request), label_of(request)
        if label.startswith(f"results_analyzer.{bare.STAGE}."):
            found |= _back(SECOND)
        if label == f"supervisor.{bare.STAGE}.1.1.0":
            found |= {"verdict": "ask_user", "question": f"Back to {SECOND}?"}
        if label.startswith(f"supervisor.{SECOND}."):
            found |= {
                "verdict": "backtrack_to_stage",
                "backtrack": {
                    "target_stage_id": "stage3_later",
                    "reason": "for once",
                    "stages_to_invalidate": [],
                },
            }
        return found

    with Model(answer) as model:
        wrong = bench.reproduce(
            model, *APPROVE, "--answer", f"general_feedback=backtrack: {SECOND}", env=NOBODY
        )
        assert wrong.wait() == REFUSED, wrong.err[-3000:]
        assert (
            f"backtrack does not know '{SECOND}'" in wrong.err
            and f"allowed: {bare.STAGE0}, {bare.STAGE}\n" in wrong.err
        )
        on = bench.start("resume", "--answer", "general_feedback=continue", env=NOBODY)
        assert on.wait() == PARTLY, on.err[-3000:]
        assert _rounds(model, "simulation_designer") == [f"{bare.STAGE}.1", f"{SECOND}.1"]
        stages = [label.split(".")[1] for label in model.order if label.startswith("simulation_designer")]
        assert stages == [bare.STAGE, SECOND]
    state = bench.state()
    assert state["turns"] == [] and state["counters"]["backtracks"] == 0
    assert "'stage3_later' is no finished stage of the plan" in state["supervisor_verdict"]["feedback"]
    [asked] = [
        entry for entry in state["user_interactions"] if entry["interaction_type"] == "general_feedback"
    ]
    assert asked["user_response"] == "continue" and f"to {SECOND}, R is" not in json.dumps(asked)
