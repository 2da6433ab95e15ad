"""simulate_job: one simulation as a flow of its own, so that simulations can go to another work pool."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run
from pydantic import TypeAdapter, ValidationError

from flows.allowed import MAX_JOB_BYTES, check_job
from flows.opening import check_computer
from flows.resources import meep_python, outputs_root
from flows.sharing import simulation_place
from schemas.base import Identifier
from schemas.beneath import Unopened, read_below
from schemas.errors import InputError, PrerequisiteError
from schemas.execution import Execution, SimulationJob
from schemas.handed import misfits
from schemas.settings import RunSettings
from schemas.strict_json import parse_json
from tasks.simulation import execution_id, run_simulation, simkit_digest
from tasks.store import Store, atomic_write

DEPLOYMENT = "REPROLAB_SIMULATE_DEPLOYMENT"
HERE = "here"


def _run_name() -> str:
    return Path(str(flow_run.parameters.get("job_file", "job"))).stem[:40]


@flow(name="simulate", flow_run_name=_run_name, persist_result=True, result_serializer="json")
def simulate_job(job_file: str, outputs: str = "", meep: str = "", allow_degraded_sandbox: bool = False,
                 processes: int = 1) -> Execution:
    """Run one simulation in the sandbox; its result is kept in the outputs folder's store and never computed twice.

    Args:
        job_file: path of a JSON file with the job (schemas.execution.SimulationJob) on the worker's file system.
        outputs: folder whose store keeps the result, or block:NAME; REPROLAB_OUTPUTS or ./outputs when empty.
        meep: interpreter that has Meep, or block:NAME; found by itself when empty.
        allow_degraded_sandbox: run generated code with resource limits only where bubblewrap is missing.
        processes: MPI processes, where this worker's Meep has MPI; set it on the deployment of a pool of large workers.
    """
    check_job(job_file, outputs, meep, allow_degraded_sandbox)
    job = read_job(Path(job_file))
    found, _ = check_computer(RunSettings(meep_python=meep_python(meep or None),
                                          allow_degraded_sandbox=allow_degraded_sandbox))
    for what, wanted, here in (("Meep", job.meep_version, found.meep_version),
                               ("simkit", job.simkit_digest, simkit_digest())):
        if wanted and wanted != here:
            raise PrerequisiteError(f"this worker has another {what} than the run that made the job", found=here,
                                    allowed=wanted, fix="use the same version of ReproLab and Meep on all workers")
    with simulation_place(None):
        return run_simulation(job, store=Store(outputs_root(outputs)), meep=found, allow_degraded=allow_degraded_sandbox,
                              processes=processes)


def read_job(path: Path) -> SimulationJob:
    """The job in a file, checked: it may come from anywhere. Raises InputError."""
    try:
        raw = read_below(path.parent, path.name, MAX_JOB_BYTES, one_name=False)
        job = SimulationJob.model_validate_json(json.dumps(parse_json(raw.decode("utf-8-sig"))))
        for stage_id, execution in job.inputs:
            TypeAdapter(Identifier).validate_python(stage_id)
            if not re.fullmatch(r"[0-9a-f]{32}", execution):
                raise InputError(f"the job's input {stage_id!r} is no execution", found=repr(execution[:80]),
                                 allowed="32 hexadecimal digits", fix="give the id of an execution in the store")
    except Unopened as error:
        raise InputError("the job file is no usable file", found=f"{path} {error}", fix="give the path of a job file",
                         allowed=f"a regular file of at most {MAX_JOB_BYTES} bytes") from error
    except ValueError as error:  # what the strict reader says names a key or a number, which may be any file's
        found = misfits(error) if isinstance(error, ValidationError) else "no strict JSON in UTF-8"
        raise InputError(f"the job file {path} cannot be read", found=found,
                         allowed="JSON of schemas.execution.SimulationJob", fix="let a run write it") from error
    return job


def simulate_elsewhere(job: SimulationJob, store: Store, settings: RunSettings) -> bool:
    """Let the deployment that the settings name compute `job` into the (shared) store, or the one of the worker's variable.

    False where it is to run here. Raises PrerequisiteError when that run fails or leaves no result: a fault of the
    machinery, never of the generated code.
    """
    name = settings.simulate_with or os.environ.get(DEPLOYMENT, "")
    kept = store.entry("simulations", execution_id(job)) / "execution.json"
    if not name or name == HERE:
        return False
    from prefect.deployments import run_deployment

    path = atomic_write(store.entry("jobs", f"{execution_id(job)}.json"), job.model_dump_json(indent=1))
    run = run_deployment(name, parameters={"job_file": str(path), "outputs": str(store.outputs),
                                           "allow_degraded_sandbox": settings.allow_degraded_sandbox}, poll_interval=1)
    state = run.state
    if state is None or not state.is_completed() or not kept.is_file():
        raise PrerequisiteError(
            f"the simulation did not come back from {name}", found=f"run {run.name}: {state.message if state else '?'}",
            allowed=f"a completed run that leaves {kept}",
            fix="look at that run's page; the worker must see the same outputs folder under the same path")
    return True
