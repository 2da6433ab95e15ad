"""Semantic Scholar: its graph interface answers JSON.

Source: Semantic Scholar Academic Graph API, GET /paper/search (query, limit, fields).
"""

from __future__ import annotations

from typing import Any

from schemas.literature.found_works import Reference
from tasks.literature.entry import reference
from tasks.literature.http import Fetcher
from tasks.literature.server_json import entries, part, texts

_FIELDS = "title,authors,year,venue,abstract,externalIds,url,publicationTypes"
_KINDS = {"JournalArticle": "article", "Conference": "inproceedings", "Book": "book"}


def search(query: str, most: int, fetcher: Fetcher, address: str) -> tuple[list[Reference], bool]:
    """Works that fit the query, best first; and whether the answer was kept from before. Raises Unanswered."""
    asked = {"query": " ".join(query.replace("-", " ").split()), "limit": str(most), "fields": _FIELDS}
    return fetcher.get(f"{address}/paper/search", asked, found_references)


def found_references(content: bytes) -> list[Reference]:
    """The works of an answer. Raises ValueError."""
    return [
        made for item in entries(content, "data", empty="total") if (made := _reference(item)) is not None
    ]


def _reference(item: dict[str, Any]) -> Reference | None:
    numbers = part(item, "externalIds")
    kinds = texts(item.get("publicationTypes"))
    authors = item.get("authors")
    return reference(
        "semantic_scholar",
        title=item.get("title"),
        abstract=item.get("abstract"),
        year=item.get("year"),
        url=item.get("url"),
        venue=item.get("venue"),
        doi=numbers.get("DOI"),
        arxiv=numbers.get("ArXiv"),
        authors=[
            author.get("name")
            for author in (authors if isinstance(authors, list) else ())
            if isinstance(author, dict)
        ],
        entry_type=next((_KINDS[kind] for kind in kinds if kind in _KINDS), "misc"),
    )
