"""A search of the web by a server of the user's choice that speaks SearXNG's JSON.

Source: SearXNG search API, GET /search (q, format=json).
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.errors import InputError
from schemas.text.visible import one_visible_line
from tasks.literature.http import Fetcher
from tasks.literature.server_json import entries


@dataclass(frozen=True)
class Hit:
    """A page that was found."""

    title: str
    address: str
    excerpt: str


def search_web(query: str, most: int, fetcher: Fetcher) -> list[Hit]:
    """Pages for a query, best first. Raises InputError without a server, Unanswered where it fails."""
    if not fetcher.settings.web_search:
        raise InputError(
            "no web search is set up for this run",
            allowed="search_papers finds literature",
            fix="whoever starts the run names a SearXNG server in retrieval.web_search",
        )
    asked = {"q": " ".join(query.split())[:400], "format": "json"}
    found, _ = fetcher.get(f"{fetcher.settings.web_search}/search", asked, _hits)
    return found[:most]


def _hits(content: bytes) -> list[Hit]:
    return [
        Hit(
            *(
                one_visible_line(str(item.get(name) or ""), longest)
                for name, longest in (("title", 200), ("url", 500), ("content", 500))
            )
        )
        for item in entries(content, "results")
        if str(item.get("url", "")).startswith(("http://", "https://"))
    ]
