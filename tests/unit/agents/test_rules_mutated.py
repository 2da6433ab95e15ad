"""The rules that read an agent's answer give their verdict on any answer that fits its schema; none of them breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.errors import InvalidAnswer
from agents.models.validation import validate_answer
from agents.reproduce import (
    comparison_validator,
    execution_validator,
    physics_sanity,
    prompt_adaptor,
    results_analyzer,
)
from agents.reproduce.registry import AGENTS
from agents.reproduce.rules.design_edits import edited as design_edited
from agents.reproduce.rules.design_rules import rule as design_rule
from agents.reproduce.rules.plan_edits import edited as plan_edited
from flows.questions.consulting import as_question
from schemas.talking.transcript import Position
from tasks.reproduce.assumption_ledger import revised
from tasks.reproduce.lint import lint
from tests.mutations import EVERYONE, IN_ALL, answers_of, changed, mutations
from tests.unit.agents.agents_fixture import (
    DESIGN,
    EXECUTED,
    FILM,
    PAPER,
    PHYSICAL,
    RECORDS,
    evidence,
    run_state,
)

pytestmark = pytest.mark.unit
SEEN = (evidence("fig1_R"), evidence("fig1_dip", "PARTIAL"))


def _designed(answer: Any) -> None:
    for number, question in enumerate(answer.questions):
        as_question(question, Position(agent="simulation_designer"), number, None)
    made, _ = design_edited(DESIGN, answer.edits) if answer.edits else (answer.design, ())
    if made is not None:
        design_rule(made, FILM, RECORDS)
        revised((), made.new_assumptions)


def _analysed(answer: Any) -> None:
    found = results_analyzer.judge(answer, FILM, SEEN)
    comparison_validator.rule(answer, found, SEEN, FILM)


def _planned(answer: Any) -> None:
    plan_edited(run_state(), PAPER, answer)


READERS: dict[str, Callable[[Any], object]] = {
    "reproduce-DesignAnswer-simulation_designer": _designed,
    "reproduce-AnalysisAnswer-results_analyzer": _analysed,
    "reproduce-PlanRevisionAnswer-revising": _planned,
    "reproduce-AdaptationAnswer-prompt_adaptor": prompt_adaptor.judge,
    "reproduce-ExecutionAnswer-execution_validator": lambda answer: execution_validator.judge(
        answer, EXECUTED
    ),
    "reproduce-PhysicsAnswer-physics_sanity": lambda answer: physics_sanity.judge(answer, PHYSICAL),
}


@pytest.mark.attack("answers", "judged: the rules for an agent's answer hold for any that fits its schema")
@pytest.mark.parametrize("name", READERS)
def test_the_rules_for_an_answer_hold_for_any(name: str) -> None:
    agent = EVERYONE[name]

    @mutations(name, max(IN_ALL // 200, 20))
    @given(changed(answers_of(agent)))
    def held(answer: dict[str, Any]) -> None:
        try:
            found = validate_answer(answer, agent.answer)
        except InvalidAnswer:
            return
        READERS[name](found)

    held()


@pytest.mark.attack("answers", "findings, whatever stands in the code")
def test_any_code_has_findings() -> None:
    codes = [answer["code"] for answer in answers_of(AGENTS["code_generator"]) if answer.get("code")]

    @mutations("code", max(IN_ALL // 200, 20))
    @given(
        st.sampled_from(codes),
        st.integers(0),
        st.integers(0),
        st.sampled_from(
            [
                "",
                "0",
                "1e999",
                "-1",
                "None",
                "(",
                "**",
                "\x00",
                "1j",
                "'",
                "[[[",
                "*a",
                ":=",
                "lambda: ",
                "-" * 3000,
                "(" * 90,
                "if 1:\n",
                "\ud800",
                "9" * 5000,
                "()",
            ]
        ),
    )
    def held(code: str, start: int, length: int, put: str) -> None:
        at = start % (len(code) + 1)
        for finding in lint(
            code[:at] + put + code[at + length % 12 :], expected_targets=["fig1_R"], known_materials=["gold"]
        ):
            assert finding.message

    held()
