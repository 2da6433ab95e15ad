"""A process tree seen from outside: members, CPU, memory, and its complete end. Source: proc(5)."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from pathlib import Path

_FOOTPRINT = re.compile(rb"^(RssAnon|RssShmem|VmSwap|VmPTE|HugetlbPages|Threads):\s+(\d+)", re.MULTILINE)
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
        fields = _stat_fields(f"/proc/{pid}")
        if fields:
            table.setdefault(int(fields[1]), []).append(int(pid))
    return table


def _stat_fields(process: str) -> list[str]:
    """/proc/PID/stat from the state on (the command name before it may hold anything)."""
    try:
        return Path(process, "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def cpu_seconds(pids: list[int]) -> float:
    """User and system seconds of `pids`, parents first, and of the children they have already waited for."""
    ticks = 0
    for pid in pids:
        fields = _stat_fields(f"/proc/{pid}")
        if fields:
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


def cpu_apart(pid: int) -> tuple[float, float, float] | None:
    """CPU seconds of process `pid`: of its first thread, of all its threads, of children it waited for; None once it ended."""
    thread, process = _stat_fields(f"/proc/{pid}/task/{pid}"), _stat_fields(f"/proc/{pid}")
    if not thread or not process or process[0] == "Z":
        return None
    used = (sum(map(int, fields[at : at + 2])) for fields, at in ((thread, 11), (process, 11), (process, 13)))
    first, all_threads, waited = (ticks / _TICKS for ticks in used)
    return first, max(first, all_threads), waited


def footprint(pids: list[int]) -> tuple[float, int]:
    """(MiB of anonymous, shared, swapped and huge pages, threads); pages shared by a fork count once for each process."""
    kb = count = 0
    for pid in pids:
        found = _status(f"/proc/{pid}")
        if b"RssAnon" not in found:  # ended, or its first thread did
            found |= {name: value for name, value in _status(living(pid)).items() if name != b"Threads"}
        count += found.pop(b"Threads", 0)
        kb += sum(found.values())
    return kb / 1024, count


def _status(process: str) -> dict[bytes, int]:
    try:
        with open(f"{process}/status", "rb") as handle:
            return {name: int(value) for name, value in _FOOTPRINT.findall(handle.read())}
    except OSError:
        return {}


def living(pid: int) -> str:
    """Where /proc shows what process `pid` holds: not at its first thread, if that ended before the others."""
    own = f"/proc/{pid}"
    if _stat_fields(own)[:1] == ["Z"]:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"{own}/task"):
                if _stat_fields(f"{own}/task/{thread}")[:1] not in (["Z"], []):
                    return f"{own}/task/{thread}"
    return own


def started(pid: int) -> str:
    """When process `pid` began, in ticks, to know it again; empty when it is gone."""
    fields = _stat_fields(f"/proc/{pid}")
    return fields[19] if fields else ""


def wake(pids: list[int]) -> None:
    """Continue `pids` where every one of them is stopped: nothing inside could. Bubblewrap's own processes are not stopped."""
    states = {pid: (_stat_fields(f"/proc/{pid}") or ["Z"])[0] for pid in pids if _command(pid) != "bwrap"}
    if "T" in states.values() and set(states.values()) <= set("TZ"):
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGCONT)


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(errors="replace").strip()
    except OSError:
        return ""


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
