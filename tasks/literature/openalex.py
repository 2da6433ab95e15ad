"""OpenAlex: works as JSON, abstracts as an inverted index (word: its places).

Source: OpenAlex API, GET /works (search, per-page, select, mailto).
"""

from __future__ import annotations

from typing import Any

from schemas.literature.found_works import Reference
from tasks.literature.entry import reference
from tasks.literature.http import Fetcher
from tasks.literature.server_json import entries, part

_FIELDS = "id,doi,display_name,publication_year,authorships,primary_location,abstract_inverted_index,type"
_KINDS = {"article": "article", "book": "book", "dissertation": "phdthesis", "report": "techreport"}
_MOST_WORDS = 3000


def search(query: str, most: int, fetcher: Fetcher, address: str) -> tuple[list[Reference], bool]:
    """Works that fit the query, best first; and whether the answer was kept from before. Raises Unanswered."""
    asked = {"search": " ".join(query.split()), "per-page": str(most), "select": _FIELDS}
    asked |= {"mailto": fetcher.settings.contact} if fetcher.settings.contact else {}
    return fetcher.get(f"{address}/works", asked, found_references)


def found_references(content: bytes) -> list[Reference]:
    """The works of an answer. Raises ValueError."""
    return [made for item in entries(content, "results") if (made := _reference(item)) is not None]


def _reference(item: dict[str, Any]) -> Reference | None:
    place, listed = part(item, "primary_location"), item.get("authorships")
    authors = [
        part(entry, "author").get("display_name")
        for entry in (listed if isinstance(listed, list) else ())
        if isinstance(entry, dict)
    ]
    return reference(
        "openalex",
        title=item.get("display_name"),
        abstract=abstract(item.get("abstract_inverted_index")),
        authors=authors,
        year=item.get("publication_year"),
        venue=part(place, "source").get("display_name"),
        doi=item.get("doi"),
        url=place.get("landing_page_url") or item.get("doi") or item.get("id"),
        entry_type=_KINDS.get(str(item.get("type")), "misc"),
    )


def abstract(index: Any) -> str:
    """The text of an inverted index: its words in the order of their places, at most 3000."""
    if not isinstance(index, dict):
        return ""
    placed = [
        (place, word)
        for word, places in index.items()
        if isinstance(places, list)
        for place in places[:_MOST_WORDS]
        if type(place) is int
    ]
    return " ".join(word for _, word in sorted(placed)[:_MOST_WORDS])
