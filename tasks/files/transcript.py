"""transcript.jsonl: one line per call, experiment and question; append-only, repaired after a kill."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

from schemas.errors import InputError
from schemas.run.pasted import typed
from schemas.talking.transcript import TranscriptEntry


class Transcript:
    """The transcript of one run. An entry is written once, whatever is resumed or reused."""

    def __init__(self, path: Path, header: dict[str, Any]):
        self.path = path
        self._lock = threading.Lock()
        self._known: set[str] = set()
        self.asked: set[str] = set()  # what entries answer: "call planner.-.1.1.0", "question ..."
        self.passed: list[
            str
        ] = []  # keys of the entries this process went through, in order: new ones and reused ones
        if path.exists():
            self._repair()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"header": header}, sort_keys=True) + "\n", encoding="utf-8")

    def _repair(self) -> None:
        """Drop a last line that a killed process left unfinished, and learn which entries are there."""
        raw = self.path.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        if whole != raw:
            with self.path.open("r+b") as stream:
                stream.truncate(len(whole))
        for line in whole.splitlines()[1:]:
            entry = TranscriptEntry.model_validate_json(line)
            self._learn(entry)

    def _learn(self, entry: TranscriptEntry) -> None:
        self._known.add(entry_key(entry))
        self.asked.add(f"{entry.kind} {_asked(entry)}")

    def add(self, entry: TranscriptEntry) -> bool:
        """Append an entry unless it is there already; True if it was written."""
        with self._lock:
            key = entry_key(entry)
            self.passed.append(key)
            if key in self._known:
                return False
            with self.path.open("ab") as stream:
                stream.write(entry.model_dump_json(exclude_defaults=True).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            self._learn(entry)
            return True


def entry_key(entry: TranscriptEntry) -> str:
    """What makes an entry the same when a resumed run goes through it again."""
    if entry.kind == "question":
        return f"question {_asked(entry)}"
    return f"{entry.kind} {_asked(entry)} {entry.request_digest}"  # a changed request is a new entry; the last counts


def _asked(entry: TranscriptEntry) -> str:
    return (
        str((entry.request or {}).get("question_id")) if entry.kind == "question" else entry.position.label()
    )


def read_entries(path: Path, *, growing: bool = False) -> tuple[dict[str, Any], list[TranscriptEntry]]:
    """Header and entries of a transcript. Raises InputError naming the line that does not fit.

    growing: a run may be writing it, or was killed while it did; a last line without its end is passed over.
    """
    if not path.is_file():
        raise InputError("there is no transcript", found=str(path), fix=f"`{typed('status')}` lists the runs")
    header: dict[str, Any] = {}
    entries = []
    raw = path.read_bytes()
    text = (raw[: raw.rfind(b"\n") + 1] if growing else raw).decode("utf-8")
    for number, line in enumerate(
        text.split("\n"), start=1
    ):  # splitlines would also cut at U+2028 within a text
        try:
            if number == 1:
                header = json.loads(line)["header"]
            elif line.strip():
                entries.append(TranscriptEntry.model_validate_json(line))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}, line {number} is no transcript entry", found=str(error)[:200]
            ) from error
    return header, entries
