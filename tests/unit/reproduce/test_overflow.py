"""A request that does not fit is shortened step by step, mildest first, and a person decides when nothing helps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from agents.models.size import estimate_tokens
from agents.reproduce.plan_reviewer import AGENT as REVIEWER
from agents.reproduce.prompt_adaptor import AGENT as ADAPTOR
from agents.reproduce.simulation_designer import AGENT as DESIGNER
from agents.talking.agent import build_request
from flows.reproduce.designing import overflow
from flows.reproduce.designing.overflow import TooLarge, fit
from flows.terminal.console import Console
from schemas.reproduce.settings import Limits, RunSettings
from schemas.talking.interaction import UserAnswer
from schemas.talking.transcript import Position

pytestmark = pytest.mark.unit
PAPER = (
    "# Title\n\n## Abstract\nShort.\n\n## Introduction\n"
    + "Filler about history. " * 4000
    + "\n\n## Methods\nThe film is 99.6 nm thick.\n\n## Results\n"
    + "More filler. " * 3000
)


def a_run(limit: int) -> Any:
    """The part of a run that the ladder touches."""
    return SimpleNamespace(
        settings=RunSettings(limits=Limits(safe_paper_tokens=limit)),
        model=object(),
        history=[],
        recoveries=[],
        console=Console(quiet=True),
    )


def builder(agent: Any, name: str, stage: str = "-") -> Any:
    def build(context: Any) -> Any:
        return build_request(
            agent,
            context,
            position=Position(agent=name, stage_id=stage),
            adaptations=(),
            settings=RunSettings(),
        )

    return build


def base(agent: Any, name: str) -> int:
    return estimate_tokens(builder(agent, name)({}))


def test_a_request_that_fits_is_left_alone():
    run = a_run(10**6)
    request = fit(
        run, builder(REVIEWER, "plan_reviewer"), {"paper_text": PAPER}, lambda *_: pytest.fail("not needed")
    )
    assert not run.recoveries and "history" in request.context[0].text


def test_long_feedback_is_condensed_before_anything_else_is_touched():
    run = a_run(base(DESIGNER, "simulation_designer") + 3000)
    context = {"reviewer_feedback": "Move the monitor out of the PML. " * 2000, "current_stage_id": "s1"}
    request = fit(run, builder(DESIGNER, "simulation_designer"), context, lambda *_: "Move the monitor.")
    assert [r.action for r in run.recoveries] == ["summarize_feedback"]
    assert any(section.text == "Move the monitor." for section in request.context)
    assert run.recoveries[0].tokens_after < run.recoveries[0].tokens_before


def test_feedback_is_cut_to_its_end_when_it_cannot_be_condensed():
    run = a_run(base(DESIGNER, "simulation_designer") + 3000)
    context = {"reviewer_feedback": "old. " * 20_000 + "THE LAST WORD"}
    request = fit(run, builder(DESIGNER, "simulation_designer"), context, lambda *_: None)
    [section] = [s for s in request.context if s.title == "reviewer_feedback"]
    assert [r.action for r in run.recoveries] == ["truncate_feedback"] and section.text.endswith(
        "THE LAST WORD"
    )
    assert len(section.text) <= overflow.KEPT_FEEDBACK


def test_the_paper_is_reduced_to_its_methods_by_a_persons_choice_only(monkeypatch):
    asked = answers(monkeypatch, "truncate_paper_to_methods")
    run = a_run(base(REVIEWER, "plan_reviewer") + 3000)
    request = fit(run, builder(REVIEWER, "plan_reviewer"), {"paper_text": PAPER}, lambda *_: None)
    [paper] = [s for s in request.context if s.title == "paper_text"]
    assert "99.6 nm" in paper.text and "history" not in paper.text
    assert run.recoveries[-1].action == "truncate_paper_to_methods" and "context overflow" in run.history[-1]
    [question] = asked
    assert (
        question.choices[0].name == "truncate_paper_to_methods"
        and "risk: medium" in question.choices[0].effect
    )
    assert "1. **truncate_paper_to_methods**: keep only abstract and Methods" in question.body


def answers(monkeypatch, *choices: str) -> list[Any]:
    """Answer the questions with these choices, in order; returns the questions."""
    asked: list[Any] = []
    given = iter(choices)
    monkeypatch.setattr(
        overflow, "ask", lambda _run, question: asked.append(question) or UserAnswer(choice=next(given))
    )
    return asked


def test_a_choice_that_is_not_enough_is_asked_about_again(monkeypatch):
    asked = answers(monkeypatch, "clear_working_fields", "send")
    context = {
        "current_stage_id": "s1",
        "user_interactions": "said. " * 30_000,
        "experiments": "tried. " * 2000,
    }
    run = a_run(base(DESIGNER, "simulation_designer") + 3000)
    fit(run, builder(DESIGNER, "simulation_designer"), context, lambda *_: None)
    assert [r.action for r in run.recoveries] == ["clear_working_fields"]
    assert len(asked) == 2 and asked[0].question_id != asked[1].question_id
    assert "clear_working_fields" not in [choice.name for choice in asked[1].choices]


def test_one_answer_takes_all_steps(monkeypatch):
    asked = answers(monkeypatch, "shorten")
    monkeypatch.setattr(overflow, "REGENERABLE", ("extracted_parameters",))
    run = a_run(base(REVIEWER, "plan_reviewer") + 3000)
    fit(
        run,
        builder(REVIEWER, "plan_reviewer"),
        {"paper_text": PAPER, "extracted_parameters": "p " * 20_000},
        lambda *_: None,
    )
    assert [r.action for r in run.recoveries] == [
        "truncate_paper_to_methods",
        "clear_working_fields",
    ] and len(asked) == 1


def test_a_request_of_no_stage_offers_none_to_give_up(monkeypatch):
    asked = answers(monkeypatch, "send")
    fit(a_run(10), builder(REVIEWER, "plan_reviewer"), {}, lambda *_: None)
    [question] = asked
    assert [choice.name for choice in question.choices] == ["send", "stop"]


def test_what_the_adaptor_is_shown_can_be_shortened(monkeypatch):
    asked = answers(monkeypatch, "truncate_paper_to_methods")
    run = a_run(base(ADAPTOR, "prompt_adaptor") + 3000)
    request = fit(
        run, builder(ADAPTOR, "prompt_adaptor"), {"paper_text_summary": "Methods. " * 3300}, lambda *_: None
    )
    [paper] = [s for s in request.context if s.title == "paper_text_summary"]
    assert (
        len(paper.text) <= overflow.KEPT_SUMMARY and "the beginning of abstract" in asked[0].choices[0].effect
    )


@pytest.mark.parametrize(("choice", "raised"), [("send", None), ("skip_stage", "skip"), ("stop", "stop")])
def test_a_person_is_asked_last_with_what_each_option_saves(monkeypatch, choice, raised):
    asked = []
    monkeypatch.setattr(
        overflow, "ask", lambda _run, question: asked.append(question) or UserAnswer(choice=choice)
    )
    run = a_run(10)
    call = (
        run,
        builder(REVIEWER, "plan_reviewer", "film"),
        {"paper_text": "Nothing to cut."},
        lambda *_: None,
    )
    if raised is None:
        assert fit(*call).context[0].text == "Nothing to cut."
    else:
        with pytest.raises(TooLarge) as caught:
            fit(*call)
        assert caught.value.decision == raised
    [question] = asked
    assert (
        question.kind == "context_overflow"
        and "Over by" in question.body
        and "tokens" in question.choices[0].effect
    )
