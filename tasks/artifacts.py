"""Files of a run for people: artifacts and checkpoints. Nothing may be decided by reading them back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from schemas.base import Model
from schemas.errors import DiskReadForbidden
from schemas.state import ReproState
from tasks.checkpoints import Checkpoint, note_checkpoint
from tasks.store import atomic_write


def save_artifact(run_dir: Path, name: str, content: object) -> Path:
    """Write `_artifact_<name>.json`."""
    return atomic_write(run_dir / f"_artifact_{name}.json", json.dumps(_plain(content), indent=1, ensure_ascii=False))


def save_artifacts(run_dir: Path, state: ReproState) -> None:
    """The artifacts that mirror the state: plan, assumptions, progress, metrics, prompt adaptations."""
    save_artifact(run_dir, "plan", state.plan)
    save_artifact(run_dir, "assumptions", state.assumptions)
    save_artifact(run_dir, "progress", {
        "stages": state.progress, "counters": state.counters, "validation_hierarchy": state.hierarchy,
        "user_interactions": state.user_interactions, "discrepancies": state.discrepancies})
    save_artifact(run_dir, "metrics", {"calls": state.metrics, "runtime_used_s": state.runtime_used_s,
                                       "prompt_adaptations_count": len(state.prompt_adaptations or ())})
    save_adaptations(run_dir, state)


def save_adaptations(run_dir: Path, state: ReproState) -> None:
    """What became of the prompt adaptor's proposals: as artifact, and under the specification's own name."""
    content = {"analysis": state.adaptation_analysis, "adaptations": state.prompt_adaptations}
    save_artifact(run_dir, "prompt_adaptations", content)
    atomic_write(run_dir / f"prompt_adaptations_{state.paper_id}.json",
                 json.dumps(_plain(content), indent=1, ensure_ascii=False))


def save_checkpoint(run_dir: Path, state: ReproState, name: str, passed: tuple[str, ...] = ()) -> Path:
    """A snapshot of the whole state, `checkpoint_<name>_latest.json` beside it, and its line in the index.

    passed: keys of the transcript's entries so far; a fork takes over these (tasks/checkpoints.py).
    """
    folder = run_dir / "checkpoints"
    stamp = datetime.now(UTC).strftime("%Y%m%d_%H%M%S_%f")
    path = atomic_write(folder / f"checkpoint_{state.paper_id}_{name}_{stamp}.json", state.model_dump_json(indent=1))
    latest = folder / f"checkpoint_{name}_latest.json"
    latest.unlink(missing_ok=True)
    latest.symlink_to(path.name)
    note_checkpoint(folder, Checkpoint(name=name, timestamp=stamp, file=path.name, stage_id=state.current_stage_id or "-",
                                       passed=passed))
    save_artifacts(run_dir, state)
    return path


def read_artifact_for_debugging(path: Path, caller: str) -> Any:
    """The content of an artifact, for a person who looks; logged in `_artifact_access_log.txt`."""
    with (path.parent / "_artifact_access_log.txt").open("a", encoding="utf-8") as log:
        log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {caller} read {path.name}\n")
    return json.loads(path.read_text(encoding="utf-8"))


def load_plan_from_disk(*_: object, **__: object) -> NoReturn:
    """Always raises: an artifact may be out of date, the run's truth is the state."""
    raise DiskReadForbidden("a plan was about to be read from an artifact file for a decision",
                            allowed="the ReproState of the run",
                            fix="use run.state.plan; read_artifact_for_debugging() is for people")


def _plain(value: object) -> object:
    if isinstance(value, Model):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
