"""Literature of a study: whether any is searched, what is kept of it, and the list of what a paper cites."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from schemas.errors import InputError
from schemas.literature.found_works import Bibliography, QueryResult, Reference
from schemas.literature.retrieval import RetrievalSettings
from tasks.literature import to_bibtex
from tasks.literature.corpus import names_in
from tasks.literature.of_run import CORPUS
from tasks.literature.telling import ABSTRACT
from tasks.study.wording.citing import cited
from tasks.study.wording.escaping import escaped


def beside(source: Path) -> Path:
    """Where the corpus of an input lies: the input's own folder."""
    return source if source.is_dir() else source.parent


def searched(settings: RetrievalSettings, source: Path) -> bool:
    """Whether a study of this input looks for literature: a corpus with files, or a catalogue that is switched on.

    Raises InputError for a named corpus that is no folder or holds nothing that can be literature.
    """
    folder = beside(source) / (settings.corpus or CORPUS)
    filled = "corpus" in settings.backends and folder.is_dir() and next(names_in(folder), None) is not None
    if settings.corpus and not filled:
        if "corpus" not in settings.backends:
            raise InputError(
                "a corpus is named and not searched",
                found=", ".join(settings.backends),
                fix="add corpus to retrieval.backends, or leave retrieval.corpus out",
            )
        raise InputError(
            "the corpus holds no literature",
            found=str(folder),
            allowed="a folder with .bib, .md or .pdf files",
            fix="correct retrieval.corpus, or leave it out",
        )
    return filled or any(name != "corpus" for name in settings.backends)


def extended(known: Bibliography, results: Iterable[QueryResult], most: int) -> Bibliography:
    """The bibliography with what was found, abstracts cut to what agents are told of them; the first `most` works."""
    found = known.with_results(results)
    kept = tuple(
        item.model_copy(update={"abstract": item.abstract[:ABSTRACT]}) for item in found.references[:most]
    )
    return found.model_copy(update={"references": kept})


def bib_file(found: Bibliography) -> str:
    """references.bib."""
    return to_bibtex(found.references)


def named_works(text: str, found: Bibliography) -> list[str]:
    """How text may name the works that it cites by key: authors with the year, and identifiers."""
    items = [item for key in cited(text) if (item := found.get(key)) is not None]
    return [
        f"{', '.join(item.authors)} {item.year or ''} doi:{item.doi} doi.org/{item.doi} arXiv:{item.arxiv} {item.url}"
        for item in items
    ]


def reference_list(texts: Iterable[str], found: Bibliography, backends: Sequence[str]) -> list[str]:
    """The paper's list of what its texts cite, in the order of first citation, and what was searched; Markdown by code."""
    keys = dict.fromkeys(key for text in texts for key in cited(text) if found.get(key) is not None)
    listed = [f"- [@{key}] {_entry(item)}" for key in keys if (item := found.get(key)) is not None]
    works = f"{len(found.references)} works were found" if found.references else "nothing was found"
    said = [
        f"Literature was searched by code ({', '.join(backends).replace('_', ' ')}; {len(found.queries)} queries): {works}"
        + (f", {len(listed)} are cited." if found.references else ".")
    ]
    return [*listed, *([""] if listed else []), *said]


def citable(found: Bibliography | None) -> Collection[str]:
    """The keys that may be cited."""
    return found.keys() if found is not None else frozenset()


def _entry(item: Reference) -> str:
    """Authors (year). Title. Venue. Identifier: words of others, shown as they are and never as Markdown."""
    names = ", ".join(item.authors[:6]) + (" et al." if len(item.authors) > 6 else "")
    head = f"{names or 'Anonymous'} ({item.year or 'no year'})"
    where = f"doi:{item.doi}" if item.doi else f"arXiv:{item.arxiv}" if item.arxiv else item.url
    return (
        escaped(". ".join(part.rstrip(".") for part in (head, item.title, item.venue, where) if part)) + "."
    )
