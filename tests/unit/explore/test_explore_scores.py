"""Composites, axes and frontier scores give the numbers that a person computes by hand."""

from __future__ import annotations

import math
import random

import pytest

from schemas.errors import InputError
from schemas.explore.evaluation import AxisAnswer, AxisScore, EvaluationAnswer, MeasuredRecord
from schemas.explore.idea import PlanSection
from schemas.explore.settings import CustomAxis, SearchSettings
from tasks.explore.search.axes import GENERIC, axes_of, scored
from tasks.explore.search.composites import axis_composite
from tasks.explore.search.evaluating import evaluate
from tasks.explore.search.frontier import frontier_score
from tasks.explore.search.measured_beside import compare, coverage, improvement_score
from tests.unit.explore.explore_kit import SHA, grown, measured, spec

pytestmark = pytest.mark.unit


def axes(*scores, weights=None):
    weights = weights or [1.0] * len(scores)
    return [AxisScore(axis=f"a{n}", score=score, weight=weights[n]) for n, score in enumerate(scores)]


@pytest.mark.parametrize(
    "formula, plain, weighted",
    [
        ("harmonic_mean", 2 / (1 / 0.4 + 1 / 0.9), 4 / (3 / 0.4 + 1 / 0.9)),
        ("arithmetic_mean", 0.65, (3 * 0.4 + 0.9) / 4),
        ("geometric_mean", 0.6, 0.4**0.75 * 0.9**0.25),
        ("weighted_min", 0.4, 0.4),
    ],
)
def test_composites(formula, plain, weighted):
    assert axis_composite(axes(0.4, 0.9), formula) == pytest.approx(plain)
    assert axis_composite(axes(0.4, 0.9, weights=[3, 1]), formula) == pytest.approx(weighted)
    assert axis_composite([], formula) == 0.0
    assert axis_composite(axes(0.0, 1.0), formula) == (0.5 if formula == "arithmetic_mean" else 0.0)


def test_in_the_weighted_minimum_a_light_axis_loses_little():
    assert axis_composite(axes(0.4, 0.9, weights=[1, 2]), "weighted_min") == pytest.approx(
        0.7
    )  # 1 - 0.5 * 0.6


def test_axis_sets():
    plan = [PlanSection(title="Ablation of the cache blocks"), PlanSection(title="The and of")]
    names = [
        axis.name for axis in axes_of(SearchSettings(), [("Soundness", "sound?"), ("Novelty", "new?")], plan)
    ]
    assert (
        names == [*(axis.name for axis in GENERIC), "soundness", "plan_ablation_cache_blocks"]
        and len(GENERIC) == 5
    )
    assert axes_of(SearchSettings(axes="legacy"), [("Soundness", "")], plan) == GENERIC
    own = CustomAxis(name="speed", weight=2)
    assert axes_of(SearchSettings(axes="custom", custom_axes=(own, own)), [("Soundness", "")]) == (own,)
    with pytest.raises(InputError, match="no axis is given"):
        axes_of(SearchSettings(axes="custom"))


def test_an_axis_left_out_scores_nothing_and_of_two_scores_the_lower_counts():
    found = scored(
        GENERIC[:2],
        [
            AxisAnswer(axis="Measurement validity", score=0.9, reason="good"),
            AxisAnswer(axis="measurement_validity", score=0.3, reason="bad"),
            AxisAnswer(axis="invented", score=1.0, reason="mine"),
        ],
    )
    assert [(axis.axis, axis.score) for axis in found] == [
        ("measurement_validity", 0.3),
        ("comparative_rigor", 0.0),
    ]


