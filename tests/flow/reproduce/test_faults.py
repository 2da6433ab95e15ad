"""A part of `make faults` that `make test` runs: two of a film, one refused and one told. All of them take an hour: `make faults`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.flow, pytest.mark.timeout(1800)]
ROOT = Path(__file__).resolve().parents[3]
HANDFUL = {
    "typing error: film-true": "code, sent back",
    "other material: film-true/stage1_spectrum": "code, told to reviewers",
}


def test_runs_with_a_mistake_come_to_their_end(tmp_path: Path, prefect_api: str) -> None:
    """CPU: four runs of a film."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "REPROLAB_"))}
    env |= {"PREFECT_API_URL": prefect_api, "PREFECT_HOME": str(tmp_path / "prefect")}
    made = subprocess.run(
        [sys.executable, "-m", "tests.faults", *HANDFUL, "--outputs", str(tmp_path), "--workers", "1"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=1700,
    )
    assert made.returncode == 0, made.stdout[-3000:] + made.stderr[-3000:]
    assert all(f"| {by} |" in made.stdout for by in HANDFUL.values()), made.stdout[-3000:]
