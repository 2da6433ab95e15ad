"""An input's quotation names it, stands for it alone, and is taken for nothing else; else what rests on it is PARTIAL."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.input_rules import input_issues, input_words
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.declared import declared as declared_inputs
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.simulations.axes import belied
from schemas.reproduce.simulations.numerics import QuantityResult, Sensitivity, StudyResult
from schemas.reproduce.words.bound import InputWords
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.tables import read_table
from tasks.reproduce.describing.answering import process_measured
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.inputs_used import inputs_used, taken_for_another
from tasks.reproduce.judging.inputs import within_inputs
from tasks.reproduce.papers import BUNDLED, load_paper, recorded_ids

pytestmark = pytest.mark.unit

TEXT = """The layer thickness is 120 nm. A prism of refractive index 2.30 holds it. Both films have a width of 80 nm. The
grating has bars of 0.2 um. The film thickness was 120 nm in the supplement. Its aspect ratio of 2.5 is moderate, and the
refractive index of the layer is 1.9. The period and the height are 400 nm and 90 nm, respectively. Light of 0.6 um is used.
Radii of 50, 60 and 70 nm were tried. The wavelengths run from 450 to 810 nm. Silver has a refractive index of 0.2.
"""


def value(name: str, number: str, unit: str, words: str) -> ExtractedParameter:
    return ExtractedParameter(
        name=name, value=number, unit=unit, role="input", quotation=words, place="Methods"
    )


def faults(*inputs: ExtractedParameter, media: tuple[MaterialChoice, ...] = ()) -> dict[str, str]:
    return {name: one.fault for name, one in input_words(inputs, media, TEXT).items() if one.fault}


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("name", "number", "unit", "words"),
    [
        ("period", "120", "nm", "The layer thickness is 120 nm"),
        ("wavelength", "120", "nm", "The layer thickness is 120 nm"),
        ("film_index", "2.5", "", "aspect ratio of 2.5"),
        ("radius", "80", "nm", "a width of 80 nm"),
        ("period", "90", "nm", "The period and the height are 400 nm and 90 nm"),
        ("thickness", "60", "nm", "50, 60 and 70 nm"),
        ("lattice_constant", "450", "nm", "The wavelengths run from 450 to 810 nm"),
    ],
)
def test_an_input_quoted_from_another_noun_is_bound_to_nothing(
    name: str, number: str, unit: str, words: str
) -> None:
    """Lie: a number of the paper's is given as another thing than the paper says it is."""
    found = faults(value(name, number, unit, words))
    assert "something else than its name" in found[name], found
    [issue] = input_issues(input_words([value(name, number, unit, words)], (), TEXT))
    assert issue.severity == "minor" and "PARTIAL" in issue.description  # told, and never a round


