"""Lies about what a paper states, each in the manner of real papers' sentences: none binds a number to the paper."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.plan_rules import rule
from agents.reproduce.rules.quoting import number_fault
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.words.written import numbers_in
from tests.unit.agents.agents_fixture import COLUMNS, DIP, PAPER
from tests.unit.agents.agents_fixture import HONEST_FILM as FILM
from tests.unit.agents.agents_fixture import HONEST_PLAN as PLAN

pytestmark = pytest.mark.unit

TEXT = """# Ultrathin absorbers

## 1. Introduction
Absorption in thin films was treated long ago (Wiley, New York, 1983), and in 2009 for discs [12]. Since Kats et al. (2013),
Nat. Mater. 12, 20-24, the effect has a name; see also Nat. Mater. 8, 643 (2009) and Phys. Rev. B 6, 4370.
What holds (2.14), as in Nano Lett. 8, 99, is not shown here.

## 2.1 Results
As Fig. 3 shows, the resonance lies at a wavelength of 1550 nm with a linewidth of 6 to 7 nm. Figures 4 and 5 and Eq. (7) give
the phase. The dip of sample 2 is between six and seven nanometres wide. With R = 4(n - 1) (5) the index follows, n = 1.55.
The quality factor is 1.2 × 10^4, the reflectance 62 %, and for 10, 15 and 20 nm of SiO2 the loss is 3.2 dB/cm.
The minimum moves from 624.6 to 757.5 nm. In Table 1 the normalised frequency is 0.378 (c/a) at −3.2 degrees.
The peak at 193.4 THz is 1,550 nm away, the gap 45.5 ± 0.5 nm, and the mode volume 0.3 (λ/n)^3.

| d (nm) | lambda (nm) | R |
|---|---|---|
| 15 | 685.1 | 0.037 |

