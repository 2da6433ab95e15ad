"""Simulations that another deployment computes: a job file in the outputs folder, a flow run of it, the result in the store."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
    FlowRunFilterTags,
)
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.deployments import run_deployment
from prefect.states import Cancelling

from flows.reproduce.context import Run
from schemas.errors import PrerequisiteError
from schemas.reading.handed import kept_model
from schemas.reproduce.simulations.execution import SimulationJob, SolvedElsewhere
from tasks.files.store import atomic_write
from tasks.reproduce.simulation import execution_id
from tasks.reproduce.solving.jobs import solving_job
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.run_left import RunFailed

DEPLOYMENT = "REPROLAB_SIMULATE_DEPLOYMENT"
HERE = "here"
_ASK_S, _SAY_AFTER_S = 1.0, 60.0
_ALIVE = [StateType.SCHEDULED, StateType.PENDING, StateType.RUNNING]


def simulate_elsewhere(run: Run, job: SimulationJob, label: str) -> bool:
    """Let the deployment that the settings name compute `job` into the (shared) store, or the one of the worker's variable.

    False where it is to run here. Raises PrerequisiteError when that run fails or leaves no result: a fault of the
    machinery, never of the generated code.
    """
    name = execution_id(job)
    if not _deployment(run):
        return False
    path = atomic_write(run.store.entry("jobs", f"{name}.json"), job.model_dump_json(indent=1))
    _computed(run, path, run.store.entry("simulations", name) / "execution.json", label)
    return True


def solve_elsewhere(run: Run, solver: Solver, document: Any, label: str) -> bool:
    """The same for one run of a described simulation. Raises RunFailed too, as the solver itself does.

    It is one process there, as here: raw data of several are other ones.
    """
    if not _deployment(run):
        return False
    digest, job = document.digest(), solving_job(document, solver, label)
    path = atomic_write(run.store.entry("jobs", f"run-{digest}.json"), job.model_dump_json(indent=1))
    ended = ended_file(path)
    _computed(run, path, ended, label, stale=ended)
    found = kept_model(ended, SolvedElsewhere, "what became of the simulation")
    solver.ran[digest] = found.cpu_s
    if found.failure is not None:
        raise RunFailed.of(found.failure)
    return True


def ended_file(job_file: Path) -> Path:
    """Where a worker says what became of the job in that file."""
    return job_file.with_name(f"{job_file.stem}.ended.json")


def _deployment(run: Run) -> str:
    name = run.settings.simulate_with or os.environ.get(DEPLOYMENT, "")
    return "" if name == HERE else name


def _computed(run: Run, job_file: Path, result: Path, label: str, stale: Path | None = None) -> None:
    """Wait for a flow run that computes the job: one that is on its way already, or a new one.

    stale: what an earlier run of the job left and must not be taken for a new one's. It goes only where a new one is sent: one
    that is on its way may write it at any moment, and a process killed in between would leave neither note nor run.
    """
    name, tag = _deployment(run), f"job:{job_file.stem}"
    with get_client(sync_client=True) as client:
        sent = _on_its_way(client, tag)
        if sent is None:
            if stale is not None:
                stale.unlink(missing_ok=True)
            parameters: dict[str, Any] = {
                "job_file": str(job_file),
                "outputs": str(run.store.outputs),
                "label": label,
                "allow_degraded_sandbox": run.settings.allow_degraded_sandbox,
            }
            tags = [tag, f"run:{run.run_id}"]
            sent = cast(FlowRun, run_deployment(name, parameters=parameters, timeout=0, tags=tags)).id
        ended = _ended(
            client,
            sent,
            run,
            f"{label} waits: no worker has taken its run of {name} yet (docs/guide/deployment.md)",
        )
    if ended.state is None or not ended.state.is_completed() or not result.is_file():
        raise PrerequisiteError(
            f"the simulation did not come back from {name}",
            found=f"run {ended.name}: {ended.state.message if ended.state else '?'}",
            allowed=f"a completed run that leaves {result}",
            fix="look at that run's page; the worker must see the same outputs folder under the same path",
        )


def _on_its_way(client: SyncPrefectClient, tag: str) -> UUID | None:
    """The flow run of a process of ours that was killed: its simulation is not begun again."""
    alive = FlowRunFilterState(type=FlowRunFilterStateType(any_=_ALIVE))
    found = client.read_flow_runs(
        flow_run_filter=FlowRunFilter(tags=FlowRunFilterTags(all_=[tag]), state=alive), limit=1
    )
    return found[0].id if found else None


def _ended(client: SyncPrefectClient, sent: UUID, run: Run, waits: str) -> FlowRun:
    began, said = time.monotonic(), False
    while True:
        found = client.read_flow_run(sent)
        if found.state is not None and found.state.is_final():
            return found
        if (
            not said
            and time.monotonic() > began + _SAY_AFTER_S
            and (found.state is None or found.state.is_scheduled())
        ):
            run.console.say(waits)
            said = True
        if run.cancel.wait(_ASK_S):
            client.set_flow_run_state(sent, Cancelling(), force=True)
            raise InterruptedError("stopped while another worker simulated")
