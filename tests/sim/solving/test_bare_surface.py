"""Stage 0 by code: a fitted material's bare surface reflects as its table says, and a wrong fit is found with its numbers."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from schemas.reproduce.planning.thresholds import threshold
from tasks.files.store import Store
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.prepare_materials import prepare_material
from tasks.reproduce.solving.bare_surface import bare_surface
from tasks.reproduce.solving.one_run import Budget, Solver

pytestmark = pytest.mark.sim
LIMIT = threshold("default", "efficiency")
GOLD = MaterialChoice(
    name="gold", page="main/Au/Johnson", band_um=(0.65, 0.9), reason="common", source="not stated"
)


def test_a_fit_passes_and_a_wrong_one_fails_with_its_part_of_the_error(tmp_path: Path) -> None:
    store = Store(tmp_path / "out")
    record = prepare_material(GOLD, store=store, run_dir=tmp_path, meep_python=None, with_alternatives=False)
    good = bare_surface(record, Solver(store, find_meep(), Budget(60)), tmp_path, LIMIT)
    assert good.status == "passed" and good.difference is not None and abs(good.difference) < 0.01
    assert good.file is not None and good.plot is not None and (tmp_path / good.plot.path).is_file()
    table = pd.read_csv(tmp_path / good.file.path)
    assert (
        table.wavelength_um.is_monotonic_increasing
        and (table.R_FDTD - table.R_Fresnel_constants).abs().max() < 0.01
    )
    assert table.R_Fresnel_constants.between(0.95, 0.99).all()  # gold, Johnson and Christy

    lossy = record.model_copy(
        update={"poles": tuple(p.model_copy(update={"gamma": 20 * p.gamma}) for p in record.poles)}
    )
    bad = bare_surface(lossy, Solver(store, find_meep(), Budget(60)), tmp_path, LIMIT)
    assert (
        bad.status == "failed"
        and bad.fit_part is not None
        and bad.grid_part is not None
        and bad.allowed is not None
    )
    assert abs(bad.difference or 0) > bad.allowed and bad.fit_part > 5 * bad.grid_part
    assert "differs from Fresnel" in bad.words() and f"allowed {bad.allowed:.2g}" in bad.words()


def test_a_dye_is_transparent_beside_its_line_and_its_half_space_ends_in_the_absorber(tmp_path: Path) -> None:
    """Light would go hundreds of wavelengths into it; the run did not end within its bound."""
    numbers = (("resonance", 2.101, "eV"), ("damping", 25, "meV"), ("delta_eps", 0.06, "1"))
    dye = MaterialChoice(
        name="dye",
        band_um=(0.55, 0.66),
        reason="a dye",
        source="the paper",
        terms=(  # type: ignore[arg-type]
            {"kind": "eps_inf", "numbers": [{"name": "value", "value": 2.6244}]},
            {"kind": "lorentz", "numbers": [{"name": n, "value": v, "unit": u} for n, v, u in numbers]},
        ),
    )
    store = Store(tmp_path / "out")
    record = prepare_material(dye, store=store, run_dir=tmp_path, meep_python=None, with_alternatives=False)
    found = bare_surface(record, Solver(store, find_meep(), Budget(60)), tmp_path, LIMIT)
    assert found.status == "passed" and found.cpu_s < 20, found.words()


def test_nothing_is_simulated_where_nothing_was_fitted(tmp_path: Path) -> None:
    solver = Solver(Store(tmp_path), find_meep(), Budget(0))
    glass = MaterialRecord(name="glass", index=1.5, band_um=(0.4, 0.7))
    crystal = MaterialRecord(
        name="crystal", description="along x, y, z", band_um=(0.4, 0.7), axes=(glass, glass, glass)
    )
    for record in (glass, crystal):
        found = bare_surface(record, solver, tmp_path, LIMIT)
        assert found.status == "not simulated" and found.reason and not found.runs


def test_a_check_without_time_fails_in_words(tmp_path: Path) -> None:
    record = prepare_material(
        GOLD, store=Store(tmp_path), run_dir=tmp_path, meep_python=None, with_alternatives=False
    )
    found = bare_surface(record, Solver(Store(tmp_path), find_meep(), Budget(0)), tmp_path, LIMIT)
    assert found.status == "failed" and "CPU time are foreseen, 0 s are left" in found.words()
