"""What cannot be predicted or has no interval says so, and what a test leaves out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from tasks.study.statistics import NotTestable, Plan
from tests.unit.study.test_study_statistics import long, only, outcome

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (lambda x: np.full(60, 0.1), "the same value in all 60 rows"),
        (lambda x: np.zeros(60), "the same value"),
        (lambda x: 2 * x + 1, "exactly"),
    ],
)
def test_what_cannot_be_predicted_says_so(values: Callable[[np.ndarray], np.ndarray], said: str) -> None:
    """A constant outcome gave p = 4e-8 by rounding."""
    x = np.random.default_rng(1).normal(size=60)
    frame = pd.DataFrame({"x": x, "way": ["a", "b"] * 30, "y": values(x)})
    for predictors in (("x",), ("x", "way")):
        with pytest.raises(NotTestable, match=said):
            only(
                Plan("h1", "prediction", "y", predictors, {"x": "ratio", "way": "nominal", "y": "ratio"}),
                frame,
            )


def test_a_nearly_exact_difference_has_an_effect_without_an_interval() -> None:
    draw = np.random.default_rng(2)
    found = outcome(
        long({name: (level + 1e-7 * draw.normal(size=12)).tolist() for level, name in enumerate("abc")})
    )
    assert found.p < 1e-60 and found.effect is not None and found.effect.value > 0.999999
    assert found.effect.low is None and "no interval" in found.effect.method


def test_an_interaction_that_is_not_tested_and_a_level_that_nobody_is_in_are_said() -> None:
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"way": ["a", "b"] * 30, "place": ["home"] * 30 + ["car"] * 30, "y": draw.normal(size=60)}
    )
    kinds = {"way": "nominal", "place": "nominal", "y": "ratio"}
    found = only(Plan("h1", "prediction", "y", ("way", "place"), kinds), frame)  # type: ignore[arg-type]
    assert any("interaction" in text for text in found.warnings)
    three = outcome(
        long({name: draw.normal(size=12).tolist() for name in "pqr"}), levels=("p", "q", "r", "s")
    )
    assert any("nobody in s" in text for text in three.warnings)
    assert not outcome(
        long({name: draw.normal(size=12).tolist() for name in "pqr"}), levels=("p", "q", "r")
    ).warnings
