"""Ranges that choose no part of a curve, curves that go one way, and what the head of a table says of its numbers."""

from __future__ import annotations

from typing import Any

import pytest

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.quoting import number_fault
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.words.bound import Bound
from schemas.reproduce.words.written import numbers_in

pytestmark = pytest.mark.unit
REST = "\n\n## 4. Discussion\n\nNothing else is said."


def said(
    text: str, quotation: str, value: float, unit: str, feature: Any, x_unit: str = "nm", **more: Any
) -> Bound:
    return bound(
        Target.model_validate(
            {
                "target_id": "t",
                "figure_id": "text",
                "description": "d",
                "kind": "scalar",
                "quantity": "scalar",
                "unit": unit,
                "x_unit": x_unit,
                "reference": {
                    "kind": "quotation",
                    "value": value,
                    "quotation": quotation,
                    "feature": feature,
                },
                **more,
            }
        ),
        text + REST,
        (),
    )


LARGEST = "T_p - T_s is largest, 0.214, at a gap of 190 nm"


@pytest.mark.parametrize(
    ("drawn", "window", "x_unit"),
    [
        ("Transmittance of an air film against its thickness (gap), 0 to 800 nm.", (20, 800), "nm"),
        ("Transmittance of an air film against its thickness (gap), 0 to 0.8 um.", (0, 780), "nm"),
        ("Reflectance as a function of the period, which goes from 300 to 900 nm.", (0.30, 0.89), "um"),
        ("The width is varied from 200 to 700 nm.", (200, 695), "nm"),
        ("Efficiency against wavelength, 0.45 to 0.75 um.", (455, 750), "nm"),
        ("Absorptance versus the diameter of the wires, 50 nm to 250 nm.", (50, 245), "nm"),
    ],
)
def test_nearly_all_of_what_is_drawn_chooses_nothing(
    drawn: str, window: tuple[float, float], x_unit: str
) -> None:
    text = f"{drawn}\n\nThe difference {LARGEST}."
    assert not said(text, LARGEST, 0.214, "1", "maximum_value", x_unit, x_range=window).windows


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("drawn", "window"),
    [
        ("Transmittance of an air film against its thickness (gap), 0 to 800 nm.", (100, 800)),
        ("Transmittance of an air film against its thickness (gap), 0 to 800 nm.", (20, 1200)),
        ("T against the gap, 0 to 800 nm.\n\nR against the gap, 0 to 2000 nm.", (20, 800)),
        ("The gap is 0 to 800 nm in other work.", (20, 800)),
        ("Spectra against wavelength reach from 400 to 900 nm.", (400, 800)),
        ("The laser is tuned from 20 to 800 nm.", (20, 800)),
    ],
)
def test_a_part_of_it_does(drawn: str, window: tuple[float, float]) -> None:
    """Lie: a window that leaves out the true extremum, or takes in one that the paper never showed."""
    text = f"{drawn}\n\nThe difference {LARGEST}."
    assert said(text, LARGEST, 0.214, "1", "maximum_value", x_range=window).windows


LEVEL = {"kind": "crossing", "level": [0.5]}
CROSSES = "it falls to 0.5 at a gap of 157 nm"


@pytest.mark.parametrize(
    "words",
    [
        "With growing gap T falls.",
        "T decreases monotonically.",
        "The transmittance only falls as the prisms part.",
        "With increasing distance of the two faces the transmitted power drops.",
        "T is a monotonic function of the gap.",
        "Towards large gaps the power decays steadily.",
    ],
)
def test_a_curve_that_goes_one_way_has_one_place(words: str) -> None:
    text = f"## 3. Results\n\n{words} At first T is 1, and {CROSSES}."
    assert not said(text, CROSSES, 157, "nm", LEVEL, x_range=(100, 200)).windows


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words",
    [
        "With growing gap T falls until 400 nm.",
        "T oscillates with the gap, and its mean decreases monotonically.",
        "T does not fall monotonically.",
        "The film has interference fringes. With growing gap the loss falls.",
        "Between its maxima T falls.",
        "T is what the gap makes it.",
        "With growing temperature T falls.",
        "With growing gap the cost of prisms falls.",
        "The price of prisms rises steadily.",
    ],
)
def test_one_that_turns_round_has_more(words: str) -> None:
    """Lie: a window that keeps one of several crossings."""
    text = f"## 3. Results\n\n{words} At first T is 1, and {CROSSES}."
    assert said(text, CROSSES, 157, "nm", LEVEL, x_range=(100, 200)).windows
    elsewhere = f"## 2. Methods\n\nWith growing index n falls.\n\n{text}"
    assert said(elsewhere, CROSSES, 157, "nm", LEVEL, x_range=(100, 200)).windows


