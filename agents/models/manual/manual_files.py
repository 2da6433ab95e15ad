"""The files of manual requests: numbered pages, answers beside them, rejected answers kept."""

from __future__ import annotations

import os
import re
import stat
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from agents.models.manual.manual_page import digest_of_page
from agents.models.strict_json import find_object
from schemas.errors import InputError

ANSWER_ENDINGS = (".answer.json", ".answer.md", ".answer.txt")
MAX_ANSWER_BYTES = 8_000_000
_PAGE = re.compile(r"^(\d{3,})_(.+)\.md$")
_SETTLED_S = 1.0
_numbering = threading.Lock()


@dataclass(frozen=True)
class AnswerFile:
    """An answer as found. settled: it has not been written to for a moment, so it is not half an answer."""

    path: Path
    text: str
    problem: str | None
    settled: bool


def pages(directory: Path) -> dict[str, Path]:
    """The request pages in `directory` by label."""
    found = ((_PAGE.match(path.name), path) for path in sorted(directory.glob("*.md")))
    return {match[2]: path for match, path in found if match}


def write_page(directory: Path, label: str, digest: str, text: str) -> Path:
    """Write the page for `label`, keeping its number if it has one.

    An answer that lies there for a request that has changed since is set aside as outdated, never used.
    """
    label = checked_label(label)
    directory.mkdir(parents=True, exist_ok=True)
    with _numbering:
        existing = pages(directory).get(label)
        if existing is not None:
            if digest_of_page(existing.read_text(encoding="utf-8", errors="replace")) not in (digest, None):
                for path in answer_paths(directory, label):
                    path.rename(free_name(directory, f"{path.name}.outdated"))
            write_atomically(existing, text)
            return existing
        numbers = [int(path.name.split("_", 1)[0]) for path in pages(directory).values()]
        page = directory / f"{max(numbers, default=0) + 1:03d}_{label}.md"
        write_atomically(page, text)
        return page


def answer_paths(directory: Path, label: str) -> list[Path]:
    """The answer files that lie there for `label`."""
    paths = (directory / f"{label}{ending}" for ending in ANSWER_ENDINGS)
    return [path for path in paths if path.is_symlink() or path.exists()]


def read_answer(directory: Path, label: str) -> AnswerFile | None:
    """The answer for `label`, None if there is none yet. A link, a folder or an oversized file is a problem."""
    for path in answer_paths(directory, label):
        try:
            status = path.lstat()
            settled = time.time() - status.st_mtime >= _SETTLED_S
            if not stat.S_ISREG(status.st_mode):
                return AnswerFile(
                    path, "", "answer: this is no regular file; allowed: a file, not a link or folder", True
                )
            if status.st_size > MAX_ANSWER_BYTES:
                return AnswerFile(
                    path, "", f"answer: found {status.st_size} bytes; allowed: {MAX_ANSWER_BYTES}", settled
                )
            return AnswerFile(path, path.read_bytes().decode("utf-8-sig"), None, settled)
        except FileNotFoundError:
            continue  # renamed by the person between listing and reading
        except OSError as error:
            return AnswerFile(path, "", f"answer: the file cannot be read: {error.strerror}", settled)
        except UnicodeDecodeError as error:
            return AnswerFile(path, "", f"answer: the file is not UTF-8 text: {error.reason}", settled)
    return None


def reject(directory: Path, label: str, answer: Path) -> Path:
    """Set an answer that does not fit aside as <label>.rejected-K; K counts from 1."""
    target = free_name(directory, f"{label}.rejected")
    answer.rename(target)
    return target


def free_name(directory: Path, stem: str) -> Path:
    """<stem>-K with the first K that is free."""
    number = 1
    while (directory / f"{stem}-{number}").exists():
        number += 1
    return directory / f"{stem}-{number}"


def file_answer(requests_dir: Path, label: str, text: str) -> Path:
    """Put an answer where the waiting run looks for it, and return its path.

    label: of an open request, or the name of its page. text: one JSON object, bare, fenced or within prose.
    Raises InputError if there is no such request, it is answered already, or the text holds no JSON object.
    """
    named = _PAGE.match(label if label.endswith(".md") else f"{label}.md")
    label = checked_label(named[2] if named else label)
    known = pages(requests_dir)
    waiting = [name for name in known if not answer_paths(requests_dir, name)]
    if label not in known:
        raise InputError(
            "There is no such request.",
            found=label,
            allowed=", ".join(waiting) or "no request is open",
            fix=f"see the pages in {requests_dir}",
        )
    if label not in waiting:
        raise InputError(
            f"The request {label} is answered already.",
            found=answer_paths(requests_dir, label)[0].name,
            allowed=", ".join(waiting) or "none is open",
            fix="remove that file first to answer anew",
        )
    try:
        find_object(text)
    except ValueError as error:
        raise InputError(
            f"This is no answer to {label}.",
            found=str(error),
            allowed="exactly one JSON object",
            fix="see part 3 of the request's page",
        ) from None
    ending = ".answer.json" if text.strip().startswith("{") else ".answer.txt"
    path = requests_dir / f"{label}{ending}"
    write_atomically(path, text)
    return path


def write_atomically(path: Path, text: str) -> None:
    """Write `text` so that a reader sees all of it or nothing."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def checked_label(label: str) -> str:
    """`label` if it is safe as a file name; InputError otherwise."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,200}", label) or label.startswith(".") or ".." in label:
        raise InputError(
            "A request's label does not do as a file name.",
            found=repr(label),
            allowed="agent.stage.attempt.round.step of letters, digits, _ . -",
            fix="rename the stage in the plan",
        )
    return label


def waiting_requests(requests: Path) -> dict[str, Path]:
    """Pages of a run's requests that have no answer yet, by label."""
    known = pages(requests) if requests.is_dir() else {}
    return {label: page for label, page in known.items() if not answer_paths(requests, label)}
