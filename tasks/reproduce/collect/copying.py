"""Copying named files out of a directory a hostile program wrote."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from schemas.errors import ReproLabError
from schemas.reading.beneath import Unopened, open_below

SUFFIXES = (".csv", ".npz", ".png", ".json")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+\-]{0,119}")
_MAX_PARTS = 4


class UnsafeOutput(ReproLabError):
    """An output file of a program is not what it must be; its content was not used."""


@dataclass(frozen=True)
class CollectLimits:
    """file_mb: MiB of one file. total_mb: MiB of all. files: how many."""

    file_mb: float = 200.0
    total_mb: float = 500.0
    files: int = 500


@dataclass(frozen=True)
class CollectedFile:
    """A copy: name relative to both directories, where it is now, sha256 and size of the bytes copied."""

    name: str
    path: Path
    sha256: str
    bytes: int


@dataclass(frozen=True)
class Collected:
    """What was copied, and (name, reason) of what was refused."""

    files: tuple[CollectedFile, ...]
    refused: tuple[tuple[str, str], ...]

    def path(self, name: str) -> Path:
        """Where the copy of `name` is; raises UnsafeOutput with the reason when there is none."""
        for item in self.files:
            if item.name == name:
                return item.path
        reason = dict(self.refused).get(name, "it was not collected")
        raise UnsafeOutput("an output file is not available", found=f"{name!r}: {reason}")


def collect(
    work_dir: Path, dest: Path, names: Iterable[str], limits: CollectLimits | None = None
) -> Collected:
    """Copy `names` (relative, as the program declared them) from `work_dir` to `dest`, hashing on the way.

    Accepts regular files with one link, a plain name and one of the suffixes .csv .npz .png .json, within the
    limits. Everything else is refused with a reason; nothing raises for what the program did. HDF5 is
    refused: its external storage makes the reader open any file of the host.
    """
    limits = limits or CollectLimits()
    dest.mkdir(parents=True, exist_ok=True)
    if dest.resolve().is_relative_to(work_dir.resolve()):
        raise ValueError(f"the destination {dest} lies inside the work directory {work_dir}")
    files: list[CollectedFile] = []
    refused: list[tuple[str, str]] = []
    total, total_cap = 0, int(limits.total_mb * 2**20)
    for name in dict.fromkeys(names):
        try:
            _check_suffix(name)
            if len(files) >= limits.files:
                raise UnsafeOutput("too many files", found=len(files) + 1, allowed=limits.files)
            allowed = min(int(limits.file_mb * 2**20), total_cap - total)
            taken = _copy(work_dir, dest, name, allowed)
        except UnsafeOutput as error:
            refused.append((name, " ".join(str(error).split())))
            continue
        total += taken.bytes
        files.append(taken)
    return Collected(tuple(files), tuple(refused))


def _check_suffix(name: str) -> None:
    if not name.endswith(SUFFIXES):
        extra = "; HDF5 can name files of the host, write NPZ" if name.endswith((".h5", ".hdf5")) else ""
        raise UnsafeOutput("wrong kind of file", found=repr(name[-20:]), allowed=" ".join(SUFFIXES) + extra)


def _copy(work_dir: Path, dest: Path, name: str, allowed: int) -> CollectedFile:
    digest, size = hashlib.sha256(), 0
    with open_beneath(work_dir, name, allowed) as source:
        target = dest / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            # O_EXCL through "x": a copy never replaces evidence that is already there
            with target.open("xb") as copy:
                while part := source.read(1 << 20):
                    size += len(part)
                    if size > allowed:
                        raise UnsafeOutput("the file grew while it was copied", found=size, allowed=allowed)
                    digest.update(part)
                    copy.write(part)
        except FileExistsError:
            raise UnsafeOutput("the destination already has this file", found=str(target)) from None
        except UnsafeOutput:
            target.unlink(missing_ok=True)
            raise
    return CollectedFile(name, target, digest.hexdigest(), size)


def open_beneath(root: Path, name: str, max_bytes: int) -> BinaryIO:
    """Open the regular file `name` below `root` without following any link; raises UnsafeOutput otherwise."""
    parts = name.split("/")
    if len(parts) > _MAX_PARTS or not all(_NAME.fullmatch(part) for part in parts):
        raise UnsafeOutput(
            "bad file name", found=repr(name[:200]), allowed="letters, digits, _ . + - in plain parts"
        )
    try:
        return open_below(root, name, max_bytes)
    except Unopened as error:
        raise UnsafeOutput(
            "the file cannot be taken",
            found=f"it {error}",
            allowed=f"a regular file of at most {max_bytes} bytes, no link",
        ) from None
