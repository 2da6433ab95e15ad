"""How a structure is lit is the paper's to say: the words are read, and a description that does otherwise is PARTIAL."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.choice_words import beside_of, choice_words
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.declared import declared as declared_inputs
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import PlannerAnswer, Target
from schemas.reproduce.words.bound import InputWords
from schemas.reproduce.words.scene_words import said_in, words_of_name
from schemas.reproduce.words.written import numbers_in, readable
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.equal_parts import miscounted
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.inputs_used import altered
from tasks.reproduce.papers import BUNDLED, load_paper, recorded_ids
from tasks.reproduce.references.choices import choice_faults, within_choices
from tasks.reproduce.references.polarizations import plainest

pytestmark = pytest.mark.unit


def said(text: str, choice: str) -> set[str]:
    return {one.value for one in said_in(readable(text)) if one.choice == choice}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Light arrives at an angle of incidence of 45 degrees.", {"45"}),
        ("The film is lit at normal incidence.", {"0"}),
        ("Rays strike the film at 30 deg from its surface.", {"60"}),
        ("At grazing incidence of 12 degrees the loss is 3 %.", {"78"}),
        ("A beam tilted by 20 degrees from the surface normal is used.", {"20"}),
        ("At oblique incidence 9 % are reflected.", {"oblique"}),
        ("Normally incident light is used.", {"0"}),
        ("The side walls are inclined by 85 degrees.", set()),
        ("The film was illuminated at 60° to the normal.", {"60"}),
        ("The prism has an apex angle of 60 degrees.", set()),
        ("The bars are rotated by 45 degrees about the axis.", set()),
    ],
)
def test_angles_of_incidence(text: str, values: set[str]) -> None:
    assert said(text, "angle") == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("for s-polarised light", {"s"}),
        ("p polarization is used", {"p"}),
        ("R_s and R_p", {"s", "p"}),
        ("TE light is used", {"TE"}),
        ("TM polarisation (electric field along the rods) is used", {"out"}),
        ("TE modes, with the magnetic field along the rods", {"in"}),
        ("the electric field is parallel to the grooves", {"out"}),
        ("polarised perpendicular to the wires", {"in"}),
        ("The magnetic field is perpendicular to the plane of incidence", {"in"}),
        ("E across the axis", {"in"}),
        ("light polarised along x", {"x"}),
        ("light polarised along the axis of the pair excites", set()),
        ("light polarised along the axis of the rods", {"out"}),
        ("unpolarised light", {"none"}),
        ("the field is expanded in plane waves", set()),
        ("SEM and TEM images", set()),
        ("As nothing absorbs, all is transmitted", set()),
        ("at 200 THz and 50 Hz", set()),
        ("The light travels perpendicular to the layers", set()),
        ("an out-of-plane electric field", {"out"}),
        ("out-of-plane polarised light propagates along the row", {"out"}),
        ("out-of-plane loss will limit the usable delay", set()),
        ("the in-plane lattice constant and the weak out-of-plane radiation", set()),
    ],
)
def test_polarisations(text: str, values: set[str]) -> None:
    assert said(text, "polarization") == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Light comes from the glass at normal incidence.", {"dense"}),
        ("The stack is illuminated through the substrate.", {"dense"}),
        ("Light is incident from air.", {"thin"}),
        ("In the Kretschmann geometry a prism is used.", {"dense"}),
        ("Light that is transmitted through the substrate is lost.", set()),
        ("substrate-side illumination", {"dense"}),
        ("The film is lit from above.", {"thin"}),
        ("A resist of index 1.6 is lit from the resist side.", {"index 1.6"}),
        ("Epoxy (n = 1.5) fills it. The incident wave in the epoxy carries all power.", {"index 1.5"}),
        ("A resist of index 1.6 or a resist of index 1.5 is lit from the resist side.", set()),
        ("A resist of index 1.6 absorbs what comes from air.", {"thin"}),
    ],
)
def test_sides(text: str, values: set[str]) -> None:
    assert said(text, "side") == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Sample B has a thickness of 90 nm.", {"sample B"}),
        ("the annealed film", {"annealed film"}),
        ("device 2", {"device 2"}),
        ("a film 2 nm thick", set()),
        ("a layer of 1 um", set()),
        ("structures I and II", {"structure I", "structure II"}),
    ],
)
def test_samples(text: str, values: set[str]) -> None:
    assert said(text, "sample") == values


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("R_s", {"s"}),
        ("Q_sca_E_across", {"in"}),
        ("reflectance_TE", {"TE"}),
        ("data/fig2_p.csv", {"p"}),
        ("absorptance", set()),
    ],
)
def test_names_of_columns_say_which_polarisation_they_hold(name: str, values: set[str]) -> None:
    assert said(words_of_name(name), "polarization") == values


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            "s-polarised p TE TM light incident from at normal incidence 45 degrees the glass substrate along across plane of "
            "E H ( ) . , ; x y z sample B film other polarisation magnetic field oblique \n".split(" ")
        ),
        max_size=40,
    )
)
def test_any_words_are_read(parts: list[str]) -> None:
    text = " ".join(parts)
    for one in said_in(readable(text)):
        assert 0 <= one.start < one.end <= len(text)
        assert one.choice != "angle" or one.value == "oblique" or 0 <= float(one.value) <= 90


CODE = """from simkit.describe import *