@pytest.mark.parametrize(
    ("name", "number", "unit", "words"),
    [
        ("layer_height", "120", "nm", "The layer thickness is 120 nm"),
        ("index_of_layer", "1.9", "", "refractive index of the layer is 1.9"),
        ("bar", "200", "nm", "bars of 0.2 um"),
        ("prism_index", "2.3", "", "A prism of refractive index 2.30"),
        ("t", "120", "nm", "The layer thickness is 120 nm"),
        ("width", "200", "nm", "bars of 0.2 um"),
        ("pitch", "400", "nm", "The period and the height are 400 nm and 90 nm"),
        ("height", "90", "nm", "The period and the height are 400 nm and 90 nm, respectively"),
        ("rod_radius", "50, 60, 70", "nm", "Radii of 50, 60 and 70 nm"),
        ("shortest", "450", "nm", "from 450 to 810 nm"),
        ("wavelength_max", "810", "nm", "The wavelengths run from 450 to 810 nm"),
    ],
)
def test_honest_names_and_synonyms_are_bound(name: str, number: str, unit: str, words: str) -> None:
    assert not faults(value(name, number, unit, words))


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("name", "number", "unit", "words", "why"),
    [
        ("layer_index", "2.3", "", "A prism of refractive index 2.30", "index of the layer is 1.9"),
        (
            "layer_thickness",
            "200",
            "nm",
            "bars of 0.2 um",
            "has words that do: 'The layer thickness is 120 nm",
        ),
        (
            "layer_index",
            "0.2",
            "",
            "Silver has a refractive index of 0.2",
            "",
        ),  # nothing like the layer's 1.9
        ("thickness", "200", "nm", "bars of 0.2 um", ""),
        ("grating_index", "2.3", "", "A prism of refractive index 2.30", ""),
    ],
)
def test_words_of_another_body_bind_nothing_where_the_paper_has_words_for_it(
    name: str, number: str, unit: str, words: str, why: str
) -> None:
    """Lie: the prism's index is quoted for the film, whose own the paper states."""
    found = faults(value(name, number, unit, words))
    assert set(found) == ({name} if why else set()) and why in found.get(name, "")
    own = (
        value("layer_n", "1.9", "", "refractive index of the layer is 1.9"),
        value("layer_height", "120", "nm", "The layer thickness is 120 nm"),
    )
    assert not faults(value(name, number, unit, words), *own), "what another input takes up is that one's"


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_the_same_words_are_one_inputs_unless_they_say_that_several_are_equal() -> None:
    """Lie: one quotation serves the thickness and, under a name that says nothing, the period."""
    one, other = (value(name, "120", "nm", "The layer thickness is 120 nm") for name in ("t", "a"))
    found = faults(one, other)
    assert set(found) == {"t", "a"} and all(
        "the same words of the paper" in fault for fault in found.values()
    )
    assert not faults(one, value("a", "120", "nm", "The film thickness was 120 nm"))
    assert not faults(*(value(name, "80", "nm", "Both films have a width of 80 nm") for name in ("w1", "w2")))
    between = "Its thickness lies between 60 and 120 nm."
    [end] = input_words([value("d", "60", "nm", "between 60 and 120 nm")], (), between).values()
    assert end.ranged and not end.fault
    assert not faults(
        value("shortest", "450", "nm", "from 450 to 810 nm"),
        value("longest", "810", "nm", "from 450 to 810 nm"),
    )


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("sentence", "bound"),
    [
        ("A film with a thickness of 120 nm would be more stable.", False),
        ("It must not have a thickness of 120 nm.", False),
        ("Smith et al. reported a thickness of 120 nm.", False),
        ("We use a thickness of 120 nm.", True),
        ("The discs do not touch: they have a thickness of 120 nm.", True),
    ],
)
def test_an_input_that_the_paper_denies_or_only_supposes_is_no_input(sentence: str, bound: bool) -> None:
    """Lie: the thickness that would be better is taken for the one that is."""
    text = f"A film on glass is studied here. {sentence} It is lit from above."
    given = value("thickness", "120", "nm", "a thickness of 120 nm")
    assert bool(input_words([given], (), text)["thickness"].fault) is not bound


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_inputs_exchanged_by_their_names_are_bound_to_nothing() -> None:
    """Lie: the film's index is quoted for the glass, and the glass's for the film."""
    text = "The film has a refractive index of 1.52 and a thickness of 120 nm. The glass has a refractive index of 1.38."
    given = [
        value("film_index", "1.38", "", "a refractive index of 1.38"),
        value("glass_index", "1.52", "", "index of 1.52"),
    ]
    assert all("words that do" in one.fault for one in input_words(given, (), text).values())
    honest = [
        value("film_index", "1.52", "", "index of 1.52"),
        value("glass_index", "1.38", "", "a refractive index of 1.38"),
    ]
    assert not any(one.fault for one in input_words(honest, (), text).values())
    masked = f"{text} It was made through a mask with a thickness of 90 nm."
    [mask] = input_words([value("film_thickness", "90", "nm", "a thickness of 90 nm")], (), masked).values()
    assert "thickness of 120 nm" in mask.fault


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_a_materials_index_is_quoted_from_an_index() -> None:
    def medium(name: str, index: float, words: str) -> MaterialChoice:
        return MaterialChoice(name=name, index=index, band_um=(0.5, 0.8), source=words, reason="stated")

    assert set(faults(media=(medium("film", 2.5, "Its aspect ratio of 2.5"),))) == {"material film"}
    assert not faults(media=(medium("film", 1.9, "refractive index of the layer is 1.9"),))
    assert set(
        faults(
            media=(
                medium("film", 1.9, "refractive index of the layer is 1.9"),
                medium("glass", 1.9, "index of the layer is 1.9"),
            )
        )
    ) == {"material film", "material glass"}


