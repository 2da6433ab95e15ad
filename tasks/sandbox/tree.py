"""A process tree seen from outside: members, CPU, memory, and its complete end. Source: proc(5)."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_HAS_CHILDREN_FILE = Path(f"/proc/self/task/{os.getpid()}/children").exists()


def descendants(root: int) -> list[int]:
    """Process ids below `root`, itself excluded. Orphans stay below a subreaper or a namespace's init."""
    found, waiting = [], [root]
    table = None if _HAS_CHILDREN_FILE else _children_table()
    while waiting:
        pid = waiting.pop()
        children = table.get(pid, []) if table is not None else _children(pid)
        found += children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as handle:
                children += map(int, handle.read().split())
    except OSError:
        pass  # ended meanwhile
    return children


def _children_table() -> dict[int, list[int]]:
    table: dict[int, list[int]] = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        fields = _stat_fields(int(pid))
        if fields:
            table.setdefault(int(fields[1]), []).append(int(pid))
    return table


def _stat_fields(pid: int) -> list[str]:
    """/proc/PID/stat from the state on (the command name before it may hold anything)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def cpu_seconds(pids: list[int]) -> float:
    """User and system seconds of `pids` and of the children they have already waited for."""
    ticks = 0
    for pid in pids:
        fields = _stat_fields(pid)
        if fields:
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


def memory_mb(pids: list[int]) -> float:
    """MiB of anonymous and shared resident memory; pages shared by a fork count once for each process."""
    total_kb = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status") as handle:
                total_kb += sum(
                    int(line.split()[1]) for line in handle if line.startswith(("RssAnon", "RssShmem"))
                )
        except (OSError, ValueError, IndexError):
            continue
    return total_kb / 1024


def kill_tree(root: int, timeout_s: float = 5.0) -> bool:
    """Kill and reap everything below `root` (this process); False when something outlived `timeout_s`."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        # frozen first, so that a loop of forks cannot outrun the killing
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in descendants(root):
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        time.sleep(0.01)
    return False
