"""The server of `reprolab up`, used by terminal commands over the same outputs folder.

Only one that this account made on this computer and that listens on loopback alone: who answers a question of a terminal's run
is trusted as the user at that terminal, and other computers are not.
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from flows.terminal.expected_errors import TERMINATED, say_ended
from flows.up.place import Place, made_here, on_computer, password_of, who_is_up

_ALONE = "http://127.0.0.1:"
_ORDERLY_S = 10.0  # for simulations to be ended and files to be closed


@dataclass(frozen=True)
class Joined:
    """A server that is up. api: the address of its API; password: of its page and API."""

    place: Place
    api: str
    password: str = field(repr=False)


def up_over(outputs: Path) -> Joined | None:
    """The server of `reprolab up` over this folder; None where there is none that a terminal may use."""
    place = Place(outputs.resolve())
    if not made_here(place):
        return None
    found = who_is_up(place) or {}
    api = str(found.get("api", ""))
    return (
        Joined(place, api, password_of(place))
        if api.startswith(_ALONE) and found.get("alone") is True and not on_computer(found)
        else None
    )


def ends_with(joined: Joined) -> Callable[[], None]:
    """End this process as SIGTERM does when `reprolab up` ends, until what is returned is called."""
    over = threading.Event()

    def watch() -> None:
        with joined.place.record.open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_SH)  # waits for the end of the process that holds it
        if over.is_set():
            return
        os.kill(os.getpid(), signal.SIGTERM)
        if not over.wait(_ORDERLY_S):  # Prefect would ask the server that is gone again, for minutes
            say_ended()
            os._exit(TERMINATED)

    threading.Thread(target=watch, daemon=True, name="end of up").start()
    return over.set
