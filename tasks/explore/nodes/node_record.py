"""What a node's directory held at the start and what changed it since, kept beside it where no program of the node writes.

inherited.json: path -> sha256 after seeding. executions.jsonl: see `executions`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from schemas.explore.claims import NodeRecord
from tasks.explore.nodes.executions import read_executions
from tasks.explore.nodes.node_files import snapshot
from tasks.files.store import atomic_write

INHERITED = "inherited.json"


def begun(node_dir: Path) -> dict[str, str]:
    """Note what `node_dir/work` holds before the node's first turn; of a node that had begun before, what was noted then."""
    path = node_dir / INHERITED
    if not path.is_file():
        atomic_write(path, json.dumps(snapshot(node_dir / "work"), indent=1, sort_keys=True))
    return _inherited(path)


def node_record(node_id: str, node_dir: Path) -> NodeRecord:
    """The record of a node, as far as it got."""
    inherited = node_dir / INHERITED
    return NodeRecord(
        node_id=node_id,
        inherited=_inherited(inherited) if inherited.is_file() else {},
        executions=read_executions(node_dir),
    )


def results_of(records: Iterable[NodeRecord]) -> dict[str, str]:
    """sha256 -> node id of every file that an execution of one of these nodes wrote; of two nodes the first."""
    found: dict[str, str] = {}
    for record in records:
        for execution in record.executions:
            if execution.kind == "run":
                for file in execution.written:
                    found.setdefault(file.sha256, record.node_id)
    return found


def _inherited(path: Path) -> dict[str, str]:
    value: Mapping[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return dict(value)
