"""Papers at the command line: which are bundled, how one of your own was understood, a folder to fill in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console as Screen
from rich.table import Table

from flows.commands.gist import printable, short
from flows.terminal.console import show
from schemas.errors import InputError
from schemas.reproduce.paper import PaperFigure
from schemas.reproduce.settings import RunSettings
from schemas.run.pasted import typed
from schemas.run.settings import ModelSettings
from tasks.files.store import atomic_write
from tasks.files.tables import read_table
from tasks.reproduce.papers import (
    BUNDLED,
    Reading,
    addressed_in,
    bundled_ids,
    inside,
    load_paper,
    locate,
    read_paper,
    recording,
)
from tasks.reproduce.papers.importing import Wishes, import_paper
from tasks.reproduce.papers.importing.imported import NOTES
from tasks.reproduce.papers.paper_files import paper_pattern, picture_size

_FORMS = {"reprolab": "ReproLab's own", "specification": "the specification's paper input"}


def list_papers() -> None:
    """The bundled papers: id, title, figures, what a replay needs."""
    table = Table(show_edge=False, pad_edge=False, expand=True)
    table.add_column("id", no_wrap=True, min_width=max((len(name) for name in bundled_ids()), default=2))
    table.add_column("title", no_wrap=True, overflow="ellipsis", ratio=1)
    for name in ("figures", "recorded"):
        table.add_column(name, no_wrap=True, min_width=len(name))
    for name in bundled_ids():
        paper = json.loads(
            (BUNDLED / name / "paper.json").read_text(encoding="utf-8")
        )  # its data need not be read
        table.add_row(
            name,
            paper["title"],
            str(len(paper["figures"])),
            "yes" if recording(BUNDLED / name) else "not yet",
        )
    Screen().print(table)
    show(
        f"\n{typed('reproduce', 'ID')} replays a recorded one; others need --model anthropic or manual."
        "\ndocs/guide/papers.md tells how to make your own."
    )


def check_papers(path: str) -> None:
    """Print how a paper was understood, and that it is ready. Raises InputError if something is wrong with it."""
    reading = read_paper(locate(path))
    if reading.problems or reading.paper is None:
        raise InputError(
            f"{len(reading.problems)} problem(s) in {path}, read as {_FORMS[reading.form]} form",
            found=printable("\n           ".join(reading.problems)),
            fix="docs/guide/papers.md describes every field",
        )
    show("\n".join(map(printable, understood(reading))))
    show(f"{typed('reproduce', path, '--model', 'anthropic')}     (or manual: no key, any chat window)")


def assess_paper(path: str, outputs: Path) -> None:
    """Print what a paper offers to compare and to compute with, before anything is paid for, and what calls would cost."""
    from flows.reproduce.likely_cost import likely
    from flows.reproduce.preflight import paper_at
    from tasks.reproduce.papers.assessing import assessed

    location = paper_at(path, outputs, lambda line: show(printable(line)))
    paper, folder = load_paper(location)
    show(printable(f"{paper.paper_id}: {short(paper.title, 100)}"))
    show(printable(assessed(paper, folder).words))
    show(f"cost\n  {likely(RunSettings(model=ModelSettings(kind='anthropic')), len(paper.text))}")
    show("  what simulations take is known once a stage is described: the run says it then, before each grid")


def understood(reading: Reading) -> list[str]:
    """What was read of a paper that is ready, one fact a line."""
    paper = reading.paper
    assert paper is not None
    extra = sum(figure.supplementary for figure in paper.figures)
    lines = [
        f"{paper.paper_id}: ready, in {_FORMS[reading.form]} form",
        f"  title      {short(paper.title, 100)}",
        f"  citation   {short(paper.citation, 100)}",
        f"  domain     {short(paper.domain, 100)}",
        f"  text       {len(paper.text)} characters",
        f"  supplement {len(paper.supplementary_text or '')} characters, {extra} figures",
        f"  figures    {len(paper.figures)}, {sum(bool(f.image) for f in paper.figures)} with a picture, "
        f"{sum(bool(f.data) for f in paper.figures)} with data"
        + ("" if paper.figures else "; only numbers that stand in the text can be compared"),
    ]
    lines += [line for figure in paper.figures for line in _figure_lines(figure, reading.folder)]
    lines += [
        f"  material   {material.name}: {material.file}, {short(material.source, 80)}"
        for material in paper.materials
    ]
    lines += [
        f"  pattern    {pattern.name}: {pattern.file}, {paper_pattern(reading.folder, pattern).words}"
        for pattern in paper.patterns
    ]
    if paper.scope:
        lines.append(f"  scope      {short(paper.scope.words(), 200)}")
    lines += [f"  note       {note}" for note in reading.notes]
    return lines + [f"  to an AI   {entry}" for entry in addressed_in(paper, reading.folder)]


def _figure_lines(figure: PaperFigure, folder: Path) -> list[str]:
    parts = [short(figure.caption, 60) or "(no caption)"]
    path = inside(folder, figure.image) if figure.image else None
    if path is not None:
        kind, width, height = picture_size(path)
        parts.append(f"{kind} {width} x {height}")
    lines = [f"    {figure.figure_id}: {', '.join(parts)}"]
    for data in figure.data:
        table = read_table(folder / data.file)
        lines.append(
            f"      {data.file}: {short(', '.join(table.columns), 80)}; {len(table)} rows, {data.origin}, error "
            f"{data.relative_error_percent:g} %"
        )
    return lines


def make_from_file(file: Path, to: Path | None, **wishes: Any) -> None:
    """Import a file as a paper's folder; print what was understood and what should be checked."""
    folder = to or Path(file.stem)
    try:
        made = import_paper(file, folder.absolute(), Wishes(**wishes), say=lambda line: show(printable(line)))
    except KeyboardInterrupt:
        show("\ninterrupted; nothing was written")
        raise SystemExit(130) from None
    show("\n".join(map(printable, understood(made.reading))))
    for doubt in made.doubts:
        show(printable(f"  check      {short(doubt, 300)}"))
    show(f"{folder}/{NOTES} lists what to check by eye, then\n{typed('papers', 'check', str(folder))}")


def new_paper(folder: Path) -> None:
    """Make a folder to fill in."""
    if folder.exists():
        raise InputError("the folder exists already", found=folder, fix="choose another name")
    example = {
        "paper_id": folder.name,
        "title": "Title of the paper",
        "citation": "Authors, Journal volume, page (year), DOI",
        "domain": "thin_films",
        "figures": [
            {
                "figure_id": "fig1",
                "caption": "What the figure shows, with axes and units.",
                "image": "figures/fig1.png",
                "data": [
                    {
                        "file": "data/fig1.csv",
                        "origin": "digitised",
                        "source": "digitised from figure 1",
                        "relative_error_percent": 1.0,
                    }
                ],
            }
        ],
    }
    atomic_write(folder / "paper.json", json.dumps(example, indent=1) + "\n")
    atomic_write(folder / "paper.md", "")
    (folder / "figures").mkdir()
    (folder / "data").mkdir()
    show(
        f"fill in {folder}/paper.json and {folder}/paper.md (image and data are optional), then\n"
        f"{typed('papers', 'check', str(folder))}"
    )
