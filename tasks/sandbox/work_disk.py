"""A file system of limited size for a program's work directory: the kernel refuses what is beyond the limit on disk.

It is a tmpfs that bubblewrap mounts where the program sees its work directory, and that nobody else sees. The shim holds it
open from before the program starts, and copies out what is left when all is dead: regular files and links, never a device, a
pipe or more than the limit. Its pages are memory of the computer, so it is used where there is plenty. Source: tmpfs(5),
proc(5), bwrap(1).
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import stat
import time
from pathlib import Path

from tasks.sandbox.sandbox_result import WORK_INSIDE, Limits
from tasks.sandbox.tree import descendants

SLACK_MB = 1  # beyond the limit: who fills it was over the limit, and is told so
_SHARE = 4  # of the memory that is available, at most a fourth
READY, GO = 8, 9  # descriptors of the program's first moments; a shell knows those of one digit
# Waits inside until the shim holds the work directory open; what follows replaces it.
BARRIER = [
    "/bin/sh",
    "-c",
    f'echo >&{READY}; read -r go <&{GO} || exit 125; exec {READY}>&- {GO}<&-; exec "$@"',
    "sh",
]
_START_S = 60.0
_MAX_DEPTH = 24
_TAIL = 8192
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC


def affordable(limits: Limits) -> bool:
    """Whether memory is plenty for a work directory of that size (MemAvailable, proc(5))."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return limits.disk_mb * 1024 * _SHARE <= int(line.split()[1])
    return False


def mount_options(limits: Limits) -> list[str]:
    """Arguments of bubblewrap that mount it."""
    return ["--size", str(limits.disk_mb + SLACK_MB << 20), "--perms", "0755", "--tmpfs", WORK_INSIDE]


class WorkDisk:
    """The file system of one program, as the shim sees it. destination: where its files go at the end."""

    def __init__(self, limits: Limits, destination: str, live: tuple[str, ...]):
        self.limits, self.destination, self.live = limits, destination, live
        self._ready, told = os.pipe()
        wait, self._go = os.pipe()
        for handle, number in ((told, READY), (wait, GO)):
            os.dup2(handle, number)
            os.close(handle)
        self._handle = -1
        self._seen: dict[str, tuple[int, int]] = {}

    @property
    def path(self) -> str:
        """Where this process sees the work directory."""
        return f"/proc/self/fd/{self._handle}/."

    def open_inside(self, lifeline: int) -> bool:
        """Take hold of it and let the program begin; False when the program is gone, or we are to stop.

        Raises OSError if what is mounted there is not the file system that was asked for.
        """
        os.close(READY)
        os.close(GO)
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            readable, _, _ = select.select([self._ready, lifeline], [], [], 0.5)
            if lifeline in readable:
                return False
            if self._ready in readable:
                if not os.read(self._ready, 1):
                    return False
                self._handle = self._found()
                os.write(self._go, b"\n")
                return True
        raise OSError(errno.ETIMEDOUT, f"the sandbox did not come up within {_START_S:.0f} s of wall time")

    def _found(self) -> int:
        own, wanted = os.stat("/").st_dev, self.limits.disk_mb + SLACK_MB << 20
        for pid in descendants(os.getpid()):
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{pid}/root/").st_dev == own:
                    continue  # still outside the sandbox
                handle = os.open(f"/proc/{pid}/root{WORK_INSIDE}", _DIRECTORY)
                found = os.fstatvfs(handle)
                if (
                    abs(found.f_blocks * found.f_frsize - wanted) <= found.f_frsize
                    and os.fstat(handle).st_dev != own
                ):
                    return handle
                os.close(handle)
        raise OSError(
            errno.ENODEV, "the work directory is not the file system of limited size that was asked for"
        )

    def mirror(self) -> None:
        """The ends of the files that are read while the program runs, as they are now, in the destination."""
        for name in self.live:
            with contextlib.suppress(OSError):
                source = os.open(name, _FILE, dir_fd=self._handle)
                try:
                    status = os.fstat(source)
                    now = (status.st_size, status.st_mtime_ns)
                    if not stat.S_ISREG(status.st_mode) or self._seen.get(name) == now:
                        continue
                    self._seen[name] = now
                    tail = os.pread(source, _TAIL, max(0, status.st_size - _TAIL))
                finally:
                    os.close(source)
                draft = os.path.join(self.destination, _draft(name))
                Path(draft).write_bytes(tail)
                os.replace(draft, os.path.join(self.destination, name))

    def copy_out(self) -> bool:
        """Regular files, folders and links that are left, into the destination. Raises OSError if that has no room.

        False where something stayed behind: the names of one file, each copied, were together more than the limit on disk.
        """
        if self._handle < 0:
            return True
        room = _Room(self.limits.disk_mb + SLACK_MB << 20)
        for name in self.live:
            for kept in (name, _draft(name)):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.destination, kept))
        target = os.open(self.destination, _DIRECTORY)
        waiting, copied = [(os.dup(self._handle), target, 0)], 0
        while waiting:
            source, target, depth = waiting.pop()
            try:
                for name in os.listdir(source):
                    copied += 1
                    if copied > self.limits.files:
                        break  # the limit on files was reached, and is said
                    folder = _copied(source, target, name, room)
                    if folder is not None and depth < _MAX_DEPTH:
                        waiting.append((*folder, depth + 1))
                    elif folder is not None:
                        for handle in folder:
                            os.close(handle)
            finally:
                os.close(source)
                os.close(target)
            if copied > self.limits.files:
                break
        for source, target, _ in waiting:
            os.close(source)
            os.close(target)
        return not room.refused


