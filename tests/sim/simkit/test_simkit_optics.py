"""simkit's measurements against exact theory, at sizes that take a second each."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import h1vp, hankel1, jv, jvp

from tests.sim.simkit.simkit_script import GERMANIUM, GOLD, epsilon, need_meep, run_script, stack_rt

pytestmark = pytest.mark.sim

SAVE = """
run.spectrum("rt", ("f", "frequency", "c/um", r.frequency), [("R", "reflectance", "1", r.R), ("T", "transmittance", "1", r.T)])
run.finish()
"""


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


def _rt(tmp_path, call: str) -> dict[str, np.ndarray]:
    done = run_script(tmp_path, f"r = {call}\n{SAVE}")
    assert done.code == 0, done.stderr
    assert done.manifest["complete"] and all(s["stop"]["met"] for s in done.manifest["simulations"])
    return done.table("rt")


def test_bare_interface_gives_fresnel(tmp_path):
    found = _rt(
        tmp_path, "sk.planewave_rt(run, [], substrate='glass', band_um=(0.5, 0.8), nfreq=31, resolution=200)"
    )
    assert found["R"] == pytest.approx(((1.52 - 1) / (1.52 + 1)) ** 2, abs=2e-4)
    assert found["R"] + found["T"] == pytest.approx(1.0, abs=1e-4)


def test_antireflection_coat_that_is_not_a_whole_number_of_pixels(tmp_path):
    thickness = 0.55 / 4 / 1.38
    found = _rt(
        tmp_path,
        f"sk.planewave_rt(run, [(1.38, {thickness})], substrate='glass', band_um=(0.4, 0.75), nfreq=41, resolution=80)",
    )
    R, _ = stack_rt([1, 1.38, 1.52], [thickness], found["f"])
    assert found["R"] == pytest.approx(R, abs=1e-3)


@pytest.mark.long
def test_bragg_mirror_against_the_transfer_matrix(tmp_path):
    high, low = 0.25 / 2.32, 0.25 / 1.45
    films = [(2.32, high), (1.45, low)] * 4 + [(2.32, high)]
    found = _rt(
        tmp_path,
        f"sk.planewave_rt(run, {films}, substrate='glass', band_um=(0.8, 1.3), nfreq=61, resolution=160)",
    )
    R, T = stack_rt([1, *(n for n, _ in films), 1.52], [d for _, d in films], found["f"])
    assert np.abs(found["R"] - R).max() < 0.02
    assert np.abs(found["T"] - T).max() < 0.02
    assert found["R"].max() == pytest.approx(R.max(), abs=1e-3)


@pytest.mark.parametrize(("nm", "resolution"), [(15, 200), pytest.param(10, 210, marks=pytest.mark.long)])
def test_germanium_on_gold_minimum_within_half_a_percent(tmp_path, nm, resolution):
    found = _rt(
        tmp_path,
        f"sk.planewave_rt(run, [('germanium', {nm / 1000})], substrate='gold', band_um=(0.5, 0.8), nfreq=121,"
        f" resolution={resolution})",
    )
    index = [np.sqrt(epsilon(m, found["f"])) for m in (GERMANIUM, GOLD)]
    R, _ = stack_rt([1, *index], [nm / 1000], found["f"])
    assert 1 / found["f"][found["R"].argmin()] == pytest.approx(1 / found["f"][R.argmin()], rel=5e-3)
    assert np.abs(found["R"] - R).max() < 0.02
    assert np.abs(found["T"]).max() < 1e-4


def test_whole_pixels_are_demanded_with_the_resolutions_that_fit(tmp_path):
    done = run_script(
        tmp_path, "sk.planewave_rt(run, [('germanium', 0.015)], substrate='gold', resolution=190, whole=True)"
    )
    assert done.code != 0 and "2.8500 pixels" in done.stderr and "200" in done.stderr


@pytest.mark.parametrize(
    ("component", "polarisation"), [pytest.param("mp.Ez", 0, marks=pytest.mark.long), ("mp.Hz", 1)]
)
def test_cylinder_scattering_against_partial_waves(tmp_path, component, polarisation):
    done = run_script(
        tmp_path,
        f"""
        r = sk.scattering_box_2d(run, [mp.Cylinder(0.25, material=mp.Medium(index=1.55))], (0.58, 0.70), 0.5, {component},
                                 nfreq=5, resolution=50, mirror_y=True)
        run.spectrum("q", ("f", "frequency", "c/um", r.frequency), [("sca", "efficiency", "1", r.Q_sca), ("abs", "efficiency", "1", r.Q_abs)])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr
    found = done.table("q")
    exact = np.array([_cylinder(1.55, 2 * np.pi * 0.25 * f)[polarisation] for f in found["f"]])
    assert found["sca"] == pytest.approx(exact, rel=0.03)
    assert found["abs"] == pytest.approx(0.0, abs=0.01)


