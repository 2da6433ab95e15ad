"""Markdown for Prefect's pages and for manual mode, in which words of papers and models stand: shown, never alive.

Ours stays: headings, tables, emphasis, lists, code, pictures as data addresses or files beside the page. What would reach
out or hide is escaped: HTML, addresses with a scheme, references. Fenced code is left as it is; nothing in it is alive.
"""

from __future__ import annotations

import re

from schemas.text.visible import visible

_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}(?=[^`]*$)|~{3,})")
_TAG = re.compile(r'<(?=[A-Za-z/!?])(?!br>|/?data>|data title="[^"<>]*">)')
_LINK = re.compile(r"\]\((?P<address>\s*<?[^)>\n]{0,300})")
_SAFE = re.compile(r"\s*<?(?:data:image/(?:png|webp);base64,[A-Za-z0-9+/=]*|#[\w-]*|(?!/)[\w./ %+=,~-]+)\Z")
_DEFINITION = re.compile(r"\](?=:)")


def inert_markdown(text: str) -> str:
    """The Markdown with hidden characters shown, and without HTML, links with a scheme, remote pictures and references."""
    lines, fence = [], ""
    for line in visible(text).split("\n"):
        mark = _FENCE.match(line)
        if fence:
            bare = line.strip()
            if mark and bare == bare[0] * len(bare) and bare.startswith(fence):
                fence = ""
        elif mark:
            fence = mark["marks"]
            line = _TAG.sub(r"\\<", line)
        else:
            line = _DEFINITION.sub("]\\\\", _LINK.sub(_checked, _TAG.sub(r"\\<", line)))
        lines.append(line)
    return "\n".join([*lines, fence] if fence else lines)  # what stands below is no part of a fence left open


def _checked(found: re.Match[str]) -> str:
    return found[0] if _SAFE.match(found["address"]) else f"]\\({found['address']}"
