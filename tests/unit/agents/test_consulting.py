"""Questions that agents word: harmless names, bounded words, a free answer, and never another question's answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from flows.questions.answers import answer_command, given_beforehand
from flows.questions.consulting import as_question
from flows.questions.pausing import page_text
from schemas.reproduce.judging.verdicts import SupervisorAnswer
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.simulations.design import DesignAnswer
from schemas.talking.interaction import AgentQuestion, OfferedChoice
from schemas.talking.transcript import Position

pytestmark = pytest.mark.unit
PLACE = Position(agent="planner", round=2, step=1)


def wanted(
    *names: str, kind: str = "clarification", title: str = "Disk or ring?", body: str = "Figure 1."
) -> AgentQuestion:
    return AgentQuestion(
        kind=kind,
        title=title,
        body=body,  # type: ignore[arg-type]
        choices=tuple(OfferedChoice(name=name, effect=f"take {name}") for name in names),
    )


def test_planner_designer_and_supervisor_may_ask() -> None:
    for answer in (PlannerAnswer, DesignAnswer, SupervisorAnswer):
        assert answer.model_fields["questions"].default == (), "recorded answers stay valid"
    with pytest.raises(ValidationError, match="at least 2"):
        wanted("disk")


def test_a_question_is_named_by_code_and_always_has_a_free_answer() -> None:
    question = as_question(wanted("A disk!", "A ring", "a ring"), PLACE, 1, None)
    assert question.question_id == "planner-1-2-1-question-1"
    assert [choice.name for choice in question.choices] == ["a_disk", "a_ring", "a_ring_2", "other"]
    assert question.choices[-1].needs_words and {choice.words_to for choice in question.choices} == {
        "planner"
    }
    assert answer_command(Path("outputs/paper/R1"), question).endswith(
        "--answer planner-1-2-1-question-1=a_disk"
    )


def test_an_agents_choice_cannot_pass_for_an_approval() -> None:
    question = as_question(wanted("approve", "Stop", "accept", "other"), PLACE, 1, None)
    assert [choice.name for choice in question.choices] == [
        "option_approve",
        "option_stop",
        "option_accept",
        "option_other",
        "other",
    ]
    assert (
        given_beforehand((("material_checkpoint", "approve"), ("clarification", "approve")), question, ())
        is None
    )


def test_only_a_stop_decision_can_stop_and_its_words_are_ours() -> None:
    question = as_question(wanted("continue", "stop", kind="stop_decision"), PLACE, 1, None)
    assert [(choice.name, choice.effect) for choice in question.choices][:2] == [
        ("continue", "take continue"),
        ("stop", "stop the run and report what there is"),
    ]


def test_hostile_words_are_cut_and_shown_as_text() -> None:
    question = as_question(
        wanted("\x1b[2J", "", title="\x1b]0;x\x07<script>", body="<img src=x>" + "y" * 10_000_000),
        PLACE,
        1,
        None,
    )
    assert len(question.body) < 6100 and "\x1b" not in question.title
    assert [choice.name for choice in question.choices[:2]] == ["2j", "option"]
    assert "<script>" not in page_text(question) and "<img" not in page_text(question)
