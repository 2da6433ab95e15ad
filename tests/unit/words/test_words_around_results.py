"""What hangs on a quoted number: its light, its polarisation, its place, its level, in words of papers that strangers wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.word_rules import called
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.simulations.axes import wanted
from schemas.reproduce.words.bound import Called
from schemas.reproduce.words.clauses import clause_of, governing
from schemas.reproduce.words.input_nouns import kinds_in_words, kinds_of_name
from schemas.reproduce.words.phrases import sayings
from schemas.reproduce.words.polarization_words import polarizations_in
from schemas.reproduce.words.said import of_number
from schemas.reproduce.words.scene_words import said_in
from schemas.reproduce.words.structure_words import structure_words
from schemas.reproduce.words.unclaimed import limit_of
from schemas.reproduce.words.written import Written, numbers_in, readable
from tasks.reproduce.references.called import _meant
from tests.unit.words.test_claims import paper

pytestmark = pytest.mark.unit
LENGTHS = st.floats(1.1, 90.0).map(lambda x: round(x, 2))


def number_of(text: str, value: float) -> Written:
    return next(n for n in numbers_in(text) if n.low == n.high == value)


def target(value: float, unit: str, quotation: str, feature: dict[str, object], x_unit: str = "nm") -> Target:
    return Target.model_validate(
        {
            "target_id": "t",
            "figure_id": "text",
            "description": "t",
            "kind": "scalar",
            "quantity": "scalar",
            "unit": unit,
            "x_unit": x_unit,
            "reference": {"kind": "quotation", "value": value, "quotation": quotation, "feature": feature},
        }
    )


@given(LENGTHS, st.sampled_from(("over", "within", "across", "through", "after", "every")))
def test_how_far_light_goes_is_no_wavelength_and_no_bound(length: float, how: str) -> None:
    text = f"The slabs exchange TE light {how} {length} um and TM light {how} 95.5 um."
    assert not [one for one in said_in(text) if one.choice == "light"]
    assert limit_of(text, number_of(text, length)) == ""


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("The length is over 7.5 um.", "lower"),
        ("It grows to over 7.5 um.", "lower"),
        ("A length of over 7.5 um is found.", "lower"),
        ("It reflects over 7.5 % of the light.", "lower"),
        ("It is exchanged over 7.5 um.", ""),
    ],
)
def test_over_is_a_bound_where_something_is_over(text: str, limit: str) -> None:
    assert limit_of(text, number_of(text, 7.5)) == limit


@given(LENGTHS, st.sampled_from(("give", "yield", "lead to", "result in", "produce")))
def test_what_a_size_gives_is_not_the_size(length: float, verb: str) -> None:
    text = f"For TM light the same gaps {verb} {length} um, 91.5 um and 92.6 um."
    assert "gap" not in kinds_in_words(text, number_of(text, length))
    told = structure_words(f"## Methods\nA gap of 300 nm lies there.\n\n## Results\n{text}").numbers
    assert not [n for n in told if n.told and n.value == length]


def test_what_gives_a_size_still_names_it() -> None:
    text = "The fit gives a thickness of 120 nm, and this leads to a gap of 80 nm."
    assert "vertical" in kinds_in_words(text, number_of(text, 120))
    assert "gap" in kinds_in_words(text, number_of(text, 80))


@pytest.mark.parametrize(
    "words",
    [
        "The layer, 220 nm thick and buried in oxide, is replaced by its effective index.",
        "Every additional 220 nm of silica multiplies it by e.",
        "Half a period earlier, at L = 220 nm, T0 is 0.575.",
    ],
)
def test_a_number_that_is_no_size_of_the_structure(words: str) -> None:
    assert not [n for n in structure_words(f"## Results\n{words}").numbers if n.told and n.value == 220]


@pytest.mark.parametrize(
    "words", ["On it lies a further 220 nm of oxide.", "The layer, 220 nm thick, is replaced later."]
)
def test_a_number_that_is_one(words: str) -> None:
    assert [n for n in structure_words(f"## Methods\n{words}").numbers if n.told and n.value == 220]


@pytest.mark.parametrize(
    ("text", "number", "value"),
    [
        ("Their indices are 1.818 (TE) and 1.685 (TM), and the field (Ez or Hz) decays.", 1.685, "TM"),
        ("It gives effective indices of 2.399 for TE and 1.509 for TM.", 1.509, "TM"),
        (
            "TE denotes the polarisation whose electric field is parallel to the invariant direction. The index is 1.818 (TE).",
            1.818,
            "out",
        ),
        (
            "TE denotes the polarisation whose electric field is parallel to the invariant direction. The index is 1.685 (TM).",
            1.685,
            "in",
        ),
        ("The electric field lies in the plane. The index of TE0 is 2.399.", 2.399, "in"),
        ("E lies in the plane for TE, and TM is its contrary. The index is 1.685 for TM.", 1.685, "out"),
    ],
)
def test_which_polarisation_a_number_is_of(text: str, number: float, value: str) -> None:
    plain = readable(text)
    place = number_of(plain, number)
    low, high = clause_of(plain, place.start, place.end)
    said = [one for one in polarizations_in(plain) if low <= one.start < high]
    assert {one.value for one in of_number(said, place, plain, (low, high))} == {value}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The effective indices are 1.818 (TE) and 1.685 (TM).", 1.685),
        ("This gives effective indices of 2.399 for TE0 and 1.509 for TE1.", 1.509),
        ("The effective index is 2.1 for s, 1.9 for p.", 1.9),
    ],
)
def test_each_of_a_list_that_is_told_apart_is_the_same_thing(text: str, number: float) -> None:
    assert governing(text, number_of(text, number)) == "effective_index"


def test_what_a_name_belongs_to_names_no_size() -> None:
    assert kinds_of_name("d_width_sweep", "nm") == frozenset()
    assert "lateral" in kinds_of_name("guide_width", "nm")


@given(st.floats(1.0, 90.0).map(lambda x: round(x, 1)), st.floats(91.0, 99.0).map(lambda x: round(x, 1)))
def test_where_a_change_begins_is_no_end_of_a_range(first: float, last: float) -> None:
    text = f"It grows from {first} um at a gap of 200 nm to {last} um at 400 nm."
    assert not [n for n in numbers_in(text) if n.low != n.high]
    assert {(n.low, n.unit) for n in numbers_in(text)} == {
        (first, "um"),
        (200, "nm"),
        (last, "um"),
        (400, "nm"),
    }


@pytest.mark.parametrize("symbol", ["x", "L", "d", "g"])
def test_a_place_by_its_symbol_is_no_wavelength(symbol: str) -> None:
    text = f"It reaches its maximum at {symbol} = 10.5 um."
    feature = {"kind": "position", "extremum": "maximum"}
    assert wanted(target(10.5, "um", text, feature, "um"))[0] == "parameter"
    light = text.replace(f"{symbol} =", "lambda =")
    assert wanted(target(10.5, "um", light, feature, "um"))[0] == "spectral"


def test_a_sentence_that_points_back_takes_along_the_one_before() -> None:
    text = "The ratio passes through two at g = 547 nm. There L_TE = 53.4 um and L_TM = 26.7 um."
    found = bound(target(53.4, "um", text, {"kind": "value_at", "at": (547,)}), text, [])
    assert not found.loose and not found.refused
    other = bound(target(53.4, "um", text, {"kind": "value_at", "at": (540,)}), text, [])
    assert any("540" in words for words in other.loose)


def test_which_way_a_curve_goes_may_stand_in_the_sentence_before() -> None:
    text = (
        "The power rises smoothly from the face. It equals one half at x = 5.3 um and reaches its maximum of 98 % at "
        "x = 10.5 um."
    )
    feature = {"kind": "crossing", "level": (0.5,), "direction": "rising"}
    assert not bound(target(5.3, "um", text, feature, "um"), text, []).loose
    falls = text.replace("rises smoothly", "spreads smoothly")
    assert any("rising" in words for words in bound(target(5.3, "um", falls, feature, "um"), falls, []).loose)


@given(st.sampled_from((0.5, 1.0, 2.0, 3.0)))
def test_a_level_in_decibels_is_a_share(level: float) -> None:
    text = f"The transmission falls with the offset: the loss crosses {level} dB at d = 96 nm."

    def loose(share: float) -> list[str]:
        feature = {"kind": "crossing", "level": (round(share, 4),), "direction": "falling"}
        return [w for w in bound(target(96, "nm", text, feature), text, []).loose if "level" in w]

    assert not loose(10 ** (-level / 10))
    assert loose(10 ** (-level / 10) * 0.97)


@pytest.mark.parametrize("joined", ["TE0 and TE1", "TE0, TE1"])
def test_of_as_many_marks_as_numbers_each_number_has_its_own(joined: str) -> None:
    """ "Its words say 'TE1'" of the first of two indices, for which no "respectively" stood there."""
    text = readable(f"We take a guide where {joined} have effective indices of 2.575 and 1.800.")
    for value, mark in ((2.575, "TE0"), (1.8, "TE1")):
        said = sayings(text, number_of(text, value), ())
        assert [one.words for one in said if one.kind == "order"] == [mark]
    one = readable("TE0 and TE1 share a confinement of 0.31.")
    assert len([s for s in sayings(one, number_of(one, 0.31), ()) if s.kind == "order"]) == 2


@pytest.mark.parametrize(
    ("caption", "told"),
    [
        ("Share of the first odd mode (T1).", True),
        ("T1 and T2.", False),
        ("The transmitted light (T1).", False),
    ],
)
def test_what_a_caption_gives_a_symbol_to_is_told(caption: str, told: bool) -> None:
    assert any("odd" in words for words in _meant(Called(spoken="T1", before=(caption,)))) is told


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Each side carries 130 nm of Ta2O5, 330 nm of silica.", frozenset()),
        ("Its side is 130 nm.", frozenset({"lateral"})),
        (
            "A film of thickness d lies there. The loss against the width of the core is drawn for d = 130 nm.",
            frozenset({"vertical"}),
        ),
        ("The loss against the width of the core is drawn for q = 130 nm.", frozenset({"lateral"})),
        ("The period of the films (130 nm) is kept.", frozenset({"period", "count"})),
        ("The loss against the width of the core with one film (130 nm) is drawn.", frozenset({"vertical"})),
        ("The width of the core is 130 nm.", frozenset({"lateral"})),
    ],
)
def test_a_number_has_no_noun_of_another(text: str, kinds: frozenset[str]) -> None:
    plain = readable(text)
    assert kinds_in_words(plain, number_of(plain, 130)) == kinds


@pytest.mark.parametrize(
    ("column", "per"), [("loss_TE_dB_per_mm", False), ("k_per_um", False), ("T_per_pulse", True)]
)
def test_the_unit_that_a_column_s_name_ends_with_calls_its_numbers_nothing(column: str, per: bool) -> None:
    """ "Its words say 'per mm'; what was computed is not known to be that" of an attenuation in dB per mm."""
    about = paper("A loss.")
    data = {"kind": "data", "file": "data/a.csv", "x_column": "d_nm", "y_column": column}
    one = target(1.0, "1", "x", {"kind": "value", "extremum": "maximum"}).model_copy(
        update={"kind": "curve", "reference": Reference.model_validate(data)}
    )
    assert any(saying.kind == "per" for saying in called(one, about, []).sayings) is per


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words",
    [
        "The thickness of the chromium cap on the nitride was set to give 40 nm.",
        "For the thickness of the chromium cap on the nitride ellipsometry gave 40 nm.",
        "A chromium cap lies on the nitride; its thickness corresponds to 40 nm.",
        "A cap with a thickness corresponding to 40 nm lies on the nitride.",
        "Each extra 40 nm of chromium covers the nitride.",
        "Any further 40 nm of chromium lies on the nitride.",
        "On the nitride lies a film of 40 nm of chromium and the air is replaced by nothing.",
        "On the nitride lies a film with a thickness of 40 nm and the air above is represented by a half-space.",
    ],
)
def test_a_layer_that_is_told_otherwise_is_one(words: str) -> None:
    """Lie: a stated layer is left out of the description, in words that an adversary found."""
    assert [n for n in structure_words(f"## Methods\n{words}").numbers if n.told and n.value == 40]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words",
    [
        "The lattice has no in-plane disorder.",
        "The rods have an in-plane alignment error of zero.",
        "The in-plane index contrast is moderate.",
        "The source is a dipole with its electric field in the plane.",
        "In another work Ez was plotted.",
    ],
)
def test_words_of_something_else_give_no_abbreviation_its_meaning(words: str) -> None:
    """Lie: the other polarisation is computed, and a sentence beside has the plane in it."""
    apart = "It is wide, as one expects of rods of high index on a triangular lattice, and is seen in every panel of the figure."
    plain = readable(f"The complete TM gap opens at 0.4. {apart} {words}")
    assert {one.value for one in polarizations_in(plain) if plain[one.start : one.end] == "TM"} == {"TM"}


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "text",
    [
        "It is found after over 8.117 um.",
        "It has a length over 8.117 um.",
        "The coupling length, over 8.117 um, is long.",
        "It turns out over 8.117 um.",
        "We find a coupling length over 8.117 um.",
        "The resonance has a wavelength over 8.117 um.",
    ],
)
def test_what_is_over_a_length_is_a_bound(text: str) -> None:
    """Lie: a lower bound is compared as the number."""
    assert limit_of(text, number_of(text, 8.117)) == "lower"


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "name", ["film_thickness_stage", "thickness_sweep", "film_thickness_figure", "core_radius_plot"]
)
def test_a_name_keeps_its_noun(name: str) -> None:
    """Lie: an input is named so that nothing is asked of its words."""
    assert kinds_of_name(name, "nm")


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "before",
    [
        "The lines above are those of the bare guide.",
        "The noise of the camera rises with time.",
        "The power of the bare guide falls and then rises.",
    ],
)
def test_the_way_of_something_else_is_not_the_curve_s(before: str) -> None:
    """Lie: a crossing beyond the maximum is taken as one before it."""
    text = f"{before} It equals one half at x = 15.3 um and reaches its maximum of 98 % at x = 10.5 um."
    feature = {"kind": "crossing", "level": (0.5,), "direction": "rising"}
    assert any("rising" in words for words in bound(target(15.3, "um", text, feature, "um"), text, []).loose)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "text",
    [
        "TE1 and TE0 differ: counted from below their indices are 1.800 and 2.575.",
        "Of TE0 and TE1 the second and the first have indices of 1.800 and 2.575.",
    ],
)
def test_marks_that_are_no_list_of_the_numbers_stay_open(text: str) -> None:
    """Lie: the other mode is computed."""
    said = sayings(readable(text), number_of(text, 1.8), ())
    assert len([one for one in said if one.kind == "order"]) == 2