def _draft(name: str) -> str:
    return f".{name}.draft"


class _Room:
    """What may still be written outside. Inside a file counts once, however many names it has; outside each name is a copy."""

    def __init__(self, size: int):
        self.left, self.refused = size, False

    def holds(self, status: os.stat_result) -> bool:
        """Whether there is room for a file's data, which is taken."""
        if status.st_blocks * 512 > self.left:
            self.refused = True
            return False
        self.left -= status.st_blocks * 512
        return True


def _copied(source: int, target: int, name: str, room: _Room) -> tuple[int, int] | None:
    """Copy one entry; of a folder, descriptors of it and of its new copy. What cannot be read stays behind."""
    try:
        status = os.stat(name, dir_fd=source, follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            inner = os.open(name, _DIRECTORY, dir_fd=source)
        elif stat.S_ISLNK(status.st_mode):
            text = os.readlink(name, dir_fd=source)
        elif stat.S_ISREG(status.st_mode):
            inner = os.open(name, _FILE, dir_fd=source)
        else:
            return None
    except OSError:
        return None
    if stat.S_ISLNK(status.st_mode):
        os.symlink(text, name, dir_fd=target)
        return None
    if stat.S_ISDIR(status.st_mode):
        os.mkdir(name, 0o755, dir_fd=target)
        return inner, os.open(name, _DIRECTORY, dir_fd=target)
    try:
        if room.holds(os.fstat(inner)):
            _copy_data(inner, os.open(name, _NEW, 0o644, dir_fd=target))
    finally:
        os.close(inner)
    return None


def _copy_data(source: int, target: int) -> None:
    """The data between a file's holes, so that no hole becomes blocks on the disk; closes the target."""
    try:
        size, at = os.fstat(source).st_size, 0
        os.ftruncate(target, size)
        while at < size:
            try:
                begin = os.lseek(source, at, os.SEEK_DATA)
            except OSError as error:
                if error.errno == errno.ENXIO:
                    return  # a hole to the end
                raise
            at = os.lseek(source, begin, os.SEEK_HOLE)
            os.lseek(source, begin, os.SEEK_SET)
            os.lseek(target, begin, os.SEEK_SET)
            while begin < at:
                part = os.read(source, min(1 << 20, at - begin))
                if not part:
                    return
                begin += len(part)
                while part:
                    part = part[os.write(target, part) :]
    finally:
        os.close(target)
