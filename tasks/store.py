"""Where results live: a store shared by all runs of an outputs folder, and one directory per run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def atomic_write(path: Path, data: str | bytes) -> Path:
    """Write a file so that it is either the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data.encode() if isinstance(data, str) else data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return path


class Store:
    """`<outputs>/.reprolab`: simulations, materials and experiments, each a directory named by its digest."""

    def __init__(self, outputs: Path):
        self.outputs = outputs.resolve()
        self.root = self.outputs / ".reprolab"

    def entry(self, kind: str, name: str) -> Path:
        """The directory of an entry, whether it exists or not."""
        return self.root / kind / name

    @contextmanager
    def building(self, kind: str, name: str) -> Iterator[Path]:
        """A temporary directory that becomes the entry when the block ends without an error."""
        final = self.entry(kind, name)
        final.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=final.parent, prefix=".draft-"))
        try:
            yield draft
            if final.exists():
                shutil.rmtree(final)
            draft.rename(final)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def copy_tree(source: Path, target: Path) -> None:
    """Copy an entry's files into a run, replacing what was there; hard links would let an edit reach the store."""
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target, symlinks=True)
