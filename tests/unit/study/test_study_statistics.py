"""Tests of hypotheses against published examples and independent computations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tasks.study.statistics import NotTestable, Plan, Tested, analysed
from tasks.study.statistics.assumptions import sphericity
from tasks.study.statistics.intervals import (
    cohens_d,
    cohens_dz,
    correlation,
    cramers_v,
    eta_squared,
    odds_ratio,
)

pytestmark = pytest.mark.unit
SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)
PLANTS = {
    "ctrl": [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
    "trt1": [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
    "trt2": [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
}
ROUNDING = np.array(
    [  # Hollander and Wolfe (1973), p. 140
        5.40,
        5.50,
        5.55,
        5.85,
        5.70,
        5.75,
        5.20,
        5.60,
        5.50,
        5.55,
        5.50,
        5.40,
        5.90,
        5.85,
        5.70,
        5.45,
        5.55,
        5.60,
        5.40,
        5.40,
        5.35,
        5.45,
        5.50,
        5.35,
        5.25,
        5.15,
        5.00,
        5.85,
        5.80,
        5.70,
        5.25,
        5.20,
        5.10,
        5.65,
        5.55,
        5.45,
        5.60,
        5.35,
        5.45,
        5.05,
        5.00,
        4.95,
        5.50,
        5.50,
        5.40,
        5.45,
        5.55,
        5.50,
        5.55,
        5.55,
        5.35,
        5.45,
        5.50,
        5.55,
        5.50,
        5.45,
        5.25,
        5.65,
        5.60,
        5.40,
        5.70,
        5.65,
        5.55,
        6.30,
        6.30,
        6.25,
    ]
).reshape(22, 3)


def long(groups: dict[str, list[float]], *, within: bool = False) -> pd.DataFrame:
    rows = [
        {"participant": f"p{place}" if within else f"{name}{place}", "group": name, "y": value}
        for name, values in groups.items()
        for place, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


def only(plan: Plan, frame: pd.DataFrame) -> Tested:
    """The one test. Raises NotTestable."""
    found, cannot = analysed([plan], frame)
    if cannot:
        raise NotTestable(cannot[plan.id])
    return found[0]


def outcome(
    frame: pd.DataFrame,
    kind: str = "interval",
    *,
    within: bool = False,
    expected_higher: str = "",
    **more: object,
) -> Tested:
    plan = Plan(
        "h1",
        "difference",
        "y",
        ("group",),
        {"y": kind, "group": "nominal"},
        within=within,  # type: ignore[dict-item,arg-type]
        participant="participant",
        expected_higher=expected_higher,
        **more,
    )  # type: ignore[arg-type]
    return only(plan, frame)


def test_two_groups_students_sleep() -> None:
    found = outcome(long({"one": SLEEP[0], "two": SLEEP[1]}))
    assert found.test == "Student's t test" and found.n == 20
    assert (found.statistic, found.df, found.p) == (
        pytest.approx(-1.8608, abs=1e-4),
        (18,),
        pytest.approx(0.07919, abs=1e-5),
    )
    same = stats.ttest_ind(*SLEEP).confidence_interval()
    assert found.effect is not None and found.effect.low < found.effect.value < found.effect.high
    assert (found.effect.high > 0) == (same.high > 0), "both intervals hold no difference"


def test_unequal_variances_take_welch() -> None:
    draw = np.random.default_rng(3)
    groups = {"a": draw.normal(0, 1, 40).tolist(), "b": draw.normal(0.5, 5, 40).tolist()}
    found, expected = outcome(long(groups)), stats.ttest_ind(groups["a"], groups["b"], equal_var=False)
    assert found.test == "Welch's t test" and (found.statistic, found.p) == pytest.approx(
        (expected.statistic, expected.pvalue)
    )
    assert found.df[0] == pytest.approx(expected.df) and found.bayes is not None and found.bayes.bf10 is None


def test_pairs_students_sleep() -> None:
    found = outcome(long({"one": SLEEP[0], "two": SLEEP[1]}, within=True), "ratio", within=True)
    assert found.test == "Wilcoxon signed-rank test", (
        "the differences of this sample are not normal (Shapiro: p = .03)"
    )
    draw = np.random.default_rng(5)
    a = draw.normal(5, 1, 25)
    b = a + draw.normal(0.5, 1, 25)
    found, expected = (
        outcome(long({"a": a.tolist(), "b": b.tolist()}, within=True), within=True),
        stats.ttest_rel(a, b),
    )
    assert found.test == "paired t test"
    assert (found.statistic, found.p, found.df) == (
        pytest.approx(expected.statistic),
        pytest.approx(expected.pvalue),
        (24,),
    )


def test_pairs_that_are_not_normal_hollander_and_wolfe() -> None:
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    frame = long({"before": before, "after": after}, within=True)
    found = outcome(frame, "ordinal", within=True, expected_higher="before", levels=("before", "after"))
    assert (found.statistic, found.p) == (5, pytest.approx(0.01953, abs=1e-5)), (
        "V = 40, so the other sum is 5"
    )
    assert found.effect is not None and found.effect.value == pytest.approx((40 - 5) / 45)


def test_three_groups_plant_growth() -> None:
    found = outcome(long(PLANTS))
    assert found.test == "one-way analysis of variance"
    assert (found.statistic, found.df, found.p) == (
        pytest.approx(4.8461, abs=1e-4),
        (2, 27),
        pytest.approx(0.01591, abs=1e-5),
    )
    assert found.effect is not None and found.effect.value == pytest.approx(
        3.76634 / (3.76634 + 10.49209), abs=1e-5
    )
    ranks = outcome(long(PLANTS), "ordinal")
    assert (ranks.statistic, ranks.p) == (pytest.approx(7.9882, abs=1e-4), pytest.approx(0.01842, abs=1e-5))


def test_welchs_analysis_of_variance_plant_growth() -> None:
    from tasks.study.statistics.independent import welch

    assert welch([np.array(item) for item in PLANTS.values()]) == pytest.approx((5.181, 2, 17.128), abs=1e-3)


def test_two_groups_of_ranks() -> None:
    a, b = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.90, 0.74, 1.21]
    found = outcome(
        long({"a": a, "b": b}), "ordinal", expected_higher="a"
    )  # Hollander and Wolfe (1973), p. 69
    assert (found.statistic, found.p) == (35, pytest.approx(0.1272, abs=1e-4))
    assert found.effect is not None and found.effect.value == pytest.approx(2 * 35 / 50 - 1)


def test_repeated_ranks_rounding_times() -> None:
    groups = {name: ROUNDING[:, place].tolist() for place, name in enumerate(("out", "narrow", "wide"))}
    found = outcome(long(groups, within=True), "ordinal", within=True)
    assert (found.statistic, found.p) == (pytest.approx(11.143, abs=1e-3), pytest.approx(0.003805, abs=1e-6))
    assert found.effect is not None and found.effect.value == pytest.approx(11.143 / 44, abs=1e-4)


def test_repeated_measures_as_statsmodels_and_greenhouse_geisser() -> None:
    from statsmodels.stats.anova import AnovaRM

    draw = np.random.default_rng(12)
    person = draw.normal(0, 1, (40, 1))
    even = person + draw.normal(0, 1, (40, 3)) + [0, 0.3, 0.5]
    frame = long({name: even[:, place].tolist() for place, name in enumerate("abc")}, within=True)
    found, table = (
        outcome(frame, within=True),
        AnovaRM(frame, "y", "participant", within=["group"]).fit().anova_table,
    )
    assert found.test == "repeated-measures analysis of variance" and found.df == (2, 78)
    assert (found.statistic, found.p) == pytest.approx((table["F Value"].iloc[0], table["Pr > F"].iloc[0]))
    uneven = person + draw.normal(0, 1, (40, 3)) * [0.2, 0.2, 4]
    corrected = outcome(
        long({name: uneven[:, place].tolist() for place, name in enumerate("abc")}, within=True), within=True
    )
    assert "Greenhouse-Geisser" in corrected.test and 1 <= corrected.df[0] < 1.5, (
        "epsilon is near its least, 1/2"
    )


def test_sphericity_rejects_as_often_as_it_says() -> None:
    draw = np.random.default_rng(2)
    p = [sphericity(draw.normal(0, 1, (12, 4)))[0].p for _ in range(400)]
    assert 0.025 < np.mean(np.array(p) < 0.05) < 0.085 and 0.45 < np.mean(p) < 0.55


def rows(table: list[list[int]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"group": f"g{i}", "y": f"v{j}"}
            for i, line in enumerate(table)
            for j, count in enumerate(line)
            for _ in range(count)
        ]
    )


def test_counts_party_by_gender() -> None:
    found = outcome(rows([[762, 327, 468], [484, 239, 477]]), "nominal")  # Agresti (2007), p. 39
    assert found.test == "Pearson's chi-squared test" and found.df == (2,)
    assert (found.statistic, found.p) == (pytest.approx(30.07, abs=5e-3), pytest.approx(2.954e-07, rel=1e-3))
    assert found.effect is not None and found.effect.value == pytest.approx((30.0701 / 2757) ** 0.5, abs=1e-4)


def test_small_counts_are_tested_exactly() -> None:
    tea = outcome(rows([[3, 1], [1, 3]]), "nominal", expected_higher="g1")  # Fisher's lady tasting tea
    assert tea.test == "Fisher's exact test" and tea.p == pytest.approx(0.2429, abs=1e-4)
    larger = outcome(rows([[3, 0, 1], [0, 4, 1], [1, 1, 3]]), "nominal")
    exact = stats.fisher_exact([[3, 0, 1], [0, 4, 1], [1, 1, 3]]).pvalue
    assert "permutation" in larger.test and larger.p == pytest.approx(exact, abs=0.05)
    assert larger.p == outcome(rows([[3, 0, 1], [0, 4, 1], [1, 1, 3]]), "nominal").p, (
        "the same seed, the same number"
    )


def test_yes_or_no_within_participants() -> None:
    from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
    from statsmodels.stats.multitest import multipletests

    draw = np.random.default_rng(4)
    answers = (draw.random((60, 3)) < [0.3, 0.5, 0.6]).astype(int)
    pair = outcome(
        long({"a": answers[:, 0].tolist(), "b": answers[:, 1].tolist()}, within=True), "nominal", within=True
    )
    table = pd.crosstab(answers[:, 0], answers[:, 1])
    assert pair.test == "McNemar's exact test" and pair.p == pytest.approx(mcnemar(table, exact=True).pvalue)
    frame = long({name: answers[:, place].tolist() for place, name in enumerate("abc")}, within=True)
    three = outcome(frame, "nominal", within=True)
    expected = cochrans_q(answers)
    assert (three.statistic, three.p) == pytest.approx((expected.statistic, expected.pvalue))
    single = [
        mcnemar(pd.crosstab(answers[:, a], answers[:, b]), exact=True).pvalue
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    assert [(found.first, found.second) for found in three.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [found.p for found in three.pairs] == pytest.approx(single)
    assert [found.p_adjusted for found in three.pairs] == pytest.approx(
        multipletests(single, method="holm")[1]
    )
    alike = outcome(
        long(
            {name: answers[:, place].tolist() for name, place in (("a", 0), ("b", 1), ("c", 0))}, within=True
        ),
        "nominal",
        within=True,
    )
    assert alike.pairs[1].p is None and "answered differently" in alike.pairs[1].cannot


def test_correlations() -> None:
    draw = np.random.default_rng(6)
    x = draw.normal(0, 1, 50)
    frame = pd.DataFrame(
        {"x": x, "y": 0.5 * x + draw.normal(0, 1, 50), "z": np.exp(3 * draw.normal(0, 1, 50))}
    )
    plans = [
        Plan("h1", "association", "y", ("x",), {"x": "interval", "y": "ratio"}),
        Plan("h2", "association", "z", ("x",), {"x": "interval", "z": "ratio"}),
        Plan("h3", "association", "y", ("x",), {"x": "ordinal", "y": "ratio"}),
    ]
    found, _ = analysed(plans, frame)
    assert [item.test.split()[0] for item in found] == ["Pearson's", "Spearman's", "Spearman's"]
    expected = stats.pearsonr(frame["x"], frame["y"])
    ends = expected.confidence_interval()
    assert (found[0].statistic, found[0].p) == pytest.approx((expected.statistic, expected.pvalue))
    assert found[0].effect is not None and (found[0].effect.low, found[0].effect.high) == pytest.approx(
        (ends.low, ends.high)
    )
    assert [item.p_adjusted for item in found] == pytest.approx(
        pd.Series([item.p for item in found])
        .pipe(
            lambda p: __import__("statsmodels.stats.multitest", fromlist=["x"]).multipletests(
                p, method="holm"
            )[1]
        )
        .tolist()
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_intervals_hold_the_truth_as_often_as_they_say(seed: int) -> None:
    """Coverage of 95 % intervals by simulation: an independent check of every noncentral distribution."""
    draw, times = np.random.default_rng(seed), 150
    hits = {"d": 0, "dz": 0, "eta2": 0, "V": 0, "OR": 0, "r": 0}
    for _ in range(times):
        a, b, c = draw.normal(0.6, 1, 30), draw.normal(0, 1, 30), draw.normal(0, 1, 30)
        effects = {"d": (cohens_d(a, b), 0.6), "dz": (cohens_dz(a), 0.6)}
        f = stats.f_oneway(a, b, c).statistic
        effects["eta2"] = (eta_squared(f, 2, 87, 90), 0.08 / 1.08)  # variance of means 0.08, within 1
        cells = draw.multinomial(400, np.array([0.3, 0.2, 0.2, 0.3])).reshape(2, 2)
        effects["V"] = (cramers_v(stats.chi2_contingency(cells, correction=False)[0], 400, (2, 2)), 0.2)
        effects["OR"] = (odds_ratio(cells), 0.09 / 0.04)
        x = draw.normal(0, 1, 50)
        effects["r"] = (
            correlation(float(np.corrcoef(x, 0.5 * x + np.sqrt(0.75) * draw.normal(0, 1, 50))[0, 1]), 50),
            0.5,
        )
        for name, (effect, truth) in effects.items():
            hits[name] += effect.low <= truth <= effect.high  # type: ignore[operator]
    assert all(0.89 <= count / times <= 0.995 for count in hits.values()), hits


@pytest.mark.parametrize(
    ("frame", "more", "said"),
    [
        (long({"a": [1, 2]}), {}, "at least two are compared"),
        (long({"a": [1, 2], "b": [1, 2, 3]}), {}, "a has 2 values"),
        (long({"a": [1, 2, 3], "b": [2, 3, 4]}, within=True), {}, "not independent"),
        (
            long({"a": [1, 2, 3], "b": [2, 3, 4]}),
            {"within": True},
            "0 participants have a value in every level",
        ),
        (long({"a": [1, 2, float("inf")], "b": [2, 3, 4]}), {}, "infinite"),
        (long({"a": [1, 2, "many"], "b": [2, 3, 4]}), {}, "text where numbers are needed: 'many'"),  # type: ignore[list-item]
        (long({"a": [1, 2, 3], "b": [2, 3, 4]}), {"levels": ("a", "c")}, "which the plan does not name"),
        (long({"a": [1, 2, 3], "b": [2, 3, 4]}).drop(columns="y"), {}, "no column 'y'"),
    ],
)
def test_what_cannot_be_tested_is_refused_with_the_reason(
    frame: pd.DataFrame, more: dict[str, object], said: str
) -> None:
    with pytest.raises(NotTestable, match=said):
        outcome(frame, **more)  # type: ignore[arg-type]


def test_values_that_do_not_vary_are_refused() -> None:
    for within in (False, True):
        for kind in ("interval", "ordinal"):
            for names in ("ab", "abc"):
                with pytest.raises(NotTestable, match="nothing to compare"):
                    outcome(long({name: [4, 4, 4, 4] for name in names}, within=within), kind, within=within)


def test_levels_are_named_as_they_are_written_even_beside_missing_values() -> None:
    frame = long({"0": [1, 2, 3, 5], "1": [4, 5, 6, 8]}).astype({"group": float})
    frame.loc[8] = ["x", np.nan, 3.0]
    found = outcome(frame, levels=("1", "0"))
    assert (
        [group["name"] for group in found.groups] == ["1", "0"]
        and found.statistic > 0
        and found.left_out == 1
    )  # type: ignore[operator]


def test_between_participants_each_counts_once_however_many_rows() -> None:
    draw = np.random.default_rng(3)
    rows = [
        {
            "p": f"p{i}",
            "age": 20 + i,
            "ease": float(draw.normal(i / 10, 1)),
            "home": "yn"[i % 2],
            "task": task,
        }
        for i in range(20)
        for task in ("a", "b")
    ]
    frame = pd.DataFrame(rows)
    kinds = {"age": "ratio", "ease": "interval", "home": "nominal", "task": "nominal"}
    plan = Plan("h1", "association", "ease", ("age",), kinds, participant="p")  # type: ignore[arg-type]
    means = frame.groupby("p", sort=False).agg({"ease": "mean", "age": "first"})
    found = only(plan, frame)
    assert found.n == 20 and found.statistic == pytest.approx(
        stats.pearsonr(means["age"], means["ease"]).statistic
    )
    assert found.warnings == ("ease was averaged over each participant's rows",)
    once = only(Plan("h2", "difference", "age", ("home",), kinds, participant="p"), frame)  # type: ignore[arg-type]
    assert once.n == 20 and "count once" in once.warnings[0]
    with pytest.raises(NotTestable, match="not independent"):
        only(Plan("h3", "difference", "ease", ("task",), kinds, participant="p"), frame)  # type: ignore[arg-type]


def test_pairs_after_analysis_of_variance_are_those_of_r() -> None:
    found = outcome(long(PLANTS))
    named = {(pair.first, pair.second): pair for pair in found.pairs}
    # R: pairwise.t.test(weight, group), Holm
    for names, p in {("ctrl", "trt1"): 0.194, ("ctrl", "trt2"): 0.175, ("trt1", "trt2"): 0.013}.items():
        assert named[names].p_adjusted == pytest.approx(p, abs=6e-4) and named[names].df == (27,)
        assert named[names].effect is not None and named[names].effect.low is not None


def test_pairs_follow_the_test_of_all_levels() -> None:
    ranks = outcome(long(PLANTS), "ordinal").pairs
    single = [stats.mannwhitneyu(PLANTS[item.first], PLANTS[item.second]).pvalue for item in ranks]
    assert [item.p for item in ranks] == pytest.approx(single)
    within = {name: ROUNDING[:, place].tolist() for place, name in enumerate("abc")}
    friedman = outcome(long(within, within=True), "ordinal", within=True).pairs
    assert [item.p for item in friedman] == pytest.approx(
        [stats.wilcoxon(within[i.first], within[i.second]).pvalue for i in friedman]
    )


def test_a_pair_without_variation_says_so() -> None:
    groups = {"a": [1.0] * 5, "b": [1.0] * 5, "c": [1.0, 2.0, 3.0, 4.0, 5.0]}
    first, *others = outcome(long(groups), "ordinal").pairs
    assert first.p is None and first.cannot == "cannot be tested: the values do not vary"
    assert all(item.p is not None and item.p_adjusted == pytest.approx(min(1, 3 * item.p)) for item in others)
