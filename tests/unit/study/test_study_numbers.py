"""Power, corrections, Bayes factors, agreement and text of results, against published values."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from schemas.errors import InputError
from schemas.study.design import Variable, Variables
from schemas.study.results import Agreement, Results
from schemas.study.scope import Hypothesis
from tasks.study.results_file import apa_text, plans_of, results_of
from tasks.study.statistics import Effect, Tested, agreement, apa, bayes, power
from tasks.study.statistics import __main__ as again
from tasks.study.statistics.corrections import adjusted

pytestmark = pytest.mark.unit


def test_repeated_measures_need_what_gpower_says_and_have_the_power_that_simulated_studies_show() -> None:
    assert (
        power.sample_size("f", 0.25, groups=3, within=True).needed == 28
    )  # G*Power 3.1: one group, correlation 0.5
    assert power.sample_size("f", 0.25, groups=4, within=True).needed == 24
    assert power.sample_size("f", 0.25, groups=3, within=True, conditions=3).needed == 30, (
        "whole sets of orders"
    )
    draw, n, times = np.random.default_rng(3), 28, 2000
    means = np.array([-1.0, 0.0, 1.0]) * 0.25 * np.sqrt(1.5)  # their root mean square is 0.25
    cells = means + np.sqrt(0.5) * (
        draw.normal(size=(times, n, 1)) + draw.normal(size=(times, n, 3))
    )  # correlation 0.5
    levels, people = cells.mean(1, keepdims=True), cells.mean(2, keepdims=True)
    total = cells.mean((1, 2), keepdims=True)
    f = (
        n
        * ((levels - total) ** 2).sum((1, 2))
        / 2
        / (((cells - levels - people + total) ** 2).sum((1, 2)) / (2 * (n - 1)))
    )
    found = power.power_of("f", 0.25, n, groups=3, within=True)
    assert np.mean(f > stats.f.ppf(0.95, 2, 2 * (n - 1))) == pytest.approx(found, abs=0.03)


@pytest.mark.parametrize(
    ("measure", "size", "more", "needed"),
    [
        ("d", 0.5, {}, 128),
        ("d", 0.2, {}, 788),
        ("d", 0.8, {}, 52),
        ("d", 0.5, {"power": 0.95}, 210),  # Cohen (1992), G*Power
        ("d", 0.5, {"two_sided": False}, 102),
        ("dz", 0.5, {}, 34),
        ("dz", 0.2, {}, 199),
        ("f", 0.25, {"groups": 3}, 159),
        ("f", 0.25, {"groups": 4}, 180),
        ("w", 0.3, {}, 88),
        ("w", 0.3, {"df": 2}, 108),
        ("r", 0.3, {}, 85),
    ],
)
def test_sample_sizes_are_the_published_ones(
    measure: power.Measure, size: float, more: dict[str, float], needed: int
) -> None:
    found = power.sample_size(measure, size, **more)  # type: ignore[arg-type]
    assert found.needed == needed and found.power_with_taken >= more.get("power", 0.8)
    assert found.detectable == pytest.approx(size, rel=0.03) and f"{measure}={size:g}" in found.method


def test_too_few_participants_are_told_what_they_can_show() -> None:
    found = power.sample_size("dz", 0.5, taken=8, conditions=2)
    assert (
        found.needed == 34
        and found.power_with_taken == pytest.approx(0.2319, abs=2e-3)
        and found.detectable > 1.1
    )  # type: ignore[operator]
    assert power.sample_size("dz", 0.5, conditions=3).needed == 36, "a multiple of the orders"
    with pytest.raises(ValueError, match="more than 1000000"):
        power.sample_size("d", 0.0001)


def test_corrections_are_statsmodels() -> None:
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(1).random(12) ** 3
    for ours, theirs in (("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")):
        assert adjusted(p.tolist(), ours) == pytest.approx(multipletests(p, method=theirs)[1].tolist())  # type: ignore[arg-type]
    assert adjusted([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx(
        [0.05, 0.08, 0.09, 0.09, 0.09]
    )  # R: p.adjust
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjusted([0.2, 1.2])


def test_bayes_factors_are_the_published_ones() -> None:
    assert 1 / bayes.jzs_t(2.03, 80, scale=1).bf10 == pytest.approx(1.56, abs=0.005)  # type: ignore[operator]  # Rouder (2009), p. 232
    assert bayes.jzs_t(3.5, 20, 20).bf10 == pytest.approx(26.743, abs=1e-3)  # pingouin's documentation
    assert bayes.jzs_t(3.5, 20).bf10 == pytest.approx(17.185, abs=1e-3)
    assert bayes.jzs_correlation(0.6, 20).bf10 == pytest.approx(8.221, abs=1e-3)
    both = [bayes.jzs_t(1.2, 15, 15, side).bf10 for side in ("greater", "less", "two-sided")]
    assert (both[0] + both[1]) / 2 == pytest.approx(both[2]) and both[0] > both[1]  # type: ignore[operator]
    assert (
        bayes.unavailable("rank tests").bf10 is None
        and "not available" in bayes.unavailable("rank tests").method
    )


def test_bic_factors_are_those_of_fitted_models() -> None:
    import pandas as pd
    import statsmodels.api as sm

    draw = np.random.default_rng(8)
    group = np.repeat([0, 1, 2], 20)
    y = draw.normal(0, 1, 60) + 0.4 * group
    design = pd.get_dummies(group, dtype=float)
    full, null = sm.OLS(y, design).fit(), sm.OLS(y, np.ones(60)).fit()
    from scipy import stats

    f = stats.f_oneway(*[y[group == k] for k in range(3)]).statistic
    assert bayes.bic_anova(f, 2, 57, 60).bf10 == pytest.approx(np.exp((null.bic - full.bic) / 2))


KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_is_krippendorffs_own_example(level: agreement.Level, alpha: float) -> None:
    assert agreement.krippendorff_alpha(KRIPPENDORFF, level) == pytest.approx(alpha, abs=5e-4)


def test_kappa_of_two_and_of_many_coders() -> None:
    from statsmodels.stats.inter_rater import cohens_kappa

    draw = np.random.default_rng(9)
    one, other = draw.integers(0, 3, 80), draw.integers(0, 3, 80)
    other[:50] = one[:50]
    table = np.zeros((3, 3))
    np.add.at(table, (one, other), 1)
    theirs = cohens_kappa(table)
    ours = agreement.cohens_kappa(one.tolist(), other.tolist())
    assert (ours.value, ours.low, ours.high) == pytest.approx(
        (theirs.kappa, theirs.kappa_low, theirs.kappa_upp)
    )
    assert ours.method == "normal approximation", "nothing was cut"
    fleiss = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    assert agreement.fleiss_kappa(fleiss) == pytest.approx(0.210, abs=5e-4)  # Fleiss (1971)
    for bad in (
        lambda: agreement.cohens_kappa(["a"] * 3, ["a"] * 3),
        lambda: agreement.cohens_kappa(["a"], []),
        lambda: agreement.krippendorff_alpha([["a", "a"], ["a", "a"]]),
        lambda: agreement.fleiss_kappa([[2, 0], [1, 0]]),
    ):
        with pytest.raises(ValueError):
            bad()


def test_text_is_as_the_manual_writes_it() -> None:
    found = Tested(
        id="h1",
        test="Student's t test",
        because="",
        outcome="y",
        predictors=("g",),
        n=40,
        statistic_name="t",
        statistic=2.3149,
        df=(38.0,),
        p=0.02617,
        effect=Effect("d", 0.732, 0.0851, 1.3702),
    )
    assert (
        apa.sentence(found) == "Student's t test: *t*(38) = 2.31, *p* = .026, *d* = 0.73, 95% CI [0.09, 1.37]"
    )
    assert [apa.p_value(p) for p in (0.00099, 0.001, 0.05, 0.5, 0.9999)] == [
        "*p* < .001",
        "*p* = .001",
        "*p* = .050",
        "*p* = .500",
        "*p* > .999",
    ]
    assert [apa.number(-0.001), apa.number(-0.5, bounded=True), apa.number(1.0, bounded=True)] == [
        "0.00",
        "−.50",
        "1.00",
    ]
    assert apa.effect_text(Effect("V", 0.1044, 0.06, 0.14)) == "Cramér's *V* = .10, 95% CI [.06, .14]"


VARIABLES = Variables(
    variables=(
        Variable(
            name="condition",
            role="independent",
            kind="nominal",
            definition="c",
            levels=("voice", "touch"),
            within=True,
        ),
        Variable(name="ease", role="dependent", kind="interval", definition="e"),
        Variable(name="age", role="control", kind="ratio", definition="a"),
    )
)
H1 = Hypothesis(
    id="h1", statement="Voice is easier.", relation="difference", outcome="ease", predictors=("condition",)
)
DATA = b"participant,condition,ease,age\n" + b"".join(
    f"p{i},{c},{4 + (c == 'voice') + ((i * 7 + (c == 'voice') * 3) % 5) / 4},{20 + i}\n".encode()
    for i in range(20)
    for c in ("voice", "touch")
)


def results(framework: str = "both") -> Results:
    plans = plans_of((H1,), VARIABLES, ["participant", "condition", "ease", "age"])
    return results_of(
        DATA,
        plans,
        framework=framework,
        agreement=(  # type: ignore[arg-type]
            Agreement(measure="krippendorff_alpha", value=0.81, units=20, coders=3),
        ),
    )


def test_every_number_of_the_results_has_a_name() -> None:
    found = results()
    names = {item.name: item.text for item in found.values}
    assert {
        "h1_apa",
        "h1_p",
        "h1_bf10",
        "h1_effect",
        "h1_at_voice_mean",
        "h1_at_touch_sd",
        "n_participants",
    } <= set(names)
    assert names["n_participants"] == "20" and names["krippendorff_alpha_1"] == ".81"
    assert found.tests[0].n == 20 and found.tests[0].p is not None and names["h1_apa"] in apa_text(found)
    assert Results.model_validate_json(found.model_dump_json()) == found
    silent = results("bayesian")  # differences that are not normal have ranks, and no Bayes factor
    assert not silent.tests and "no Bayes factor" in silent.not_tested[0].because
    assert results("frequentist").tests[0].bayes is None


def test_a_hypothesis_without_its_column_is_refused() -> None:
    with pytest.raises(InputError, match="no column for the hypothesis h1"):
        plans_of((H1,), VARIABLES, ["participant", "ease"])
    with pytest.raises(InputError, match="not declared"):
        plans_of((H1.model_copy(update={"outcome": "speed"}),), VARIABLES, ["speed", "condition"])


def test_the_shipped_code_gives_the_same_numbers_without_us(tmp_path: Path) -> None:
    plans = plans_of((H1,), VARIABLES, ["participant", "condition", "ease", "age"])
    shutil.copytree(
        Path(again.__file__).parent,
        tmp_path / "study_statistics",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "plan.json").write_text(again.plan_text(plans, seed=1, correction="holm"))
    (tmp_path / "raw_data.csv").write_bytes(DATA)
    command = [sys.executable, "-P", "-m", "study_statistics", "raw_data.csv", "plan.json"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        text=True,
        capture_output=True,
        timeout=120,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    [theirs], ours = json.loads(done.stdout)["tests"], results().tests[0]
    assert (theirs["statistic"], theirs["p"]) == (ours.statistic, ours.p)
    assert ours.effect is not None and theirs["effect"]["low"] == ours.effect.low
