"""Whose number it is: a material, body, state, size, colour and light that its words name is of what was computed, and of two
results the first is the one that they put first."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.choice_words import choice_words
from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.made_of import which_over_which
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.words.scene_words import lights_named, said_in, samples_in
from schemas.reproduce.words.subject_words import colours_in, subjects_in, subjects_of
from tasks.reproduce.references.choices import choice_faults
from tests.lies.attempts import cases
from tests.unit.words.attempted import doubts, of_result, read, with_words
from tests.unit.words.honest import case, case_texts
from tests.unit.words.test_feature_words import quoted

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
FILM, TWO = CASES["h-film"], CASES["again-ratio-exchanged"]
OTHERS = st.sampled_from(["gold", "titania", "silicon", "MgF2", "sapphire", "germanium", "Ta2O5"])
OF_ANOTHER = st.sampled_from(
    [
        "the {other} film reflects # of the light",
        "on {other} the coating reflects # of the light",
        "the plate of {other} reflects # of the light",
        "# of the light is reflected by the {other} layer",
    ]
)
OF_ITS_OWN = st.sampled_from(
    [
        "the nitride film reflects # of the light",
        "the Si3N4 film on SiO2 reflects # of the light",
        "the coated silica reflects # of the light",
        "the film, thinner than that of gold, reflects # of the light",
        "unlike a mirror of silver, the film reflects # of the light",
        "the plate reflects # of the light",
    ]
)
STATES = st.sampled_from(
    [
        "heated to 900 K the plate reflects # of the light",
        "the bare silica reflects # of the light",
        "the grating reflects # of the light",
        "a sphere of nitride reflects # of the light",
        "of sunlight the plate reflects #",
        "of a pulse the plate reflects # of the energy",
        "after a week the plate reflects # of the light",
        "for light from all directions the plate reflects # of the light",
    ]
)


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=25, deadline=None)
@given(OF_ANOTHER, OTHERS)
def test_a_number_of_another_material_is_doubted(form: str, other: str) -> None:
    """Lie: a number of a material that nothing computed has."""
    assert list(doubts(with_words(FILM, form.format(other=other))))


@settings(max_examples=12, deadline=None)
@given(OF_ITS_OWN)
def test_a_number_of_its_own_material_is_not(words: str) -> None:
    assert not _whose(with_words(FILM, words))


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=12, deadline=None)
@given(STATES)
def test_a_number_of_another_state_body_or_light_is_doubted(words: str) -> None:
    """Lie: a number of a state, body or kind of light that the paper's structure is not in."""
    assert _whose(with_words(FILM, words))


def test_a_state_that_the_methods_tell_is_not() -> None:
    words = "the annealed plate reflects # of the light"
    assert _whose(with_words(FILM, words))
    assert not _whose(with_words(FILM, words, "The film was annealed before its index was measured."))


def _whose(case: dict[str, Any]) -> tuple[str, ...]:
    one = read(case)
    words = input_words(one.extracted, one.materials, quotable(one.paper))
    name = case["targets"][0]["target_id"]
    return choice_faults(one.found, name, choice_words(one.targets[0], one.paper), words)


FIRST = (
    "plate B reflects # times the light of plate A",
    "compared with plate A, plate B reflects # times the light",
)
SECOND = (
    "plate A reflects # times the light of plate B",
    "compared with plate B, plate A reflects # times the light",
)


@pytest.mark.parametrize("words", FIRST)
def test_a_ratio_in_the_order_of_its_words_is_not_doubted(words: str) -> None:
    """Plate B answers first."""
    assert not _whose(_ratio(words))


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("words", SECOND)
def test_a_ratio_the_other_way_round_is(words: str) -> None:
    """Lie: which of two plates reflects more is exchanged, in the paper and not in the description."""
    assert _whose(_ratio(words))


def _ratio(words: str) -> dict[str, Any]:
    target = TWO["targets"][0]
    said = words.replace("#", f"{target['reference']['value']:g}")
    return {
        **TWO,
        "text": TWO["text"].replace(target["reference"]["quotation"], said),
        "targets": [{**target, "reference": {**target["reference"], "quotation": said}}],
    }


@given(
    st.sampled_from(["plate", "film", "sample"]),
    st.permutations(["A", "B"]),
    st.sampled_from(
        [
            ("{0} exceeds {1} by 12 %", False),
            ("the signal of {0} is higher than that of {1} by 12 points", False),
            ("{0} reflects 12 points less than {1}", True),
            ("from {1} to {0} it rises by 12 points", False),
            ("from {0} to {1} it falls by 12 points", False),
            ("relative to {1}, {0} reflects 1.2 times as much", False),
            ("the signal of {0} falls to 0.5 times that of {1}", False),
            ("between {1} and {0} it rises by 12 points", False),
            ("between {0} and {1} it diminishes by 12 points", False),
        ]
    ),
)
def test_which_over_which(body: str, labels: list[str], told: tuple[str, bool]) -> None:
    form, turned = told
    words = form.format(*(f"{body} {label}" for label in labels))
    first, second = (f"{body} {label}" for label in (labels[::-1] if turned else labels))
    assert which_over_which(words, samples_in(words)) == (first, second)


