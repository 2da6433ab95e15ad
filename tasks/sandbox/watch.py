"""What the shim looks at while a program runs: its output streams and its use of resources."""

from __future__ import annotations

import os
import resource
import selectors
import subprocess
import time

from tasks.sandbox.cgroup import Cgroup
from tasks.sandbox.sandbox_result import WORK_INSIDE, Limits, StopReason
from tasks.sandbox.sockets import socket_mb
from tasks.sandbox.tree import cpu_apart, cpu_seconds, descendants, footprint, wake
from tasks.sandbox.usage import directory_usage, held, memory_files

KEPT_BYTES = 32 * 1024
_DISK_INTERVAL_S = 0.3
_DISK_SHARE = 10  # looking at the disk takes at most a tenth of the time
_STILL_S = 2.0  # without any CPU time, before a look whether all of the tree is stopped
_MAP_KB = 4  # that a map counts as memory; the kernel keeps about 600 bytes, and reading many takes us time
OF_BUBBLEWRAP = 2  # processes: one outside, one that is the first inside


class Streams:
    """Reads both outputs, keeping the first and last 32 KiB, and notices when the order's stream moves."""

    def __init__(self, process: subprocess.Popen[bytes], limit: int, lifeline: int = 0):
        self.limit, self.total, self.last_at = limit, 0, 0.0
        self._head, self._tails = bytearray(), {"stdout": bytearray(), "stderr": bytearray()}
        self._selector = selectors.DefaultSelector()
        self._selector.register(lifeline, selectors.EVENT_READ, "lifeline")
        for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
            if stream is not None:
                self._selector.register(stream, selectors.EVENT_READ, name)

    def read(self, timeout_s: float) -> bool:
        """Wait for output; True when the lifeline moved (our death, or a request to stop)."""
        for key, _ in self._selector.select(timeout_s):
            if key.data == "lifeline":
                return True
            self._take(key)
        return False

    def _take(self, key: selectors.SelectorKey) -> bool:
        part = os.read(key.fd, 65536)
        if not part:
            self._selector.unregister(key.fileobj)
            return False
        self.total, self.last_at = self.total + len(part), time.monotonic()
        if key.data == "stdout":
            self._head += part[: KEPT_BYTES - len(self._head)]
        tail = self._tails[key.data]
        tail += part
        del tail[:-KEPT_BYTES]
        return True

    def drain(self, timeout_s: float) -> None:
        """Read what the dead tree left in the pipes."""
        self._selector.unregister(0)
        end = time.monotonic() + timeout_s
        while self._selector.get_map() and time.monotonic() < end:
            for key, _ in self._selector.select(0.05):
                self._take(key)

    def texts(self) -> dict[str, str | int]:
        """The kept parts as text, undecodable bytes replaced."""
        parts = {"stdout_head": self._head, **{f"{name}_tail": tail for name, tail in self._tails.items()}}
        return {
            **{name: bytes(part).decode("utf-8", "replace") for name, part in parts.items()},
            "output_bytes": self.total,
        }


class First:
    """The program's first process, looked at while it lives. root: what was launched; bubblewrap is two processes before it."""

    def __init__(self, root: int, *, isolated: bool):
        self.root, self.isolated = root, isolated
        self._pid, self._seen, self._at = 0, (0.0, 0.0, 0.0), 0.0

    def look(self) -> None:
        """Keep what it has used until now."""
        at = time.monotonic()
        if not self._pid:
            below = descendants(self.root) if self.isolated else [self.root]
            self._pid = below[1] if len(below) > 1 else 0 if self.isolated else self.root
        if self._pid and (seen := cpu_apart(self._pid)):
            self._seen, self._at = seen, at

    def found(self, last_output_at: float) -> dict[str, float] | None:
        """The fields of `FirstProcess`, at the program's end; None where it was never seen."""
        if not self._at:
            return None
        names = ("thread_s", "process_s", "waited_s")
        return dict(zip(names, self._seen, strict=True)) | {"unlooked_s": max(0.0, last_output_at - self._at)}


