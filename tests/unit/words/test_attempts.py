"""What adversaries tried: each that a doubt holds raises one, and no honest paper among them one."""

from __future__ import annotations

import pytest

from schemas.reproduce.planning.left import left_of
from schemas.reproduce.planning.plan import PlannerAnswer
from tests.lies.attempts import cases, plan
from tests.lies.attempts.__main__ import PAGE, page
from tests.unit.words.attempted import doubts, of_result, of_structure, read

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
HONEST = [name for name, case in CASES.items() if case["kind"] == "honest" and not case["held"]]


def held(by: str) -> list[str]:
    return [name for name, case in CASES.items() if case["held"] == by]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("name", held("structure"))
def test_what_the_paper_states_and_nothing_has_is_doubted(name: str) -> None:
    """Lie: an adversary's, of a structure that the paper has otherwise."""
    assert of_structure(read(CASES[name]))


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("name", held("words"))
def test_a_number_that_means_another_thing_is_doubted(name: str) -> None:
    """Lie: an adversary's, of a number that the words take by half, as a change or of something else."""
    assert list(of_result(read(CASES[name])))


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("name", [*held("inputs"), *held("choice")])
def test_arithmetic_and_views_that_nothing_says_are_doubted(name: str) -> None:
    """Lie: an adversary's, of an index squared, a body of twice its size, a view that ends before the extremum."""
    assert list(doubts(CASES[name]))


@pytest.mark.attack("judgement", "data that the plan leaves out")
@pytest.mark.parametrize("name", [name for name in held("range") if name.startswith("again")])
def test_a_figure_of_which_one_value_is_taken_counts_as_left_out(name: str) -> None:
    """Lie: an adversary's, of a figure with a false resonance and one number that is true."""
    one, made = read(CASES[name]), PlannerAnswer.model_validate(plan(CASES[name]))
    assert any(
        left.counts and left.figure for left in left_of(made.plan, made.extracted_parameters, one.paper)
    )


@pytest.mark.attack("judgement", "a result that no target answers")
@pytest.mark.parametrize("name", held("claim"))
def test_a_result_that_no_target_answers_counts(name: str) -> None:
    """Lie: an adversary's, of a false result in the title or under a heading of its own."""
    one, made = read(CASES[name]), PlannerAnswer.model_validate(plan(CASES[name]))
    assert any(left.counts for left in left_of(made.plan, made.extracted_parameters, one.paper))


def test_the_page_is_what_the_data_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.lies.attempts --page"


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_paper_of_the_same_kind_is_not(name: str) -> None:
    assert not list(doubts(CASES[name]))
