"""A reference made of what a file or a server said: cleaned, cut to size, and looked at for words that address an AI."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from schemas.literature.found_works import Backend, Reference, citation_key
from schemas.text.addressed import addressed
from schemas.text.visible import one_visible_line

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>")
_DOI = re.compile(r"10\.\d{4,9}/[!-\[\]-z|~]{1,200}")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
_ARXIV = re.compile(r"(?:^|/|:)((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7})|(?:\d{4}\.\d{4,5}))(?:v\d+)?$")
_WEB = re.compile(r"https?://[!-;=?-\[\]_a-z|~]{1,500}")
_MOST_LOOKED_AT = 200_000


def reference(
    source: Backend,
    *,
    title: Any,
    authors: Iterable[Any] = (),
    year: Any = None,
    venue: Any = "",
    abstract: Any = "",
    url: Any = "",
    doi: Any = "",
    arxiv: Any = "",
    entry_type: str = "misc",
    key: str = "",
    more_text: str = "",
) -> Reference | None:
    """The entry, or None for one without a title. more_text: looked at for orders to an AI, not kept."""
    named = _line(title, 490)
    if not named:
        return None
    names = tuple(name for item in list(authors)[:100] if (name := _line(item, 190)))
    when = int(str(year)[:4]) if re.fullmatch(r"[12]\d{3}", str(year)[:4]) else None
    number = _ARXIV_DOI.sub("", _first(_DOI, doi))
    preprint = _first_group(arxiv) or (
        _first_group(number) if number and not number.startswith("10.") else ""
    )
    summary = _line(abstract, 7900)
    everything = "\n".join(
        (named, *names, _line(venue, 290), str(abstract or "")[:_MOST_LOOKED_AT], more_text)
    )
    fields = {
        "title": named,
        "authors": names,
        "year": when,
        "venue": _line(venue, 290),
        "abstract": summary,
        "source": source,
        "url": _first(_WEB, url),
        "doi": number if number.startswith("10.") else "",
        "arxiv": preprint,
        "addressed": orders_in(everything),
    }
    for wanted in filter(None, (key, citation_key(names, when, named))):
        for kind in (entry_type, "misc"):
            try:
                return Reference.model_validate({**fields, "key": wanted, "entry_type": kind})
            except ValidationError:
                continue
    return None


def orders_in(text: str) -> tuple[str, ...]:
    """Where a text addresses an AI, in its own words; reported, never followed."""
    return tuple(
        one_visible_line(f"{entry.words}{f' ({entry.how})' if entry.how else ''}", 300)
        for entry in addressed(text[:_MOST_LOOKED_AT])
    )


def _line(value: Any, longest: int) -> str:
    """Words without markup on one line, cut with an ellipsis."""
    if not isinstance(value, str):
        return ""
    plain = html.unescape(_TAG.sub("", value[: 4 * longest]))
    line = one_visible_line(plain, 4 * longest)
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


def _first(pattern: re.Pattern[str], value: Any) -> str:
    found = pattern.search(value[:600]) if isinstance(value, str) else None
    return found[0].rstrip(".,;") if found else ""


def _first_group(value: Any) -> str:
    found = _ARXIV.search(value[:300]) if isinstance(value, str) else None
    return found[1] if found else ""