def test_between_two_there_is_no_first() -> None:
    words = "the reflectances of plate A and plate B differ by 12 points"
    assert which_over_which(words, samples_in(words)) == ()


LIGHTS = "The {one} has a wavelength of 550 nm, and the {other} has a wavelength of 650 nm."
NAMES = st.sampled_from(
    [("pump", "signal"), ("green laser", "red laser"), ("diode", "lamp"), ("first line", "second line")]
)


@given(NAMES)
def test_a_light_is_the_one_that_is_called_so(names: tuple[str, str]) -> None:
    text = LIGHTS.format(one=names[0], other=names[1])
    assert lights_named(f"for the {names[0]} it is", text) == {0.55}
    assert lights_named(f"at the {names[1]} it is", text) == {0.65}
    assert lights_named("for both lasers it is", text) == frozenset()
    assert lights_named("at normal incidence it is", text) is None
    assert lights_named("for the laser", "The laser has a wavelength of 550 nm.") is None


@pytest.mark.attack("judgement", "at most PARTIAL")
@given(NAMES, st.booleans())
def test_a_value_is_at_the_light_that_its_words_name(names: tuple[str, str], honest: bool) -> None:
    """Lie: what is told for the signal is read at the pump's wavelength."""
    words = f"For the {names[1]} the reflectance of the plate is 37.7 %"
    text = f"{LIGHTS.format(one=names[0], other=names[1])} {words}."
    assert (
        bool(bound(_at(words, 37.7, 650 if honest else 550, "nm"), text, _inputs(text)).loose) is not honest
    )


def _at(words: str, value: float, at: float, unit: str) -> Target:
    told = quoted(words, value, "%").model_dump()
    told |= {"kind": "scalar", "x_unit": unit}
    told["reference"]["feature"] = {"kind": "value_at", "at": [at]}
    return Target.model_validate(told)


def _inputs(text: str) -> tuple[ExtractedParameter, ...]:
    given = {"unit": "nm", "role": "input", "place": "Methods"}
    return tuple(
        ExtractedParameter.model_validate(
            {**given, "name": f"light_{nm}", "value": str(nm), "quotation": f"a wavelength of {nm} nm"}
        )
        for nm in (550, 650)
    )


SEVERAL = st.sampled_from(
    [
        "The reflectance is {a} % at {p} nm and {b} % at {q} nm",
        "At {p} nm the reflectance is {a} %, at {q} nm it is {b} %",
        "At {p} and {q} nm the reflectance is {a} % and {b} %, respectively",
        "The reflectance changes from {a} % at {p} nm to {b} % at {q} nm",
        "The reflectance at {p} nm ({a} %) is lower than at {q} nm ({b} %)",
    ]
)


@pytest.mark.attack("judgement", "at most PARTIAL")
@given(SEVERAL, st.booleans(), st.booleans())
def test_of_several_values_each_is_at_its_own_place(form: str, first: bool, honest: bool) -> None:
    """Lie: two values of a sentence exchange their places."""
    words = form.format(a=20.7, b=31.2, p=633, q=550)
    at = 633 if first is honest else 550
    assert bool(bound(_at(words, 20.7 if first else 31.2, at, "nm"), f"{words}.", ()).loose) is not honest


@given(st.text(max_size=300))
def test_any_words_are_read(text: str) -> None:
    for one in (*subjects_in(text), *colours_in(text), *said_in(text)):
        assert 0 <= one.start <= one.end <= len(text)
    assert which_over_which(text, samples_in(text)) is not None


@pytest.mark.parametrize(
    "part",
    [
        "gold film, ",
        "the red laser of 650 nm ",
        "it was varied from 1 to 2 nm. ",
        "thin film ",
        "than gold as much as ",
    ],
)
def test_long_texts_are_read_in_time_linear_in_their_length(part: str) -> None:
    def cost(times: int) -> float:
        began = time.process_time()
        said_in(part * times)
        return time.process_time() - began

    cost(20)
    assert cost(600) < 30 * max(cost(60), 2e-3)


def test_names_of_one_material_are_one() -> None:
    assert subjects_of("Si3N4") == subjects_of("silicon nitride") == {"nitride"}
    assert subjects_of("TiO2 on fused silica") == {"titania", "silica"}
    assert subjects_of("also, sister, Albert et al., the goldfish, silicone") == frozenset()


CROSSING = case_texts()["crossing"]


@pytest.mark.parametrize(
    ("target", "port", "doubted"),
    [
        ("T", "out", False),
        ("T", "up", True),
        ("X", "up", False),
        ("X", "down", False),
        ("X", "out", True),
        ("X", ("up", "down"), False),
    ],
)
@pytest.mark.attack("judgement", "at most PARTIAL")
def test_light_leaves_through_the_port_that_the_words_name(
    target: str, port: str | tuple[str, ...], doubted: bool
) -> None:
    """Lie: what goes straight on is answered by a side arm, and the other way round. Several arms may be told together."""

    def change(said: dict[str, Any]) -> None:
        for quantity in said["quantities"]:
            if quantity["id"] == target:
                quantity["port"] = port

    assert any("leaves through port" in why for why in of_result(case(CROSSING, change))) is doubted
