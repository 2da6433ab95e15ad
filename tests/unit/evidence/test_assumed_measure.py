"""The doubt of an assumption counts in its threshold's measure."""

from __future__ import annotations

import pytest

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import QuantityResult, Sensitivity, StudyResult
from tasks.reproduce.judging.inputs import within_inputs
from tests.unit.words.test_input_words import SAID, grating

pytestmark = pytest.mark.unit


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("measure", "unit", "acceptable", "moved"),
    [
        ("absolute", "%", 0.74, "1.2 %"),
        ("absolute", "1", 0.0074, "0.012"),
        ("absolute_percentage_points", "%", 0.74, "1.2 %"),
    ],
)
def test_the_doubt_of_an_assumption_counts_in_the_threshold_s_measure(
    measure: str, unit: str, acceptable: float, moved: str
) -> None:
    """Lie: a small reflectance, whose threshold is a number and no share, rests on an assumption."""
    tried = Sensitivity(
        parameter="t", origin="assumption", tried="126 nm", reason="5% more", change=0.012, relative=0.25
    )
    found = judged(tried, measure, unit, acceptable)
    assert found.classification == "PARTIAL" and f"it moves by {moved}, and" in found.reasons[-1]


@pytest.mark.attack("judgement", "at most PARTIAL")
def test_an_assumption_that_nobody_could_afford_to_vary_still_counts() -> None:
    """Lie: so many assumptions, or so dear a scene, that the doubt of one is never computed."""
    tried = Sensitivity(
        parameter="t",
        origin="assumption",
        tried="126 nm",
        reason="5% more",
        remark="not computed: more CPU time than the value itself is not spent on it, or none was left",
    )
    found = judged(tried, "absolute", "1", 0.0074)
    assert found.classification == "PARTIAL" and "what 126 nm would change is not known" in found.reasons[-1]


def judged(tried: Sensitivity, measure: str, unit: str, acceptable: float) -> TargetEvidence:
    study = StudyResult(
        digest="d",
        quantities=(
            QuantityResult(
                id="R",
                kind="reflectance",
                scene="cell",
                status="converged",
                value=0.037,
                answers=("R",),
                sensitivities=(tried,),
            ),
        ),
    )
    evidence = TargetEvidence.model_validate(
        {
            "target_id": "R",
            "stage_id": "s",
            "ran": True,
            "computed": True,
            "converged": True,
            "physical": True,
            "matches": True,
            "simulated": 3.7,
            "unit": unit,
            "measure": measure,
            "acceptable": acceptable,
            "classification": "SUCCESS",
        }
    )
    [found] = within_inputs([evidence], grating("p.t"), SAID, study)
    return found
