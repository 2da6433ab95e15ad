"""The automations of deploy/automations on a server; one that a person changed or switched off on the page stays so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from flows.serving.runtime import check_packages
from flows.up.api import Api
from schemas.base import digest

FOLDER = "deploy/automations"
_BLOCK = "REPROLAB_NOTIFY"  # in the files, where the id of a notification block goes
MOST = 200


def shipped(folder: Path | None = None) -> list[dict[str, Any]]:
    """The automations of the files, as Prefect's API takes them but for the blocks."""
    found = folder or check_packages() / FOLDER
    return [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(found.glob("*.yaml"))]


def applied(automation: dict[str, Any], blocks: list[str], lost_after_s: int | None) -> dict[str, Any] | None:
    """One automation with the ids of notification blocks in it; None where it could only notify and there is nobody."""
    actions: list[dict[str, Any]] = []
    for action in automation["actions"]:
        if action.get("block_document_id") == _BLOCK:
            actions += [{**action, "block_document_id": block} for block in blocks]
        else:
            actions.append(action)
    if not actions:
        return None
    trigger = dict(automation["trigger"])
    if lost_after_s and trigger["posture"] == "Proactive":
        trigger["within"] = lost_after_s
    made = {**automation, "trigger": trigger, "actions": actions}
    return {**made, "description": f"{automation['description']} [{digest(made, 12)}]"}


def on_server(api: Api) -> dict[str, dict[str, Any]]:
    """Those of a server, by name."""
    return {automation["name"]: automation for automation in api.post("/automations/filter", {"limit": MOST})}


def lost_after_s(api: Api) -> int | None:
    """After how long without heartbeat a run has crashed there, as it stands now; None where nothing waits for that."""
    ours = {each["name"] for each in shipped() if each["trigger"]["posture"] == "Proactive"}
    found = [known["trigger"] for name, known in on_server(api).items() if name in ours]
    return next((int(trigger["within"]) for trigger in found if trigger.get("within")), None)


def apply(api: Api, blocks: list[str], lost_after_s: int | None = None) -> list[str]:
    """Put them on the server; names of those that are there and switched on."""
    known = on_server(api)
    on = []
    for automation in shipped():
        wanted, old = applied(automation, blocks, lost_after_s), known.get(automation["name"])
        if wanted is None:
            if old is not None:
                api.delete(f"/automations/{old['id']}")
            continue
        if old is None:
            api.post("/automations/", wanted)
        elif old["description"] != wanted["description"]:
            api.put(f"/automations/{old['id']}", {**wanted, "enabled": old["enabled"]})
        if old is None or old["enabled"]:
            on.append(automation["name"].removeprefix("reprolab: "))
    return on