def table(above: str, heads: str, row: str) -> str:
    columns = heads.count("|") + 1
    return f"{above}\n\n| {heads} |\n|{'---|' * columns}\n| {row} |"


GAPS = table(
    "Table 1 lists the gaps at which T is 0.9 and 0.5.",
    "prism | d for T = 0.9 (nm) | d for T = 0.5 (nm)",
    "crown | 55.1 | 157.1",
)


@pytest.mark.parametrize(
    ("text", "quotation", "value", "unit", "feature", "axis"),
    [
        (GAPS, "crown | 55.1 | 157.1", 157.1, "nm", LEVEL, "parameter"),
        (table("All of them.", "guide | width at R = 0.5 (nm)", "rib | 410.0"), "rib | 410.0", 410, "nm", LEVEL, "parameter"),
        (table("All of them.", "guide | wavelength at R = 0.5 (nm)", "rib | 410.0"), "rib | 410.0", 410, "nm", LEVEL, "spectral"),
        (
            table("A thickness h is used. Results:", "h (nm) | R_TE", "220 | 0.399"),
            "220 | 0.399", 0.399, "1", {"kind": "value_at", "at": [220]}, "parameter",
        ),
        (
            table("The angle of incidence theta is varied. Results:", "theta (deg) | R_s", "40 | 0.399"),
            "40 | 0.399", 0.399, "1", {"kind": "value_at", "at": [40]}, "angle",
        ),
    ],
)  # fmt: skip
def test_the_head_of_a_table_says_what_is_varied(
    text: str, quotation: str, value: float, unit: str, feature: Any, axis: str
) -> None:
    assert said(text, quotation, value, unit, feature).axis == axis


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "text",
    [
        table("All of them.", "guide | place (nm)", "rib | 410.0"),
        table("Peaks.", "guide | peak (nm)", "rib | 410.0"),
        table("Gaps and wavelengths.", "guide | x (nm)", "rib | 410.0"),
    ],
)
def test_a_head_that_names_nothing_says_nothing(text: str) -> None:
    """Lie: a place in a spectrum that is answered by a thickness."""
    assert said(text, "rib | 410.0", 410, "nm", LEVEL).axis == ""


@pytest.mark.parametrize(
    ("head", "value", "unit"),
    [
        ("d for T = 0.5 (nm)", 0.5, ""),
        ("width at transmittance = 0.25 [um]", 0.25, ""),
        ("gap where R_p = 0.30 (nm)", 0.30, ""),
        ("angle for A = 0.9 (deg)", 0.9, ""),
        ("lambda with T_s = 0.10 (um)", 0.10, ""),
        ("R for d = 50 (nm)", 50, "nm"),  # of a share of light there are no nanometres
        ("period T = 0.5 (um)", 0.5, "um"),
        ("n at 0.5 (um)", 0.5, "um"),
        ("eff. for A = 90 (%)", 90, "%"),
    ],
)
def test_the_unit_of_a_column_is_not_its_levels(head: str, value: float, unit: str) -> None:
    text = table("Table 1. All of them.", f"prism | {head} | more", "crown | 157.1 | 2")
    assert [(n.low, n.unit) for n in numbers_in(text) if n.low == value] == [(value, unit)]
    assert not number_fault(value, unit, head, text)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("level", [0.3, 0.55, 0.9])
def test_a_level_of_another_column_is_open(level: float) -> None:
    """Lie: the level of a table's other column."""
    feature = {"kind": "crossing", "level": [level]}
    assert any("level" in why for why in said(GAPS, "crown | 55.1 | 157.1", 157.1, "nm", feature).loose)
    assert not said(GAPS, "crown | 55.1 | 157.1", 157.1, "nm", LEVEL).loose


def test_a_place_behind_a_comma_has_the_clause_before_it() -> None:
    text = "The difference T_p - T_s is largest, 0.214, at a gap of 190 nm."
    found = said(text, text, 190, "nm", "maximum_position")
    assert not found.refused
    found = said(text, text, 190, "nm", "minimum_position")
    assert found.refused


@pytest.mark.parametrize(
    ("value", "unit", "words", "stands"),
    [
        (0.0, "mm", "For s = 0 grooves face grooves", True),
        (0.0, "deg", "at an angle of 0", True),
        (0.0, "mm", "For s = 0.1 grooves face grooves", False),
        (1.0, "mm", "For s = 1 grooves face grooves", False),
        (0.0, "mm", "For m = 0 to 3 grooves face grooves", False),
    ],
)
def test_nought_needs_no_unit(value: float, unit: str, words: str, stands: bool) -> None:
    assert (number_fault(value, unit, words, words + ".") == "") is stands
