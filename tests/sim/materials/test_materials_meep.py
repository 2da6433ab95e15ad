"""Materials against Meep itself: its library, its permittivity, the stability of its update."""

from __future__ import annotations

import json
import subprocess

import pytest

from tasks.reproduce.materials import (
    MaterialFit,
    OpticalConstants,
    alternatives,
    comparison_table,
    fit_material,
    load_page,
    stability,
)
from tasks.reproduce.materials.meep_library import library_candidates, meep_library

pytestmark = pytest.mark.sim

MEEP_PYTHON = "/usr/bin/python3"
GOLD = "main/Au/Johnson"
VISIBLE = (0.45, 0.90)

# A periodic cell of 6 x 6 x 6 pixels of one medium; prints the largest Ez after 10, 30 and 60 time units.
BULK = """
import json, sys
import meep as mp, numpy as np
m, resolution = json.loads(sys.argv[1]), float(sys.argv[2])
kinds = {"drude": mp.DrudeSusceptibility, "lorentz": mp.LorentzianSusceptibility}
poles = [kinds[p["kind"]](frequency=p["f0"], gamma=p["gamma"], sigma=p["sigma"]) for p in m["poles"]]
n = 6 / resolution
pulse = mp.GaussianSource(1.5, fwidth=3)
sources = [mp.Source(pulse, component=mp.Ez, center=mp.Vector3(0.1 * n, 0.2 * n)),
           mp.Source(pulse, component=mp.Hx, center=mp.Vector3(-0.1 * n, 0.2 * n, 0.1 * n))]
sim = mp.Simulation(cell_size=mp.Vector3(n, n, n), resolution=resolution, Courant=0.5, k_point=mp.Vector3(),
                    default_material=mp.Medium(epsilon=m["eps_inf"], E_susceptibilities=poles), sources=sources)
size = []
for time in (10, 30, 60):
    sim.run(until=time - sim.meep_time())
    size.append(float(abs(sim.get_array(component=mp.Ez)).max()))
    if not size[-1] < 1e6:
        break
print("SIZE", json.dumps([value if np.isfinite(value) else 1e300 for value in size]))
"""


@pytest.fixture(scope="module")
def gold() -> OpticalConstants:
    return load_page(GOLD)


@pytest.fixture(scope="module")
def gold_fit(gold: OpticalConstants) -> MaterialFit:
    return fit_material(gold, VISIBLE)


class TestMeepLibrary:
    def test_library_gold_of_johnson_is_not_johnson(self, gold: OpticalConstants) -> None:
        rows = comparison_table(GOLD, alternatives(GOLD, VISIBLE, meep_python=MEEP_PYTHON), VISIBLE, gold)
        by_page = {row["page"]: row for row in rows}
        assert by_page["meep/Au_JC_visible"]["mean_relative_difference"] > 0.05
        assert "unstable" in " ".join(by_page["meep/Au_visible"]["remarks"])

    def test_models_are_those_meep_evaluates(self) -> None:
        code = (
            "import meep as mp, meep.materials as m, json; "
            "print('EPS', json.dumps([[e.real, e.imag] for e in (m.Au.epsilon(1.5)[0][0], m.cSi.epsilon(2)[0][0])]))"
        )
        done = subprocess.run(
            [MEEP_PYTHON, "-c", code], capture_output=True, text=True, timeout=60, check=True
        )
        line = next(line for line in done.stdout.splitlines() if line.startswith("EPS "))
        expected = [complex(*pair) for pair in json.loads(line.removeprefix("EPS "))]
        library = {material.name: material for material in meep_library(MEEP_PYTHON)}
        for name, wavelength, epsilon in zip(("Au", "cSi"), (1 / 1.5, 0.5), expected, strict=True):
            constants = library[name].constants((wavelength * 0.999, wavelength * 1.001))
            assert complex(constants.epsilon(wavelength)) == pytest.approx(epsilon, rel=1e-4)

    def test_known_traps_are_flagged(self) -> None:
        silver = {material.name: material for material in library_candidates("Ag", MEEP_PYTHON)}
        assert set(silver) == {"Ag", "Ag_visible"}
        assert any("unstable" in note for note in silver["Ag_visible"].remarks(VISIBLE))
        silicon = {material.name: material for material in library_candidates("Si", MEEP_PYTHON)}
        assert any("gain" in note for note in silicon["cSi"].remarks(VISIBLE))

    def test_our_gold_means_the_same_to_meep(self, gold_fit: MaterialFit) -> None:
        """The entry of params.json, turned into Meep's classes, has the permittivity that was fitted."""
        code = (
            "import meep as mp, json, sys; m = json.loads(sys.argv[1]); "
            "s = [(mp.DrudeSusceptibility if p['kind'] == 'drude' else mp.LorentzianSusceptibility)"
            "(frequency=p['f0'], gamma=p['gamma'], sigma=p['sigma']) for p in m['poles']]; "
            "e = mp.Medium(epsilon=m['eps_inf'], E_susceptibilities=s).epsilon(1.6)[0][0]; print('EPS', e.real, e.imag)"
        )
        done = subprocess.run(
            [MEEP_PYTHON, "-c", code, json.dumps(gold_fit.as_dict())],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        line = next(line for line in done.stdout.splitlines() if line.startswith("EPS "))
        assert complex(*map(float, line.split()[1:])) == pytest.approx(
            complex(gold_fit.epsilon(1.6)), rel=1e-9
        )

    @pytest.mark.parametrize("resolution", [10, 14, 18, 30])
    def test_predicted_stability_is_what_meep_does(self, gold_fit: MaterialFit, resolution: float) -> None:
        done = subprocess.run(
            [MEEP_PYTHON, "-c", BULK, json.dumps(gold_fit.as_dict()), str(resolution)],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        line = next(line for line in done.stdout.splitlines() if line.startswith("SIZE "))
        size = json.loads(line.removeprefix("SIZE "))
        grew = size[-1] > 1e6 or (len(size) == 3 and size[2] > size[1])
        assert stability(gold_fit, resolution, courant=0.5, dims=3).stable is not grew
