"""What a node sees in the sandbox: its own folder, what it depends on, the input, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from schemas.study.graph import PhaseNode
from tasks.sandbox import SANDBOX_ROOT
from tasks.study.workspace.places import INPUT, below, output_path, work_path

INPUT_INSIDE = SANDBOX_ROOT + "/input"
DEPENDENCIES_INSIDE = SANDBOX_ROOT + "/from"


@dataclass(frozen=True)
class Mounts:
    """For `run_sandboxed`. work_dir: read-write. readonly: host path -> path inside."""

    work_dir: Path
    readonly: dict[Path, str]


def dependencies_of(node: PhaseNode, nodes: Iterable[PhaseNode]) -> tuple[str, ...]:
    """What a node depends on, its parents' dependencies included."""
    known = {item.id: item for item in nodes}
    names, above = list(node.depends_on), node
    while above.parent in known:
        above = known[above.parent]
        names += above.depends_on
    return tuple(dict.fromkeys(names))


def mounts_of(root: Path, node: PhaseNode, nodes: Iterable[PhaseNode]) -> Mounts:
    """The mounts of a node; folders are made where they are missing.

    A dependency that is the node's own folder (an earlier step of the same participant) is in the work directory.
    """
    work = below(root, work_path(node.id))
    work.mkdir(parents=True, exist_ok=True)
    readonly: dict[Path, str] = {}
    for name in dependencies_of(node, nodes):
        source = below(root, output_path(name))
        if source.is_dir() and source != work:
            readonly[source] = f"{DEPENDENCIES_INSIDE}/{name}"
    given = below(root, INPUT)
    if given.is_dir():
        readonly[given] = INPUT_INSIDE
    return Mounts(work, readonly)
