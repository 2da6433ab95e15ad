"""What a run keeps in its folder, for showing only: its newest snapshot, the outputs of its stages. Nothing is decided by it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from schemas.reading.handed import kept_model
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.state import ReproState
from schemas.run.state import MAX_STATE_BYTES

MAX_OUTPUTS_BYTES = 50_000_000
_STAMP = re.compile(r"_(\d{8}_\d{6}_\d{6})\.json$")


def newest_state(run_dir: Path) -> ReproState | None:
    """The newest snapshot; None where nothing was saved yet. Raises InputError where it does not fit."""
    snapshots = sorted(
        (p for p in (run_dir / "checkpoints").glob("*.json") if not p.is_symlink()), key=_saved
    )
    return (
        kept_model(snapshots[-1], ReproState, "the snapshot", max_bytes=MAX_STATE_BYTES)
        if snapshots
        else None
    )


def _saved(snapshot: Path) -> str:
    """When a snapshot was saved, as its name says: a folder that was copied has other times."""
    named = _STAMP.search(snapshot.name)
    at = datetime.fromtimestamp(snapshot.stat().st_mtime, UTC)
    return named[1] if named else at.strftime("%Y%m%d_%H%M%S_%f")


def outputs_kept(run_dir: Path, stage_id: str) -> StageOutputs | None:
    """What the last attempt of a stage gave; None where none got so far. Raises InputError where it does not fit."""
    path = run_dir / stage_id / "executions.json"
    if not path.is_file() or path.is_symlink():
        return None
    return kept_model(path, StageOutputs, "the stage's outputs", max_bytes=MAX_OUTPUTS_BYTES)


def is_finished(run_dir: Path) -> bool:
    """Whether the report of a run's end (or of a cap's) lies in its folder and nothing was done since."""
    state = newest_state(run_dir)
    return any(run_dir.glob("REPRODUCTION_REPORT_*.html")) and (state is None or bool(state.report_path))


def finished_state(run_dir: Path) -> ReproState | None:
    """The state of a run that came to its end; None of another."""
    return newest_state(run_dir) if is_finished(run_dir) else None
