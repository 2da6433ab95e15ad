"""Maps against maps: fields, dispersion and parameter maps, from what the simulations saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from schemas.reproduce.planning.plan import Target
from tasks.reproduce.curves.maps import Map, NoCommonArea, compare_maps
from tasks.reproduce.evidence.overlay import target_figure
from tasks.reproduce.evidence.result_tables import write_values
from tasks.reproduce.judging.controls import controls
from tasks.reproduce.references.paper_value import ReferenceValue
from tests.unit.evidence.evidence_fixture import Run, a_stage

pytestmark = pytest.mark.unit
X, Y = np.linspace(-1, 1, 41), np.linspace(-2, 2, 61)


def mode(x: np.ndarray = X, y: np.ndarray = Y, shift: float = 0.0, width: float = 0.5) -> np.ndarray:
    """A Gaussian spot beside a weaker one of the other sign."""

    def spot(cx: float, cy: float) -> np.ndarray:
        return np.exp(-((x[:, None] - cx - shift) ** 2 + (y[None, :] - cy) ** 2) / width**2)

    return spot(0.3, 0.5) - 0.6 * spot(-0.4, -0.8)


def map_target(**changes: object) -> Target:
    reference = {
        "kind": "data",
        "file": "data/fig4.csv",
        "x_column": "x_um",
        "y_column": "y_um",
        "z_column": "Ez",
        **changes.pop("reference", {}),
    }  # type: ignore[dict-item]
    return Target.model_validate(
        {
            "target_id": "fig4_map",
            "figure_id": "fig4",
            "description": "Ez",
            "kind": "map",
            "quantity": "field_map",
            "x_unit": "um",
            "y_unit": "um",
            "reference": reference,
            **changes,
        }
    )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    found = Run(tmp_path)
    x, y = np.meshgrid(X, Y, indexing="ij")
    found.paper_table("data/fig4.csv", x_um=x.ravel(), y_um=y.ravel(), Ez=mode().ravel())
    return found


def _both(run: Run, z: np.ndarray, x: np.ndarray = X, y: np.ndarray = Y, **more: object) -> None:
    run.field(x, y, z * 0.995, scale=0.5, **more)  # type: ignore[arg-type]
    run.field(x, y, z, **more)  # type: ignore[arg-type]


def test_a_map_on_another_grid_and_in_another_unit_succeeds(run: Run) -> None:
    x, y = np.linspace(-1.2, 1.2, 97), np.linspace(-2.2, 2.2, 111)
    _both(run, 1.02 * mode(x, y, shift=0.01), 1000 * x, 1000 * y, units=("nm", "nm", "1"))
    found = run.judge(map_target(), drawn=True)
    assert found.classification == "SUCCESS", found.reasons
    assert found.overlap == 1 and found.pearson is not None and found.pearson > 0.99
    assert found.converged and found.uncertainty == pytest.approx(0.1, abs=0.2)
    with Image.open(run.root / str(found.overlay)) as picture:
        assert picture.width > 900


ORIGINS = ("paper", "exact theory", "paper's numbers", "digitised from the paper", "supplied", "computed")


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_map_and_its_table_say_where_the_reference_comes_from(
    run: Run, tmp_path: Path, origin: str
) -> None:
    _both(run, mode())
    evidence, target = run.judge(map_target()), map_target()
    ours, theirs = Map(X, Y, mode()), ReferenceValue(Map(X, Y, 1.01 * mode()), "a table")
    for reference, title in ((theirs, origin), (None, "reference")):
        figure = target_figure(target, evidence, ((1.0, ours),), reference, origin)
        assert [axes.get_title() for axes in figure.axes[:3]] == [title, "simulation", "difference"]
        path = write_values(target, ((1.0, ours),), reference, origin, tmp_path)
        assert path is not None
        columns = ["x", "y", *([origin] if reference else []), "simulation"]
        assert list(pd.read_csv(path).columns) == columns
    assert figure.axes[0].texts[0].get_text() == "no reference"


def test_a_field_of_free_amplitude_is_scaled_only_if_the_plan_said_so(run: Run) -> None:
    _both(run, -7 * mode(shift=0.001))
    assert run.judge(map_target()).classification == "FAILURE"
    assert run.judge(map_target(amplitude="arbitrary")).classification == "FAILURE"
    found = run.judge(map_target(amplitude="arbitrary_with_sign"))
    assert found.classification == "SUCCESS" and found.scale == pytest.approx(-1 / 7, rel=0.01)
    assert any("amplitude free" in reason for reason in found.reasons)


def test_another_pattern_fails_and_a_displaced_maximum_is_named(run: Run) -> None:
    _both(run, mode(shift=0.6))
    found = run.judge(map_target())
    assert found.classification == "FAILURE"
    assert any("maximum lies at (0.9" in reason for reason in found.reasons)


def test_a_map_that_moves_with_the_grid_is_not_converged(run: Run) -> None:
    run.field(X, Y, mode(width=0.8), scale=0.5)
    run.field(X, Y, mode(width=0.51))
    found = run.judge(map_target())
    assert found.matches and not found.converged and found.classification == "PARTIAL"


def test_half_the_area_is_no_success_and_a_plan_that_asks_for_it_says_so(run: Run) -> None:
    _both(run, 1.01 * mode(X, Y[:45]), X, Y[:45])
    found = run.judge(map_target())
    assert found.classification == "PARTIAL" and found.overlap == pytest.approx(45 / 61)
    asked = run.judge(map_target(y_range=[-2, 0.9]))
    assert asked.classification == "PARTIAL" and any(
        "SUCCESS needs 80 %" in reason for reason in asked.reasons
    )


def test_a_matrix_is_read_and_a_wrong_one_refused(run: Run) -> None:
    run.paper_table("data/fig4.csv", **{"x_um": X, **{f"{y:.6f}": mode()[:, j] for j, y in enumerate(Y)}})
    _both(run, 1.01 * mode())
    target = map_target(reference={"z_column": "", "y_column": "y_um"})
    assert run.judge(target).classification == "SUCCESS"
    bad = run.judge(map_target())
    assert bad.classification == "FAILURE" and any("no column y_um" in reason for reason in bad.reasons)


def test_a_sweep_of_spectra_is_a_dispersion_map_whichever_way_round(run: Run) -> None:
    angles, wavelength = np.linspace(0, 40, 9), np.linspace(500, 700, 101)
    z = np.exp(-(((wavelength[:, None] - 560 - angles[None, :]) / 20) ** 2))
    a, w = np.meshgrid(angles, wavelength)
    run.paper_table("data/fig4.csv", angle_deg=a.ravel(), wavelength_nm=w.ravel(), R=z.ravel())
    for scale in (0.5, 1.0):
        for number, angle in enumerate(angles):
            columns = [
                ("wavelength", "wavelength", "nm", wavelength),
                ("R", "reflectance", "1", z[:, number] * (1 + 0.01 / scale)),
            ]
            run.add(columns, scale=scale, targets={"R": "fig4_map"}, point=(("angle_deg", float(angle)),))
    names = {"x_column": "angle_deg", "y_column": "wavelength_nm", "z_column": "R"}
    found = run.judge(map_target(reference=names, x_unit="deg", y_unit="nm"))
    assert found.classification == "SUCCESS", found.reasons


def test_a_sweep_over_two_parameters_is_a_map(run: Run) -> None:
    periods, heights = np.linspace(300, 500, 6), np.linspace(50, 150, 5)
    p, h = np.meshgrid(periods, heights, indexing="ij")
    value = np.sin(p / 60) * np.cos(h / 40)
    run.paper_table("data/fig4.csv", period_nm=p.ravel(), height_nm=h.ravel(), T=value.ravel())
    for scale in (0.5, 1.0):
        for one, other, T in zip(p.ravel(), h.ravel(), value.ravel(), strict=True):
            run.add([("T", "transmittance", "1", [T * (1 + 0.01 / scale)])], scale=scale, kind="scalar",
                    targets={"T": "fig4_map"}, point=(("period_nm", float(one)), ("height_nm", float(other))))  # fmt: skip
    names = {"x_column": "period_nm", "y_column": "height_nm", "z_column": "T"}
    found = run.judge(map_target(reference=names, x_unit="nm", y_unit="nm"))
    assert found.classification == "SUCCESS", found.reasons


@pytest.mark.parametrize("amplitude", ["absolute", "arbitrary_with_sign"])
def test_every_wrong_map_is_refused(run: Run, amplitude: str) -> None:
    target = map_target(amplitude=amplitude)
    found = controls(
        run.outputs,
        a_stage(target),
        target,
        root=run.root,
        paper_dir=run.paper_dir,
        profile="default",
        materials={},
    )
    names = {check.name.removeprefix("control: ") for check in found}
    assert {
        "empty submission",
        "the paper's values echoed",
        "shuffled",
        "constant mean",
        "displaced along x",
        "displaced along y",
    } <= names
    assert {check.level for check in found} == {"pass"}


def test_a_copied_map_was_not_computed(run: Run) -> None:
    run.field(X, Y, mode() * 1.01, scale=0.5)
    run.field(X, Y, mode())
    found = run.judge(map_target())
    assert not found.computed and found.classification == "FAILURE"


def test_useless_maps_fail_with_a_reason_and_never_raise(run: Run) -> None:
    for z, x in ((np.full((41, 61), np.nan), X), (mode()[:1], X[:1]), (mode(), X + 50), (mode().astype(complex), X),
                 (mode()[:, :5], X)):  # fmt: skip
        other = Run(run.folder)
        for scale in (0.5, 1.0):
            other.field(x, Y, z, scale=scale)
        found = other.judge(map_target(), drawn=True)
        assert found.classification == "FAILURE" and found.reasons and found.overlay


def test_points_that_are_no_grid_are_refused() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="no grid"):
        Map.of_points(rng.random(50), rng.random(50), rng.random(50))
    with pytest.raises(ValueError, match="twice"):
        Map.of_points([0, 0, 0, 1], [0, 0, 1, 1], [1, 2, 3, 4])
    with pytest.raises(NoCommonArea, match="are in both"):
        compare_maps(Map.of(X + 9, Y, mode()), Map.of(X, Y, mode()))


def test_ends_that_differ_by_rounding_are_inside() -> None:
    found = Map.of(np.array([0.18, 0.2, 0.22]) * 1000, [0.0, 1.0, 2.0], np.ones((3, 3)))
    there = found.at(np.array([180, 200, 220 * (1 + 1e-12)]), np.array([-1e-12, 1.0, 2.0]))
    assert np.all(np.isfinite(there)) and np.isnan(found.at(np.array([220.01]), np.array([1.0]))).all()
