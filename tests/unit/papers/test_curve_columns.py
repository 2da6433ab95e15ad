"""What a curve's column is called: by its own name, so that what is compared says which curve it is; its unit stays the axis'."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.documents.mended import Mended, MendedAxis, MendedCurve, MendedPanel
from tasks.digitise.labels import words_of
from tasks.digitise.mending.taking import Taken, curves_of
from tasks.reproduce.evidence.units import unit_of_name
from tasks.reproduce.papers.importing.draft import in_a_sentence

pytestmark = pytest.mark.unit


def taken(name: str, quantity: str, unit: str = "") -> Taken:
    marks = ((0.0, 0.0), (90.0, 1.0))
    panel = MendedPanel(
        frame=(0, 0, 90, 90),
        x=MendedAxis(kind="linear", name="wavelength", unit="nm", marks=marks),
        y=MendedAxis(kind="linear", name=quantity, unit=unit, marks=marks),
        curves=(MendedCurve(name=name, parts=(((1, 1, 1, 1), (2, 2, 1, 1)),)),),
    )
    return curves_of(Mended(form="mended-figure/1", picture="0" * 64, panels=(panel,)))[0]


@pytest.mark.parametrize(
    ("name", "quantity", "unit", "column"),
    [
        ("odd", "effective index", "", "odd_effective_index"),
        ("10 nm Ge", "reflectance", "", "10nm_Ge_reflectance"),
        ("even", "coupling length", "µm", "even_coupling_length_um"),
        ("T", "R, T, A", "%", "t_percent"),
        ("Reflectance", "reflectance", "", "reflectance"),
        ("m = 3", "|Ez|", "", "m3_ez"),
        ("m = −1", "efficiency", "", "m_minus_1_efficiency"),
        ("0.5 µm", "Q", "", "0p5um_q"),
        ("", "phase", "°", "phase_deg"),
        ("wavelength_nm", "", "", "wavelength_nm_y"),
    ],
)
def test_a_column_is_called_after_its_curve(name: str, quantity: str, unit: str, column: str) -> None:
    assert taken(name, quantity, unit).y_column == column


@example("0", "EV", "")  # an axis called eV is in no unit
@example("0", "per", "nm")
@example("0 per", "cm", "")
@example("0", "per nm", "")
@given(st.text(max_size=200), st.text(max_size=60), st.sampled_from(["", "nm", "%", "µm", "dB"]))
def test_any_name_is_a_column_with_the_unit_of_its_axis(name: str, quantity: str, unit: str) -> None:
    found, plain = taken(name, quantity, unit), taken("", quantity, unit)
    assert re.fullmatch(r"\w{1,120}", found.y_column, re.ASCII) and found.y_column != found.x_column
    assert unit_of_name(found.y_column) == unit_of_name(plain.y_column)


@pytest.mark.parametrize(
    ("caption", "sentence"),
    [
        ("Figure 1 (computed here) shows the reflectance.", True),
        ("Fig. 2 (b) is the same for s.", True),
        ("Figure 1. Reflectance (solid) of the film.", False),
        ("Fig. S3: spectra", False),
        ("Figure 4", False),
        ("no figure (at all)", False),
    ],
)
def test_a_bracket_behind_the_number_may_be_a_sentence(caption: str, sentence: bool) -> None:
    assert in_a_sentence(caption) is sentence


def test_a_ligature_of_one_letter_twice_is_no_letter_drawn_twice() -> None:
    def at(letter: str, low: float, high: float, left: float, right: float) -> list[object]:
        return [letter, left, low, right, high, 8.0, low, 10.0, 90.0, 0, 0, 0]

    parted = [at("e", 0, 5, 0, 8), at("f", 5, 11, 0, 4), at("f", 5, 11, 4, 8), at("o", 11, 16, 0, 8)]
    twice = [at("e", 0, 5, 0, 8), at("o", 5, 11, 0, 8), at("o", 5, 11, 0, 8)]
    assert [word.text for word in words_of(parted)] == ["effo"]
    assert [word.text for word in words_of(twice)] != ["eoo"]
