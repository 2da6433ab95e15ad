"""File operations that are tried twice, and a lock that processes and threads share."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from schemas.errors import StateError

Kept = TypeVar("Kept")


def twice(action: Callable[[], Kept], what: str) -> Kept:
    """The result of `action`, tried once more after an error of the file system. Raises StateError if it stays."""
    try:
        return action()
    except OSError:
        pass
    try:
        return action()
    except OSError as error:
        raise StateError(
            f"{what} failed twice",
            found=f"{error.strerror or error}: {error.filename or ''}",
            fix="make room on the disk and check who may write there; then resume the study",
        ) from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One at a time, whatever process or thread, for as long as the block lasts; ends with the process."""
    handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
