"""Kinds of doubt that honest papers met, each with the lie that its rule was made for, which is still doubted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.choice_words import choice_words
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.reference_rules import quotable
from agents.reproduce.rules.word_rules import called
from schemas.reproduce.words.captions import names_another
from schemas.reproduce.words.structure_words import structure_words
from tasks.reproduce.describing.answering import answering
from tasks.reproduce.describing.inputs_used import altered
from tasks.reproduce.references.called import unmatched
from tasks.reproduce.references.choices import choice_faults
from tests.lies.attempts import cases
from tests.unit.words.attempted import read, with_words

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
FILM, WIRE = CASES["h-film"], CASES["h-wire"]


def _input(name: str, value: float, unit: str, words: str) -> dict[str, Any]:
    return {
        "name": name,
        "value": f"{value:g}",
        "unit": unit,
        "role": "input",
        "quotation": words,
        "place": "Methods",
    }


SYMMETRIC = (
    "a film with a thickness of {t} nm lies in its exact middle between spacers of a polymer with a refractive index of {n}",
    "a film with a thickness of {t} nm lies between two equal spacers of a polymer with a refractive index of {n}",
    "a film with a thickness of {t} nm is held midway by a polymer with a refractive index of {n}",
    "a polymer with a refractive index of {n} lies on either side of a film with a thickness of {t} nm",
)
ONE_SIDED = "a film with a thickness of {t} nm lies on a polymer with a refractive index of {n}"
HALF = "(p.wavelength / p.spacer_index - p.film_thickness) / 2"


def _cavity(words: str, thickness: str, t: int, n: float) -> dict[str, Any]:
    """A paper with a spacer of a thickness that the description works out from its inputs."""
    film, index = f"a film with a thickness of {t} nm", f"a polymer with a refractive index of {n}"
    text = (
        f"The cavity is one wave thick in total at a wavelength of 620 nm: {words.format(t=t, n=n)}. All of it stands in air, and "
        "light falls on it at normal incidence."
    )
    spacer = f"Film(medium=Medium(index=p.spacer_index), thickness={thickness})"
    layers = f"[{spacer}, Film(medium=Medium(index=p.spacer_index), thickness=p.film_thickness), {spacer}]"
    code = FILM["code"]
    old = code[code.index("layers=") : code.index(", above=")]
    return {
        **FILM,
        "text": FILM["text"].replace(FILM["text"].split("## Methods\n")[1].split("\n\n## Results")[0], text),
        "inputs": [
            _input("wavelength", 620, "nm", "a wavelength of 620 nm"),
            _input("film_thickness", t, "nm", film),
            _input("spacer_index", n, "", index),
        ],
        "code": code.replace(old, f"layers={layers}").replace(
            "below=Medium(index=p.glass_index)", "below=vacuum()"
        ),
    }


def _altered(case: dict[str, Any]) -> dict[str, str]:
    one = read(case)
    return altered(one.found, input_words(one.extracted, one.materials, quotable(one.paper)))


SIZES, INDICES = st.integers(20, 180), st.sampled_from([1.45, 1.62, 1.7, 2.02])


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(SYMMETRIC), SIZES, INDICES)
def test_an_equal_part_of_a_difference_is_fair_where_the_words_part_it(words: str, t: int, n: float) -> None:
    assert not _altered(_cavity(words, HALF, t, n))


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(
        [
            *((ONE_SIDED, HALF),),
            *((words, HALF.replace("/ 2", "/ 2 / 2")) for words in SYMMETRIC),
            *((words, HALF.replace("-", "+")) for words in SYMMETRIC),
            *((words, HALF.replace("p.film_thickness)", "p.film_thickness / 2)")) for words in SYMMETRIC),
            *((words, "p.wavelength * p.spacer_index - p.film_thickness") for words in SYMMETRIC),
        ]
    ),
    SIZES,
    INDICES,
)
def test_other_arithmetic_is_doubted(lie: tuple[str, str], t: int, n: float) -> None:
    """Lie: half of a difference that nothing parts, or another share of one than the words say."""
    assert _altered(_cavity(*lie, t, n))


KINDS = st.sampled_from(["Reflectance", "Transmittance", "Scattering efficiency", "Absorptance"])
BODIES = st.lists(
    st.sampled_from(["bare", "coated", "covered", "etched", "annealed", "filled", "hollow", "tapered"]),
    min_size=3,
    max_size=3,
    unique=True,
)
TWO = st.sampled_from(
    [
        "{kind} of the {a} wire and of the wire with a shell.",
        "Spectra at normal incidence. (a) {kind} of the {a} wire. (b) The same with a dye.",
        "{kind} of the {a} wire (solid) against wavelength. Dashed: with a thin shell.",
        "{kind} of the {a} wire; the other one has a shell.",
    ]
)
ONE = st.sampled_from(
    [
        "{kind} of the {a} wire.",
        "{kind} of the {a} wire between 400 and 700 nm.",
        "{kind} of the {a} wire at normal incidence against vacuum wavelength, 450 to 810 nm.",
        "Reflectance R and transmittance T of the {a} wire.",
    ]
)


@given(KINDS, BODIES, TWO)
def test_a_caption_of_two_curves_may_call_one_otherwise_than_its_column(
    kind: str, bodies: list[str], caption: str
) -> None:
    a, b, _ = bodies
    assert not names_another(f"R_{b}", [f"R_{a}", f"R_{b}"], caption.format(kind=kind, a=a))


@pytest.mark.attack("judgement", "at most PARTIAL")
@given(KINDS, BODIES, st.one_of(ONE.map(lambda c: (c, 2)), TWO.map(lambda c: (c, 3))))
def test_a_curve_for_which_the_caption_has_no_room_is_another(
    kind: str, bodies: list[str], told: tuple[str, int]
) -> None:
    """Lie: another column of the figure's data, which happens to agree."""
    caption, many = told
    columns = [f"R_{body}" for body in bodies[:many]]
    assert names_another(columns[-1], columns, caption.format(kind=kind, a=bodies[0]))


