"""What a reproduction may be told that was started through Prefect's API (flows/run/allowed.py)."""

from __future__ import annotations

import os
from pathlib import Path

from flows.run.allowed import OUTPUTS, below, check_degraded, check_outputs, check_settings, folders, refused
from flows.run.resources import BLOCK, outputs_root
from flows.serving.runtime import from_outside
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, open_below
from schemas.reproduce.settings import RunSettings
from tasks.reproduce.papers import bundled_ids

PAPERS, MEEP = "REPROLAB_ALLOW_PAPERS", "REPROLAB_ALLOW_MEEP"
MAX_JOB_BYTES = 4 * 2**20


def check_run(paper: str, settings: RunSettings, outputs: str, run_id: str) -> None:
    """Raises InputError for a parameter of `reproduce` that this worker does not allow. Nothing is opened."""
    if not from_outside():
        return
    if not run_id and paper not in bundled_ids():
        below("paper", paper, folders(PAPERS), f"a bundled id ({', '.join(bundled_ids())})", PAPERS)
    check_meep(settings.meep_python)
    check_settings(settings, outputs, PAPERS)


def check_regression(settings: RunSettings, outputs: str) -> None:
    """Raises InputError for a parameter of `regress` that this worker does not allow."""
    check_run(bundled_ids()[0], settings, outputs, "")


def check_job(job_file: str, outputs: str, meep: str, allow_degraded: bool) -> None:
    """Raises InputError for a parameter of `simulate` that this worker does not allow."""
    if not from_outside():
        return
    check_outputs(outputs)
    check_meep(meep or None)
    check_degraded(allow_degraded)
    jobs = outputs_root(outputs) / ".reprolab" / "jobs"
    path = Path(job_file)
    if path.parent != jobs:
        raise refused("job_file", job_file, [f"{jobs}/NAME.json, as a run writes it"], OUTPUTS)
    try:
        open_below(jobs, path.name, MAX_JOB_BYTES).close()
    except Unopened as error:
        raise InputError(
            "the job file cannot be used", found=f"it {error}", allowed="a job that a run wrote"
        ) from error


def check_meep(interpreter: str | None) -> None:
    """Raises InputError for an interpreter that this worker does not allow; it would be run."""
    own = [*os.environ.get(MEEP, "").split(os.pathsep), os.environ.get("REPROLAB_MEEP_PYTHON", "")]
    allowed = [path for path in own if path]
    if from_outside() and interpreter and not interpreter.startswith(BLOCK) and interpreter not in allowed:
        raise refused("meep_python", interpreter, [f"empty, or {BLOCK}NAME", *allowed], MEEP)


def check_named(what: str, name: str) -> None:
    """Raises InputError for a file that an answer names outside the paper's folder, unless allowed. what: for example a table."""
    if from_outside():
        below(what, name, folders(PAPERS), "a file in the paper's folder", PAPERS)
