"""Which words call for which quantities: the table knows all of the vocabulary, right words call, others do not, no text raises."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simkit.describe as vocabulary
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.vocabulary_words import CALLED, out_of_reach, quantities_called
from schemas.reproduce.words.written import numbers_in, readable
from simkit.describe.scene import Quantity
from tasks.reproduce.papers import BUNDLED, load_paper
from tasks.reproduce.papers.assessing import assessed, is_said_of_light

pytestmark = pytest.mark.unit
_MADE = {"Feature", "Measured"}  # of other quantities, or of raw fields: no words are theirs alone


def test_the_table_knows_every_quantity_and_no_other() -> None:
    known = {
        name for name in vocabulary.__all__
        if isinstance(found := getattr(vocabulary, name), type) and issubclass(found, Quantity)
    }  # fmt: skip
    assert {name for called in CALLED for name in called.quantities} == known - _MADE


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Measured (dots) and computed (line) transmission spectra of the ring.", {"transmittance"}),
        ("Scattering, absorption and extinction cross sections of a silver sphere.", {"cross section"}),
        ("Phase of the transmitted light against the radius of the pillars, and transmittance.", {"phase", "transmittance"}),
        ("Reflectance at normal incidence, electric field along the bars (solid).", {"reflectance"}),
        ("Decay rate of the emitter, relative to vacuum, against the distance to the mirror.", {"emission rate"}),
        ("Collection efficiency of an objective against its NA, for dipoles in the film.", {"share of a cone"}),
        ("Intensity along the optical axis behind the metalens; the focus lies at 50 um.", {"field"}),
        ("Propagation length of the surface plasmon against the width of the gap.", {"propagation length"}),
        ("Propagation loss of the hybrid mode in dB/cm, and its effective index.", {"attenuation", "effective index"}),
        ("Scanning electron micrograph of the fabricated sample; scale bar 500 nm.", set()),
        ("Light-current curve of the laser at 20 C; threshold at 3 mA.", set()),
    ],
)  # fmt: skip
def test_words_call_for_quantities_or_for_what_is_out_of_reach(words: str, names: set[str]) -> None:
    assert {called.name for called in quantities_called(words)} == names
    assert bool(out_of_reach(words)) == (not names)


def test_a_bundled_paper_is_assessed() -> None:
    paper, folder = load_paper(BUNDLED / "binary-grating")
    found = assessed(paper, folder)
    assert "data: data/fig1.csv" in found.words and "diffraction efficiency (OrderEfficiency)" in found.words
    assert any(line.startswith("10 um [count, period]") for line in found.inputs)
    assert "23.8" not in found.words and "cells in two dimensions" in found.size[1]


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=400))
def test_no_text_raises(words: str) -> None:
    paper = PaperInput(
        paper_id="p",
        title="abc",
        citation="a" * 10,
        text="7 " * 100 + words,
        figures=({"figure_id": "fig1", "caption": words},),
    )  # type: ignore[arg-type]
    assert assessed(paper, BUNDLED).words


@pytest.mark.parametrize(
    ("words", "waves"),
    [
        ("A waveguide 6 um long guides light at 1.55 um.", [1.55]),
        ("After 16.2 um the light is back; light enters a 6 um cavity, or a 6 um ridge laser.", []),
        ("At a wavelength of 600 nm and a distance of 60 nm the emission is weak.", [600]),
        ("A 633 nm HeNe laser; the wavelengths are 1.2 um, 1.55 um and 2 um.", [633, 1.2, 1.55, 2]),
        ("The light travels a distance of 6 um; \u03bb0 = 1550 nm.", [1550]),
    ],
)
def test_a_length_near_the_word_light_is_no_wavelength(words: str, waves: list[float]) -> None:
    text = readable(words)
    said = [n.low for n in numbers_in(text) if n.unit and is_said_of_light(text, n.start, n.end)]
    assert said == waves


@given(st.text("01.= ,-_in at of", min_size=60, max_size=120))
@settings(deadline=None)
def test_words_before_a_length_are_read_in_linear_time(words: str) -> None:
    text = f"wavelength {words}x 5 um"
    began = process_time()
    is_said_of_light(text, len(text) - 4, len(text))
    is_said_of_light("wavelength " + "0=" * 55 + "x 5 um", 122, 126)
    assert process_time() - began < 1
