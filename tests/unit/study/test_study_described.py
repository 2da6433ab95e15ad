"""Beside every test: the difference of means, standardised coefficients, influence, descriptives and correlations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tasks.study.results_file import apa_text, results_of
from tasks.study.statistics import Plan, analysed
from tasks.study.statistics.measures.describing import correlations, descriptives
from tasks.study.wording.tables import written_tables

pytestmark = pytest.mark.unit
KINDS = {"way": "nominal", "y": "ratio", "x": "ratio", "z": "ratio"}


def people(n: int = 40, seed: int = 1) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({"way": ["a"] * (n // 2) + ["b"] * (n - n // 2), "x": draw.normal(size=n)})
    frame["z"] = draw.normal(size=n) + frame["x"]
    frame["y"] = 2 * frame["x"] + (frame["way"] == "b") + draw.normal(size=n)
    return frame


def test_two_groups_have_the_difference_that_statsmodels_gives() -> None:
    frame = people()
    [found], _ = analysed([Plan("h1", "difference", "y", ("way",), KINDS)], frame)  # type: ignore[arg-type]
    a, b = (frame.loc[frame["way"] == name, "y"] for name in "ab")
    low, high = sm.stats.CompareMeans.from_data(a, b).tconfint_diff(
        usevar="pooled" if "Student" in found.test else "unequal"
    )
    assert found.difference is not None and found.difference.value == pytest.approx(a.mean() - b.mean())
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))
    results = results_of(frame.to_csv(index=False).encode(), [Plan("h1", "difference", "y", ("way",), KINDS)])  # type: ignore[arg-type]
    named = {item.name: item for item in results.values}
    assert (
        named["h1_difference"].text in results.tests[0].apa and "mean difference = " in results.tests[0].apa
    )


@given(st.integers(6, 60), st.floats(-3, 3), st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_a_one_sided_test_keeps_the_two_sided_interval_of_its_difference(
    n: int, shift: float, seed: int
) -> None:
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"participant": np.repeat(np.arange(n), 2), "way": ["a", "b"] * n, "y": draw.normal(size=2 * n)}
    )
    frame.loc[frame["way"] == "b", "y"] += shift
    plans = [
        Plan(
            "h1",
            "difference",
            "y",
            ("way",),
            KINDS,
            within=True,
            participant="participant",
            expected_higher=side,
        )  # type: ignore[arg-type]
        for side in ("", "a")
    ]
    (two,), (one,) = (analysed([plan], frame)[0] for plan in plans)
    if two.test == "paired t test":
        cells = frame.pivot(index="participant", columns="way", values="y")
        wanted = stats.ttest_rel(cells["a"], cells["b"]).confidence_interval()
        assert two.difference == one.difference and two.difference is not None
        assert (two.difference.low, two.difference.high) == pytest.approx((wanted.low, wanted.high))
    else:
        assert two.difference is None, "ranks have no mean difference"


def test_standardised_coefficients_are_those_of_standardised_variables() -> None:
    frame = people()
    [found], _ = analysed([Plan("h1", "prediction", "y", ("x", "z"), KINDS)], frame)  # type: ignore[arg-type]
    unit = (frame[["y", "x", "z"]] - frame[["y", "x", "z"]].mean()) / frame[["y", "x", "z"]].std()
    fit = sm.OLS(unit["y"], sm.add_constant(unit[["x", "z"]])).fit()
    assert found.standardised == pytest.approx({"x": fit.params["x"], "z": fit.params["z"]})


def test_a_row_that_decides_a_regression_is_told_with_what_is_found_without_it() -> None:
    frame = people(30)[["x", "y"]].assign(y=np.random.default_rng(7).normal(size=30))
    plan = Plan("h1", "prediction", "y", ("x",), KINDS)  # type: ignore[arg-type]
    [quiet], _ = analysed([plan], frame)
    [cook] = [item for item in quiet.assumptions if "Cook" in item.name]
    fit = sm.OLS(frame["y"], sm.add_constant(frame[["x"]])).fit()
    assert cook.holds and cook.statistic == pytest.approx(fit.get_influence().cooks_distance[0].max())
    assert not any("Cook" in words for words in quiet.warnings)
    frame.loc[0, ["x", "y"]] = [12.0, 40.0]
    [loud], _ = analysed([plan], frame)
    [told] = [words for words in loud.warnings if "Cook" in words]
    [less], _ = analysed([plan], frame.drop(index=0))
    assert loud.p < 0.001 and f"without it p = {less.p:.3f}".replace("= 0.", "= .") in told
    focus = Plan("h1", "prediction", "y", ("x",), KINDS, focus="x")  # type: ignore[arg-type]
    assert any("Cook" in words for words in analysed([focus], frame)[0][0].warnings)


def test_descriptives_and_correlations_are_what_pandas_gives_and_count_people() -> None:
    frame = people().assign(participant=[f"p{n // 2}" for n in range(40)], condition=["on", "off"] * 20)
    frame.loc[3, "y"] = np.nan
    plans = [Plan("h1", "prediction", "y", ("x", "z", "way"), KINDS)]  # type: ignore[arg-type]
    found = {(item.variable, item.condition): item for item in descriptives(plans, frame)}
    rows = frame[frame["condition"] == "off"]["y"]
    off = found["y", "off"]
    assert (
        (off.n, off.missing) == (19, 1)
        and off.mean == pytest.approx(rows.mean())
        and off.sd == pytest.approx(rows.std())
    )
    assert found["way", "on"].counts == frame[frame["condition"] == "on"]["way"].value_counts().to_dict()
    means = frame.groupby("participant")[["y", "x", "z"]].mean()
    for item in correlations(plans, frame):
        assert item.n == 20 and item.r == pytest.approx(means[item.first].corr(means[item.second]))
    results = results_of(frame.to_csv(index=False).encode(), plans)
    text = written_tables(results)
    assert (
        "| y | off | 19 | 1 |" in text
        and "| z | " in text
        and text in apa_text(results).replace("## ", "### ")
    )


@given(
    st.lists(st.one_of(st.floats(-1e6, 1e6), st.none()), min_size=4, max_size=20),
    st.lists(st.sampled_from(["a", "a|b", "*", "# c"]), min_size=4, max_size=20),
)
@settings(max_examples=60, deadline=None)
def test_whatever_the_cells_are_the_tables_hold(values: list[float | None], levels: list[str]) -> None:
    n = min(len(values), len(levels))
    frame = pd.DataFrame({"y": values[:n], "x": range(n), "condition": levels[:n]}).astype({"y": float})
    plans = [
        Plan("h1", "association", "y", ("x",), KINDS),
        Plan("h2", "difference", "y", ("condition",), {**KINDS, "condition": "nominal"}),
    ]  # type: ignore[arg-type]
    for item in descriptives(plans, frame):
        assert item.n + item.missing <= n and (item.mean is None) == (item.n == 0)
    for pair in correlations(plans, frame):
        assert pair.r is None or -1 <= pair.r <= 1
