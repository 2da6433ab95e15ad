"""A purely Bayesian study: what has no Bayes factor is said at design, and reported as not tested, never as p None."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from schemas.study.design import Variables
from schemas.study.scope import Hypothesis
from tasks.study.results_file import apa_text, results_of
from tasks.study.statistics import Plan
from tasks.study.trying import untestable
from tests.unit.study.study_fixture import protocol, questionnaire, variables

pytestmark = pytest.mark.unit
RANKS = Hypothesis(
    id="h1",
    statement="Trust differs between voice and touch.",
    relation="difference",
    outcome="trust",
    predictors=("condition",),
)
MEANS = RANKS.model_copy(update={"id": "h2", "outcome": "ease"})
KNOWN = Variables(
    variables=(
        *variables().variables,
        variables().variables[1].model_copy(update={"name": "trust", "kind": "ordinal", "items": ()}),
    )
)


def told(framework: str) -> dict[str, str]:
    return untestable([RANKS, MEANS], protocol(), questionnaire(), KNOWN, seed=1, framework=framework)  # type: ignore[arg-type]


def test_ranks_are_refused_at_design_and_means_are_not() -> None:
    assert set(told("bayesian")) == {"h1"}
    assert "no Bayes factor is known here for this test (Wilcoxon" in told("bayesian")["h1"]
    assert "choose the framework both or frequentist" in told("bayesian")["h1"]
    assert told("both") == told("frequentist") == {}


def test_what_turns_out_to_have_none_is_reported_as_not_tested() -> None:
    draw = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"participant": range(40), "way": ["a", "b"] * 20, "ranked": draw.integers(1, 8, 40)}
    )
    frame["mean"] = draw.normal(0, 1, 40)
    plans = [
        Plan(name, "difference", y, ("way",), {y: kind, "way": "nominal"}, participant="participant")  # type: ignore[dict-item]
        for name, y, kind in (("h1", "ranked", "ordinal"), ("h2", "mean", "interval"))
    ]
    data = frame.to_csv(index=False).encode()
    found = results_of(data, plans, framework="bayesian")
    assert [item.id for item in found.tests] == ["h2"] and [item.id for item in found.not_tested] == ["h1"]
    assert found.tests[0].p is None and "*p*" not in found.tests[0].apa and found.tests[0].bayes is not None
    assert "not available" not in apa_text(found) and "**h1** was not tested: h1: the framework" in apa_text(
        found
    )
    assert not any(value.name.startswith("h1_") for value in found.values)
    both = results_of(data, plans, framework="both")
    assert [item.id for item in both.tests] == ["h1", "h2"] and not both.not_tested
