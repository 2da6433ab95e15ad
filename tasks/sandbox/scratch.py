"""A private directory that generated code can work in, whoever we run as."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch(prefix: str = "reprolab-", parent: Path | None = None) -> Iterator[Path]:
    """A fresh directory, removed at the end; `work` inside it exists and fits `run_sandboxed`.

    parent: where to make it; the system's temporary directory by default (TMPDIR chooses another).
    """
    root = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        if os.getuid() == 0:
            root.chmod(0o711)  # the unprivileged user of a sandbox must pass, not look
        (root / "work").mkdir(mode=0o755)
        yield root
    finally:
        shutil.rmtree(root, onerror=_make_removable)


def _make_removable(function: object, path: str, _: object) -> None:
    """A program may leave directories without permissions; they are ours to open and remove."""
    entry = Path(path)
    parent = entry.parent
    for directory in (parent, entry):
        if directory.is_dir() and not directory.is_symlink():
            directory.chmod(0o700)
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)