## References
[1] A. Author, the resonance of gold discs lies at 702 nm, J. Opt. 1, 1 (2001).
"""


@pytest.mark.parametrize(
    ("value", "unit", "quotation"),
    [
        (643, "nm", "Nat. Mater. 8, 643 (2009)"),
        (643, "1", "Nat. Mater. 8, 643 (2009)"),
        (20, "1", "Nat. Mater. 12, 20-24"),
        (4370, "1", "Phys. Rev. B 6, 4370"),
        (2.14, "1", "holds (2.14), as in Nano Lett. 8, 99"),
        (99, "1", "holds (2.14), as in Nano Lett. 8, 99"),
        (980, "nm", "treated long ago (Wiley, New York, 1983)"),
        (1983, "1", "(Wiley, New York, 1983)"),
        (2009, "1", "and in 2009 for discs"),
        (12, "1", "for discs [12]"),
        (3, "1", "As Fig. 3 shows, the resonance"),
        (5, "1", "Figures 4 and 5 and Eq. (7) give"),
        (7, "1", "Figures 4 and 5 and Eq. (7) give"),
        (5, "1", "With R = 4(n - 1) (5) the index follows"),
        (2, "1", "The dip of sample 2 is between"),
        (2.1, "1", "## 2.1 Results"),
        (1, "1", "In Table 1 the normalised"),
        (155, "nm", "at a wavelength of 1550 nm"),
        (155, "nm", "lies at a wavelength of 155"),
        (50, "nm", "50 nm with a linewidth"),
        (1550, "nm", "lies at a wavelength of 1550"),
        (1550, "um", "at a wavelength of 1550 nm"),
        (1.55, "nm", "at a wavelength of 1550 nm"),
        (1550, "1", "at a wavelength of 1550 nm"),
        (1.55, "nm", "the index follows, n = 1.55"),
        (62, "1", "the reflectance 62 %"),
        (0.62, "%", "the reflectance 62 %"),
        (1.2, "1", "The quality factor is 1.2 × 10^4"),
        (4, "1", "The quality factor is 1.2 × 10^4"),
        (2, "1", "and 20 nm of SiO2 the loss"),
        (3.2, "1", "the loss is 3.2 dB/cm"),
        (7, "nm", "with a linewidth of 6 to 7 nm"),
        (6.5, "nm", "with a linewidth of 6 to 7 nm"),
        (0.5, "nm", "the gap 45.5 ± 0.5 nm"),
        (550, "nm", "is 1,550 nm away"),
        (3.2, "deg", "at −3.2 degrees"),
        (0.3, "um", "mode volume 0.3 (λ/n)^3"),
        (685.1, "um", "| 15 | 685.1 | 0.037 |"),
        (685.1, "1", "| 15 | 685.1 | 0.037 |"),
        (702, "nm", "Fig. 3 shows ... at 702 nm"),
    ],
)
def test_no_label_citation_part_or_other_unit_states_a_value(value, unit, quotation):
    assert number_fault(value, unit, quotation, TEXT)


@pytest.mark.parametrize(
    ("value", "unit", "quotation", "upper"),
    [
        (1550, "nm", "at a wavelength of 1550 nm", None),
        (1.55, "um", "at a wavelength of 1550 nm", None),
        (193.414, "THz", "at a wavelength of 1550 nm", None),
        (1550.1, "nm", "The peak at 193.4 THz", None),
        (6, "nm", "with a linewidth of 6 to 7 nm", 7),
        (6, "nm", "between six and seven nanometres wide", 7),
        (1.55, "1", "the index follows, n = 1.55", None),
        (12000, "1", "The quality factor is 1.2 × 10^4", None),
        (0.62, "1", "the reflectance 62 %", None),
        (10, "nm", "for 10, 15 and 20 nm of", None),
        (757.5, "nm", "moves from 624.6 to 757.5 nm", None),
        (0.378, "c/a", "frequency is 0.378 (c/a)", None),
        (-3.2, "deg", "at −3.2 degrees", None),
        (3.2, "dB/cm", "the loss is 3.2 dB/cm", None),
        (45.5, "nm", "the gap 45.5 ± 0.5 nm", None),
        (685.1, "nm", "| 15 | 685.1 | 0.037 |", None),
        (0.037, "1", "| 15 | 685.1 | 0.037 |", None),
        (1550, "nm", "resonance lies at ... wavelength of 1550 nm", None),
    ],
)
def test_what_the_paper_states_is_found_in_the_targets_unit(value, unit, quotation, upper):
    assert number_fault(value, unit, quotation, TEXT, upper) == ""


@pytest.mark.parametrize(
    ("text", "low", "high", "unit", "half"),
    [
        ("about 1550(5) nm", 1550, 1550, "nm", 5),
        ("a gap of 45.5 ± 0.5 nm", 45.5, 45.5, "nm", 0.5),
        ("$Q = 1.2\\times10^{4}$", 12000, 12000, "", 500),
        ("at $685.1\\,\\mathrm{nm}$", 685.1, 685.1, "nm", 0.05),
        ("6–7 nm", 6, 7, "nm", 0.5),
        ("between 0.4 µm and 500 nm", 400, 500, "nm", 0.5),
        ("two thirds of it", 2 / 3, 2 / 3, "", 0),
        ("twenty-five micrometres", 25, 25, "um", 0.5),
        ("in both cases 0.62", 0.62, 0.62, "", 0.005),
        ("gold on Au. For 10, 15 and 20 nm", 20, 20, "nm", 0.5),
    ],
)
def test_numbers_are_read_with_unit_uncertainty_and_range(text, low, high, unit, half):
    found = numbers_in(text)[-1]
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.unit, found.half) == (unit, pytest.approx(half))


PLACED = PAPER.model_copy(update={"text": TEXT + "\n" + PAPER.text.replace("Thin gold films", "Gold")})


def blocking(target=DIP, extracted=(), **plan):
    film = FILM.model_copy(update={"targets": (target,)})
    made = PLAN.model_copy(update={"stages": (PLAN.stages[0], film, PLAN.stages[2]), **plan})
    return [
        issue.description
        for issue in rule(made, PLACED, COLUMNS, extracted=extracted)
        if issue.severity == "blocking"
    ]


def test_a_plan_that_binds_a_number_to_a_reference_is_refused_with_what_stands_there():
    def cited(**changes):
        return DIP.model_copy(update={"reference": Reference(kind="quotation", **changes)})

    assert blocking() == []
    assert any(
        "only in the paper's list of references" in text
        for text in blocking(cited(value=702, quotation="the resonance of gold discs lies at 702 nm"))
    )
    found = blocking(cited(value=155, quotation="at a wavelength of 1550 nm"))
    assert len(found) == 1 and "there: 1550 nm" in found[0]
    assert blocking(cited(value=6, upper=7, quotation="with a linewidth of 6 to 7 nm")) == []
    assert "one end of a range" in blocking(cited(value=7, quotation="with a linewidth of 6 to 7 nm"))[0]


@pytest.mark.parametrize(
    ("value", "unit", "quotation", "refused"),
    [
        ("45", "nm", "The film is 45 nm thick", False),
        ("10, 15, 20", "nm", "for 10, 15 and 20 nm of", False),
        ("6 to 7", "nm", "with a linewidth of 6 to 7 nm", False),
        ("gold", "", "The film is 45 nm thick", False),
        ("45", "um", "The film is 45 nm thick", True),
        ("4", "nm", "The film is 45 nm thick", True),
        ("10, 15, 25", "nm", "for 10, 15 and 20 nm of", True),
        ("45", "nm", "The film is 45 nm thin", True),
        ("702", "nm", "the resonance of gold discs lies at 702 nm", True),
    ],
)
def test_a_quoted_parameter_states_its_value_and_unit(value, unit, quotation, refused):
    given = ExtractedParameter(
        name="p", value=value, unit=unit, role="input", quotation=quotation, place="text"
    )
    assert bool(blocking(extracted=(given,))) is refused


@pytest.mark.parametrize(
    ("index", "source", "refused"),
    [
        (1.55, "the index follows, n = 1.55", False),
        (1.5, "assumed, ordinary glass", False),
        (1.5, "the index follows, n = 1.55", True),
        (2.4, "the paper states n = 2.4", True),
        (1.55, "a wavelength of 1550 nm", True),
    ],
)
def test_a_quoted_index_stands_in_its_words(index, source, refused):
    glass = MaterialChoice(name="glass", index=index, band_um=(0.45, 0.75), reason="usual", source=source)
    assert bool(blocking(materials=(PLAN.materials[0], glass))) is refused
