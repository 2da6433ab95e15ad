"""The plan's inputs as declared parameters."""

from __future__ import annotations

import pytest

from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import ExtractedParameter


def extracted(name: str, value: str, unit: str, role: str = "input") -> ExtractedParameter:
    return ExtractedParameter(
        name=name, value=value, unit=unit, role=role, quotation=f"{value} {unit}", place="section 1"
    )  # type: ignore[arg-type]


def test_numbers_lists_and_ranges_become_parameters_in_the_papers_order() -> None:
    found = declared(
        [
            extracted("t", "10, 15 and 20", "nm"),
            extracted("band", "450 to 810", "nm"),
            extracted("n", "1.52", ""),
        ]
    )
    assert [(p.id, p.value, p.unit) for p in found.parameters] == [
        ("t_1", 10, "nm"),
        ("t_2", 15, "nm"),
        ("t_3", 20, "nm"),
        ("band_1", 450, "nm"),
        ("band_2", 810, "nm"),
        ("n", 1.52, "1"),
    ]
    assert all(p.origin == "paper" and p.quotation for p in found.parameters)


def test_results_are_never_declared() -> None:
    assert declared([extracted("peak", "643", "nm", role="result")]).parameters == ()


@pytest.mark.parametrize(
    ("value", "unit", "says"), [("main/Au/Johnson", "", "neither a number"), ("3", "furlong", "not known")]
)
def test_what_cannot_be_declared_is_said(value: str, unit: str, says: str) -> None:
    found = declared([extracted("x", value, unit)])
    assert not found.parameters and says in found.left_out[0]


def test_the_free_length_and_micrometres_are_not_mixed() -> None:
    found = declared(
        [extracted("r", "1", "a"), extracted("w", "1", "a"), extracted("unit_length", "1", "um")]
    )
    assert [p.id for p in found.parameters] == ["r", "w"] and "unit_length" in found.left_out[0]
