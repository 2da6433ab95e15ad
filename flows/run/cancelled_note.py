"""A run that was cancelled and that nobody took up since: a note in its folder, for whoever looks without a server."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from flows.run.records import taken_up_at
from schemas.run.pasted import on_run
from tasks.files.store import atomic_write

CANCELLED = "cancelled"
_NOTE = ".cancelled"


def note_cancelled(run_dir: Path, when: datetime) -> bool:
    """Note that the run was cancelled then; False where that is known, or where a process took the run up later."""
    seconds = when.astimezone(UTC).timestamp()
    if seconds <= taken_up_at(run_dir) or seconds <= _noted(run_dir):
        return False
    atomic_write(run_dir / _NOTE, repr(seconds))
    return True


def was_cancelled(run_dir: Path) -> bool:
    """Whether what happened last to the run is that it was cancelled: a process that takes it up makes it an open one again."""
    return _noted(run_dir) > taken_up_at(run_dir)


def goes_on(run_dir: Path) -> str:
    """How a run that nobody works on stands and goes on, for a person."""
    command = on_run(run_dir, "resume")
    return (
        f"{CANCELLED}: {command} takes it up again" if was_cancelled(run_dir) else f"not finished: {command}"
    )


def _noted(run_dir: Path) -> float:
    try:
        return float((run_dir / _NOTE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return float("-inf")
