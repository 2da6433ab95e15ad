"""The same simulations without the machinery: no Prefect, no sandbox, no agents, no checks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import ROOT


@dataclass(frozen=True)
class Simulation:
    """One execution of a finished run: its folder (simulation.py, params.json, data/) and its record."""

    folder: Path
    stage_id: str
    wall_s: float
    cpu_s: float
    exit_code: int | None
    ended: float


def batches(run_dir: Path) -> list[list[Simulation]]:
    """The simulations of a run in the order they ran; those of a batch (stage, script) ran side by side."""
    found: dict[tuple[str, str], list[Simulation]] = {}
    for record in run_dir.glob("*/runs/*/execution.json"):
        entry = json.loads(record.read_text(encoding="utf-8"))
        code = (record.parent / "simulation.py").read_text(encoding="utf-8")
        found.setdefault((entry["stage_id"], code), []).append(Simulation(
            record.parent, entry["stage_id"], entry["wall_s"], entry["cpu_s"], entry["exit_code"],
            record.stat().st_mtime))
    if not found:
        raise SystemExit(f"{run_dir} holds no simulations to run again")
    return sorted(found.values(), key=lambda batch: max(item.ended for item in batch))


def run_bare(work: Sequence[Sequence[Simulation]], meep_python: str, workers: int) -> float:
    """Wall seconds of all batches one after the other, `workers` simulations of a batch at a time.

    Raises SystemExit if one ends with another exit code than in the run.
    """
    with tempfile.TemporaryDirectory(prefix="reprolab-bare-") as name:
        root = Path(name)
        prepared = [[(item, _lay_out(item, work, root / f"{i}-{j}")) for j, item in enumerate(batch)]
                    for i, batch in enumerate(work)]
        began = time.monotonic()
        for batch in prepared:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(lambda pair: _run(pair[0], pair[1], meep_python), batch))
        return time.monotonic() - began


def scheduled_s(work: Sequence[Sequence[Simulation]], workers: int) -> float:
    """Wall seconds the run's own simulations took by their records, `workers` at a time, in the sandbox."""
    total = 0.0
    for batch in work:
        lanes = [0.0] * workers
        for item in batch:
            lanes[lanes.index(min(lanes))] += item.wall_s
        total += max(lanes)
    return total


def _lay_out(item: Simulation, work: Sequence[Sequence[Simulation]], folder: Path) -> Path:
    inputs = folder / "inputs"
    inputs.mkdir(parents=True)
    for name in ("simulation.py", "params.json"):
        shutil.copy(item.folder / name, inputs / name)
    for other in (other for batch in work for other in batch if other.stage_id != item.stage_id):
        if other.exit_code == 0 and other.ended < item.ended:  # ascending: the finest run of a stage stays
            shutil.copytree(other.folder / "data", inputs / "deps" / other.stage_id, dirs_exist_ok=True)
    (folder / "work").mkdir()
    return folder


def _run(item: Simulation, folder: Path, meep_python: str) -> None:
    environment = {
        **os.environ, "SIMKIT_INPUTS": str(folder / "inputs"), "SIMKIT_OUTPUT": str(folder / "work"),
        "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
    done = subprocess.run([meep_python, str(folder / "inputs" / "simulation.py")], cwd=folder / "work",
                          env=environment, capture_output=True, text=True)
    if (done.returncode == 0) != (item.exit_code == 0):
        raise SystemExit(f"{item.folder} run bare ended with code {done.returncode}, in the run with "
                         f"{item.exit_code}:\n{done.stderr[-2000:]}")
