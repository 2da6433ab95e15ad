"""Units of lattice wave vectors as papers write them: one table, checked with the plan."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.quoting import number_fault
from agents.reproduce.rules.reference_rules import parameter_issues
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import ExtractedParameter
from simkit.describe.parameters import Parameter, Parameters
from simkit.describe.units import canonical

pytestmark = pytest.mark.unit
WORDS = (
    "The band is followed along Gamma X up to k = 0.5 (2\u03c0/a) in a lattice of rods, cooled to 4 K. "
    + "The rods stand in air. " * 8
)
PAPER = PaperInput(
    paper_id="rods",
    title="Rods",
    citation="A. Author (2020)",
    domain="photonic_crystals",
    text=WORDS,
    figures=(),
)


def _input(unit: str, value: str = "0.5", quotation: str = "up to k = 0.5 (2\u03c0/a)") -> ExtractedParameter:
    return ExtractedParameter(
        name="k", value=value, unit=unit, role="input", quotation=quotation, place="text"
    )


@pytest.mark.parametrize(
    "unit", ["2pi/a", "2*pi/a", "2\u03c0/a", "(2 \u03c0 / a)", "k/(2\u03c0/a)", "$2\\pi/a$"]
)
def test_every_spelling_of_a_lattice_wave_vector_passes_the_plan_and_can_be_described(unit: str) -> None:
    assert not parameter_issues(_input(unit), PAPER)
    assert [(p.id, p.unit) for p in declared([_input(unit)]).parameters] == [("k", "2pi/a")]


def test_half_of_it_is_a_unit_of_its_own() -> None:
    k = Parameter(id="k", value=1, unit="\u03c0/a", origin="assumption", assumption_id="A1")
    assert (k.unit, Parameters([k]).values()["k"]) == ("pi/a", 0.5)
    assert number_fault(1.0, "pi/a", WORDS, WORDS) == ""  # 0.5 (2 pi/a)
    assert "does not stand" in number_fault(2.0, "pi/a", WORDS, WORDS)  # the 2 of 2 pi/a is no value


def test_a_unit_that_no_description_knows_is_refused_with_the_plan() -> None:
    [issue] = [
        i
        for i in parameter_issues(_input("K", "4", "rods, cooled to 4 K"), PAPER)
        if "allowed" in i.description
    ]
    assert issue.severity == "blocking" and "2pi/a" in issue.description and "nm" in issue.description


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("\u00b5m", "um"),
        ("\u00c5", "angstrom"),
        ("MeV", "MeV"),
        ("cm\u207b\u00b9", "1/cm"),
        ("\u03c9a/2\u03c0c", "c/a"),
        ("Degrees", "deg"),
        ("", "1"),
    ],
)
def test_other_spellings(written: str, known: str) -> None:
    assert canonical(written) == known
