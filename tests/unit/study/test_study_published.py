"""What is published of well-known data comes out of a study's tests, in the digits in which it is printed."""

from __future__ import annotations

import pytest

from tasks.study.statistics import intervals
from tests.unit.study.published import ANALYSES, PAGE, Published, agrees, ours, page

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """No interval of a bootstrap is published here."""
    monkeypatch.setattr(intervals, "RESAMPLES", 20)


@pytest.mark.parametrize("case", ANALYSES, ids=lambda case: f"{case.data}-{case.outcome}-{case.relation}")
def test_the_numbers_are_the_published_ones(case: Published) -> None:
    found = case.tested
    assert found.test == case.test
    wrong = {
        what: ours(found, what) for what, text in case.numbers.items() if not agrees(ours(found, what), text)
    }
    assert not wrong, case.numbers


def test_there_are_enough_and_the_page_is_as_it_is_computed() -> None:
    assert len(ANALYSES) >= 25 and PAGE.read_text() == page()
