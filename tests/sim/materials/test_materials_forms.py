"""Materials beyond the database in real Meep runs, against analytic answers: what is stated is what is simulated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from schemas.reproduce.materials.stated import StatedTerm
from tasks.files.store import Store
from tasks.reproduce.prepare_materials import along_axes, prepare_material
from tests.sim.simkit.simkit_script import need_meep, run_script, stack_rt

pytestmark = pytest.mark.sim
SAVE = """
run.spectrum("rt", ("f", "frequency", "c/um", r.frequency), [("R", "reflectance", "1", r.R), ("T", "transmittance", "1", r.T)])
run.finish()
"""


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


def term(kind: str, **numbers: Any) -> StatedTerm:
    found = [
        {"name": name, "value": value[0], "unit": value[1]}
        if isinstance(value, tuple)
        else {"name": name, "value": value}
        for name, value in numbers.items()
    ]
    return StatedTerm.model_validate({"kind": kind, "numbers": found})


def prepared(
    tmp_path: Path, name: str, band: tuple[float, float], *terms: StatedTerm, **form: Any
) -> MaterialRecord:
    choice = MaterialChoice(name=name, terms=terms, band_um=band, reason="r", source="s", **form)
    return prepare_material(
        choice,
        store=Store(tmp_path / "out"),
        run_dir=tmp_path / "run",
        meep_python=None,
        with_alternatives=False,
    )


def simulate(
    tmp_path: Path, script: str, *records: MaterialRecord, dataset: str = "rt"
) -> dict[str, np.ndarray]:
    done = run_script(
        tmp_path, script, {"materials": {record.name: record.parameters() for record in records}}
    )
    assert done.code == 0, done.stderr
    return done.table(dataset)


def test_slab_with_a_complex_index(tmp_path: Path) -> None:
    """200 nm of n = 2.1 + 0.3i on glass: R and T are those of the stated index at its wavelength."""
    film = prepared(tmp_path, "film", (0.61, 0.66), term("constant", n=2.1, k=0.3, wavelength=(633, "nm")))
    found = simulate(
        tmp_path,
        "r = sk.planewave_rt(run, [('film', 0.2)], substrate=1.52, band_um=(0.61, 0.66), nfreq=51,"
        f" resolution=200)\n{SAVE}",
        film,
    )
    R, T = stack_rt([1, 2.1 + 0.3j, 1.52], [0.2], found["f"])
    at = np.abs(found["f"] - 1 / 0.633).argmin()
    assert found["R"][at] == pytest.approx(R[at], abs=1e-3) and found["T"][at] == pytest.approx(
        T[at], abs=1e-3
    )
    assert np.abs(found["R"] - R).max() < 5e-3


def test_stated_drude_metal_reflects_as_fresnel_says(tmp_path: Path) -> None:
    metal = prepared(
        tmp_path,
        "metal",
        (0.5, 0.9),
        term("eps_inf", value=4.0),
        term("drude", plasma_frequency=(9.0, "eV"), damping=(0.3, "eV")),
    )
    found = simulate(
        tmp_path,
        "r = sk.planewave_rt(run, [], substrate='metal', band_um=(0.5, 0.9), nfreq=41, resolution=300)\n"
        + SAVE,
        metal,
    )
    omega = 1.239841984 * found["f"]
    index = np.sqrt(4.0 - 81 / (omega**2 + 0.3j * omega))
    assert found["R"] == pytest.approx(np.abs((index - 1) / (index + 1)) ** 2, abs=2e-3)


BIREFRINGENT = """
r = sk.planewave_rt(run, [("crystal", 0.5)], substrate=1.0, band_um=(0.6, 0.8), nfreq=31, resolution=120)
q = sk.planewave_rt(run, [("crystal", 0.5)], substrate=1.0, band_um=(0.6, 0.8), nfreq=31, resolution=120, polarisation="y")
columns = [("x", "transmittance", "1", r.T), ("y", "transmittance", "1", q.T)]
run.spectrum("line", ("f", "frequency", "c/um", r.frequency), columns)
T, f, side = {}, None, mp.Vector3(0, 0.05)
for component in (mp.Ez, mp.Ey):
    flux = []
    for slab in ([], [mp.Block(size=mp.Vector3(0.5, mp.inf, mp.inf), material=run.medium("crystal"))]):
        source = mp.Source(mp.GaussianSource(1.46, fwidth=0.6), component, center=mp.Vector3(-1.8), size=side)
        sim = mp.Simulation(cell_size=mp.Vector3(6, 0.05), resolution=80, boundary_layers=[mp.PML(1.0, mp.X)], geometry=slab,
                            k_point=mp.Vector3(), sources=[source])
        monitor = sim.add_flux(1.4583, 0.4166, 31, mp.FluxRegion(center=mp.Vector3(1.6), size=side))
        sim.run(until_after_sources=sk.stop_when_decayed(component, mp.Vector3(1.6), 1e-8))
        flux.append(np.array(mp.get_fluxes(monitor)))
        f = np.array(mp.get_flux_freqs(monitor))
    T[component] = flux[1] / flux[0]
