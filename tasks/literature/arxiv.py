"""arXiv: its query interface answers an Atom feed.

Source: arXiv API User's Manual (search_query, start, max_results; Atom 1.0 with the arXiv name space).
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from schemas.literature.found_works import Reference
from tasks.literature.entry import reference
from tasks.literature.http import Fetcher

_ATOM, _OWN = "http://www.w3.org/2005/Atom", "http://arxiv.org/schemas/atom"
_DEEPEST, _MOST_ELEMENTS = 20, 100_000


def search(query: str, most: int, fetcher: Fetcher, address: str) -> tuple[list[Reference], bool]:
    """Works with all words of the query, best first; and whether the answer was kept from before. Raises Unanswered."""
    words = re.findall(r"[^\W_][\w.-]*", query)[:20]
    asked = {
        "search_query": " AND ".join(f"all:{word}" for word in words),
        "start": "0",
        "max_results": str(most),
        "sortBy": "relevance",
        "sortOrder": "descending",
    }
    return fetcher.get(f"{address}/query", asked, feed_references)


def feed_references(content: bytes) -> list[Reference]:
    """The entries of a feed. Raises ValueError for what is none, or says an error."""
    feed = parsed(content)
    if feed.tag != f"{{{_ATOM}}}feed":
        raise ValueError(f"no Atom feed but {feed.tag[:80]}")
    found = []
    for entry in feed.findall(f"{{{_ATOM}}}entry"):
        address = entry.findtext(f"{{{_ATOM}}}id", "")
        if "/api/errors" in address:
            raise ValueError(f"the server says: {entry.findtext(f'{{{_ATOM}}}summary', '')[:200]}")
        journal = entry.findtext(f"{{{_OWN}}}journal_ref", "")
        found.append(
            reference(
                "arxiv",
                title=entry.findtext(f"{{{_ATOM}}}title", ""),
                abstract=entry.findtext(f"{{{_ATOM}}}summary", ""),
                authors=[name.text for name in entry.findall(f"{{{_ATOM}}}author/{{{_ATOM}}}name")],
                year=entry.findtext(f"{{{_ATOM}}}published", "")[:4],
                venue=journal or "arXiv",
                url=address,
                arxiv=address,
                doi=entry.findtext(f"{{{_OWN}}}doi", ""),
                entry_type="article" if journal else "misc",
            )
        )
    return [item for item in found if item is not None]


def parsed(content: bytes) -> Element:
    """XML as a tree; none with a document type, so no entity is ever declared. Raises ValueError."""
    builder, open_now, seen = TreeBuilder(), 0, 0
    reader = expat.ParserCreate(namespace_separator="}")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal open_now, seen
        open_now, seen = open_now + 1, seen + 1
        if open_now > _DEEPEST or seen > _MOST_ELEMENTS:
            raise ValueError(f"XML that is too deep or has more than {_MOST_ELEMENTS} elements")
        builder.start("{" + name if "}" in name else name, attributes)

    def end(name: str) -> None:
        nonlocal open_now
        open_now -= 1
        builder.end("{" + name if "}" in name else name)

    def refuse(*_: object) -> None:
        raise ValueError("XML with a document type; none is read")

    reader.StartElementHandler, reader.EndElementHandler, reader.CharacterDataHandler = (
        start,
        end,
        builder.data,
    )
    reader.StartDoctypeDeclHandler = refuse
    try:
        reader.Parse(content, True)
        return builder.close()
    except expat.ExpatError as error:
        raise ValueError(f"no XML: {error}") from None
