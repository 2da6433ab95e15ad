"""The files that came with a goal, and the run's literature, as text."""

from __future__ import annotations

import tempfile
from pathlib import Path

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from tasks.documents.pdf import opened_pdf
from tasks.documents.pdf_text import markdown_of
from tasks.explore.goals import load_goal
from tasks.literature.corpus import names_in
from tasks.literature.of_run import CORPUS

_MOST_BYTES = 50_000_000


def goal_file(run: Path) -> Path:
    """The run's goal.md."""
    inner = run / "goal" / "goal.md"
    return inner if inner.is_file() else run / "goal.md"


def listed(run: Path) -> list[tuple[str, int]]:
    """Names, as they are asked for, and sizes in bytes. Raises InputError for a goal that cannot be read."""
    goal = load_goal(goal_file(run))
    corpus = run / CORPUS
    return [
        *((file.path, file.bytes) for file in goal.provided),
        *(
            (f"{CORPUS}/{name}", (corpus / name).stat().st_size)
            for name in (names_in(corpus) if corpus.is_dir() else ())
        ),
    ]


def text_of(run: Path, name: str) -> str:
    """The words of one of them. Raises InputError."""
    names = [known for known, _ in listed(run)]
    if name not in names:
        raise InputError(
            "there is no such file",
            found=name[:200],
            allowed=", ".join(names[:40]) or "none came with the goal",
        )
    try:
        content = read_below(
            run if name.startswith(f"{CORPUS}/") else goal_file(run).parent, name, _MOST_BYTES, one_name=False
        )
    except Unopened as error:
        raise InputError(f"{name} {error}") from None
    if content.startswith(b"%PDF"):
        with tempfile.TemporaryDirectory() as place:
            (Path(place) / "read.pdf").write_bytes(content)
            with opened_pdf(Path(place) / "read.pdf") as (read, _):
                return visible(
                    markdown_of(read.text, [(table.page, table.caption, table.rows) for table in read.tables])
                )
    if b"\0" in content[:4096]:
        raise InputError(f"{name} is no text", found=f"{len(content)} bytes of a program's format")
    return visible(content.decode("utf-8", "replace"))
