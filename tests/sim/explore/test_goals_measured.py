"""The bundled goals measured in the sandbox: the naive candidate, a better one, and those that cheat."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sim.explore.goals_kit import measured

pytestmark = pytest.mark.sim

BLOCKS = """
import numpy as np


def run(u, a, steps, rows=64):
    u, nx = u.copy(), u.shape[1]
    a, keep = a[1:-1].copy(), 1 - 4 * a[1:-1]
    a[:, 0] = a[:, -1] = 0
    keep[:, 0] = keep[:, -1] = 1
    new, around = u.copy(), np.empty((rows, nx))
    for _ in range(steps):
        for top in range(1, len(u) - 1, rows):
            end = min(top + rows, len(u) - 1)
            part, line, old = around[:end - top], around[:end - top].reshape(-1), u[top:end].reshape(-1)
            np.add(u[top - 1:end - 1], u[top + 1:end + 1], out=part)
            line[1:] += old[:-1]
            line[:-1] += old[1:]
            part *= a[top - 1:end - 1]
            np.multiply(u[top:end], keep[top - 1:end - 1], out=new[top:end])
            new[top:end] += part
        u, new = new, u
    return u
"""
NAIVE = (Path(__file__).resolve().parents[3] / "goals" / "heat-stencil" / "kernel.py").read_text()
HONEST = NAIVE.replace("def run(", "def honest(")
FORGED = """
import pathlib
pathlib.Path("..", "measured" + ".json").write_text('{"metrics": {"ns_per_update": {"value": 1e-6, "unit": "ns"}}}')
"""
END = "getattr(os, '_ex' + 'it')(0)\n"
BEGIN = "import importlib, os\n"
CALL = "\ndef run(u, a, steps):\n    return honest(u, a, steps)\n"
OPENS = "open(f'/proc/{os.getppid()}/mem', 'r+b')\n"
CHEATS = {
    "writes the measurement": (FORGED + HONEST + CALL, "Operation not permitted"),
    "ends the program": (BEGIN + "os.kill(os.getppid(), 9)\n" + NAIVE, "Operation not permitted"),
    "writes the program's memory": (BEGIN + OPENS + NAIVE, "Operation not permitted"),
    "starts another process": (BEGIN + "os.fork()\n" + NAIVE, "Operation not permitted"),
    "starts a thread": (
        "import threading\nthreading.Thread(target=print).start()\n" + NAIVE,
        "can't start new thread",
    ),
    "leaves a measurement": (
        BEGIN + "os.rename('candidate/kernel.py', '../measured' + '.json')\n" + NAIVE,
        "",
    ),
    "leaves a module to be imported": (
        BEGIN + "os.rename('candidate/kernel.py', '../struct.py')\n" + NAIVE,
        "",
    ),
    "patches its clock": (
        BEGIN
        + "clock = importlib.import_module('ti' + 'me')\nsetattr(clock, 'process_time', lambda: 0.0)\n"
        + NAIVE,
        "",
    ),
    "says nothing changed": ("def run(u, a, steps):\n    return u\n", "'large_grid_right' failed"),
    "works with half the digits": (
        NAIVE.replace("u = u.copy()", "u = u.astype('f4'); a = a.astype('f4')"),
        "_right' failed",
    ),
    "leaves out a step": (
        NAIVE.replace("range(steps)", "range(steps - (steps > 70))"),
        "'large_grid_right' failed",
    ),
    "knows only large grids": (
        HONEST + "\ndef run(u, a, steps):\n    return honest(u, a, steps) if len(u) > 99 else u\n",
        "'small_grids_right' failed",
    ),
    "leaves a pipe for its result": (
        BEGIN + "os.unlink('out_0.npy')\nos.mkfifo('out_0.npy')\n" + END,
        "_right' failed",
    ),
    "leaves a link for its result": (
        BEGIN + "os.unlink('out_0.npy')\nos.symlink('in_0.npz', 'out_0.npy')\n" + END,
        "_right' failed",
    ),
}
AGAIN = (
    "ends the program",
    "writes the program's memory",
    "leaves a module to be imported",
    "works with half the digits",
    "leaves out a step",
    "leaves a link for its result",
)  # of a kind that another shows


def test_fewer_passes_over_memory_are_faster_than_the_naive_kernel(tmp_path: Path) -> None:
    found = measured(
        "heat-stencil", tmp_path, {"kernel.py": BLOCKS, "notes.md": "blocks of 64 rows"}, parent=True
    )
    assert not found.refused and all(held for _, held in found.checks)
    mine, its = found.metrics[0], found.parent_metrics[0]
    assert mine.name == "ns_per_update" and mine.n == 2 and max(mine.values) < min(its.values)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in AGAIN else name for name in CHEATS]
)
def test_a_candidate_that_cheats_gains_nothing(tmp_path: Path, name: str) -> None:
    kernel, why = CHEATS[name]
    found = measured(
        "heat-stencil", tmp_path, {"kernel.py": kernel}, changed=("(900, 1000), 80", "(200, 300), 80")
    )
    if why:
        assert not found.metrics and any(why in words for words in found.refused), found
    else:
        assert not found.refused and min(found.metrics[0].values) > 2, found  # as slow as it is


def design(*films: tuple[float, float]) -> dict[str, str]:
    return {
        "design.toml": "".join(
            f"[[layers]]\nindex = {index}\nthickness_nm = {thickness}\n" for index, thickness in films
        )
    }


@pytest.mark.long
def test_a_better_coating_reflects_less_and_twice_the_same(tmp_path: Path) -> None:
    found = measured("antireflection", tmp_path, design((1.38, 89), (1.95, 120.5), (1.65, 58)), parent=True)
    assert not found.refused and all(held for _, held in found.checks) and len(found.checks) == 3
    mine, its = found.metrics[0], found.parent_metrics[0]
    assert mine.uncertainty == 0 and mine.n == 2 and 0.2 < mine.value < 0.25 and 1.5 < its.value < 1.53


@pytest.mark.parametrize(
    "films",
    [((1.22, 100.0),), ((1.38, 99.6),) * 5, ((1.38, 300.0), (2.3, 299.0), (1.38, 10.0)), (), ((1.38, 9.9),)],
    ids=str,
)
def test_a_coating_outside_the_limits_is_not_measured(
    tmp_path: Path, films: tuple[tuple[float, float], ...]
) -> None:
    found = measured(
        "antireflection", tmp_path, {**design(*films), "measured.toml": "mean_reflectance = 0.0"}
    )
    assert not found.metrics and "the design cannot be measured" in found.refused[0], found


@pytest.mark.long
def test_nothing_of_a_coatings_candidate_is_executed(tmp_path: Path) -> None:
    lie = "raise SystemExit(0)\n"
    found = measured(
        "antireflection",
        tmp_path,
        {
            **design((1.38, 99.6)),
            "numpy.py": lie,
            "meep.py": lie,
            "tomllib.py": lie,
            "sitecustomize.py": lie,
            "simkit.py": lie,
        },
    )
    assert not found.refused and found.metrics[0].value > 1.5
