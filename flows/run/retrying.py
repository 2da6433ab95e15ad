"""Which run a flow run works on: one that is retried, suspended or rescheduled goes on in its own folder."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks.files.store import atomic_write

_FOLDER = Path(".reprolab") / "flow_runs"


@contextmanager
def turn_of_flow_run(outputs: Path, flow_run_id: str, say: Callable[[str], None]) -> Iterator[None]:
    """One process of a flow run at a time, also before it has a run: another, that a worker or Retry started, waits for it."""
    (outputs / _FOLDER).mkdir(parents=True, exist_ok=True)
    with (outputs / _FOLDER / f".{flow_run_id}.lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another process of this flow run is at work; this one waits for its end")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def remember_run(outputs: Path, flow_run_id: str | None, run_id: str) -> None:
    """Note the run of a flow run, before there is a record of the run."""
    if flow_run_id:
        (outputs / _FOLDER).mkdir(parents=True, exist_ok=True)
        atomic_write(outputs / _FOLDER / str(flow_run_id), run_id)


def run_of_flow_run(outputs: Path, flow_run_id: str | None) -> str:
    """The run that this flow run began; '' when it begins now, or its folder is gone."""
    try:
        found = (
            (outputs / _FOLDER / str(flow_run_id)).read_text(encoding="utf-8").strip() if flow_run_id else ""
        )
    except OSError:
        return ""
    return found if found and any(outputs.glob(f"*/{found}/run.json")) else ""
