"""Numbers of formulas, of lists of which each result has one thing, and of two polarisations in one breath."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.words.at_light import light_of
from schemas.reproduce.words.polarization_words import polarizations_in
from schemas.reproduce.words.structure_words import structure_words
from schemas.reproduce.words.written import numbers_in, readable

pytestmark = pytest.mark.unit
NAME = st.sampled_from(["d", "t", "h", "n", "w"])


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


def test_of_a_list_each_result_has_one() -> None:
    text = "Two glasses are considered:\n\n- crown: n = 1.515;\n- flint: n = 1.732.\n\nThe film has an index of 1.38."
    numbers = {n.value: n.one_of for n in structure_words(text).numbers}
    assert numbers[1.515] == numbers[1.732] > 0 == numbers[1.38]
    layers = "The layers are stacked as follows:\n\n- film: n = 1.5;\n- cap: n = 2.4."
    assert not any(n.one_of for n in structure_words(layers).numbers)


@pytest.mark.parametrize(
    "words", ["flint, s or p | 40.6", "for both s and p polarised light", "s- and p-polarised light"]
)
def test_two_polarisations_in_one_breath_are_two(words: str) -> None:
    assert {said.value for said in polarizations_in(f"The polarisation matters: {words}.")} == {"s", "p"}


def test_a_thickness_at_which_a_number_is_given_is_no_light() -> None:
    text = readable(
        "The light has a wavelength of 1.55 um. The slab has thicknesses h from 0.16 to 0.40 um. At h = 0.22 um its index is 2.85. "
        "The mode is reflected with 0.399 at 0.22 um, and a filter passes 0.9 at 1.31 um."
    )
    found = {n.low: light_of(text, n) for n in numbers_in(text)}
    assert found[0.399] == () and found[0.9] == pytest.approx((1.31,))
