"""A value of the paper stands in its quotation, number and unit together, and the quotation in the paper."""

from __future__ import annotations

import pytest

from agents.quoting import quoted
from tasks.solving.describing import declared
from tasks.solving.quotations import quotation_faults, states

pytestmark = pytest.mark.unit
PAPER = "We deposit a germanium film of 15 nm on gold. Light of 643 nm arrives at 45 degrees (Nat. Mater. 8, 20, 1983)."


@pytest.mark.parametrize(("quotation", "value", "unit", "held"), [
    ("a germanium film of 15 nm", 15, "nm", True), ("a film of 15 nm", 0.015, "um", True), ("a 15-nm film", 15, "nm", True),
    ("period of $0.65\\,\\mu\\mathrm{m}$", 650, "nm", True), ("an index of 1.52", 1.52, "1", True),
    ("62 % of it", 0.62, "1", True),
    ("at 45 degrees", 45, "deg", True), ("radius r = 0.2a", 0.2, "a", True), ("a frequency of 0.38", 0.38, "c/a", True),
    ("3 x 10^-3 mm", 3, "um", True), ("1,550 nm", 1550, "nm", True),
    ("a film of 115 nm", 15, "nm", False), ("a film of 15 um", 15, "nm", False), ("15 layers of 20 nm", 15, "nm", False),
    ("sample A15 nm", 15, "nm", False), ("at 45 degrees", 45, "1", False), ("in 1983", 980, "nm", False),
    ("1.5 nm", 15, "nm", False),
    ("15 nm", 15, "fs", False)])
def test_number_and_unit_stand_together(quotation: str, value: float, unit: str, held: bool) -> None:
    assert states(quotation, value, unit) is held


def test_faults_name_parameter_and_what_stands_there() -> None:
    entries = [{"id": "t", "value": 15, "unit": "nm", "origin": "paper", "quotation": "a germanium film of 15 nm"},
               {"id": "w", "value": 643, "unit": "nm", "origin": "paper", "quotation": "Light of 643 nm hits"},
               {"id": "g", "value": 20, "unit": "nm", "origin": "paper", "quotation": "Nat. Mater. 8, 20, 1983"},
               {"id": "n", "value": 9, "origin": "assumption", "assumption_id": "A1"}]
    faults = quotation_faults(declared(entries), PAPER, quoted)
    assert len(faults) == 2
    assert "parameter w" in faults[0] and "does not stand in the paper" in faults[0]
    assert "parameter g: 20 nm does not stand in its quotation" in faults[1] and "stated there" in faults[1]