columns = [("z", "transmittance", "1", T[mp.Ez]), ("y", "transmittance", "1", T[mp.Ey])]
run.spectrum("plane", ("f", "frequency", "c/um", f), columns)
run.finish()
"""


def test_birefringent_slab_for_both_polarisations(tmp_path: Path) -> None:
    """A slab of different media along x, y, z: in 1D by `polarisation`, and in 2D by the medium itself."""
    band = (0.6, 0.8)
    ordinary = prepared(tmp_path, "o", band, index=1.6)
    lossy = prepared(
        tmp_path,
        "e",
        band,
        term("eps_inf", value=3.0),
        term("lorentz", resonance=(2.4, "eV"), damping=(0.3, "eV"), delta_eps=0.2),
    )
    choice = MaterialChoice(name="crystal", axes=("o", "e", "o"), band_um=band, reason="r", source="s")
    crystal = along_axes(choice, (ordinary, lossy))
    done = run_script(tmp_path, BIREFRINGENT, {"materials": {"crystal": crystal.parameters()}})
    assert done.code == 0, done.stderr

    def exact(frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        omega = 1.239841984 * frequency
        lorentz = np.sqrt(3.0 + 0.2 * 2.4**2 / (2.4**2 - omega**2 - 0.3j * omega))
        return stack_rt([1, 1.6, 1], [0.5], frequency)[1], stack_rt([1, lorentz, 1], [0.5], frequency)[1]

    line, plane = done.table("line"), done.table("plane")
    T_o, T_e = exact(line["f"])
    assert np.abs(T_o - T_e).max() > 0.1, "the two polarisations differ"
    assert np.abs(line["x"] - T_o).max() < 3e-3 and np.abs(line["y"] - T_e).max() < 3e-3
    T_o, T_e = exact(plane["f"])
    assert np.abs(plane["z"] - T_o).max() < 0.02 and np.abs(plane["y"] - T_e).max() < 0.02


THIRD_HARMONIC = """
n, f, L, dt, field = 1.5, 1 / 3, 2.0, 0.02, []
slab = mp.Block(size=mp.Vector3(mp.inf, mp.inf, L), center=mp.Vector3(z=1), material=run.medium("glass"))
pulse = mp.Source(mp.GaussianSource(f, width=12), mp.Ex, center=mp.Vector3(z=-3), amplitude=AMPLITUDE)
sim = mp.Simulation(cell_size=mp.Vector3(z=12), dimensions=1, resolution=80, boundary_layers=[mp.PML(2.0)], geometry=[slab],
                    default_material=mp.Medium(index=n), sources=[pulse])
behind = mp.Vector3(z=2.5)
sim.run(mp.at_every(dt, lambda s: field.append(s.get_field_point(mp.Ex, behind).real)), until_after_sources=40)
field = np.array(field)
at, spectrum = np.fft.fftfreq(field.size, dt), np.fft.fft(field)
envelope = [np.abs(np.fft.ifft(np.where(np.abs(at - m * f) < 0.8 * f, 2, 0) * spectrum)).max() for m in (1, 3)]
run.scalar("thg", [("A1", "field", "1", envelope[0]), ("A3", "field", "1", envelope[1])])
run.finish()
"""


def test_third_harmonic_of_chi3_grows_as_theory_says(tmp_path: Path) -> None:
    """Undepleted third harmonic in a medium without dispersion: A3 = 3 omega chi3 A1^3 L / (8 n c) (Boyd, section 2.7)."""
    glass = prepared(tmp_path, "glass", (0.9, 4.0), term("chi3", value=(1e-18, "m^2/V^2")), index=1.5)
    assert glass.chi3 == pytest.approx((1e-6,) * 3)
    found = simulate(tmp_path, THIRD_HARMONIC.replace("AMPLITUDE", "600.0"), glass, dataset="thg")
    A1, A3 = found["A1"][0], found["A3"][0]
    expected = 3 * (2 * np.pi / 3) * 1e-6 * A1**3 * 2.0 / (8 * 1.5)
    assert 1e-3 < expected / A1 < 0.1, "a harmonic to be seen, and hardly any depletion"
    assert A3 == pytest.approx(expected, rel=0.05)