class Watchdog:
    """Compares the tree with its limits and keeps the peaks."""

    def __init__(
        self, limits: Limits, work_dir: str, *, isolated: bool, mpi: bool = False, group: Cgroup | None = None
    ):
        self.limits, self.work_dir, self.isolated, self.group = limits, work_dir, isolated, group
        self._sockets = isolated and mpi
        self.cpu_s = self.peak_memory_mb = self.peak_disk_mb = 0.0
        self._device = os.stat(work_dir).st_dev
        self._inside = WORK_INSIDE if isolated else work_dir
        self._processes = limits.processes + (OF_BUBBLEWRAP if isolated else 0)
        self._unread: set[int] = set()
        self._maps_mb = 0.0
        self._next_disk, self._memory_entries = 0.0, 0
        self._moved = (0.0, 0.0)  # CPU seconds, and when they were last fewer
        self._disk_verdict: StopReason | None = None

    def check(self, pids: list[int], elapsed_s: float, output_bytes: int) -> StopReason | None:
        """The limit that is exceeded now, if any."""
        limits = self.limits
        extra = 0.0
        if self.isolated:
            extra, self._memory_entries = memory_files(pids)
        if self._sockets:
            extra += socket_mb(pids)
        memory, processes = footprint(pids)
        memory += extra + self._maps_mb
        self.peak_memory_mb = max(self.peak_memory_mb, memory)
        self._keep_awake(pids, elapsed_s)
        if elapsed_s > limits.wall_s:
            return "wall"
        if self.cpu_s > limits.cpu_s:
            return "cpu"
        if memory > limits.memory_mb:
            return "memory"
        if output_bytes > limits.output_mb * 2**20:
            return "output"
        if processes > self._processes:
            return "processes"
        if self._memory_entries > limits.files:
            return "files"
        if elapsed_s >= self._next_disk:
            begun = time.monotonic()
            self._look_at_disk(pids)
            cost = time.monotonic() - begun
            self._next_disk = elapsed_s + max(_DISK_INTERVAL_S, _DISK_SHARE * cost)
        return self._disk_verdict

    def cpu_of(self, pids: list[int]) -> float:
        """CPU seconds used so far, with those of `pids`, the processes that live; never less than before."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)  # before the living: nothing is counted twice
        used = ended.ru_utime + ended.ru_stime + cpu_seconds(pids)
        self.cpu_s = max(self.cpu_s, used, 0.0 if self.group is None else self.group.cpu_s())
        return self.cpu_s

    def _keep_awake(self, pids: list[int], elapsed_s: float) -> None:
        """Who stops a process and is then ended leaves it stopped, which would last until the limit on wall time."""
        cpu_s = self.cpu_of(pids)
        if cpu_s > self._moved[0]:
            self._moved = cpu_s, elapsed_s
        elif elapsed_s > self._moved[1] + _STILL_S:
            wake(pids)
            self._moved = cpu_s, elapsed_s

    def _look_at_disk(self, pids: list[int]) -> None:
        usage = directory_usage(self.work_dir, self.limits.files)
        kept = held(pids, self._inside, self._device, self.limits.file_mb * 2048)
        usage.blocks += kept.blocks
        usage.hidden |= bool(kept.unread & self._unread)  # once may be a process that was just starting
        self._unread, self._maps_mb = kept.unread, kept.maps * _MAP_KB / 1024
        self.peak_disk_mb = max(self.peak_disk_mb, usage.mb)
        if usage.entries > self.limits.files or usage.hidden:
            self._disk_verdict = "files"
        elif usage.mb > self.limits.disk_mb:
            self._disk_verdict = "disk"

    def last_look(self) -> None:
        """Measure what is left on disk after the end, so that a short run is judged as well."""
        self._look_at_disk([])

    def over_disk(self) -> StopReason | None:
        """The disk limit the left-over files exceed, if any."""
        return self._disk_verdict
