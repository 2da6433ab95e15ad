"""What a fresh server needs before the first run: pool, limits, deployments. What a person changed on the page stays."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flows.serving.runtime import SIMULATIONS, check_packages, refuse_settings_of_a_folder
from flows.up import deploying
from flows.up.api import Api
from flows.up.children import POOL, SIMULATE_POOL, Server
from flows.up.logs import Log
from schemas.errors import PrerequisiteError

DEPLOY_S = 600


@dataclass(frozen=True)
class Wanted:
    """Limits that a person gave; None: from the machine's cores at the first start, then as it stands on the server."""

    runs: int | None = None
    simulations: int | None = None


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def set_limits(api: Api, wanted: Wanted) -> tuple[int | None, int | None]:
    """Pools and the limit that simulations share. Runs at once, simulations at once; None: without a limit."""
    for pool, given, first in (
        (POOL, wanted.runs, max(2, cores() // 2)),
        (SIMULATE_POOL, wanted.simulations, cores()),
    ):
        known = api.get(f"/work_pools/{pool}")
        if known is None:
            api.post("/work_pools/", {"name": pool, "type": "process", "concurrency_limit": given or first})
        elif given:
            api.patch(f"/work_pools/{pool}", {"concurrency_limit": given})
    limit = api.get(f"/v2/concurrency_limits/{SIMULATIONS}")
    if limit is None:
        api.post(
            "/v2/concurrency_limits/",
            {"name": SIMULATIONS, "limit": wanted.simulations or cores(), "active": True},
        )
    elif wanted.simulations:
        api.patch(f"/v2/concurrency_limits/{SIMULATIONS}", {"limit": wanted.simulations, "active": True})
    limit = api.get(f"/v2/concurrency_limits/{SIMULATIONS}")
    return (api.get(f"/work_pools/{POOL}") or {}).get("concurrency_limit"), limit["limit"] if limit[
        "active"
    ] else None


def what_is_deployed() -> str:
    """A digest of all that a deployment is made of: prefect.yaml, the flows' parameters, Prefect."""
    root = check_packages()
    if not (root / "prefect.yaml").is_file():
        raise PrerequisiteError(
            "there is no prefect.yaml beside ReproLab's packages",
            found=str(root),
            fix="run it from a checkout (make setup)",
        )
    found = hashlib.sha256(version("prefect").encode())
    for path in (
        root / "prefect.yaml",
        *sorted((root / "flows").rglob("*.py")),
        *sorted((root / "schemas").rglob("*.py")),
        *sorted((root / "blocks").rglob("*.py")),
    ):
        found.update(path.read_bytes())
    return found.hexdigest()[:32]


def deploy(api: Api, server: Server, log: Log) -> None:
    """Register the block types and deploy all of prefect.yaml; schedules that a person switched or added stay.

    Raises PrerequisiteError.
    """
    root = check_packages()
    refuse_settings_of_a_folder(root)
    before = _schedules(api)
    done = subprocess.run(
        [sys.executable, "-P", str(Path(deploying.__file__).resolve())],
        cwd=root,
        timeout=DEPLOY_S,
        env={**server.client_environment(), "PYTHONPATH": str(root)},
        stdin=subprocess.DEVNULL,
        stdout=log.write_end,
        stderr=log.write_end,
    )
    if done.returncode:
        raise PrerequisiteError(
            "the deployments could not be made", found=log.tail()[-600:], fix=f"its log: {log.path}"
        )
    for deployment, schedules in _schedules(api).items():
        now = {schedule["slug"]: schedule for schedule in schedules if schedule["slug"]}
        for old in before.get(deployment, ()):
            if old["slug"] in now:
                if old["active"] != now[old["slug"]]["active"]:
                    api.patch(
                        f"/deployments/{deployment}/schedules/{now[old['slug']]['id']}",
                        {"active": old["active"]},
                    )
            elif old["id"] not in {schedule["id"] for schedule in schedules} and not old["slug"]:
                api.post(
                    f"/deployments/{deployment}/schedules",
                    [
                        {
                            name: old[name]
                            for name in ("schedule", "active", "parameters", "max_scheduled_runs")
                            if old.get(name) is not None
                        }
                    ],
                )


def _schedules(api: Api) -> dict[str, list[dict[str, Any]]]:
    """Of our deployments, by id."""
    found = api.post("/deployments/filter", {"deployments": {"tags": {"all_": ["reprolab"]}}})
    return {deployment["id"]: deployment["schedules"] for deployment in found}
