"""A folder with literature: BibTeX files, notes in Markdown and PDFs; a note or PDF named like a key belongs to that entry."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from schemas.errors import ReproLabError
from schemas.literature.found_works import Reference, merge
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import one_visible_line
from tasks.documents.pdf import opened_pdf
from tasks.documents.pdf_text import markdown_of, title_of
from tasks.files.store import atomic_write
from tasks.literature.bibtex import read_bibtex
from tasks.literature.entry import orders_in, reference
from tasks.literature.ranking import ranked
from tasks.sandbox import scratch

MAX_FILES, _DEEPEST = 1000, 4
_MOST_BYTES = {".bib": 5_000_000, ".md": 1_000_000, ".pdf": 50_000_000}
_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_MOST_TEXT, _ABSTRACT = 400_000, 2500


@dataclass(frozen=True)
class Work:
    """A work of the corpus: what is cited, and all text there is of it."""

    reference: Reference
    text: str = ""


@dataclass(frozen=True)
class _Note:
    title: str
    text: str
    front: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Corpus:
    """The works of a folder in the order of its files, and what could not be read, in words."""

    works: tuple[Work, ...]
    faults: tuple[str, ...]

    def search(self, query: str, most: int) -> list[Reference]:
        """The works that fit the query best; the title counts three times."""
        texts = [
            " ".join(
                (
                    *[item.reference.title] * 3,
                    *item.reference.authors,
                    item.reference.venue,
                    item.reference.abstract,
                    item.text,
                )
            )
            for item in self.works
        ]
        return [self.works[index].reference for _, index in ranked(query, texts)[:most]]


def read_corpus(folder: Path, cache: Path | None = None) -> Corpus:
    """All that is in the folder. No link is followed; a file that cannot be read is a fault in words, never an error.

    cache: where the text of PDFs is kept, by their sha256; reading one takes seconds.
    """
    if not folder.is_dir():
        return Corpus((), (f"there is no folder {folder.name!r} with literature",))
    names = sorted(
        names_in(folder), key=lambda name: (list(_MOST_BYTES).index(Path(name).suffix.lower()), name)
    )
    faults = [f"only {MAX_FILES} of {len(names)} files were read"] if len(names) > MAX_FILES else []
    found: list[Reference] = []
    texts: dict[str, list[str]] = {}
    for name in names[:MAX_FILES]:
        try:
            content = read_below(folder, name, _MOST_BYTES[Path(name).suffix.lower()])
            if name.lower().endswith(".bib"):
                entries, unread = read_bibtex(content.decode("utf-8", "replace"))
                faults += [f"{name}: {words}" for words in unread]
                found = merge(found, entries)
            else:
                note = _pdf(content, cache) if name.lower().endswith(".pdf") else _note(content)
                found, key = _placed(found, Path(name).stem, note)
                texts.setdefault(key, []).append(note.text[:_MOST_TEXT])
        except (Unopened, ReproLabError, ValueError) as error:
            words = getattr(error, "found", None) or error
            faults.append(f"{name} was not read: {one_visible_line(str(words), 200)}")
    return Corpus(tuple(_work(item, "\n\n".join(texts.get(item.key, ()))) for item in found), tuple(faults))


def _placed(found: list[Reference], stem: str, note: _Note) -> tuple[list[Reference], str]:
    """The references with a note's or PDF's own, and the key it belongs to: the entry's of its name, or else a new one."""
    for item in found:
        if item.key.lower() == stem.lower():
            return found, item.key
    new = reference(
        "corpus",
        **{"title": note.title or stem, **note.front},
        abstract=_opening(note.text),
        more_text=note.text,
    )
    if new is None:
        raise ValueError("it has no title")
    found = merge(found, [new])
    return found, next(item.key for item in found if item.identities() & new.identities())


def names_in(folder: Path, below: str = "", depth: int = 1) -> Iterator[str]:
    """The names of all that can be literature in a folder, four levels deep; no link."""
    for entry in sorted(folder.iterdir()):
        if entry.is_symlink() or entry.name.startswith("."):
            continue
        if entry.is_dir() and depth < _DEEPEST:
            yield from names_in(entry, f"{below}{entry.name}/", depth + 1)
        elif entry.suffix.lower() in _MOST_BYTES:
            yield f"{below}{entry.name}"


def _note(content: bytes) -> _Note:
    """A note in Markdown; its front matter may say title, authors, year, venue, doi, url, arxiv."""
    text = content.decode("utf-8", "replace")
    front: dict[str, Any] = {}
    if (head := _FRONT.match(text)) is not None:
        try:
            said = yaml.safe_load(head[1]) if not re.search(r"[&*]\w", head[1]) else None
        except (yaml.YAMLError, RecursionError):
            said = None
        if isinstance(said, dict):
            front = {
                name: said[name] for name in ("title", "year", "venue", "doi", "url", "arxiv") if name in said
            }
            authors = said.get("authors", [])
            front["authors"] = authors if isinstance(authors, list) else str(authors).split(" and ")
        text = text[head.end() :]
    title = re.search(r"^#\s+(.+)$", text, re.MULTILINE)
    return _Note(title[1] if title else "", text, front)


def _pdf(content: bytes, cache: Path | None) -> _Note:
    """A PDF, which is read in the sandbox once."""
    kept = cache / f"{hashlib.sha256(content).hexdigest()}.md" if cache is not None else None
    if kept is not None and kept.is_file():
        text = kept.read_text(encoding="utf-8")
    else:
        with scratch("reprolab-corpus-") as place:
            (place / "work.pdf").write_bytes(content)
            with opened_pdf(place / "work.pdf") as (read, _):
                named = one_visible_line(read.metadata_title, 300)
                text = markdown_of(read.text, [])
                text = text if title_of(read.text) or not named else f"# {named}\n\n{text}"
        if kept is not None:
            atomic_write(kept, text)
    first = re.match(r"# (.+)", text)
    return _Note(first[1] if first else "", text)


def _opening(text: str) -> str:
    """The abstract where one is marked, else the beginning."""
    marked = re.search(r"\babstract\b[\s.:\u2014-]*(.+)", text[:20_000], re.IGNORECASE | re.DOTALL)
    body = marked[1] if marked else re.sub(r"\A\s*#[^\n]*\n", "", text)
    return body[:_ABSTRACT]


def _work(item: Reference, text: str) -> Work:
    """A reference with its notes: an abstract if it had none, and the orders to an AI that they hold."""
    if not text:
        return Work(item)
    opening = one_visible_line(_opening(text), 7900) if not item.abstract else item.abstract
    orders = tuple(dict.fromkeys((*item.addressed, *orders_in(text))))[:20]
    return Work(item.model_copy(update={"abstract": opening[:8000], "addressed": orders}), text)
