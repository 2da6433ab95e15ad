"""Described problems beside free scripts of the same, written by hand: CPU time at the same uncertainty."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.command import ROOT
from schemas.numerics import QuantityResult, StudyResult
from tasks.meep_interpreter import find_meep
from tasks.solving.describing import describe
from tasks.solving.folder import read_folder
from tasks.solving.solving import Budget, Solver
from tasks.solving.study import study
from tasks.store import Store

PROBLEMS = ROOT / "benchmarks" / "problems"
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- described: begin -->\n", "<!-- described: end -->"
WANTED = {"thin_film": 0.005, "binary_grating": 0.005, "cylinder": 0.005, "ring": 0.001}
AIM = 1.5


@dataclass(frozen=True)
class Side:
    """One way to a value: its relative uncertainty and true error (root mean square of a curve), CPU seconds, grids."""

    uncertainty: float
    error: float | None
    cpu_s: float
    grids: tuple[float, ...]


def main() -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of benchmarks/problems; all otherwise")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/benchmarks.md")
    given = parser.parse_args()
    rows, good = [], True
    for name in given.names or WANTED:
        ours, exact = described(name)
        theirs = free(name, ours, exact)
        ratio = ours.cpu_s / theirs.cpu_s
        good &= ratio <= AIM
        rows.append((name.replace("_", " "), *(cell for side in (ours, theirs) for cell in _cells(side)), f"{ratio:.2f}"))
        print("  ".join(rows[-1]), flush=True)
    table = _table(rows)
    print(table)
    if given.write:
        text = PAGE.read_text(encoding="utf-8")
        head, _, rest = text.partition(BEGIN)
        PAGE.write_text(head + BEGIN + table + END + rest.partition(END)[2], encoding="utf-8")
    return 0 if good else 1


def described(name: str) -> tuple[Side, tuple[np.ndarray, np.ndarray]]:
    """The study of a problem with an empty store, and the exact solution where the study has it: (axis, values)."""
    with tempfile.TemporaryDirectory(prefix="reprolab-bench-") as folder:
        disk = read_folder(PROBLEMS / name, None, None)
        store = Store(Path(folder))
        made = describe(disk.code, disk.parameters, store=store)
        ids = [quantity.id for quantity in made.problem.quantities]
        found = study(made, {}, Solver(store, find_meep(), Budget(3600.0)), Path(folder),
                      wanted=dict.fromkeys(ids, WANTED[name]), examine=False)
        return _ours(found, Path(folder))


def _ours(found: StudyResult, folder: Path) -> tuple[Side, tuple[np.ndarray, np.ndarray]]:
    (result,) = found.quantities
    assert result.status == "converged" and result.scale, result.reason
    grids = tuple(rung.resolution for rung in result.rungs)
    if result.curve is None:
        assert result.value is not None and result.uncertainty is not None
        error = None if result.oracle is None else abs(result.oracle.difference) / result.scale
        exact = None if result.oracle is None else result.oracle.value
        return (Side(result.uncertainty / result.scale, error, found.cpu_s, grids),
                (np.array([0.0]), np.array([np.nan if exact is None else exact])))
    table = np.loadtxt(folder / result.curve.path, delimiter=",", skiprows=1, ndmin=2)
    return (Side(float(np.sqrt(np.mean(table[:, 2] ** 2))) / result.scale, _off(result), found.cpu_s, grids),
            (table[:, 0], table[:, 1]))


def _off(result: QuantityResult) -> float | None:
    return None if result.oracle is None or not result.scale else abs(result.oracle.difference) / result.scale


def free(name: str, ours: Side, exact: tuple[np.ndarray, np.ndarray]) -> Side:
    """The hand-written script, from its own first grid until its uncertainty is the described one's."""
    done = subprocess.run(
        [find_meep().path, str(PROBLEMS / name / "free.py"), str(ours.uncertainty)], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(PROBLEMS), "OMP_NUM_THREADS": "1"})
    told = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("@"))[1:])
    return Side(told["uncertainty"], None, told["cpu_s"], tuple(told["resolutions"]))


def _cells(side: Side) -> tuple[str, str, str]:
    grids = ", ".join(f"{grid:.4g}" for grid in side.grids)
    return f"{side.uncertainty:.2%}", grids, f"{side.cpu_s:.1f}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head = ("problem", "uncertainty", "grids", "CPU s", "script's", "grids", "CPU s", "ratio")
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
             for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
