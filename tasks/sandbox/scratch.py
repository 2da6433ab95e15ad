"""A private directory that generated code can work in, whoever we run as."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks.files.store import remove_tree


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
        remove_tree(root)
