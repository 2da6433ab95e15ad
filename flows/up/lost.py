"""Runs that were at work when everything ended at once: after a power cut nobody is left to say so.

The automation on heartbeats finds those that are lost while the server lives. What it waited for is gone where it was
changed meanwhile, and a run that was killed before its first heartbeat was never waited for.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flows.up.api import Api
from schemas.run.pasted import typed


def mark_lost(api: Api, started: datetime, outputs: Path) -> list[str]:
    """Mark runs Crashed that were at work before `started` and have sent no heartbeat since. Their names.

    Runs of terminals send heartbeats only where they used this server, so of theirs only those count that once sent one.
    """
    since = started.astimezone(UTC).isoformat()
    found = api.post(
        "/flow_runs/filter",
        {
            "limit": 200,
            "flow_runs": {
                "state": {"name": {"any_": ["Running", "Paused"]}},
                "parent_task_run_id": {"is_null_": True},
                "start_time": {"before_": since},
            },
        },
    )
    lost = [
        run
        for run in found
        if not _heartbeat(api, run, {"since": since})
        and (run["deployment_id"] or _heartbeat(api, run, {"until": since}))
    ]
    message = (
        "No heartbeat since `up` was started again: the run's process or its computer is gone. Nothing finished is lost: Retry "
        f"continues the run of a deployment, `{typed('resume', 'RUN', outputs=outputs)}` that of a terminal."
    )
    for run in lost:
        api.post(f"/flow_runs/{run['id']}/set_state", {"state": {"type": "CRASHED", "message": message}})
    return [run["name"] for run in lost]


def _heartbeat(api: Api, run: dict[str, Any], when: dict[str, str]) -> bool:
    asked = {
        "event": {"name": ["prefect.flow-run.heartbeat"]},
        "resource": {"id": [f"prefect.flow-run.{run['id']}"]},
        "occurred": when,
    }
    return bool(api.post("/events/filter", {"limit": 1, "filter": asked})["events"])
