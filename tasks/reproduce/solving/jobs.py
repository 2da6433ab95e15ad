"""One run of a described simulation as a job for another worker: written, checked, solved."""

from __future__ import annotations

import math
import re

from schemas.errors import InputError
from schemas.reading.strict_json import parse_json
from schemas.reproduce.simulations.execution import SolvedElsewhere, SolvingJob
from simkit.runs import AnyRun, Run, dump, load
from tasks.reproduce.simulation import simkit_digest
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.run_left import RunFailed


def solving_job(document: AnyRun, solver: Solver, label: str) -> SolvingJob:
    """The job of a run that this solver would solve, under its limits."""
    return SolvingJob(
        run_json=dump(document),
        label=label[:200],
        cpu_limit_s=solver.hard_limit_s,
        until=solver.until(document),
        memory_mb=solver.memory_mb,
        meep_version=solver.meep.meep_version,
        simkit_digest=simkit_digest(),
    )


def checked_run(job: SolvingJob) -> AnyRun:
    """The run of a job that may come from anywhere. Raises InputError, ValueError.

    Its numbers are the solver's to check, in the sandbox; here, that it is a run, and which others it names.
    """
    parse_json(job.run_json)
    try:
        document = load(job.run_json)
        used = [digest for digest, _ in document.subtract.values()] if isinstance(document, Run) else []
        document.digest()
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(
            "the job holds no run of a description",
            found=type(error).__name__,
            allowed="simkit.runs.dump",
            fix="let a run write it",
        ) from error
    for digest in used:
        if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{32}", digest):
            raise InputError(
                "a run that the job subtracts is none",
                found=repr(digest)[:80],
                allowed="32 hexadecimal digits",
                fix="let a run write it",
            )
    return document


def solved(job: SolvingJob, solver: Solver) -> SolvedElsewhere:
    """Solve it into the solver's store; a failure that is kept there is not repeated here."""
    document = checked_run(job)
    solver.ends_at = math.inf if job.until is None else job.until  # who sent it knows the budget
    try:
        solver.solve(document, job.label)
    except RunFailed as error:
        kept = (solver.entry(document.digest()) / "outcome.json").is_file()
        return SolvedElsewhere(cpu_s=sum(solver.ran.values()), failure=None if kept else error.failure)
    finally:
        solver.close()
    return SolvedElsewhere(cpu_s=sum(solver.ran.values()))
