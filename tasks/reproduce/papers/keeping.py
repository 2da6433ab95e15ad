"""A run's own copy of its paper: taken through the door once, so that nothing is exchanged while the run works with it."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, parts_of
from schemas.reproduce.handed_pattern import MAX_BYTES
from schemas.reproduce.paper import PaperInput
from tasks.files.store import atomic_write
from tasks.files.tables import PAPER
from tasks.reproduce.papers.load import load_paper, source_of
from tasks.reproduce.papers.paper_files import MAX_IMAGE_BYTES, MAX_TEXT_BYTES, taken

MAX_PAPER_BYTES = 500_000_000


def keep_paper(paper: PaperInput, location: Path, target: Path) -> PaperInput:
    """Copy the paper that was read at `location` into the folder `target`, and read it there: that is what the run has.

    Only paper.json, paper.md and the files that the paper names are copied. Files that it no longer names are removed.
    Raises InputError: the paper cannot be used, or its files are too large together.
    """
    folder, source = source_of(location)
    wanted, total = _wanted(paper, folder, source), 0
    for name, (source, most) in wanted.items():
        try:
            found = taken(folder, source, most)
        except Unopened as error:
            raise InputError(
                f"a file of the paper at {location} changed while it was read",
                found=f"{source} {error}",
                fix="start again when the folder is complete",
            ) from error
        total += len(found)
        if total > MAX_PAPER_BYTES:
            raise InputError(
                f"the files of the paper at {location} are too large",
                found=f"more than {MAX_PAPER_BYTES} bytes",
                allowed=f"{MAX_PAPER_BYTES} bytes in all",
                fix="make the pictures smaller",
            )
        copy = target / name
        if not (copy.is_file() and copy.read_bytes() == found):
            atomic_write(copy, found)
    for path in target.rglob("*"):
        if not path.is_dir() and str(path.relative_to(target)) not in wanted:
            path.unlink()
    return load_paper(target)[0]


def _wanted(paper: PaperInput, folder: Path, name: str) -> dict[str, tuple[str, int]]:
    """Name in the copy: name in the folder, and how large it may be."""
    from tasks.reproduce.materials.handed_tables import LIMITS  # takes a second to import

    found = {"paper.json": (name, MAX_TEXT_BYTES)}
    if (folder / "paper.md").is_file():
        found["paper.md"] = ("paper.md", MAX_TEXT_BYTES)
    for figure in paper.figures:
        found |= {_plain(figure.image): (figure.image, MAX_IMAGE_BYTES)} if figure.image else {}
        found |= {_plain(data.file): (data.file, PAPER.bytes) for data in figure.data}
    found |= {_plain(material.file): (material.file, LIMITS.bytes) for material in paper.materials}
    return found | {_plain(pattern.file): (pattern.file, MAX_BYTES) for pattern in paper.patterns}


def _plain(name: str) -> str:
    return "/".join(parts_of(name))
