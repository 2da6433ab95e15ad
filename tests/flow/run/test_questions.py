"""Questions as a person meets them: in a terminal, given beforehand, and when nobody is there."""

from __future__ import annotations

import copy
import json
import os
import pty
from typing import Any

import httpx
import pytest

from tests.flow import bare
from tests.flow.kit import PARTLY, Bench, Model, wait_until
from tests.messages_server import label_of

pytestmark = pytest.mark.flow
CHECKPOINT = "Are the materials right?"
BAD_INPUT = 2


def _questions(bench: Bench) -> list[str]:
    return [
        entry["request"]["question_id"] for entry in bench.transcript() if entry.get("kind") == "question"
    ]


def _responses(state: dict[str, Any]) -> list[tuple[str, str]]:
    return [(entry["user_response"], entry["answered_by"]) for entry in state["user_interactions"]]


def test_a_person_at_the_terminal(bench: Bench) -> None:
    """Nonsense is explained, help shows the alternatives, a correction runs stage 0 again, then approval, from another terminal."""
    ours, theirs = pty.openpty()
    try:
        with Model(bare.gold_answer) as model:
            cli = bench.reproduce(model, stdin=theirs)
            cli.says(CHECKPOINT)
            os.write(ours, b"perhaps\n")
            cli.says("'perhaps' is no answer")
            assert "allowed: approve, change_database" in cli.err
            os.write(ours, b"need_help\n")
            cli.says("Alternatives for gold")
            assert "| main/Au/Olmon-ev |" in cli.err.split("Alternatives for gold")[-1]
            os.write(ours, b"change_database: gold=main/Au/Olmon-ev\n")
            cli.says(f"{bare.STAGE0}: Materials (attempt 2)")
            cli.says("material gold: main/Au/Olmon-ev")
            cli.says_again(f"\n{CHECKPOINT}\n", 2)
            run = bench.run_dir.name
            wrong = bench.start("answer", run, "material_checkpoint", "perhaps")
            assert wrong.wait() == BAD_INPUT and "allowed: approve, change_database" in wrong.err
            beside = bench.start("answer", run, "material_checkpoint", "approve")
            assert beside.wait() == 0, beside.err
            assert cli.wait() == PARTLY, cli.err[-3000:]
    finally:
        os.close(ours)
        os.close(theirs)
    late = bench.start("answer", run, "material_checkpoint", "approve")
    assert late.wait() == BAD_INPUT and "no such request" in late.err
    state = bench.state()
    assert _responses(state) == [
        ("need_help", "terminal"),
        ("change_database: gold=main/Au/Olmon-ev", "terminal"),
        ("approve", "terminal"),
    ]
    assert len(set(_questions(bench))) == 3
    assert state["counters"]["backtracks"] == 1
    assert [m["page"] for m in state["validated_materials"]] == [None, "main/Au/Olmon-ev"]
    assert state["validated_materials"][1]["check"]["status"] == "passed"
    assert cli.err.count("bare gold passed: R by FDTD differs from Fresnel") == 2, "with each table"
    assert "main/Au/Olmon-ev" in bench.report()


def _form_is_kept(api: httpx.Client, path: str) -> bool:
    state = api.get(path).json()["state"]
    return (
        state["type"] == "PAUSED"
        and api.get(f"{path}/input/{state['state_details']['run_input_keyset']['schema']}").status_code == 200
    )


@pytest.mark.long
def test_an_answer_that_comes_after_the_process_was_killed(bench: Bench, prefect_api: str) -> None:
    """The form is on the server, which keeps the answer; the run that continues takes it and asks nobody again."""
    with Model(bare.gold_answer) as model, httpx.Client(base_url=prefect_api, timeout=60) as api:
        ours, theirs = pty.openpty()
        try:
            first = bench.reproduce(model, stdin=theirs)
            first.says(CHECKPOINT)
            [form] = json.loads((bench.run_dir / "forms.json").read_text())
            path = f"/flow_runs/{form['flow_run_id']}"
            wait_until(
                lambda: _form_is_kept(api, path), "the pause and its form, which Prefect writes after it"
            )
            first.kill()
            assert bench.state("before_ask_user")["pending_user_questions"] == [CHECKPOINT]
        finally:
            os.close(ours)
            os.close(theirs)
        given = {"run_input": {"choice": "approve", "text": "seen"}}
        reply = wait_until(
            lambda: (r := api.post(f"{path}/resume", json=given)).status_code != 503 and r,
            "the server's word",
        )
        assert reply.json()["status"] == "ACCEPT", reply.text
        second = bench.start("resume", bench.run_dir.name)
        assert second.wait() == PARTLY, second.err[-3000:]
    assert bench.state("after_stage0_user_confirm")["pending_user_questions"] == []
    assert (
        _responses(bench.state()) == [("approve: seen", "web")]
        and len(json.loads((bench.run_dir / "forms.json").read_text())) == 1
    ), "no second form"


