"""refs.bib: the cited references, each character of others escaped, so that BibTeX and LaTeX read words only."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.literature.found_works import Reference
from tasks.explore.paper.escape import latex

_VENUE = {
    "article": "journal",
    "inproceedings": "booktitle",
    "book": "publisher",
    "phdthesis": "school",
    "techreport": "institution",
    "misc": "howpublished",
}


def bibtex(references: Iterable[Reference]) -> str:
    """One entry for each. Authors as the reference gives them, a name of several words kept together at its end."""
    return "\n".join(_entry(reference) for reference in references)


def _entry(reference: Reference) -> str:
    fields = {
        "title": "{" + _value(reference.title) + "}",
        "author": " and ".join(_author(name) for name in reference.authors),
        "year": str(reference.year or ""),
        _VENUE[reference.entry_type]: _value(reference.venue),
        "doi": _address(reference.doi),
        "url": "" if reference.doi else _address(reference.url),
        "note": f"arXiv:{_value(reference.arxiv)}" if reference.arxiv and not reference.venue else "",
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@{reference.entry_type}{{{reference.key},\n" + ",\n".join(lines) + "\n}\n"


def _author(name: str) -> str:
    """No name is split into two by its own "and"; accents and dots stay."""
    words = " ".join(name.split())
    return f"{{{_value(words)}}}" if " and " in words or "," in words else _value(words)


def _value(text: str) -> str:
    """Escaped, with the braces balanced that BibTeX counts even behind a backslash."""
    plain = " ".join(text.split()).replace("{", "(").replace("}", ")").replace("\\", "/")
    return latex(plain).replace("{-}", "-")


def _address(text: str) -> str:
    """What stands in an address, for \\url and \\doi, which read it letter by letter: no brace, backslash or comment."""
    return "".join(
        letter for letter in text if letter.isascii() and (letter.isalnum() or letter in ":/?=&.-_~+,;@!()<>")
    )
