"""Execution and physics evidence computed from the files of a stage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from schemas.reproduce.judging.evidence import Check, ExecutionEvidence, PhysicsEvidence
from schemas.reproduce.simulations.execution import Failure, StageOutputs
from tasks.reproduce.evidence.execution import announced_files, execution_evidence
from tasks.reproduce.evidence.possible import physics_evidence
from tasks.reproduce.evidence.quantities import kind_of
from tests.unit.evidence.evidence_fixture import (
    MEEP,
    WAVELENGTH_NM,
    Run,
    a_stage,
    curve_target,
    dips,
    scalar_target,
)

pytestmark = pytest.mark.unit


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def _executed(run: Run, **stage: object) -> ExecutionEvidence:
    return execution_evidence(run.outputs, a_stage(curve_target(), **stage), run.root)


def _physics(run: Run, **stage: object) -> PhysicsEvidence:
    return physics_evidence(run.outputs, a_stage(curve_target(), **stage), run.root)


def _failed(checks: tuple[Check, ...], level: str = "fail") -> set[str]:
    return {check.name for check in checks if check.level == level}


def test_a_sound_stage_passes_every_check(run: Run) -> None:
    run.spectrum(dips(scale=0.97), scale=0.5)
    run.spectrum(dips(scale=0.98))
    found = _executed(run)
    assert found.level == "pass", [c for c in found.checks if c.level != "pass"]
    assert all(check.measured and check.allowed for check in found.checks)
    assert found.failure is None


def test_files_that_the_coder_announced_are_looked_for(run: Run) -> None:
    run.spectrum(dips())
    outputs = run.outputs
    name = Path(outputs.executions[0].datasets[0].file.path).name
    assert [c.level for c in announced_files(outputs, (name, "results.json"))] == ["pass"]
    (missing,) = announced_files(outputs, (name, "loss.csv"))
    assert missing.level == "warning" and missing.measured == "not written: loss.csv"
    assert announced_files(outputs, ()) == ()


def test_nothing_run_fails() -> None:
    empty = StageOutputs(stage_id="stage1", code_sha256="0" * 64, executions=())
    assert execution_evidence(empty, a_stage(curve_target()), Path("/nonexistent")).level == "fail"
    assert physics_evidence(empty, a_stage(curve_target()), Path("/nonexistent")).level == "fail"


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"exit_code": 1}, "process ended"),
        ({"exit_code": None, "signal": 11}, "process ended"),
        ({"stop_reason": "cpu time"}, "process ended"),
        ({"complete": False}, "manifest complete"),
        ({"failure": Failure(failure_class="numerics", reason="field growth")}, "failure"),
        ({"meep_runs": ()}, "Meep ran"),
        ({"cpu_s": 0.01}, "CPU time fits the steps"),
        ({"meep_runs": (MEEP.model_copy(update={"max_field": 1e19}),)}, "no field growth"),
    ],
)
def test_what_went_wrong_is_named(run: Run, change: dict[str, object], name: str) -> None:
    run.spectrum(dips(scale=0.97), scale=0.5)
    run.spectrum(dips(scale=0.98), **change)
    found = _executed(run)
    assert name in _failed(found.checks)
    assert all(check.hint for check in found.checks if check.level == "fail" and check.name != "failure")


def test_mode_solver_runs_count_as_computation(run: Run) -> None:
    solver = MEEP.model_copy(update={"time_steps": 0, "stop_criterion": "eigensolver tolerance"})
    run.spectrum(dips(scale=0.97), scale=0.5, meep_runs=(solver,))
    run.spectrum(dips(scale=0.98), meep_runs=(solver,))
    assert _executed(run).level == "pass"


def test_nan_missing_changed_and_unanswered_are_found(run: Run) -> None:
    broken = dips()
    broken[3] = np.nan
    run.spectrum(broken, scale=0.5)
    changed = run.spectrum(dips())
    (run.root / changed.datasets[0].file.path).write_text("wavelength,T\n1500,0.5\n")
    found = _executed(run)
    assert {"values finite", "file readable"} <= _failed(found.checks)
    assert any("file changed after the run" in check.measured for check in found.checks)
    assert found.failure is not None and found.failure.failure_class == "numerics"
    other = execution_evidence(run.outputs, a_stage(scalar_target()), run.root)
    assert "dataset for fig3_Q" in _failed(other.checks)


def test_values_identical_at_all_resolutions_fail(run: Run) -> None:
    for scale in (0.5, 1.0, 2.0):
        run.spectrum(dips(scale=0.9), scale=scale)
    found = _executed(run)
    assert _failed(found.checks) == {"fig2_T depends on resolution"}
    assert "nothing was computed" in found.checks[-2].measured
    assert found.failure is not None and found.failure.failure_class == "code"


def test_undecayed_fields_and_long_runs_are_warnings(run: Run) -> None:
    ringing = MEEP.model_copy(update={"stop_met": False, "stop_reached": 1e-4})
    run.spectrum(dips(scale=0.97), scale=0.5)
    run.spectrum(dips(scale=0.98), meep_runs=(ringing,), cpu_s=500)
    found = _executed(run, runtime_budget_minutes=1)
    assert found.level == "warning"
    assert _failed(found.checks, "warning") == {"decay reached", "run time"}


def _rta(run: Run, r: np.ndarray, t: np.ndarray, a: np.ndarray | None = None) -> None:
    columns = [
        ("wavelength", "wavelength", "nm", WAVELENGTH_NM),
        ("R", "reflectance", "1", r),
        ("T", "transmittance", "1", t),
    ]
    if a is not None:
        columns.append(("A", "absorptance", "1", a))
    run.add(columns, targets={"T": "fig2_T"})


@pytest.mark.parametrize(("off", "level"), [(0.005, "pass"), (0.03, "warning"), (0.2, "fail")])
def test_declared_mirror_orders_must_be_equal(run: Run, off: float, level: str) -> None:
    order = 0.2 + 0.1 * dips()
    run.add(
        [
            ("wavelength", "wavelength", "nm", WAVELENGTH_NM),
            ("T1_plus", "transmittance", "1", order),
            ("T1_minus", "transmittance", "1", order * (1 - off)),
        ],
        targets={"T1_plus": "fig2_T"},
    )
    [found] = [c for c in _physics(run, expected_balance="none").checks if c.name == "symmetry of T1"]
    assert found.level == level


@pytest.mark.parametrize(("off", "level"), [(0.02, "pass"), (0.04, "warning"), (0.06, "fail")])
def test_lossless_balance(run: Run, off: float, level: str) -> None:
    _rta(run, 1 - dips() * 0.9 - off, dips() * 0.9)
    assert _physics(run, expected_balance="lossless").level == level


@pytest.mark.parametrize(("off", "level"), [(0.04, "pass"), (0.07, "warning"), (0.12, "fail")])
def test_lossy_balance(run: Run, off: float, level: str) -> None:
    t = dips() * 0.5
    _rta(run, np.full_like(t, 0.2), t, 0.8 - t - off)
    assert _physics(run, expected_balance="lossy").level == level


def test_a_complement_shows_nothing_and_says_so(run: Run) -> None:
    t = dips() * 0.5
    _rta(run, np.full_like(t, 0.2), t, 1 - 0.2 - t)
    found = _physics(run, expected_balance="lossy")
    assert any("shows nothing" in check.measured for check in found.checks)


def test_columns_of_several_structures_are_paired_by_name(run: Run) -> None:
    t = dips() * 0.9
    columns = [("wavelength", "wavelength", "nm", WAVELENGTH_NM)]
    for name, off in (("10nm", 0.0), ("20nm", 0.2)):
        columns += [(f"R_{name}", "reflectance", "1", 1 - t - off), (f"T_{name}", "transmittance", "1", t)]
    run.add(columns)
    found = _physics(run, expected_balance="lossless")
    bad = [check for check in found.checks if check.level == "fail"]
    assert len([c for c in found.checks if c.name.startswith("energy balance")]) == 2
    assert len([c for c in bad if "R_20nm" in c.source and c.name.startswith("energy")]) == 1


def test_an_expected_balance_without_data_is_a_warning(run: Run) -> None:
    run.spectrum(dips())
    assert "energy balance" in _failed(_physics(run, expected_balance="lossless").checks, "warning")


@pytest.mark.parametrize(
    ("quantity", "unit", "value", "level"),
    [
        ("transmittance", "1", 1.009, "pass"), ("transmittance", "1", 1.02, "fail"),
        ("reflectance", "%", 102, "fail"),
        ("reflectance", "1", -0.02, "fail"), ("absorptance", "1", -0.02, "fail"), ("Q", "1", -5, "fail"),
        ("quality factor", "1", 5, "pass"), ("scattering efficiency", "1", 3.4, "pass"),
        ("frequency", "c/a", 0, "fail"),
        ("extinction cross-section", "nm^2", -5, "fail"), ("field_enhancement", "1", 2e4, "fail"),
        ("transmission phase", "rad", -3, "pass"), ("diffraction efficiency", "1", 1.2, "fail"),
    ],
)  # fmt: skip
def test_ranges_by_quantity(run: Run, quantity: str, unit: str, value: float, level: str) -> None:
    run.add([("v", quantity, unit, [value])], kind="scalar", targets={"v": "fig2_T"})
    assert _physics(run).level == level


def test_bands_may_touch_zero_frequency(run: Run) -> None:
    run.add(
        [("k", "bloch_vector", "2pi/a", [0.0, 0.5]), ("f1", "frequency", "c/a", [-1e-9, 0.3])], kind="bands"
    )
    assert _physics(run).level == "pass"


def test_an_isolated_spike_is_a_warning_and_a_resolved_line_is_not(run: Run) -> None:
    run.spectrum(dips())
    assert _physics(run).level == "pass"
    spiked = dips()
    spiked[60] -= 0.3
    run.executions.clear()
    run.spectrum(spiked)
    assert _failed(_physics(run).checks, "warning") == {"smoothness of transmittance"}


def test_a_coarse_rung_may_break_a_bound_that_the_result_keeps(run: Run) -> None:
    run.spectrum(dips() * 1.05, scale=0.5)
    run.spectrum(dips())
    assert _physics(run).level == "pass"


def test_unknown_quantities_give_one_passed_check_that_says_so(run: Run) -> None:
    run.add([("x", "position", "um", [0.0, 1.0]), ("Ez", "field", "1", [0.1, 0.2])])
    found = _physics(run)
    assert [check.level for check in found.checks] == ["pass"]
    assert "2 columns finite" in found.checks[0].measured


@pytest.mark.parametrize(
    ("quantity", "kind"),
    [("R", "reflectance"), ("Total Reflectance", "reflectance"), ("transmission", "transmittance"),
     ("absorption efficiency", "non_negative"), ("reflection phase", "other"),
     ("Purcell factor", "non_negative"),
     ("resonance wavelength", "positive"), ("gap_ratio", "other")],
)  # fmt: skip
def test_quantity_names(quantity: str, kind: str) -> None:
    assert kind_of(quantity) == kind
