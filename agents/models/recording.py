"""Reading a transcript.jsonl: a header line, then one entry a line; each mistake named with its line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from schemas.errors import ReplayError
from schemas.reading.beneath import Unopened, read_below
from schemas.reading.strict_json import parse_json
from schemas.talking.transcript import MAX_TRANSCRIPT_BYTES, TranscriptEntry

_FIX = "record the run again, or take an unchanged copy of the transcript"


@dataclass(frozen=True)
class Recorded:
    """An entry and the line it stands on (from 1)."""

    entry: TranscriptEntry
    line: int


@dataclass(frozen=True)
class Recording:
    """A transcript as read: its header and its entries by position or question.

    Where a position was recorded twice (a run killed between answer and checkpoint), the later entry counts, because
    the run went on with that one; `repeated` names them.
    """

    path: Path
    header: dict[str, Any]
    calls: dict[str, Recorded]
    experiments: dict[str, Recorded]
    questions: dict[str, Recorded]
    repeated: tuple[str, ...]


def read_recording(path: Path) -> Recording:
    """Read and check a transcript. Raises ReplayError naming the line and what is wrong with it."""
    lines = _lines(path)
    header = _header(path, lines)
    calls: dict[str, Recorded] = {}
    experiments: dict[str, Recorded] = {}
    questions: dict[str, Recorded] = {}
    repeated: list[str] = []
    for number, text in lines[1:]:
        recorded = Recorded(_entry(path, number, text), number)
        kind = recorded.entry.kind
        kept = {"call": calls, "experiment": experiments, "question": questions}[kind]
        key = _question_id(path, recorded) if kind == "question" else recorded.entry.position.label()
        if key in kept:
            repeated.append(f"{kind} {key}")
        kept[key] = recorded
    return Recording(path, header, calls, experiments, questions, tuple(repeated))


def _lines(path: Path) -> list[tuple[int, str]]:
    """Numbered non-empty lines."""
    try:
        text = read_below(path.parent, path.name, MAX_TRANSCRIPT_BYTES, one_name=False).decode("utf-8-sig")
    except Unopened as error:
        raise ReplayError(
            f"The transcript {path} cannot be read.",
            found=f"it {error}",
            allowed="a readable transcript.jsonl",
            fix="check model.transcript",
        ) from None
    except UnicodeDecodeError as error:
        raise ReplayError(
            f"The transcript {path} is not UTF-8 text.",
            found=f"{error.reason} at byte {error.start}",
            fix=_FIX,
        ) from None
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _header(path: Path, lines: list[tuple[int, str]]) -> dict[str, Any]:
    if not lines:
        raise ReplayError(
            f"The transcript {path} is empty.", allowed='a first line {"header": {...}}', fix=_FIX
        )
    number, text = lines[0]
    first = _object(path, number, text)
    header = first.get("header")
    if not isinstance(header, dict) or len(first) != 1:
        raise ReplayError(
            f"{path}, line {number}: the transcript has no header.",
            found="another line",
            allowed='a first line {"header": {...}}',
            fix=_FIX,
        )
    return header


def _entry(path: Path, number: int, text: str) -> TranscriptEntry:
    value = _object(path, number, text)
    try:
        return TranscriptEntry.model_validate_json(json.dumps(value))
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'entry'}: {e['msg']}" for e in error.errors()[:5]
        )
        raise ReplayError(
            f"{path}, line {number}: this is no transcript entry.",
            found=faults,
            allowed="an entry as schemas/talking/transcript.py describes it",
            fix=_FIX,
        ) from None


def _object(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        value = parse_json(text)
    except ValueError as error:
        raise ReplayError(
            f"{path}, line {number}: not a line of JSON.",
            found=str(error),
            allowed="one JSON object a line",
            fix=_FIX,
        ) from None
    if not isinstance(value, dict):
        raise ReplayError(
            f"{path}, line {number}: not an object.",
            found=type(value).__name__,
            allowed="one JSON object a line",
            fix=_FIX,
        )
    return value


def _question_id(path: Path, recorded: Recorded) -> str:
    entry = recorded.entry
    name = (entry.request or {}).get("question_id") or entry.answer.get("question_id")
    if not isinstance(name, str) or not name:
        raise ReplayError(
            f"{path}, line {recorded.line}: a question without its id.",
            found=sorted(entry.answer),
            allowed="question_id in request (or in answer)",
            fix=_FIX,
        )
    return name
