"""Checkpoints of a run: listed for people, and the place in its record that each stands for.

A snapshot's state is never read back for a decision. What a fork or a rewind takes over is the run's record, cut where
the checkpoint was saved: every model answer, experiment and person's answer that had passed by then.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from schemas.base import Model
from schemas.errors import InputError
from schemas.run.pasted import on_run
from schemas.talking.transcript import TranscriptEntry
from tasks.files.store import atomic_write
from tasks.files.transcript import entry_key, read_entries

INDEX = "index.jsonl"


class Checkpoint(Model):
    """One snapshot. passed: keys of the transcript's entries that had passed when it was saved, in order."""

    name: str
    timestamp: str = Field(pattern=r"^\d{8}_\d{6}_\d{6}$", description="UTC, YYYYMMDD_HHMMSS_microseconds")
    file: str
    stage_id: str = "-"
    size_kb: float = 0
    passed: tuple[str, ...] = ()


def when(timestamp: str) -> str:
    """A checkpoint's time for people, to the second."""
    day, time = timestamp[:8], timestamp[9:15]
    return f"{day[:4]}-{day[4:6]}-{day[6:]} {time[:2]}:{time[2:4]}:{time[4:]}"


def note_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Add a snapshot to the index beside it."""
    with (folder / INDEX).open("a", encoding="utf-8") as stream:
        stream.write(checkpoint.model_dump_json() + "\n")


def list_checkpoints(run_dir: Path) -> tuple[Checkpoint, ...]:
    """The snapshots of a run, oldest first; a line that a killed process left unfinished is passed over."""
    folder, found = run_dir / "checkpoints", []
    try:
        lines = (folder / INDEX).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return ()
    for line in lines:
        try:
            entry = Checkpoint.model_validate_json(line)
        except ValidationError:
            continue
        path = folder / entry.file
        if "/" not in entry.file and path.is_file():
            found.append(entry.model_copy(update={"size_kb": round(path.stat().st_size / 1024, 1)}))
    return tuple(found)


def find_checkpoint(run_dir: Path, wanted: str) -> Checkpoint:
    """The newest snapshot of that name, `latest` for the newest of all, or the one in that file. Raises InputError."""
    known = list_checkpoints(run_dir)
    name = Path(wanted).name
    if name.startswith("checkpoint_") and name.endswith("_latest.json"):
        name = name.removeprefix("checkpoint_").removesuffix("_latest.json")
    matching = [c for c in known if name in (c.name, c.file, c.timestamp) or name == "latest"]
    if matching:
        return matching[-1]
    raise InputError(
        "no such checkpoint",
        found=repr(wanted),
        allowed=", ".join(dict.fromkeys(c.name for c in known))
        or "this run has none that can be gone back to",
        fix=on_run(run_dir, "checkpoints"),
    )


def cut_transcript(
    source: Path, checkpoint: Checkpoint
) -> tuple[dict[str, Any], list[TranscriptEntry], list[TranscriptEntry]]:
    """Header of a transcript, its entries that had passed at the checkpoint, and the others; both in their order."""
    header, entries = read_entries(source, growing=True)
    passed = set(checkpoint.passed)
    return (
        header,
        [entry for entry in entries if entry_key(entry) in passed],
        [entry for entry in entries if entry_key(entry) not in passed],
    )


def write_prior(path: Path, header: dict[str, Any], entries: list[TranscriptEntry]) -> None:
    """The record that a run begins with, as a transcript."""
    lines = [
        json.dumps({"header": header}, sort_keys=True),
        *(e.model_dump_json(exclude_defaults=True) for e in entries),
    ]
    atomic_write(path, "\n".join(lines) + "\n")
