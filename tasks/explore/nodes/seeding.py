"""A child's work directory: its parent's, without what the parent's runs wrote."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import StateError
from schemas.explore.claims import NodeRecord
from schemas.explore.goal import Goal
from schemas.reading.beneath import Unopened, open_below
from tasks.explore.goals import read_goal_file
from tasks.explore.nodes.node_files import is_output, is_source, regular_files, usable_name
from tasks.files.store import atomic_write, remove_tree


@dataclass(frozen=True)
class SeedLimits:
    """file_mb: MiB of one file; total_mb: MiB of all; files: how many."""

    file_mb: float = 50.0
    total_mb: float = 400.0
    files: int = 5000


@dataclass(frozen=True)
class Seeded:
    """What a child began with, and (path, reason) of what it did not get."""

    copied: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


def outputs_of(record: NodeRecord | None) -> frozenset[str]:
    """Paths that an execution of the node wrote last: its results, and programs it compiled. A child makes its own.

    Sources are not among them, as agents also write those by shell commands.
    """
    last: dict[str, str] = {}
    for execution in record.executions if record else ():
        last.update({file.path: execution.kind for file in execution.written})
    return frozenset(path for path, kind in last.items() if kind == "run" and not is_source(path))


def seed(
    parent_work: Path, child_work: Path, record: NodeRecord | None = None, limits: SeedLimits | None = None
) -> Seeded:
    """Make `child_work` from `parent_work`; one of an earlier try is replaced, in one step.

    Left out, with a reason: names that results have, what the record says an execution wrote, links, special files, and
    what is beyond the limits. Files keep whether they may be executed. Raises StateError without a parent's directory.
    """
    if not parent_work.is_dir() or parent_work.is_symlink():
        raise StateError(
            "the parent's work directory is missing", found=parent_work, fix="run the parent node again"
        )
    limits, outputs = limits or SeedLimits(), outputs_of(record)
    child_work.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=child_work.parent, prefix=".seeding-"))
    try:
        seeded = _copied(parent_work, draft, outputs, limits)
        draft.chmod(0o755)
        remove_tree(child_work)
        draft.rename(child_work)
    finally:
        remove_tree(draft)
    return seeded


def provide(goal: Goal, work: Path) -> tuple[str, ...]:
    """Put the goal's files into a node's work directory, as they were when the goal was read. Returns their paths."""
    work.mkdir(parents=True, exist_ok=True)
    for file in goal.provided:
        atomic_write(work / file.path, read_goal_file(goal, file))
    return tuple(file.path for file in goal.provided)


def _copied(source: Path, target: Path, outputs: frozenset[str], limits: SeedLimits) -> Seeded:
    copied: list[str] = []
    left_out = [(path, "it is a link, and links are not followed") for path in _links(source)]
    room = int(limits.total_mb * 2**20)
    for path in regular_files(source):
        reason = _reason(path, outputs)
        if not reason and len(copied) >= limits.files:
            reason = f"it is beyond the limit of {limits.files} files"
        if not reason:
            try:
                with open_below(source, path, min(int(limits.file_mb * 2**20), room)) as stream:
                    (target / path).parent.mkdir(parents=True, exist_ok=True)
                    with (target / path).open("xb") as copy:
                        shutil.copyfileobj(stream, copy)
                        os.fchmod(
                            copy.fileno(), 0o755 if os.fstat(stream.fileno()).st_mode & 0o100 else 0o644
                        )
                        room -= copy.tell()
                copied.append(path)
            except Unopened as error:
                reason = f"it {error}"
        if reason:
            left_out.append((path, reason))
    return Seeded(tuple(copied), tuple(sorted(left_out)))


def _reason(path: str, outputs: frozenset[str]) -> str:
    if not usable_name(path):
        return "its name is none that a file may have here"
    if is_output(path):
        return "its name is one that results have"
    return "the parent's own run wrote it" if path in outputs else ""


def _links(work: Path) -> list[str]:
    return [
        os.path.relpath(os.path.join(folder, name), work)
        for folder, folders, names in os.walk(work, followlinks=False)
        for name in (*folders, *names)
        if os.path.islink(os.path.join(folder, name))
    ][:1000]
