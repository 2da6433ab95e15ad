"""Phases are compared up to whole turns: a true retardance of 89.6 degrees, computed as -270.8, was 'not reproduced'."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.plan import Target
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.evidence.rung import Rung, Value
from tasks.reproduce.judging.phases import nearest_turns
from tasks.reproduce.references.paper_value import ReferenceValue

pytestmark = pytest.mark.unit
X = np.linspace(500.0, 700.0, 41)


def _target(unit: str, feature: Any = None, kind: str = "scalar") -> Target:
    reference = {"kind": "quotation", "value": 10.0, "quotation": "the retardance is 10 degrees"}
    if kind == "curve":
        reference = {"kind": "data", "file": "data/a.csv", "x_column": "nm", "y_column": "deg"}
    plain = {"target_id": "t", "description": "retardance", "quantity": kind, "kind": kind, "unit": unit}
    more = {"x_unit": "nm"} if kind == "curve" or feature else {}
    return Target.model_validate(
        {
            **plain,
            **more,
            "figure_id": "1",
            "reference": {**reference, **({"feature": feature} if feature else {})},
        }
    )


def _rungs(*values: Value) -> tuple[Rung, ...]:
    return tuple(Rung(1 / (n + 1), value, (), None, "phase") for n, value in enumerate(values))  # type: ignore[arg-type]


@given(st.floats(-300, 300), st.integers(-3, 3), st.floats(-170, 170))
def test_a_number_is_moved_by_whole_turns_and_by_nothing_else(paper: float, turns: int, apart: float) -> None:
    rungs = _rungs(paper + apart + 1e-3, paper + apart + 360.0 * turns)
    moved, _, told = nearest_turns(_target("deg"), rungs, ReferenceValue(paper, "text"))
    assert [rung.value for rung in moved] == pytest.approx([paper + apart + 1e-3, paper + apart])
    assert bool(told) is bool(turns) and (not turns or f"{-turns:+d} x 360 deg" in told)


@pytest.mark.parametrize(
    ("unit", "feature", "paper"),
    [
        ("deg", {"kind": "prominence"}, 300.0),  # a span of almost a turn is none of 300 - 360
        ("deg", None, 360.0),  # "the phase covers a full turn"
        ("deg", None, 725.0),
        ("nm", None, 300.0),
    ],
)
def test_what_spans_or_counts_turns_stays_as_it_is(unit: str, feature: Any, paper: float) -> None:
    rungs = _rungs(2.0, 3.0)
    assert nearest_turns(_target(unit, feature), rungs, ReferenceValue(paper, "text"))[::2] == (rungs, "")


@given(st.integers(-2, 2), st.floats(-100, 100), st.sampled_from([1.5, 6.0]))
def test_a_wrapped_curve_of_the_paper_is_one_without_jumps(turns: int, apart: float, slope: float) -> None:
    phase = slope * (X - 500)
    paper = ReferenceValue(Curve(X, (phase + 180) % 360 - 180), "data")
    ours = _rungs(Curve(X, phase + apart + 1e-3), Curve(X, phase + apart + 360 * turns))
    moved, reference, _ = nearest_turns(_target("deg", kind="curve"), ours, paper)
    assert isinstance(reference.value, Curve) and np.ptp(np.diff(reference.value.y)) < 1e-9
    last = moved[-1].value
    assert isinstance(last, Curve)
    assert last.y - reference.value.y == pytest.approx(apart * np.ones(X.size))


@pytest.mark.attack("judgement", "FAILURE")
@settings(max_examples=40)
@given(st.integers(0, 10**6), st.floats(0.5, 30))
def test_what_follows_no_phase_stays_far_from_it(seed: int, slope: float) -> None:
    """Lie: on the circle nothing is more than half a turn off, which is little of a paper's curve over many turns."""
    steep = slope * (X - 500)
    for way in (steep, (steep + 180) % 360 - 180):
        draw = np.random.default_rng(seed)
        for wrong in (draw.uniform(-1000, 1000, X.size), -0.5 * steep, np.zeros(X.size)):
            moved, reference, _ = nearest_turns(
                _target("deg", kind="curve"), _rungs(Curve(X, wrong)), ReferenceValue(Curve(X, way), "data")
            )
            ours, paper = moved[0].value, reference.value
            assert isinstance(ours, Curve) and isinstance(paper, Curve)
            assert np.sqrt(np.mean((ours.y - paper.y) ** 2)) > 0.2 * np.ptp(paper.y)
