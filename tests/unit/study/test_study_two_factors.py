"""Two factors at once against published tables, R, statsmodels and sums of squares computed apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from schemas.study.scope import Hypothesis
from tasks.study.statistics import NotTestable, Plan, Tested, analysed
from tasks.study.statistics.contrasts import crossed, helmert, welch_james
from tasks.study.statistics.independent import welch
from tasks.study.statistics.twoway import permuted

pytestmark = pytest.mark.unit
TEETH = {
    ("OJ", "0.5"): [15.2, 21.5, 17.6, 9.7, 14.5, 10, 8.2, 9.4, 16.5, 9.7],
    ("OJ", "1"): [19.7, 23.3, 23.6, 26.4, 20, 25.2, 25.8, 21.2, 14.5, 27.3],
    ("OJ", "2"): [25.5, 26.4, 22.4, 24.5, 24.8, 30.9, 26.4, 27.3, 29.4, 23],
    ("VC", "0.5"): [4.2, 11.5, 7.3, 5.8, 6.4, 10, 11.2, 11.2, 5.2, 7],
    ("VC", "1"): [16.5, 16.5, 15.2, 17.3, 22.5, 17.3, 13.6, 14.5, 18.8, 15.5],
    ("VC", "2"): [23.6, 18.5, 33.9, 25.5, 26.4, 32.5, 26.7, 21.5, 23.3, 29.5],
}  # R: ToothGrowth


def table(cells: dict[tuple[str, str], Any]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"way": way, "place": place, "y": value}
            for (way, place), values in cells.items()
            for value in values
        ]
    )


def outcome(frame: pd.DataFrame, claim: str = "interaction", kind: str = "ratio", **more: Any) -> Tested:
    kinds = {"y": kind, "way": "nominal", "place": "nominal"}
    plan = Plan("h1", "difference", "y", ("way", "place"), kinds, claim=claim, **more)  # type: ignore[arg-type]
    found, cannot = analysed([plan], frame)
    if cannot:
        raise NotTestable(cannot[plan.id])
    return found[0]


def normal(random: np.random.Generator, n: int) -> np.ndarray:
    return random.normal(size=n)


def uneven(
    seed: int, draw: Callable[[np.random.Generator, int], np.ndarray] = normal
) -> dict[tuple[str, str], np.ndarray]:
    random = np.random.default_rng(seed)
    sizes = {("a", "x"): 8, ("a", "y"): 15, ("a", "z"): 11, ("b", "x"): 20, ("b", "y"): 9, ("b", "z"): 13}
    return {names: draw(random, n) + (names == ("b", "z")) for names, n in sizes.items()}


def test_tooth_growth_is_the_table_of_r() -> None:
    found = outcome(table(TEETH))
    assert (
        found.test == "two-way analysis of variance"
        and "Type III" in found.because
        and "equal cells" in found.because
    )
    way, place, both = found.effects
    assert [(item.statistic, item.df) for item in found.effects] == [
        (pytest.approx(15.572, abs=5e-4), (1, 54)),
        (pytest.approx(92.000, abs=5e-4), (2, 54)),
        (pytest.approx(4.107, abs=5e-4), (2, 54)),
    ]
    assert (way.p, both.p) == (
        pytest.approx(0.0002312, abs=5e-8),
        pytest.approx(0.02186, abs=5e-6),
    ) and place.p < 2.2e-16
    assert (found.statistic, found.p, found.claim) == (both.statistic, both.p, "way by place")
    assert (
        both.effect is not None
        and both.omega is not None
        and both.effect.low is not None
        and both.effect.high is not None
    )
    assert both.effect.value == pytest.approx(108.32 / (108.32 + 712.11), abs=1e-5)  # R: sums of squares
    assert both.omega.value == pytest.approx(
        (108.32 - 2 * 712.11 / 54) / (108.32 + (60 - 2) * 712.11 / 54), abs=1e-5
    )
    for limit, p in ((both.effect.low, 0.975), (both.effect.high, 0.025)):
        assert stats.ncf.cdf(4.107, 2, 54, 60 * limit / (1 - limit)) == pytest.approx(p, abs=1e-3)
    assert way.means == pytest.approx({"OJ": 20.66333, "VC": 16.96333}) and found.n == 60


def test_unequal_cells_are_type_iii_of_statsmodels_and_of_reduced_models() -> None:
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    frame = table(uneven(1))
    found = outcome(frame, "main_effect")
    theirs = anova_lm(ols("y ~ C(way, Sum) * C(place, Sum)", frame).fit(), typ=3).iloc[1:4]
    assert [item.statistic for item in found.effects] == pytest.approx(theirs["F"].tolist())
    assert [item.p for item in found.effects] == pytest.approx(theirs["PR(>F)"].tolist())
    assert "unequal cells" in found.because and (found.claim, found.statistic) == (
        "way",
        found.effects[0].statistic,
    )
    way = np.where(
        frame["way"] == "a", 1.0, -1.0
    )  # effects coded by hand: the sum of squares that dropping a column adds
    place = np.column_stack([(frame["place"] == name) * 1.0 - (frame["place"] == "z") for name in "xy"])
    full = np.column_stack([np.ones(len(frame)), way, place, place * way[:, None]])

    def rest(columns: list[int]) -> float:
        return float(np.linalg.lstsq(full[:, columns], frame["y"].to_numpy(), rcond=None)[1][0])

    error = rest([0, 1, 2, 3, 4, 5])
    for item, kept, df in zip(
        found.effects, ([0, 2, 3, 4, 5], [0, 1, 4, 5], [0, 1, 2, 3]), (1, 2, 2), strict=True
    ):
        assert item.statistic == pytest.approx((rest(kept) - error) / df / (error / 70)) and item.df == (
            df,
            70,
        )


def test_simple_effects_follow_a_significant_interaction_only() -> None:
    from statsmodels.stats.multitest import multipletests

    found = outcome(table(TEETH), "main_effect")
    error = sum(9 * np.var(values, ddof=1) for values in TEETH.values()) / 54
    assert [item.name for item in found.simple] == [
        "way at place 0.5",
        "way at place 1",
        "way at place 2",
        "place at way OJ",
        "place at way VC",
    ]
    for item, dose in zip(found.simple, ("0.5", "1", "2"), strict=False):
        a, b = TEETH["OJ", dose], TEETH["VC", dose]
        assert item.statistic == pytest.approx(
            (np.mean(a) - np.mean(b)) ** 2 / (error * 2 / 10)
        ) and item.df == (1, 54)
    means = [np.mean(TEETH["OJ", dose]) for dose in ("0.5", "1", "2")]
    assert found.simple[3].statistic == pytest.approx(10 * np.var(means, ddof=1) / error) and found.simple[
        3
    ].df == (2, 54)
    assert [item.p_adjusted for item in found.simple] == pytest.approx(
        multipletests([item.p for item in found.simple], method="holm")[1]
    )
    assert any("need not hold at each level" in text for text in found.warnings)
    none = outcome(table({names: values - (names == ("b", "z")) for names, values in uneven(1).items()}))
    assert none.p > 0.05 and none.simple == () and none.warnings == ()


def test_welch_james_of_one_factor_is_welchs_and_of_four_cells_is_satterthwaites() -> None:
    draw = np.random.default_rng(4)
    cells = [draw.normal(0, 1 + place, 8 + 3 * place) for place in range(4)]
    made = (
        [np.array([item.mean()]) for item in cells],
        [np.array([[item.var(ddof=1)]]) for item in cells],
        [len(item) for item in cells],
    )
    assert welch_james(helmert(4), *made) == pytest.approx(welch(cells))
    f, df1, df2 = welch_james(crossed(2, 2)[2], *made)
    share = np.array([item.var(ddof=1) / len(item) for item in cells])
    t = (cells[0].mean() - cells[1].mean() - cells[2].mean() + cells[3].mean()) / np.sqrt(share.sum())
    df = share.sum() ** 2 / sum(part**2 / (len(item) - 1) for part, item in zip(share, cells, strict=True))
    assert (df1, df2) == (1, pytest.approx(df)) and f == pytest.approx(t**2)


def test_variances_that_differ_take_welch_james() -> None:
    draw = np.random.default_rng(3)
    cells = {(way, place): draw.normal(0, 1 + 3 * (way == "b"), 20) for way in "ab" for place in "xy"}
    found = outcome(table(cells))
    assert (
        found.test == "two-way Welch-James test" and found.df[1] < 50 and "variances differ" in found.because
    )
    assert found.bayes is not None and found.bayes.bf10 is None
    assert found.effect is not None and found.effect.low is not None and "bootstrap" in found.effect.method


def test_residuals_that_are_not_normal_are_permuted() -> None:
    found = outcome(table(uneven(5, lambda own, n: own.lognormal(0, 1.2, n))))
    assert "permutation" in found.test and found.statistic_name == "Q" and found.assumptions[0].holds is False
    assert found.p == outcome(table(uneven(5, lambda own, n: own.lognormal(0, 1.2, n)))).p, (
        "the same seed, the same number"
    )
    draw = np.random.default_rng(8)
    a, b = draw.lognormal(0, 1, 12), draw.lognormal(0.6, 1, 12)
    value, p = permuted([a, b], helmert(2), 1)
    assert value == pytest.approx(stats.ttest_ind(a, b, equal_var=False).statistic ** 2)
    theirs = stats.permutation_test(
        (a, b),
        lambda x, y, axis: stats.ttest_ind(x, y, equal_var=False, axis=axis).statistic ** 2,
        vectorized=True,
        n_resamples=9999,
        alternative="greater",
        rng=np.random.default_rng(2),
    )
    assert p == pytest.approx(theirs.pvalue, abs=0.02)


def test_the_permutation_test_rejects_as_often_as_it_says_with_a_main_effect_and_unequal_variances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tasks.study.statistics import twoway

    monkeypatch.setattr(twoway, "PERMUTATIONS", 199)
    draw, hits, times = np.random.default_rng(6), 0, 300
    for seed in range(times):
        cells = [
            2 * (place // 2) + (1 + place % 2) * (draw.exponential(1, n) - 1)
            for place, n in enumerate((12, 12, 18, 18))
        ]
        hits += permuted(cells, crossed(2, 2)[2], seed)[1] <= 0.05
    assert 0.02 < hits / times < 0.09


def without(frame: pd.DataFrame, way: str, place: str, keep: int = 0) -> pd.DataFrame:
    there = (frame["way"] == way) & (frame["place"] == place)
    return frame[~there | (there & (there.cumsum() <= keep))]


@pytest.mark.parametrize(
    ("change", "more", "said"),
    [
        (lambda frame: without(frame, "VC", "1"), {}, "the cell VC, 1 is empty"),
        (lambda frame: without(frame, "VC", "1", 1), {}, "the cell VC, 1 has 1 value of y"),
        (lambda frame: frame.assign(y=4.5), {}, "the same value in all 60 rows"),
        (
            lambda frame: frame.assign(y=frame["way"].eq("OJ") + 1.1 * frame["place"].eq("1")),
            {},
            "do not vary within any cell",
        ),
        (lambda frame: frame.assign(y="many"), {}, "text where numbers are needed: 'many'"),
        (lambda frame: frame.assign(y=float("inf")), {}, "infinite"),
        (lambda frame: frame.assign(y=float("nan")), {}, "at least two are compared"),
        (lambda frame: frame.assign(place="1"), {}, "place has 1 levels"),
        (lambda frame: frame.assign(p="p1"), {"participant": "p"}, "more than once"),
        (lambda frame: frame, {"kind": "ordinal"}, "numeric outcome"),
        (lambda frame: frame, {"claim": ""}, "the claim is"),
        (lambda frame: frame, {"other_levels": ("0.5", "1")}, "place holds 2, which the plan does not name"),
        (lambda frame: frame.drop(columns="place"), {}, "no column 'place'"),
    ],
)
def test_what_two_factors_cannot_be_tested_with_is_refused_with_the_reason(
    change: Callable[[pd.DataFrame], pd.DataFrame], more: dict[str, Any], said: str
) -> None:
    with pytest.raises(NotTestable, match=said):
        outcome(change(table(TEETH)), **more)


def test_rows_with_missing_values_are_left_out_and_counted() -> None:
    frame = table(TEETH)
    frame.loc[[0, 25], "y"] = np.nan
    frame.loc[40, "place"] = None
    found = outcome(frame, other_levels=("0.5", "1", "2", "4"))
    assert (found.n, found.left_out) == (57, 3) and any("nobody in 4" in text for text in found.warnings)
    assert found.df == (2, 51) and [group["name"] for group in found.groups][:2] == ["OJ, 0.5", "OJ, 1"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"predictors": ("way", "place")}, "says its claim"),
        ({"predictors": ("way",), "claim": "interaction"}, "two predictors"),
        ({"predictors": ("way", "way"), "claim": "interaction"}, "named twice"),
        ({"predictors": ("way", "place", "age"), "claim": "interaction"}, "one predictor or two"),
        ({"predictors": ("way", "place"), "relation": "association"}, "one predictor;"),
        (
            {"predictors": ("way", "place"), "relation": "prediction", "claim": "main_effect"},
            "needs the relation difference",
        ),
    ],
)
def test_a_hypothesis_says_which_effect_of_two_factors_it_is_about(more: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Hypothesis(
            **{
                "id": "h1",
                "statement": "The ways differ by place.",
                "relation": "difference",
                "outcome": "y",
                **more,
            }
        )


def test_every_effect_has_a_name_and_text() -> None:
    from schemas.study.design import Variable, Variables
    from schemas.study.results import Results
    from tasks.study.results_file import apa_text, plans_of, results_of

    variables = Variables(
        variables=tuple(
            Variable(name=name, role="independent", kind=kind, definition="d", levels=levels)
            for name, kind, levels in (
                ("way", "nominal", ("VC", "OJ")),
                ("y", "ratio", ()),
                ("place", "nominal", ("0.5", "1", "2")),
            )
        )
    )
    claim = Hypothesis(
        id="h1",
        statement="The ways differ by place.",
        relation="difference",
        outcome="y",
        predictors=("way", "place"),
        claim="interaction",
    )
    [plan] = plans_of((claim,), variables, ("way", "place", "y"))
    assert (plan.levels, plan.other_levels, plan.claim) == (("VC", "OJ"), ("0.5", "1", "2"), "interaction")
    data = table(TEETH).to_csv(index=False).encode()
    found = results_of(data, [plan], framework="both")
    names = {item.name: item.text for item in found.values}
    assert names["h1_apa"].startswith(
        "Two-way analysis of variance, way by place: *F*(2, 54) = 4.11, *p* = .022, BF₁₀ = "
    )
    assert names["h1_factor_way"] == (
        "way: *F*(1, 54) = 15.57, *p* < .001, partial η² = .22, 95% CI [.05, .38], "
        "partial ω² = .20, 95% CI [.05, .38]"
    )
    assert {
        "h1_factor_way_by_place",
        "h1_omega_place",
        "h1_mean_way_oj",
        "h1_simple_way_at_place_0_5",
        "h1_at_vc_0_5_mean",
        "h1_p",
        "h1_effect",
    } <= set(names)
    assert "(Holm)" in names["h1_simple_place_at_way_oj"] and names["h1_factor_place"] in apa_text(found)
    assert Results.model_validate_json(found.model_dump_json()) == found
    silent = results_of(data, [plan], framework="bayesian")
    assert "*p*" not in apa_text(silent).split("- normality")[0] and silent.tests[0].simple[0].p is None
