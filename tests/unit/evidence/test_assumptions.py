"""People's words in the ledger of assumptions: kept through replans, out of the blind agents' sight unless stated."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.redaction import blind_assumptions, secret_values
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.state import ReproState
from schemas.talking.interaction import Choice, Question, UserAnswer
from tasks.reproduce.assumption_ledger import from_answer, noted, renumbered, replanned

pytestmark = pytest.mark.unit


def question(
    kind: str = "general_feedback", asked_by: str = "SupervisorAgent", stage: str | None = "stage1"
) -> Question:
    return Question(
        question_id="q-1",
        kind=kind,
        title="How to go on?",
        body="",
        asked_by=asked_by,
        stage_id=stage,  # type: ignore[arg-type]
        choices=(
            Choice(name="continue", effect="go on"),
            Choice(name="guide", effect="try again"),
            Choice(name="replan", effect="make a new plan"),
            Choice(name="stop", effect="stop"),
        ),
    )


def planned(name: str, source: str = "inferred", value: str = "1") -> Assumption:
    return Assumption(
        assumption_id=name,
        category="geometry",
        parameter="p",
        value=value,
        source=source,  # type: ignore[arg-type]
        reason="r",
        sensitivity="low",
    )


def test_a_correction_becomes_an_assumption_with_its_origin():
    [gap, width] = from_answer(
        question(), UserAnswer(choice="replan", text="gap = 20 nm; parameter width = 0.3 um"), "U2"
    )
    assert (gap.assumption_id, gap.parameter, gap.value, gap.source, gap.stages) == (
        "U2",
        "gap",
        "20 nm",
        "user",
        ("stage1",),
    )
    assert (width.assumption_id, width.parameter, width.value) == ("U2-2", "width", "0.3 um")


def test_a_new_plan_replaces_the_planners_assumptions_and_never_a_persons():
    said = from_answer(question(), UserAnswer(choice="replan", text="gap = 20 nm"), "U1")
    ledger = replanned(
        noted((planned("A1"), planned("A2")), said), (planned("A3"), planned("U1", value="other"))
    )
    assert [(a.assumption_id, a.value) for a in ledger] == [("U1", "20 nm"), ("A3", "1")]


def test_an_agent_cannot_speak_for_a_person():
    [entry] = replanned((), (planned("A1", source="user"),))
    assert entry.source == "agent"
    assert replanned((entry,), ()) == ()


def test_words_to_the_planner_stay_with_those_who_know_the_results():
    [said] = from_answer(
        question(asked_by="planner", stage=None),
        UserAnswer(choice="guide", text="the dip at 523.4 nm is the point"),
        "U1",
    )
    assert said.for_planner_only and blind_assumptions((said, planned("A1"))) == (planned("A1"),)
    state = ReproState(
        paper_id="p",
        run_id="r",
        assumptions=(said,),
        extracted_parameters=(
            ExtractedParameter(
                name="dip", value="523.4", unit="nm", role="result", quotation="at 523.4 nm", place="text"
            ),
        ),
    )
    assert 523.4 in secret_values(state)


@pytest.mark.parametrize("text", ["gap = 20 nm", "assumption: the film is infinite"])
def test_a_stated_parameter_reaches_the_blind(text):
    [said] = from_answer(question(asked_by="planner"), UserAnswer(choice="replan", text=text), "U1")
    assert not said.for_planner_only


def test_guidance_to_a_designer_is_for_the_designer():
    [said] = from_answer(question("design_limit"), UserAnswer(choice="guide", text="use thicker PML"), "U4")
    assert not said.for_planner_only and said.stages == ("stage1",)


def test_words_given_with_a_stage_to_go_back_to_are_for_that_stage():
    said = from_answer(question(), UserAnswer(choice="backtrack", text="stage0 the film is too thin"), "U5")
    assert [(a.value, a.stages, a.for_planner_only) for a in said] == [
        ("the film is too thin", ("stage0",), False)
    ]
    assert from_answer(question(), UserAnswer(choice="backtrack", text="stage0"), "U5") == ()


def test_a_choice_without_words_counts_where_it_decides():
    assert from_answer(question(), UserAnswer(choice="continue"), "U1") == ()
    [said] = from_answer(question("trade_off_decision"), UserAnswer(choice="continue"), "U1")
    assert said.value == "continue (go on)"


def test_the_last_word_on_a_parameter_counts():
    first = from_answer(question(), UserAnswer(choice="replan", text="gap = 20 nm"), "U1")
    second = from_answer(question(), UserAnswer(choice="replan", text="gap = 25 nm"), "U2")
    assert [a.value for a in noted(noted((), first), second)] == ["25 nm"]


def test_branches_number_their_answers_anew():
    said = from_answer(question(), UserAnswer(choice="replan", text="a = 1; b = 2"), "U3")
    assert [a.assumption_id for a in renumbered(said, {"U3": "U5"})] == ["U5", "U5-2"]