LIGHT = st.integers(400, 800).filter(lambda nm: abs(nm - 633) > 10)


def _lit(nm: int, at: int) -> tuple[str, ...]:
    """What is doubted of a film whose result is stated at one wavelength, and that was computed at another."""
    case = with_words(FILM, f"the coated plate reflects # at {at} nm")
    one = read(
        {
            **case,
            "text": case["text"].replace("At the wavelength of the laser the", "The")
            + f" The plate was also tried at {nm} nm.",
            "inputs": [*case["inputs"], _input("line", nm, "nm", f"tried at {nm} nm")],
            "code": case["code"].replace("p.wavelength", "p.line"),
        }
    )
    return choice_faults(one.found, "R", choice_words(one.targets[0], one.paper))


@settings(max_examples=12, deadline=None)
@given(LIGHT)
def test_the_light_of_a_numbers_own_clause_counts_before_any_other(nm: int) -> None:
    assert not _lit(nm, nm)


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=12, deadline=None)
@given(LIGHT, LIGHT)
def test_other_light_than_the_clause_says_is_doubted(nm: int, at: int) -> None:
    """Lie: a number that is stated at one wavelength is computed at another one of the paper's, or at its laser's."""
    if abs(nm - at) > 0.005 * at:
        assert _lit(nm, at)
    one = read(with_words(FILM, f"the coated plate reflects # at {at} nm"))
    asked = one.targets[0]
    assert unmatched(called(asked, one.paper, one.extracted), asked, answering(one.found, "R"))


def _per(size: str, defined: str, of_curve: bool) -> list[str]:
    """What is doubted of a scattering efficiency over a size, in a paper that defines it so."""
    words = WIRE["targets"][0]["reference"]["quotation"]
    case = {
        **WIRE,
        "text": WIRE["text"].replace(", the scattering cross-section over the shadow", "")
        + f"\n\n## Notes\n{defined}",
        "code": WIRE["code"].replace("per=p.diameter", f"per={size}"),
    }
    assert words in case["text"]
    one = read(case)
    read_off = one.targets[0].reference.model_copy(update={"feature": "maximum_value"} if of_curve else {})
    asked = one.targets[0].model_copy(update={"reference": read_off})
    return unmatched(called(asked, one.paper, one.extracted), asked, answering(one.found, "Q"))


DEFINED = st.sampled_from(
    [
        "All efficiencies are given as Q = S / (2 r), that is, in units of the {} of the bare wire.",
        "Scattering cross-sections are divided by the {} of the wire.",
        "The widths are normalised to its {}.",
    ]
)


@settings(max_examples=12, deadline=None)
@given(DEFINED, st.sampled_from([("radius", "p.diameter / 2"), ("diameter", "p.diameter")]), st.booleans())
def test_a_cross_section_is_over_what_the_paper_says_anywhere(
    words: str, size: tuple[str, str], of_curve: bool
) -> None:
    assert not _per(size[1], words.format(size[0]), of_curve)


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=12, deadline=None)
@given(DEFINED, st.sampled_from(["p.wavelength", "p.diameter * 2", "p.diameter / 2"]), st.booleans())
def test_a_cross_section_over_anything_else_is_doubted(words: str, size: str, of_curve: bool) -> None:
    """Lie: an efficiency over a size that makes it the paper's number."""
    assert _per(size, words.format("diameter"), of_curve)
    assert _per(size, "", of_curve)


@given(st.floats(0.001, 0.9).map(lambda one: round(one, 3)), st.sampled_from(["\u00b1", "+-", "\u00b1 "]))
def test_by_how_much_something_is_varied_is_no_number_of_the_structure(size: float, sign: str) -> None:
    varied = (
        f"A film of refractive index 2.02 lies there, with the index of all the water varied by {sign}{size}."
    )
    stated = (
        f"A film of refractive index 2.02 lies there, and the water has a refractive index of {1 + size}."
    )
    assert not [n for n in structure_words(varied).numbers if n.told and n.value != 2.02]
    assert [n for n in structure_words(stated).numbers if n.told and n.value != 2.02]
