"""Runs a simulation script as the runner does (Meep's interpreter, own directories) and reads back what it wrote.

Also the exact theory the simkit tests compare with.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
MEEP_PYTHON = os.environ.get("REPROLAB_MEEP_PYTHON", "/usr/bin/python3")


def _material(
    eps_inf: float, poles: list[tuple[str, float, float, float]], band: list[float]
) -> dict[str, Any]:
    return {
        "page": "fit",
        "valid_um": band,
        "band_um": band,
        "eps_inf": eps_inf,
        "poles": [dict(zip(("kind", "f0", "gamma", "sigma"), p, strict=True)) for p in poles],
        "rms_relative_error": 0.01,
        "max_relative_error": 0.03,
    }


# Fits of main/Ge/Aspnes and main/Au/Johnson, 0.42-0.82 um.
GERMANIUM = _material(
    3.89272,
    [
        ("lorentz", 1.7221, 0.181657, 0.955743),
        ("lorentz", 2.01178, 0.354126, 1.11121),
        ("lorentz", 2.22418, 0.537379, 1.52619),
        ("lorentz", 2.94099, 0.841625, 8.08494),
        ("lorentz", 1.86535, 0.265808, 1.54509),
    ],
    [0.42, 0.82],
)
GOLD = _material(
    1.0,
    [
        ("drude", 1.0, 0.001, 49.284),
        ("lorentz", 1.22772, 0.321228, 0.286902),
        ("lorentz", 2.41358, 0.482497, 0.833266),
        ("lorentz", 1.73523, 0.414638, 0.106139),
        ("lorentz", 2.14201, 0.445767, 0.602507),
        ("lorentz", 3.55914, 0.05, 3.77517),
    ],
    [0.42, 0.82],
)
MATERIALS: dict[str, Any] = {"germanium": GERMANIUM, "gold": GOLD, "glass": {"index": 1.52}}


@dataclass(frozen=True)
class Outcome:
    """What a script left behind."""

    code: int
    stderr: str
    folder: Path

    @property
    def manifest(self) -> dict[str, Any]:
        return json.loads((self.folder / "results.json").read_text())

    def table(self, dataset: str) -> dict[str, np.ndarray]:
        entry = next(e for e in self.manifest["datasets"] if e["id"] == dataset)
        with (self.folder / entry["file"]).open(newline="") as stream:
            rows = list(csv.reader(stream))
        assert rows[0] == [c["name"] for c in entry["columns"]]
        return {name: np.array([float(r[i]) for r in rows[1:]]) for i, name in enumerate(rows[0])}


def run_script(
    tmp_path: Path, script: str, params: dict[str, Any] | None = None, raw: str | None = None
) -> Outcome:
    """Run `script` (after imports of meep as mp, numpy as np, simkit as sk and run = sk.start())."""
    inputs, output = tmp_path / "inputs", tmp_path / "work"
    inputs.mkdir()
    output.mkdir()
    content: dict[str, Any] = {
        "paper_id": "paper",
        "stage_id": "stage",
        "resolution_scale": 1.0,
        "point": {},
        "debug": False,
        "time_limit_s": 120.0,
        "materials": MATERIALS,
    }
    (inputs / "params.json").write_text(raw if raw is not None else json.dumps({**content, **(params or {})}))
    head = "import meep as mp\nimport numpy as np\nimport simkit as sk\nrun = sk.start()\n"
    (inputs / "simulation.py").write_text(head + textwrap.dedent(script))
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(ROOT),
        "SIMKIT_INPUTS": str(inputs),
        "SIMKIT_OUTPUT": str(output),
        "MPLCONFIGDIR": str(output),
    }
    done = subprocess.run(
        [MEEP_PYTHON, str(inputs / "simulation.py")],
        cwd=output,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Outcome(done.returncode, done.stderr, output)


def need_meep() -> None:
    """Skip where Meep's interpreter is missing."""
    try:
        done = subprocess.run(
            [MEEP_PYTHON, "-c", "import meep; meep.Simulation"], capture_output=True, check=False
        )
    except OSError:
        pytest.skip(f"{MEEP_PYTHON} not found; set REPROLAB_MEEP_PYTHON")
    if done.returncode:
        pytest.skip(f"Meep cannot be imported by {MEEP_PYTHON}; set REPROLAB_MEEP_PYTHON")


def epsilon(material: dict[str, Any], frequency: np.ndarray) -> np.ndarray:
    """Permittivity of a params.json material (the contract's formula)."""
    total = np.full(frequency.shape, material["eps_inf"], complex)
    for pole in material["poles"]:
        f0, gamma, sigma = pole["f0"], pole["gamma"], pole["sigma"]
        restoring = f0**2 if pole["kind"] == "lorentz" else 0.0
        total += sigma * f0**2 / (restoring - frequency**2 - 1j * frequency * gamma)
    return total


def stack_rt(
    indices: list[Any], thicknesses: list[float], frequency: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """R and T at normal incidence by recursion of Fresnel coefficients (Born and Wolf, sec. 1.6); Im n > 0 is loss."""
    n = [np.broadcast_to(np.asarray(i, complex), frequency.shape) for i in indices]
    reflected = (n[-2] - n[-1]) / (n[-2] + n[-1])
    passed = 2 * n[-2] / (n[-2] + n[-1])
    for j in range(len(n) - 2, 0, -1):
        phase = np.exp(2j * np.pi * frequency * n[j] * thicknesses[j - 1])
        r, t = (n[j - 1] - n[j]) / (n[j - 1] + n[j]), 2 * n[j - 1] / (n[j - 1] + n[j])
        loop = 1 + r * reflected * phase**2
        reflected, passed = (r + reflected * phase**2) / loop, t * passed * phase / loop
    return np.abs(reflected) ** 2, n[-1].real / n[0].real * np.abs(passed) ** 2
