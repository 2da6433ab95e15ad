"""Runs that were cancelled on the page, noted in their folders: a suspended run has no process that could, a killed one neither."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from flows.run.cancelled_note import note_cancelled
from flows.run.retrying import run_of_flow_run
from flows.up.api import Api
from schemas.errors import PrerequisiteError

_MOST = 50


def note_those_cancelled(api: Api, outputs: Path) -> list[str]:
    """Note the newest cancelled flow runs in the folders of their runs; ids of the runs that this is news of.

    Asked once and not again where the server does not answer: whoever calls this has to start it again.
    """
    found = []
    with suppress(PrerequisiteError):
        found = api.post(
            "/flow_runs/filter",
            {
                "limit": _MOST,
                "sort": "END_TIME_DESC",
                "flow_runs": {
                    "state": {"type": {"any_": ["CANCELLED"]}},
                    "parent_task_run_id": {"is_null_": True},
                },
            },
            patience=1,
        )
    news = []
    for run in found:
        run_id = run_of_flow_run(outputs, run["id"])
        when = datetime.fromisoformat(run["state"]["timestamp"].replace("Z", "+00:00"))
        news += [
            run_id
            for record in (outputs.glob(f"*/{run_id}/run.json") if run_id else ())
            if not record.parent.is_symlink() and note_cancelled(record.parent, when)
        ]
    return news
