"""Scalar targets, references, convergence, gates and negative controls."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from schemas.reproduce.planning.plan import Reference
from tasks.reproduce.evidence.convergence import curve_convergence, scalar_convergence
from tasks.reproduce.evidence.extrapolating import limit_of
from tasks.reproduce.evidence.not_computed import UnitError
from tasks.reproduce.evidence.numerics import with_parts
from tasks.reproduce.evidence.overlay import target_figure
from tasks.reproduce.evidence.scripted import capped
from tasks.reproduce.evidence.units import convert
from tasks.reproduce.judging.controls import controls, run_controls
from tasks.reproduce.judging.judge_scalar import with_sampling
from tasks.reproduce.judging.limits import limits_for
from tasks.reproduce.references.paper_value import ReferenceValue
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


@pytest.mark.parametrize(
    ("value", "expected"),
    [(100.5, "SUCCESS"), (130.0, "SUCCESS"), (130.1, "PARTIAL"), (50.0, "PARTIAL"), (49.9, "FAILURE")],
)
def test_thresholds_include_their_bounds(run: Run, value: float, expected: str) -> None:
    run.scalar(value + 1, scale=0.5)
    run.scalar(value)
    found = run.judge(scalar_target())
    assert found.classification == expected
    assert found.simulated == value and found.reference == 100
    assert found.error == pytest.approx(abs(value - 100))
    assert found.uncertainty == pytest.approx(1)
    assert found.measure == "relative_percent"


def test_absolute_measure_in_percent_keeps_its_unit(run: Run) -> None:
    target = scalar_target(value=60.0, quantity="efficiency", unit="%")
    for scale in (0.5, 1.0):
        run.scalar(0.61 + 0.01 / scale, scale=scale)
    found = run.judge(target, drawn=True)
    assert (found.simulated, found.error, found.acceptable) == pytest.approx((62.0, 2.0, 3.0))
    assert found.classification == "SUCCESS" and (run.root / str(found.overlay)).stat().st_size > 5000


def test_what_a_free_script_computed_is_at_most_partial(run: Run) -> None:
    run.scalar(101.0, scale=0.5)
    run.scalar(100.5)
    found = run.judge(scalar_target())
    held = capped(found, run.outputs)
    assert (
        (found.classification, held.classification) == ("SUCCESS", "PARTIAL")
        and held.matches
        and held.scripted
    )
    assert "described simulations can be SUCCESS" in held.reasons[-1]
    described = run.outputs.model_copy(
        update={"executions": tuple(e.model_copy(update={"described": True}) for e in run.outputs.executions)}
    )
    assert capped(found, described) == found
    mixed = described.model_copy(update={"executions": (*described.executions, run.outputs.executions[0])})
    assert capped(found, mixed).classification == "PARTIAL", "one script is enough"
    failed = found.model_copy(update={"classification": "FAILURE"})
    held = capped(failed, run.outputs)
    assert (
        held.classification == "FAILURE"
        and not held.refutes
        and "the claim does not fall" in held.reasons[-1]
    )
    assert capped(failed, described) == failed


def test_an_unconverged_value_is_at_most_partial(run: Run) -> None:
    run.scalar(116.0, scale=0.5)
    run.scalar(100.5)
    found = run.judge(scalar_target())
    assert found.matches and not found.converged
    assert found.classification == "PARTIAL"
    assert any("Not converged" in reason for reason in found.reasons)


def test_one_resolution_is_no_evidence_of_convergence(run: Run) -> None:
    run.scalar(100.5)
    assert run.judge(scalar_target()).classification == "PARTIAL"


def test_three_regular_rungs_give_the_order_and_a_small_uncertainty(run: Run) -> None:
    for scale in (0.5, 1.0, 2.0):
        run.scalar(101 + 4 / scale**2, scale=scale)
    found = run.judge(scalar_target())
    assert found.observed_order == pytest.approx(2, abs=1e-6)
    assert found.uncertainty == pytest.approx(1.25 * 1.0)  # the true error of the finest is 1 %
    assert [rung.value for rung in found.rungs] == [117, 105, 102]


@pytest.mark.parametrize("order", [0.7, 1.0, 2.0])
def test_richardson_covers_the_true_error_at_uneven_scales(order: float) -> None:
    scales = [1.0, 1.4, 2.5]
    found = scalar_convergence(scales, [7 + 0.3 / s**order for s in scales])
    assert found.observed_order == pytest.approx(order, abs=1e-6)
    assert found.uncertainty == pytest.approx(1.25 * 0.3 / 2.5**order, rel=1e-6)


def test_irregular_rungs_keep_their_spread() -> None:
    found = scalar_convergence([0.5, 1, 2], [10.0, 12.0, 11.0])
    assert (found.uncertainty, found.observed_order) == (2.0, None)


def test_irregular_rungs_forget_their_coarse_beginning_as_the_pixel_shrinks() -> None:
    """One bad coarse rung was the uncertainty for ever: 30 % of a value that no longer moved by one."""
    found = scalar_convergence([1, 1.5, 2.25, 3.4], [13.0, 10.0, 10.2, 10.1])
    assert (
        found.uncertainty == pytest.approx(2.9 / 3.4) and "last three" in found.method
    )  # 2.9 off at 3.4 times the pixel
    assert scalar_convergence([1, 1.5, 2.25, 3.4], [10.5, 10.0, 10.4, 10.1]).uncertainty == pytest.approx(0.4)
    assert curve_convergence([1, 1.5, 2.25, 3.4], [6.0, 1.0, 1.1]).uncertainty == pytest.approx(6.0 / 3.4)
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):  # errors without an order that shrink with the pixel: the truth, 0, lies within
        scales = 1.4 ** np.arange(6)
        values = rng.uniform(-1, 1, 6) / scales
        held += abs(values[-1]) <= (scalar_convergence(list(scales), list(values)).uncertainty or 0)
    assert held >= 0.95 * 400


def test_a_sequence_that_turned_is_irregular_also_where_its_last_two_steps_go_one_way() -> None:
    """Its last two steps look like order 2 and leave 0.1; what came before says that they may not be believed."""
    found = scalar_convergence([1, 2, 4, 8], [10.0, 11.6, 11.2, 11.1])
    assert found.observed_order is None and found.method.startswith("irregular")
    assert found.uncertainty == pytest.approx(0.5)  # the spread of the last three, more than 1.25 * 0.1 / 3
    slow = scalar_convergence([1, 1.4, 2, 2.8], [10.0, 10.1, 9.1, 8.3])
    assert slow.observed_order is None and (slow.uncertainty or 0) > 3, (
        "no less than what they leave with their order"
    )


@pytest.mark.parametrize("ratio", [1.3, 2.0, 2.5, 3.0, 10.0])
def test_two_grids_are_never_nearer_to_the_truth_than_to_each_other(ratio: float) -> None:
    """At three times the resolution half of the difference was stated."""
    assert (scalar_convergence([1, ratio], [10.0, 11.0]).uncertainty or 0) >= 1
    assert (curve_convergence([1, ratio], [1.0]).uncertainty or 0) >= 1


def test_the_sampling_of_a_curve_is_no_part_of_its_grids_error() -> None:
    """What the spacing of the samples leaves open was called resolution."""
    found = with_sampling(
        scalar_target(),
        scalar_convergence([0.5, 1], [101.0, 100.5]),
        0.2,
        ReferenceValue(100.0, "t"),
        limits_for(scalar_target(), "default", ReferenceValue(100.0, "t"), False),
        [],
    )
    reasons: list[str] = []
    with_parts(
        scalar_target(),
        found,
        [("absorber", 100.5, 100.6)],
        ReferenceValue(100.0, "t"),
        limits_for(scalar_target(), "default", ReferenceValue(100.0, "t"), False),
        reasons,
    )
    assert reasons == ["Numerical uncertainty in parts: resolution 0.5, sampling 0.2, absorber 0.1."]


def test_only_what_trusted_code_solved_and_measured_is_extrapolated() -> None:
    """A script writes its own coarse values; what a designer's function gives is tried on the finest grid alone."""
    values = (1.4, 1.2, 1.1, 1.05)

    def found(
        described: bool, code: str, scales: tuple[float, ...] = (0.125, 0.25, 0.5, 1.0)
    ) -> float | None:
        rungs = [
            SimpleNamespace(
                scale=scale,
                value=value,
                curve=None,
                executions=(SimpleNamespace(described=described, resolution_scale=scale),),
            )
            for scale, value in zip(scales, values, strict=True)
        ]
        quantity = SimpleNamespace(answers=("t",), code=code, formal_order=1.0)
        outputs = SimpleNamespace(study=SimpleNamespace(quantities=(quantity,)))
        limit = limit_of(outputs, SimpleNamespace(target_id="t"), rungs)  # type: ignore[arg-type]
        return None if limit is None else float(limit.value)  # type: ignore[arg-type]

    assert (
        found(True, "") == pytest.approx(1.0) and found(False, "") is None and found(True, "lambda") is None
    )


