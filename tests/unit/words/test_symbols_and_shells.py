"""What an honest paper of coated and buried wires met: sizes told by a symbol, shells on a diameter, another structure's surroundings."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.input_rules import input_words
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.words.bound import InputWords
from schemas.reproduce.words.claims import _claims
from schemas.reproduce.words.input_nouns import kinds_of_symbol
from schemas.reproduce.words.structure_words import StructureWords, structure_words
from schemas.reproduce.words.written import numbers_in, readable
from simkit.describe.__main__ import described
from simkit.describe.base import RESOLVED
from simkit.describe.document import document
from simkit.describe.problem import Problem
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.describing.inputs_used import altered
from tasks.reproduce.references.bodies_told import bodies_missing
from tests.unit.words.test_two_results import made, unmade

pytestmark = pytest.mark.unit
FAR = 1e20


def by_symbol(text: str) -> frozenset[str]:
    plain = readable(text)
    return kinds_of_symbol(plain, numbers_in(plain)[-1])


@given(
    st.sampled_from(
        [("diameter", "diameter"), ("thickness", "vertical"), ("period", "period"), ("width", "lateral")]
    ),
    st.sampled_from(["D", "t", "w_1", "\u039b", "L2"]),
    st.sampled_from(
        ["Posts of {noun} {name} stand on glass.", "{name} always means the {noun} of the core."]
    ),
    st.integers(20, 900),
)
def test_a_number_is_what_the_noun_of_its_symbol_says(
    noun: tuple[str, str], name: str, sentence: str, value: int
) -> None:
    text = f"{sentence.format(noun=noun[0], name=name)} For {name} = {value} nm the values are these."
    assert noun[1] in by_symbol(text)


@pytest.mark.parametrize(
    "text",
    [
        "The diameter D is swept. The period D is fixed. For D = 160 nm it is so.",  # two things of one name
        "The diameter grows. For D = 160 nm it is so.",
        "In units of the frequency a/lambda. For a = 160 nm it is so.",
        "With a diameter a structure is made. For a = 160 nm it is so.",
        "Balls with a radius (D) stand in air. A lens of diameter D collects the light. For D = 160 nm it is so.",
        "D is half of their diameter. A lens of diameter D collects the light. For D = 160 nm it is so.",
        "By D we mean the radius. A beam of diameter D lights them. For D = 160 nm it is so.",
        "Balls with a diameter D / 2 stand in air. For D = 160 nm it is so.",
        "Balls with a diameter 2D stand in air. For D = 160 nm it is so.",
        "Balls of half-diameter D stand in air. For D = 160 nm it is so.",
        "D means the half diameter. For D = 160 nm it is so.",
        "Balls of diameter D stand in air. For 2D = 160 nm it is so.",
        "Balls of diameter D stand in air. For t + D = 160 nm it is so.",
        "Balls of diameter D stand in air. For a change of D = 160 nm it is so.",
        "Balls with a diameter D - 80 nm stand in air. For D = 160 nm it is so.",
    ],
)
def test_a_symbol_that_no_noun_alone_has_says_nothing(text: str) -> None:
    assert not by_symbol(text)


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (
            "We compute how a dipole feeds the fundamental mode of a wire that is clad with 30 nm of alumina.",
            False,
        ),
        ("The resonance shifts by 30 nm.", True),
        ("The strongest resonance lies at 30 nm of gold spheres.", True),
        ("The reflectance is largest for 30 nm of alumina.", True),
    ],
)
def test_a_length_of_a_material_is_no_result(words: str, result: bool) -> None:
    found = [claim for claim in _claims("abstract", words) if claim.number.low == 30]
    assert any(claim.result for claim in found) is result or (not found and not result)


def test_a_quotient_that_defines_a_symbol_makes_its_values_ratios() -> None:
    text = "The rest is G_leak, and \u03b2 = (G - G_leak)/G. The best \u03b2 = 0.956 is found. The reflectance R = P_r/P_0 has R = 0.5."
    assert not unmade(made("The best \u03b2 = 0.956 is found", 0.956, "1", "ratio"), text)
    assert unmade(made("has R = 0.5", 0.5, "1", "ratio"), text)
    assert unmade(made("The best \u03b2 = 0.956 is found", 0.956, "1", "ratio"), text.replace("/G", " + G"))
    other = "The light has k = w/c. At k = 3 the best share is 0.956."  # another symbol of its sentence
    assert unmade(made("At k = 3 the best share is 0.956", 0.956, "1", "ratio"), other)


PAPER = (
    "# Structures\n\nThe core is a cylinder of an index of 3.45. Bare wires are surrounded by vacuum (index 1). Embedded wires are "
    "surrounded by a polymer of index 1.41 that fills the whole space."
)


def scene(background: float, around: float | None) -> Any:
    medium = lambda n: {"kind": "medium", "index": n}  # noqa: E731
    block = {"type": "block", "id": "around", "x": [-FAR, FAR], "y": [-FAR, FAR], "z": [-FAR, FAR]}
    wire = {
        "type": "cylinder",
        "id": "wire",
        "medium": medium(3.45),
        "radius": 0.1,
        "axis": "z",
        "center": [0, 0, 0],
    }
    emitter = {
        "type": "emitter",
        "id": "e",
        "dimensions": "3D",
        "bodies": [
            *([{**block, "medium": medium(around)}] if around else []),
            {**wire, "bounds": [-FAR, FAR]},
        ],
        "background": medium(background),
        "position": [0, 0, 0],
        "orientation": "x",
        "band": {"type": "line", "wavelength": 0.95},
    }
    quantity = {"type": "purcell_factor", "id": "F", "scene": "e"}
    return Problem.model_validate({"scenes": [emitter], "quantities": [quantity]}, context=RESOLVED).scenes[0]


def said(of: Any, words: StructureWords) -> list[str]:
    spoken = {number.paragraph for number in words.numbers}
    return [
        fault
        for fault in bodies_missing(words, spoken, [of], [of])
        if "air" in fault or "empty space" in fault
    ]


@pytest.mark.parametrize(
    ("background", "around", "doubted"),
    [
        (1.0, None, False),
        (3.45, 1.0, False),  # a block without an end is what surrounds them
        (1.41, None, True),  # the paper's other surroundings: a person says whether they are this scene's
        (3.45, 1.41, True),
        (1.33, None, True),
        (3.45, None, True),
    ],
)
def test_what_surrounds_bodies_is_what_light_meets_there(
    background: float, around: float | None, doubted: bool
) -> None:
    assert bool(said(scene(background, around), structure_words(PAPER))) is doubted


WIRE = """from simkit.describe import *

