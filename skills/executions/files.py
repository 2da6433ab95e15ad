"""Files below a directory that programs of others also write: no link is followed, nothing lands outside."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from schemas.reading.beneath import Unopened, parts_of

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def write_below(
    folder: Path, name: str, data: bytes, *, executable: bool = False, times: tuple[int, int] | None = None
) -> str:
    """Write a file below `folder`, with the folders on its way; the old one stays whole until the new one is.

    times: of access and change, in ns. Returns the plain name. Raises Unopened for a name that leaves, or leads through a link.
    """
    parts = parts_of(name)
    here = _opened(folder, parts[:-1], make=True)
    draft = f".{secrets.token_hex(8)}.draft"
    try:
        with suppress(FileNotFoundError):
            if stat.S_ISDIR(os.stat(parts[-1], dir_fd=here, follow_symlinks=False).st_mode):
                raise Unopened("is a folder")
        handle = os.open(
            draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644, dir_fd=here
        )
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                os.fchmod(stream.fileno(), 0o755 if executable else 0o644)
            if times is not None:
                os.utime(draft, ns=times, dir_fd=here)
            os.rename(draft, parts[-1], src_dir_fd=here, dst_dir_fd=here)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(draft, dir_fd=here)
            raise
    finally:
        os.close(here)
    return "/".join(parts)


def remove_below(folder: Path, name: str) -> None:
    """Remove a file below `folder`, where there is one, and the folders that are empty then."""
    parts = parts_of(name)
    try:
        here = _opened(folder, parts[:-1], make=False)
    except Unopened:
        return
    try:
        with suppress(OSError):
            os.unlink(parts[-1], dir_fd=here)
    finally:
        os.close(here)
    for depth in range(len(parts) - 1, 0, -1):
        with suppress(OSError):
            os.rmdir(folder.joinpath(*parts[:depth]))


def _opened(folder: Path, parts: list[str], *, make: bool) -> int:
    here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, 0o755, dir_fd=here)
            inner = os.open(part, _FOLDER, dir_fd=here)
            os.close(here)
            here = inner
    except OSError as error:
        os.close(here)
        raise Unopened(f"cannot be reached: {part} is a link or no folder ({error.strerror})") from None
    return here
