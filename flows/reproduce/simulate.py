"""simulate_job: one simulation as a flow of its own, so that simulations can go to another work pool.

What sends them: flows/reproduce/computing/elsewhere.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run
from pydantic import TypeAdapter, ValidationError

from flows.reproduce.allowed import MAX_JOB_BYTES, check_job
from flows.reproduce.computing.elsewhere import ended_file
from flows.reproduce.preflight import check_computer
from flows.reproduce.resources import meep_python
from flows.run.resources import outputs_root
from flows.serving.sharing import simulation_place
from schemas.base import Identifier
from schemas.errors import InputError, PrerequisiteError
from schemas.reading.beneath import Unopened, read_below
from schemas.reading.handed import misfits
from schemas.reading.strict_json import parse_json
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.execution import Execution, SimulationJob, SolvedElsewhere, SolvingJob
from tasks.files.store import Store, atomic_write
from tasks.reproduce.simulation import run_simulation, simkit_digest
from tasks.reproduce.solving.jobs import checked_run, solved
from tasks.reproduce.solving.one_run import Budget, Solver


def _run_name() -> str:
    return str(
        flow_run.parameters.get("label") or Path(str(flow_run.parameters.get("job_file", "job"))).stem
    )[:80]


@flow(name="simulate", flow_run_name=_run_name, persist_result=True, result_serializer="json")
def simulate_job(
    job_file: str,
    outputs: str = "",
    meep: str = "",
    allow_degraded_sandbox: bool = False,
    processes: int = 1,
    label: str = "",
) -> Execution | SolvedElsewhere:
    """Run one simulation in the sandbox; its result is kept in the outputs folder's store and never computed twice.

    Args:
        job_file: path of a JSON file with the job on the worker's file system (schemas.reproduce.simulations.execution: SimulationJob, a
            free script, or SolvingJob, a run of a description).
        outputs: folder whose store keeps the result, or block:NAME; REPROLAB_OUTPUTS or ./outputs when empty.
        meep: interpreter that has Meep, or block:NAME; found by itself when empty.
        allow_degraded_sandbox: run generated code with resource limits only where bubblewrap is missing.
        processes: MPI processes of a free script, where this worker's Meep has MPI; set it on the deployment of a pool of large
            workers.
        label: the flow run's name.
    """
    check_job(job_file, outputs, meep, allow_degraded_sandbox)
    job = read_job(Path(job_file))
    found, _ = check_computer(
        RunSettings(meep_python=meep_python(meep or None), allow_degraded_sandbox=allow_degraded_sandbox)
    )
    for what, wanted, here in (
        ("Meep", job.meep_version, found.meep_version),
        ("simkit", job.simkit_digest, simkit_digest()),
    ):
        if wanted and wanted != here:
            raise PrerequisiteError(
                f"this worker has another {what} than the run that made the job",
                found=here,
                allowed=wanted,
                fix="use the same version of ReproLab and Meep on all workers",
            )
    with simulation_place(None):
        if isinstance(job, SolvingJob):
            solver = Solver(
                store=Store(outputs_root(outputs)),
                meep=found,
                budget=Budget(job.cpu_limit_s),
                cpu_limit_s=job.cpu_limit_s,
                memory_mb=job.memory_mb,
                allow_degraded=allow_degraded_sandbox,
            )
            ended = solved(job, solver)
            atomic_write(ended_file(Path(job_file)), ended.model_dump_json(indent=1))
            return ended
        return run_simulation(
            job,
            store=Store(outputs_root(outputs)),
            meep=found,
            allow_degraded=allow_degraded_sandbox,
            processes=processes,
        )


def read_job(path: Path) -> SimulationJob | SolvingJob:
    """The job in a file, checked: it may come from anywhere. Raises InputError."""
    try:
        raw = parse_json(
            read_below(path.parent, path.name, MAX_JOB_BYTES, one_name=False).decode("utf-8-sig")
        )
        if isinstance(raw, dict) and "run_json" in raw:
            solving = SolvingJob.model_validate_json(json.dumps(raw))
            checked_run(solving)
            return solving
        job = SimulationJob.model_validate_json(json.dumps(raw))
        for stage_id, execution in job.inputs:
            TypeAdapter(Identifier).validate_python(stage_id)
            if not re.fullmatch(r"[0-9a-f]{32}", execution):
                raise InputError(
                    f"the job's input {stage_id!r} is no execution",
                    found=repr(execution[:80]),
                    allowed="32 hexadecimal digits",
                    fix="give the id of an execution in the store",
                )
    except Unopened as error:
        raise InputError(
            "the job file is no usable file",
            found=f"{path} {error}",
            fix="give the path of a job file",
            allowed=f"a regular file of at most {MAX_JOB_BYTES} bytes",
        ) from error
    except (
        ValueError
    ) as error:  # what the strict reader says names a key or a number, which may be any file's
        found = misfits(error) if isinstance(error, ValidationError) else "no strict JSON in UTF-8"
        raise InputError(
            f"the job file {path} cannot be read",
            found=found,
            allowed="JSON of schemas.reproduce.simulations.execution.SimulationJob",
            fix="let a run write it",
        ) from error
    return job
