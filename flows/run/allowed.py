"""What a run may be told that was started through Prefect's API: names, or what the worker's own environment allows.

Whoever reaches the API can start runs of a deployment with any parameters, so these are data, never places of the
worker's choosing. The command line is the user's own and stays free.
"""

from __future__ import annotations

import os
from pathlib import Path

from flows.calls.endpoint import check_address
from flows.run.resources import BLOCK, outputs_root
from flows.serving.runtime import from_outside
from schemas.errors import InputError
from schemas.run.settings import CoreSettings
from schemas.text.visible import one_visible_line

OUTPUTS, DEGRADED = "REPROLAB_ALLOW_OUTPUTS", "REPROLAB_ALLOW_DEGRADED"


def check_settings(settings: CoreSettings, outputs: str, recordings: str) -> None:
    """Raises InputError for what every workflow's settings may name and this worker does not allow. Nothing is opened.

    recordings: the variable that names folders whose transcripts may be replayed.
    """
    check_outputs(outputs)
    check_degraded(settings.allow_degraded_sandbox)
    model = settings.model
    if model.transcript:
        below(
            "settings.model.transcript",
            model.transcript,
            [*folders(recordings), *outputfolders()],
            "empty for the recording of what is bundled",
            recordings,
        )
    check_address(model)
    for name, text in settings.answers:
        check_answer(name, text)


def check_outputs(outputs: str) -> None:
    """Raises InputError for a folder of results that this worker does not allow."""
    if from_outside() and outputs and not outputs.startswith(BLOCK):
        below("outputs", outputs, outputfolders(), f"empty, or {BLOCK}NAME", OUTPUTS)


def check_answer(name: str, text: str) -> None:
    """Raises InputError for an answer given beforehand that is too long to be one (a file in it: `check_named`)."""
    if len(name) > 200 or len(text) > 20_000:
        raise InputError(
            "an answer given beforehand is too long",
            found=f"{len(text)} characters",
            allowed="20000 characters",
        )


def check_degraded(asked: bool) -> None:
    """Raises InputError where code without isolation is asked for and the worker's keeper did not accept that."""
    if asked and os.environ.get(DEGRADED) != "1":
        raise InputError(
            "generated code without isolation is not allowed on this worker",
            found="allow_degraded_sandbox",
            allowed="the sandbox",
            fix=f"set {DEGRADED}=1 on the worker, if its keeper accepts that",
        )


def outputfolders() -> list[Path]:
    return [outputs_root(""), *folders(OUTPUTS)]


def folders(variable: str) -> list[Path]:
    """The folders that a variable of the worker's allows."""
    return [
        Path(entry).expanduser().resolve()
        for entry in os.environ.get(variable, "").split(os.pathsep)
        if entry
    ]


def below(what: str, given: str, allowed: list[Path], otherwise: str, variable: str) -> None:
    """Raises InputError for a path that lies in none of the allowed folders."""
    try:
        path = Path(given).expanduser().resolve()
    except (OSError, ValueError, RuntimeError):
        path = None
    if path is None or not any(path.is_relative_to(folder) for folder in allowed):
        raise refused(what, given, [otherwise, *(f"{folder}/..." for folder in allowed)], variable)


def refused(what: str, given: str, allowed: list[str], variable: str) -> InputError:
    """The error that says what the worker allows, and by which variable it could allow more."""
    return InputError(
        f"{what}: this worker does not allow that",
        found=one_visible_line(given, 200),
        allowed="; ".join(allowed),
        fix=f"the worker's keeper can allow more with {variable} (docs/guide/deployment.md)",
    )