def describe(p):
    cell = UnitCell(id="cell", below=Medium(index=p.glass), layers=(Film(medium=Medium(index=p.n), thickness=p.t),),
                    above=vacuum(), light_from="above", angle=p.angle, polarization="s", band=Line(wavelength=p.light))
    return Problem(scenes=(cell,), quantities=(Reflectance(id="R", scene="cell", answers=("R",)),))
"""
GIVEN = (
    ("glass", "1.52", "", "glass of index 1.52"),
    ("n", "2.1", "", "a refractive index of 2.1"),
    ("t", "220", "nm", "a thickness of 220 nm"),
    ("angle", "30", "deg", "an angle of incidence of 30 degrees"),
    ("light", "550", "nm", "a wavelength of 550 nm"),
)
TEXT = (
    "A film is studied here in some detail, by theory and by experiment, on a thick plate. The film has a thickness of 220 "
    "nm and a refractive index of 2.1; the plate is glass of index 1.52. Light comes from air at a wavelength of 550 nm and an "
    "angle of incidence of 30 degrees.\n\nFor s-polarised light the reflectance is 12 %."
)


def extracted() -> tuple[ExtractedParameter, ...]:
    return tuple(
        ExtractedParameter(name=name, value=value, unit=unit, role="input", quotation=words, place="Methods")
        for name, value, unit, words in GIVEN
    )


def film(code: str = CODE) -> Description:
    entries = [one.model_dump(mode="json") for one in declared_inputs(extracted()).parameters]
    return from_document(document(described(code, entries)), declared(entries), code)


def paper(text: str = TEXT, caption: str = "Reflectance of the film.") -> PaperInput:
    return PaperInput(
        paper_id="film",
        title="A film on glass",
        citation="nobody, nowhere (2020)",
        text=text,
        figures=(PaperFigure(figure_id="fig1", caption=caption),),
    )


def target(quotation: str = "the reflectance is 12 %", **reference: Any) -> Target:
    return Target.model_validate(
        {
            "target_id": "R",
            "figure_id": "fig1",
            "description": "what the words say",
            "kind": "scalar",
            "quantity": "efficiency",
            "unit": "%",
            "reference": reference or {"kind": "quotation", "value": 12.0, "quotation": quotation},
        }
    )


def faults(code: str = CODE, text: str = TEXT, caption: str = "Reflectance of the film.") -> tuple[str, ...]:
    about = paper(text, caption)
    words = input_words(extracted(), (), quotable(about))
    return choice_faults(film(code), "R", choice_words(target(), about), words)


def test_what_is_lit_as_the_paper_says_stays_as_it_is() -> None:
    assert faults() == ()
    assert (
        choice_faults(film(), "nobody", choice_words(target(), paper())) == ()
    )  # of no scene of its own: all are looked at


def test_of_a_difference_of_two_polarisations_each_has_the_one_that_the_words_tell() -> None:
    """'retardance is 89.6 degrees, T_TE = 0.871 and T_TM = 0.975': the scene across was doubted, for TE stands nearer."""
    other = CODE[CODE.index("UnitCell(") : CODE.index("    return")].rstrip()
    code = CODE.replace(
        "    return", "    other = " + other.replace('"cell"', '"p"').replace('"s"', '"p"') + "\n    return"
    )
    more = ', Reflectance(id="R_p", scene="p", answers=("R",)),)'
    code = code.replace("(cell,)", "(cell, other)").replace('answers=("R",)),)', 'answers=("R",))' + more)
    assert faults(code) == ()
    assert faults(code.replace('polarization="s"', 'polarization="p"'))


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('polarization="s"', 'polarization="p"', "has E in the plane, and its clause says E along"),
        ("angle=p.angle", "angle=0", "at 0 degrees from the normal, and the paper says 30 degrees"),
        (
            'light_from="above"',
            'light_from="below"',
            "came from the denser side, and the paper says otherwise",
        ),
    ],
)
def test_a_description_that_lights_it_otherwise_is_told_so(old: str, new: str, told: str) -> None:
    """Lie: the other polarisation, normal incidence or the other side gives the paper's number."""
    [fault] = faults(CODE.replace(old, new))
    assert told in fault
    evidence = TargetEvidence(
        target_id="R",
        stage_id="s",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=True,
        classification="SUCCESS",
    )
    [found] = within_choices([evidence], film(CODE.replace(old, new)), {"R": choice_words(target(), paper())})
    assert found.classification == "PARTIAL" and "at most PARTIAL" in found.reasons[-1]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("30 degrees.", "30 degrees from the surface."), "the paper says 60 degrees from the normal"),
        (("For s-polarised light the", "The"), "no words of the paper say so"),
        (("For s-polarised light the", "Light is s-polarised or p-polarised. The"), "nothing says which"),
        (("has a thickness", "lies in water and has a thickness"), "stands in empty space"),
        (("The film has", "Sample A has"), ""),
        (("For s-polarised", "For sample B and s-polarised"), ""),
    ],
)
def test_words_that_say_otherwise_or_nothing(change: tuple[str, str], told: str) -> None:
    """Lie: the paper's angle is counted from the surface, its polarisation is not this one, or its film is under water."""
    found = faults(text=TEXT.replace(*change))
    assert len(found) == bool(told) and told in " ".join(found)


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_another_sample_s_thickness_is_told() -> None:
    """Lie: the thickness of sample A is quoted for a result of sample B."""
    text = TEXT.replace("The film has", "Sample A has").replace(
        "For s-polarised", "For sample B and s-polarised"
    )
    assert any("t is quoted for sample A" in fault for fault in faults(text=text))
    assert faults(text=text.replace("sample B", "sample A")) == ()


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("The s-polarised reflectance at a wavelength of 633 nm is 12 %", "its clause says otherwise"),
        ("With an s-polarised 550 nm laser the reflectance is 12 %", ""),
        ("The s-polarised reflectance is 12 %", ""),
    ],
)
def test_light_of_another_wavelength_than_the_words_name_is_told(words: str, told: str) -> None:
    """Lie: the wavelength of another figure gives the paper's number."""
    about = paper(TEXT.replace("For s-polarised light the reflectance is 12 %", words))
    found = choice_faults(film(), "R", choice_words(target(words), about))
    assert told in " ".join(found) and len(found) == bool(told)