def test_ring_resonance_frequency_and_quality_factor(tmp_path):
    done = run_script(
        tmp_path,
        """
        def ring():
            return mp.Simulation(cell_size=mp.Vector3(14, 14), resolution=run.resolution(10), boundary_layers=[mp.PML(2)],
                symmetries=[mp.Mirror(mp.Y)], geometry=[mp.Cylinder(2, material=mp.Medium(index=3.4)), mp.Cylinder(1)],
                sources=[mp.Source(mp.GaussianSource(0.118, fwidth=0.05), mp.Ez, mp.Vector3(1.1))])
        [mode] = sk.resonances(run, ring, mp.Ez, mp.Vector3(1.1), 0.118, 0.05)
        run.scalar("m3", [("f", "frequency", "c/a", mode.frequency), ("Q", "quality factor", "1", mode.Q), ("reliable", "flag", "1", float(mode.reliable))])
        none = sk.resonances(run, ring, mp.Ez, mp.Vector3(1.1), 0.09, 0.005, time=50)
        run.scalar("none", [("count", "count", "1", len(none))])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr
    m3 = done.table("m3")
    assert m3["f"][0] == pytest.approx(0.1181917, rel=3e-3)
    assert m3["Q"][0] == pytest.approx(77.255, rel=0.03)
    assert m3["reliable"][0] == 1.0 and done.table("none")["count"][0] == 0


def test_band_edges_of_a_square_lattice_of_rods(tmp_path):
    done = run_script(
        tmp_path,
        """
        rows = sk.bloch_modes(run, [mp.Cylinder(0.2, material=mp.Medium(epsilon=8.9))], mp.Vector3(1, 1),
                              [mp.Vector3(0.5, 0), mp.Vector3(0.5, 0.5)], mp.Ez, (0.2, 0.6), 32)
        run.bands("tm", ("k", "point", "1", [1, 2]), [[m.frequency for m in row] for row in rows], unit="c/a", count=2)
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr
    bands = done.table("tm")
    assert bands["band_1"][1] == pytest.approx(0.32241, rel=3e-3)  # M
    assert bands["band_2"][0] == pytest.approx(0.44251, rel=3e-3)  # X


def test_phase_grating_orders(tmp_path):
    done = run_script(
        tmp_path,
        """
        r = sk.grating_rt(run, 10, [sk.GratingLayer(0.5, 1.0, [sk.Ridge(0, 5, 1.5)])], incident=1.5, substrate=1.0,
                          band_um=(0.495, 0.505), nfreq=3, resolution=20, orders=3)
        run.scalar("orders", [(f"m{m}", "efficiency", "1", e[1]) for m, e in r.transmitted_orders.items() if m > 0])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr
    orders = done.table("orders")
    assert orders["m1"][0] == pytest.approx(0.38878, rel=0.02)  # RCWA; 0.4 % at resolution 40
    assert orders["m3"][0] == pytest.approx(0.04292, rel=0.03)


@pytest.mark.long
def test_surface_plasmon_with_the_interface_on_a_node(tmp_path):
    done = run_script(
        tmp_path,
        """
        metal = mp.Medium(epsilon=1, E_susceptibilities=[mp.DrudeSusceptibility(frequency=1, gamma=0, sigma=1)])
        cell, k, exact = mp.Vector3(0.1, 4), mp.Vector3(0.7), 0.5384502  # k = f sqrt(eps/(1 + eps)), eps = 1 - 1/f^2
        found = []
        for interface in ([], sk.dispersive_interface(cell, "y", 0.0, metal, mp.Medium(), 20)):
            def build():
                return mp.Simulation(cell_size=cell, resolution=20, k_point=k, eps_averaging=False,
                    geometry=[sk.half_space(cell, "y", metal, end=0), *interface],
                    sources=[mp.Source(mp.GaussianSource(exact, fwidth=0.1), mp.Hz, mp.Vector3(0.015, 0.11))])
            modes = sk.resonances(run, build, mp.Hz, mp.Vector3(0.01, 0.13), exact, 0.1, time=150, max_error=1e-4)
            found.append(modes[0].frequency / exact - 1)
        run.scalar("error", [("plain", "relative error", "1", found[0]), ("node", "relative error", "1", found[1])])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr
    error = done.table("error")
    assert abs(error["node"][0]) < 4e-3
    assert abs(error["plain"][0]) > 0.02


def test_a_cell_of_one_pixel_sees_the_whole_half_space(tmp_path):
    """Blocks that ended at the edge of such a cell were averaged with the vacuum beside it: R at 40 degrees 5 % off."""
    done = run_script(
        tmp_path,
        """
        import math
        glass, found = mp.Medium(index=1.5), []
        for width in (0.05, 0):
            cell, parts = mp.Vector3(width, 8), []
            for geometry in ([], [sk.half_space(cell, "y", glass, start=0.013)]):
                sim = mp.Simulation(cell_size=cell, resolution=20, geometry=geometry, k_point=mp.Vector3(math.sin(math.radians(40))),
                    boundary_layers=[mp.PML(2, direction=mp.Y)], sources=[mp.Source(mp.GaussianSource(1, fwidth=0.1), mp.Ez,
                    center=mp.Vector3(0, -1.7), size=mp.Vector3(width))])
                flux = sim.add_flux(1, 0, 1, mp.FluxRegion(center=mp.Vector3(0, -1.2), size=mp.Vector3(width), direction=mp.Y))
                if parts:
                    sim.load_minus_flux_data(flux, parts[0][1])
                sim.run(until_after_sources=mp.stop_when_fields_decayed(20, mp.Ez, mp.Vector3(0, 1), 1e-6))
                parts.append((mp.get_fluxes(flux)[0], sim.get_flux_data(flux)))
            found.append(-parts[1][0] / parts[0][0])
        run.scalar("R", [("pixel", "reflectance", "1", found[0]), ("none", "reflectance", "1", found[1])])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr
    seen = done.table("R")
    assert seen["pixel"][0] == pytest.approx(seen["none"][0], rel=1e-6)
    c, t = np.cos(np.radians(40)), np.sqrt(1.5**2 - np.sin(np.radians(40)) ** 2)
    assert seen["pixel"][0] == pytest.approx(((c - t) / (c + t)) ** 2, rel=0.03)


def _cylinder(m: float, x: float) -> tuple[float, float]:
    """Q_sca for E along and across the axis (Bohren and Huffman, ch. 8.4)."""
    n, y = np.arange(0, int(x + 4 * x ** (1 / 3) + 12)), m * x
    along = (jv(n, y) * jvp(n, x) - m * jvp(n, y) * jv(n, x)) / (
        jv(n, y) * h1vp(n, x) - m * jvp(n, y) * hankel1(n, x)
    )
    across = (m * jv(n, y) * jvp(n, x) - jvp(n, y) * jv(n, x)) / (
        m * jv(n, y) * h1vp(n, x) - jvp(n, y) * hankel1(n, x)
    )
    total = [2 / x * (abs(c[0]) ** 2 + 2 * np.sum(np.abs(c[1:]) ** 2)) for c in (along, across)]
    return float(total[0]), float(total[1])
