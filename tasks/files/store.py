"""Where results live: a store shared by all runs of an outputs folder, and one directory per run."""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MOST_ROUNDS = 200_000

_LIBC = ctypes.CDLL(None)
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD, RENAME_EXCHANGE


def private_folder(path: Path) -> Path:
    """The folder, made where it is missing; other users of the computer can neither list nor pass it.

    What a group was given by whoever made the folder stays.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(PermissionError):  # another account's: its own affair
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & stat.S_IRWXO:
            path.chmod(mode & ~stat.S_IRWXO)
    return path


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


def exchange(one: Path, other: Path) -> None:
    """Two folders trade places, so that neither is ever missing; one after the other where the file system cannot."""
    if _LIBC.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) != 0:
        remove_tree(other)
        one.rename(other)


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
        """A temporary directory that becomes the entry when the block ends without an error.

        An entry that another process made meanwhile is replaced in one step: whoever reads it finds one or the other.
        """
        final = self.entry(kind, name)
        final.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=final.parent, prefix=".draft-"))
        try:
            yield draft
            if not final.exists():
                with suppress(OSError):  # another process may be first
                    draft.rename(final)
                    return
            exchange(draft, final)  # what stood there goes with the draft's name
        finally:
            remove_tree(draft)


def remove_tree(root: Path) -> bool:
    """Remove a folder with all in it; True if it is gone. Follows no link, recurses nowhere, raises nothing.

    A program chose how deep it is and what may be opened: folders inside are moved up beside the others as they are met,
    so that no path grows, and are made ours to open. What cannot be removed stays.
    """
    try:
        root.lstat()
    except OSError:
        return True
    left = True
    for _ in range(_MOST_ROUNDS):
        deeper = _emptied(root)
        if not deeper:
            left = False
            break
    try:
        root.rmdir()
    except OSError:
        left = True
    return not left


def _emptied(root: Path) -> bool:
    """Remove the files of a folder and of the folders in it, and move their folders up into it; whether folders are left."""
    folders = False
    try:
        root.chmod(0o700)
        with os.scandir(root) as entries:
            found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return False
    for name, is_folder in found:
        path = root / name
        try:
            if not is_folder:
                path.unlink()
                continue
            path.chmod(0o700)
            with os.scandir(path) as inner:
                for number, entry in enumerate(list(inner)):
                    if entry.is_dir(follow_symlinks=False):
                        os.chmod(entry.path, 0o700)  # who moves a folder must be able to write in it
                        os.rename(entry.path, root / f".{os.urandom(8).hex()}-{number}")
                        folders = True
                    else:
                        os.unlink(entry.path)
            path.rmdir()
        except OSError:
            continue
    return folders


def copy_tree(source: Path, target: Path) -> None:
    """Copy an entry's files into a run, replacing what was there; hard links would let an edit reach the store."""
    remove_tree(target)
    shutil.copytree(source, target, symlinks=True)
