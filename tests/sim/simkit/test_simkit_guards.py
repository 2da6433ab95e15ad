"""What must not run on silently: growth, NaN, and geometry that Meep accepts without a word."""

from __future__ import annotations

import csv

import pytest

from tests.sim.simkit.simkit_script import need_meep, run_script

pytestmark = pytest.mark.sim


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


def test_a_metal_in_the_pml_is_stopped_early_and_named(tmp_path):
    done = run_script(
        tmp_path,
        """
        cell = mp.Vector3(2, 3)
        sim = mp.Simulation(cell_size=cell, resolution=20, k_point=mp.Vector3(), boundary_layers=[mp.PML(0.7, direction=mp.Y)],
            geometry=[sk.half_space(cell, "y", run.medium("gold"), start=0)],
            sources=[mp.Source(mp.GaussianSource(1.6, fwidth=0.6), mp.Hz, mp.Vector3(y=-0.5), size=mp.Vector3(0.3))])
        sim.run(until=2000)
        """,
    )
    assert done.code != 0 and "FieldGrowth" in done.stderr and "touches a PML" in done.stderr
    [simulation] = done.manifest["simulations"]
    assert simulation["meep_time"] < 1000 and simulation["stop"]["met"] is False
    assert any("metal inside the PML" in c["detail"] for c in done.manifest["checks"])
    assert "field_history.png" in {p["file"] for p in done.manifest["pictures"]}
    with (done.folder / "field_history.csv").open() as stream:
        values = [float(r["largest_E"]) for r in csv.DictReader(stream)]
    assert values[-1] > 1e4 * values[0]


def test_slow_growth_in_a_medium_with_gain_is_stopped(tmp_path):
    done = run_script(
        tmp_path,
        """
        gain = mp.Medium(epsilon=2, E_susceptibilities=[mp.LorentzianSusceptibility(frequency=1, gamma=0.1, sigma=-0.002)])
        sim = mp.Simulation(cell_size=mp.Vector3(z=2), dimensions=1, resolution=20, default_material=gain, k_point=mp.Vector3(),
            sources=[mp.Source(mp.GaussianSource(1, fwidth=0.5), mp.Ex, mp.Vector3(z=0.13))])
        sim.run(until=5000)
        """,
    )
    assert done.code != 0 and "FieldGrowth" in done.stderr and "with all sources off" in done.stderr
    assert done.manifest["simulations"][0]["meep_time"] < 3000


def test_nan_is_reported_as_field_growth(tmp_path):
    done = run_script(
        tmp_path,
        """
        sim = mp.Simulation(cell_size=mp.Vector3(2, 2), resolution=10,
            sources=[mp.Source(mp.GaussianSource(1, fwidth=0.5), mp.Ez, mp.Vector3(), amplitude=float("nan"))])
        sim.run(until=200)
        """,
    )
    assert done.code != 0 and "FieldGrowth" in done.stderr and "NaN" in done.stderr
    assert len(done.manifest["simulations"]) == 1


