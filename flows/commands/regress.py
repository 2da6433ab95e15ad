"""`reprolab regress`: what can be refused at once, then a Prefect server and the flow."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from flows.commands.given import settings_of
from flows.commands.on_prefect import on_prefect
from flows.serving.runtime import check_packages, continued_by
from flows.terminal.expected_errors import ends_by_signal
from flows.up.joined import up_over
from flows.up.place import whole
from schemas.errors import InputError
from schemas.run.pasted import typed


def run_regress(
    paper: str,
    outputs: Path,
    *,
    every: bool,
    accept: str,
    resume: str,
    allow_degraded: bool,
    meep_python: str | None,
) -> None:
    """Regress and leave with the exit code."""
    if every == bool(paper):
        raise InputError(
            "name one paper or run, or --all",
            found="both" if every else "neither",
            fix=f"{typed('regress', 'ge-on-gold')}, or {typed('regress', '--all')}",
        )
    settings = settings_of(
        None, {"meep_python": meep_python, "allow_degraded_sandbox": allow_degraded or None}, ()
    )
    check_packages()
    continued_by(typed("regress", paper or "--all", outputs=outputs))
    ends_by_signal()
    if paper:
        from flows.reproduce.regressing.subject import subject

        subject(paper, outputs, settings)  # refused before a server is started
    with on_prefect(outputs) as (server, console):
        from flows.reproduce.regressing.command import (
            regress_in_terminal,
        )  # heavy imports, while the server starts

        server.wait()
        raise typer.Exit(
            regress_in_terminal(
                paper, settings, outputs, accept=accept, resume=resume, every=every, console=console
            )
        )


def run_switch(wanted: str, outputs: Path) -> None:
    """Switch the weekly schedule of the server that PREFECT_API_URL names, else of the `up` over these outputs; say what it is."""
    if not os.environ.get("PREFECT_API_URL") and (here := up_over(outputs)):
        os.environ |= {"PREFECT_API_URL": here.api, "PREFECT_API_AUTH_STRING": whole(here.password)}
    from flows.reproduce.regressing.schedule import switch_schedule

    typer.echo(switch_schedule(wanted))