STACK = CODE.replace("layers=(Film(medium=Medium(index=p.n), thickness=p.t),)", "layers=LAYERS")
TWO = "(Film(medium=Medium(index=p.n), thickness=p.t), Film(medium=Medium(index=p.n), thickness=p.d))"


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "on"),
    [
        ("A layer with a thickness of 90 nm lies on a layer with a thickness of 220 nm.", "d on t"),
        ("A layer with a thickness of 90 nm is covered with a layer with a thickness of 220 nm.", "t on d"),
        ("The layers have thicknesses of 90 nm and 220 nm.", ""),
    ],
)
def test_films_in_the_other_order_are_told(words: str, on: str) -> None:
    """Lie: the two films are swapped."""
    cover = ExtractedParameter(
        name="d", value="90", unit="nm", role="input", quotation="90 nm", place="Methods"
    )
    first = extracted()[2].model_copy(update={"quotation": "220 nm"})
    given = (*extracted()[:2], first, *extracted()[3:], cover)
    inputs = input_words(given, (), TEXT.replace("The film has a thickness of 220 nm and", f"{words} It has"))
    entries = [one.model_dump(mode="json") for one in declared_inputs(given).parameters]
    for layers, order in ((TWO, "d on t"), (f"{TWO}[::-1]", "t on d")):
        code = STACK.replace("LAYERS", layers)
        found = from_document(document(described(code, entries)), declared(entries), code)
        assert bool(choice_faults(found, "R", (), inputs)) is (on not in ("", order))


