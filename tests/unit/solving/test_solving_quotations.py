"""A value of the paper stands in its quotation, number and unit together, and the quotation in the paper."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.quoting import input_fault, stands_whole
from tasks.reproduce.describing.in_sandbox import declared
from tasks.reproduce.describing.quotations import quotation_faults

pytestmark = pytest.mark.unit
PAPER = (
    "We deposit a germanium film of 15 nm on gold with a period of 0.65 um. Light of 643 nm arrives at 45 degrees; the "
    "sheet has a resistance of 377 ohm. The holes have a radius of 0.2a. See Nat. Mater. 8, 20 "
    "(1983). A film of 115 um is thick. Peaks lie between 1300 nm and 1700 nm. They stand on a square lattice of lattice constant a."
)


def _faults(quotation: str, value: float, unit: str) -> tuple[str, ...]:
    entry = {"id": "q", "value": value, "unit": unit, "origin": "paper", "quotation": quotation}
    other = {"id": "n", "value": 9, "origin": "assumption", "assumption_id": "A1"}
    return quotation_faults(declared([entry, other]), PAPER, input_fault, stands_whole)


@pytest.mark.parametrize(
    ("quotation", "value", "unit"),
    [
        ("a germanium film of 15 nm", 15, "nm"),
        ("a period of 0.65 um", 650, "nm"),
        ("arrives at 45 degrees", 45, "deg"),
        ("a resistance of 377 ohm", 377, "ohm"),
        ("a radius of 0.2a", 0.2, "a"),
        ("a square lattice of lattice constant a", 1, "a"),
        ("Peaks lie between 1300 nm", 1300, "nm"),
        ("and 1700 nm", 1.7, "um"),
    ],
)
def test_a_number_with_its_unit_in_the_papers_words_holds(quotation: str, value: float, unit: str) -> None:
    assert _faults(quotation, value, unit) == ()


@pytest.mark.parametrize(
    ("quotation", "value", "unit"),
    [
        ("a germanium film of 15 nm", 16, "nm"),
        ("a germanium film of 15 nm", 15, "um"),
        ("a silver film of 15 nm", 15, "nm"),
        ("Nat. Mater. 8, 20 (1983)", 20, "nm"),
        ("See Nat. Mater. 8, 20 (1983)", 980, "nm"),
        ("A film of 115 um", 15, "um"),
        ("a resistance of 377 ohm", 37, "ohm"),
        ("arrives at 45 degrees", 45, "nm"),
        ("a period of 0.65 um", 0.65, "ohm"),
        ("Peaks lie between 1300 nm", 1500, "nm"),
        ("Peaks lie between 1300 nm", 1700, "nm"),
        ("Peaks lie between 13", 1300, "nm"),
        ("Light of 643 nm", 1300, "nm"),
        ("a square lattice of lattice constant a", 2, "a"),
        ("They stand on a square lattice", 1, "a"),
        ("a square lattice of lattice constant a", 1, "um"),
    ],
)
def test_what_the_paper_does_not_say_is_named_with_its_parameter(
    quotation: str, value: float, unit: str
) -> None:
    (fault,) = _faults(quotation, value, unit)
    assert fault.startswith("parameter q: ")