def test_curve_convergence_of_second_order() -> None:
    found = curve_convergence([0.5, 1, 2], [12.0, 3.0])
    assert found.observed_order == pytest.approx(2)
    assert found.uncertainty == pytest.approx(1.25)
    assert curve_convergence([0.5, 1, 2], [1.0, 3.0]).uncertainty == 3


def test_a_constant_is_not_a_computed_value(run: Run) -> None:
    for scale in (0.5, 1.0):
        run.scalar(101.3, scale=scale)
    found = run.judge(scalar_target())
    assert not found.computed and found.classification == "FAILURE"
    assert any("identical at all resolutions" in reason for reason in found.reasons)


def test_the_papers_own_value_is_recognised(run: Run) -> None:
    run.scalar(100.4, scale=0.5)
    run.scalar(100.0)
    found = run.judge(scalar_target())
    assert not found.computed and found.classification == "FAILURE"
    assert any("copied" in reason for reason in found.reasons)


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"exit_code": 1}, "did not end well"), ({"complete": False}, "did not end well"),
     ({"meep_runs": (MEEP.model_copy(update={"time_steps": 0}),)}, "Meep did not run")],
)  # fmt: skip
def test_what_did_not_run_or_was_not_computed_fails(run: Run, change: dict[str, object], reason: str) -> None:
    run.scalar(101.0, scale=0.5)
    run.scalar(100.5, **change)
    found = run.judge(scalar_target())
    assert found.classification == "FAILURE"
    assert any(reason in text for text in found.reasons)


