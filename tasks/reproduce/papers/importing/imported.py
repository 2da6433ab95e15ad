"""An imported file as a paper's folder: drafted, written beside its place, checked as any paper, then moved there."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from schemas.base import file_sha256
from schemas.errors import InputError
from schemas.run.pasted import typed
from tasks.files.store import private_folder
from tasks.reproduce.papers.importing.draft import Draft, one_line
from tasks.reproduce.papers.importing.markdown_draft import read_markdown
from tasks.reproduce.papers.importing.pdf_draft import read_pdf
from tasks.reproduce.papers.load import Reading, read_paper

NOTES, PDF = "CHECK_BY_EYE.md", "paper.pdf"
_MARKDOWN = (".md", ".markdown")


@dataclass(frozen=True)
class Wishes:
    """What the person says instead of letting it be guessed. supplement: a second file. pages: of a PDF."""

    paper_id: str = ""
    title: str = ""
    citation: str = ""
    domain: str = ""
    supplement: Path | None = None
    remote: bool = False
    pages: str = ""


@dataclass(frozen=True)
class Imported:
    """The paper that was made, where, and what a person should check."""

    folder: Path
    reading: Reading
    doubts: tuple[str, ...]


def import_paper(
    source: Path, folder: Path, wishes: Wishes, say: Callable[[str], None] = lambda line: None
) -> Imported:
    """Make `folder` from a Markdown or PDF file. Nothing is left behind if it fails or is interrupted.

    Raises InputError: the folder exists, the file cannot be read, or what came out is no usable paper.
    """
    if os.path.lexists(folder):
        raise InputError("the folder exists already", found=folder, fix="give another one with --to")
    for path in filter(None, (source, wishes.supplement)):
        if not path.is_file():
            raise InputError("no such file", found=path, allowed="a Markdown or PDF file")
    if not folder.parent.is_dir():
        raise InputError("the place for the folder does not exist", found=folder.parent, fix="make it first")
    draft = _read(source, wishes, None, say)
    extra = _read(wishes.supplement, wishes, draft, say) if wishes.supplement else None
    doubts = [*draft.doubts, *(f"supplement: {doubt}" for doubt in (extra.doubts if extra else ()))]
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:60]}."))
    try:
        _write(made, folder, draft, extra, wishes, doubts)
        if is_pdf(source):
            shutil.copyfile(source, made / PDF)
        reading = read_paper(made)
        if reading.problems or reading.paper is None:
            problems = "\n           ".join(reading.problems).replace(str(made), str(folder))
            raise InputError(
                f"{source} gives no usable paper",
                found=problems,
                fix="mend the file, or say what is missing (--title, --citation); nothing was written",
            )
        made.chmod(0o755)
        os.rename(made, folder)
    except BaseException as error:
        shutil.rmtree(made, ignore_errors=True)
        if isinstance(error, OSError):
            raise InputError(
                "the folder cannot be written", found=str(error), fix="give another one with --to"
            ) from error
        raise
    return Imported(folder, read_paper(folder), tuple(doubts))


def imported_pdf(pdf: Path, outputs: Path, say: Callable[[str], None] = lambda line: None) -> Path:
    """The folder of a PDF that was given in place of a paper: made below `outputs` once, then used as it is, mended or not.

    Raises as `import_paper`.
    """
    name = slug(pdf.stem)
    folder = outputs / name / f"paper-{file_sha256(pdf)[:8]}"
    if (folder / "paper.json").is_file():
        return folder
    private_folder(folder.parent)
    made = import_paper(pdf, folder, Wishes(paper_id=name), say)
    say(f"{pdf.name} was imported: {folder}; {len(made.doubts)} things to check by eye stand in its {NOTES}")
    return folder


def is_pdf(path: Path) -> bool:
    """Whether a file is a PDF, or is called one."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return b"%PDF-" in stream.read(1024) or path.suffix.lower() == ".pdf"


def _read(path: Path, wishes: Wishes, main: Draft | None, say: Callable[[str], None]) -> Draft:
    """A file as a draft. main: the paper whose supplement it is."""
    taken = [figure.figure_id for figure in main.figures] if main else []
    if is_pdf(path):
        return read_pdf(path, "" if main else wishes.pages, supplementary=main is not None, taken=taken)
    if path.suffix.lower() not in _MARKDOWN:
        raise InputError(
            "a file of this kind is not read as a paper",
            found=path.name,
            allowed=f"a PDF, or Markdown ({', '.join(_MARKDOWN)})",
            fix="convert it first; text that is Markdown under another name: rename it to end in .md",
        )
    if wishes.pages and main is None:
        raise InputError(
            "only PDFs have pages",
            found=f"--pages {wishes.pages[:60]} for {path.name}",
            fix="leave --pages out",
        )
    return read_markdown(path, remote=wishes.remote, supplementary=main is not None, taken=taken, say=say)


def _write(
    made: Path, folder: Path, draft: Draft, extra: Draft | None, wishes: Wishes, doubts: list[str]
) -> None:
    """paper.json, paper.md, the pictures and the notes."""
    if wishes.citation:
        doubts[:] = [doubt for doubt in doubts if "citation" not in doubt]
    if wishes.title:
        doubts[:] = [doubt for doubt in doubts if "the title was guessed" not in doubt]
    domain = wishes.domain or draft.domain
    if not domain:
        doubts.append("no domain was given: photonics is assumed; give --domain")
    figures = []
    (made / "figures").mkdir()
    for figure in (*draft.figures, *(extra.figures if extra else ())):
        entry: dict[str, object] = {"figure_id": figure.figure_id, "caption": figure.caption}
        if figure.supplementary:
            entry["supplementary"] = True
        if figure.picture:
            entry["image"] = f"figures/{figure.figure_id}{figure.suffix}"
            (made / str(entry["image"])).write_bytes(figure.picture)
        figures.append(entry)
    fields = {
        "paper_id": wishes.paper_id or slug(folder.name),
        "title": wishes.title or draft.title,
        "citation": wishes.citation or draft.citation,
        "domain": domain or "photonics",
        "figures": figures,
    }
    if extra:
        fields["supplementary_text"] = extra.text
    (made / "paper.json").write_text(
        json.dumps(fields, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    (made / "paper.md").write_text(draft.text, encoding="utf-8")
    (made / NOTES).write_text(
        _notes(folder, doubts, [*draft.check_by_eye, *(extra.check_by_eye if extra else ())]),
        encoding="utf-8",
    )


def _notes(place: Path, doubts: list[str], items: list[str]) -> str:
    """The list for a person, as Markdown."""
    lines = [
        "# Check by eye",
        "",
        "What the import guessed or left out. Mend `paper.json` and `paper.md`, then "
        f"`{typed('papers', 'check', str(place))}`.",
        "",
    ]
    lines += [f"- [ ] {one_line(doubt, 400)}" for doubt in doubts] or ["Nothing was in doubt."]
    return "\n".join([*lines, "", *items]) + "\n"


def slug(name: str) -> str:
    """A paper's id of a file's name."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-_.")[:80] or "paper"
