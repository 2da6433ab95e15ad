"""A PDF as a draft of a paper: what its reader in the sandbox found, with every doubt for a person to check."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from schemas.errors import ReproLabError
from schemas.text.addressed import addressed
from tasks.documents.pdf import LIMITS, ReadPdf, opened_pdf
from tasks.documents.pdf_text import markdown_of, title_of
from tasks.reproduce.collect import open_beneath
from tasks.reproduce.papers.importing.draft import (
    Draft,
    Figure,
    figure_label,
    in_a_sentence,
    one_line,
    unique_id,
)
from tasks.reproduce.papers.importing.metadata import HEAD_CHARACTERS, citation_of
from tasks.reproduce.papers.importing.taken_pictures import PictureRefused, checked_picture


def read_pdf(path: Path, pages: str = "", *, supplementary: bool = False, taken: Iterable[str] = ()) -> Draft:
    """Text in reading order, figures, tables and equations of a PDF, and what could not be read.

    pages: for example 1-6,9; all by default. supplementary, taken: as in `read_markdown`. Raises as `opened_pdf`.
    """
    with opened_pdf(path, pages) as (found, work):
        draft = Draft(text=markdown_of(found.text, [(t.page, t.caption, t.rows) for t in found.tables]))
        draft.title = one_line(title_of(found.text) or found.metadata_title or _first_line(found), 300)
        draft.head = draft.text[:HEAD_CHARACTERS]
        draft.citation, doubt = citation_of(draft.head, draft.title, {})
        draft.doubts += [] if supplementary else [f"the title was guessed: {draft.title!r}", doubt]
        draft.doubts += found.notes
        draft.doubts += [
            f"metadata of the PDF ({key}) address an AI; they were left out: {entry.words}"
            for key, words in found.metadata.items()
            for entry in addressed(words)
        ]
        _figures(draft, found, work, supplementary, set(taken))
    draft.check_by_eye = _by_eye(found, path)
    return draft


def _first_line(found: ReadPdf) -> str:
    return next((words for page in found.text for words, _, _, _ in page.lines if len(words) > 8), "")


def _figures(draft: Draft, found: ReadPdf, work: Path, supplementary: bool, used: set[str]) -> None:
    captions = {figure_label(f.caption) for f in found.figures if not in_a_sentence(f.caption)}
    for figure in found.figures:
        label = figure_label(figure.caption)
        if label in captions and in_a_sentence(figure.caption):
            continue
        if supplementary and label and not label.startswith("figS"):
            label = f"figS{label.removeprefix('fig')}"
        name = unique_id(label, used, prefix="figS" if supplementary else "fig")
        made = Figure(name, one_line(figure.caption), supplementary=supplementary or name.startswith("figS"))
        if figure.file:
            try:
                with open_beneath(work, figure.file, LIMITS.file_mb << 20) as stream:
                    made.picture, made.suffix = checked_picture(stream.read())
                draft.doubts.append(
                    f"{name}: its picture was cut from page {figure.page}: check that all of it is there"
                )
            except (ReproLabError, PictureRefused) as error:
                draft.doubts.append(f"{name}: its picture could not be used: {one_line(str(error), 200)}")
        else:
            draft.doubts.append(f"{name}: no drawing was found beside its caption on page {figure.page}")
        draft.figures.append(made)


def _by_eye(found: ReadPdf, path: Path) -> list[str]:
    """Equations and tables to compare with the PDF, as Markdown."""
    lines = [
        f"Read from {one_line(path.name, 100)}: {len(found.read)} of {found.pages} pages "
        f"({', '.join(map(str, found.read))})."
    ]
    two = [str(page.page) for page in found.text if page.columns == 2]
    lines += [f"Read as two columns: pages {', '.join(two)}."] if two else []
    lines += [
        "",
        "## Equations",
        "",
        "PDFs hold no equations, only letters in places: write those that matter anew.",
        "",
    ]
    lines += [
        f"- [ ] page {item.page}: `{one_line(item.text, 200).replace('`', chr(39))}`"
        for item in found.equations
    ] or ["None."]
    lines += ["", "## Tables", ""]
    lines += [
        f"- [ ] page {item.page}: {one_line(item.caption, 150)} ({len(item.rows)} rows as found)"
        for item in found.tables
    ] or ["None."]
    return lines
