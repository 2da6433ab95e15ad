"""What a paper's words say of a curve: ends of ranges, which of several, what a number goes on to, branches, definitions."""

from __future__ import annotations

from typing import Any

import pytest

from agents.reproduce.rules.feature_rules import bound
from schemas.reproduce.planning.by_hand import made_by_hand
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.axes import wanted
from schemas.reproduce.words.bound import Bound
from schemas.reproduce.words.claims import claims_in
from schemas.reproduce.words.phrases import sayings
from schemas.reproduce.words.polarization_words import polarizations_in
from schemas.reproduce.words.written import numbers_in, readable

pytestmark = pytest.mark.unit
OVER = "From 1.45 to 1.65 µm the power of the short taper remains at 99.3 %, whereas that of the long one grows from 95.4 % to 96.6 %."
SECOND = "A second minimum follows at L = 12.4 µm, twice the length of the first one, which lies at 6.1 µm."
GOES_ON = "The curve passes 95 % at 4.7 µm and climbs to a maximum at L = 6.2 µm."
DEFINED = (
    "Splittings are distances between the two maxima of the transmittance, and widths are full widths at half of the "
    "respective maximum. The line is split into the lower polariton (LP) and the upper polariton (UP). The splitting is 141 meV. The "
    "full widths are 24 meV for LP and 26 meV for UP. The contrast is 7 meV."
)


def _bound(
    text: str, value: float, unit: str, words: str, feature: dict[str, Any], x_unit: str = "um"
) -> Bound:
    target = Target.model_validate(
        {
            "target_id": "a",
            "figure_id": "text",
            "description": "a number",
            "kind": "scalar",
            "quantity": "efficiency" if unit == "%" else "peak_position",
            "unit": unit,
            "x_unit": x_unit,
            "reference": {"kind": "quotation", "value": value, "quotation": words, "feature": feature},
        }
    )
    return bound(target, text, ())


def _at(place: float) -> dict[str, Any]:
    return {"kind": "value_at", "at": [place]}


@pytest.mark.parametrize(
    ("value", "place", "told"),
    [(95.4, 1.45, True), (95.4, 1.65, False), (96.6, 1.65, True), (96.6, 1.45, False)],
)
def test_what_moves_over_a_range_begins_where_it_begins(value: float, place: float, told: bool) -> None:
    assert (not _bound(OVER, value, "%", "grows from 95.4 % to 96.6 %", _at(place)).loose) == told


@pytest.mark.parametrize(
    ("value", "number", "told"),
    [(6.1, 1, True), (6.1, 2, False), (12.4, 2, True), (12.4, 1, False), (12.4, None, False)],
)
def test_which_of_several_a_pronoun_points_at(value: float, number: int | None, told: bool) -> None:
    feature = {"kind": "position", "extremum": "minimum"} | ({"number": number} if number else {})
    assert (not _bound(SECOND, value, "um", SECOND, feature).loose) == told


@pytest.mark.parametrize(("value", "taken"), [(4.7, True), (6.2, False)])
def test_what_a_curve_does_next_is_told_of_the_next_number(value: float, taken: bool) -> None:
    feature = {"kind": "crossing", "level": [95.0]}
    assert (not _bound(GOES_ON, value, "um", GOES_ON, feature).refused) == taken
    maximum = {"kind": "position", "extremum": "maximum"}
    assert (not _bound(GOES_ON, 6.2, "um", GOES_ON, maximum).refused) is True


def test_one_maximum_for_two_numbers_stays_that_of_both() -> None:
    text = "The share is 30 % at 4.7 µm and has its maximum there."
    assert _bound(text, 4.7, "um", text, {"kind": "crossing", "level": [30.0]}).refused


SPLIT = {
    "kind": "difference",
    "of": [{"kind": "position", "extremum": "maximum", "number": number} for number in (2, 1)],
}


def test_a_splitting_is_of_what_the_paper_defines_it_to_be() -> None:
    assert not _bound(DEFINED, 141, "meV", "The splitting is 141 meV", SPLIT, "meV").refused
    bare = "The doublet is narrow. The splitting is 141 meV."
    assert _bound(bare, 141, "meV", "The splitting is 141 meV", SPLIT, "meV").refused


@pytest.mark.parametrize(
    ("value", "number", "x_unit", "told"),
    [
        (24, 1, "meV", True),
        (24, 2, "meV", False),
        (26, 2, "meV", True),
        (26, 1, "meV", False),
        (24, 2, "nm", True),  # the lower in energy is the longer wave
        (24, 1, "nm", False),
    ],
)
def test_a_lower_branch_is_the_first_in_energy(value: float, number: int, x_unit: str, told: bool) -> None:
    feature = {"kind": "width", "extremum": "maximum", "number": number, "base": "zero", "fraction": 0.5}
    found = _bound(
        DEFINED, value, "meV", "The full widths are 24 meV for LP and 26 meV for UP", feature, x_unit
    )
    assert (not [words for words in found.loose if "number" in words]) == told
    assert not [words for words in found.loose if "from zero" in words]


