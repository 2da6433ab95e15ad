"""A part of `make lies` that `make test` runs: one lie of a kind, refused or judged by code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lies.table import LIES

pytestmark = [pytest.mark.flow, pytest.mark.timeout(1300)]
ROOT = Path(__file__).resolve().parents[3]


QUICK = [lie.name for lie in LIES if lie.quick]


@pytest.mark.parametrize(
    "names", [QUICK[:1], pytest.param(QUICK[1:], marks=pytest.mark.long)], ids=["one", "others"]
)
def test_quick_lies_are_held(tmp_path: Path, prefect_api: str, names: list[str]) -> None:
    """CPU: two whole runs, and in the long part eight."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "REPROLAB_"))}
    env |= {"PREFECT_API_URL": prefect_api, "PREFECT_HOME": str(tmp_path / "prefect")}
    told = subprocess.run(
        [sys.executable, "-m", "tests.lies", *names, "--outputs", str(tmp_path), "--workers", "1"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    assert all(f"| {name} |" in told.stdout for name in names)
