"""Clauses that point back, and the two ends of where a curve stays beyond a level."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.feature_rules import bound
from schemas.reproduce.words.clauses import points_back
from tests.unit.words.test_feature_words import INPUTS, quoted

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("words", "back"),
    [
        ("the transmitted power is 88 % at both wavelengths", False),
        ("the film reflects 12 % in both polarisations", False),
        ("both lie at 633 nm", True),
        ("both pass 12 % of the light", True),
        ("and it lies at 633 nm", True),
    ],
)
def test_both_of_things_that_are_named_points_at_nothing_before(words: str, back: bool) -> None:
    assert points_back(words) is back


_BAND = "The efficiency stays above 90 % for wavelengths from 900 nm to 1180 nm"
_STOP = "It transmits less than 5 % from 1.21 um to 1.34 um"


@pytest.mark.parametrize(
    ("words", "value", "unit", "level", "direction", "doubted"),
    [
        (_BAND, 900, "nm", 0.9, "rising", False),
        (_BAND, 1180, "nm", 0.9, "falling", False),
        (_BAND, 900, "nm", 0.9, "falling", True),
        (_STOP, 1.21, "um", 0.05, "falling", False),
        (_STOP, 1.34, "um", 0.05, "rising", False),
        (_STOP, 1.21, "um", 0.05, "rising", True),
    ],
)
def test_the_ends_of_where_a_curve_stays_beyond_a_level(
    words: str, value: float, unit: str, level: float, direction: str, doubted: bool
) -> None:
    target = quoted(words, value, unit, kind="crossing", level=[level], direction=direction)
    found = bound(target, f"We look at gratings. {words}. That is all.", INPUTS)
    assert any(f"that it is {direction}" in fault for fault in found.loose) is doubted
