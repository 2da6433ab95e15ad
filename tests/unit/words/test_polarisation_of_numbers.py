"""Which polarisation a number is of, where a sentence tells of two."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.choice_words import _around, _before, _levels
from schemas.reproduce.words.written import numbers_in, readable

pytestmark = pytest.mark.unit
MEANS = "TE means the electric field along z (parallel to the ridges), TM the magnetic field along z. "


def told(words: str, value: float) -> list[tuple[frozenset[str], bool]]:
    """What the nearest words that say anything say of a number, and whether of each alike."""
    text = readable(MEANS + words)
    [number] = [n for n in numbers_in(text) if n.low == value and n.unit == "%"]
    levels = _levels([*_around(text, number), *_before(text, number)], ["polarization"], number)
    return [(one.values, one.either) for one in levels["polarization"]][:1]


@pytest.mark.parametrize(
    ("words", "value", "of"),
    [
        ("T_1 is 44.3 % and T_0 is 4.5 % for TE, and T_1 is 43.1 % and T_0 is 9.0 % for TM.", 44.3, "out"),
        ("T_1 is 44.3 % and T_0 is 4.5 % for TE, and T_1 is 43.1 % and T_0 is 9.0 % for TM.", 43.1, "in"),
        (
            "For TM it is 3.9 % at 1 degree and 20.2 % at 5 degrees; for TE it is 1.5 % at 1 degree and 7.2 % there.",
            1.5,
            "out",
        ),
        (
            "For TM it is 3.9 % at 1 degree and 20.2 % at 5 degrees; for TE it is 1.5 % at 1 degree and 7.2 % there.",
            20.2,
            "in",
        ),
        ("For TM it is 3.9 % at 1 degree, for TE 1.5 %.", 1.5, "out"),
        ("It is 3.9 % for TM and 1.5 % for TE.", 3.9, "in"),
    ],
)
def test_the_number_s_own_group_says_it(words: str, value: float, of: str) -> None:
    assert told(words, value) == [(frozenset({of}), False)]


def test_one_number_of_both_and_two_that_are_not() -> None:
    assert told("The orders of both polarizations are equal, at 9.1 %.", 9.1) == [
        (frozenset({"in", "out"}), True)
    ]
    listed = told("The orders of both polarizations are 9.1 % and 8.2 %.", 8.2)
    assert all(not either for _, either in listed)


def test_a_value_of_a_symbol_is_not_what_it_means() -> None:
    words = "For TM, T_1 is 43.1 %. Elsewhere T_1 is 44.3 % for TE."
    assert told(words, 43.1) == [(frozenset({"in"}), False)]
