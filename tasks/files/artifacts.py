"""Files of a run for people: artifacts and checkpoints. Nothing may be decided by reading them back."""

from __future__ import annotations

import json
import warnings
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from schemas.base import Model
from schemas.errors import DiskReadForbidden
from schemas.run.state import CoreState
from tasks.files.checkpoints import Checkpoint, note_checkpoint
from tasks.files.store import atomic_write


def save_artifact(run_dir: Path, name: str, content: object) -> Path:
    """Write `_artifact_<name>.json`."""
    return atomic_write(
        run_dir / f"_artifact_{name}.json", json.dumps(plain(content), indent=1, ensure_ascii=False)
    )


def save_checkpoint(run_dir: Path, state: CoreState, name: str, passed: tuple[str, ...] = ()) -> Path:
    """A snapshot of the whole state, `checkpoint_<name>_latest.json` beside it, and its line in the index.

    passed: keys of the transcript's entries so far; a fork takes over these (tasks/files/checkpoints.py).
    """
    folder = run_dir / "checkpoints"
    stamp = datetime.now(UTC).strftime("%Y%m%d_%H%M%S_%f")
    path = atomic_write(
        folder / f"checkpoint_{state.subject_id}_{name}_{stamp}.json", state.model_dump_json(indent=1)
    )
    latest = folder / f"checkpoint_{name}_latest.json"
    latest.unlink(missing_ok=True)
    latest.symlink_to(path.name)
    note_checkpoint(
        folder, Checkpoint(name=name, timestamp=stamp, file=path.name, stage_id=state.place, passed=passed)
    )
    return path


def read_artifact_for_debugging(path: Path, caller: str) -> Any:
    """The content of an artifact, for a person who looks; warned about, and logged in `_artifact_access_log.txt`."""
    warnings.warn(
        f"{path.name} may be behind the run that writes it: for looking, never for a decision", stacklevel=2
    )
    with (path.parent / "_artifact_access_log.txt").open("a", encoding="utf-8") as log:
        log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {caller} read {path.name}\n")
    return json.loads(path.read_text(encoding="utf-8"))


def load_plan_from_disk(*_: object, **__: object) -> NoReturn:
    """Always raises: an artifact may be out of date, the run's truth is the state."""
    raise DiskReadForbidden(
        "a plan was about to be read from an artifact file for a decision",
        allowed="the state of the run",
        fix="use run.state.plan; read_artifact_for_debugging() is for people",
    )


def plain(value: object) -> object:
    """Models and what holds them as JSON has it."""
    if isinstance(value, Model):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
