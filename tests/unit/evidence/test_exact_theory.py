"""An exact solution that the stated uncertainty does not hold lowers a target where the difference matters, and only there."""

from __future__ import annotations

import pytest

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import OracleComparison, QuantityResult
from tasks.reproduce.evidence.two_solvers import beside_theory

pytestmark = pytest.mark.unit


def quantity(difference: float, within: bool) -> QuantityResult:
    return QuantityResult(
        id="q",
        kind="cross_section",
        scene="s",
        status="converged",
        value=2.0,
        scale=2.0,
        uncertainty=0.002,
        answers=("t",),
        oracle=OracleComparison(
            theory="partial waves", value=2.0 - difference, difference=difference, within=within
        ),
    )


def evidence(
    classification: str, measure: str = "relative_percent", acceptable: float = 5.0, unit: str = "um"
) -> TargetEvidence:
    return TargetEvidence(
        target_id="t",
        stage_id="s",
        simulated=2.0,
        reference=2.0,
        unit=unit,
        measure=measure,
        acceptable=acceptable,
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=classification == "SUCCESS",
        classification=classification,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("difference", "within", "classification"),
    [(0.06, False, "PARTIAL"), (-0.06, False, "PARTIAL"), (0.06, True, "SUCCESS"), (0.01, False, "SUCCESS")],
)
def test_what_theory_contradicts_beyond_the_uncertainty_is_partial(
    difference: float, within: bool, classification: str
) -> None:
    found = beside_theory(evidence("SUCCESS"), quantity(difference, within))
    assert found.classification == classification
    assert any("partial waves" in reason for reason in found.reasons) is (classification == "PARTIAL")


def test_a_failure_that_theory_contradicts_refutes_nothing() -> None:
    found = beside_theory(evidence("FAILURE"), quantity(0.06, False))
    assert found.classification == "FAILURE" and not found.refutes and "partial waves" in found.reasons[-1]


@pytest.mark.parametrize(
    ("measure", "unit", "acceptable", "lowered"),
    [
        ("absolute", "um", 0.2, True),
        ("absolute", "um", 0.3, False),
        ("absolute_percentage_points", "%", 0.2, True),
        ("absolute_percentage_points", "1", 20.0, True),
        ("absolute_percentage_points", "1", 30.0, False),
    ],
)
def test_the_difference_counts_in_the_measure_of_the_bounds(
    measure: str, unit: str, acceptable: float, lowered: bool
) -> None:
    found = beside_theory(evidence("SUCCESS", measure, acceptable, unit), quantity(0.06, False))
    assert (found.classification == "PARTIAL") is lowered
