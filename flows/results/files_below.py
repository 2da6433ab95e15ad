"""Files of a run's folder for a browser: what may be shown, as what, and what a folder holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from schemas.reading.beneath import Unopened, open_below, open_parts, parts_of

MOST_BYTES = 20_000_000_000
MOST_ENTRIES = 2000
_TEXT = "text/plain; charset=utf-8"
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
    **dict.fromkeys(
        (
            ".bib", ".csv", ".json", ".jsonl", ".log", ".md", ".py", ".r", ".sh", ".tex", ".toml", ".tsv", ".txt", ".yaml",
            ".yml",
        ),
        _TEXT,
    ),
}  # fmt: skip
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")


def kind_of(name: str) -> str | None:
    """The media type under which a browser may show a file; None: it is handed over as a download."""
    return _KINDS.get(os.path.splitext(name)[1].lower())


@dataclass(frozen=True)
class Held:
    """A file or folder of a folder. bytes: 0 of a folder."""

    name: str
    folder: bool
    bytes: int


def shown_parts(name: str) -> list[str]:
    """The parts of a path below a run's folder. Raises Unopened for one that leaves it or is not for show (hidden files)."""
    parts = parts_of(name)
    if any(part.startswith(".") for part in parts):
        raise Unopened("is hidden: files of the machinery are not shown")
    return parts


def check_shown(workflow: str, name: str) -> None:
    """Raises Unopened for a file of a study that is neither its report nor of its package: what people answered stays there."""
    parts = shown_parts(name)
    if workflow == "study" and not (
        (len(parts) == 1 and parts[0].startswith("STUDY_REPORT_"))
        or (len(parts) > 1 and parts[1] == "artifacts")
    ):
        raise Unopened("is no part of the study's report or package; others are not shown")


def open_file(folder: Path, name: str) -> BinaryIO:
    """A regular file below a run's folder, no link on the way. Raises Unopened."""
    return open_below(folder, "/".join(shown_parts(name)), MOST_BYTES)


def is_folder(folder: Path, name: str) -> bool:
    """Whether it is a folder below a run's folder, reached over no link."""
    try:
        with _opened(folder, name):
            return True
    except Unopened:
        return False


def held(folder: Path, name: str = "") -> list[Held]:
    """What a folder below a run's folder holds: folders first, without links, hidden files and anything special.

    Raises Unopened.
    """
    found = []
    with _opened(folder, name) as handle, os.scandir(handle) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            inside = stat.S_ISDIR(status.st_mode)
            if (
                entry.name.startswith(".")
                or not entry.name.isprintable()
                or not (inside or stat.S_ISREG(status.st_mode))
            ):
                continue
            found.append(Held(entry.name, inside, 0 if inside else status.st_size))
            if len(found) == MOST_ENTRIES:
                break
    return sorted(found, key=lambda each: (not each.folder, each.name))


@contextmanager
def _opened(folder: Path, name: str) -> Iterator[int]:
    parts = shown_parts(name) if name.strip("/") else []
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if parts:
                above, handle = handle, open_parts(handle, parts)
                os.close(above)
            if not stat.S_ISDIR(os.fstat(handle).st_mode):
                raise Unopened("is no folder")
            yield handle
        finally:
            os.close(handle)
    except OSError as error:
        raise Unopened(f"cannot be opened ({error.strerror})") from None


def size_of(folder: Path, most_entries: int = 200_000) -> int:
    """Bytes of all regular files below a folder; no link is followed."""
    total, left, folders = 0, most_entries, [folder]
    while folders and left > 0:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:
            continue
        left -= len(entries)
        for entry in entries:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISDIR(status.st_mode):
                folders.append(Path(entry.path))
            elif stat.S_ISREG(status.st_mode):
                total += status.st_size
    return total


def in_bytes(size: int) -> str:
    """A size in words."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size} B"
