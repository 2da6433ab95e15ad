"""A PDF as a draft of a paper: read by a program in the sandbox, because PDFs are hostile until checked."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field, ValidationError

from schemas.addressed import addressed
from schemas.base import Model
from schemas.errors import InputError, PrerequisiteError, ReproLabError
from tasks.collect import open_beneath
from tasks.papers.importing.draft import Draft, Figure, figure_label, one_line, unique_id
from tasks.papers.importing.metadata import HEAD_CHARACTERS, citation_of
from tasks.papers.importing.pdf_text import ReadPage, markdown_of, title_of
from tasks.papers.importing.pictures import PictureRefused, checked_picture
from tasks.sandbox import Limits, SandboxResult, run_sandboxed, scratch
from tasks.sandbox.command import SANDBOX_UID, unreachable_for

MAX_PDF_BYTES, MAX_PAGES = 200_000_000, 200
LIMITS = Limits(wall_s=600, cpu_s=120, memory_mb=1500, processes=16, file_mb=60, disk_mb=400, files=200, output_mb=1)
_PACKAGES = ("pypdfium2", "pypdfium2_raw", "pypdfium2_cfg")
_READER = Path(__file__).resolve().parents[1] / "pdf_reader"


class ReadFigure(Model):
    """A caption found, and the file of its picture ("" without one)."""

    page: int
    caption: str = Field(max_length=8000)
    file: str = Field(pattern=r"^(figure-\d{1,4}\.png)?$")


class ReadTable(Model):
    """A table as found: rows of cells."""

    page: int
    caption: str
    rows: tuple[tuple[str, ...], ...]


class ReadEquation(Model):
    """A numbered line that looks like an equation."""

    page: int
    text: str


class ReadPdf(Model):
    """What the reader wrote; the program read a hostile file, so that it is checked like one."""

    error: str = ""
    detail: str = ""
    pages: int = 0
    read: tuple[int, ...] = ()
    text: tuple[ReadPage, ...] = ()
    figures: tuple[ReadFigure, ...] = ()
    tables: tuple[ReadTable, ...] = ()
    equations: tuple[ReadEquation, ...] = ()
    notes: tuple[str, ...] = ()
    metadata_title: str = ""
    metadata: dict[str, str] = Field(default_factory=dict, max_length=20)


def page_numbers(words: str) -> list[int]:
    """Page numbers of words such as 1-6,9, in order, each once; empty for all. Raises InputError."""
    numbers: dict[int, None] = {}
    for part in filter(None, (part.strip() for part in words.split(","))):
        match = re.fullmatch(r"(\d{1,6})(?:\s*-\s*(\d{1,6}))?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last or last - first >= MAX_PAGES:
            raise InputError("the pages do not fit", found=part[:60], allowed=f"numbers from 1 and ranges, at most {MAX_PAGES}",
                             fix="for example --pages 1-6,9")
        numbers |= dict.fromkeys(range(first, last + 1))
    if len(numbers) > MAX_PAGES:
        raise InputError("too many pages", found=len(numbers), allowed=f"at most {MAX_PAGES}", fix="name fewer with --pages")
    return list(numbers)


def read_pdf(path: Path, pages: str = "", *, supplementary: bool = False, taken: Iterable[str] = ()) -> Draft:
    """Text in reading order, figures, tables and equations of a PDF, and what could not be read.

    pages: for example 1-6,9; all by default. supplementary, taken: as in `read_markdown`.
    Raises InputError for scanned, encrypted, huge and damaged files; PrerequisiteError without pypdfium2.
    """
    numbers = page_numbers(pages)
    if path.stat().st_size > MAX_PDF_BYTES:
        raise InputError(f"{path} is too large", found=f"{path.stat().st_size} bytes", allowed=f"{MAX_PDF_BYTES} bytes")
    with scratch("reprolab-pdf-") as root:
        found = _in_sandbox(path, root, numbers)
        _refuse(path, found)
        draft = Draft(text=markdown_of(found.text, [(t.page, t.caption, t.rows) for t in found.tables]))
        draft.title = one_line(title_of(found.text) or found.metadata_title or _first_line(found), 300)
        draft.head = draft.text[:HEAD_CHARACTERS]
        draft.citation, doubt = citation_of(draft.head, draft.title, {})
        draft.doubts += [] if supplementary else [f"the title was guessed: {draft.title!r}", doubt]
        draft.doubts += found.notes
        draft.doubts += [f"metadata of the PDF ({key}) address an AI; they were left out: {entry.words}"
                         for key, words in found.metadata.items() for entry in addressed(words)]
        _figures(draft, found, root / "work", supplementary, set(taken))
    draft.check_by_eye = _by_eye(found, path)
    return draft


def _in_sandbox(path: Path, root: Path, numbers: list[int]) -> ReadPdf:
    work, code = root / "work", root / "code"
    code.mkdir(mode=0o755)
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise PrerequisiteError("PDFs cannot be read: a package is missing", found=f"no {name}",
                                    fix="make setup (installs pypdfium2)")
        shutil.copytree(spec.submodule_search_locations[0], code / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(_READER, code / "pdf_reader", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(path, root / "paper.pdf")
    for item in (code, *code.rglob("*"), root / "paper.pdf"):
        item.chmod(0o755 if item.is_dir() else 0o644)  # the sandbox's user must read them
    python, prefixes = _interpreter()
    result = run_sandboxed(
        [python, "-m", "pdf_reader", "/sandbox/in/paper.pdf", ",".join(map(str, numbers))], work,
        readonly={code: "/sandbox/code", root / "paper.pdf": "/sandbox/in/paper.pdf"}, prefixes=prefixes,
        env={"PYTHONPATH": "/sandbox/code"}, limits=LIMITS, allow_degraded=True)
    if not result.ok:
        raise _broken(path, result)
    try:
        with open_beneath(work, "result.json", 40_000_000) as stream:
            return ReadPdf.model_validate_json(stream.read())
    except (ReproLabError, ValidationError, RecursionError) as error:
        raise InputError(f"{path} could not be read", found=str(error)[:300],
                         fix="save it again with another program") from error


def _interpreter() -> tuple[str, tuple[Path, ...]]:
    """A Python the sandbox can reach: ours, or the system's (PDFium is loaded through ctypes, any version will do)."""
    own, base = Path(sys.executable).resolve(), Path(sys.base_prefix).resolve()
    if os.getuid() == 0 and unreachable_for(own, SANDBOX_UID) and Path("/usr/bin/python3").is_file():
        return "/usr/bin/python3", ()
    return str(own), () if str(base) in ("/usr", "/usr/local") and own.is_relative_to("/usr") else (base,)


