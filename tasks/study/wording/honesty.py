"""Who the participants were, checked by code: on the finished package, and on data before they are mixed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.study.artifacts import ArtifactFormat
from schemas.study.pipeline import PipelineMode
from schemas.study.statement import STATEMENT
from tasks.study.participants.raw_data import is_simulated, read_rows
from tasks.study.wording.notice import has_statement

FIRST_PAGE = 3000  # characters of a Markdown paper that the first page holds
_MAX = 200_000_000
_ABSTRACT = re.compile(
    r"^#{1,3}\s*Abstract\s*$(?P<text>.*?)(?=^#{1,3}\s|\Z)", re.MULTILINE | re.DOTALL | re.IGNORECASE
)
_TEX_ABSTRACT = re.compile(r"\\begin\{abstract\}(?P<text>.*?)\\end\{abstract\}", re.DOTALL)
_CODE_FOLDER = "analysis_code/study_statistics/"
_SHIPPED = Path(__file__).resolve().parents[1] / "statistics"
_OURS = ("manifest.json",)  # the list of artifacts says by its mode who took part


@dataclass(frozen=True)
class Lacking:
    """A file of a package that does not say what it must. path: in the package."""

    path: str
    why: str


def missing_statement(package: Path) -> list[Lacking]:
    """What of a finished package of mode A does not say that participants were simulated; empty if everything does.

    Every file must: documents in their notice, tables row by row, figures in the picture and its metadata, scripts in their
    first lines, papers on the first page and in the abstract. Files of the trusted statistics that the package ships say
    nothing of participants. A file of an unknown kind lacks it.
    """
    found: list[Lacking] = []
    files = sorted(path for path in package.rglob("*") if not path.is_dir() or path.is_symlink())
    if not files:
        return [Lacking(".", "the package is empty")]
    for path in files:
        name = path.relative_to(package).as_posix()
        if name in _OURS:
            continue
        try:
            content = read_below(package, name, _MAX)
        except Unopened as error:
            found.append(Lacking(name, f"it {error}"))
            continue
        own = _SHIPPED / name.removeprefix(_CODE_FOLDER)
        if name.startswith(_CODE_FOLDER) and own.is_file() and own.read_bytes() == content:
            continue
        kind = path.suffix.lower().removeprefix(".")
        if kind not in set(ArtifactFormat):
            found.append(Lacking(name, f"a file of kind .{kind} cannot say it"))
        elif not has_statement(ArtifactFormat(kind), content):
            found.append(Lacking(name, "it does not say that participants were simulated"))
        if path.name.startswith("paper.") and kind in ("md", "tex"):
            found += _paper(name, kind, content.decode("utf-8", "replace"))
    if not any(path.name.startswith("paper.") for path in files):
        found.append(Lacking("paper", "the package holds no paper"))
    return found


def _paper(name: str, kind: str, text: str) -> list[Lacking]:
    """Abstract and first page of a paper; comments say nothing to a reader."""
    shown = (
        re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL) if kind == "md" else re.sub(r"(?<!\\)%.*", "", text)
    )
    match = (_ABSTRACT if kind == "md" else _TEX_ABSTRACT).search(shown)
    found = []
    if match is None:
        found.append(Lacking(name, "it has no abstract"))
    elif not says_so(match["text"]):
        found.append(Lacking(name, "its abstract does not say that participants were simulated"))
    before = shown[: match.start()] if match else shown
    start = before.find("\\begin{document}") if kind == "tex" else 0
    if not says_so(before[max(start, 0) :][:FIRST_PAGE]):
        found.append(Lacking(name, "its first page does not say it before the abstract"))
    return found


def says_so(text: str) -> bool:
    """Whether text holds the statement, whatever emphasis or line breaks are in it."""
    return re.sub(r"[\s*_>]+", "", STATEMENT) in re.sub(r"[\s*_>]+", "", text)


def check_rows(data: bytes, mode: PipelineMode) -> None:
    """Raises InputError for simulated rows among real data, and for real or unmarked ones among simulated data."""
    try:
        marks = [is_simulated(row) for row in read_rows(data)]
    except ValueError as error:
        raise InputError("the data cannot be read", found=str(error), fix="correct the file") from None
    wrong = [place for place, mark in enumerate(marks, 1) if mark != (mode is PipelineMode.SIMULATED)]
    if wrong:
        what = "simulated" if mode is PipelineMode.REAL_DATA else "not simulated"
        raise InputError(
            f"rows of a study in mode {mode} are marked as {what}",
            found=f"{len(wrong)} of {len(marks)} rows, such as row {wrong[0]}",
            allowed="all simulated (A), or none (B); they are never mixed",
            fix="analyse simulated and real data in studies of their own",
        )


def check_joined(parts: Sequence[bytes], mode: PipelineMode) -> None:
    """`check_rows` for each of several tables."""
    for part in parts:
        check_rows(part, mode)
