"""Two factors of which one or both vary within participants, against a published table, statsmodels and simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tasks.study.results_file import apa_text, results_of
from tasks.study.statistics import NotTestable, Plan, Tested, analysed
from tasks.study.statistics.factorial import tables_of
from tasks.study.statistics.mixed import Repeated, across

pytestmark = pytest.mark.unit
GIRLS = (
    "21 20 21.5 23;21 21.5 24 25.5;20.5 24 24.5 26;23.5 24.5 25 26.5;21.5 23 22.5 23.5;20 21 21 22.5;21.5 22.5 23 25;23 23 23.5 24;"
    "20 21 22 21.5;16.5 19 19 19.5;24.5 25 28 28"
)
BOYS = (
    "26 25 29 31;21.5 22.5 23 26.5;23 22.5 24 27.5;25.5 27.5 26.5 27;20 23.5 22.5 26;24.5 25.5 27 28.5;22 22 24.5 26.5;"
    "24 21.5 24.5 25.5;23 20.5 31 26;27.5 28 31 31.5;23 23 23.5 25;21.5 23.5 24 28;17 24.5 26 29.5;22.5 25.5 25.5 26;"
    "23 24.5 26 30;22 21.5 23.5 25"
)  # Potthoff and Roy (1964), Biometrika 51, 313; R: nlme::Orthodont
KINDS = {"y": "ratio", "group": "nominal", "time": "nominal", "place": "nominal"}


def orthodont() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"who": f"{sex}{child}", "group": sex, "time": age, "y": float(value)}
            for sex, lines in (("girl", GIRLS), ("boy", BOYS))
            for child, line in enumerate(lines.split(";"))
            for age, value in zip(("8", "10", "12", "14"), line.split(), strict=True)
        ]
    )


def outcome(
    frame: pd.DataFrame,
    predictors: tuple[str, str] = ("group", "time"),
    claim: str = "interaction",
    **more: Any,
) -> Tested:
    plan = planned(predictors, claim, **more)
    found, cannot = analysed([plan], frame)
    if cannot:
        raise NotTestable(cannot[plan.id])
    return found[0]


def planned(predictors: tuple[str, str] = ("group", "time"), claim: str = "interaction", **more: Any) -> Plan:
    within = {"within": predictors[0] != "group", "other_within": predictors[1] != "group"}
    return Plan("h1", "difference", "y", predictors, KINDS, claim=claim, participant="who", **within, **more)  # type: ignore[arg-type]


def drawn(seed: int, sizes: tuple[int, ...] = (9, 14), shift: float = 0.0, times: int = 3) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        [
            {
                "who": f"p{group}_{person}",
                "group": f"g{group}",
                "time": f"t{time}",
                "y": base + random.normal() + shift * group * time,
            }
            for group, size in enumerate(sizes)
            for person in range(size)
            for base in [random.normal()]
            for time in range(times)
        ]
    )


def test_potthoff_and_roys_children_are_the_table_that_sas_prints() -> None:
    groups, _, _ = tables_of(planned(), orthodont())
    parts = across(2, 4)
    design = Repeated(groups, dict(zip("abc", parts, strict=True)), 1)
    found = [design._anova(part) for part in parts]
    assert [(round(f, 2), df1, df2) for f, df1, df2, _ in found] == [
        (9.29, 1, 25),
        (35.35, 3, 75),
        (2.36, 3, 75),
    ]
    told = outcome(orthodont())  # one child's 20.5, 31, 26 is no normal residual
    assert told.test.startswith("mixed Wald-type permutation test") and told.n == 27
    assert all(item.effect is not None and item.effect.low is None for item in told.effects)
    assert (told.effects[0].means["boy"], told.effects[0].means["girl"]) == pytest.approx(
        (24.96875, 22.64773), abs=1e-5
    )


def test_a_split_plot_is_that_of_participants_means_and_of_statsmodels_within() -> None:
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    frame = drawn(4, (11, 11))
    found = outcome(frame)
    assert found.test == "mixed analysis of variance" and "variances of groups alike" in found.because
    means = frame.groupby(["who", "group"], as_index=False)["y"].mean()
    assert found.effects[0].statistic == pytest.approx(
        anova_lm(ols("y ~ C(group)", means).fit())["F"].iloc[0]
    )
    full = ols("y ~ C(who) + C(time) * C(group)", frame).fit()  # the groups lie within the participants
    less = ols("y ~ C(who) + C(time)", frame).fit()
    assert found.statistic == pytest.approx((less.ssr - full.ssr) / 2 / (full.ssr / full.df_resid))
    of_time = anova_lm(ols("y ~ C(who) + C(time)", frame).fit()).loc["C(time)", "mean_sq"]
    assert found.effects[1].statistic == pytest.approx(of_time / (full.ssr / full.df_resid)), "equal groups"
    assert (found.df, found.effects[0].df) == ((2, 40), (1, 20)) and found.claim == "group by time"
    for item in found.effects:
        effect = item.effect
        assert effect is not None and effect.low is not None and effect.high is not None
        assert effect.low <= effect.value <= effect.high


def test_groups_of_different_sizes_are_compared_by_unweighted_means() -> None:
    frame = drawn(5, (6, 15))
    found = outcome(frame, claim="main_effect")
    wide = frame.pivot(index="who", columns="time", values="y").assign(
        group=lambda table: [name[1] for name in table.index]
    )
    slopes = wide["t2"] - wide["t0"]
    at = [slopes[wide["group"] == name] for name in "01"]
    assert found.effects[1].means["t2"] - found.effects[1].means["t0"] == pytest.approx(
        np.mean([part.mean() for part in at])
    )
    swapped = outcome(frame, ("time", "group"), "main_effect")
    assert swapped.effects[0].statistic == pytest.approx(found.effects[1].statistic)
    assert swapped.effects[2].p == pytest.approx(found.effects[2].p)
    assert {item["name"]: item["mean"] for item in swapped.groups}["t1, g0"] == pytest.approx(
        {item["name"]: item["mean"] for item in found.groups}["g0, t1"]
    )


def test_two_factors_within_are_those_of_statsmodels() -> None:
    from statsmodels.stats.anova import AnovaRM

    random = np.random.default_rng(3)
    frame = pd.DataFrame(
        [
            {"who": person, "time": f"t{time}", "place": f"p{place}", "y": random.normal() + time * place / 2}
            for person in range(14)
            for time in range(3)
            for place in range(2)
        ]
    )
    found = outcome(frame, ("time", "place"))
    theirs = AnovaRM(frame, "y", "who", within=["time", "place"]).fit().anova_table
    assert found.test == "two-way repeated-measures analysis of variance"
    assert [item.statistic for item in found.effects] == pytest.approx(theirs["F Value"].tolist())
    assert [item.p for item in found.effects] == pytest.approx(theirs["Pr > F"].tolist())


def test_simple_effects_follow_an_interaction_and_the_package_tells_them() -> None:
    frame = drawn(6, (12, 12), shift=1.5)
    found = outcome(frame, claim="main_effect")
    assert [item.name for item in found.simple] == [
        "group at time t0", "group at time t1", "group at time t2", "time at group g0", "time at group g1",
    ]  # fmt: skip
    last = frame[frame["time"] == "t2"]
    from scipy import stats

    t = stats.ttest_ind(*[part["y"] for _, part in last.groupby("group")]).statistic
    assert found.simple[2].statistic == pytest.approx(t**2) and any(
        "interact" in text for text in found.warnings
    )
    results = results_of(frame.to_csv(index=False).encode(), [planned(claim="main_effect")])
    assert "time at group g1: *F*(2, 44) = " in apa_text(results)
    assert {"h1_factor_group", "h1_factor_group_by_time", "h1_simple_group_at_time_t2"} <= {
        item.name for item in results.values
    }


def test_variances_that_differ_have_the_welch_james_test() -> None:
    frame = drawn(8, (16, 16))
    frame.loc[frame["group"] == "g1", "y"] *= 4
    found = outcome(frame)
    assert found.test == "mixed Welch-James test" and "variances of groups differ" in found.because
    means = [
        part["y"].to_numpy()
        for _, part in frame.groupby(["who", "group"], as_index=False)["y"].mean().groupby("group")
    ]
    from scipy import stats

    welch = stats.ttest_ind(*means, equal_var=False)
    assert found.effects[0].statistic == pytest.approx(welch.statistic**2) and found.effects[
        0
    ].p == pytest.approx(welch.pvalue)


def test_the_level_is_kept_where_nothing_differs() -> None:
    random, p = np.random.default_rng(2), []
    for _ in range(400):
        groups = {
            name: random.normal(size=(n, 1)) + random.normal(size=(n, 3)) for name, n in (("a", 9), ("b", 15))
        }
        design = Repeated(groups, dict(zip("abc", across(2, 3), strict=True)), 1)
        if design.kind == "anova":
            p.append([design.effect(name, part).p for name, part in zip("abc", across(2, 3), strict=True)])
    share = (np.array(p, float) < 0.05).mean(0)
    assert len(p) > 300 and (share < 0.08).all() and (share > 0.025).all()


def test_the_permutation_test_keeps_its_level_for_skewed_values(monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks.study.statistics import mixed

    monkeypatch.setattr(mixed, "PERMUTATIONS", 199)
    random, p = np.random.default_rng(2), []
    for seed in range(150):
        groups = {
            name: np.exp(random.normal(size=(12, 1)) + random.normal(size=(12, 3))) for name in ("a", "b")
        }
        design = Repeated(groups, dict(zip("abc", across(2, 3), strict=True)), seed)
        p.append(design._permuted(np.kron(*across(2, 3)[2]))[1])
    assert (np.array(p) <= 0.05).mean() < 0.1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda frame: pd.concat([frame, frame.iloc[:1]]), "two rows of one cell"),
        (lambda frame: frame.assign(group=(["g0", "g1"] * len(frame))[: len(frame)]), "group varies within participants"),
        (lambda frame: frame[~((frame["group"] == "g1") & (frame["time"] == "t2"))], "0 participants of group g1"),
        (lambda frame: frame.assign(y=1.0), "no error to compare with"),
        (lambda frame: frame[frame["time"] == "t0"], "time has 1 levels"),
    ],
)  # fmt: skip
def test_what_cannot_be_tested_says_why(change: Any, why: str) -> None:
    with pytest.raises(NotTestable, match=why):
        outcome(change(drawn(1)))


def test_a_participant_with_a_missing_cell_is_left_out() -> None:
    frame = drawn(1)
    found = outcome(frame.drop(index=frame.index[4]))
    assert (found.n, found.left_out) == (22, 1)