@pytest.mark.parametrize("paper", recorded_ids())
def test_every_input_of_a_bundled_plan_is_bound(paper: str) -> None:
    """Else the table of nouns is wrong."""
    answer, _ = recorded(paper)
    text = quotable(load_paper(BUNDLED / paper)[0])
    found = input_words(answer.extracted_parameters, answer.plan.materials, text)
    assert found and {name: one.fault for name, one in found.items() if one.fault} == {}
    named = [name for name, one in found.items() if one.kinds]
    assert len(named) >= 0.6 * len(found), "the words of most inputs name what they are"


def recorded(paper: str) -> tuple[PlannerAnswer, dict[str, dict[str, Any]]]:
    """The last plan of a bundled recording, and the last design of each stage."""
    answers = [
        entry["answer"]
        for entry in map(json.loads, (BUNDLED / paper / "transcript.jsonl").open())
        if isinstance(entry.get("answer"), dict)
    ]
    plans = [answer for answer in answers if {"plan", "extracted_parameters"} <= answer.keys()]
    designs = [answer["design"] for answer in answers if isinstance(answer.get("design"), dict)]
    return PlannerAnswer.model_validate(plans[-1]), {
        design["stage_id"]: design for design in designs if design.get("code")
    }


@pytest.mark.parametrize("paper", recorded_ids())
def test_bundled_descriptions_take_inputs_for_what_they_are_and_measure_what_the_words_speak_of(
    paper: str,
) -> None:
    answer, designs = recorded(paper)
    about = load_paper(BUNDLED / paper)[0]
    text, inputs = quotable(about), declared_inputs(answer.extracted_parameters).parameters
    words = input_words(answer.extracted_parameters, answer.plan.materials, text)
    light = [
        (one.value or 0.0, one.unit) for one in inputs if one.id in words and "light" in words[one.id].kinds
    ]
    assert designs
    for stage_id, design in designs.items():
        entries = [*(one.model_dump(mode="json") for one in inputs), *design.get("parameters", ())]
        found = from_document(document(described(design["code"], entries)), declared(entries), design["code"])
        assert taken_for_another(found, words) == {}
        measured = {target: process_measured(q) for q in found.problem.quantities for target in q.answers}
        for target in answer.plan.stage(stage_id).targets:
            said = bound(target, text, answer.extracted_parameters).process
            assert measured.get(target.target_id, "") in ("", said) or not said
            if target.reference.file and target.reference.x_column:
                column = read_table(BUNDLED / paper / target.reference.file)[target.reference.x_column]
                assert belied(target.reference.x_column, column.to_list(), light) == ""


GRATING = """from simkit.describe import *

def describe(p):
    cell = UnitCell(id="cell", below=Material("glass"), period=(p.period,), above=vacuum(), light_from="above",
                    layers=(Film(medium=vacuum(), thickness=THICKNESS,
                                 pattern=(Bar(medium=Medium(index=p.n), x=(0, p.w)),)),),
                    polarization="x", band=Line(wavelength=p.light))
    other = UnitCell(id="other", below=vacuum(), layers=(Film(medium=Medium(index=p.n), thickness=p.t),), above=vacuum(),
                     light_from="above", polarization="x", band=Line(wavelength=p.light))
    return Problem(scenes=(cell, other), quantities=(Reflectance(id="R", scene="cell", answers=("R",)),
                                                     Reflectance(id="O", scene="other", answers=("O",))))
"""
NUMBERS: list[dict[str, Any]] = [
    {"id": name, "value": number, "unit": unit, "origin": "paper", "quotation": "words"}
    for name, number, unit in (
        ("period", 400, "nm"),
        ("t", 120, "nm"),
        ("n", 1.9, "1"),
        ("w", 80, "nm"),
        ("light", 600, "nm"),
    )
]


def grating(thickness: str, **derived: str) -> Description:
    entries = [
        *NUMBERS,
        *(
            {"id": name, "unit": "nm", "origin": "derived", "expression": words}
            for name, words in derived.items()
        ),
    ]
    code = GRATING.replace("THICKNESS", thickness)
    return from_document(document(described(code, entries)), declared(entries), code)


