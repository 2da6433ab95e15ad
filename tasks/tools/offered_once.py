"""Tools that a run offers once: which were used, kept beside the run so that no node and no resumption forgets it."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

from schemas.reading.beneath import Unopened, read_below
from tasks.files.store import atomic_write

FILE = "tools_used_once.json"
_LARGEST = 1 << 20


def used_once(run_dir: Path | None, call_id: str = "") -> frozenset[str]:
    """The tools that succeeded in another call than this one; a call that is repeated after a kill gets its answer again."""
    if run_dir is None or not (run_dir / FILE).exists():
        return frozenset()
    return frozenset(name for name, first in _read(run_dir).items() if not call_id or first != call_id)


def note_use(run_dir: Path, name: str, call_id: str) -> None:
    """A tool that is offered once succeeded; the first call counts."""
    with (run_dir / f".{FILE}.lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        known = _read(run_dir) if (run_dir / FILE).exists() else {}
        if name not in known:
            atomic_write(run_dir / FILE, json.dumps({**known, name: call_id}, indent=1, sort_keys=True))


def _read(run_dir: Path) -> dict[str, str]:
    try:
        found = json.loads(read_below(run_dir, FILE, _LARGEST))
    except (Unopened, ValueError):
        return {}
    return {str(name): str(call_id) for name, call_id in found.items()} if isinstance(found, dict) else {}
