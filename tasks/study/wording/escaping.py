"""Words of others as they are, never as Markdown."""

from __future__ import annotations

import re

from schemas.text.visible import one_visible_line

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|!@~$])")


def escaped(text: str, longest: int = 1000) -> str:
    """A line of text in which nothing is Markdown."""
    return _MARKDOWN.sub(r"\\\1", one_visible_line(text, longest))
