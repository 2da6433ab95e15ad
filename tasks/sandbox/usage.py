"""How much a tree of processes has put on disk and in memory file systems, however it hides it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.sandbox.tree import living

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


@dataclass
class Held:
    """What processes keep. blocks: of files without a name. unread: processes that could not be read. maps: their number."""

    blocks: int
    unread: set[int]
    maps: int


def held(pids: list[int], work_inside: str, device: int, largest: int) -> Held:
    """What `pids` keep: 512-byte blocks of files of the work directory that have no name left, and maps of memory.

    Such a file is kept by a descriptor or by a map. The size of one that is only mapped is seen by root alone; otherwise
    it counts as `largest` blocks. work_inside: the work directory as the processes see it; device: where it lies.
    """
    seen: dict[int, int] = {}
    mapped: dict[int, tuple[int, str]] = {}
    found = Held(0, set(), 0)
    for pid in pids:
        place = living(pid)
        try:
            seen.update(_open_without_name(place, device))
            with open(f"{place}/maps", "rb") as handle:
                maps = handle.read()
            found.maps += maps.count(b"\n")
            mapped.update((inode, (pid, span)) for inode, span in _without_name(maps, work_inside))
        except PermissionError:
            found.unread.add(pid)
        except OSError:
            continue  # ended meanwhile
    for inode, (pid, span) in mapped.items():
        if inode not in seen:
            try:
                seen[inode] = os.stat(f"/proc/{pid}/map_files/{span}").st_blocks
            except OSError:
                seen[inode] = largest
    found.blocks = sum(seen.values())
    return found


def _open_without_name(place: str, device: int) -> Iterator[tuple[int, int]]:
    for handle in os.listdir(f"{place}/fd"):
        try:
            status = os.stat(f"{place}/fd/{handle}")
        except FileNotFoundError:
            continue  # closed meanwhile
        if status.st_nlink == 0 and status.st_dev == device and stat.S_ISREG(status.st_mode):
            yield status.st_ino, status.st_blocks


def _without_name(maps: bytes, work_inside: str) -> Iterator[tuple[int, str]]:
    if b" (deleted)\n" not in maps:
        return
    inside = f"{work_inside}/".encode()
    for line in maps.splitlines():
        fields = line.split(None, 5)
        if len(fields) == 6 and fields[5].startswith(inside) and fields[5].endswith(b" (deleted)"):
            yield int(fields[4]), "-".join(f"{int(end, 16):x}" for end in fields[0].split(b"-"))


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
