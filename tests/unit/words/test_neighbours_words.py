"""Words of one body are not better ones for another, and a body that is only named in between takes none away."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.input_rules import input_words
from tests.unit.words.test_input_words import value

pytestmark = pytest.mark.unit

PRISMS = """The prisms are made of a dense glass of catalogue, stand {apart}, and are parted by an air gap (n = 1) of 300 nm. The index
of the glass follows the maker's formula. It {gives} n = 1.77 at 1.3 um. In crown glass the critical angle is close to 42 degrees and a 47
degrees prism is common. The angle of incidence is 45 degrees.
"""


@pytest.mark.parametrize("gives", ["gives", "amounts to", "yields"])
def test_words_of_a_neighbour_are_not_taken_for_better_ones(gives: str) -> None:
    """ "separated by an air gap (n = 1)" names no glass though glass stands in its clause, nor 42 degrees a prism."""
    text = PRISMS.format(apart="plane", gives=gives)
    given = [
        value("n_glass", "1.77", "", f"It {gives} n = 1.77 at 1.3 um"),
        value("n_air", "1", "", "an air gap (n = 1) of 300 nm"),
        value("gap", "300", "nm", "an air gap (n = 1) of 300 nm"),
        value("angle_prism", "45", "deg", "The angle of incidence is 45 degrees"),
    ]
    found = {name: one.fault for name, one in input_words(given, (), text).items() if one.fault}
    assert not {"n_glass"} & set(found), found


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_words_of_the_body_itself_for_another_value_still_bind() -> None:
    text = "The glass has n = 1.52. The glass sits beside a film. The other medium has an index of 1.9."
    given = [value("n_glass", "1.9", "", "The other medium has an index of 1.9")]
    assert "do not name it" in input_words(given, (), text)["n_glass"].fault


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words",
    [
        "The glass under the film has an index of 1.52.",
        "An index of 1.52 was measured in the 2 mm thick glass.",
        "The glass and, beside the film, its holder have an index of 1.52.",
    ],
)
def test_a_body_that_is_only_named_in_between_parts_nothing(words: str) -> None:
    """Lie: another body's index for the glass, where a third body's word or another unit's number stands in the clause."""
    text = f"{words} The film is 120 nm thick. Elsewhere an index of 1.38 is common."
    given = [
        value("glass_index", "1.38", "", "an index of 1.38 is common"),
        value("film_thickness", "120", "nm", "The film is 120 nm thick"),
    ]
    assert "do not name it" in input_words(given, (), text)["glass_index"].fault
