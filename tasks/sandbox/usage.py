"""How much a tree of processes has put on disk and in memory file systems, however it hides it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

_MAX_DEPTH = 24
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass
class DiskUsage:
    """Blocks and number of entries; `hidden` when part of the tree could not be read or is too deep."""

    blocks: int = 0
    entries: int = 0
    hidden: bool = False

    @property
    def mb(self) -> float:
        """MiB of disk blocks."""
        return self.blocks * 512 / 2**20


def directory_usage(path: str, max_entries: int) -> DiskUsage:
    """Usage below `path`, no link followed; stops counting beyond `max_entries`."""
    usage = DiskUsage()
    try:
        root = os.open(path, _DIRECTORY)
    except OSError:
        usage.hidden = True
        return usage
    _walk(root, 0, usage, max_entries)
    return usage


def _walk(handle: int, depth: int, usage: DiskUsage, max_entries: int) -> None:
    try:
        with os.scandir(handle) as entries:
            for entry in entries:
                usage.entries += 1
                if usage.entries > max_entries:
                    return
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # removed meanwhile
                usage.blocks += status.st_blocks
                if stat.S_ISDIR(status.st_mode):
                    _descend(handle, entry.name, depth, usage, max_entries)
    finally:
        os.close(handle)


def _descend(parent: int, name: str, depth: int, usage: DiskUsage, max_entries: int) -> None:
    if depth >= _MAX_DEPTH:
        usage.hidden = True
        return
    try:
        child = os.open(name, _DIRECTORY, dir_fd=parent)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError:  # made unreadable on purpose, or a link put in its place
        usage.hidden = True
        return
    _walk(child, depth + 1, usage, max_entries)


def deleted_open_blocks(pids: list[int], device: int) -> int:
    """512-byte blocks of files on `device` that have no name left but are still open."""
    seen: dict[int, int] = {}
    for pid in pids:
        try:
            handles = os.listdir(f"/proc/{pid}/fd")
        except OSError:
            continue
        for handle in handles:
            try:
                status = os.stat(f"/proc/{pid}/fd/{handle}")
            except OSError:
                continue
            if status.st_nlink == 0 and status.st_dev == device and stat.S_ISREG(status.st_mode):
                seen[status.st_ino] = status.st_blocks
    return sum(seen.values())


def memory_files(pids: list[int], paths: tuple[str, ...] = ("/tmp", "/dev/shm")) -> tuple[float, int]:
    """(MiB, entries) in the private memory file systems of a sandbox, seen through one of its processes."""
    own = os.stat("/").st_dev
    for pid in pids:
        size, entries = 0.0, 0
        try:
            if os.stat(f"/proc/{pid}/root/").st_dev == own:
                continue  # still outside the sandbox: these would be the host's
            for path in paths:
                status = os.statvfs(f"/proc/{pid}/root{path}")
                size += (status.f_blocks - status.f_bfree) * status.f_frsize / 2**20
                entries += status.f_files - status.f_ffree
        except OSError:
            continue
        return size, entries
    return 0.0, 0
