"""The contract of a run: what a crash leaves, what is refused, what is recorded."""

from __future__ import annotations

import json

import pytest

from tests.sim.simkit.simkit_script import need_meep, run_script

pytestmark = pytest.mark.sim


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


SMALL = """
sim = mp.Simulation(cell_size=mp.Vector3(4, 4), resolution=10, boundary_layers=[mp.PML(1)],
                    sources=[mp.Source(mp.GaussianSource(0.5, fwidth=0.2), mp.Ez, mp.Vector3())])
"""


def test_a_complete_run_records_datasets_simulation_and_progress(tmp_path):
    done = run_script(
        tmp_path,
        SMALL
        + """
run.expect(runs=1)
run.label("pulse")
sim.run(until_after_sources=sk.stop_when_decayed(mp.Ez, mp.Vector3(0.3, 0.2), by=1e-6))
run.spectrum("R_10nm", ("wavelength", "wavelength", "nm", [500, 600]), [("R", "reflectance", "1", [0.1, 0.25])],
             targets={"R": "fig2_R"}, description="test")
run.scalar("one", [("Q", "quality factor", "1", 77.5)])
run.bands("crystal", ("k", "wave vector", "2pi/a", [0, 0.5]), [[0.1, 0.4], [0.2, 0.3]], unit="c/a")
run.field("map", np.ones((5, 4)), (0, 1, 0, 2), "intensity")
sk.plot_spectrum(run, "R_10nm")
sk.picture_of(sim, run, "cell")
run.check("energy", 1.0)
run.finish()
""",
        {"point": {"thickness_nm": 10}, "resolution_scale": 0.5},
    )
    assert done.code == 0, done.stderr
    manifest = done.manifest
    assert manifest["complete"] and manifest["simkit"] == 1 and manifest["meep"].startswith("1.")
    assert manifest["parameters"] == {
        "resolution_scale": 0.5,
        "point": {"thickness_nm": 10},
        "debug": False,
        "stage_id": "stage",
    }
    assert manifest["datasets"][0]["targets"] == [{"target": "fig2_R", "column": "R"}]
    assert [d["kind"] for d in manifest["datasets"]] == ["spectrum", "scalar", "bands", "field"]
    assert list(done.table("R_10nm")["R"]) == [0.1, 0.25]
    assert list(done.table("crystal")["band_2"]) == [0.4, 0.3]
    [simulation] = manifest["simulations"]
    assert simulation["label"] == "pulse" and simulation["pixels"] == 1600 and simulation["dimensions"] == 2
    assert simulation["stop"]["met"] and simulation["stop"]["reached"] <= 1e-6
    assert simulation["time_steps"] == pytest.approx(simulation["meep_time"] * 20, abs=1)
    assert simulation["max_field"] > 0
    for picture in manifest["pictures"]:
        assert (done.folder / picture["file"]).read_bytes().startswith(b"\x89PNG")
    lines = [json.loads(line) for line in (done.folder / "progress.jsonl").read_text().splitlines()]
    assert lines[-1]["fraction"] == 1.0 and lines[-1]["remaining_s"] == 0.0
    assert [line["fraction"] for line in lines] == sorted(line["fraction"] for line in lines)


def test_a_crash_after_a_dataset_leaves_it_readable_and_the_run_incomplete(tmp_path):
    done = run_script(
        tmp_path,
        """
        run.scalar("kept", [("Q", "quality factor", "1", 5.0)])
        raise KeyError("misremembered API")
        """,
    )
    assert done.code != 0
    assert done.manifest["complete"] is False
    assert done.table("kept")["Q"][0] == 5.0


def test_finish_without_data_is_refused(tmp_path):
    done = run_script(tmp_path, "run.finish()")
    assert done.code != 0 and "without any dataset" in done.stderr and done.manifest["complete"] is False


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ('{"paper_id": "p"', "not valid JSON"),
        ('{"paper_id": "p"}', "stage_id is None"),
        ('{"paper_id": "p", "stage_id": "s", "resolution_scale": 0}', "resolution_scale is 0"),
        ('{"paper_id": "p", "stage_id": "s", "time_limit_s": "1h"}', "time_limit_s is '1h'"),
        ('{"paper_id": "p", "stage_id": "s", "materials": {"Au": {"page": "x"}}}', "materials.Au"),
        (
            '{"paper_id": "p", "stage_id": "s", "materials": {"Au": {"eps_inf": 1, "poles": [{"kind": "debye"}]}}}',
            "materials.Au.poles[0]",
        ),
    ],
)
def test_wrong_parameters_name_the_field(tmp_path, raw, message):
    done = run_script(tmp_path, "", raw=raw)
    assert done.code != 0
    assert "ParameterError" in done.stderr and message in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('run.scalar("one", [("Q", "q", "1", float("nan"))])', "1 of 1 values are NaN"),
        ('run.scalar("../one", [("Q", "q", "1", 1.0)])', "not a safe name"),
        ('run.scalar("a", [("Q", "q", "1", 1.0)]); run.scalar("a", [("Q", "q", "1", 1.0)])', "already saved"),
        (
            'run.spectrum("s", ("x", "x", "nm", [1, 2]), [("R", "R", "1", [1, 2, 3])])',
            "equal, non-zero length",
        ),
        ('run.scalar("c", [("Q", "q", "1", 1 + 2j)])', "real and imaginary"),
        ('run.scalar("t", [("Q", "q", "1", 1.0)], targets={"R": "fig1"})', "targets names column 'R'"),
        ('run.bands("b", ("k", "k", "1", [0, 1]), [[1, 2], [1]])', "[2, 1] bands"),
        ('run.medium("silver")', "known: germanium, glass, gold"),
    ],
)
def test_malformed_results_are_refused_with_the_reason(tmp_path, line, message):
    done = run_script(tmp_path, line)
    assert done.code != 0 and message in done.stderr


