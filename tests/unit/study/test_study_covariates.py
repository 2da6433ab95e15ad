"""Covariates held constant, against statsmodels and simulation; published ones are in published.py."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from schemas.study.design import Variable, Variables
from schemas.study.results import TestResult
from schemas.study.scope import Hypothesis
from tasks.study.results_file import apa_text, plans_of, results_of
from tasks.study.statistics import NotTestable, Plan, Tested, analysed
from tasks.study.statistics import __main__ as again
from tasks.study.statistics.power import power_of, sample_size

pytestmark = pytest.mark.unit


def rows(
    seed: int, sizes: tuple[int, ...], *, shift: float = 0.0, skewed: bool = False, uneven: bool = False
) -> pd.DataFrame:
    """Groups whose outcome goes with age; the last lies higher by shift. uneven: its values vary three times as much."""
    draw, frames = np.random.default_rng(seed), []
    for place, n in enumerate(sizes):
        age = draw.normal(40, 8, n)
        error = draw.exponential(1, n) - 1 if skewed else draw.normal(0, 1, n)
        last = place == len(sizes) - 1
        y = 0.1 * age + error * (3 if uneven and last else 1) + shift * last
        frames.append(pd.DataFrame({"way": f"w{place}", "age": age, "y": y}))
    found = pd.concat(frames, ignore_index=True)
    return found.assign(participant=[f"p{place}" for place in range(len(found))])


def outcome(frame: pd.DataFrame, **more: Any) -> Tested:
    kinds = {"y": "ratio", "way": "nominal", "age": "ratio"}
    plan = Plan("h1", **{"relation": "difference", "outcome": "y", "predictors": ("way",), "kinds": kinds, "covariates": ("age",),
                         "participant": "participant", **more})  # fmt: skip
    found, cannot = analysed([plan], frame)
    if cannot:
        raise NotTestable(cannot["h1"])
    return found[0]


def test_the_test_of_groups_is_that_of_statsmodels() -> None:
    frame = rows(1, (12, 15, 20), shift=0.8)
    found = outcome(frame)
    whole, without = (smf.ols(f"y ~ {what}age", frame).fit() for what in ("C(way) + ", ""))
    f, p, _ = whole.compare_f_test(without)
    assert found.test == "analysis of covariance"
    assert (found.statistic, found.p, found.df) == (pytest.approx(f), pytest.approx(p), (2.0, 43.0))
    assert found.coefficients["age"][:2] == (
        pytest.approx(whole.params["age"]),
        pytest.approx(whole.bse["age"]),
    )
    for group in found.groups:
        at = whole.get_prediction(
            pd.DataFrame({"way": [group["name"]], "age": frame["age"].mean()})
        ).summary_frame()
        assert [group["adjusted"][name] for name in ("value", "low", "high")] == pytest.approx(
            [at["mean"][0], at["mean_ci_lower"][0], at["mean_ci_upper"][0]]
        )


def test_two_groups_are_one_sided_by_name_and_robust_where_variances_differ() -> None:
    frame = rows(1, (40, 40), shift=1.0, uneven=True)
    found = outcome(frame, levels=("w0", "w1"), expected_higher="w1")
    fit = smf.ols("y ~ C(way) + age", frame).fit(cov_type="HC3", use_t=True)
    assert found.test == "analysis of covariance with robust errors (HC3)" and found.direction == "w0 < w1"
    assert (found.statistic, found.p) == (
        pytest.approx(-fit.tvalues["C(way)[T.w1]"]),
        pytest.approx(fit.pvalues["C(way)[T.w1]"] / 2),
    )
    low, high = fit.conf_int().loc["C(way)[T.w1]"]
    value, error, *ends = found.coefficients["w0 less w1"][:4]
    assert (-value, error) == (
        pytest.approx(fit.params["C(way)[T.w1]"]),
        pytest.approx(fit.bse["C(way)[T.w1]"]),
    )
    assert ends == pytest.approx([-high, -low])
    assert found.effect is not None and found.effect.low is None and "no interval" in found.effect.method


def test_slopes_that_differ_are_told_and_groups_compared_at_the_covariates_mean() -> None:
    frame = rows(3, (40, 40))
    frame.loc[frame["way"] == "w1", "y"] += 0.4 * (frame["age"] - 40)
    found = outcome(frame)
    centred = frame.assign(age=frame["age"] - frame["age"].mean())
    fit = smf.ols("y ~ C(way) * age", centred).fit()
    assert found.assumptions[0].name == "equal slopes" and found.assumptions[0].holds is False
    assert "separate slopes" in found.test and any("depends on age" in text for text in found.warnings)
    assert abs(found.statistic or 0) == pytest.approx(abs(fit.tvalues["C(way)[T.w1]"]))
    assert {"age in w0", "age in w1"} <= {*found.coefficients}


def test_a_covariate_that_differs_between_groups_is_told() -> None:
    frame = rows(2, (30, 30))
    frame.loc[frame["way"] == "w1", "age"] += 15
    assert any("age differs between the groups" in text for text in outcome(frame).warnings)


@pytest.mark.parametrize("how", [{}, {"skewed": True}, {"uneven": True}, {"skewed": True, "uneven": True}])
def test_where_nothing_differs_about_five_of_a_hundred_are_significant(
    how: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.study.statistics.covariance.PERMUTATIONS", 199)
    found = [outcome(rows(seed, (15, 25), **how)).p for seed in range(200)]
    assert sum(p < 0.05 for p in found) <= 19  # of 200 at 5 of 100, 99.5 of 100 times


def test_partial_correlation_of_ranks_and_one_side() -> None:
    frame = rows(5, (40,), skewed=True)
    frame["other"] = np.exp(frame["age"] / 8 + np.random.default_rng(1).normal(0, 0.3, 40))
    kinds = {"y": "ordinal", "other": "ratio", "age": "ratio"}
    found = outcome(
        frame, relation="association", predictors=("other",), kinds=kinds, expected_higher="positive"
    )
    ranks = frame[["y", "other", "age"]].rank()
    inverse = np.linalg.inv(ranks.corr())
    assert found.test == "partial rank correlation (Spearman)" and found.df == (37.0,)
    assert found.statistic == pytest.approx(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))
    assert found.direction == "positive" and "age held constant" in found.because


@pytest.mark.parametrize(
    ("change", "more", "words"),
    [
        ({"age": 40.0}, {}, "one value only"),
        ({}, {"kinds": {"y": "ordinal", "way": "nominal", "age": "ratio"}}, "y is ordinal"),
        ({"participant": "p1"}, {}, "more than once"),
        ({}, {"within": True}, "between participants"),
        ({}, {"covariates": ("age", "twin"), "kinds": {"y": "ratio", "way": "nominal", "age": "ratio", "twin": "ratio"}}, "repeat"),
    ],
)  # fmt: skip
def test_what_cannot_be_held_constant_says_why(
    change: dict[str, Any], more: dict[str, Any], words: str
) -> None:
    frame = rows(1, (12, 12)).assign(**change)
    with pytest.raises(NotTestable, match=words):
        outcome(frame.assign(twin=frame["age"] * 2), **more)


def test_a_hypothesis_with_covariates_goes_to_results_and_their_text() -> None:
    frame = rows(1, (30, 30), shift=1.0)
    hypothesis = Hypothesis(
        id="h1",
        statement="y is higher for w1 than for w0",
        relation="difference",
        outcome="y",
        predictors=("way",),
        covariates=("age",),
    )
    variables = Variables(
        variables=(
            Variable(name="y", role="dependent", kind="ratio", definition="y"),
            Variable(name="way", role="independent", kind="nominal", definition="way", levels=("w0", "w1")),
            Variable(name="age", role="control", kind="ratio", definition="age"),
        )
    )
    results = results_of(
        frame.to_csv(index=False).encode(),
        plans_of((hypothesis,), variables, tuple(frame)),
        framework="frequentist",
        seed=1,
    )
    [test] = results.tests
    names = {item.name for item in results.values}
    assert isinstance(test, TestResult) and test.of == "y by way, age held constant"
    assert {"h1_at_w0_adjusted", "h1_b_w0_less_w1", "h1_b_age"} <= names
    text = apa_text(results)
    assert "adjusted *M* = " in text and "equal slopes: taken to hold" in text and "age held constant" in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"relation": "prediction"},
        {"predictors": ("way", "other"), "claim": "interaction"},
        {"covariates": ("way",)},
        {"covariates": ("age", "age")},
    ],
)
def test_covariates_where_they_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="covariate"):
        Hypothesis(**{"id": "h1", "statement": "y differs by way", "relation": "difference", "outcome": "y", "predictors": ("way",),
                      "covariates": ("age",), **wrong})  # fmt: skip


def test_planning_counts_what_covariates_explain() -> None:
    # G*Power 3.1, ANCOVA: f = .25, 4 groups, numerator df 3, one covariate, power .8: 179 or 180 in whole groups
    assert sample_size("f", 0.25, groups=4, covariates=1).needed == 180
    plain, less = sample_size("d", 0.5), sample_size("d", 0.5, covariates=1, explained=0.25)
    assert less.needed == 98 < plain.needed and "explained=0.25" in less.method
    draw, found = np.random.default_rng(2), 0
    for _ in range(400):
        x, g = draw.normal(size=98), np.repeat([0.0, 1.0], 49)
        y = 0.5 * g + 0.5 * x + np.sqrt(0.75) * draw.normal(size=98)
        design = np.column_stack([np.ones(98), g, x])
        b, rest, *_ = np.linalg.lstsq(design, y, rcond=None)
        error = np.sqrt(rest[0] / 95 * np.linalg.inv(design.T @ design)[1, 1])
        found += abs(b[1] / error) > 1.985
    assert found / 400 == pytest.approx(power_of("d", 0.5, 98, covariates=1, explained=0.25), abs=0.06)


def test_the_shipped_code_gives_the_same_numbers_of_every_new_kind(tmp_path: Path) -> None:
    frame = rows(1, (30, 30), shift=0.5).assign(item=[f"i{place % 6}" for place in range(60)])
    again_and_again = pd.concat(
        [frame.assign(item=f"i{k}", y=frame["y"] + k / 7) for k in range(6)], ignore_index=True
    )
    again_and_again["y"] += np.random.default_rng(1).normal(size=len(again_and_again))
    kinds: Any = {"y": "ratio", "way": "nominal", "age": "ratio", "item": "nominal"}
    common: Any = {"kinds": kinds, "participant": "participant"}
    plans = {
        "one": [
            Plan("h1", "difference", "y", ("way",), covariates=("age",), **common),
            Plan("h2", "association", "y", ("age",), bound=0.4, **common),
            Plan("h3", "difference", "y", ("way",), bound=1.0, bound_in="sd", **common),
            Plan("h4", "difference", "y", (), against=4.0, **common),
        ],
        "several": [Plan("h5", "difference", "y", ("way",), items="item", **common)],
    }
    shutil.copytree(
        Path(again.__file__).parent,
        tmp_path / "study_statistics",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for name, table in (("one", frame), ("several", again_and_again)):
        (tmp_path / "plan.json").write_text(again.plan_text(plans[name], seed=1, correction="holm"))
        table.to_csv(tmp_path / "raw_data.csv", index=False)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "study_statistics", "raw_data.csv", "plan.json"],
            cwd=tmp_path, text=True, capture_output=True, timeout=120, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        theirs, (ours, cannot) = json.loads(done.stdout)["tests"], analysed(plans[name], table)
        assert not cannot and [(item["statistic"], item["p"]) for item in theirs] == [
            (pytest.approx(item.statistic, rel=1e-9), pytest.approx(item.p, rel=1e-6)) for item in ours
        ]
