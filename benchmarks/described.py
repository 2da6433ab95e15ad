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
from schemas.reproduce.simulations.numerics import StudyResult
from tasks.files.store import Store
from tasks.reproduce.describing.folder import read_given
from tasks.reproduce.describing.in_sandbox import describe
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within

PROBLEMS = ROOT / "benchmarks" / "problems"
PAGE = ROOT / "docs" / "measured" / "benchmarks.md"
BEGIN, END = "<!-- described: begin -->\n", "<!-- described: end -->"
WANTED = {"thin_film": 0.005, "binary_grating": 0.01, "cylinder": 0.01, "ring": 0.003}
AIM = 1.5


@dataclass(frozen=True)
class Side:
    """One way to a value: relative uncertainty (of a curve the root mean square), largest distance from theory, cost, grids."""

    uncertainty: float
    error: float | None
    cpu_s: float
    grids: tuple[float, ...]


def main() -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of benchmarks/problems; all otherwise")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/benchmarks.md")
    given = parser.parse_args()
    rows, good = [], True
    for name in given.names or WANTED:
        ours = described(name)
        theirs = free(name, ours.uncertainty)
        ratio = ours.cpu_s / theirs.cpu_s
        good &= ratio <= AIM
        off = "" if ours.error is None else f"{ours.error:.2%}"
        rows.append((name.replace("_", " "), *_cells(ours), off, *_cells(theirs), f"{ratio:.2f}"))
        print("  ".join(rows[-1]), flush=True)
    table = _table(rows)
    print(table)
    if given.write:
        text = PAGE.read_text(encoding="utf-8")
        head, _, rest = text.partition(BEGIN)
        PAGE.write_text(head + BEGIN + table + END + rest.partition(END)[2], encoding="utf-8")
    return 0 if good else 1


def described(name: str) -> Side:
    """The study of a problem with an empty store: its ladder and its variants of absorber, padding and decay."""
    with tempfile.TemporaryDirectory(prefix="reprolab-bench-") as folder:
        disk = read_given(PROBLEMS / name, None, None)
        store = Store(Path(folder))
        made = describe(disk.code, disk.parameters, store=store)
        ids = [quantity.id for quantity in made.problem.quantities]
        found = study(
            made,
            {},
            Solver(store, find_meep(), Budget(3600.0)),
            Path(folder),
            wanted=dict.fromkeys(ids, within(WANTED[name])),
            examine=False,
        )
        return _side(found, Path(folder))


def _side(found: StudyResult, folder: Path) -> Side:
    (result,) = found.quantities
    if result.status != "converged" or not result.scale or result.uncertainty is None:
        raise SystemExit(f"{result.id} is {result.status}: {result.reason}")
    doubt = result.uncertainty
    if result.curve is not None:
        table = np.loadtxt(folder / result.curve.path, delimiter=",", skiprows=1, ndmin=2)
        doubt = float(np.sqrt(np.mean(table[:, 2] ** 2)))
    error = None if result.oracle is None else abs(result.oracle.difference) / result.scale
    return Side(doubt / result.scale, error, found.cpu_s, tuple(rung.resolution for rung in result.rungs))


def free(name: str, wanted: float) -> Side:
    """The hand-written script, from its own first grid until its uncertainty is as small."""
    done = subprocess.run(
        [find_meep().path, str(PROBLEMS / name / "free.py"), str(wanted)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(PROBLEMS), "OMP_NUM_THREADS": "1"},
    )
    told = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("@"))[1:])
    return Side(told["uncertainty"], None, told["cpu_s"], tuple(told["resolutions"]))


def _cells(side: Side) -> tuple[str, str, str]:
    grids = ", ".join(f"{grid:.4g}" for grid in side.grids)
    return f"{side.uncertainty:.2%}", grids, f"{side.cpu_s:.1f}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head = ("problem", "uncertainty", "grids", "CPU s", "from theory", "script's", "grids", "CPU s", "ratio")
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in (head, *rows)
    ]
    return (
        "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]) + "\n"
    )


if __name__ == "__main__":
    raise SystemExit(main())
