"""Files a report refers to: inside the run's directory or not at all, and still what they were."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import quote

from schemas.base import file_sha256
from tasks.reproduce.report.document import Cell
from tasks.reproduce.report.text import NONE

FileState = Literal["verified", "changed", "missing", "not recorded"]


def inside(root: Path, relative: str) -> Path | None:
    """The regular file `relative` below `root` after following links, or None if there is none there."""
    if not relative or "\x00" in relative:
        return None
    try:
        path = (root / relative).resolve()
        return path if path.is_relative_to(root.resolve()) and path.is_file() else None
    except (OSError, RuntimeError):
        return None


def file_state(root: Path, relative: str | None, sha256: str | None) -> FileState:
    """Whether a data file still has the sha256 it was judged with."""
    if not relative or not sha256:
        return "not recorded"
    path = inside(root, relative)
    if path is None:
        return "missing"
    return "verified" if file_sha256(path) == sha256 else "changed"


def file_cell(root: Path, relative: str | None) -> Cell:
    """A link to a file of the run, or its name alone if it does not lie there."""
    if not relative:
        return Cell(NONE)
    path = inside(root, relative)
    if path is None:
        return Cell(f"{relative} (not in the run's directory)", code=True)
    return Cell(relative, href=relative_link(root, path), code=True)


def relative_link(root: Path, path: Path) -> str:
    """The percent-encoded link from a report in `root` to a file `inside` found; it cannot carry a scheme."""
    return quote(str(path.relative_to(root.resolve())))
