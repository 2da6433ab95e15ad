"""Weights are refused in words; an effect of two factors is planned with its own degrees of freedom."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import FTestAnovaPower

from schemas.errors import InputError
from schemas.study.design import Condition, PlannedEffect, Quota, Share, Variable
from schemas.study.scope import Hypothesis
from tasks.study.designing import planned_size
from tasks.study.inputs import analyse
from tasks.study.inputs.weights import refuse_weights
from tasks.study.statistics.power import Factors, power_of, sample_size
from tests.unit.study.study_fixture import plan
from tests.unit.study.test_study_design import answer

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "name", ["survey_weight", "SampleWeight", "wtssall", "pspwght", "anweight", "sampling weight", "fnlwgt", "pweight", "wgt_2"]
)  # fmt: skip
def test_a_column_that_is_a_weight_by_its_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="the data have weights") as found:
        refuse_weights(["age", name], "")
    assert found.value.found == name and "unweighted" in str(found.value.fix)


@pytest.mark.parametrize(
    "name", ["weight", "weight_kg", "birth_weight", "tlx_weight_1", "wealth", "w", "weightlifting"]
)
def test_what_may_be_the_weight_of_a_body_is_not(name: str) -> None:
    refuse_weights(
        ["age", name],
        f"{name}: in kilograms, as weighed on the day.\nPeople of each case weighed themselves.",
    )


def test_the_line_of_the_notes_that_calls_a_column_a_weight_counts() -> None:
    notes = "age: in years\nweight: survey weight, to be used in all analyses\nkilos: weight of the body"
    with pytest.raises(InputError) as found:
        refuse_weights(["age", "weight", "kilos"], notes)
    assert found.value.found == "weight"


@given(st.text(max_size=40), st.text(max_size=200))
def test_whatever_names_and_notes_are_it_refuses_in_words_or_lets_pass(name: str, notes: str) -> None:
    try:
        refuse_weights([name], notes)
    except InputError as error:
        assert name in str(error)


def test_a_file_with_weights_is_refused_before_any_model_is_asked(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("age,w1\n" + "".join(f"{20 + n},{n % 3}\n" for n in range(12)))
    (tmp_path / "votes.md").write_text("`w1` is a design weight of the sample.\n")
    with pytest.raises(InputError, match="weights"):
        analyse(tmp_path / "votes.csv")


def test_two_factors_have_the_sizes_that_gpower_gives() -> None:
    """G*Power 3.1 at f = .25 and power .8: 2 x 2 between 128, 3 x 2 between 158, 2 groups by 2 levels 34; from its tables, by memory."""
    for factors, needed in ((Factors(1, 4), 128), (Factors(2, 6), 158), (Factors(1, 2, 2, True), 34)):
        found = sample_size("f", 0.25, factors=factors)
        assert found.needed == needed and f"df={factors.df}, groups={factors.groups}" in found.method
    for n, k in ((60, 3), (128, 4)):
        one = FTestAnovaPower().power(0.25, n, 0.05, k_groups=k)
        assert Factors(k - 1, k).power(0.25, n, 0.05) == pytest.approx(one)
        within = power_of("f", 0.25, n, groups=k, within=True)
        assert Factors(k - 1, 1, k, True).power(0.25, n, 0.05) == pytest.approx(within)


def test_the_power_of_an_interaction_is_what_simulation_finds() -> None:
    """2 groups by 3 levels within, correlation .5: F of the interaction computed by hand."""
    draw, n, f = np.random.default_rng(3), 40, 0.2
    levels, groups = 3, 2
    shift = np.array([[1.0, 0, -1], [-1, 0, 1]])
    shift *= f / np.sqrt((shift**2).mean())
    found, times = 0, 1500
    for _ in range(times):
        cells = draw.normal(size=(groups, n // 2, 1)) * np.sqrt(0.5) + draw.normal(
            size=(groups, n // 2, levels)
        ) * np.sqrt(0.5)
        cells = cells + shift[:, None, :]
        means = cells.mean(1)
        inter = means - means.mean(1, keepdims=True) - means.mean(0) + means.mean()
        rest = cells - cells.mean(2, keepdims=True) - means[:, None, :] + means.mean(1)[:, None, None]
        value = n // 2 * (inter**2).sum() / 2 / ((rest**2).sum() / ((n - 2) * 2))
        found += stats.f.sf(value, 2, (n - 2) * 2) < 0.05
    assert found / times == pytest.approx(Factors(2, groups, levels, True).power(f, n, 0.05), abs=0.04)


def claimed(kind: str) -> Hypothesis:
    """A claim on condition by age group."""
    return Hypothesis(
        id="h1", statement="Ease by condition depends on age group.", relation="difference", outcome="ease",
        predictors=("condition", "age_group"), claim=kind,
    )  # fmt: skip


@pytest.mark.parametrize("measure", ["f", "dz"])
def test_a_design_is_sized_for_its_interaction(measure: str) -> None:
    quota = Quota(attribute="age_group", shares=tuple(Share(value=name, share=0.25) for name in "abcd"))
    size = 0.2 if measure == "f" else 0.4
    made = answer(
        quotas=(quota,),
        variables=(
            *answer().variables,
            Variable(
                name="age_group", role="control", kind="nominal", definition="age", levels=tuple("abcd")
            ),
        ),
        effect=PlannedEffect(measure=measure, size=size, because="matters"),
    )
    found = planned_size(made, None, [claimed("interaction")])
    alone = sample_size("f", 0.2, factors=Factors(3, 4, 2, True), conditions=2)
    assert found.needed == alone.needed and "df=3, groups=4, levels=2" in found.method
    assert found.detectable == pytest.approx(size, rel=0.05) and found.measure == measure
    main = planned_size(made, None, [claimed("main_effect")])
    assert "df=1, groups=4, levels=2" in main.method and main.needed < found.needed
    both = planned_size(made, None, [claimed("interaction"), plan().hypotheses[0]])
    assert both.needed > found.needed, "alpha over two, and the larger of both"


def test_between_participants_an_interaction_needs_more_than_its_conditions_alone() -> None:
    conditions = tuple(
        Condition(name=name, description=f"You use {name}.") for name in ("voice", "touch", "keys")
    )
    quota = Quota(attribute="age_group", shares=tuple(Share(value=name, share=0.25) for name in "abcd"))
    condition = (
        answer().variables[0].model_copy(update={"levels": ("voice", "touch", "keys"), "within": False})
    )
    made = answer(
        assignment="between",
        conditions=conditions,
        quotas=(quota,),
        variables=(
            condition,
            answer().variables[1],
            Variable(name="age_group", role="control", kind="nominal", definition="age"),
        ),
        effect=PlannedEffect(measure="f", size=0.25, because="matters"),
    )
    assert "df=6, groups=12, levels=1" in planned_size(made, None, [claimed("interaction")]).method
