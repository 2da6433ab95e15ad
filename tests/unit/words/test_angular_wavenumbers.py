"""Angular wavenumbers in rad per length: declared as inputs, read in quotations, never taken for one over a wavelength, and k / 2 pi in a
description."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.quoting import input_fault, number_fault
from schemas.reproduce.planning.declared import declared, unknown_unit
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.same_number import same
from schemas.reproduce.words.written import numbers_in
from simkit.describe.parameters import Parameters

pytestmark = pytest.mark.unit
LENGTHS = {"nm": 1e-3, "um": 1.0, "mm": 1e3, "cm": 1e4, "m": 1e6}  # um
VALUES = st.floats(1.1, 99.0).map(lambda x: round(x, 2))
SAID = {"nm": "nanometre", "um": "micrometre", "mm": "millimetre", "cm": "centimetre", "m": "metre"}


def spellings(length: str) -> list[str]:
    symbol = length.replace("u", "µ")
    return [
        f"rad/{symbol}",
        f"rad / {symbol}",
        f"rad/{SAID[length]}",
        f"rad {symbol}^-1",
        f"rad {symbol}⁻¹",
        f"rad·{symbol}⁻¹",
        f"rad per {symbol}",
        f"radians per {SAID[length]}",
    ]


WRITTEN = st.sampled_from(sorted(LENGTHS)).flatmap(
    lambda length: st.tuples(st.just(length), st.sampled_from(spellings(length)))
)


@given(VALUES, WRITTEN, st.sampled_from(sorted(LENGTHS)))
def test_an_angular_wavenumber_is_read_and_declared_in_any_length(
    value: float, written: tuple[str, str], other: str
) -> None:
    length, spelt = written
    text = f"The in-plane wave number is held at β = {value} {spelt} along x throughout."
    quotation = f"held at β = {value} {spelt}"
    assert [(n.low, n.unit) for n in numbers_in(quotation)] == [(value, f"rad/{length}")]
    there = value * LENGTHS[other] / LENGTHS[length]
    assert input_fault(there, f"rad/{other}", quotation, text) == ""
    for unit in (f"rad/{other}", f"1/{other}", "1/um"):
        assert "does not stand" in input_fault(there * 1.01, unit, quotation, text)
    assert "does not stand" in input_fault(there, f"1/{other}", quotation, text)
    assert math.isclose(converted(value, f"rad/{length}", f"rad/{other}"), there)


@given(VALUES, st.sampled_from(sorted(LENGTHS)))
def test_it_becomes_a_parameter_in_turns(value: float, length: str) -> None:
    for unit in (f"rad/{length}", f"rad/{length.replace('u', 'µ')}", f"rad {length}^-1", f"rad {length}⁻¹"):
        assert unknown_unit(unit) == ""
        entry = ExtractedParameter(
            name="beta", value=str(value), unit=unit, role="input", quotation="held", place="text"
        )
        found = declared([entry])
        assert not found.left_out and found.parameters[0].unit == f"rad/{length}"
        read = Parameters(found.parameters).values()
        assert math.isclose(read["beta"], value / LENGTHS[length] / (2 * math.pi))


def test_rad_per_length_is_the_same_number_as_one_per_length() -> None:
    assert same(11.4, "rad/um", 11.4, "1/um", 1e-6) and same(11.4, "rad/um", 0.0114, "rad/nm", 1e-6)
    assert not same(11.4, "rad/um", 11.4, "um", 1e-3) and not same(11.4, "rad/um", 11.4, "rad/nm", 1e-3)


@given(VALUES, st.sampled_from(("nm", "um", "cm")), st.booleans())
def test_a_wave_vector_needs_no_rad_and_a_wavenumber_does(value: float, length: str, vector: bool) -> None:
    """A wave vector is 2 pi over a length however its unit is written; a spectroscopist's wavenumber is one over a wavelength."""
    noun = "in-plane wave vector of" if vector else "wavenumber of"
    words = f"an {noun} {value} {length.replace('u', 'µ')}^-1"
    fault = input_fault(value, f"rad/{length}", words, f"We took {words}.")
    assert bool(fault) != vector
    assert input_fault(value, f"1/{length}", words, f"We took {words}.") == ""


@pytest.mark.attack("judgement", "refused")
@given(VALUES, st.sampled_from(("nm", "um", "cm")))
def test_an_angular_wavenumber_is_no_result_in_one_over_a_wavelength(value: float, length: str) -> None:
    """Lie: a paper's k in rad/um is compared with a computed 1 / wavelength, which is smaller by 2 pi."""
    text = f"The resonance lies at k = {value} rad/{length} there."
    quotation = f"lies at k = {value} rad/{length}"
    for unit in (f"1/{length}", "c/um", "nm", "THz", "2pi/a"):
        assert converted(value, f"rad/{length}", unit) is None
    assert number_fault(value, f"1/{length}", quotation, text)
    assert number_fault(value, f"rad/{length}", quotation, text) == ""
    assert dimension(f"rad/{length}") != dimension(f"1/{length}")


@pytest.mark.parametrize(
    "words",
    ["β = 1.5 µm^-1", "k = 2π/λ = 1.5 µm^-1", "k_x = 1.5 µm^-1", "a propagation constant of 1.5 µm^-1"],
)
def test_a_symbol_of_a_wave_vector_is_angular(words: str) -> None:
    assert input_fault(1.5, "rad/um", words, f"We took {words} there.") == ""


@pytest.mark.attack("judgement", "refused")
@pytest.mark.parametrize(
    "words",
    [
        "k/2π = 1.5 um^-1",
        "k/(2 pi) = 1.5 um^-1",
        "k = 1.5 um^-1 with k = 1/λ",
        "the wavevector, in cycles, is 1.5 um^-1",
        "at fixed wave vector, an absorption coefficient of 1.5 um^-1",
        "the grating of 1.5 um^-1 supplies the wave vector",
        "a spatial frequency of 1.5 um^-1",
        "the two-photon absorption β = 1.5 um^-1",
        "the coupling constant k = 1.5 um^-1",
        "k_abs = 1.5 um^-1",
    ],
)
def test_what_is_in_turns_or_of_another_noun_is_no_angular_wavenumber(words: str) -> None:
    """Lie: a number of lines, or another coefficient per length, is declared as a wave vector, and 2 pi is free."""
    assert input_fault(1.5, "rad/um", words, f"We took {words} there.")


@pytest.mark.attack("judgement", "refused")
@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("rad/um", "a tilt of 11.4 rad, 3 µm away"),
        ("rad/um", "a rate of 11.4 rad/s there"),
        ("rad/um", "a height of 11.4 µm there"),
        ("rad", "held at 11.4 rad/µm there"),
        ("um", "held at 11.4 rad/µm there"),
        ("c/um", "held at 11.4 rad/µm there"),
    ],
)
def test_a_declared_wavenumber_is_no_other_number(unit: str, words: str) -> None:
    """Lie: an input is declared that the paper gives in a unit of something else."""
    assert input_fault(11.4, unit, words, f"We took {words}.")
