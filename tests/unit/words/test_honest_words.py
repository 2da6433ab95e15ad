"""Idioms of honest papers that the checks of words read as their readers do."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.choice_words import choice_words
from agents.reproduce.rules.input_rules import input_words
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.words.clauses import clause_of
from schemas.reproduce.words.input_nouns import kinds_in_words, kinds_of_name
from schemas.reproduce.words.scene_words import said_in, words_of_name
from schemas.reproduce.words.written import numbers_in, readable

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The coupler was cut at its length for light of 633 nm.", "light"),
        ("Its period suits a 633 nm laser.", "light"),
        ("A membrane at the waist emits at 633 nm.", "light"),
        ("the coupling length of the guides at 633 nm", "light place"),
        ("The thickness is kept at 633 nm.", "vertical"),
        ("From the air side, at 633 nm, it is dark.", ""),
        ("Three diameters were chosen: 140 nm for blue, 633 nm for red.", "diameter lateral"),
        ("It has 15 identical periods of tantala (633 nm).", ""),
        ("a square with a side of 633 nm", "lateral"),
        ("A pump of 633 nm light was used.", "light"),
    ],
)
def test_light_and_places_are_no_sizes(text: str, kinds: str) -> None:
    plain = readable(text)
    [number] = [one for one in numbers_in(plain) if one.low == 633]
    assert kinds_in_words(plain, number) == set(kinds.split())


def test_an_adjective_is_no_name_of_a_quantity() -> None:
    assert kinds_of_name("long", "nm") == kinds_of_name("range_high", "nm") == frozenset()
    assert kinds_of_name("wavelength_long", "nm") == {"light"} and kinds_of_name("layer_thickness", "nm") == {
        "vertical"
    }


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("Film B peaks at 448 nm, and film R at 655 nm.", "Film B peaks at 448 nm, and film R at 655 nm"),
        (
            "Two lines are seen, one at 600 nm and one broad, a resonance of the slits, at 655 nm.",
            "a resonance of the slits, at 655 nm",
        ),
        (
            "The dipole gives rise to the peak of longest wavelength, at 600 nm, where the efficiency is 655.",
            "The dipole gives rise to the peak of longest wavelength, at 600 nm, where the efficiency is 655",
        ),
        ("Two dips appear, the deeper one at 655 nm.", "Two dips appear, the deeper one at 655 nm"),
        (
            "At its minimum, the green pixel reflects 655 nW.",
            "At its minimum, the green pixel reflects 655 nW",
        ),
        (
            "The peak lies at 700 nm for N = 4, at 655 nm for N = 8 and at 640 nm for N = 12.",
            "The peak lies at 700 nm for N = 4, at 655 nm for N = 8 and at 640 nm for N = 12",
        ),
        (
            "The peak lies at 700 nm for N = 4, at 655 nm the film absorbs.",
            "at 655 nm the film absorbs",
        ),
        (
            "A dip is seen at 600 nm, the film has a thickness of 655 nm.",
            "the film has a thickness of 655 nm",
        ),
    ],
)
def test_clauses_that_say_nothing_alone_take_along_the_one_before(text: str, clause: str) -> None:
    plain = readable(text)
    [number] = [one for one in numbers_in(plain) if one.low == 655]
    low, high = clause_of(plain, number.start, number.end)
    assert plain[low:high].strip(" .") == clause


def value(name: str, number: str, unit: str, words: str) -> ExtractedParameter:
    return ExtractedParameter(name=name, value=number, unit=unit, role="input", quotation=words, place="text")


def told(text: str, quotation: str) -> list[set[str]]:
    paper = PaperInput(
        paper_id="p", title="A film", citation="nobody, nowhere (2020)", text=f"{text}\n\n{'It is so. ' * 25}"
    )
    target = Target.model_validate(
        {
            "target_id": "R",
            "figure_id": "text",
            "description": "it",
            "kind": "scalar",
            "quantity": "efficiency",
            "unit": "%",
            "reference": {"kind": "quotation", "value": 12.0, "quotation": quotation},
        }
    )
    [words] = choice_words(target, paper)
    return [set(one.values) for one in words["polarization"]]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "The beam is p-polarised.\n\nThe reflectance is 12.0 %.\n\nFor s-polarised light it is 40 %.",
            {"p"},
        ),
        (
            "The beam is p-polarised; there is no dip for s-polarised light.\n\nThe reflectance is 12.0 %.",
            {"p"},
        ),
        ("All results are for TE. TM light is lost soon.\n\nThe reflectance is 12.0 %.", {"TE"}),
        ("TE light is sent in, not TM.\n\nThe reflectance is 12.0 %.", {"TE"}),
        ("With TE and TM light.\n\n## TM\n\nA dip is deep.\n\nThe reflectance is 12.0 %.", {"TM"}),
        ("For TE light a dip is seen. Its reflectance is 12.0 %. With TM it is less.", {"TE"}),
        ("TE light is used.\n\nIn the orthogonal polarisation the reflectance is 12.0 %.", {"TM"}),
        ("The reflectance is 40 % for x-polarised and 12.0 % for y-polarised light.", {"y"}),
        ("For TE and TM light the reflectance is 40 % and 12.0 %, respectively.", {"TM"}),
        (
            "We call polarised light with E along the wires s and the other one p. It is 40 % for s and 12.0 % for p.",
            {"p"},
        ),
        (
            "We write R_s for light polarised perpendicular to the plane of incidence and R_p for it else. R_p is 12.0 %.",
            {"p"},
        ),
        ("The p-polarised light in a film on glass.\n\nThe reflectance is 12.0 %.", {"p"}),
        (
            "T1 for the electric field across the bars, T2 for the electric field parallel to them. Then T2 = 12.0 %.",
            {"out"},
        ),
        ("TE and TM light.\n\nThe reflectance is 12.0 %.", {"TE", "TM"}),
        (
            "It is lit by TE light.\n\nThe reflectance is 12.0 %.\n\nFor TM light we expect a wider dip.",
            {"TE"},
        ),
        ("It is lit by TE light.\n\nThe reflectance is 12.0 %.\n\nTM light would see less.", {"TE"}),
        ("As one would expect, TM light sees less.\n\nThe reflectance is 12.0 %.", {"TM"}),
    ],
)
def test_which_polarisation_a_number_is_of(text: str, first: set[str]) -> None:
    assert told(text, "12.0 %")[0] == first


def test_planes_of_films_are_not_those_of_incidence() -> None:
    text = readable(
        "TE has the electric field in the plane of the film, TM the magnetic field in the plane of the film."
    )
    assert [one.value for one in said_in(text)] == ["flat", "flat", "upright", "upright"]


@pytest.mark.parametrize(
    ("text", "choice", "values"),
    [
        (
            "We shine light (magnetic field along the slits) through the glass onto the slits.",
            "side",
            {"dense"},
        ),
        ("Light is incident from the GaAs. Seen from the cavity it is bright.", "side", {"dense"}),
        ("The beam goes through the etalon at right angles.", "angle", {"0"}),
        ("The electric field is parallel to the pillars.", "polarization", {"out"}),
        ("Coating by PMMA causes a shift.", "around", set()),
    ],
)
def test_idioms_of_light(text: str, choice: str, values: set[str]) -> None:
    assert {one.value for one in said_in(readable(text)) if one.choice == choice} == values


def test_tilting_is_no_angle_that_all_is_lit_at() -> None:
    [one] = [
        one
        for one in said_in(readable("Tilting the grid by 45 degrees reduces it."))
        if one.choice == "angle"
    ]
    assert one.aside
    assert kinds_of_name("line_width", "nm") >= {"lateral"}


def test_samples_are_told_of_the_number_beside_them() -> None:
    text = f"A film of index 1.46 has a thickness of 90 nm in filter B, 125 nm in filter G, 170 nm in filter R. {'So. ' * 30}"
    given = [
        value("n", "1.46", "", "index 1.46"),
        *(
            value(name, number, "nm", f"{number} nm in")
            for name, number in (("b", "90"), ("g", "125"), ("r", "170"))
        ),
    ]
    assert {name: one.sample for name, one in input_words(given, (), text).items()} == {
        "n": "",
        "b": "filter B",
        "g": "filter G",
        "r": "filter R",
    }
    assert words_of_name("data/fig1.csv") == "fig1" and words_of_name("sample_C") == "sample C"
