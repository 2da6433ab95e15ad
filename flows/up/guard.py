"""Ends worker, runs and server in order when `reprolab up` ends, also by SIGKILL. Run by path: the standard library only.

Lines "worker PID" and "server PID" say what there is; the end of the input is the end of the process that wrote them.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

RUNS_S, WORKER_S, SERVER_S = 25.0, 6.0, 15.0
_FLOW_RUN = b"PREFECT__FLOW_RUN_ID="


def runs_of(worker: int) -> dict[int, str]:
    """The flow runs at work under a worker: process (leader of its group) and flow run id."""
    found: dict[int, str] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as stat:
            if int(stat.read().rpartition(b")")[2].split()[1]) != worker:
                continue
            with open(f"/proc/{name}/environ", "rb") as environment:
                found |= {
                    int(name): entry[len(_FLOW_RUN) :].decode()
                    for entry in environment.read().split(b"\0")
                    if entry.startswith(_FLOW_RUN)
                }
    return found


def end_worker(worker: int) -> list[str]:
    """End a worker and its runs: asked first, killed where they do not go. The flow runs that were at work."""
    _send(
        worker, signal.SIGSTOP
    )  # it would kill its runs at once when it is asked to end, and take new ones until then
    met = runs_of(worker)
    for process in met:
        _send(-process, signal.SIGTERM)
    _wait(list(met), RUNS_S)
    for process in met:
        _send(-process, signal.SIGKILL)
    _send(worker, signal.SIGCONT)
    _send(worker, signal.SIGINT)
    _wait([worker], WORKER_S)
    _send(worker, signal.SIGKILL)
    return list(met.values())


def end_server(server: int) -> None:
    """End a server: asked first, killed where it does not go."""
    _send(server, signal.SIGTERM)
    _wait([server], SERVER_S)
    _send(server, signal.SIGKILL)


def alive(process: int) -> bool:
    """Whether a process is there and has not ended (one that ended stays until its parent looks)."""
    try:
        with open(f"/proc/{process}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


def _wait(processes: list[int], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(alive(process) for process in processes):
        time.sleep(0.05)


def _send(process: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def main() -> None:
    """Remember what is said, and end it when nobody is there to say more."""
    known: dict[str, int] = {}
    for line in sys.stdin:
        kind, _, process = line.rpartition(" ")
        known[kind] = int(process)
    for kind in sorted(known, reverse=True):  # the server last
        (end_server if kind == "server" else end_worker)(known[kind])


if __name__ == "__main__":
    main()