def test_frontier_scores():
    search = SearchSettings(diversity_weight=0.1, depth_penalty=0.05, exploration=0.2)
    tree = grown(
        search,
        ("n000", "improve", "succeeded", 0.6, 1.0, 1.1),
        ("n000", "improve", "succeeded", 0.7, 1.0, 1.1),
        ("n001", "ablation", "succeeded", 0.55, 1.0, 1.1),
    )
    node = tree.node("n001")

    def score(name, **standing):
        return frontier_score(node, tree, search.model_copy(update={"frontier_score": name}), standing)

    alike = {"n000": 1, "n001": 1, "n002": 1, "n003": 1}
    assert score("scientific_only", **alike) == 0.6
    assert score("scientific_plus_diversity", **alike) == pytest.approx((0.6 + 0.1 * (1 - 2 / 4)) / 1.1)
    assert score("depth_penalized", **alike) == pytest.approx(0.55)
    bonus = 0.2 * math.sqrt(math.log(4) / 2)  # 3 expansions in all, 1 of this node
    assert score("ucb_like", **alike) == pytest.approx(0.6 + bonus)
    second_of_four = {"n003": 1, "n001": 2, "n002": 3, "n000": 4}
    assert score("scientific_only", **second_of_four) == pytest.approx((4 - 2 + 0.6) / 4)
    assert score("ucb_like", **second_of_four) == pytest.approx((4 - 2 + 0.6) / 4 + bonus)


def test_a_difference_inside_the_noise_is_no_improvement():
    noisy, also = measured(1.00, 1.20, 0.90, 1.10, 1.30), measured(1.05, 0.95, 1.15, 1.25, 1.00)
    found = compare(also, noisy, "n000", spec())
    assert found.verdict == "no_difference" and "standard errors" in found.why
    assert improvement_score(found, spec()) == 0.5


def test_a_difference_beyond_it_counts_in_the_direction_of_the_metric():
    slow, fast = measured(1.00, 1.02, 0.99, 1.01, 1.00), measured(0.50, 0.51, 0.49, 0.50, 0.505)
    faster = compare(fast, slow, "n000", spec(), paired=True)
    assert faster.verdict == "better" and faster.paired and faster.ratio == pytest.approx(0.5)
    assert improvement_score(faster, spec()) == pytest.approx(0.75)  # twice as good
    assert compare(slow, fast, "n001", spec(), paired=True).verdict == "worse"
    assert improvement_score(compare(slow, fast, "n001", spec()), spec()) == pytest.approx(0.25)
    upward = spec(direction="higher")
    assert compare(slow, fast, "n001", upward).verdict == "better"
    assert improvement_score(compare(slow, fast, "n001", upward), upward) == pytest.approx(0.75)


def test_pairs_share_the_drift_of_the_machine():
    other = (1.0, 1.4, 1.8, 2.2, 2.6)  # the machine gets slower and slower
    child, parent = measured(*(value * 0.9 for value in other)), measured(*other)
    assert compare(child, parent, "p", spec()).verdict == "no_difference"
    assert compare(child, parent, "p", spec(), paired=True).ratio_uncertainty == pytest.approx(0.0, abs=1e-12)


def test_one_value_a_tiny_effect_and_other_units_are_no_difference():
    assert compare(measured(1.0), measured(2.0), "p", spec()).verdict == "no_difference"
    tiny = compare(measured(1.000, 1.0001, 1.0002), measured(1.004, 1.0041, 1.0042), "p", spec())
    assert tiny.verdict == "no_difference" and "counts as none" in tiny.why
    assert "cannot be compared" in compare(measured(1, unit="ms"), measured(2), "p", spec()).why


def test_deterministic_values_differ_when_they_differ():
    exact = spec(kind="deterministic", direction="higher")
    found = compare(
        measured(2.0, 2.0, kind="deterministic"), measured(1.9, 1.9, kind="deterministic"), "p", exact
    )
    assert (found.verdict, found.uncertainty) == ("better", 0.0)
    negative = compare(measured(-1.0, kind="deterministic"), measured(-2.0, kind="deterministic"), "p", exact)
    assert improvement_score(negative, exact) == pytest.approx(0.75)
    signs = compare(measured(1.0, kind="deterministic"), measured(-2.0, kind="deterministic"), "p", exact)
    assert signs.ratio is None and improvement_score(signs, exact) == 0.75


