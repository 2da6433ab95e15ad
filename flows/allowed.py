"""What a run may be told that was started through Prefect's API: names, or what the worker's own environment allows.

Whoever reaches the API can start runs of a deployment with any parameters, so these are data, never places of the
worker's choosing. The command line is the user's own and stays free.
"""

from __future__ import annotations

import os
from pathlib import Path

from flows.endpoint import check_address
from flows.resources import BLOCK, outputs_root
from flows.runtime import from_outside
from schemas.beneath import Unopened, open_below
from schemas.errors import InputError
from schemas.settings import RunSettings
from schemas.visible import one_visible_line
from tasks.papers import bundled_ids

PAPERS, OUTPUTS, MEEP, DEGRADED = (
    "REPROLAB_ALLOW_PAPERS", "REPROLAB_ALLOW_OUTPUTS", "REPROLAB_ALLOW_MEEP", "REPROLAB_ALLOW_DEGRADED")
MAX_JOB_BYTES = 4 * 2**20


def check_run(paper: str, settings: RunSettings, outputs: str, run_id: str) -> None:
    """Raises InputError for a parameter of `reproduce` that this worker does not allow. Nothing is opened."""
    if not from_outside():
        return
    if not run_id and paper not in bundled_ids():
        _below("paper", paper, _folders(PAPERS), f"a bundled id ({', '.join(bundled_ids())})", PAPERS)
    check_outputs(outputs)
    check_meep(settings.meep_python)
    _check_degraded(settings.allow_degraded_sandbox)
    model = settings.model
    if model.transcript:
        _below("settings.model.transcript", model.transcript, [*_folders(PAPERS), *_outputs()], "empty for the paper's own",
               PAPERS)
    check_address(model)
    for name, text in settings.answers:
        check_answer(name, text)


def check_regression(settings: RunSettings, outputs: str) -> None:
    """Raises InputError for a parameter of `regress` that this worker does not allow."""
    check_run(bundled_ids()[0], settings, outputs, "")


def check_job(job_file: str, outputs: str, meep: str, allow_degraded: bool) -> None:
    """Raises InputError for a parameter of `simulate` that this worker does not allow."""
    if not from_outside():
        return
    check_outputs(outputs)
    check_meep(meep or None)
    _check_degraded(allow_degraded)
    jobs = outputs_root(outputs) / ".reprolab" / "jobs"
    path = Path(job_file)
    if path.parent != jobs:
        raise _refused("job_file", job_file, [f"{jobs}/NAME.json, as a run writes it"], OUTPUTS)
    try:
        open_below(jobs, path.name, MAX_JOB_BYTES).close()
    except Unopened as error:
        raise InputError("the job file cannot be used", found=f"it {error}", allowed="a job that a run wrote") from error


def check_outputs(outputs: str) -> None:
    """Raises InputError for a folder of results that this worker does not allow."""
    if from_outside() and outputs and not outputs.startswith(BLOCK):
        _below("outputs", outputs, _outputs(), f"empty, or {BLOCK}NAME", OUTPUTS)


def check_meep(interpreter: str | None) -> None:
    """Raises InputError for an interpreter that this worker does not allow; it would be run."""
    own = [*os.environ.get(MEEP, "").split(os.pathsep), os.environ.get("REPROLAB_MEEP_PYTHON", "")]
    allowed = [path for path in own if path]
    if from_outside() and interpreter and not interpreter.startswith(BLOCK) and interpreter not in allowed:
        raise _refused("meep_python", interpreter, [f"empty, or {BLOCK}NAME", *allowed], MEEP)


def check_table(name: str) -> None:
    """Raises InputError for a table of materials that an answer names outside the paper's folder, unless allowed."""
    if from_outside():
        _below("a table of materials", name, _folders(PAPERS), "a file in the paper's folder", PAPERS)


def check_answer(name: str, text: str) -> None:
    """Raises InputError for an answer given beforehand that is too long to be one (a table in it: `check_table`)."""
    if len(name) > 200 or len(text) > 20_000:
        raise InputError("an answer given beforehand is too long", found=f"{len(text)} characters", allowed="20000 characters")


def _check_degraded(asked: bool) -> None:
    if asked and os.environ.get(DEGRADED) != "1":
        raise InputError("generated code without isolation is not allowed on this worker", found="allow_degraded_sandbox",
                         allowed="the sandbox", fix=f"set {DEGRADED}=1 on the worker, if its keeper accepts that")


def _outputs() -> list[Path]:
    return [outputs_root(""), *_folders(OUTPUTS)]


def _folders(variable: str) -> list[Path]:
    return [Path(entry).expanduser().resolve() for entry in os.environ.get(variable, "").split(os.pathsep) if entry]


def _below(what: str, given: str, folders: list[Path], otherwise: str, variable: str) -> None:
    try:
        path = Path(given).expanduser().resolve()
    except (OSError, ValueError, RuntimeError):
        path = None
    if path is None or not any(path.is_relative_to(folder) for folder in folders):
        raise _refused(what, given, [otherwise, *(f"{folder}/..." for folder in folders)], variable)


def _refused(what: str, given: str, allowed: list[str], variable: str) -> InputError:
    return InputError(f"{what}: this worker does not allow that", found=one_visible_line(given, 200),
                      allowed="; ".join(allowed),
                      fix=f"the worker's keeper can allow more with {variable} (docs/deployment.md)")

