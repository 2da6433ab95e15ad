"""The words of an HTML page, as a reader sees them: without scripts, styles and what is hidden by markup.

One pass of its own: the standard library's parser takes minutes for 400 kB of `<!--`.
"""

from __future__ import annotations

import html
import re

_SKIPPED = frozenset(("noscript", "template", "svg", "math", "object", "head"))
_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "iframe")}
"""Elements whose content is no markup: all up to their end is left out."""
_BREAKS = frozenset(
    "p div br li tr h1 h2 h3 h4 h5 h6 section article table ul ol pre blockquote header footer dt dd".split()
)
_EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
_HIDING = re.compile(
    r"(?:^|[\s\"';])hidden(?:[\s=\"'/]|$)|display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden"
    r"|font-size\s{0,9}:\s{0,9}0|opacity\s{0,9}:\s{0,9}0(?![.\d])",
    re.IGNORECASE,
)
_NAME = re.compile(r"/?[A-Za-z][A-Za-z0-9:-]{0,40}")
_TITLE = re.compile(r"<title[^<>]{0,200}>([^<]{0,500})", re.IGNORECASE)
_LONGEST_TAG = 5000


def html_text(page: str) -> tuple[str, str]:
    """(title, text): a line for each block, no empty ones."""
    words, place = [], 0
    hidden, depth = "", 0  # the element that hides what is in it, and how many of its name are open
    while place < len(page):
        start = page.find("<", place)
        chunk = page[place : start if start >= 0 else len(page)]
        words += [] if hidden else [chunk]
        if start < 0:
            break
        if page.startswith("<!--", start):
            end = page.find("-->", start + 4)
            place = end + 3 if end >= 0 else len(page)
            continue
        name = _NAME.match(page, start + 1)
        end = (
            page.find(">", start, start + _LONGEST_TAG)
            if name or page[start + 1 : start + 2] in ("!", "?")
            else -1
        )
        place = end + 1 if end >= 0 else start + 1
        if name is None or end < 0:
            continue
        tag, closes = name[0].lstrip("/").lower(), name[0].startswith("/")
        if tag in _RAW and not closes:
            found = _RAW[tag].search(page, place)
            place = found.start() if found else len(page)
        elif tag == hidden:
            depth += -1 if closes else 1
            hidden = hidden if depth else ""
        elif (
            not hidden
            and not closes
            and tag not in _EMPTY
            and (tag in _SKIPPED or _HIDING.search(page[name.end() : end]))
        ):
            hidden, depth = tag, 1
        elif not hidden and tag in _BREAKS:
            words.append("\n")
    lines = (" ".join(line.split()) for line in html.unescape("".join(words)).split("\n"))
    title = _TITLE.search(page[:20_000])
    return " ".join(html.unescape(title[1]).split()) if title else "", "\n".join(
        line for line in lines if line
    )
