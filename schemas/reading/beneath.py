"""The one door for files that others wrote: below a folder, no link followed, a regular file, not too large.

What is opened is checked on the open file, so nothing can be exchanged between check and use.

Source: openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_XDEV; where
the call is missing, a walk with O_NOFOLLOW for each component.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
from pathlib import Path
from typing import BinaryIO

MAX_PARTS, MAX_PART_BYTES = 8, 255
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
_OPENAT2 = 437  # the same number on every architecture
_RESOLVE = 0x01 | 0x02 | 0x04 | 0x08
_UNSUPPORTED = (errno.ENOSYS, errno.EPERM, errno.E2BIG)
_libc = ctypes.CDLL(None, use_errno=True)
_openat2_works = True


class Unopened(ValueError):
    """A file was not opened; the text says why, in words that can follow its name."""


def parts_of(name: str) -> list[str]:
    """The parts of a name relative to a folder. Raises Unopened for one that leaves it or that no file should have."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts:
        raise Unopened("leaves the folder; give a path inside the folder")
    if (
        not parts
        or len(parts) > MAX_PARTS
        or not name.isprintable()
        or any(len(part.encode("utf-8", "surrogatepass")) > MAX_PART_BYTES for part in parts)
    ):
        raise Unopened(
            f"is no name of a file: at most {MAX_PARTS} parts of {MAX_PART_BYTES} bytes of printable characters"
        )
    return parts


def open_below(folder: Path, name: str, max_bytes: int, *, one_name: bool = True) -> BinaryIO:
    """Open the regular file `name` below `folder`. The folder itself may be a link: who named it, chose it.

    one_name: a file with other hard links is refused; it may be anybody's. Raises Unopened.
    """
    parts = parts_of(name)
    try:
        directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            handle = open_parts(directory, parts)
        finally:
            os.close(directory)
    except (FileNotFoundError, NotADirectoryError):
        raise Unopened("is missing, or a folder on the way to it is a link") from None
    except (OSError, ValueError) as error:
        link = isinstance(error, OSError) and error.errno in (errno.ELOOP, errno.EXDEV)
        raise Unopened(
            "is a link, or leads through one; put the file itself there"
            if link
            else f"cannot be opened ({getattr(error, 'strerror', error)})"
        ) from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Unopened(f"is no regular file ({stat.filemode(status.st_mode)})")
        if one_name and status.st_nlink != 1:
            raise Unopened(f"has {status.st_nlink} hard links; put a copy of its own there")
        if status.st_size > max_bytes:
            raise Unopened(f"has {status.st_size} bytes; at most {max_bytes} are read")
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_below(folder: Path, name: str, max_bytes: int, *, one_name: bool = True) -> bytes:
    """The bytes of a file as `open_below` opens it; one that grows past the limit while it is read is refused too."""
    with open_below(folder, name, max_bytes, one_name=one_name) as stream:
        found = stream.read(max_bytes + 1)
    if len(found) > max_bytes:
        raise Unopened(f"grew beyond {max_bytes} bytes while it was read")
    return found


def open_parts(directory: int, parts: list[str]) -> int:
    """A descriptor of the file below an open directory, by openat2 where the kernel has it. Raises OSError."""
    global _openat2_works
    if _openat2_works:
        how = struct.pack("QQQ", _FLAGS, 0, _RESOLVE)
        handle = int(
            _libc.syscall(_OPENAT2, directory, os.fsencode("/".join(parts)), how, ctypes.c_size_t(len(how)))
        )
        if handle >= 0:
            return handle
        number = ctypes.get_errno()
        if number not in _UNSUPPORTED:
            raise OSError(number, os.strerror(number))
        _openat2_works = number == errno.EPERM
    return open_component_wise(directory, parts)


def open_component_wise(directory: int, parts: list[str]) -> int:
    """The same without openat2: each component opened below the last with O_NOFOLLOW."""
    current = os.dup(directory)
    try:
        for part in parts[:-1]:
            child = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=current)
            os.close(current)
            current = child
        return os.open(parts[-1], _FLAGS, dir_fd=current)
    finally:
        os.close(current)
