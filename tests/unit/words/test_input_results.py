"""Quoted words that state a result, or only a part of a number, bind no input."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.input_rules import input_words
from tests.unit.words.test_input_words import TEXT, value

pytestmark = pytest.mark.unit


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("sentence", "number", "unit", "held"),
    [
        ("The plate has a reflectance of 8.0 %.", "8.0", "%", True),
        ("It transmits 0.85 of the light.", "0.85", "", True),
        ("The glass of refractive index 1.52 has a high reflectance.", "1.52", "", False),
        ("The transmission grating has a fill factor of 0.5.", "0.5", "", False),
    ],
)
def test_a_result_is_no_input(sentence: str, number: str, unit: str, held: bool) -> None:
    """Lie: the index is derived from the reflectance that is to be found."""
    found = input_words([value("given", number, unit, sentence.rstrip("."))], (), f"{TEXT}\n{sentence}\n")[
        "given"
    ]
    assert ("which a simulation finds" in found.fault) is held, found


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(("name", "held"), [("thickness", True), ("design_wavelength", False)])
@pytest.mark.parametrize(
    "sentence",
    ["The film has the optical thickness of a quarter of 640 nm.", "Its thickness is one eighth of 640 nm."],
)
def test_what_is_a_part_of_a_number_is_not_the_number(name: str, sentence: str, held: bool) -> None:
    found = input_words([value(name, "640", "nm", sentence.rstrip("."))], (), f"{TEXT}\n{sentence}\n")[name]
    assert bool(found.fault) is held, found
