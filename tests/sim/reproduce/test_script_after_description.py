"""A script takes what a described stage before it found: every such run ended with "an input of the stage is missing"."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from schemas.reproduce.simulations.execution import Execution, SimulationJob
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.describing.lengths import lengths_of
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.simulation import keep_described, run_simulation, simkit_digest
from tasks.reproduce.solving.as_executions import Place, executions_of
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.sim
SCRIPT = """import simkit as sk

run = sk.start()
table = run.table("film", "R.csv")
run.scalar("mean", [("mean", "number", "1", float(sum(table["R"]) / len(table["R"])))])
run.finish()
"""


def test_a_script_reads_the_data_of_a_described_stage(tmp_path: Path) -> None:
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE)
    store, meep, found = Store(tmp_path / "outputs"), find_meep(), list[Execution]()
    place = Place("film", tmp_path / "run", lengths_of(made.parameters, (), ()), meep.meep_version, "A")
    study(
        made,
        {},
        Solver(store, meep, Budget(100.0)),
        tmp_path / "study",
        coarse=True,
        on_climb=lambda climb: found.extend(executions_of(climb, place)),
    )
    kept = [keep_described(execution, tmp_path / "run", store) for execution in found]
    assert kept == [keep_described(execution, tmp_path / "run", store) for execution in found]
    job = SimulationJob(
        paper_id="p",
        stage_id="after",
        code=SCRIPT,
        inputs=tuple(("film", name) for name in kept),
        meep_version=meep.meep_version,
        simkit_digest=simkit_digest(),
    )
    done = run_simulation(job, store=store, meep=meep)
    assert done.complete, done.stderr_tail
    rows = (store.entry("simulations", done.execution_id) / done.datasets[0].file.path).read_text().split()
    assert 0 < float(rows[1]) < 0.2 and math.isfinite(float(rows[1]))
