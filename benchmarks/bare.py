"""The same simulations without the machinery: no Prefect, no sandbox, no agents, no checks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import ROOT

_LIMIT_CPU_S = 3600.0


@dataclass(frozen=True)
class Simulation:
    """One solved run of a finished reproduction: its entry in the store (run.json, raw.npz) and what it took in the sandbox."""

    entry: Path
    wall_s: float
    cpu_s: float
    ended: float


def solved_runs(outputs: Path) -> list[Simulation]:
    """The described runs that are kept below `outputs`, in the order they were solved. Raises SystemExit if there is none."""
    found = []
    for path in store(outputs).glob("*/outcome.json"):
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["failure"] is None:
            found.append(Simulation(path.parent, told["wall_s"], told["cpu_s"], path.stat().st_mtime))
    if not found:
        raise SystemExit(
            f"{store(outputs)} holds no solved runs to solve again: is the paper recorded with free scripts?"
        )
    return sorted(found, key=lambda item: item.ended)


def store(outputs: Path) -> Path:
    """Where solved runs are kept, an entry each; one that is being made is a draft."""
    return outputs / ".reprolab" / "runs"


def solve_bare(work: Sequence[Simulation], meep_python: str) -> float:
    """Wall seconds of one process that imports Meep and solves all of them, one after the other, as the run did.

    Raises SystemExit if one fails.
    """
    with tempfile.TemporaryDirectory(prefix="reprolab-bare-") as name:
        root = Path(name)
        for number, item in enumerate(work, start=1):
            _lay_out(item, work, root / f"{number:06d}")
        (root / f"{len(work) + 1:06d}").mkdir()
        (root / f"{len(work) + 1:06d}" / "job.json").write_text('{"end": true}', encoding="utf-8")
        began = time.monotonic()
        done = subprocess.run(
            [meep_python, "-m", "simkit.solve", name, "--serve"],
            cwd=name,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        took = time.monotonic() - began
        if done.returncode != 0:
            raise SystemExit(f"the solver ended with code {done.returncode}:\n{done.stderr[-2000:]}")
        for number, item in enumerate(work, start=1):
            ended = json.loads((root / f"{number:06d}" / "ended.json").read_text(encoding="utf-8"))
            if ended["exit_code"] != 0:
                raise SystemExit(f"{item.entry} solved bare ended with {ended}, in the run it did not fail")
    return took


def _lay_out(item: Simulation, work: Sequence[Simulation], folder: Path) -> None:
    """run.json, job.json and the fields to subtract, which the store has already."""
    (folder / "subtract").mkdir(parents=True)
    shutil.copy(item.entry / "run.json", folder)
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    for digest in {str(used[0]) for used in (run.get("subtract") or {}).values()}:
        source = next(other.entry for other in work if other.entry.name.startswith(digest))
        shutil.copy(source / "raw.npz", folder / "subtract" / f"{digest}.npz")
    (folder / "job.json").write_text(json.dumps({"cpu_s": _LIMIT_CPU_S, "options": []}), encoding="utf-8")