def _broken(path: Path, result: SandboxResult) -> InputError:
    if result.stop_reason:
        return InputError(f"{path} is too much work to read", found=f"the limit on {result.stop_reason} was reached",
                          allowed=f"{LIMITS.cpu_s:g} s of CPU time, {LIMITS.memory_mb} MB", fix="name fewer pages with --pages")
    last = (result.stderr_tail.strip().splitlines() or ["no message"])[-1]
    return InputError(f"{path} could not be read: the reader ended early", found=one_line(last, 200),
                      fix="name fewer pages with --pages, or save it again with another program")


def _refuse(path: Path, found: ReadPdf) -> None:
    """Raises InputError for what cannot be a paper."""
    reasons = {"encrypted": ("is encrypted", "save a copy without a password"),
               "damaged": ("is damaged or no PDF", "save it again with another program"),
               "huge": (f"has more than {MAX_PAGES} pages", "name the pages with --pages, for example --pages 1-6"),
               "pages": ("does not have all these pages", "name others with --pages")}
    if found.error:
        what, fix = reasons.get(found.error, ("could not be read", "save it again with another program"))
        raise InputError(f"{path} {what}", found=one_line(found.detail, 200), fix=fix)
    if not found.read:
        raise InputError(f"{path} has no text that can be read", found=one_line("; ".join(found.notes[:3]), 300) or "no pages",
                         fix="a scanned paper needs text recognition (OCR) first")


def _first_line(found: ReadPdf) -> str:
    return next((words for page in found.text for words, _, _, _ in page.lines if len(words) > 8), "")


def _figures(draft: Draft, found: ReadPdf, work: Path, supplementary: bool, used: set[str]) -> None:
    for figure in found.figures:
        label = figure_label(figure.caption)
        if supplementary and label and not label.startswith("figS"):
            label = f"figS{label.removeprefix('fig')}"
        name = unique_id(label, used, prefix="figS" if supplementary else "fig")
        made = Figure(name, one_line(figure.caption), supplementary=supplementary or name.startswith("figS"))
        if figure.file:
            try:
                with open_beneath(work, figure.file, LIMITS.file_mb << 20) as stream:
                    made.picture, made.suffix = checked_picture(stream.read())
                draft.doubts.append(f"{name}: its picture was cut from page {figure.page}: check that all of it is there")
            except (ReproLabError, PictureRefused) as error:
                draft.doubts.append(f"{name}: its picture could not be used: {one_line(str(error), 200)}")
        else:
            draft.doubts.append(f"{name}: no drawing was found beside its caption on page {figure.page}")
        draft.figures.append(made)


def _by_eye(found: ReadPdf, path: Path) -> list[str]:
    """Equations and tables to compare with the PDF, as Markdown."""
    lines = [f"Read from {one_line(path.name, 100)}: {len(found.read)} of {found.pages} pages "
             f"({', '.join(map(str, found.read))})."]
    two = [str(page.page) for page in found.text if page.columns == 2]
    lines += [f"Read as two columns: pages {', '.join(two)}."] if two else []
    lines += ["", "## Equations", "", "PDFs hold no equations, only letters in places: write those that matter anew.", ""]
    lines += [f"- [ ] page {item.page}: `{one_line(item.text, 200).replace('`', chr(39))}`"
              for item in found.equations] or ["None."]
    lines += ["", "## Tables", ""]
    lines += [f"- [ ] page {item.page}: {one_line(item.caption, 150)} ({len(item.rows)} rows as found)"
              for item in found.tables] or ["None."]
    return lines
