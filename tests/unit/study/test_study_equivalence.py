"""Equivalence: two one-sided tests against TOSTER's and statsmodels' numbers, what is planned, and what may be said of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.weightstats import ttost_ind, ttost_paired

from schemas.study.design import Variable, Variables
from schemas.study.results import Results
from schemas.study.scope import Hypothesis, ResearchPlan
from tasks.study.results_file import apa_text, plans_of, results_of
from tasks.study.statistics import NotTestable, Plan, Tested, analysed
from tasks.study.statistics.power import power_of, sample_size
from tasks.study.test_findings import findings
from tasks.study.wording.claims_of_tests import ResultsReader
from tasks.study.wording.placeholders import NOTE, UNCHECKED, values_of
from tests.unit.study.study_fixture import protocol
from tests.unit.study.tries_of_equivalence import HONEST, LIES

pytestmark = pytest.mark.unit


def outcome(frame: pd.DataFrame, bound: float, **more: Any) -> Tested:
    kinds = {"y": "ratio", "way": "nominal", "x": "ratio"}
    plan = Plan("h1", **{"relation": "difference", "outcome": "y", "predictors": ("way",), "kinds": kinds, "bound": bound,
                         "participant": "participant", **more})  # fmt: skip
    found, cannot = analysed([plan], frame)
    if cannot:
        raise NotTestable(cannot["h1"])
    return found[0]


def two(a: np.ndarray, b: np.ndarray, *, within: bool = False) -> pd.DataFrame:
    who = [*range(len(a)), *(range(len(b)) if within else range(len(a), len(a) + len(b)))]
    way = ["a"] * len(a) + ["b"] * len(b)
    return pd.DataFrame({"participant": who, "way": way, "y": np.concatenate([a, b])})


def test_two_groups_are_welch_as_in_statsmodels() -> None:
    draw = np.random.default_rng(1)
    a, b = draw.normal(5, 1, 40), draw.normal(5.1, 2, 60)
    found = outcome(two(a, b), 0.9)
    p, lower, upper = ttost_ind(a, b, -0.9, 0.9, usevar="unequal")
    assert found.test == "two one-sided Welch tests" and found.p == pytest.approx(p)
    assert found.statistic == pytest.approx(min((lower[0], upper[0]), key=abs))
    assert found.effect is not None and found.effect.level == 0.9
    assert (found.p < 0.05) == (-0.9 < (found.effect.low or 0) and (found.effect.high or 0) < 0.9)


def test_pairs_and_a_bound_in_standard_deviations() -> None:
    draw = np.random.default_rng(2)
    a = draw.normal(5, 1, 30)
    b = a + draw.normal(0, 0.5, 30)
    found = outcome(two(a, b, within=True), 0.6, within=True, bound_in="sd")
    bound = 0.6 * (a - b).std(ddof=1)
    assert found.test == "two one-sided paired t tests" and found.p == pytest.approx(
        ttost_paired(a, b, -bound, bound)[0]
    )
    assert "0.60 standard deviations of the differences" in found.bound


def test_a_correlation_is_that_of_fishers_z() -> None:
    draw = np.random.default_rng(3)
    frame = pd.DataFrame({"x": draw.normal(size=150), "y": draw.normal(size=150)})
    found = outcome(frame, 0.3, relation="association", predictors=("x",))
    r = float(np.corrcoef(frame["x"], frame["y"])[0, 1])
    z = [(np.arctanh(r) + np.arctanh(0.3)) * np.sqrt(147), (np.arctanh(r) - np.arctanh(0.3)) * np.sqrt(147)]
    assert (
        found.p == pytest.approx(max(stats.norm.sf(z[0]), stats.norm.cdf(z[1])))
        and found.statistic_name == "z"
    )


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("skewed", [False, True])
def test_at_the_bound_about_five_of_a_hundred_are_called_equivalent(
    within: bool, skewed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.study.statistics.equivalence.PERMUTATIONS", 199)
    found = 0
    for seed in range(200):
        draw = np.random.default_rng(seed)
        error = draw.exponential(1, (2, 25)) - 1 if skewed else draw.normal(0, 1, (2, 25))
        a, b = (0.8 + error[0] + error[1], error[1]) if within else (0.8 + error[0], error[1])
        found += outcome(two(a, b, within=within), 0.8, within=within).p < 0.05
    assert found <= 19


@pytest.mark.parametrize(
    ("frame", "more", "words"),
    [
        (two(np.ones(9), np.ones(9)), {}, "does not vary"),
        (two(np.arange(9.0), np.arange(9.0)).assign(way=["a", "b", "c"] * 6), {}, "two levels"),
        (two(np.arange(9.0), np.arange(9.0)), {"kinds": {"y": "ordinal", "way": "nominal"}}, "y is ordinal"),
        (two(np.arange(9.0), np.arange(9.0)), {"covariates": ("y",)}, "without covariates"),
    ],
)
def test_what_has_no_bound_says_why(frame: pd.DataFrame, more: dict[str, Any], words: str) -> None:
    with pytest.raises(NotTestable, match=words):
        outcome(frame, 0.5, **more)


def test_one_sample_is_held_against_a_value_with_and_without_a_bound() -> None:
    draw = np.random.default_rng(4)
    values = draw.normal(4.1, 1, 50)
    frame = pd.DataFrame({"participant": range(50), "y": values})
    plain = outcome(frame, 0.0, predictors=(), against=4.0)
    t = stats.ttest_1samp(values, 4)
    assert plain.test == "one-sample t test" and (plain.statistic, plain.p) == (
        pytest.approx(t.statistic),
        pytest.approx(t.pvalue),
    )
    found = outcome(frame, 0.5, predictors=(), against=4.0)
    lower, upper = (
        stats.ttest_1samp(values, 4 + end, alternative=way).pvalue
        for end, way in ((-0.5, "greater"), (0.5, "less"))
    )
    assert found.test == "two one-sided one-sample t tests" and found.p == pytest.approx(max(lower, upper))
    assert [group["name"] for group in found.groups] == ["y"] and found.n == 50
    skewed = frame.assign(y=np.exp(draw.normal(0, 1, 50)) + 3)
    assert (
        outcome(skewed.head(20), 0.0, predictors=(), against=4.0).test
        == "one-sample Wilcoxon signed-rank test"
    )
    with pytest.raises(NotTestable, match="by itself"):
        outcome(frame.assign(way="a"), 0.0, against=4.0)


def test_a_mean_against_a_value_says_above_or_below_it() -> None:
    frame = pd.DataFrame({"participant": range(40), "ease": np.random.default_rng(5).normal(5, 1, 40)})
    one = Hypothesis(
        id="h1",
        statement="Ease differs from the middle, 4",
        relation="difference",
        outcome="ease",
        predictors=(),
        against=4,
    )
    variables = Variables(
        variables=(Variable(name="ease", role="dependent", kind="interval", definition=""),)
    )
    results = results_of(frame.to_csv(index=False).encode(), plans_of((one,), variables, tuple(frame)))
    plan = ResearchPlan(
        title="The middle", research_questions=("Which?",), background="", contribution="", hypotheses=(one,)
    )
    [shown] = findings(plan, results, protocol())
    assert shown.words == "A difference from 4 was shown: above it" and shown.levels == []
    assert results.tests[0].of == "ease against 4" and "ease against 4" in apa_text(results)
    reader = ResultsReader([shown], values_of(results))
    assert reader.contradictions("No difference in ease from the middle was shown.")
    with pytest.raises(ValueError, match="names the value"):
        Hypothesis(
            id="h1",
            statement="Ease differs from the middle",
            relation="difference",
            outcome="ease",
            predictors=(),
            against=4,
        )
    with pytest.raises(ValueError, match="no predictor"):
        Hypothesis(
            id="h1",
            statement="Ease differs from the middle",
            relation="difference",
            outcome="ease",
            predictors=(),
        )


def hypothesis(name: str, bound: float | None = None) -> Hypothesis:
    said = (
        f"{name} differs by less than {bound:g} points between voice and touch"
        if bound
        else f"{name} differs between the ways"
    )
    return Hypothesis(
        id=f"h_{name}",
        statement=said,
        relation="difference",
        outcome=name,
        predictors=("way",),
        equivalent_within=bound,
    )


def read() -> tuple[ResultsReader, Results]:
    """Ease differs, trust was not shown to; comfort is equivalent within 1, speed was not shown to be within 0.2."""
    draw, n = np.random.default_rng(3), 60
    way = np.array(["voice", "touch"] * (n // 2))
    values = {name: draw.normal(0, 1, n) for name in ("ease", "trust", "comfort", "speed")}
    frame = pd.DataFrame({"participant": [f"p{place}" for place in range(n)], "way": way, **values})
    frame["ease"] += 1.5 * (way == "touch")
    hypotheses = (
        hypothesis("ease"),
        hypothesis("trust"),
        hypothesis("comfort", 1.0),
        hypothesis("speed", 0.2),
    )
    variables = Variables(
        variables=(
            Variable(
                name="way", role="independent", kind="nominal", definition="", levels=("voice", "touch")
            ),
            *(Variable(name=name, role="dependent", kind="interval", definition="") for name in values),
        )
    )
    results = results_of(frame.to_csv(index=False).encode(), plans_of(hypotheses, variables, tuple(frame)))
    plan = ResearchPlan(
        title="Voice or touch",
        research_questions=("Which?",),
        background="",
        contribution="",
        hypotheses=hypotheses,
    )
    return ResultsReader(findings(plan, results, protocol()), values_of(results)), results


@pytest.fixture(scope="module")
def found() -> tuple[ResultsReader, Results]:
    return read()


def test_the_result_says_shown_or_not_shown_and_never_equal(found: tuple[ResultsReader, Results]) -> None:
    reader, results = found
    words = {item.id: item.words for item in reader.findings}
    assert words["h_comfort"].startswith("Equivalence within ±1 (") and words["h_comfort"].endswith(
        "was shown"
    )
    assert words["h_speed"].endswith("was not shown") and words["h_trust"] == "No difference was shown"
    text = apa_text(results)
    assert "Two one-sided Welch tests of equivalence, bound ±1 (" in text and "90% CI" in text
    assert "h_comfort_bound" in {item.name for item in results.values}
    assert "so wide that what Cohen calls a large effect" in text


@pytest.mark.parametrize("half", [0, 1, 2])
def test_lies_about_equivalence_are_marked_and_honest_sentences_are_not_contradicted(
    found: tuple[ResultsReader, Results], half: int
) -> None:
    reader = found[0]
    passed = [
        text for text in LIES[half] if NOTE not in (said := reader.marked(text)[0]) and UNCHECKED not in said
    ]
    contradicted = [text for text in HONEST[half] if reader.contradictions(text)]
    known = ([], []) if half < 2 else (
        ["Comfort failed the equivalence test."],
        ["Equivalence in speed could neither be shown nor ruled out."],
    )  # fmt: skip
    assert (passed, contradicted) == known


def test_what_is_planned_is_what_simulation_gives_and_toster_prints() -> None:
    # TOSTER: powerTOSTtwo(.05, .8, +-.3) 190.3 in each group, powerTOSTpaired(.05, .8, +-.3) 95.2, by normal distributions
    assert sample_size("d", 0.3, equivalence=True).needed == 2 * 191
    assert sample_size("dz", 0.3, equivalence=True).needed == 97
    draw, found = np.random.default_rng(1), 0
    for _ in range(400):
        a, b = draw.normal(0, 1, (2, 40))
        found += ttost_ind(a, b, -0.7, 0.7)[0] < 0.05
    assert found / 400 == pytest.approx(power_of("d", 0.7, 80, equivalence=True), abs=0.06)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"statement": "y hardly differs between a and b"}, "names the bound"),
        ({"expected_higher": "a"}, "without direction"),
        (
            {
                "relation": "association",
                "equivalent_within": 2.0,
                "statement": "y goes with way by less than 2",
            },
            "below 1",
        ),
        ({"relation": "prediction"}, "difference between two levels"),
    ],
)
def test_a_bound_that_nobody_could_see_or_test_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Hypothesis(**{"id": "h1", "statement": "y differs by less than half a point", "relation": "difference", "outcome": "y",
                      "predictors": ("way",), "equivalent_within": 0.5, **wrong})  # fmt: skip
