"""What was executed in a node's directory: executions.jsonl beside it, written by the skill `coding` alone."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from schemas.explore.claims import ExecutionRecord
from schemas.reading.beneath import read_below

FILE = "executions.jsonl"
_LARGEST = 1 << 30


def read_executions(node: Path) -> tuple[ExecutionRecord, ...]:
    """The executions of a node (`node` is the folder above its work directory), in order; none where nothing ran.

    A line that a crash cut short is none.
    """
    if not (node / FILE).exists():
        return ()
    found = []
    for line in read_below(node, FILE, _LARGEST).decode("utf-8", "replace").splitlines():
        try:
            found.append(ExecutionRecord.model_validate_json(line))
        except ValidationError:
            continue
    return tuple(found)
