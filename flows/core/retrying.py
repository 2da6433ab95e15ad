"""Which run a flow run works on: one that is retried, suspended or rescheduled goes on in its own folder."""

from __future__ import annotations

from pathlib import Path

from tasks.core.store import atomic_write

_FOLDER = Path(".reprolab") / "flow_runs"


def remember_run(outputs: Path, flow_run_id: str | None, run_id: str) -> None:
    """Note the run of a flow run, before there is a record of the run."""
    if flow_run_id:
        (outputs / _FOLDER).mkdir(parents=True, exist_ok=True)
        atomic_write(outputs / _FOLDER / str(flow_run_id), run_id)


def run_of_flow_run(outputs: Path, flow_run_id: str | None) -> str:
    """The run that this flow run began; '' when it begins now, or its folder is gone."""
    try:
        found = (outputs / _FOLDER / str(flow_run_id)).read_text(encoding="utf-8").strip() if flow_run_id else ""
    except OSError:
        return ""
    return found if found and any(outputs.glob(f"*/{found}/run.json")) else ""
