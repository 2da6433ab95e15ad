"""BibTeX in: entries of a file of others; and out: references as a .bib that LaTeX cannot be hurt by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from schemas.literature.found_works import Reference
from tasks.literature.bibtex_entries import Entry, entries_of
from tasks.literature.entry import reference
from tasks.literature.latex_text import latex_text, unicode_text

_KINDS = {
    "article": "article",
    "book": "book",
    "inbook": "book",
    "incollection": "book",
    "inproceedings": "inproceedings",
    "conference": "inproceedings",
    "proceedings": "book",
    "phdthesis": "phdthesis",
    "mastersthesis": "phdthesis",
    "thesis": "phdthesis",
    "techreport": "techreport",
    "report": "techreport",
    "manual": "techreport",
}
_MOST_NAMES, _LONGEST_NAME = 100, 300
_VENUES = ("journal", "journaltitle", "booktitle", "publisher", "school", "institution", "howpublished")
_VENUE_FIELD = {
    "article": "journal",
    "book": "publisher",
    "inproceedings": "booktitle",
    "phdthesis": "school",
    "techreport": "institution",
    "misc": "howpublished",
}


def read_bibtex(text: str) -> tuple[list[Reference], list[str]]:
    """The references of a file, and what could not be read, a sentence each with its line."""
    found, faults = [], []
    entries, unread = entries_of(text)
    faults += unread
    for entry in entries:
        made = _reference(entry)
        if made is None:
            faults.append(f"line {entry.line}: the entry {entry.key[:60]!r} has no title")
        else:
            found.append(made)
    return found, faults


def _reference(entry: Entry) -> Reference | None:
    fields = {name: unicode_text(value) for name, value in entry.fields.items()}
    return reference(
        "corpus",
        title=fields.get("title"),
        authors=names_of(entry.fields.get("author") or entry.fields.get("editor", "")),
        year=(re.search(r"\d{4}", fields.get("year") or fields.get("date", "")) or [""])[0],
        venue=next((fields[name] for name in _VENUES if fields.get(name)), ""),
        abstract=fields.get("abstract") or fields.get("annote") or fields.get("note", ""),
        doi=_plain(entry.fields.get("doi")),
        url=_plain(entry.fields.get("url")),
        arxiv=entry.fields.get("eprint"),
        entry_type=_KINDS.get(entry.kind, "misc"),
        key=entry.key,
        more_text="\n".join(fields.values()),
    )


def names_of(field: str) -> list[str]:
    """Given Family of a BibTeX field of names, which stand between the word `and` outside braces."""
    names, depth, current = [], 0, ""
    for piece in re.split(r"([{}]|\s+and\s+)", field):
        depth += (piece == "{") - (piece == "}")
        if depth == 0 and piece.strip() == "and" and piece != "and":
            names.append(current)
            current = ""
        else:
            current += piece
    shown = []
    for name in (*names, current)[:_MOST_NAMES]:
        parts = [unicode_text(part) for part in re.split(r",(?![^{}]*\})", name[:_LONGEST_NAME])]
        shown.append(" ".join(filter(None, (*parts[1:][::-1], parts[0]))))
    return [name for name in shown if name and name != "others"]


def to_bibtex(references: Iterable[Reference]) -> str:
    """A .bib of the references, keys as they are, in the order given; letters of any script, LaTeX's own characters escaped."""
    return "\n".join(_entry(item) for item in references)


def _entry(item: Reference) -> str:
    lines = [f"@{item.entry_type}{{{item.key},"]
    for name, value in (
        ("title", f"{{{latex_text(item.title)}}}"),
        ("author", " and ".join(map(_name, item.authors))),
        ("year", str(item.year or "")),
        (_VENUE_FIELD[item.entry_type], latex_text(item.venue)),
        ("doi", _address(item.doi)),
        ("url", _address(item.url)),
        ("eprint", item.arxiv),
        ("archiveprefix", "arXiv" if item.arxiv else ""),
    ):
        if value:
            lines.append(f"  {name} = {{{value}}},")
    return "\n".join([*lines, "}", ""])


def _name(name: str) -> str:
    """Family, Given; braces keep a name of one word and the word `and` together."""
    words = unicodedata.normalize("NFC", name).split()
    given, family = " ".join(words[:-1]), words[-1]
    safe = [latex_text(part.replace(",", " ")) for part in (family, given)]
    return f"{{{safe[0]}}}, {{{safe[1]}}}" if given else f"{{{safe[0]}}}"


def _plain(address: str | None) -> str:
    return re.sub(r"\\([%#&_$])", r"\1", (address or "").replace(r"\string~", "~"))


def _address(text: str) -> str:
    return re.sub(r"([%#&_$])", r"\\\1", text).replace("~", r"\string~")
