"""An experiment at its limit is an answer to its agent, not an accident that ends the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.reproduce.simulations.design import Experiment
from tasks.files.store import Store
from tasks.reproduce.experiments import experiment_job, run_experiment
from tasks.reproduce.meep_interpreter import find_meep

pytestmark = pytest.mark.sim


def test_an_experiment_at_its_cpu_limit_says_so(tmp_path: Path) -> None:
    meep = find_meep(None)
    wanted = Experiment(question="does it end?", code="print('begun', flush=True)\nwhile True: pass\n")
    job = experiment_job(
        wanted,
        paper_id="p",
        stage_id="s",
        materials_json="{}",
        cpu_s=1,
        memory_mb=2048,
        meep_version=meep.meep_version,
    )
    assert job.wall_limit_s > 100 * job.cpu_limit_s, "a busy machine must not fail it"
    found = run_experiment(
        wanted,
        job,
        store=Store(tmp_path),
        run_dir=tmp_path / "run",
        folder="e",
        meep=meep,
        allow_degraded=True,
    )
    assert found.stop_reason == "cpu" and "begun" in found.output
    assert "it reached its limit: stopped by the limit on cpu" in found.output
    assert 1 <= found.cpu_s < 10
