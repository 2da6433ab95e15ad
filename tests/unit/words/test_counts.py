"""A value read at a count of things: the words state the count, in a word, or by its place in a list behind a range."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.feature_words import NAMED, NAMED_BY
from tests.unit.words.answers_fixture import target

pytestmark = pytest.mark.unit

WORDS = ("one", "two", "three", "four", "five", "six")
THINGS = st.sampled_from(("rings", "layers", "rows of rods", "pairs", "slits"))
VALUES = (14.7, 121.0, 793.0, 4719.0, 9001.5, 12345.0)


def _loose(value: float, at: int, words: str) -> bool:
    asked = target(f"{value:g}", "1", f"value_at {at}", words, x_unit="1")
    return any("abscissa" in one for one in bound(asked, words, ()).loose)


def _listed(values: tuple[float, ...]) -> str:
    return f"{', '.join(f'{v:g}' for v in values[:-1])} and {values[-1]:g}"


@settings(max_examples=80)
@given(st.integers(1, 4), st.integers(1, 2), THINGS, st.booleans(), st.data())
def test_a_list_behind_a_range_is_read_place_by_place(
    low: int, more: int, things: str, digits: bool, data: st.DataObject
) -> None:
    """And a value at another place of the list is not that count's."""
    high = low + more
    ends = (str(low), str(high)) if digits else (WORDS[low - 1], WORDS[high - 1])
    values = VALUES[: more + 1]
    words = f"From {ends[0]} to {ends[1]} {things} the quality factor is {_listed(values)}."
    place = data.draw(st.integers(0, more))
    assert not _loose(values[place], low + place, words)
    inner = [n for n in range(low + 1, high) if n != low + place]
    assert all(_loose(values[place], n, words) for n in inner), (
        "an end of the range is a number of the sentence"
    )


def test_one_of_a_thing_is_a_count_and_the_pronoun_is_none() -> None:
    for words in (
        "With one ring the quality factor is 14.7.",
        "For one or two rings the quality factor is 14.7.",
    ):
        assert not _loose(14.7, 1, words)
    for words in ("The quality factor of the lower one is 14.7.", "Which one has a quality factor of 14.7?"):
        assert _loose(14.7, 1, words)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words",
    [
        "From one to four rings the quality factor rises to 793.",
        "From one to four rings the quality factor is 121, 793 and 4719.",
        "From one to four the quality factor is 14.7, 121, 793 and 4719.",
        "From one to five rings the quality factor is 14.7, 121, 793 and 4719.",
        "The quality factor is 14.7, 121, 793 and 4719.",
    ],
)
def test_a_count_that_nothing_places_is_open(words: str) -> None:
    """Lie: the value of four rings read at three."""
    assert _loose(793, 3, words)


def test_who_is_refused_is_told_words_that_are_taken() -> None:
    """Each example of the message names its kind; the words that were refused do not."""
    assert set(NAMED_BY) == set(NAMED)
    for kind, examples in NAMED_BY.items():
        for example in re.findall(r"'([^']+)'", examples):
            assert re.search(NAMED[kind], example, re.IGNORECASE), (kind, example)
    words = "The retardance amounts to 91.7 nm here."
    told = bound(target("91.7", "nm", "width maximum", words), words, ()).refused
    assert told and "such words are 'a full width of 12 nm', in the number's own clause" in told[0]
