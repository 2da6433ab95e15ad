"""Numbers of formulas, of lists of which each result has one thing, and of two polarisations in one breath."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.choice_words import choice_words
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.words.alternatives import alternatives
from schemas.reproduce.words.at_light import light_of
from schemas.reproduce.words.polarization_words import polarizations_in
from schemas.reproduce.words.structure_words import structure_words
from schemas.reproduce.words.written import numbers_in, readable

pytestmark = pytest.mark.unit
NAME = st.sampled_from(["d", "t", "h", "n", "w"])


def paper_of(words: str) -> PaperInput:
    return PaperInput(
        paper_id="p",
        title="A paper",
        citation="A. Author, J. 1, 1 (2020)",
        text=f"# A paper\n\n## Results\n\n{words}\n\n## Thanks\n\n"
        + "Many people helped us with this work. " * 6,
    )


def quoted(words: str, value: float) -> Target:
    return Target.model_validate(
        {
            "target_id": "t",
            "figure_id": "text",
            "description": "d",
            "kind": "scalar",
            "quantity": "scalar",
            "unit": "1",
            "reference": {"kind": "quotation", "value": value, "quotation": words},
        }
    )


def told(text: str) -> list[tuple[float, str]]:
    return [(n.value, n.unit) for n in structure_words(text).numbers if n.told]


@pytest.mark.parametrize(
    "words",
    [
        "Thick films transmit T proportional to exp(-d / 131.1 nm), whatever the index.",
        "The index n enters by a = (n^2 - 1)^2 / (4 n^2 cos^2 theta (n^2 sin^2 theta - 1)).",
        "For an index n the angle follows from sin^2 theta = 2 / (n^2 + 1).",
    ],
)
def test_numbers_of_a_formula_are_no_sizes(words: str) -> None:
    """Each was a doubt on every target of an honest paper."""
    assert not told(words)


@given(NAME, st.integers(2, 900), st.sampled_from(["film", "ridge", "layer"]))
def test_what_a_symbol_is_said_to_be_is_stated(symbol: str, size: int, body: str) -> None:
    for text in (
        f"The {body} has a thickness of {symbol} = {size} nm on glass.",
        f"The {body} has a thickness {symbol} of {size} nm, and lambda / (4 n) is less.",
    ):
        assert (float(size), "nm") in told(text)


GLASSES = "Two glasses are considered:\n\n- crown: n = 1.515;\n- flint: n = 1.732."
POLYMERS = "Two polymers are considered:\n\n- soft: n = 1.48;\n- hard: n = 1.61."
ALTERNATIVES = (
    (GLASSES, "With crown prisms T is 0.7. Flint prisms transmit 0.4."),
    (POLYMERS, "For n = 1.48 the guide leaks. For n = 1.61 it does not."),
    (
        "Two designs are compared:\n\n- A: a film with an index of 1.9;\n- B: a film with an index of 2.4.",
        "Design A reflects 0.2. Design B reflects 0.4.",
    ),
    (
        "Three samples were studied: thin, a height of 80 nm; middle, a height of 120 nm; tall, a height of 300 nm.",
        "The thin one and the tall one (see below) differ. Thin bars reflect red. Middle bars reflect green. Tall bars reflect blue.",
    ),
    (
        "Two cases are treated:\n\n1. dry: an index of 1.00;\n2. wet: an index of 1.33.",
        "When dry, it peaks at 600 nm. It peaks at 640 nm when wet.",
    ),
)
PARTS = (
    (
        "Two layers are considered:\n\n- film: n = 1.5;\n- cap: n = 2.4.",
        "The film is thick. The cap is thin.",
    ),
    (
        "Two coatings are treated: base, a height of 95 nm; top, a height of 40 nm.",
        "The base absorbs. The top reflects.",
    ),
    (
        "Two glasses are considered:\n\n- crown: n = 1.515, below the film;\n- flint: n = 1.732, above it.",
        "Crown is cheap. Flint is dear.",
    ),
    (GLASSES, "The crown is cemented to the flint. Crown is cheap. Flint is dear."),
    (POLYMERS, "The hard one covers the soft one. Soft ones are cheap. Hard ones last."),
    (POLYMERS, "Their bilayer reflects 0.2."),
    (
        "Three materials are discussed:\n\n- core: n = 1.48;\n- shell: n = 1.61;\n- host: n = 1.33.",
        "The core is round. The shell is thin. The host is water.",
    ),
    (
        "The layers are stacked as follows:\n\n- film: n = 1.5;\n- cap: n = 2.4.",
        "The film is thick. The cap is thin.",
    ),
)


@pytest.mark.parametrize(("listed", "told"), ALTERNATIVES)
def test_of_a_list_each_result_has_one(listed: str, told: str) -> None:
    numbers = structure_words(f"{listed}\n\nThe film has an index of 1.38.\n\n{told}").numbers
    first = [n.one_of for n in numbers if n.words and n.kinds & {"index", "vertical"} and n.value != 1.38]
    assert len({*first[:2]}) == 1 and first[0] > 0
    assert [n.one_of for n in numbers if n.value == 1.38] == [0]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(("listed", "told"), PARTS)
def test_parts_of_one_structure_are_no_alternatives(listed: str, told: str) -> None:
    """Lie: a layer that is listed as one of "two coatings", of which only the other one is described."""
    assert not any(n.one_of for n in structure_words(f"{listed}\n\n{told}").numbers)


def test_long_lists_and_many_are_read_in_little_time() -> None:
    lines = "\n".join(f"- g{n}a: n = 1.{n:03d};" for n in range(4000))
    assert alternatives(f"Two glasses are considered:\n{lines}\n\n" + "With g1a it is 0.4. " * 4000) == []
    assert len(alternatives(f"{GLASSES} Crown is cheap.\n\nFlint is dear.\n\n" * 400)) <= 16


@pytest.mark.parametrize(
    "words", ["flint, s or p | 40.6", "for both s and p polarised light", "s- and p-polarised light"]
)
def test_two_polarisations_in_one_breath_are_two(words: str) -> None:
    assert {said.value for said in polarizations_in(f"The polarisation matters: {words}.")} == {"s", "p"}


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("the electric field in the plane (E_x, E_y; H_z out of the plane)", "in"),
        ("H_z perpendicular to the plane", "in"),
        ("E_z out of the plane", "out"),
        ("E_x in the plane", "in"),
    ],
)
def test_which_field_lies_out_of_the_plane_is_read(words: str, value: str) -> None:
    """Of "E in the plane (H_z out of the plane)" the second was read of E: every target was doubted."""
    assert {said.value for said in polarizations_in(f"Light with {words} is sent in.")} == {value}


def test_a_thickness_at_which_a_number_is_given_is_no_light() -> None:
    text = readable(
        "The light has a wavelength of 1.55 um. The slab has thicknesses h from 0.16 to 0.40 um. At h = 0.22 um its index is 2.85. "
        "The mode is reflected with 0.399 at 0.22 um, and a filter passes 0.9 at 1.31 um."
    )
    found = {n.low: light_of(text, n) for n in numbers_in(text)}
    assert found[0.399] == () and found[0.9] == pytest.approx((1.31,))


def polarisation(words: str, value: float) -> list[tuple[frozenset[str], bool]]:
    told = choice_words(quoted(words, value), paper_of(words))
    return [(one.values, one.either) for place in told for one in place["polarization"]][:1]


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("For s or p polarised light the film transmits 0.482.", 0.482),
        ("With s-polarised or p-polarised light it absorbs 0.31.", 0.31),
        ("It reflects 0.12 of s-polarised or of p-polarised light.", 0.12),
        ("Of s light or p light the plate scatters 0.07.", 0.07),
        ("R is 0.5 in s or p polarisation.", 0.5),
    ],
)
def test_either_of_two_polarisations_is_as_good(words: str, value: float) -> None:
    assert polarisation(words, value) == [(frozenset("sp"), True)]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("For s or p polarised light it transmits 0.48 or 0.61, respectively.", 0.61),
        ("For s or p polarised light it transmits 0.48 or 0.61.", 0.61),
        ("It reflects 0.12 of s light, or 0.31 of p light.", 0.31),
        ("It reflects 0.12 of s-polarised light and 0.31 of p-polarised light.", 0.31),
        ("Of s and p polarised light it reflects 0.12 and 0.31.", 0.31),
    ],
)
def test_each_of_two_numbers_has_its_own_polarisation(words: str, value: float) -> None:
    """Lie: the number of the other polarisation."""
    assert not any(either for _, either in polarisation(words, value))
