"""A number that changes stays its subject's: "Q falls from 793 to 733"; another subject in between takes it away."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.target_quantity import derived_quantity
from schemas.reproduce.words.clauses import governing
from schemas.reproduce.words.written import numbers_in
from tests.unit.words.answers_fixture import target

pytestmark = pytest.mark.unit

NOUNS = {
    "quality factor": "quality_factor",
    "field enhancement": "field_enhancement",
    "effective index": "effective_index",
    "reflectance": "power",
    "linewidth": "width",
}
VERBS = (
    "falls", "drops", "rises", "grows", "increases", "decreases", "has fallen", "is lowered", "is raised", "was reduced",
    "shrinks", "goes down", "drops slightly", "rises further", "fell",
)  # fmt: skip
ONE, OTHER = 793.25, 731.5
FRAMES = (
    "The {noun} {verb} from {one} to {other}.",
    "The {noun} of three rings {verb} from {one} to {other}.",
    "The {noun} of {one} {verb} to {other} with a filament.",
    "The {noun} of {one} with three rings {verb} to about {other}.",
    "The {noun} is {one} and {verb} to {other} when a rod is removed.",
    "The {noun} is {one}, and {verb} to {other}.",
    "Without it the {noun} is {one}; it {verb} to only {other}.",
    "With one to three rings the {noun} is 14.7, {one} and {other}.",
)
TAKEN = (
    "The {noun} is {one} and the count {verb} to {other}.",
    "The {noun} of {one} is that of three rings, and their number {verb} to {other}.",
    "The {noun} is {one} while the number of rods {verb} to {other}.",
    "The {noun} of {one} falls as the photon number {verb} to {other}.",
    "The {noun} of {one} belongs to a lattice whose filling {verb} to {other}.",
    "The {noun} of {one} and its neighbour's gain {verb} to {other}.",
    "The {noun} is {one}. The count {verb} to {other}.",
    "The {noun} is {one}, {other} rods are needed.",
)


def _said(frame: str, noun: str, verb: str) -> str:
    text = frame.format(noun=noun, verb=verb, one=ONE, other=OTHER)
    (number,) = (n for n in numbers_in(text) if n.low == OTHER)
    return governing(text, number)


@settings(max_examples=120)
@given(st.sampled_from(FRAMES), st.sampled_from(sorted(NOUNS)), st.sampled_from(VERBS))
def test_what_changes_is_what_it_was(frame: str, noun: str, verb: str) -> None:
    assert _said(frame, noun, verb) == NOUNS[noun]


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=120)
@given(st.sampled_from(TAKEN), st.sampled_from(sorted(NOUNS)), st.sampled_from(VERBS))
def test_another_subject_takes_the_number_away(frame: str, noun: str, verb: str) -> None:
    """Lie: a number of something else, called a quality factor because one stands before it."""
    assert _said(frame, noun, verb) == ""


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("other", ["thickness", "wavelength", "enhancement", "transmission"])
@pytest.mark.parametrize(
    "joint", [" and the {} falls to ", " with a {} that drops to ", ", while the {} rises to "]
)
def test_another_quantity_is_named_instead(other: str, joint: str) -> None:
    text = f"The quality factor is {ONE}{joint.format(other)}{OTHER}."
    (number,) = (n for n in numbers_in(text) if n.low == OTHER)
    assert governing(text, number) not in ("", "quality_factor")


def test_a_changed_number_of_another_unit_and_two_subjects_bind_nothing() -> None:
    for text in (
        "The quality factor is 793.25 and falls to 731.5 rods.",
        "The linewidth is 793.25 nm and rises to 731.5.",
        "The quality factor of 793.25 and the enhancement of 60 rise to 731.5.",
    ):
        (number,) = (n for n in numbers_in(text) if n.low == OTHER)
        assert governing(text, number) == "", text


def test_a_measure_in_wavelengths_is_no_count_of_things() -> None:
    text = "The quality factor of 3 wavelengths is said beside a loss of 731.5."
    assert [governing(text, n) for n in numbers_in(text)][-1] == "power"
    words = "With an enhancement of 30 times the width is 731.5."
    assert [governing(words, n) for n in numbers_in(words)][-1] == "width"


def test_the_quality_factor_of_three_rings_may_be_called_one() -> None:
    words = "A filament matters: the quality factor of three rings falls from 793 to 733."
    asked = target("733", "1", "-", words).model_copy(update={"quantity": "quality_factor"})
    assert derived_quantity(asked) == ("quality_factor", "")