def test_nobody_there_to_be_asked(bench: Bench) -> None:
    """Exit code 3 with a command that goes on; a correction given beforehand is made once, not for ever."""
    nobody = {"REPROLAB_NON_INTERACTIVE": "1"}
    correction = "material_checkpoint=change_database: gold=main/Au/Olmon-ev"
    with Model(bare.gold_answer) as model:
        first = bench.reproduce(model, "--answer", correction, env=nobody)
        assert first.wait() == 3, first.err[-3000:]
        run = bench.run_dir.name
        assert f"a person has to answer: {CHECKPOINT}" in first.err and "need_help (" in first.err
        command = f"reprolab resume {run} --answer material_checkpoint=approve"
        assert command in first.err and "Traceback" not in first.err
        assert _questions(bench) == ["material-checkpoint-1"]
        answered, solved = dict(model.answered), bench.solved()
        assert len(solved) >= 4, "reference and surface with each table"

        second = bench.start(*command.split()[1:], env=nobody)
        assert second.wait() == PARTLY, second.err[-3000:]
        assert {label: model.answered[label] for label in answered} == answered, "an answer was bought twice"
    assert bench.solved() == solved, "a bare surface was solved again"
    assert _responses(bench.state()) == [
        ("change_database: gold=main/Au/Olmon-ev", "given beforehand"),
        ("approve", "given beforehand"),
    ]


@pytest.mark.long
def test_an_answer_that_is_no_choice(bench: Bench) -> None:
    """Refused where it would be used, naming the choices; the run goes on with a right one."""
    with Model(bare.answer) as model:
        wrong = bench.reproduce(model, "--answer", "material_checkpoint=yes")
        assert wrong.wait() == 2, wrong.err[-3000:]
        assert "'yes' is no answer" in wrong.err and "approve, change_database" in wrong.err
        assert not list(bench.run_dir.glob("REPRODUCTION_REPORT_*")), "no report on a run that waits"
        right = bench.start("resume", "--answer", "material_checkpoint=approve")
        assert right.wait() == PARTLY, right.err[-3000:]
        assert max(model.answered.values()) == 1


def test_agents_ask_and_get_their_answers(bench: Bench) -> None:
    """The planner asks for ever and is heard as often as allowed; the designer's answer reaches the designer only."""
    layers = {
        "kind": "clarification",
        "title": "One layer or two?",
        "body": "Figure 1 shows R of 1.26 %.",
        "choices": [
            {"name": "approve", "effect": "one layer"},
            {"name": "two layers", "effect": "as in the caption"},
        ],
    }
    cost = {
        "kind": "trade_off_decision",
        "title": "Finer grid?",
        "body": "Twice the cost.",
        "choices": [{"name": "fine", "effect": "twice the cost"}, {"name": "coarse", "effect": "as it is"}],
    }

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        found, label = copy.deepcopy(bare.answer(request)), label_of(request)
        if label.startswith("planner"):
            found["questions"] = [layers]
        if label == f"simulation_designer.{bare.STAGE}.1.1.0":
            return {"questions": [cost]}
        return found

    with Model(answer) as model:
        cli = bench.reproduce(
            model,
            *bench.settings(max_questions=1),
            "--answer",
            "clarification=two_layers",
            "--answer",
            "trade_off_decision=other: as fine\nas it must be",
            "--answer",
            "material_checkpoint=approve",
        )
        assert cli.wait() == PARTLY, cli.err[-3000:]
        said = {label_of(request): str(request["messages"]) for request in model.requests}
    assert [label for label in said if label.startswith("planner")] == ["planner.-.1.1.0", "planner.-.1.1.1"]
    assert (
        "two_layers" in said["planner.-.1.1.1"] and "[clarification] One layer or two?: two_layers" in cli.err
    )
    designer = said[f"simulation_designer.{bare.STAGE}.1.1.1"]
    assert "as it must be" in designer and "Finer grid" not in said["planner.-.1.1.1"]
    assert "One layer or two" not in designer and "two_layers" not in designer, "the designer is blind"
    asked = {entry["interaction_type"]: entry for entry in bench.state()["user_interactions"]}
    assert asked["clarification"]["alternatives_considered"] == ["option_approve", "other"]
    assert asked["clarification"]["addressed_to"] == "planner"
    assert asked["trade_off_decision"]["addressed_to"] == "simulation_designer"