def test_failed_physics_fails_the_target(run: Run) -> None:
    run.scalar(101.0, scale=0.5)
    run.scalar(100.5)
    found = run.judge(scalar_target(), physical=False)
    assert found.matches and found.classification == "FAILURE"


def test_a_missing_or_ambiguous_answer_fails_with_its_reason(run: Run) -> None:
    nothing = run.judge(scalar_target(), drawn=True)
    assert nothing.ran is False and (run.root / str(nothing.overlay)).stat().st_size > 5000
    run.scalar(100.5)
    run.scalar(100.6)
    found = run.judge(scalar_target())
    assert found.classification == "FAILURE"
    assert any("Several datasets" in reason for reason in found.reasons)


def test_a_changed_file_is_no_evidence(run: Run) -> None:
    run.scalar(101.0, scale=0.5)
    last = run.scalar(140.0)
    path = run.root / last.datasets[0].file.path
    path.write_text(path.read_text().replace("140.0", "100.5"))
    found = run.judge(scalar_target())
    assert found.classification == "FAILURE" and found.simulated is None
    assert any("File changed after the run" in reason for reason in found.reasons)


def test_a_nan_gives_no_value_and_finite_evidence(run: Run) -> None:
    run.spectrum(dips(), scale=0.5)
    broken = dips()
    broken[7] = np.nan
    run.spectrum(broken)
    run.paper_table(wavelength_nm=WAVELENGTH_NM, T=dips())
    found = run.judge(curve_target())
    assert found.classification == "FAILURE" and found.error is None
    assert any("NaN or infinite" in reason for reason in found.reasons)


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "data/link.csv", "data/none.csv"])
def test_references_stay_inside_the_papers_folder(run: Run, name: str) -> None:
    run.paper_table(wavelength_nm=WAVELENGTH_NM, T=dips())
    run.paper_table("../secret.csv", wavelength_nm=WAVELENGTH_NM, T=dips())
    (run.paper_dir / "data/link.csv").symlink_to(run.folder / "secret.csv")
    run.spectrum(dips(scale=0.98), scale=0.5)
    run.spectrum(dips(scale=0.99))
    reference = curve_target().reference.model_copy(update={"file": name})
    found = run.judge(curve_target(reference=reference))
    assert found.classification == "FAILURE"
    assert found.nrms_percent is None


