"""A control group of a program's own, where we may make one: the kernel itself keeps the limits of the whole tree.

Version 2 only. Source: Documentation/admin-guide/cgroup-v2.rst; systemd's docs/CGROUP_DELEGATION.md. A group is made only
where that is ours to decide: below a group that was delegated to us, or below the root of a tree that nobody manages; never
outside the limits that somebody set for us.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from tasks.sandbox.sandbox_result import Limits

_PREFIX = "reprolab-"
_CONTROLLERS = ("memory", "pids")


class Cgroup:
    """One program's group. kept: what the kernel limits ("memory", "pids") or counts ("cpu") in it."""

    def __init__(self, path: Path, limits: Limits, processes: int):
        self.path = path
        bounds = {
            "memory.max": limits.memory_mb << 20,
            "memory.swap.max": 0,
            "memory.oom.group": 1,
            "pids.max": processes,
        }
        written = {name for name, value in bounds.items() if _write(path / name, str(value))}
        self.kept = tuple(name for name in _CONTROLLERS if f"{name}.max" in written)
        if (path / "cpu.stat").exists():
            self.kept += ("cpu",)

    def enter(self) -> None:
        """Put this process in; everything it starts follows."""
        _write(self.path / "cgroup.procs", "0")

    def check(self, pid: int) -> None:
        """Claim nothing if process `pid`, which should have entered, could not."""
        with contextlib.suppress(OSError):
            if _own(pid).endswith(f"/{self.path.name}"):
                return
        self.kept = ()

    def cpu_s(self) -> float:
        """CPU seconds of all that ever ran in it."""
        return _field(self.path / "cpu.stat", "usage_usec") / 1e6

    def out_of_memory(self) -> bool:
        """Whether the kernel ended the program for its use of memory."""
        return _field(self.path / "memory.events", "oom_kill") > 0

    def end(self) -> None:
        """Kill what is left, all at once."""
        _write(self.path / "cgroup.kill", "1")

    def remove(self, timeout_s: float = 1.0) -> None:
        """Remove it, once its processes are gone."""
        deadline = time.monotonic() + timeout_s
        while not _removed(self.path) and time.monotonic() < deadline:
            time.sleep(0.01)


def own_cgroup(limits: Limits, processes: int) -> Cgroup | None:
    """A new group with `limits` and at most `processes` processes, or None where none can be made."""
    with contextlib.suppress(OSError, ValueError):
        parent = _parent()
        if parent is not None:
            _sweep(parent)
            path = parent / f"{_PREFIX}{os.getpid()}"
            path.mkdir()
            return Cgroup(path, limits, processes)
    return None


def _parent() -> Path | None:
    """The nearest group that is ours and can pass on control of memory and processes; else the nearest that is ours."""
    mount, root = _mounted()
    group = Path(os.path.normpath(mount / os.path.relpath(_own(), root)))
    ours = [
        path
        for path in (group, *group.parents)
        if path.is_relative_to(mount) and _is_ours(path, group, mount)
    ]
    return next((path for path in ours if _passes_on(path)), ours[0] if ours else None)


def _own(pid: int | str = "self") -> str:
    for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            return line[3:]
    raise OSError("this process is in no group of version 2")


def _mounted() -> tuple[Path, str]:
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        if after.startswith("cgroup2 "):
            fields = before.split()
            return Path(fields[4]), fields[3]
    raise OSError("no cgroup of version 2 is mounted")


def _is_ours(path: Path, group: Path, mount: Path) -> bool:
    if not os.access(path, os.W_OK) or not os.access(path / "cgroup.procs", os.W_OK):
        return False
    return os.getuid() != 0 or path == group == mount or _delegated(path)


def _delegated(path: Path) -> bool:
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(path, name) == b"1":
                return True
    return False


def _passes_on(path: Path) -> bool:
    control = path / "cgroup.subtree_control"
    if _delegated(path):
        _write(control, " ".join(f"+{name}" for name in _CONTROLLERS))  # refused while processes are in it
    return set(_CONTROLLERS) <= set(control.read_text().split())


def _sweep(parent: Path) -> None:
    """Remove what supervisors left that were killed."""
    for path in parent.glob(f"{_PREFIX}*"):
        if not Path("/proc", path.name.removeprefix(_PREFIX)).exists():
            _removed(path)


def _removed(path: Path) -> bool:
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _write(path: Path, text: str) -> bool:
    try:
        handle = os.open(path, os.O_WRONLY)  # never made: what is not there, the kernel does not keep
    except OSError:
        return False
    try:
        return os.write(handle, text.encode()) > 0
    except OSError:
        return False
    finally:
        os.close(handle)


def _field(path: Path, name: str) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in path.read_text().splitlines():
            if line.split()[0] == name:
                return int(line.split()[1])
    return 0
