"""What `reprolab up` keeps below the outputs folder: password, database, logs, and who is up there now."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.serving.server_app import USER
from schemas.errors import InputError
from schemas.run.pasted import typed
from tasks.files.private import kept_secret, read_private, write_private
from tasks.files.store import private_folder

_MARK = "made-here"
_ANEW = "delete it, and start once with --adopt"


@dataclass(frozen=True)
class Place:
    """Folders of one `up`. home: everything of the server; only its owner can pass it."""

    outputs: Path

    @property
    def home(self) -> Path:
        """Password, mark, record, and Prefect's own folder."""
        return self.outputs / ".reprolab" / "up"

    @property
    def prefect(self) -> Path:
        """PREFECT_HOME of server and worker: Prefect's database."""
        return self.home / "prefect"

    @property
    def logs(self) -> Path:
        """Logs of server and worker."""
        return self.outputs / ".reprolab" / "logs"

    @property
    def people(self) -> Path:
        """Names, roles and sealed passwords of those who may come in beside the server's own password."""
        return self.home / "people.json"

    @property
    def record(self) -> Path:
        """Locked while somebody is up; holds what a second start, `down` and the next start want to know."""
        return self.home / "up.json"


def open_place(outputs: Path, *, adopt: bool = False) -> Place:
    """The folders, made where they are missing. Raises InputError where somebody else may have filled them.

    A server's database holds commands (deployments, scheduled runs) that a worker runs. So a folder that came with a
    download or another account is not used: what this account made is known by a mark outside of it.
    """
    place = Place(outputs.resolve())
    new = not os.path.lexists(place.home)
    for folder in (place.home.parent, place.home, place.prefect, place.logs):
        if folder.is_symlink():
            raise InputError(
                f"{folder} is a link", found=str(folder.resolve()), fix="choose another folder with --outputs"
            )
        owner = private_folder(folder).stat().st_uid
        if owner != os.getuid():
            raise InputError(
                f"{folder} belongs to another account",
                found=f"user {owner}, and you are {os.getuid()}",
                fix="choose a folder of your own with --outputs",
            )
    if new or adopt:
        number, ours = secrets.token_hex(16), _known(place)
        write_private(place.home / _MARK, number)
        private_folder(ours.parent)
        write_private(ours, _sealed(number))
    elif not made_here(place):
        raise InputError(
            f"{place.home} was not made by an `up` of your account on this computer",
            found="a server's data of unknown origin, which can hold commands that a worker would run",
            fix=f"if it is yours (moved, restored, another home folder): "
            f"{typed('up', '--adopt', outputs=place.outputs)}; otherwise choose another --outputs, or delete that folder",
        )
    return place


def made_here(place: Place) -> bool:
    """Whether this account made it on this computer. Raises InputError where its mark is open to others."""
    ours, folders = _known(place), (place.home.parent, place.home)
    ours_alone = all(
        folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.getuid()
        for folder in folders
    )
    return (
        ours_alone and ours.is_file() and ours.read_text() == _sealed(read_private(place.home / _MARK, _ANEW))
    )


def password_of(place: Place) -> str:
    """The server's password, made at the first start and kept, so that bookmarks and workers go on working."""
    return kept_secret(place.home / "password", _ANEW)


def whole(password: str) -> str:
    """User and password as Prefect's settings take them."""
    return f"{USER}:{password}"


@contextmanager
def only_one(place: Place, patience_s: float = 0.0) -> Iterator[dict[str, Any] | None]:
    """Holds the place; gives what the last start wrote there, or None where another process is up there now.

    patience_s: how long to ask again; whoever only looks holds it for a moment.
    """
    with os.fdopen(
        os.open(place.record, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "r+"
    ) as handle:
        yield _record(place) if _locked(handle.fileno(), patience_s) else None


def _locked(handle: int, patience_s: float) -> bool:
    end = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() >= end:
                return False
        time.sleep(0.02)


def who_is_up(place: Place) -> dict[str, Any] | None:
    """What the process that is up there wrote of itself; None where there is none. Several may look at once."""
    if not place.record.is_file():
        return None
    with os.fdopen(os.open(place.record, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)) as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return _record(place)
    return None


def on_computer(found: dict[str, Any]) -> str:
    """' on NAME' where what is up, by its record, runs on another computer that shares the folder; empty on this one."""
    computer = str(found.get("computer") or "")
    return f" on {computer[:80]}" if computer and computer != socket.gethostname() else ""


def write_record(place: Place, known: dict[str, Any]) -> None:
    """Keep what a second start, `down` and the next start want to know; no secrets. Written in place: the lock is on it."""
    with place.record.open("r+") as handle:
        handle.truncate(0)
        handle.write(json.dumps(known))


def _record(place: Place) -> dict[str, Any]:
    try:
        found = json.loads(place.record.read_text())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _known(place: Place) -> Path:
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return base / "reprolab" / "up" / hashlib.sha256(os.fsencode(place.home)).hexdigest()[:32]


def _sealed(number: str) -> str:
    return hashlib.sha256(number.encode()).hexdigest()
