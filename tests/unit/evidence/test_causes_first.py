"""What went wrong with the numerics is told as that: with all rungs and the likely physics, never as the code's fault."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.reproduce.judging.converging import convergence_checks
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult, Rung, StudyResult
from simkit.arrange import Arrangement, Numerics, arrange
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.runs import Run as MeepRun
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.evidence.execution import execution_evidence, in_part
from tasks.reproduce.evidence.own_functions import examined
from tasks.reproduce.measuring import NotMeasured, Scalar, measure
from tasks.reproduce.measuring.unsettled import likely, onsets, still_to_come
from tasks.reproduce.solving.as_executions import _meep_run
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Budget
from tasks.reproduce.solving.run_cost import foresee, run_time, source_time, time_within
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import Variants, parts_of
from tasks.reproduce.uncertainty.sensitivity import sensitivities
from tests.unit.describing.described_fixture import CODE, FILM
from tests.unit.evidence.evidence_fixture import Run, a_stage, curve_target, scalar_target

pytestmark = pytest.mark.unit
RUNGS = (
    Rung(resolution=8, value=0.4),
    Rung(resolution=11, value=0.42, change=0.02),
    Rung(resolution=15, reason="the fields had not settled when structure of s ended", cause="numerics"),
)
STOPPED = QuantityResult(
    id="T",
    kind="transmittance",
    scene="s",
    status="not converged",
    value=0.42,
    rungs=RUNGS,
    answers=("fig3_Q",),
)
NOTHING = QuantityResult(
    id="T",
    kind="transmittance",
    scene="s",
    status="no value",
    cause="numerics",
    answers=("fig2_T",),
    reason="the fields had not settled when structure of s ended",
    rungs=(Rung(resolution=8, reason="they had not"),),
)


def _outputs(*quantities: QuantityResult) -> StageOutputs:
    return StageOutputs(
        stage_id="stage1",
        code_sha256="0" * 64,
        executions=(),
        study=StudyResult(digest="d", quantities=quantities),
    )


def _arranged() -> tuple[Any, Arrangement]:
    problem = from_document(document(described(CODE, FILM)), declared(FILM), CODE).resolved()
    return problem, arrange(problem.scenes[0], problem.quantities, Numerics(40.0, samples=3), {})


def _ended(arrangement: Arrangement, **stats: float) -> dict[str, dict[str, Any]]:
    return {
        name: {f"stats/{key}": np.array(value) for key, value in stats.items()} for name in arrangement.runs
    }


def test_a_quantity_without_a_value_fails_its_stage_by_its_own_cause() -> None:
    outputs = _outputs(NOTHING)
    failure = outputs.failure()
    assert failure is not None and failure.failure_class == "numerics" and "had not settled" in failure.reason
    found = execution_evidence(outputs, a_stage(curve_target()), Path("/nonexistent"))
    assert found.level == "fail" and found.failure == failure
    told = " ".join(f"{check.measured} {check.hint}" for check in found.checks)
    assert "run.spectrum" not in told and "window" not in told and "8 px: no value" in told


def test_what_is_missing_beside_values_is_told_with_its_cause(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.spectrum(np.ones(401), scale=1.0)
    other = NOTHING.model_copy(update={"answers": ("fig3_Q",)})
    outputs = run.outputs.model_copy(update={"study": StudyResult(digest="d", quantities=(other,))})
    found = execution_evidence(outputs, a_stage(curve_target(), scalar_target()), tmp_path)
    assert found.failure is not None and found.failure.failure_class == "numerics"
    missing = next(check for check in found.checks if check.name == "dataset for fig3_Q")
    assert "had not settled" in missing.measured and not missing.hint


def test_what_one_target_lacks_does_not_take_the_others_away(tmp_path: Path) -> None:
    run = Run(tmp_path)
    for scale in (0.5, 1.0):
        run.spectrum(np.linspace(0.1, 0.2 * scale, 401), scale=scale)
    stage = a_stage(curve_target(), scalar_target())
    other = NOTHING.model_copy(update={"answers": ("fig3_Q",)})
    outputs = run.outputs.model_copy(update={"study": StudyResult(digest="d", quantities=(other,))})
    found = execution_evidence(outputs, stage, run.root)
    part = in_part(found, outputs, stage)
    assert found.level == "fail" and part is not None
    assert part.level == "warning" and part.failure is None
    assert [c.measured for c in part.checks] == [c.measured for c in found.checks]
    assert in_part(part, outputs, stage) is None, "nothing fails"
    assert in_part(found, outputs, a_stage(scalar_target())) is None, "nothing of the stage has a value"
    assert in_part(found, run.outputs, stage) is None, "free scripts end as a whole"
    grown = found.checks[0].model_copy(update={"name": "no field growth", "level": "fail"})
    more = found.model_copy(update={"checks": (*found.checks, grown)})
    assert in_part(more, outputs, stage) is None
    lost = NOTHING.model_copy(update={"answers": ("fig3_Q",), "cause": "infrastructure"})
    outputs = run.outputs.model_copy(update={"study": StudyResult(digest="d", quantities=(lost,))})
    assert in_part(execution_evidence(outputs, stage, run.root), outputs, stage) is None


def test_every_trouble_is_told_with_all_rungs() -> None:
    assert STOPPED.trouble() == (
        "numerics: T of s has no value at the next grid: the fields had not settled when structure of "
        "s ended; grids: 8 px: 0.4; 11 px: 0.42 (changed by 0.02); 15 px: no value"
    )
    one = STOPPED.model_copy(update={"rungs": RUNGS[:1], "ended": "no finer grid than 8; 3 s are left"})
    assert one.trouble().startswith("budget: T of s was solved on one grid") and one.trouble().endswith(
        "3 s are left"
    )
    assert STOPPED.model_copy(update={"rungs": RUNGS[:2]}).trouble() == ""
    target = SimpleNamespace(
        target_id="fig3_Q",
        uncertainty=1.0,
        acceptable=1.0,
        computed=True,
        rungs=(),
        simulated=0.4,
        converged=False,
        file="",
    )
    (check,) = convergence_checks((target,), _outputs(STOPPED))  # type: ignore[arg-type]
    assert "had not settled" in check.hint and "list the rungs" not in check.hint


def test_what_agrees_without_having_settled_is_partial() -> None:
    entry = STOPPED.model_copy(update={"unsettled": 0.004})
    evidence = TargetEvidence(
        target_id="fig3_Q",
        stage_id="s",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=True,
        classification="SUCCESS",
    )
    assert examined(evidence, _outputs(entry)).classification == "PARTIAL"
    assert examined(evidence, _outputs(STOPPED)) is evidence


def test_a_function_of_ones_own_that_was_not_wholly_examined_refutes_nothing() -> None:
    """A peak over a sweep, of spectra too coarse for the line and alike on all grids, made a right claim a failure."""
    evidence = TargetEvidence(
        target_id="fig3_Q",
        stage_id="s",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=False,
        classification="FAILURE",
    )
    own = STOPPED.model_copy(update={"code": "return 1", "from_fields": None, "unsettled": 0.0})
    judged = examined(evidence, _outputs(own))
    assert judged.classification == "FAILURE" and not judged.refutes and not judged.stands
    known = own.model_copy(update={"from_fields": True})
    assert examined(evidence, _outputs(known)).refutes


@given(period=st.floats(0.2, 2.0), index=st.floats(1.0, 3.5), order=st.integers(1, 3))
def test_an_order_s_onset_in_the_band_is_the_likely_cause(period: float, index: float, order: int) -> None:
    medium = SimpleNamespace(index=index)
    begins = period * index / order
    band = SimpleNamespace(frequencies=lambda: (0.8 / begins, 1.2 / begins))
    scene = SimpleNamespace(
        period=(period,), below=medium, above=medium, light_from="below", angle=0.0, band=band
    )
    assert any(abs(onset / begins - 1) < 1e-6 for onset in onsets(scene))
    told = re.search(r"where a diffraction order begins \(([\d.e-]+)\)", likely(scene, 1 / begins))
    assert told and float(told[1]) == pytest.approx(begins, rel=1e-4)
    films = SimpleNamespace(period=(), below=medium, above=medium, light_from="below", angle=0.0, band=band)
    assert "narrow resonance" in likely(films, 1 / begins)


def test_fields_that_had_nearly_settled_give_a_value_with_that_doubt_and_others_none() -> None:
    problem, arrangement = _arranged()
    raw = _ended(arrangement, stop_met=0, stop_reached=0.04, settled_to=0.04, cut=1, slowest=1.6)
    with pytest.raises(NotMeasured) as caught:
        measure(problem.scenes[0], problem.quantities[0], arrangement, raw)
    text = str(caught.value)
    assert (
        "20 % of the fields" in text
        and "CPU time was used up" in text
        and "0.625 um" in text
        and "40 pixels" in text
    )
    nearly = _ended(arrangement, stop_met=0, stop_reached=1e-6, settled_to=4e-6)
    assert still_to_come(arrangement, nearly) == pytest.approx(2e-3)
    assert still_to_come(arrangement, _ended(arrangement, stop_met=1, settled_to=1.0)) == 0
    variants = Variants([(10, Scalar(0.4)), (15, Scalar(0.401))], unsettled=2e-3)
    part = next(part for part in parts_of(variants)[0] if part.part == "run time")
    assert part.state == "computed" and part.value == pytest.approx(4e-3) and "still to come" in part.how


def test_one_grid_says_nothing_about_parameters_and_what_no_grid_shows_is_not_zero() -> None:
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE)
    group = groups_of(made, {})[0]
    made_of = arrange(group.scene(made.resolved()), made.resolved().quantities, Numerics(40.0), {})
    coarse = Outcome({"R": Scalar(0.1), "T": Scalar(0.9)}, arrangement=made_of)
    climb = Climb(
        group,
        Numerics(40.0),
        group.needs(),
        coarse=coarse,
        variants={"R": Variants([(40, Scalar(0.1)), (60, Scalar(0.1))]), "T": Variants([(40, Scalar(0.9))])},
    )
    moved = replace(made_of, runs={name: replace(run, courant=0.4) for name, run in made_of.runs.items()})  # type: ignore[type-var]

    class Same:
        """Every doubt leaves the value as it is."""

        def evaluate_moved(self, *_: object, **__: object) -> Outcome:
            return replace(coarse, arrangement=moved)

        evaluate = evaluate_moved
        description, materials = made, group.materials
        points, whole, name, ids = (), False, "film", ("R", "T")
        sweep, same_scene, rests_on = None, False, group.rests_on

    climb.group = Same()  # type: ignore[assignment]
    solver: Any = SimpleNamespace(
        ahead=lambda calls, each_s: None, tell=lambda words: None, enough=lambda: False
    )
    found = sensitivities(climb, solver, lambda cost: True)
    assert [s.change for s in found["T"]] == [None] and "one grid" in found["T"][0].remark
    of_t = next(s for s in found["R"] if s.parameter == "t")
    assert of_t.change is None and "not resolved" in of_t.remark
    assert next(s for s in found["R"] if s.parameter == "n").change == 0


@given(left=st.floats(0.1, 1e4), used=st.floats(0, 1e4), foreseen=st.floats(0.01, 1e4))
def test_no_run_takes_more_than_is_left_or_threefold_or_a_fifth(
    left: float, used: float, foreseen: float
) -> None:
    allowed = Budget(left, used).allowed(foreseen)
    assert 0 < allowed <= left and allowed <= max(3 * foreseen, 0.2 * (left + used)) * (1 + 1e-9)


@given(times=st.floats(1.0, 500.0))
def test_the_time_that_cpu_seconds_pay_for_costs_them(times: float) -> None:
    run = _arranged()[1].runs["structure"]
    assert isinstance(run, MeepRun)
    paid = foresee(run).cpu_s * times
    until = time_within(run, paid)
    if until is None:
        assert foresee(run, source_time(run) + run.stop.max_time).cpu_s <= paid * 1.05
    else:
        assert until >= run_time(run) * 0.99 and foresee(run, until).cpu_s == pytest.approx(paid, rel=0.05)


def test_missing_values_have_a_class_of_failure() -> None:
    assert (
        Missing("no mode").failure_class == "physics" and Missing("x", "numerics").failure_class == "numerics"
    )
    assert Missing("x", "not described").failure_class == "code"


def test_fields_that_had_nearly_settled_warn_nobody() -> None:
    _, arrangement = _arranged()
    for settled_to, met in ((1e-7, True), (1e-5, False)):
        raw = _ended(arrangement, stop_met=0, settled_to=settled_to, steps=10, pixels=9)
        outcome = Outcome({}, arrangement=arrangement, raw=raw)
        assert _meep_run("structure", arrangement.runs["structure"], outcome).stop_met is met


@given(paid=st.floats(0, 1e-3))
def test_no_budget_ends_a_run_before_a_field_without_resonance_has_settled(paid: float) -> None:
    run = _arranged()[1].runs["structure"]
    assert isinstance(run, MeepRun) and (time_within(run, paid) or 0.0) >= run_time(run) * (1 - 1e-9)