SAID = {
    name: InputWords(kinds=frozenset(kinds.split()))
    for name, kinds in (
        ("period", "period"),
        ("t", "vertical"),
        ("n", "index"),
        ("w", "lateral"),
        ("light", "light"),
    )
}


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("thickness", "derived"),
    [
        ("p.period", {}),
        ("p.period * 2 / 2", {}),
        ("p.mine", {"mine": "period"}),
        ("p.mine + 0", {"mine": "period / 2 * 2"}),
    ],
)
def test_an_input_that_the_description_takes_for_another_thing_is_named(
    thickness: str, derived: dict[str, str]
) -> None:
    """Lie: the plan quotes the period, and the designer makes it the thickness."""
    found = taken_for_another(grating(thickness, **derived), SAID)
    assert set(found) == {"period"} and "thickness" in found["period"] and "something else" in found["period"]
    unnamed = taken_for_another(grating(thickness, **derived), {**SAID, "period": InputWords()})
    assert set(unnamed) == {"period"} and "equal" in unnamed["period"]
    ranged = {
        **SAID,
        "t": InputWords(kinds=frozenset({"vertical"}), ranged=True),
        "light": InputWords(ranged=True),
    }
    assert set(taken_for_another(grating("p.t"), ranged)) == {"t", "light"}  # an end of a range is no value
    equal = {**SAID, "period": InputWords(kinds=frozenset({"period"}), equal=True)}
    assert not taken_for_another(grating(thickness, **derived), equal)


@pytest.mark.parametrize("thickness", ["p.t", "p.w", "p.period / 2", "p.t + p.w"])
def test_an_honest_description_takes_inputs_for_what_they_are(thickness: str) -> None:
    assert taken_for_another(grating(thickness), SAID) == {}


def test_what_rests_on_an_unbound_input_is_partial_and_the_rest_is_not() -> None:
    found = grating("p.t")
    assert inputs_used(found, "R") == {"period", "t", "n", "w", "light"} and inputs_used(found, "O") == {
        "t",
        "n",
        "light",
    }
    evidence = [
        TargetEvidence(
            target_id=name,
            stage_id="s",
            ran=True,
            computed=True,
            converged=True,
            physical=True,
            matches=True,
            classification="SUCCESS",
        )
        for name in ("R", "O")
    ]
    words = {**SAID, "w": InputWords(fault="its quoted words speak of something else than its name: 'x'")}
    capped, free = within_inputs(evidence, found, words)
    assert (capped.classification, free.classification) == ("PARTIAL", "SUCCESS")
    assert "rests on w: its quoted" in capped.reasons[0]
    [glass, _] = within_inputs(
        evidence, found, {**SAID, "material glass": InputWords(fault="an aspect ratio")}
    )
    assert glass.classification == "PARTIAL"
    assert within_inputs(evidence, None, words) == tuple(evidence)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("change", "origin", "number", "good"),
    [
        (0.02, "assumption", 1.0, True),
        (0.06, "assumption", 1.0, False),
        (0.06, "paper", 1.0, True),
        (None, "assumption", 1.0, True),
        (0.06, "assumption", None, False),
    ],
)
def test_what_an_assumption_decides_is_no_success(
    change: float | None, origin: str, number: float | None, good: bool
) -> None:
    """Lie: the thickness that gives the paper's number is called an assumption."""
    tried = Sensitivity(
        parameter="t", origin=origin, tried="126 nm", reason="5% more", change=change, relative=change
    )
    quantity = QuantityResult(
        id="R",
        kind="reflectance",
        scene="cell",
        status="converged",
        value=number,
        answers=("R",),
        sensitivities=(tried,),
    )
    study = StudyResult(digest="d", quantities=(quantity,))
    evidence = TargetEvidence(
        target_id="R",
        stage_id="s",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=True,
        simulated=1.0,
        measure="relative_percent",
        acceptable=5.0,
        classification="SUCCESS",
    )
    [found] = within_inputs([evidence], grating("p.t"), SAID, study)
    assert (found.classification == "SUCCESS") is good
    assert good or "with 126 nm it moves by 6 %, and 5 % is the threshold" in found.reasons[-1]
