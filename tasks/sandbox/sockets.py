"""Memory in the buffers of a sandbox's sockets, which only programs with MPI may open. Source: proc(5), /proc/PID/net."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_QUEUES = (
    4  # the column of /proc/PID/net/tcp with the bytes waiting to be sent and to be received, in hexadecimal
)


def socket_mb(pids: list[int]) -> float:
    """MiB, seen through one of the sandbox's processes.

    A Unix socket counts as what it can hold, those in flight included, for its queue is not shown; others as what waits.
    """
    own = os.stat("/proc/self/ns/net").st_ino
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            if os.stat(f"/proc/{pid}/ns/net").st_ino == own:
                continue  # still outside: these would be the host's
            most = 2 * int(Path("/proc/sys/net/core/wmem_max").read_text())
            size = most * len(_lines(pid, "unix"))
            for kind in ("tcp", "tcp6", "udp", "udp6"):
                for line in _lines(pid, kind):
                    size += sum(int(part, 16) for part in line.split()[_QUEUES].split(":"))
            return size / 2**20
    return 0.0


def _lines(pid: int, name: str) -> list[str]:
    with contextlib.suppress(FileNotFoundError):  # a kernel without this family
        return Path(f"/proc/{pid}/net/{name}").read_text(errors="replace").splitlines()[1:]
    return []