SAID = {
    name: InputWords(kinds=frozenset(kinds.split()))
    for name, kinds in (
        ("glass", "index"),
        ("n", "index"),
        ("t", "vertical"),
        ("angle", "angle"),
        ("light", "light"),
    )
}


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("thickness=p.t", "thickness=p.t / 2", "t"),
        ("thickness=p.t", "thickness=2 * p.t", "t"),
        ("index=p.n", "index=p.n / 2", "n"),
        ("thickness=p.t", "thickness=p.t", ""),
        ("Medium(index=p.n)", "Medium(epsilon=p.n * p.n)", ""),
        ("wavelength=p.light", "wavelength=p.light / 2", "light"),
        ("thickness=p.t", "thickness=p.light / p.n / 2 / 2", ""),
        ("Medium(index=p.n)", "Medium(index=p.n * p.glass)", "glass"),
        ("Medium(index=p.n)", "Medium(epsilon=p.n * p.glass)", "glass"),
    ],
)
def test_a_part_of_an_input_is_not_the_input(old: str, new: str, name: str) -> None:
    """Lie: half the paper's thickness gives the paper's number."""
    assert set(altered(film(CODE.replace(old, new)), SAID)) == ({name} if name else set())


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("Film(medium=Medium(index=2), thickness=p.t),", "index = 2"),
        ("Sheet(resistance=1),", "resistance = 1"),
        ("Film(medium=vacuum(), thickness=p.t),", ""),
    ],
)
def test_a_body_of_typed_numbers_is_told(more: str, told: str) -> None:
    """Lie: a film of index 2, or a sheet, that the paper does not have; small numbers may be typed."""
    found = choice_faults(
        film(CODE.replace("layers=(", f"layers=({more}")), "R", choice_words(target(), paper())
    )
    assert len(found) == bool(told) and told in " ".join(found)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("layers", "good"),
    [
        ("[H, L] * p.count('pairs')", True),
        ("[H, L] * p.count('pairs') + [H]", True),
        ("[H, L] * (p.count('pairs') + 1)", False),
        ("[H, L] * (p.count('pairs') - 1)", False),
        ("[H, L] * p.count('pairs') + [L] + [L, H] * p.count('pairs')", True),
    ],
)
def test_one_pair_more_or_less_is_told(layers: str, good: bool) -> None:
    """Lie: seven pairs instead of six."""
    code = CODE.replace(
        "layers=(Film(medium=Medium(index=p.n), thickness=p.t),)", "layers=LAYERS".replace("LAYERS", layers)
    ).replace(
        "    cell =",
        "    H, L = Film(medium=Medium(index=p.n), thickness=p.t), Film(medium=vacuum(), thickness=p.light)\n    cell =",
    )
    entries = [
        *(one.model_dump(mode="json") for one in declared_inputs(extracted()).parameters),
        {"id": "pairs", "value": 6, "origin": "paper", "quotation": "six pairs"},
    ]
    found = from_document(document(described(code, entries)), declared(entries), code)
    assert bool(miscounted(found, frozenset({"cell"}))) is not good


@pytest.mark.parametrize("name", recorded_ids())
def test_bundled_descriptions_are_lit_as_their_papers_say(name: str) -> None:
    answers = [
        entry["answer"]
        for entry in map(json.loads, (BUNDLED / name / "transcript.jsonl").open())
        if isinstance(entry.get("answer"), dict)
    ]
    plan = PlannerAnswer.model_validate(
        [answer for answer in answers if {"plan", "extracted_parameters"} <= answer.keys()][-1]
    )
    about = load_paper(BUNDLED / name)[0]
    words = input_words(plan.extracted_parameters, plan.plan.materials, quotable(about))
    assert not any(one.sample for one in words.values())
    for design in (answer["design"] for answer in answers if (answer.get("design") or {}).get("code")):
        entries = [
            *(one.model_dump(mode="json") for one in declared_inputs(plan.extracted_parameters).parameters),
            *design.get("parameters", ()),
        ]
        found = from_document(document(described(design["code"], entries)), declared(entries), design["code"])
        assert altered(found, words) == {}
        for each in plan.plan.stage(design["stage_id"]).targets:
            assert choice_faults(found, each.target_id, choice_words(each, about), words) == ()


@pytest.mark.parametrize(
    ("text", "value", "beside"),
    [
        ("It grows from 16.5 at N = 4 over 127.6 at N = 8 to 708 at N = 12.", 127.6, set()),
        ("It grows from 16.5 at N = 4 to 127.6 at N = 8.", 127.6, set()),
        ("With an index of 2.02 it grows to 127.6 at N = 8.", 127.6, {"2.02 1"}),
        ("At a thickness of 90 nm it is 127.6 at N = 8.", 127.6, {"90 nm"}),
    ],
)
def test_a_case_that_stands_behind_each_result_is_of_the_result_before_it(
    text: str, value: float, beside: set[str]
) -> None:
    [number] = [n for n in numbers_in(readable(text)) if n.low == value]
    found = beside_of(readable(text), number)
    assert {one for told in found for one in told.values} <= beside and bool(found) == bool(beside)


def test_plain_words_stand_before_abbreviations_where_these_have_two_conventions() -> None:
    crystals, layers = {"TE": "in", "TM": "out", "y": "in"}, {"TE": "out", "TM": "in", "y": "out"}
    said = frozenset({"y", "out", "TE"})
    assert {*plainest(said, crystals)} == {"out"} and {*plainest(said, layers)} == said
    assert {*plainest({*said, "TM"}, crystals)} == {*said, "TM"} and {*plainest({"out", "in"}, crystals)} == {
        "out",
        "in",
    }
