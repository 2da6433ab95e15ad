"""The cheapest regression with a fit, replayed with two kernels of the linear algebra, and the baselines that are shipped."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.reproduce.papers import BUNDLED, recorded_ids
from tasks.reproduce.regression.environment import CODE, code

pytestmark = [pytest.mark.flow, pytest.mark.long]
SOLVES = (
    "simkit/arrange",
    "simkit/solve",
    "tasks/reproduce/materials",
    "tasks/reproduce/measuring",
    "tasks/reproduce/solving",
    "tasks/reproduce/uncertainty",
)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="kernels of x86")
def test_another_kernel_changes_no_number(tmp_path: Path) -> None:
    """A copy of ge-on-gold without its baseline: made with one kernel, unchanged with another."""
    shutil.copytree(
        BUNDLED / "ge-on-gold", tmp_path / "ge-on-gold", ignore=shutil.ignore_patterns("regression.json")
    )

    def regress(kernel: str, *more: str) -> subprocess.CompletedProcess[str]:
        words = ("regress", str(tmp_path / "ge-on-gold"), "--outputs", str(tmp_path / "out"), *more)
        return subprocess.run(
            [sys.executable, "-m", "flows.cli", *words],
            env={**os.environ, "OPENBLAS_CORETYPE": kernel},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    made = regress("Haswell", "--accept", "the first")
    assert made.returncode == 0, made.stdout + made.stderr[-3000:]
    same = regress("Sandybridge")
    assert same.returncode == 0 and ": unchanged (" in same.stdout, same.stdout + same.stderr[-3000:]


@pytest.mark.parametrize("name", recorded_ids())
def test_what_solves_is_what_the_shipped_baseline_was_made_with(name: str) -> None:
    """A change of what solves is accepted anew: reprolab regress --all --accept REASON."""
    known = json.loads((BUNDLED / name / "regression.json").read_text())["environment"]
    now = code()
    assert {folder: known.get(CODE + folder) for folder in SOLVES} == {
        folder: now[CODE + folder] for folder in SOLVES
    }
