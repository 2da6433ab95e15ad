"""A study of simulated participants can never be told as confirmatory, whatever an agent says."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.study.context import Run
from schemas.study.scope import ResearchPlan
from schemas.study.statement import EXPLORATORY
from tasks.study.designing import deciding
from tasks.study.preregistering import preregistration
from tasks.study.results_file import plans_of, results_of
from tasks.study.scoping import settled, ungiven
from tasks.study.trying import made_up
from tasks.study.wording.of_simulated import CONFIRMED, called_confirmatory
from tests.unit.study.study_fixture import plan, protocol, questionnaire, variables

pytestmark = pytest.mark.unit


def planned(flags: list[bool]) -> ResearchPlan:
    """A plan whose planner calls hypotheses confirmatory or not."""
    one = plan().hypotheses[0]
    return plan().model_copy(
        update={
            "hypotheses": tuple(
                one.model_copy(update={"id": f"h{number}", "confirmatory": flag})
                for number, flag in enumerate(flags)
            )
        }
    )


def a_run(said: ResearchPlan, simulated: bool) -> SimpleNamespace:
    """A run in which nothing else speaks against confirmation."""
    run = SimpleNamespace(
        simulated=simulated, exclusions=lambda: None, reopened=lambda: (), read=lambda *_: said
    )
    run.exploratory_because = lambda: Run.exploratory_because(run)  # type: ignore[arg-type]
    return run


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_every_hypothesis_of_simulated_participants_is_exploratory_in_plan_results_and_registration(
    flags: list[bool],
) -> None:
    said = planned(flags)
    counts = Run.plan(a_run(said, True))  # type: ignore[arg-type]
    assert not any(item.confirmatory for item in counts.hypotheses)
    assert deciding(counts.hypotheses) == [*counts.hypotheses], "all are corrected together"
    assert Run.plan(a_run(said, False)) == said, "real participants' plans stay as they are"  # type: ignore[arg-type]
    assert Run.exploratory_because(a_run(said, True)) == (EXPLORATORY,)  # type: ignore[arg-type]
    text = preregistration(said, protocol(), questionnaire(), variables(), existing=False, simulated=True)
    assert text.startswith("# Analysis plan of a study with simulated participants")
    assert "(confirmatory)" not in text and f"every test is {EXPLORATORY}" in text
    assert (
        text.count("(exploratory)") == len(flags) and "participants are simulated by a language model" in text
    )


def test_its_results_are_corrected_as_exploratory_ones_under_the_same_name() -> None:
    data = made_up(protocol(), questionnaire(), 1)
    columns = data.decode().splitlines()[0].split(",")
    counts = Run.plan(a_run(planned([True, True]), True))  # type: ignore[arg-type]
    found = results_of(data, plans_of(counts.hypotheses, variables(), columns))
    named = {item.name: item for item in found.values}
    assert all(item.p_adjusted is None and item.p_family is not None for item in found.tests)
    assert named["h0_p_adjusted"].value == found.tests[0].p_family
    assert "all 2 exploratory tests" in named["h0_p_adjusted"].text


CALLED = (
    "The confirmatory test shows it.",
    "No doubt, the confirmatory test shows it.",
    "No one doubts the confirmatory test.",
    "Two hypotheses were confirmatory, the third not.",
    "This study was preregistered.",
    "Our pre-registered hypotheses hold.",
    "The con\u200bfirmatory test shows it.",
    "The CONFIRM\u0410TORY test shows it.",
    "Die konfirmatorische Hypothese gilt.",
)
HONEST = (
    "No test is confirmatory: participants were simulated.",
    "None of the tests is confirmatory.",
    "The analysis is exploratory rather than confirmatory.",
    "The study was not preregistered.",
    "The assistant confirms what it understood.",
    "Nothing here is confirmatory.",
)


@pytest.mark.parametrize("text", CALLED)
def test_a_text_that_calls_it_confirmatory_is_found(text: str) -> None:
    assert called_confirmatory(text)


@pytest.mark.parametrize("text", HONEST)
def test_a_text_that_denies_it_is_not(text: str) -> None:
    assert called_confirmatory(text) == []


@given(st.sampled_from(CALLED), st.sampled_from(HONEST), st.sampled_from((" ", "\n\n", "\n- ")))
def test_an_honest_sentence_beside_it_hides_nothing(lie: str, honest: str, between: str) -> None:
    assert called_confirmatory(f"{honest}{between}{lie}") and called_confirmatory(f"{lie}{between}{honest}")


def test_a_plan_that_says_so_goes_back_and_is_taken_out_of_what_is_kept() -> None:
    said = plan().model_copy(update={"contribution": "A confirmatory test of voice."})
    faults = ungiven(said, "", results_known=False, simulated=True)
    assert any(fault.startswith(CONFIRMED) for fault in faults)
    assert not any(fault.startswith(CONFIRMED) for fault in ungiven(said, "", results_known=False))
    kept, out = settled(said, "", simulated=True)
    assert "A confirmatory test" not in kept.contribution and len(out) == 1
    stated = planned([True])
    stated = stated.model_copy(
        update={
            "hypotheses": (
                stated.hypotheses[0].model_copy(
                    update={"statement": "A confirmatory claim: voice is easier."}
                ),
            )
        }
    )
    assert any(CONFIRMED in fault for fault in ungiven(stated, "", results_known=False, simulated=True))