def test_a_width_counts_from_zero_only_where_that_is_said() -> None:
    text = "The full width of the maximum is 24 meV."
    feature = {"kind": "width", "extremum": "maximum", "base": "zero", "fraction": 0.5}
    assert [words for words in _bound(text, 24, "meV", text, feature, "meV").loose if "from zero" in words]


@pytest.mark.parametrize(
    ("words", "bare"),
    [
        ("68 nm of TiO2 (refractive index 2.30) and 107 nm of SiO2 (1.46)", 1.46),
        ("a film of silica (1.45) on glass", 1.45),
        ("What holds (2.14), is not shown", None),
        ("of SiO2 (5) and", None),
    ],
)
def test_an_index_behind_a_material_is_no_equation(words: str, bare: float | None) -> None:
    found = [n.low for n in numbers_in(readable(words)) if not n.label and not n.unit]
    assert (bare in found) if bare else not found


WIDER = "A parabolic taper that widens a core sixfold hands 99.3 % of the power to the mode."
STRONGER = "A parabolic taper of the core enhances the power sixfold."


@pytest.mark.parametrize(
    ("words", "reason", "made"),
    [
        (WIDER, "text: 6 1: by hand, 3.0 um / 0.5 um", True),
        (WIDER, "text: 6 1: by hand from the inputs", False),
        (WIDER, "text: 6 1: by hand, 3.0 um / 1.0 um", False),
        (STRONGER, "text: 6 1: by hand, 3.0 um / 0.5 um", False),
    ],
)
def test_a_ratio_of_two_sizes_follows_by_hand_where_the_reason_names_them(
    words: str, reason: str, made: bool
) -> None:
    [claim] = [one for one in claims_in(words, "Abstract") if one.number.low == 6]
    inputs = [(3.0, "um"), (0.5, "um"), (1.0, "um"), (1.55, "um")]
    assert made_by_hand(claim, inputs, [], reason) == made


@pytest.mark.parametrize(
    ("words", "value", "unit", "x_unit", "axis"),
    [
        ("Its width is 8.9 meV, which gives a quality factor Q = 225", 225, "1", "eV", ""),
        ("The full width is 12 nm, which gives a quality factor of 50", 50, "1", "nm", ""),
        ("At a width of 450 nm the quality factor is 50", 50, "1", "nm", "parameter"),
    ],
)
def test_the_width_of_a_line_is_no_size_of_a_body(
    words: str, value: float, unit: str, x_unit: str, axis: str
) -> None:
    target = Target.model_validate(
        {
            "target_id": "a",
            "figure_id": "text",
            "description": "a number",
            "kind": "scalar",
            "quantity": "quality_factor",
            "unit": unit,
            "x_unit": x_unit,
            "reference": {
                "kind": "quotation",
                "value": value,
                "quotation": words,
                "feature": {"kind": "quality_factor", "extremum": "maximum"},
            },
        }
    )
    assert wanted(target)[0] == axis


@pytest.mark.parametrize(
    ("words", "unloaded"),
    [
        (
            "The transmittances are 0.040 and 0.039, lower than that of the bare cavity by a factor of 24.",
            False,
        ),
        ("The bare quality factor is 0.039 of it.", True),
    ],
)
def test_a_bare_cavity_by_a_factor_of_is_no_unloaded_one(words: str, unloaded: bool) -> None:
    plain = readable(words)
    number = next(n for n in numbers_in(plain) if n.low == 0.039)
    assert ("unloaded" in {one.kind for one in sayings(plain, number, ())}) == unloaded


LIST = "The joint delivers 58.5 % to TE0, 27.6 % to TE2 and 9.5 % to TE4; 4.3 % is radiated."


@pytest.mark.parametrize(("value", "modes"), [(58.5, {"TE0"}), (27.6, {"TE2"}), (9.5, {"TE4"}), (4.3, set())])
def test_each_number_of_a_list_has_its_own_mode(value: float, modes: set[str]) -> None:
    plain = readable(LIST)
    number = next(n for n in numbers_in(plain) if n.low == value)
    assert {one.words for one in sayings(plain, number, ()) if one.kind == "order"} == modes


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (
            "The device is invariant along y, the normal to the plane. Fields have their electric vector along y (TE).",
            "out",
        ),
        ("The film lies in the plane. Fields have their electric vector along y (TE).", "y"),
    ],
)
def test_a_field_along_what_nothing_changes_along_is_out_of_the_plane(words: str, value: str) -> None:
    assert {one.value for one in polarizations_in(readable(words))} == {value}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("At 40 nm the splitting is 0.81 times that of the centred sheet.", True),
        ("At 40 nm the splitting is 0.81 times that of the other sheet.", False),
        ("At 40 nm the peak centred at 500 nm is 0.81 times that of the other sheet.", False),
    ],
)
def test_what_is_centred_stands_at_nought(words: str, told: bool) -> None:
    feature = {"kind": "ratio", "of": [_at(40.0), _at(0.0)]}
    loose = _bound(words, 0.81, "1", words, feature, "nm").loose
    assert (not [one for one in loose if "0 nm" in one and "40 nm" not in one]) == told
