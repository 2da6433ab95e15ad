"""A PDF read by a program in the sandbox, because PDFs are hostile until checked."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from schemas.base import Model
from schemas.errors import InputError, PrerequisiteError
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import one_visible_line
from tasks.documents.pdf_text import ReadPage
from tasks.sandbox import Limits, SandboxResult, run_sandboxed, scratch
from tasks.sandbox.command import SANDBOX_UID, unreachable_for

MAX_PDF_BYTES, MAX_PAGES = 200_000_000, 200
LIMITS = Limits(
    wall_s=600, cpu_s=120, memory_mb=1500, processes=16, file_mb=60, disk_mb=400, files=200, output_mb=1
)
_Found = TypeVar("_Found", bound=Model)
_PACKAGES = ("pypdfium2", "pypdfium2_raw", "pypdfium2_cfg")
_READER = Path(__file__).resolve().parent / "pdf_reader"


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
            raise InputError(
                "the pages do not fit",
                found=part[:60],
                allowed=f"numbers from 1 and ranges, at most {MAX_PAGES}",
                fix="for example --pages 1-6,9",
            )
        numbers |= dict.fromkeys(range(first, last + 1))
    if len(numbers) > MAX_PAGES:
        raise InputError(
            "too many pages",
            found=len(numbers),
            allowed=f"at most {MAX_PAGES}",
            fix="name fewer with --pages",
        )
    return list(numbers)


@contextmanager
def opened_pdf(path: Path, pages: str = "") -> Iterator[tuple[ReadPdf, Path]]:
    """What was found in a PDF, and the folder with the pictures of its figures, which goes when the block ends.

    pages: for example 1-6,9; all by default.
    Raises InputError for scanned, encrypted, huge and damaged files; PrerequisiteError without pypdfium2.
    """
    numbers = page_numbers(pages)
    check_size(path)
    with scratch("reprolab-pdf-") as root:
        found = read_in_sandbox(path, root, "pdf_reader", ",".join(map(str, numbers)), LIMITS, ReadPdf)
        _refuse(path, found)
        yield found, root / "work"


def check_size(path: Path) -> None:
    """Raises InputError for a file that is larger than any paper."""
    size = path.stat().st_size
    if size > MAX_PDF_BYTES:
        raise InputError(f"{path} is too large", found=f"{size} bytes", allowed=f"{MAX_PDF_BYTES} bytes")


def read_in_sandbox(
    path: Path, root: Path, program: str, argument: str, limits: Limits, form: type[_Found]
) -> _Found:
    """What a program of the reader wrote about a PDF, checked; files that it made are in root/work.

    Raises InputError: the program ended early, or what it wrote has another form; PrerequisiteError without pypdfium2.
    """
    work, code = root / "work", root / "code"
    code.mkdir(mode=0o755)
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise PrerequisiteError(
                "PDFs cannot be read: a package is missing",
                found=f"no {name}",
                fix="make setup (installs pypdfium2)",
            )
        shutil.copytree(
            spec.submodule_search_locations[0], code / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copytree(_READER, code / "pdf_reader", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(path, root / "paper.pdf")
    for item in (code, *code.rglob("*"), root / "paper.pdf"):
        item.chmod(0o755 if item.is_dir() else 0o644)  # the sandbox's user must read them
    python, prefixes = interpreter()
    result = run_sandboxed(
        [python, "-m", program, "/sandbox/in/paper.pdf", argument],
        work,
        readonly={code: "/sandbox/code", root / "paper.pdf": "/sandbox/in/paper.pdf"},
        prefixes=prefixes,
        env={"PYTHONPATH": "/sandbox/code"},
        limits=limits,
        allow_degraded=True,
    )
    if not result.ok:
        raise _broken(path, result, limits)
    try:
        return form.model_validate_json(read_below(work, "result.json", 40_000_000))
    except (Unopened, ValidationError, RecursionError) as error:
        raise InputError(
            f"{path} could not be read", found=str(error)[:300], fix="save it again with another program"
        ) from error


def interpreter() -> tuple[str, tuple[Path, ...]]:
    """A Python the sandbox can reach: ours, or the system's (PDFium is loaded through ctypes, any version will do)."""
    own, base = Path(sys.executable).resolve(), Path(sys.base_prefix).resolve()
    if os.getuid() == 0 and unreachable_for(own, SANDBOX_UID) and Path("/usr/bin/python3").is_file():
        return "/usr/bin/python3", ()
    return str(own), () if str(base) in ("/usr", "/usr/local") and own.is_relative_to("/usr") else (base,)


def _broken(path: Path, result: SandboxResult, limits: Limits) -> InputError:
    if result.stop_reason:
        return InputError(
            f"{path} is too much work to read",
            found=f"the limit on {result.stop_reason} was reached",
            allowed=f"{limits.cpu_s:g} s of CPU time, {limits.memory_mb} MB",
            fix="name fewer pages with --pages",
        )
    last = (result.stderr_tail.strip().splitlines() or ["no message"])[-1]
    return InputError(
        f"{path} could not be read: the reader ended early",
        found=one_visible_line(last, 200),
        fix="name fewer pages with --pages, or save it again with another program",
    )


def refuse(path: Path, error: str, detail: str) -> None:
    """Raises InputError for an error that the program in the sandbox names."""
    reasons = {
        "encrypted": ("is encrypted", "save a copy without a password"),
        "damaged": ("is damaged or no PDF", "save it again with another program"),
        "huge": (f"has more than {MAX_PAGES} pages", "name the pages with --pages, for example --pages 1-6"),
        "pages": ("does not have all these pages", "name others"),
        "turned": ("has a turned page", "save it again upright"),
        "much": ("has a page with more drawn than is read", "save the figure alone, with fewer points"),
    }
    if error:
        what, fix = reasons.get(error, ("could not be read", "save it again with another program"))
        raise InputError(f"{path} {what}", found=one_visible_line(detail, 200), fix=fix)


def _refuse(path: Path, found: ReadPdf) -> None:
    """Raises InputError for what cannot be a paper."""
    refuse(path, found.error, found.detail)
    if not found.read:
        raise InputError(
            f"{path} has no text that can be read",
            found=one_visible_line("; ".join(found.notes[:3]), 300) or "no pages",
            fix="a scanned paper needs text recognition (OCR) first",
        )