def test_the_time_limit_keeps_what_was_saved(tmp_path):
    done = run_script(
        tmp_path,
        'run.scalar("early", [("Q", "q", "1", 1.0)])\n' + SMALL + "sim.run(until=1e7)\nrun.finish()",
        {"time_limit_s": 2.0},
    )
    assert done.code != 0 and "TimeLimit" in done.stderr
    assert done.table("early")["Q"][0] == 1.0
    [simulation] = done.manifest["simulations"]
    assert simulation["stop"]["met"] is False


COUNTED = """
from simkit import stops
looked, look = [], mp.Simulation.get_field_point
mp.Simulation.get_field_point = lambda *given: (looked.append(1), look(*given))[1]
sim.resolution = 40
found = []
for samples in (stops.SAMPLES_PER_PERIOD, 10**9):
    stops.SAMPLES_PER_PERIOD = samples
    looked.clear()
    sim.run(until_after_sources=sk.stop_when_decayed(mp.Ez, mp.Vector3(0.3, 0.2), by=1e-6))
    found += [sim.fields.t, len(looked)]
    sim.reset_meep()
names = ("steps", "looks", "steps_looking_at_each", "looks_at_each")
run.scalar("s", [(name, "count", "1", value) for name, value in zip(names, found)])
run.finish()
"""


def test_the_field_is_looked_at_often_enough_to_stop_at_the_same_step(tmp_path):
    """Not at every step: that would cost as much as the steps of a small cell."""
    done = run_script(tmp_path, SMALL + COUNTED)
    assert done.code == 0, done.stderr
    found = {name: float(values[0]) for name, values in done.table("s").items()}
    assert found["steps"] == found["steps_looking_at_each"] > 1000
    assert found["looks"] < found["looks_at_each"] / 3


def test_a_dark_point_beside_a_bright_one_is_not_waited_for(tmp_path):
    """Its noise need not decay once it is nothing beside the field that counts; alone it is waited for."""
    done = run_script(
        tmp_path,
        """
from simkit.stops import stop_when_decayed
bright, dark = stop_when_decayed(mp.Ez, [mp.Vector3(), mp.Vector3(1)], by=1e-3), stop_when_decayed(mp.Ez, mp.Vector3(1), by=1e-3)
settled = []
for stop, histories in ((bright, [(1.0, 1e-9), (1e-4, 5e-10)]), (dark, [(1e-9,), (5e-10,)]), (bright, [(0.9, 1e-9)])):
    for values in histories:
        stop.current = list(values)
        settled.append(float(stop.settled(None)))
run.spectrum("s", ("check", "number", "1", range(len(settled))), [("settled", "flag", "1", settled)])
run.finish()
""",
    )
    assert done.code == 0, done.stderr
    assert list(done.table("s")["settled"]) == [0, 1, 0, 0, 0]


def test_a_list_of_stop_conditions_works_where_meep_alone_fails(tmp_path):
    done = run_script(
        tmp_path,
        SMALL
        + """
sim.run(until_after_sources=[sk.stop_when_decayed(mp.Ez, mp.Vector3(0.3, 0.2), by=1e-30), 40])
run.scalar("t", [("t", "time", "um/c", sim.meep_time())])
run.finish()
""",
    )
    assert done.code == 0, done.stderr
    assert done.table("t")["t"][0] == pytest.approx(50 + 40, abs=1)
    assert done.manifest["simulations"][0]["stop"]["met"] is False


def test_a_probe_without_field_is_not_taken_for_decayed(tmp_path):
    done = run_script(
        tmp_path,
        SMALL
        + """
sim.run(until_after_sources=sk.stop_when_decayed(mp.Hz, mp.Vector3(0.3, 0.2), by=1e-6, max_time=80))
run.scalar("t", [("t", "time", "um/c", sim.meep_time())])
run.finish()
""",
    )
    assert done.code == 0, done.stderr
    stop = done.manifest["simulations"][0]["stop"]
    assert stop["met"] is False and stop["reached"] is None and done.table("t")["t"][0] >= 80


