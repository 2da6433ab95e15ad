"""Each hard lie of `make lies-study` is refused alone too, not because of another one in its section."""

from __future__ import annotations

import pytest

from tasks.study.wording.citing import invented
from tasks.study.wording.reported import forged
from tasks.study.wording.typed import typed_numbers
from tests.flow.closer_study import SECTIONS
from tests.lies.study.told import CAPTIONS, HARD

pytestmark = pytest.mark.unit


@pytest.mark.attack(
    "answers", "a typed number, an appeal to nobody's work or code's own words in a section go back"
)
@pytest.mark.parametrize("text", [words for lies in (*HARD.values(), CAPTIONS) for words in lies])
def test_each_goes_back_alone(text: str) -> None:
    assert typed_numbers(text) or invented(text, []) or forged(text)


@pytest.mark.parametrize("text", SECTIONS.values())
def test_the_honest_sections_do_not(text: str) -> None:
    given = "2 conditions, 2 ways."  # as `stated` says of the design
    assert not typed_numbers(text, given) and not invented(text, []) and not forged(text)