def test_a_feature_is_taken_alike_from_paper_and_simulation(run: Run) -> None:
    run.paper_table(wavelength_nm=WAVELENGTH_NM, T=dips())
    reference = Reference(
        kind="feature",
        file="data/fig2.csv",
        x_column="wavelength_nm",
        y_column="T",
        feature="minimum_position",
    )
    target = scalar_target(
        target_id="fig2_T", quantity="peak_position", unit="um", x_unit="nm", x_range=(1570, 1600)
    )
    target = target.model_copy(update={"reference": reference})
    run.spectrum(dips(shift=2.5), scale=0.5)
    run.spectrum(dips(shift=2))
    found = run.judge(target)
    assert found.reference == pytest.approx(1.580, abs=1e-4)
    assert found.simulated == pytest.approx(1.582, abs=1e-4)
    assert found.classification == "SUCCESS"
    edge = run.judge(target.model_copy(update={"x_range": (1582, 1600)}))
    assert edge.classification == "FAILURE"
    assert any("edge" in reason for reason in edge.reasons)


def test_a_bare_surface_is_no_target(run: Run) -> None:
    run.spectrum(np.full(WAVELENGTH_NM.size, 0.04))
    found = run.judge(curve_target(reference=Reference(kind="fresnel", material="glass"), quantity="curve"))
    assert found.classification == "FAILURE" and any(
        "bare surface is no target" in reason for reason in found.reasons
    )


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [(1550, "nm", "um", 1.55), (1.55, "µm", "m", 1.55e-6), (1550, "nm", "THz", 193.414489),
     (193.414489, "THz", "nm", 1550), (1, "c/um", "nm", 1000), (0.8, "eV", "nm", 1549.802),
     (45, "%", "1", 0.45),
     (10000, "cm^-1", "um", 1), (0.3, "c/a", "c/a", 0.3), (180, "deg", "rad", np.pi)],
)  # fmt: skip
def test_unit_conversion(value: float, unit: str, wanted: str, expected: float) -> None:
    assert float(convert(value, unit, wanted)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("unit", "wanted"), [("c/a", "THz"), ("nm", "1"), ("a.u.", "1"), ("deg", "nm")])
def test_units_that_measure_different_things_are_refused(unit: str, wanted: str) -> None:
    with pytest.raises(UnitError, match="cannot be converted"):
        convert(1.0, unit, wanted)


def test_every_negative_control_is_refused(run: Run) -> None:
    run.paper_table(wavelength_nm=WAVELENGTH_NM, T=dips())
    target = curve_target()
    found = controls(
        run.outputs, a_stage(target), target,
        root=run.root, paper_dir=run.paper_dir, profile="default", materials={},
    )  # fmt: skip
    assert {check.level for check in found} == {"pass"}
    names = {check.name.removeprefix("control: ") for check in found}
    assert {"empty submission", "the paper's values echoed", "shuffled", "constant mean"} < names
    assert {"displaced along x", "displaced along y"} < names


def test_a_comparison_that_cannot_tell_is_rejected() -> None:
    target = scalar_target()
    vague = ReferenceValue(100.0, "a guess", error_percent=60.0)
    found = run_controls(target, "stage1", vague, limits_for(target, "default", vague, False))
    levels = {check.name.removeprefix("control: "): check.level for check in found}
    assert levels["empty submission"] == levels["the paper's values echoed"] == "pass"
    assert levels["displaced upwards"] == levels["displaced downwards"] == "fail"


def test_a_numbers_plot_says_where_the_reference_comes_from(run: Run) -> None:
    run.scalar(112.0, scale=0.5)
    run.scalar(110.0)
    found, missing = run.judge(scalar_target()), run.judge(scalar_target(target_id="other"))
    for evidence, said in ((found, "110 / exact theory"), (missing, "no value")):
        (axes,) = target_figure(scalar_target(), evidence, (), None, "exact theory").axes
        words = " ".join(text.get_text() for text in (*axes.get_yticklabels(), *axes.texts, axes.xaxis.label))
        assert said in words and "paper" not in words
