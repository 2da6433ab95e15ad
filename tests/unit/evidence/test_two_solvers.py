"""What a second solver's opinion does to a target, and which points of a curve it is asked for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.reproduce.judging.checking import doubtful
from schemas.reproduce.judging.evidence import Check, PhysicsEvidence, TargetEvidence
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import (
    QuantityResult,
    Rung,
    SecondOpinion,
    StudyResult,
    Truncation,
)
from simkit.arrange import Needs, Numerics
from tasks.reproduce.evidence.own_functions import examined
from tasks.reproduce.evidence.two_solvers import DISAGREE, SAID, in_its_measure
from tasks.reproduce.judging.two_ways import beside_paper
from tasks.reproduce.second import opinions
from tasks.reproduce.second.opinions import answering, budget_s, some
from tasks.reproduce.second.plain_cells import NAME as FMM
from tasks.reproduce.solving.varying import Outcome
from tasks.reproduce.uncertainty.climbed import Climb
from tests.unit.evidence.evidence_fixture import a_stage, scalar_target

pytestmark = pytest.mark.unit
values = st.floats(0.05, 1.0)
doubts = st.floats(1e-5, 0.02)


def opinion(first: float, second: float, together: float, agrees: bool | None) -> SecondOpinion:
    return SecondOpinion(
        solver=FMM,
        value=second,
        uncertainty=together / 2,
        first=first,
        together=together,
        agrees=agrees,
    )


def outputs(first: float, second: SecondOpinion | None) -> StageOutputs:
    quantity = QuantityResult(
        id="T",
        kind="transmittance",
        scene="s",
        status="converged",
        value=first,
        scale=first,
        uncertainty=1e-3,
        answers=("t",),
        second=second,
    )
    study = StudyResult(digest="d", quantities=(quantity,))
    return StageOutputs(stage_id="s", code_sha256="0" * 64, executions=(), study=study)


def evidence(simulated: float, paper: float, **more: Any) -> TargetEvidence:
    matches = abs(simulated - paper) <= 0.01 * paper
    common = dict(ran=True, computed=True, converged=True, physical=True, matches=matches)
    return TargetEvidence(
        target_id="t",
        stage_id="s",
        simulated=simulated,
        reference=paper,
        error=100 * abs(simulated - paper) / paper,
        measure="relative_percent",
        classification="SUCCESS" if matches else "FAILURE",
        **common | more,
    )


@given(values, values, doubts)
def test_two_that_differ_by_more_than_both_uncertainties_are_partial_at_most(
    first: float, second: float, together: float
) -> None:
    agrees = abs(first - second) <= together
    found = examined(evidence(first, first), outputs(first, opinion(first, second, together, agrees)))
    assert found.classification == ("SUCCESS" if agrees else "PARTIAL")
    assert (DISAGREE in found.reasons) is not agrees
    assert not found.doubts  # a finding: nobody lifts it
    assert sum(reason.startswith(SAID) for reason in found.reasons) == 1


@given(values, st.floats(0.5, 1.5), doubts)
def test_both_differ_from_the_paper_only_where_they_are_nearer_to_each_other(
    first: float, share: float, together: float
) -> None:
    """Of what fails; the class is that of the comparison."""
    paper, second = share * first, first + together / 3
    before = evidence(first, paper)
    solved = outputs(first, opinion(first, second, together, True))
    found = beside_paper(examined(before, solved), scalar_target(target_id="t"), solved)
    assert found.classification == before.classification
    told = [finding for finding in found.about_paper if "second solver" in finding.sentence]
    assert bool(told) == (not before.matches and abs(first - paper) > together / 3 + together / 2)


def test_without_an_opinion_or_its_value_nothing_changes() -> None:
    given_ = evidence(0.5, 0.5)
    assert examined(given_, outputs(0.5, None)) is given_
    assert examined(given_, outputs(0.5, SecondOpinion(solver=FMM, reason="too many orders"))) is given_


def test_what_no_simulation_wrote_is_no_finding_about_the_paper() -> None:
    for lacking in ("ran", "computed", "physical"):
        solved = outputs(0.5, opinion(0.5, 0.5, 1e-3, True))
        found = examined(evidence(0.5, 0.9, **{lacking: False}), solved)
        assert not beside_paper(found, scalar_target(target_id="t"), solved).about_paper


def test_a_judging_agent_is_asked_where_both_disagree() -> None:
    passed = PhysicsEvidence(checks=(Check(name="R", level="pass", measured="1", allowed="2"),))
    assert not doubtful(outputs(0.5, opinion(0.5, 0.5, 1e-3, True)), passed)
    assert doubtful(outputs(0.5, opinion(0.5, 0.6, 1e-3, False)), passed)


@given(st.integers(1, 801), st.integers(1, 20), st.randoms(use_true_random=False))
def test_of_a_curve_its_ends_highest_and_lowest_are_asked_for(count: int, most: int, random: Any) -> None:
    y = np.array([random.random() for _ in range(count)])
    index = some(np.arange(count, dtype=float), y, most)
    assert list(index) == sorted(set(index)) and len(index) <= most + 2
    assert {int(y.argmax()), int(y.argmin()), 0} <= set(index.tolist())
    assert most == 1 or count - 1 in index


def test_what_answers_a_target_is_asked_for_the_claim_first() -> None:
    """As the plan says; where it names nothing every major target. What answers none is not asked."""
    targets = (scalar_target(target_id="t"), scalar_target(target_id="u", major=False))
    stage = a_stage(*targets)
    answers = {"T": ("t",), "U": ("u",), "rest": (), "gone": ("of another stage",)}
    made = StudyResult(
        digest="d",
        quantities=tuple(
            QuantityResult(id=name, kind="k", scene="s", status="converged", answers=answered)
            for name, answered in answers.items()
        ),
    )
    plan = Plan(title="t", summary="s", main_claim="c", materials=(), stages=(stage,))
    assert answering(plan, stage, made) == ({"T"}, {"U"})
    assert answering(plan.model_copy(update={"claim_targets": ("u",)}), stage, made) == ({"U"}, {"T"})


costs = st.lists(st.tuples(st.floats(0, 80), st.booleans(), st.booleans(), values), min_size=1, max_size=6)


@given(costs, st.floats(0, 400))
def test_what_carries_no_claim_shares_one_limit_whatever_its_values(drawn: Any, first: float) -> None:
    """cost of an opinion, whether it carries the claim, whether its ladder is irregular, its value."""
    made = Climb(
        group=SimpleNamespace(ids=tuple(f"q{i}" for i in range(len(drawn)))),  # type: ignore[arg-type]
        numerics=Numerics(10.0),
        need=Needs(10.0, ()),
    )
    made.outcomes.append(("coarse", Outcome({}, {"a run": (first, first)})))
    rungs = tuple(Rung(resolution=r) for r in (1.0, 2.0, 3.0))
    limits: dict[str, float] = {}

    def asked(sign: float) -> list[tuple[str, float]]:
        quantities = tuple(
            QuantityResult(
                id=f"q{i}",
                kind="k",
                scene="s",
                status="converged",
                value=sign * value,
                rungs=rungs,
                observed_order=None if irregular else 2.0,
            )
            for i, (_, _, irregular, value) in enumerate(drawn)
        )
        order: list[tuple[str, float]] = []

        def opinion_of(_made: Any, result: Any, _materials: Any, most_s: float, **_: Any) -> SecondOpinion:
            order.append((result.id, most_s))
            spent = min(drawn[int(result.id[1:])][0], most_s)
            return SecondOpinion(solver=FMM, truncations=(Truncation(orders=1, value=1.0, cpu_s=spent),))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(opinions, "opinion_of", opinion_of)
            study = StudyResult(digest="d", quantities=quantities)
            claim = {f"q{i}" for i, (_, carries, _, _) in enumerate(drawn) if carries}
            found = opinions.with_opinions(study, [made], {}, claim, {q.id for q in quantities} - claim)
        assert all(q.second is not None for q in found.quantities)
        return order

    order = asked(1.0)
    assert order == asked(-3.0), "no value takes part in it"
    carrying = [drawn[int(name[1:])][1] for name, _ in order]
    assert carrying == sorted(carrying, reverse=True) and len(order) == len(drawn)
    regular, irregular = max(60.0, 0.5 * first), max(300.0, 2 * first)
    shared = 0.0
    for name, limit in order:
        cost, carries, odd, _ = drawn[int(name[1:])]
        limits[name] = irregular if odd else regular
        assert limit == pytest.approx(limits[name] - (shared if not carries and not odd else 0.0))
        shared += min(cost, limit) if not carries and not odd else 0.0
    assert shared <= regular + 1e-9


@given(st.floats(0, 1e4), values, values)
def test_the_budget_knows_no_value(cost: float, one: float, other: float) -> None:
    made = Climb(group=None, numerics=Numerics(10.0), need=Needs(10.0, ()))  # type: ignore[arg-type]
    made.outcomes.append(("coarse", Outcome({}, {"a run": (cost, cost)})))
    entries = [outputs(value, None).study.quantities[0] for value in (one, other)]  # type: ignore[union-attr]
    assert budget_s(made, entries[0]) == budget_s(made, entries[1]) >= 60


@given(
    st.floats(1e-4, 0.5),
    st.floats(0.05, 1.0),
    st.sampled_from(["relative_percent", "absolute", "absolute_percentage_points"]),
    st.sampled_from(["1", "%"]),
    st.booleans(),
)
def test_a_share_of_a_value_is_told_in_what_its_bounds_are_told_in(
    share: float, scale: float, measure: str, unit: str, curve: bool
) -> None:
    """A curve whose bounds are absolute was told its change in percent: 0.0016 was "0.16; 0.0943 are allowed"."""
    one = evidence(1.0, 1.0).model_copy(
        update={
            "simulated": None if curve else scale * (100 if unit == "%" else 1),
            "measure": measure,
            "unit": unit,
        }
    )
    percent = unit == "%" or measure == "absolute_percentage_points"
    expected = 100 * share if measure == "relative_percent" else share * scale * (100 if percent else 1)
    assert in_its_measure(one, share, scale) == pytest.approx(expected)


@given(values, st.sampled_from(["1", "%"]), st.sampled_from(["T_all", "R", "elsewhere"]))
def test_another_value_of_the_scene_that_is_the_papers_is_named_and_decides_nothing(
    paper: float, unit: str, which: str
) -> None:
    """A paper told all power of a bend as that of one mode; the run had both, and its report named neither beside the other."""
    first = paper * 0.6
    common: dict[str, Any] = {
        "scale": first,
        "status": "converged",
        "kind": "port_transmittance",
        "scene": "s",
    }
    other = {"T_all": {}, "R": {"kind": "port_reflectance"}, "elsewhere": {"scene": "t"}}[which]
    quantities = (
        QuantityResult(id="T0", value=first, uncertainty=1e-3, answers=("t",), **common),
        QuantityResult(id=which, value=paper * 1.002, uncertainty=1e-3, **{**common, **other}),
    )
    study = StudyResult(digest="d", quantities=quantities)
    made = StageOutputs(stage_id="s", code_sha256="0" * 64, executions=(), study=study)
    size = 100 if unit == "%" else 1
    one = evidence(first * size, paper * size, acceptable=1.0, uncertainty=0.1, unit=unit)
    told = beside_paper(one, scalar_target(target_id="t"), made)
    [finding] = told.about_paper
    assert (f"{which} of the same scene" in finding.sentence) is (which == "T_all")
    assert told.classification == one.classification and told.matches == one.matches
