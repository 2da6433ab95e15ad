"""The weekly schedule of `regress-all` on a Prefect server: switched on and off."""

from __future__ import annotations

import os

from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound

from flows.serving.shared_server import look_at_server
from schemas.errors import InputError, PrerequisiteError

DEPLOYMENT = "regress-all/regress-all"


def switch_schedule(wanted: str) -> str:
    """Switch every schedule of the deployment `on` or `off`; what it is now, in a line.

    Raises InputError for another word, PrerequisiteError without a server that can be asked, its password or the deployment.
    """
    if wanted not in ("on", "off"):
        raise InputError("the schedule can be switched on or off", found=wanted[:100], allowed="on, off")
    if not os.environ.get("PREFECT_API_URL"):
        raise PrerequisiteError(
            "a schedule lives on a Prefect server; none is named, and nobody is up over these outputs",
            fix="--outputs of the folder that is up; or export PREFECT_API_URL=http://your-server:4200/api "
            "(docs/guide/deployment.md)",
        )
    look_at_server()  # one that is not there, or refuses, is told apart and named
    with get_client(sync_client=True) as client:
        try:
            deployment = client.read_deployment_by_name(DEPLOYMENT)
        except ObjectNotFound as error:
            raise PrerequisiteError(
                f"the server has no deployment {DEPLOYMENT}", fix="prefect deploy --all"
            ) from error
        for schedule in deployment.schedules:
            client.update_deployment_schedule(deployment.id, schedule.id, active=wanted == "on")
        found = client.read_deployment_schedules(deployment.id)
    times = (
        ", ".join(str(getattr(entry.schedule, "cron", entry.schedule)) for entry in found) or "no schedule"
    )
    return f"{DEPLOYMENT}: {times} is {'on' if any(entry.active for entry in found) else 'off'}"