def test_a_lossless_cavity_with_beating_modes_is_not_called_growth(tmp_path):
    done = run_script(
        tmp_path,
        """
        sim = mp.Simulation(cell_size=mp.Vector3(2, 2), resolution=10,
            sources=[mp.Source(mp.GaussianSource(1, fwidth=1), mp.Ez, mp.Vector3(0.13, 0.21))])
        sim.run(until=1500)
        run.scalar("t", [("t", "time", "um/c", sim.meep_time())])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr


def test_helpers_clip_to_the_cell_and_refuse_what_lies_outside(tmp_path):
    done = run_script(
        tmp_path,
        """
        cell = mp.Vector3(2, 4)
        block = sk.layer(cell, "y", 1.5, 5.0, mp.Medium(index=2))
        [cut] = sk.clip([mp.Block(size=mp.Vector3(mp.inf, 10, mp.inf), center=mp.Vector3(y=5), material=mp.Medium(index=2))], cell)
        run.scalar("edges", [("top", "y", "um", block.center.y + block.size.y / 2),
                             ("bottom", "y", "um", block.center.y - block.size.y / 2),
                             ("cut_low", "y", "um", cut.center.y - cut.size.y / 2),
                             ("cut_high", "y", "um", cut.center.y + cut.size.y / 2)])
        run.finish()
        sk.layer(cell, "y", 2.5, 1.0, mp.Medium(index=2))
        """,
    )
    edges = {name: values[0] for name, values in done.table("edges").items()}
    assert edges == pytest.approx({"top": 2.0, "bottom": 1.5, "cut_low": 0.0, "cut_high": 2.0})
    assert done.code != 0 and "no part inside the cell" in done.stderr


def test_geometry_findings_name_the_object_and_the_place(tmp_path):
    done = run_script(
        tmp_path,
        """
        glass = mp.Medium(index=2)
        sim = mp.Simulation(cell_size=mp.Vector3(2, 4), resolution=10, k_point=mp.Vector3(), boundary_layers=[mp.PML(1, direction=mp.Y)],
            geometry=[mp.Block(size=mp.Vector3(mp.inf, 3, mp.inf), center=mp.Vector3(y=2), material=glass),
                      mp.Block(size=mp.Vector3(1, 1, mp.inf), center=mp.Vector3(y=-0.05), material=glass)],
            sources=[mp.Source(mp.GaussianSource(1, fwidth=0.5), mp.Ez, mp.Vector3(y=-1.5), size=mp.Vector3(2))])
        sim.add_flux(1, 0.1, 3, mp.FluxRegion(center=mp.Vector3(y=1.2), size=mp.Vector3(2)))
        sk.check_geometry(run, sim)
        """,
    )
    details = " | ".join(c["detail"] for c in done.manifest["checks"])
    assert "object 0 (Block) reaches beyond the cell along y (0.5 .. 3.5, cell -2 .. 2)" in details
    assert "source 0 lies in the PML" in details and "monitor 0 region 0 lies in the PML" in details
    assert "objects 0 and 1 abut or leave a gap of 0.05 um" in details
    assert "5.0 pixels per wavelength in the densest medium (n = 2.00" in details


def test_unstable_poles_are_predicted_and_a_passive_fit_passes(tmp_path):
    done = run_script(
        tmp_path,
        """
        run.scalar("gold", [("rate", "growth", "c/um", sk.check_stable(run.medium("gold"), 200, 0.5, 3))])
        silver = mp.Medium(epsilon=0.01, E_susceptibilities=[mp.DrudeSusceptibility(frequency=1, gamma=0.02, sigma=50)])
        sk.check_stable(silver, 50, 0.5, 2)
        """,
    )
    assert done.table("gold")["rate"][0] < 1e-4
    assert done.code != 0 and "MaterialError" in done.stderr and "grows at" in done.stderr


def test_a_metal_may_touch_an_absorber_but_not_a_pml_through_the_periodic_boundary(tmp_path):
    done = run_script(
        tmp_path,
        """
        gold, cell = run.medium("gold"), mp.Vector3(1, 4)
        source = [mp.Source(mp.GaussianSource(1.6, fwidth=0.2), mp.Ez, mp.Vector3())]
        for layers in ([mp.Absorber(1, direction=mp.Y)], [mp.PML(1, direction=mp.Y, side=mp.Low)]):
            sim = mp.Simulation(cell_size=cell, resolution=40, k_point=mp.Vector3(), sources=source, boundary_layers=layers,
                                geometry=[sk.layer(cell, "y", 1.5, 0.5, gold)])
            sk.check_geometry(run, sim)
        """,
    )
    assert done.code == 0, done.stderr
    counts = [c["value"] for c in done.manifest["checks"] if c["name"] == "geometry_findings"]
    details = " | ".join(c["detail"] for c in done.manifest["checks"])
    assert counts == [0.0, 1.0] and "touching the PML through the periodic boundary" in details


def test_a_pulse_coming_to_a_focus_is_not_called_growth(tmp_path):
    done = run_script(
        tmp_path,
        """
        mirror = [mp.Block(size=mp.Vector3(40, 40, mp.inf), material=mp.metal),
                  mp.Ellipsoid(size=mp.Vector3(36, 34, mp.inf), material=mp.air)]
        focus = (18**2 - 17**2) ** 0.5
        sim = mp.Simulation(cell_size=mp.Vector3(40, 40), resolution=8, geometry=mirror, eps_averaging=False,
                            sources=[mp.Source(mp.GaussianSource(0.8, fwidth=1.0), mp.Ez, mp.Vector3(focus))])
        sim.run(until=80)
        run.scalar("t", [("t", "time", "um/c", sim.meep_time())])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr


def test_a_rung_on_the_same_grid_is_no_rung(tmp_path):
    """Two rungs on one grid, silently, cost seven minutes and ended in "constants and formulas are no simulation"."""
    done = run_script(tmp_path, "run.resolution(2, multiple_of=2)", params={"resolution_scale": 0.5})
    assert done.code != 0 and "gives 2 pixels per um at resolution_scale 0.5 as it does at 1" in done.stderr


def test_long_waves_have_grids_below_a_pixel_per_micrometre(tmp_path):
    done = run_script(
        tmp_path,
        """
        run.scalar("grid", [("value", "resolution", "1", run.resolution(0.2))])
        run.finish()
        """,
        params={"resolution_scale": 0.5},
    )
    assert done.code == 0, done.stderr
    assert done.table("grid")["value"][0] == 0.1
