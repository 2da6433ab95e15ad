"""A number that the paper's words make a bound: the other side of it is no agreement, however near."""

from __future__ import annotations

import pytest

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.words.bound import Bound
from schemas.reproduce.words.unclaimed import limit_of
from schemas.reproduce.words.written import numbers_in, readable
from tasks.reproduce.judging.together import _beyond, _inside

pytestmark = pytest.mark.unit
POINTS = "absolute_percentage_points"


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("The reflectance exceeds 99.9 %.", "lower"),
        ("It is more than 99.9 %.", "lower"),
        ("R > 99.9 %", "lower"),
        ("a reflectance of at least 99.9 %", "lower"),
        ("It stays below 99.9 %.", "upper"),
        ("It does not exceed 99.9 %.", "upper"),
        ("It is not less than 99.9 %.", "lower"),
        ("R <= 99.9 %", "upper"),
        ("It is 99.9 %.", ""),
        ("It is about 99.9 %.", ""),
        ("It reaches up to 99.9 %.", ""),
        ("It is never more than a value of 99.9 %.", "upper"),
        ("It is more than enough: 99.9 %.", ""),
        ("It grows from 16 % at N = 4 over 99.9 % at N = 8 to 100 % at N = 12.", ""),
        ("From 16 % on it is over 99.9 %.", "lower"),
    ],
)
def test_words_make_a_number_a_bound(words: str, limit: str) -> None:
    plain = readable(words)
    [number] = [n for n in numbers_in(plain) if n.low == 99.9]
    assert limit_of(plain, number) == limit


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("limit", "ours", "uncertainty", "unit", "measure", "held"),
    [
        ("lower", 98.4, 0.1, "%", POINTS, True),
        ("lower", 99.95, 0.1, "%", POINTS, False),
        ("lower", 99.85, 0.1, "%", POINTS, False),
        ("upper", 100.2, 0.1, "%", POINTS, True),
        ("", 98.4, 0.1, "%", POINTS, False),
        ("lower", 98.4, 2.0, "nm", "relative_percent", False),
        ("lower", 98.4, 1.0, "nm", "relative_percent", True),
        ("upper", 98.4, 0.0, "nm", "absolute", False),
    ],
)
def test_the_other_side_of_a_bound_is_no_agreement(
    limit: str, ours: float, uncertainty: float, unit: str, measure: str, held: bool
) -> None:
    """Lie: "exceeds 99.9 %" answered by 98.4 %, within the threshold of a number."""
    evidence = TargetEvidence(
        target_id="R",
        stage_id="s",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=True,
        simulated=ours,
        reference=99.9,
        unit=unit,
        measure=measure,
        uncertainty=uncertainty,
        classification="SUCCESS",
    )
    assert bool(_beyond(Bound(limit=limit), evidence)) is held


@pytest.mark.parametrize(
    ("limit", "ours", "classification"),
    [("upper", 0.3, "PARTIAL"), ("upper", 0.9, "FAILURE"), ("lower", 0.3, "FAILURE"), ("", 0.3, "FAILURE")],
)
def test_what_lies_well_inside_a_bound_refutes_nothing(limit: str, ours: float, classification: str) -> None:
    evidence = TargetEvidence(
        target_id="R",
        stage_id="s",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=False,
        simulated=ours,
        reference=0.7,
        unit="%",
        measure=POINTS,
        uncertainty=0.01,
        classification="FAILURE",
    )
    found = _inside(Bound(limit=limit), evidence)
    assert found.classification == classification and len(found.reasons) == (classification == "PARTIAL")