def test_few_values_need_many_standard_errors():
    assert (
        coverage(1) == math.inf
        and coverage(3) == pytest.approx(4.30)
        and coverage(100) == pytest.approx(2.09)
    )
    assert coverage(10, "scaled_mad") == pytest.approx(1.2 * 2.26)


@pytest.mark.parametrize("n", [3, 5, 7, 12])
@pytest.mark.parametrize("kind", ["timed", "random"])
def test_of_equal_candidates_few_are_called_different(n, kind):
    draw = random.Random(f"{n} {kind}")
    noise = [
        lambda: draw.gauss(10, 1),
        lambda: draw.gauss(10, 0.05) + (draw.expovariate(1) if draw.random() < 0.4 else 0),
    ]
    for one in noise:
        pairs = [
            (measured(*(one() for _ in range(n)), kind=kind), measured(*(one() for _ in range(n)), kind=kind))
            for _ in range(600)
        ]
        for paired in (True, False):
            found = [
                compare(mine, its, "p", spec(kind=kind), paired=paired, smallest_effect=0)
                for mine, its in pairs
            ]
            assert sum(one.verdict != "no_difference" for one in found) < 0.08 * len(found)


def test_pairs_and_medians_must_agree():
    child, parent = (
        measured(1.0, 2.0, 9.0, 4.0, 5.0),
        measured(1.1, 2.1, 3.0, 4.1, 5.1),
    )  # four pairs faster, the median slower
    found = compare(child, parent, "p", spec(), paired=True)
    assert found.verdict == "no_difference" and "otherwise than the medians" in found.why


def record(*values, checks=(), **changes):
    return MeasuredRecord(
        **{
            "node_id": "n001",
            "parent_id": "n000",
            "program_sha256": SHA,
            "metrics": (measured(*values),),
            "parent_metrics": (measured(1.0, 1.01, 0.99),),
            "checks": checks,
            **changes,
        }
    )


PRAISE = EvaluationAnswer(
    headline="wonderful", axes=tuple(AxisAnswer(axis=axis.name, score=1, reason="x") for axis in GENERIC)
)
BLAME = EvaluationAnswer(
    headline="poor", axes=tuple(AxisAnswer(axis=axis.name, score=0, reason="x") for axis in GENERIC)
)


@pytest.mark.parametrize("formula", ["harmonic_mean", "arithmetic_mean", "weighted_min", "geometric_mean"])
def test_no_praise_lifts_a_node_without_evidence_above_a_working_one(formula):
    working = evaluate(spec(), GENERIC, formula, answer=BLAME, record=record(9.0, 9.1, 9.2))
    assert working.has_real_data and working.comparison_found and working.comparison.verdict == "worse"
    for without in (
        evaluate(spec(), GENERIC, formula, answer=PRAISE),
        evaluate(
            spec(), GENERIC, formula, answer=PRAISE, record=record(0.1, 0.2, checks=(("exact", False),))
        ),
        evaluate(spec(), GENERIC, formula, answer=PRAISE, record=record(0.1, 0.2, program_sha256="b" * 64)),
        evaluate(spec(unit="ms"), GENERIC, formula, answer=PRAISE, record=record(0.1, 0.2)),
        evaluate(spec(), GENERIC, formula, answer=PRAISE, record=record(0.1, 0.2), sterile=True),
    ):
        assert not without.has_real_data and without.composite < working.composite and not without.metrics


def test_a_sterile_node_scores_nothing_and_the_reason_is_kept():
    found = evaluate(spec(), GENERIC, "arithmetic_mean", answer=PRAISE, record=record(0.1, 0.2), sterile=True)
    assert found.composite == 0.0 and any("sterile" in reason for reason in found.refused)


def test_the_composite_is_computed_not_told():
    found = evaluate(spec(), GENERIC, "arithmetic_mean", answer=PRAISE, record=record(0.5, 0.505, 0.495))
    assert found.axis_composite == pytest.approx((5 * 1 + 0.75) / 6)
    assert found.composite == pytest.approx(0.25 + 0.75 * found.axis_composite)
