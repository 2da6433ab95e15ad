"""`reprolab enough`: a stage that is being solved is judged with what it has."""

from __future__ import annotations

from pathlib import Path

from flows.reproduce.computing.enough import say_enough
from flows.run.records import find_record, process_at
from flows.terminal.console import show
from schemas.errors import InputError
from schemas.run.pasted import on_run


def end_solving(outputs: Path, run: str) -> None:
    """Say so of every stage of the run that is being solved. Raises InputError where none is."""
    run_dir = find_record(outputs, run, workflow="reproduce")
    stages = say_enough(run_dir)
    if not stages:
        raise InputError(
            "no stage of this run is being solved",
            found=str(run_dir),
            allowed="a run of a described stage, after its first line `solving the description`",
            fix=f"`{on_run(run_dir, 'status')}` says what it does now",
        )
    for stage in stages:
        show(
            f"{stage}: no further simulation begins (but the last points of a sweep's grid); those that run end first, then it is judged"
        )
    if not process_at(run_dir):
        show(f"no process works on this run now; `{on_run(run_dir, 'resume')}` goes on with it")
