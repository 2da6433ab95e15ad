"""Runs that were cancelled on the page, noted in their folders: a suspended run has no process that could, a killed one neither.

For the same reason the overview on the page of a run that was cancelled or crashed is told from here that nothing works on it.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from flows.run.cancelled_note import note_cancelled, was_cancelled
from flows.run.records import process_at
from flows.run.retrying import run_of_flow_run
from flows.up.api import Api
from schemas.errors import PrerequisiteError

_MOST = 50
# A worker notices the end of a process that it cancelled up to half a minute later; until then the state is Cancelling.
_CANCELLED = {"CANCELLED": "END_TIME_DESC", "CANCELLING": "START_TIME_DESC"}
_AT_WORK = "At work on "
_STANDS = {
    "CANCELLED": "**Cancelled: nothing works on it. Retry takes it up again; nothing finished is lost.**",
    "CRASHED": "**Its process or its computer is gone. Retry continues it; nothing finished is lost.**",
}


def note_those_cancelled(api: Api, outputs: Path) -> list[str]:
    """Note the newest cancelled flow runs in the folders of their runs; ids of the runs that this is news of.

    Asked once and not again where the server does not answer: whoever calls this has to start it again.
    """
    news = []
    for run in [run for kind, sort in _CANCELLED.items() for run in _newest(api, [kind], sort)]:
        run_id = run_of_flow_run(outputs, run["id"])
        when = datetime.fromisoformat(run["state"]["timestamp"].replace("Z", "+00:00"))
        for record in outputs.glob(f"*/{run_id}/run.json") if run_id else ():
            folder = record.parent
            if folder.is_symlink() or process_at(
                folder
            ):  # one that still ends, or that took the run up since
                continue
            known = was_cancelled(folder)
            if note_cancelled(folder, when) and not known:
                news.append(run_id)
    return news


def tell_their_pages(api: Api, outputs: Path, told: set[str]) -> None:
    """Let the overviews of runs that were cancelled or crashed say so. told: states of which that is done, or has nothing to say."""
    for run in _newest(api, [*_STANDS], "END_TIME_DESC"):
        state, run_id = run["state"], run_of_flow_run(outputs, run["id"])
        if state["id"] in told:
            continue
        with suppress(PrerequisiteError):  # looked at again the next time
            wanted = {"limit": 1, "artifacts": {"key": {"any_": [f"{run_id}-overview"]}}}
            for shown in api.post("/artifacts/filter", wanted, patience=1) if run_id else ():
                api.patch(
                    f"/artifacts/{shown['id']}", {"data": stopped(str(shown["data"]), _STANDS[state["type"]])}
                )
            told.add(state["id"])


def stopped(overview: str, words: str) -> str:
    """An overview that says below its title how the run stands; what it was at work on is no longer said as of now."""
    title, *rest = overview.split("\n\n")
    if rest and rest[0] in _STANDS.values():
        del rest[0]
    if rest and rest[0].startswith(_AT_WORK):
        rest[0] = f"It was a{rest[0][1:]}"
    return "\n\n".join([title, words, *rest])


def _newest(api: Api, kinds: list[str], sort: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    wanted = {"state": {"type": {"any_": kinds}}, "parent_task_run_id": {"is_null_": True}}
    with suppress(PrerequisiteError):
        found = api.post("/flow_runs/filter", {"limit": _MOST, "sort": sort, "flow_runs": wanted}, patience=1)
    return found
