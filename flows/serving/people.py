"""People of a server: each has a name, a password of their own and a role. The server's own password administers, and has no name."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import os
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

# What each role may do includes what those before it may.
ROLES = {
    "look": "see runs, logs, questions and results",
    "answer": "answer questions that wait",
    "start": "start, retry, pause and cancel runs",
    "administer": "everything that the server's own password may, commands on the workers included",
}
NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
STARTED_BY = "started-by:"  # a tag of a flow run
PERSON = "person"  # a field of an answer, which the door fills
_MOST = 2**20


@dataclass(frozen=True)
class Person:
    """sealed: the digest of a random password, which nobody can guess from it."""

    name: str
    role: str
    sealed: str

    def may(self, role: str) -> bool:
        """Whether this one has that role, or a higher one."""
        order = [*ROLES]
        return order.index(self.role) >= order.index(role)


class People:
    """Those whom a file names; read again when it has changed, so that who is removed is out at once."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._mark: tuple[int, ...] | None = None
        self._known: dict[str, Person] = {}

    def all(self) -> dict[str, Person]:
        """By name; nobody where the file is missing, another account's, open to others, or holds something else."""
        try:
            with os.fdopen(os.open(self.file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)) as stream:
                found = os.fstat(stream.fileno())
                mark = (found.st_ino, found.st_mtime_ns, found.st_size)
                if mark != self._mark:
                    own = found.st_uid == os.getuid() and not found.st_mode & 0o077 and found.st_size < _MOST
                    self._known = _read(stream.read(_MOST)) if own else {}
                    self._mark = mark
        except OSError:
            self._known, self._mark = {}, None
        return self._known

    def of(self, authorization: str) -> Person | None:
        """Whose `Basic` header it is; None for the server's own password and for strangers."""
        scheme, _, sent = authorization.partition(" ")
        try:
            whole = base64.b64decode(sent, validate=True).decode() if scheme == "Basic" else ""
        except (binascii.Error, ValueError):
            return None
        return self.named(whole)

    def named(self, whole: str) -> Person | None:
        """Whose NAME:PASSWORD it is; None where nobody has both."""
        name, _, password = whole.partition(":")
        person = self.all().get(name)
        ours = hmac.compare_digest(sealed(password), person.sealed if person else sealed(secrets.token_hex()))
        return person if ours else None


def sealed(password: str) -> str:
    """What is kept of a password. It is 24 random bytes, so one digest does."""
    return sha256(b"a person of this server\0" + password.encode("utf-8", "replace")).hexdigest()


def written(people: dict[str, Person]) -> str:
    """The file's text."""
    return json.dumps({p.name: {"role": p.role, "sealed": p.sealed} for p in people.values()}, indent=1)


def name_of(value: object) -> str:
    """A person's name where it is one; '' for anything else."""
    return value if isinstance(value, str) and NAME.fullmatch(value) else ""


def _read(text: str) -> dict[str, Person]:
    try:
        return {
            name: Person(name, entry["role"], entry["sealed"])
            for name, entry in json.loads(text).items()
            if NAME.fullmatch(name) and entry["role"] in ROLES and isinstance(entry["sealed"], str)
        }
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
