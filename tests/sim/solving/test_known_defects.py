"""What the table of known defects says of the installed Meep is so: bare scripts of Meep's, without ReproLab.

Where the installed version is said to have a row no more, its test is skipped and says so.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.reproduce.describing.known_defects import KNOWN
from tasks.reproduce.meep_interpreter import find_meep

pytestmark = pytest.mark.sim

_HEAD = """
import json
import meep as mp
import numpy as np
mp.verbosity(0)
PULSE = mp.GaussianSource(1.0, fwidth=0.2)
def turned(m, component, r, *monitors, width=1.5, height=2.0, layers=None, size=mp.Vector3(), resolution=20):
    sim = mp.Simulation(
        resolution=resolution, cell_size=mp.Vector3(width, 0, height), dimensions=mp.CYLINDRICAL, m=m,
        boundary_layers=layers or [mp.PML(0.5)],
        sources=[mp.Source(PULSE, component=component, center=mp.Vector3(r), size=size)])
    return sim, [sim.add_flux(1.0, 0, 1, *[mp.FluxRegion(*place, **more) for *place, more in one]) for one in monitors]
ABOVE = [(mp.Vector3(0.45, 0, 0.4), mp.Vector3(0.9), {})]
"""
SCRIPTS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    # power upwards, of m = 1 and of m = -1: one is the other's mirror image
    "cylinder_minus_one": (
        """
found = []
for m in (1, -1):
    sim, (flux,) = turned(m, mp.Er, 0.3, ABOVE)
    sim.run(until_after_sources=20)
    found.append(mp.get_fluxes(flux)[0])
""",
        lambda found: abs(found[1] / found[0] - 1) > 1e-3,
    ),
    # power upwards after 20, 60 and 150 periods: the pulse has long left
    "cylinder_pml_on_axis": (
        """
found = []
for time in (20, 60, 150):
    sim, (flux,) = turned(1, mp.Er, 0, ABOVE, height=3, layers=[mp.PML(0.5, direction=mp.R), mp.PML(1, direction=mp.Z)])
    sim.run(until_after_sources=time)
    found.append(mp.get_fluxes(flux)[0])
""",
        lambda found: max(found) > 2 * min(found),
    ),
    # power through a closed surface over the power of field times current and radius, at half a pixel, 1.5 and 2.5
    "cylinder_radial_current": (
        """
found = []
for pixels in (0.5, 1.5, 2.5):
    sim, (flux,) = turned(1, mp.Er, pixels / 20, [
        (mp.Vector3(0.9), mp.Vector3(0, 0, 0.8), {}), ABOVE[0],
        (mp.Vector3(0.45, 0, -0.4), mp.Vector3(0.9), {"weight": -1})])
    sim.run(mp.dft_ldos(1.0, 0, 1), until_after_sources=40)
    own = -np.real(sim.ldos_Fdata[0] * np.conj(sim.ldos_Jdata[0]))
    found.append(mp.get_fluxes(flux)[0] / own / pixels)
""",
        lambda found: abs(found[1] / found[2] - 1) < 0.02 < 0.1 < abs(found[0] / found[2] - 1),
    ),
    # a line of current that reaches the axis: the largest field after 20 periods, or the words that it ended with
    "cylinder_high_order": (
        """
sim, _ = turned(2, mp.Er, 0.5, width=2, height=3, layers=[mp.PML(1)], size=mp.Vector3(1), resolution=25)
try:
    sim.run(until=20)
    found = float(np.max(np.abs(sim.get_array(mp.Er, center=mp.Vector3(0.5), size=mp.Vector3(1, 0, 1)))))
except RuntimeError as error:
    found = str(error)
""",
        lambda found: "NaN or Inf" in found if isinstance(found, str) else found > 1e6,
    ),
    # local density of states of a dipole alone, beside a PML and beside an absorber at the outer side
    "cylinder_radial_absorber": (
        """
found = []
for radial in (mp.PML(1, direction=mp.R), mp.Absorber(1, direction=mp.R, side=mp.High)):
    sim, _ = turned(0, mp.Ez, 0, width=2, height=4, layers=[radial, mp.PML(1, direction=mp.Z)])
    sim.run(mp.dft_ldos(1.0, 0, 1), until_after_sources=60)
    found.append(sim.ldos_data[0])
""",
        lambda found: found[1] > 1.3 * found[0],
    ),
    # a field at a point off the grid: of the point, and of a line through it
    "point_fields": (
        """
found = []
for size in (0, 0.1):
    sim = mp.Simulation(
        resolution=20, cell_size=mp.Vector3(0, 0, 4), dimensions=1, boundary_layers=[mp.PML(1)],
        sources=[mp.Source(PULSE, component=mp.Ex, center=mp.Vector3(z=-0.9))])
    dft = sim.add_dft_fields([mp.Ex], 1.0, 0, 1, center=mp.Vector3(z=0.013), size=mp.Vector3(z=size))
    sim.run(until_after_sources=30)
    field, z = np.atleast_1d(sim.get_dft_array(dft, mp.Ex, 0)), np.atleast_1d(sim.get_array_metadata(dft_cell=dft)[2])
    found.append(abs(np.interp(0.013, z, field)) if size else abs(field[0]))
""",
        lambda found: found[0] < 0.7 * found[1],
    ),
    # modes of an empty period at the edge of the zone, of the whole cell and of its half: 0.5
    "bloch_mirror": (
        """
found = []
for mirrors in ([], [mp.Mirror(mp.Z)]):
    sim = mp.Simulation(
        resolution=20, cell_size=mp.Vector3(0, 0, 1), dimensions=1, k_point=mp.Vector3(0, 0, 0.5), symmetries=mirrors,
        sources=[mp.Source(mp.GaussianSource(0.4, fwidth=0.5), component=mp.Ex, center=mp.Vector3())])
    modes = mp.Harminv(mp.Ex, mp.Vector3(z=0.1), 0.4, 0.5)
    sim.run(mp.after_sources(modes), until_after_sources=60)
    found.append([mode.freq for mode in modes.modes])
""",
        lambda found: (
            any(abs(f - 0.5) < 0.01 for f in found[0]) and not any(abs(f - 0.5) < 0.01 for f in found[1])
        ),
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_installed_meep_has_what_is_said(name: str, tmp_path: Path) -> None:
    defect = next(row for row in KNOWN if row.name == name)
    meep = find_meep()
    if not defect.concerns(meep.meep_version):
        pytest.skip(f"Meep {meep.meep_version} has it no more: {defect.versions}")
    script, shows = SCRIPTS[name]
    (tmp_path / "shown.py").write_text(f"{_HEAD}{script}\nprint('\\n@@' + json.dumps(found))\n")
    done = subprocess.run(
        meep.command("shown.py"), cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    line = next(line for line in done.stdout.splitlines() if line.startswith("@@"))
    found = json.loads(line.removeprefix("@@"))
    assert shows(found), found
