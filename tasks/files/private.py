"""Files that are this account's alone: passwords and tokens."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from schemas.errors import InputError


def kept_secret(path: Path, anew: str) -> str:
    """The secret in a file, made at the first use. anew: how one makes another, in words. Raises InputError."""
    if not os.path.lexists(path):
        write_private(path, secrets.token_urlsafe(24))
    return read_private(path, anew)


def write_private(path: Path, text: str) -> None:
    """A new file of mode 0600 in place of what was there."""
    path.unlink(missing_ok=True)
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "w"
    ) as stream:
        stream.write(text)


def read_private(path: Path, anew: str) -> str:
    """Letters, digits, - and _ of a file that nobody else can read or write. Raises InputError for any other."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"{path} cannot be read", found=error.strerror, fix=anew) from None
    with os.fdopen(handle) as stream:
        found = os.fstat(stream.fileno())
        if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
            mode = stat.S_IMODE(found.st_mode)
            raise InputError(
                f"{path} is not yours alone",
                found=f"mode {mode:o}, user {found.st_uid}",
                allowed="mode 600, you",
                fix=f"others may know it: {anew}",
            )
        text = stream.read(1000).strip()
    if not text.isascii() or not text.replace("-", "").replace("_", "").isalnum():
        raise InputError(f"{path} does not hold what it should", fix=anew)
    return text
