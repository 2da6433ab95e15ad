"""What flow tests solved, shared by all of them: a run's numerics are tested where solving is, not by each test of a flow."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_KINDS = (
    "simulations",
    "runs",
)  # of the product's store, each entry named by the digest of all that decides it


def lend(kept: Path, outputs: Path) -> None:
    """Put what was solved so far into the store of an outputs folder; copies, as a test may spoil its own."""
    for kind in _KINDS:
        for entry in _entries(kept / kind):
            shutil.copytree(entry, outputs / ".reprolab" / kind / entry.name)


def keep(kept: Path, outputs: Path) -> None:
    """Take what that folder's runs solved. Several processes of the suite may do so at once."""
    for kind in _KINDS:
        (kept / kind).mkdir(parents=True, exist_ok=True)
        for entry in _entries(outputs / ".reprolab" / kind):
            if not (kept / kind / entry.name).exists():
                draft = Path(tempfile.mkdtemp(dir=kept / kind, prefix=".draft-"))
                shutil.copytree(entry, draft, dirs_exist_ok=True)
                with suppress(OSError):  # another was first
                    os.rename(draft, kept / kind / entry.name)
                shutil.rmtree(draft, ignore_errors=True)


def _entries(folder: Path) -> list[Path]:
    return [entry for entry in folder.iterdir() if not entry.name.startswith(".")] if folder.is_dir() else []
