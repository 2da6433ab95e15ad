"""Which files an input is made of, by kind, and limits before anything is read."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import InputError

DATA_KINDS = ("csv", "tsv", "json", "jsonl", "xlsx", "parquet")
TEXT_KINDS = ("txt", "md", "text")
PREPARATION = "preparation.json"
_NOTES = ("readme", "codebook")
_SIGNATURES = {
    b"PK\x03\x04": "a zip archive, as xlsx is",
    b"PAR1": "parquet",
    b"\xd0\xcf\x11\xe0": "an old Excel file (xls)",
    b"%PDF": "a PDF",
    b"\x1f\x8b": "gzip",
    b"\x89PNG": "a PNG",
    b"SQLite": "a database",
}


@dataclass(frozen=True)
class InputLimits:
    """What is read at most. expanded: bytes that an xlsx may unfold to."""

    bytes: int = 100_000_000
    text_bytes: int = 200_000
    notes_bytes: int = 50_000
    files: int = 50
    rows: int = 500_000
    columns: int = 500
    cells: int = 5_000_000
    expanded: int = 400_000_000
    field: int = 100_000


LIMITS = InputLimits()


def kind_of(path: Path) -> str:
    """The ending of a file, in small letters, without the dot."""
    return path.suffix.lower().removeprefix(".")


def files_of(path: Path, limits: InputLimits = LIMITS) -> tuple[str, list[Path]]:
    """("data" or "text", files). Raises InputError for what is missing, empty, too large, a link or of an unknown kind."""
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        raise InputError("the input does not exist", found=str(path), fix="check the path") from error
    if stat.S_ISLNK(mode):
        raise InputError("the input is a link", found=str(path), fix="name the file or folder itself")
    if stat.S_ISDIR(mode):
        found = sorted(
            item
            for item in path.iterdir()
            if kind_of(item) in DATA_KINDS and not item.name.startswith(".") and not is_preparation(item)
        )
        if not found:
            raise InputError(
                "the folder holds no data file",
                found=", ".join(sorted(os.listdir(path))[:8]) or "nothing",
                allowed="files ending in ." + ", .".join(DATA_KINDS),
                fix="put the data there, or name a file",
            )
        if len(found) > limits.files:
            raise InputError(
                "the folder holds too many data files",
                found=len(found),
                allowed=f"at most {limits.files}",
                fix="join the tables, or name a smaller folder",
            )
        for item in found:
            _check(item, limits.bytes)
        return "data", found
    kind = kind_of(path)
    if kind not in (*DATA_KINDS, *TEXT_KINDS):
        raise InputError(
            "it cannot be told what the input is",
            found=path.name,
            allowed="data: ." + ", .".join(DATA_KINDS) + "; a topic or question: ." + ", .".join(TEXT_KINDS),
            fix="save it as one of these",
        )
    _check(path, limits.bytes if kind in DATA_KINDS else limits.text_bytes)
    return ("data" if kind in DATA_KINDS else "text"), [path]


def notes_of(path: Path, limits: InputLimits = LIMITS) -> list[Path]:
    """Texts that say what data mean: beside a data file the text of the same name (votes.csv, votes.md), in a folder of data
    README and codebook. Raises InputError for one that is empty, too long or no regular file."""
    if path.is_dir():
        found = [
            item
            for item in sorted(path.iterdir())
            if item.stem.lower() in _NOTES and kind_of(item) in TEXT_KINDS
        ]
    else:
        found = [path.with_suffix(f".{kind}") for kind in TEXT_KINDS if kind_of(path) in DATA_KINDS]
        found = [item for item in found if item.is_symlink() or item.exists()]
    for item in found:
        _check(item, limits.notes_bytes)
    return found


def is_preparation(path: Path) -> bool:
    """Whether a file declares how data are prepared."""
    return path.name == PREPARATION or path.name.endswith(f".{PREPARATION}")


def preparation_of(path: Path, limits: InputLimits = LIMITS) -> Path | None:
    """The file that declares how data are prepared: beside votes.csv votes.preparation.json, in a folder preparation.json. Raises
    InputError for several, or one that is empty, too long or no regular file."""
    if path.is_dir():
        found = sorted(item for item in path.iterdir() if is_preparation(item))
    else:
        own = path.with_name(f"{path.stem}.{PREPARATION}")
        found = [own] if kind_of(path) in DATA_KINDS and (own.is_symlink() or own.exists()) else []
    if len(found) > 1:
        raise InputError(
            "the folder declares twice how its data are prepared",
            found=", ".join(item.name for item in found[:5]),
            allowed=f"one {PREPARATION}, for all tables",
            fix="join them",
        )
    for item in found:
        _check(item, limits.notes_bytes)
    return found[0] if found else None


def _check(path: Path, most: int) -> None:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise InputError(
            "an input file is no regular file",
            found=f"{path.name}: {stat.filemode(status.st_mode)}",
            fix="put a copy of the file itself there",
        )
    if status.st_size == 0:
        raise InputError("an input file is empty", found=path.name, fix="save it again with its content")
    if status.st_size > most:
        fix = (
            "leave out columns that the study does not need, aggregate trials to one row per participant and condition, or "
            "save it as several smaller studies"
        )
        if kind_of(path) in TEXT_KINDS:
            fix = "shorten it; where it does not describe the data beside it, give it another name"
        raise InputError(
            "an input file is too large",
            found=f"{path.name}: {status.st_size / 1e6:.3g} MB",
            allowed=f"at most {most / 1e6:g} MB",
            fix=fix,
        )


def what_it_is(head: bytes) -> str:
    """What the first bytes of a file that is no text look like."""
    return next((words for mark, words in _SIGNATURES.items() if head.startswith(mark)), "a binary file")


def read_text(path: Path) -> str:
    """The text of a topic or question. Raises InputError for a binary file, other encodings, or nothing but spaces."""
    raw = path.read_bytes()
    text = decoded(path.name, raw)
    if not text.strip():
        raise InputError("the input is empty", found=path.name, fix="write the topic or the question into it")
    return text


def decoded(name: str, raw: bytes) -> str:
    """UTF-8 text (UTF-16 with its mark too). Raises InputError with the place of what is none."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError:
            pass
    if b"\0" in raw[:1_000_000]:
        raise InputError(
            f"{name} is no text",
            found=what_it_is(raw[:16]),
            allowed="text in UTF-8",
            fix="export the data as CSV (UTF-8), or give the file its true ending",
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(
            f"{name} is not UTF-8",
            found=f"byte {raw[error.start]:#04x} in line {line}",
            allowed="text in UTF-8",
            fix="save it as CSV UTF-8 (in Excel: CSV UTF-8; on a terminal: iconv -f latin1 -t utf-8)",
        ) from None
