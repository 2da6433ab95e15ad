"""What the words around a number call it, whatever input it is quoted for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.input_rules import input_words
from schemas.reproduce.words.input_nouns import kinds_in_words, kinds_of_name, says_equal
from schemas.reproduce.words.written import numbers_in, readable
from tests.unit.words.test_input_words import value

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("The thickness of the film in one period is 120 nm", {"vertical"}),
        ("In each period the thickness is 120 nm", {"vertical"}),
        ("a film of thickness 120 nm", {"vertical"}),
        ("120-nm-thick films", {"vertical"}),
        ("a height of 120 nm splits light into lines", {"vertical"}),
        ("a wave of the film, 120 nm laser light", {"light"}),
        ("half a guided wavelength, 120 nm", {"guided"}),
        ("radius a = 120 nm", {"radius"}),
        ("The gap between the walls of the cores is 120 nm wide", {"gap", "lateral"}),
        (
            "The glass between the face of the film and the face of the core is 120 nm thick",
            {"vertical", "gap"},
        ),
        ("slabs of 120 nm", set()),
        ("The width was set to 120 nm", {"lateral"}),
        ("the period P=120 nm", {"period", "count"}),
        ("at a wavelength of 600 nm a spacing of 120 nm", {"gap", "period", "place", "along"}),
    ],
)
def test_what_words_call_a_number(words: str, kinds: set[str]) -> None:
    [number] = [n for n in numbers_in(words) if n.low == 120]
    assert kinds_in_words(readable(words), number) == kinds


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            [
                "the ",
                "thickness ",
                "period ",
                "of ",
                "and ",
                "is ",
                "12 nm ",
                "3.4 ",
                "respectively ",
                ", ",
                ". ",
                "index ",
                "both ",
                "| ",
                "\n",
                "$",
                "radius a = ",
                "from ",
                "to ",
            ]
        ),
        max_size=24,
    ),
    st.text(max_size=30),
)
def test_any_words_are_read(parts: list[str], more: str) -> None:
    text = readable("".join(parts) + more)
    for number in numbers_in(text):
        assert isinstance(kinds_in_words(text, number), frozenset) and says_equal(text, number) in (
            True,
            False,
        )
    assert isinstance(kinds_of_name(more, "nm"), frozenset)


@settings(max_examples=100)
@given(
    st.sampled_from(["thickness", "height", "depth"]),
    st.sampled_from(["period", "pitch", "wavelength", "radius", "diameter"]),
    st.integers(11, 997),
    st.sampled_from(
        ["The {0} is {1} nm.", "a {0} of {1} nm", "with {1} nm {0}", "({0} = {1} nm)", "{0}: {1} nm"]
    ),
)
def test_two_nouns_of_different_kinds_never_bind(own: str, other: str, number: int, form: str) -> None:
    text = f"A film is studied here. {form.format(own, number)} It is lossless, as before."
    words = form.format(own, number)
    assert input_words([value(other, str(number), "nm", words)], (), text)[other].fault
    assert not input_words([value(own, str(number), "nm", words)], (), text)[own].fault


@pytest.mark.parametrize(
    ("words", "ratio"),
    [
        ("a ridge fraction of 0.4", True),
        ("with fraction 0.4", True),
        ("a third of 0.4", False),
        ("a tenth of a gap of 0.4", False),
    ],
)
def test_a_fraction_is_a_ratio_and_no_part_of_one(words: str, ratio: bool) -> None:
    text = readable(f"The grating has {words}.")
    [number] = [n for n in numbers_in(text) if n.low == 0.4]
    assert (kinds_in_words(text, number) == {"ratio"}) is ratio
