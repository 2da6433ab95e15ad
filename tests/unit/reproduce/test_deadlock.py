"""What was blocked behind a failed stage can be run all the same, if a person says so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from flows.reproduce.planning import deadlock
from flows.reproduce.planning.selection import select_stage
from schemas.talking.interaction import Question, UserAnswer
from tests.unit.reproduce.test_flow_selection import stage, state

pytestmark = pytest.mark.unit


def stuck(monkeypatch: pytest.MonkeyPatch, choice: str) -> Any:
    """A run whose stage a failed; b depends on it, c on b; a person answers with `choice`."""
    found = state(
        stage("a"),
        stage("b", "SINGLE_STRUCTURE", "a"),
        stage("c", "SINGLE_STRUCTURE", "b"),
        m="completed_success",
        a="completed_failed",
        b="blocked",
        c="blocked",
    )
    run = SimpleNamespace(state=found, history=[], asked=[])

    def update(node: str, **changes: Any) -> None:
        run.state = run.state.apply(node, **changes)

    def ask(_run: Any, question: Question) -> UserAnswer:
        run.asked.append(question)
        return UserAnswer(choice=choice)

    run.update = update
    monkeypatch.setattr(deadlock, "ask", ask)
    return run


def test_a_person_lets_run_what_is_behind_a_failed_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    run = stuck(monkeypatch, "run_anyway")
    assert deadlock.ask_about_blocked(run, ("b",), 1) == "continue"
    assert [choice.name for choice in run.asked[0].choices] == [
        "give_up_stages",
        "run_anyway",
        "replan",
        "stop",
    ]
    assert "because a person decided it" in run.state.stage_progress("b").issues[-1]
    assert select_stage(run.state, budget_left_s=1e4).stage_ids == ("b",)
    run.update("select_stage", progress=run.state.with_progress("b", status="completed_partial"))
    assert select_stage(run.state, budget_left_s=1e4).stage_ids == ("c",)


def test_stages_given_up_stay_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    run = stuck(monkeypatch, "give_up_stages")
    assert deadlock.ask_about_blocked(run, ("b",), 1) == "continue"
    assert select_stage(run.state, budget_left_s=1e4).kind == "done"