def test_frequency_domain_solves_are_recorded(tmp_path):
    done = run_script(
        tmp_path,
        """
        sim = mp.Simulation(cell_size=mp.Vector3(3, 3), resolution=8, boundary_layers=[mp.PML(1)], force_complex_fields=True,
                            sources=[mp.Source(mp.ContinuousSource(0.5), mp.Ez, mp.Vector3())])
        sim.init_sim()
        sim.solve_cw(1e-5, 10000, 10)
        run.scalar("Ez", [("Ez", "field", "1", abs(sim.get_field_point(mp.Ez, mp.Vector3(0.3))))])
        run.finish()
        """,
    )
    assert done.code == 0, done.stderr
    [simulation] = done.manifest["simulations"]
    assert "solve_cw" in simulation["label"] and simulation["stop"]["met"] and simulation["max_field"] > 0


def test_a_dft_stop_without_monitors_is_refused(tmp_path):
    done = run_script(tmp_path, SMALL + "sim.run(until_after_sources=sk.stop_when_dft_decayed(1e-9))")
    assert done.code != 0 and "without any flux or DFT monitor" in done.stderr


def test_files_of_an_earlier_stage_are_read_by_stage_and_name(tmp_path):
    done = run_script(
        tmp_path,
        """
        import os
        folder = run.inputs / "deps" / "stage0"
        os.makedirs(folder)
        (folder / "nk.csv").write_text("wavelength,n\\n500,1.5\\n600,1.4\\n")
        table = run.table("stage0", "nk.csv")
        run.spectrum("n", ("wavelength", "wavelength", "nm", table["wavelength"]), [("n", "index", "1", table["n"])])
        run.finish()
        run.table("stage0", "../secret.csv")
        """,
    )
    assert list(done.table("n")["n"]) == [1.5, 1.4]
    assert done.code != 0 and "not a safe name" in done.stderr


def test_of_several_mpi_processes_only_the_writer_reads_for_a_plot_and_an_error_in_one_ends_it_at_once(
    tmp_path,
):
    done = run_script(
        tmp_path,
        """
import atexit, importlib, sys
run.is_writer = run._manifest.writer = False  # as in a process that is not the first
run.scalar("one", [("Q", "quality factor", "1", 77.5)])
sk.plot_spectrum(run, "one")
atexit.register(lambda: print("clean-up, which waits for the others", file=sys.stderr))
sys.excepthook = importlib.import_module("simkit.run")._end_all
raise ValueError("only in this process")
""",
        {},
    )
    assert done.code == 1 and "ValueError: only in this process" in done.stderr
    assert "clean-up" not in done.stderr and "FileNotFoundError" not in done.stderr


CYLINDRICAL = """
from simkit.cell import epsilon, interior
sim = mp.Simulation(cell_size=mp.Vector3(10, 0, 6), dimensions=mp.CYLINDRICAL, m=1, resolution=10, boundary_layers=[mp.PML(1)],
                    geometry=[mp.Block(center=mp.Vector3(2.5), size=mp.Vector3(1, mp.inf, 2),
                                       material=mp.Medium(epsilon=11.56)),
                              mp.Sphere(radius=0.8, center=mp.Vector3(0, 0, -1.5), material=mp.Medium(epsilon=4))],
                    sources=[mp.Source(mp.GaussianSource(0.15, fwidth=0.05), mp.Er, mp.Vector3(2.5))])
flux = sim.add_flux(0.15, 0.05, 3, mp.FluxRegion(center=mp.Vector3(8, 0, 0), size=mp.Vector3(0, 0, 4)))
run.expect(runs=1)
sim.run(until=1)
eps = epsilon(sim, 0.15)
r, z = [float(v) for v in np.argwhere(eps > 11).min(axis=0) / 10]
run.scalar("eps", [("shape_r", "number", "1", eps.shape[0]), ("shape_z", "number", "1", eps.shape[1]),
                   ("largest", "permittivity", "1", eps.max()), ("from_r", "position", "um", r),
                   ("from_z", "position", "um", z - 3), ("on_axis", "permittivity", "1", eps[0, 15])])
sim.run(until=1)
run.finish()
"""


def test_a_cylindrical_cell_starts_at_its_axis_and_shows_its_permittivity(tmp_path):
    """Meep calls it two-dimensional once it runs, orders its arrays (z, r) and miscounts epsilon at a frequency."""
    done = run_script(tmp_path, CYLINDRICAL, {"debug": True})
    assert done.code == 0, done.stderr
    cell = done.manifest["cells"][0]
    assert (
        cell["cylindrical"]
        and cell["interior"] == {"x": [0.0, 9.0], "z": [-2.0, 2.0]}
        and not cell.get("fault")
    )
    eps = {name: float(values[0]) for name, values in done.table("eps").items()}
    assert (eps["shape_r"], eps["shape_z"], eps["on_axis"]) == (100, 60, 4)
    assert eps["largest"] == pytest.approx(11.56) and (eps["from_r"], eps["from_z"]) == (2.0, -1.0)
    assert (done.folder / cell["picture"]).read_bytes().startswith(b"\x89PNG")
    warned = [check["detail"] for check in done.manifest["checks"] if check["name"] == "geometry_warning"]
    assert not [text for text in warned if "lies" in text or "inside" in text or "beyond" in text], warned
