"""Numbers of one unit per another, and angles that are called a direction."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.quoting import number_fault
from schemas.reproduce.planning.coverage import names_what_is_missing
from schemas.reproduce.words.written import numbers_in
from tests.unit.words.test_feature_words import INPUTS, bound, quoted

pytestmark = pytest.mark.unit
TEXT = """The sensor has a sensitivity of 442 nm per refractive index unit (RIU), and a slope of -0.039 deg/nm. It was calculated at
40 pixels per micrometre for a grating of 600 lines per mm. A slab of 442 nm was used. There is a drift of 0.1 nm per kelvin;
a drift of 0.1 nm per K at most. It falls by 0.4 % per nm, or at 0.5 %/deg. The split is 30 %/70 %. It has a slope of
1.15 nm per nm. The wave number is 2π × 0.613 per µm.

The direction of the radiation is shown in Fig. 3. It is 10.3 deg at 1500 nm and 8.4 deg at 1550 nm. The direction of incidence
is 12 deg."""


@pytest.mark.parametrize(
    ("value", "unit", "words", "stands"),
    [
        (442, "nm per RIU", "a sensitivity of 442 nm per refractive index unit", True),
        (442, "nm/RIU", "a sensitivity of 442 nm per refractive index unit", True),
        (442, "um per RIU", "a sensitivity of 442 nm per refractive index unit", False),
        (442, "nm/K", "a sensitivity of 442 nm per refractive index unit", False),
        (0.1, "nm/um", "a drift of 0.1 nm per kelvin", False),
        (0.1, "nm/K", "a drift of 0.1 nm per K at most", True),
        (442, "nm per RIU", "A slab of 442 nm was used", False),
        (40, "1/um", "calculated at\n40 pixels per micrometre", True),
        (600, "1/mm", "a grating of 600 lines per mm", True),
        (0.613, "1/um", "2π × 0.613 per µm", True),
        (613, "1/mm", "2π × 0.613 per µm", False),
        (0.613, "um", "2π × 0.613 per µm", False),
        (600, "1/um", "a grating of 600 lines per mm", False),
        (600, "mm", "a grating of 600 lines per mm", False),
        (0.4, "%/nm", "falls by 0.4 % per nm", True),
        (0.4, "%", "falls by 0.4 % per nm", False),
        (0.5, "%/deg", "at 0.5 %/deg", True),
        (1.15, "nm/nm", "a slope of 1.15 nm per nm", True),
        (1.15, "1", "a slope of 1.15 nm per nm", True),
        (1.15, "nm", "a slope of 1.15 nm per nm", False),
    ],
)
def test_a_unit_per_another_is_read_whole(value: float, unit: str, words: str, stands: bool) -> None:
    assert (number_fault(value, unit, words, TEXT) == "") is stands


def test_both_sides_of_a_stroke_are_read() -> None:
    assert [(n.low, n.unit) for n in numbers_in("a split of 30 %/70 %, 25%/75%")] == [
        (30, "%"),
        (70, "%"),
        (25, "%"),
        (75, "%"),
    ]


@pytest.mark.parametrize(
    ("words", "value", "named"),
    [
        ("It is 10.3 deg at 1500 nm and 8.4 deg at 1550 nm", 8.4, True),
        ("The direction of incidence\nis 12 deg", 12, False),
    ],
)
def test_the_direction_of_a_beam_is_the_place_of_its_maximum(words: str, value: float, named: bool) -> None:
    target = quoted(words, value, "deg", "peak_position", kind="position", extremum="maximum")
    refused = bound(target, TEXT, INPUTS, ()).refused
    assert any("name no position" in fault for fault in refused) is not named, refused


def test_a_reason_may_say_that_nothing_described_gives_a_number() -> None:
    assert names_what_is_missing("a quotient by inputs that no scene or feature gives")
    assert not names_what_is_missing("a matter of taste that is left out here")
