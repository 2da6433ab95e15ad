"""The plan's inputs as declared parameters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import ExtractedParameter
from simkit.describe.errors import DescriptionError
from simkit.describe.parameters import Parameter, Parameters


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


@given(st.floats(0.1, 100), st.floats(0.01, 0.9), st.floats(0.01, 0.9))
def test_a_lattice_constant_in_metric_units_takes_all_that_is_told_in_it(
    a: float, share: float, k: float
) -> None:
    """Three wave vectors in 2 pi / a left the designer without lattice constant and width."""
    found = declared(
        [
            extracted("k_end", f"{k!r}", "2pi/a"),
            extracted("a", f"{a!r}", "um"),
            extracted("k_half", f"{k!r}", "pi/a"),
            extracted("radius", f"{share!r}", "a"),
            extracted("w", "905", "nm"),
        ]
    )
    assert [p.id for p in found.parameters] == ["k_end", "a", "k_half", "radius", "w"] and not found.left_out
    p = Parameters(found.parameters)
    assert p.scale == "um"
    assert (float(p.k_end), float(p.radius)) == pytest.approx((k / a, share * a))
    assert (float(p.k_half), p.k_end.power, p.radius.power) == (pytest.approx(k / a / 2), -1, 1)
    assert p.told("k_end", float(p.k_end)) == pytest.approx(k) and p.base("k_half", k) == float(p.k_half)
    moved = p.values({"a": 2 * a})
    assert (moved["k_end"], moved["radius"]) == pytest.approx((k / a / 2, 2 * share * a))
    assert p.values({"k_end": 3.0, "a": 2 * a})["k_end"] == 3.0
    assert p.closure("radius") == {"radius", "a"}


def test_two_lattice_constants_are_none() -> None:
    items = [
        Parameter(id=name, value=1, unit=unit, origin="paper", quotation="1")
        for name, unit in (("a", "um"), ("lattice_constant", "nm"), ("k", "2pi/a"))
    ]
    with pytest.raises(DescriptionError, match="as `a`"):
        Parameters(items)
