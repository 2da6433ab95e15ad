"""A hypothesis about one predictor, the others held constant; ranks predicted: against statsmodels, a likelihood and simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import optimize, special
from statsmodels.tools.numdiff import approx_hess

from schemas.study.design import Variable, Variables
from schemas.study.results import Results
from schemas.study.scope import Hypothesis, ResearchPlan
from tasks.study.results_file import plans_of, results_of
from tasks.study.statistics import NotTestable, Plan, Tested, analysed
from tasks.study.test_findings import Finding, findings
from tasks.study.wording.claims_of_tests import ResultsReader
from tasks.study.wording.placeholders import values_of
from tasks.study.wording.sides import sided
from tests.unit.study.study_fixture import protocol

pytestmark = pytest.mark.unit
KINDS = {
    "y": "interval",
    "age": "ratio",
    "noise": "ratio",
    "way": "nominal",
    "yes": "nominal",
    "rank": "ordinal",
}


def rows(seed: int = 1, n: int = 120, claimed: float = 0.0) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    age, noise = draw.normal(0, 1, n), draw.normal(0, 1, n)
    way = draw.choice(["a", "b", "c"], n)
    y = age + claimed * noise + draw.normal(0, 1, n)
    return pd.DataFrame(
        {"participant": [f"p{place}" for place in range(n)], "age": age, "noise": noise, "way": way, "y": y}
        | {"yes": np.where(y + draw.logistic(0, 1, n) > 0, "yes", "no")}
        | {"rank": pd.cut(age + claimed * noise + draw.logistic(0, 1, n), [-99, -1, 1, 99], labels=False) + 1}
    )


def outcome(frame: pd.DataFrame, y: str, predictors: tuple[str, ...], focus: str, **more: Any) -> Tested:
    kinds = {name: KINDS[name] for name in (y, *predictors)}
    plan = Plan("h1", "prediction", y, predictors, kinds, participant="participant", focus=focus, **more)  # type: ignore[arg-type]
    found, cannot = analysed([plan], frame)
    if cannot:
        raise NotTestable(cannot["h1"])
    return found[0]


def test_a_predictor_that_is_noise_is_not_shown_by_what_another_one_does() -> None:
    together, alone = [], []
    for seed in range(80):
        frame = rows(seed, 60)
        together.append(outcome(frame, "y", ("noise", "age"), "").p < 0.05)
        alone.append(outcome(frame, "y", ("noise", "age"), "noise").p < 0.05)
    assert np.mean(together) > 0.99
    assert 0.01 <= np.mean(alone) <= 0.1


@pytest.mark.parametrize("y", ["y", "yes", "rank"])
def test_what_is_there_is_found_with_its_interval(y: str) -> None:
    found = outcome(rows(3, 400, claimed=0.8), y, ("age", "noise"), "noise")
    truth = 0.8 if y == "y" else np.exp(0.8)
    assert found.p < 1e-6
    assert found.effect is not None and found.effect.low is not None and found.effect.high is not None
    if y != "yes":  # of which the deviation of y is part, so that its odds are not known
        assert found.effect.low < truth < found.effect.high
    assert found.focus == "noise" and "noise (age held constant)" in found.test


def test_the_coefficient_is_that_of_statsmodels() -> None:
    frame = rows()
    found = outcome(frame, "y", ("age", "noise"), "age")
    fit = smf.ols("y ~ age + noise", frame).fit()
    assert (found.statistic, found.p, found.df) == (
        pytest.approx(fit.tvalues["age"]),
        pytest.approx(fit.pvalues["age"]),
        (117.0,),
    )
    assert found.effect is not None
    assert (found.effect.low, found.effect.high) == pytest.approx(tuple(fit.conf_int().loc["age"]))
    joint = outcome(frame, "y", ("age", "way"), "way")
    f, p, _ = smf.ols("y ~ age + way", frame).fit().compare_f_test(smf.ols("y ~ age", frame).fit())
    assert (joint.statistic_name, joint.df) == ("F", (2.0, 116.0))
    assert (joint.statistic, joint.p) == (pytest.approx(f), pytest.approx(p))
    logit = sm.Logit((frame.yes == "yes").astype(int), sm.add_constant(frame[["age", "noise"]])).fit(disp=0)
    found = outcome(frame, "yes", ("age", "noise"), "age")
    assert found.effect is not None and found.effect.name == "OR"
    assert (found.statistic, found.p, found.effect.value) == pytest.approx(
        (logit.tvalues["age"], logit.pvalues["age"], np.exp(logit.params["age"]))
    )
    joint = outcome(frame, "yes", ("age", "way"), "way")
    dummies = pd.get_dummies(frame.way, drop_first=True, dtype=float)
    whole = sm.Logit((frame.yes == "yes").astype(int), sm.add_constant(dummies.assign(age=frame.age))).fit(
        disp=0
    )
    without = sm.Logit((frame.yes == "yes").astype(int), sm.add_constant(frame[["age"]])).fit(disp=0)
    assert joint.statistic == pytest.approx(2 * (whole.llf - without.llf)) and joint.df == (2.0,)


def test_one_side_is_half_of_both_and_a_foreign_one_is_refused() -> None:
    frame = rows(5, claimed=0.15)
    both = outcome(frame, "y", ("age", "noise"), "noise")
    up, down = (
        outcome(frame, "y", ("age", "noise"), "noise", expected_higher=side)
        for side in ("positive", "negative")
    )
    assert up.p + down.p == pytest.approx(1) and min(up.p, down.p) == pytest.approx(both.p / 2)
    with pytest.raises(NotTestable, match="positive or negative"):
        outcome(frame, "y", ("age", "noise"), "noise", expected_higher="voice")
    two = frame[frame.way != "c"]
    b = outcome(two, "y", ("way", "age"), "way", expected_higher="b")
    assert b.direction == "b > a" and b.compared == ("b", "a")
    half = outcome(two, "y", ("way", "age"), "way").p / 2
    assert b.p == pytest.approx(half if (b.statistic or 0) > 0 else 1 - half)
    several = outcome(frame, "y", ("way", "age"), "way", expected_higher="b")
    assert any("tested two-sided" in words for words in several.warnings) and not several.direction


def test_ranks_are_predicted_by_the_greatest_likelihood() -> None:
    """Against a likelihood written out here, and its curvature."""
    frame = rows(4, claimed=0.5)
    found = outcome(frame, "rank", ("age", "noise"), "noise")
    x, rank = frame[["age", "noise"]].to_numpy(), frame["rank"].to_numpy()

    def surprise(at: np.ndarray) -> float:
        below = special.expit(np.array([at[2], at[2] + np.exp(at[3])])[:, None] - x @ at[:2])
        whole = np.vstack([np.zeros(len(x)), below, np.ones(len(x))])
        return -float(np.log(whole[rank, np.arange(len(x))] - whole[rank - 1, np.arange(len(x))]).sum())

    best = optimize.minimize(surprise, np.array([0.0, 0.0, -1.0, 0.0]), method="BFGS", tol=1e-9)
    errors = np.sqrt(np.diag(np.linalg.inv(approx_hess(best.x, surprise))))
    for place, name in enumerate(("age", "noise")):
        assert found.coefficients[name][:2] == pytest.approx((best.x[place], errors[place]), abs=2e-3)
    assert set(found.coefficients) == {"age", "noise"}
    assert found.effect is not None and found.effect.name == "OR"
    assert found.statistic == pytest.approx(best.x[1] / errors[1], abs=0.02)
    every = outcome(frame, "rank", ("age", "noise"), "")
    _, counts = np.unique(rank, return_counts=True)
    none = float((counts * np.log(counts / len(rank))).sum())
    assert (every.statistic, every.df) == (pytest.approx(2 * (-best.fun - none), abs=1e-3), (2.0,))


def test_odds_that_are_not_proportional_are_told() -> None:
    draw = np.random.default_rng(2)
    n = 600
    x = draw.normal(0, 1, n)
    low, high = draw.logistic(0, 1, n) < 1 + 2 * x, draw.logistic(0, 1, n) < -1 - 0.5 * x
    frame = pd.DataFrame({"rank": 1 + low + (low & high), "age": x, "participant": range(n)})
    found = outcome(frame, "rank", ("age",), "age")
    [assumption] = found.assumptions
    assert assumption.holds is False
    assert any("not proportional" in words for words in found.warnings)
    held = sum(
        bool(outcome(rows(seed, 200), "rank", ("age",), "").assumptions[0].holds) for seed in range(25)
    )
    assert held >= 20  # 24 expected


VARIABLES = Variables(
    variables=tuple(
        Variable(
            name=name,
            role="control",
            kind=kind,
            definition=name,
            levels=("a", "b", "c") if name == "way" else (),
        )  # type: ignore[arg-type]
        for name, kind in KINDS.items()
    )
)


def hypothesis(statement: str, **more: Any) -> Hypothesis:
    return Hypothesis(
        **{
            "id": "h1",
            "statement": statement,
            "relation": "prediction",
            "outcome": "y",
            "predictors": ("age", "noise"),
        }
        | more
    )


def shown(item: Hypothesis, frame: pd.DataFrame) -> tuple[Finding, Results]:
    data = frame.to_csv(index=False).encode()
    results = results_of(data, plans_of([item], VARIABLES, tuple(frame.columns)))
    plan = ResearchPlan(
        title="Of noise",
        research_questions=("Does noise matter?",),
        background="",
        contribution="",
        hypotheses=(item,),
    )
    return findings(plan, results, protocol())[0], results


def test_the_paper_is_held_against_what_was_tested() -> None:
    item = hypothesis("Noise goes with y when age is held constant.", focus="noise")
    found, results = shown(item, rows())
    assert found.words == "No effect of noise with age held constant was shown"
    assert results.tests[0].of == "y by noise, age held constant"
    reader = ResultsReader([found], values_of(results))
    assert reader.contradictions("Noise had a significant effect on y.")
    there, results = shown(item, rows(3, claimed=0.9))
    assert there.words.endswith("was shown: positive")
    reader = ResultsReader([there], values_of(results))
    assert reader.contradictions("The association of noise and y was negative.")
    assert not reader.contradictions("The association of noise and y was positive.")


def test_the_side_is_that_of_the_statement() -> None:
    item = hypothesis(
        "Noise goes positively with y when age is held constant.", focus="noise", expected_higher="positive"
    )
    assert sided([item], VARIABLES, known=False)[0][0].expected_higher == "positive"
    wrong = item.model_copy(update={"expected_higher": "negative"})
    assert "other side" in sided([wrong], VARIABLES, known=False)[1]["h1"]
    assert sided([item], VARIABLES, known=True)[0][0].expected_higher == ""


def test_a_focus_is_one_of_the_predictors() -> None:
    with pytest.raises(ValueError, match="focus is one of the predictors"):
        hypothesis("Noise goes with y.", focus="way")
    with pytest.raises(ValueError, match="without a focus"):
        hypothesis("Noise goes with y.", expected_higher="positive")
    with pytest.raises(NotTestable, match="is no predictor"):
        outcome(rows(), "y", ("age",), "noise")