def describe(p):
    coat = Cylinder(id="coat", medium=Medium(index=p.n), radius=MADE, axis="z")
    core = Cylinder(id="core", medium=Medium(index=p.n * p.n), radius=CORE, axis="z")
    light = Line(wavelength=p.light)
    wire = Emitter(id="e", dimensions="3D", bodies=(coat, core), background=vacuum(), position=(0, 0, 0), orientation="x", band=light)
    return Problem(scenes=(wire,), quantities=(PurcellFactor(id="F", scene="e", answers=("F",)),))
"""


def wire_of(expression: str, sizes: dict[str, InputWords], core: str = "p.diameter / 2") -> dict[str, str]:
    rows: list[dict[str, Any]] = [
        {"id": name, "value": value, "unit": unit, "origin": "paper", "quotation": f"{value} {unit}"}
        for name, value, unit in (
            ("diameter", 0.16, "um"),
            ("shell", 0.03, "um"),
            ("light", 0.95, "um"),
            ("n", 1.76, "1"),
        )
    ]
    code = WIRE.replace("MADE", expression).replace("CORE", core)
    return altered(from_document(document(described(code, rows)), declared(rows), code), sizes)


def test_a_shell_lies_on_half_of_what_words_call_a_diameter() -> None:
    sizes = {
        "diameter": InputWords(kinds=frozenset({"diameter"})),
        "shell": InputWords(kinds=frozenset({"vertical"})),
    }
    assert not wire_of("p.diameter / 2 + p.shell", sizes)
    assert wire_of("p.diameter / 2 + 2 * p.shell", sizes)
    assert wire_of("p.diameter / 4 + p.shell", sizes)
    assert wire_of("p.diameter / 2 + p.shell", sizes, core="p.diameter / 4")  # on nothing
    whole = {**sizes, "diameter": sizes["diameter"].model_copy(update={"whole": True})}
    assert wire_of("p.diameter / 2 + p.shell", whole)  # the shell is in it
    assert wire_of("p.diameter / 2 + p.shell", {**sizes, "diameter": InputWords(kinds=frozenset({"radius"}))})


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("an outer diameter of 160 nm", True),
        ("a diameter of 160 nm including the shell", True),
        ("with its shell a diameter of 160 nm", True),
        ("a diameter of 160 nm, without shell", False),
        ("a core diameter of 160 nm", False),
    ],
)
def test_a_diameter_may_be_that_of_all_together(words: str, whole: bool) -> None:
    given = ExtractedParameter(
        name="diameter", value="160", unit="nm", role="input", quotation=words, place="2"
    )
    assert input_words([given], [], f"Wires have {words}.")["diameter"].whole is whole


def test_a_side_is_looked_for_near_its_word_alone() -> None:
    """Its time grew with the square of a text of sides."""
    text = "side. " * 8000 + "For D = 160 nm"
    began = time.process_time()
    assert not by_symbol(text)
    assert time.process_time() - began < 3
