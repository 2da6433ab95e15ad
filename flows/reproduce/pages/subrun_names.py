"""Readable names of the flow runs that a reproduction starts."""

from __future__ import annotations

from prefect.runtime import flow_run

from flows.run.context import ACTIVE


def stage_run_name() -> str:
    """The name of a stage's flow run: paper, stage, attempt."""
    given = flow_run.parameters
    run = ACTIVE.get(str(given["run_id"]))
    paper = f"{run.subject[1]}: " if run else ""
    return f"{paper}{given['stage_id']}, attempt {given['attempt']}"
