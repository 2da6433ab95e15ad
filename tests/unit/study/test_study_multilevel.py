"""Linear mixed models against lme4's and lmerTest's printed numbers, statsmodels, analysis of variance and simulation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.mixed_linear_model import MixedLM

from schemas.study.scope import Hypothesis
from tasks.study.statistics import NotTestable, Plan, Tested, analysed, apa
from tasks.study.statistics.mixed_model import Mixed, Term

pytestmark = pytest.mark.unit
DATA = json.loads((Path(__file__).with_name("published.json")).read_text())
SLEEP = pd.DataFrame(DATA["sleepstudy"])
PENICILLIN = pd.DataFrame(DATA["penicillin"])


def codes(values: Any) -> np.ndarray:
    found: np.ndarray = pd.factorize(pd.Series(values))[0]
    return found


def outcome(frame: pd.DataFrame, **more: Any) -> Tested:
    kinds = {"y": "ratio", "way": "nominal", "x": "ratio", "item": "nominal"}
    plan = Plan("h1", **{"relation": "difference", "outcome": "y", "predictors": ("way",), "kinds": kinds, "participant": "who",
                         "within": True, **more})  # fmt: skip
    found, cannot = analysed([plan], frame)
    if cannot:
        raise NotTestable(cannot["h1"])
    return found[0]


def crossed(
    seed: int, *, who: int = 16, items: int = 12, effect: float = 0.0, slopes: float = 0.0, apart: float = 0.5
) -> pd.DataFrame:
    """Each participant meets each item once, half of them each way, counterbalanced. slopes: how much the effect varies."""
    draw = np.random.default_rng(seed)
    person, thing = draw.normal(0, apart, who), draw.normal(0, apart, items)
    own, its = (
        draw.normal(0, slopes, who) if slopes else np.zeros(who),
        draw.normal(0, slopes, items) if slopes else np.zeros(items),
    )
    return pd.DataFrame(
        [
            {
                "who": f"p{p}",
                "item": f"i{i}",
                "way": "ab"[way := (p + i) % 2],
                "y": person[p] + thing[i] + (effect + own[p] + its[i]) * (way - 0.5) + draw.normal(),
            }
            for p in range(who)
            for i in range(items)
        ]
    )


@pytest.mark.parametrize(
    ("slopes", "deviations", "criterion", "errors", "df"),
    [  # lme4: (1 | Subject) and (Days | Subject), degrees of freedom by lmerTest
        (False, (37.124, 30.991), 1786.465, (9.7467, 0.8042), (22.81, 161.0)),
        (True, (24.741, 5.922, 25.592), 1743.628, (6.8246, 1.5458), (17.0, 17.0)),
    ],
)
def test_sleepstudy_is_as_lme4_and_lmertest_print_it(
    slopes: bool,
    deviations: tuple[float, ...],
    criterion: float,
    errors: tuple[float, ...],
    df: tuple[float, ...],
) -> None:
    days = SLEEP["days"].to_numpy(float)
    x = np.column_stack([np.ones(len(SLEEP)), days])
    fit = Mixed(
        SLEEP["reaction"].to_numpy(float),
        x,
        [Term("subject", codes(SLEEP["subject"]), days if slopes else None)],
    )
    assert fit.b == pytest.approx([251.405, 10.467], abs=5e-4)
    assert [*fit.deviations.values()] == pytest.approx(deviations, abs=6e-4)
    assert fit.criterion == pytest.approx(criterion, abs=6e-4) and not fit.zero
    for weights, error, its in zip(np.eye(2), errors, df, strict=True):
        (_, found, *_), own = fit.estimate(weights)
        assert found == pytest.approx(error, abs=6e-5) and own == pytest.approx(its, abs=6e-3)


def test_penicillin_has_plates_and_samples_crossed_as_lme4_prints_them() -> None:
    terms = [Term("plate", codes(PENICILLIN["plate"])), Term("sample", codes(PENICILLIN["sample"]))]
    fit = Mixed(PENICILLIN["diameter"].to_numpy(float), np.ones((len(PENICILLIN), 1)), terms)
    assert [*fit.deviations.values()] == pytest.approx([0.8467, 1.9316, 0.5499], abs=6e-5)
    assert fit.criterion == pytest.approx(330.861, abs=6e-4)
    assert fit.estimate(np.ones(1))[0][:2] == (
        pytest.approx(22.9722, abs=6e-5),
        pytest.approx(0.8086, abs=6e-5),
    )


def test_an_association_of_rows_of_participants_is_a_slope() -> None:
    found = outcome(SLEEP.rename(columns={"subject": "who", "reaction": "y", "days": "x"}), relation="association", predictors=("x",),
                    within=False)  # fmt: skip
    # lmerTest, contest1D: 6.771481, 16.99998, 7.205955 to 13.72862, p 3.263824e-06
    assert found.statistic == pytest.approx(6.771481, abs=1e-5) and found.df == (
        pytest.approx(16.99998, abs=1e-4),
    )
    assert found.p == pytest.approx(3.263824e-06, rel=1e-4)
    assert found.effect is not None and (found.effect.low, found.effect.high) == pytest.approx(
        (7.205955, 13.72862), abs=1e-4
    )
    assert "18 of who" in found.because and "slopes of who 5.92" in found.because
    assert apa.sentence(found).startswith(
        "Linear mixed model (REML, Satterthwaite's degrees of freedom): *t*(17.00) = 6.77"
    )


def test_random_intercepts_are_those_of_statsmodels() -> None:
    frame = crossed(1, effect=0.5, apart=1.5)
    x = np.column_stack([(frame["way"] == name).to_numpy(float) for name in "ab"])
    ours = Mixed(frame["y"].to_numpy(float), x, [Term("who", codes(frame["who"]))])
    theirs = MixedLM(frame["y"], x, frame["who"]).fit(reml=True)
    assert ours.b == pytest.approx(theirs.fe_params.to_numpy(), abs=1e-4)
    assert ours.deviations["residuals"] ** 2 == pytest.approx(theirs.scale, rel=1e-3)
    assert np.sqrt(np.diag(ours.covariance)) == pytest.approx(theirs.bse_fe.to_numpy(), rel=1e-3)


@pytest.mark.parametrize("levels", [2, 3])
def test_balanced_rows_give_the_analysis_of_variance_of_means(levels: int) -> None:
    draw = np.random.default_rng(2)
    cells = draw.normal(0, 1, (14, 1)) + draw.normal(0, 0.8, (14, levels)) + 0.4 * np.arange(levels)
    values = cells[:, :, None] + draw.normal(0, 1, (14, levels, 4))
    frame = pd.DataFrame(
        [
            {"who": p, "way": f"w{k}", "y": values[p, k, r]}
            for p in range(14)
            for k in range(levels)
            for r in range(4)
        ]
    )
    found = outcome(frame)
    means = frame.groupby(["who", "way"], as_index=False)["y"].mean()
    plain = outcome(means)
    assert (
        plain.test in ("paired t test", "repeated-measures analysis of variance")
        and "mixed model" in found.test
    )
    assert (found.statistic, found.p) == (
        pytest.approx(plain.statistic, rel=1e-4),
        pytest.approx(plain.p, rel=1e-3),
    )
    assert found.df == pytest.approx(plain.df, rel=1e-3)
    assert len(found.pairs) == (0 if levels == 2 else 3)


@pytest.mark.parametrize("how", [{}, {"slopes": 0.5}, {"apart": 0.0}])
def test_where_nothing_differs_about_five_of_a_hundred_are_significant(how: dict[str, float]) -> None:
    found = [outcome(crossed(seed, **how), items="item").p for seed in range(50)]  # type: ignore[arg-type]
    assert sum(p < 0.05 for p in found) <= 7  # of 50 at 5 of 100, 99 of 100 times


def test_items_that_are_left_out_of_a_plan_would_be_significant_too_often() -> None:
    """What the field `items` is for: items within one way each, which differ."""
    frames = []
    for seed in range(40):
        draw = np.random.default_rng(seed)
        thing, person = draw.normal(0, 0.7, 12), draw.normal(0, 0.5, 12)
        frames.append(pd.DataFrame([{"who": p, "item": i, "way": "ab"[i % 2], "y": person[p] + thing[i] + draw.normal()}
                                    for p in range(12) for i in range(12)]))  # fmt: skip
    assert sum(outcome(frame, items="item").p < 0.05 for frame in frames) <= 6
    assert sum(outcome(frame).p < 0.05 for frame in frames) >= 14


def test_one_side_by_name_and_the_means_of_the_model() -> None:
    frame = crossed(3, effect=1.0)
    both, one = (
        outcome(frame, items="item"),
        outcome(frame, items="item", expected_higher="b", levels=("a", "b")),
    )
    assert one.p == pytest.approx(both.p / 2) and one.direction == "a < b"
    means = {group["name"]: group["adjusted"]["value"] for group in one.groups}
    assert one.effect is not None and one.effect.value == pytest.approx(means["a"] - means["b"])


def test_a_singular_fit_and_few_units_are_told() -> None:
    found = outcome(crossed(4, who=6, apart=0.0), items="item")
    assert any(
        text.startswith("the fit is singular: none was found of intercepts of") for text in found.warnings
    )
    assert any("only 6 of who" in text for text in found.warnings)


@pytest.mark.parametrize(
    ("frame", "more", "words"),
    [
        (crossed(1, who=4), {"items": "item"}, "4 of who have values"),
        (crossed(1).assign(y=1.0), {"items": "item"}, "same value"),
        (
            crossed(1),
            {"items": "item", "kinds": {"y": "ordinal", "way": "nominal", "item": "nominal"}},
            "numeric outcome",
        ),
        (crossed(1), {"items": "item", "covariates": ("y",)}, "without covariates"),
        (crossed(1), {"items": "thing"}, "no column 'thing'"),
        (
            crossed(1).assign(y=lambda table: table["way"].map({"a": 0.0, "b": 1.0})),
            {"items": "item"},
            "gives y exactly",
        ),
    ],
)
def test_what_no_model_can_tell_says_why(frame: pd.DataFrame, more: dict[str, Any], words: str) -> None:
    with pytest.raises(NotTestable, match=words):
        outcome(frame, **more)


def test_many_rows_are_fitted_in_seconds() -> None:
    frame = crossed(5, who=200, items=60, effect=0.1, slopes=0.2)
    plan = Plan("h1", "difference", "y", ("way",), {"y": "ratio", "way": "nominal", "item": "nominal"}, within=True, participant="who",
                items="item")  # fmt: skip
    found, _ = analysed([plan], frame)
    assert found[0].n == 12_000


@pytest.mark.parametrize("wrong", [{"relation": "prediction"}, {"covariates": ("age",)}, {"items": "way"}])
def test_items_where_they_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="items"):
        Hypothesis(**{"id": "h1", "statement": "y differs by way", "relation": "difference", "outcome": "y", "predictors": ("way",),
                      "items": "item", **wrong})  # fmt: skip
