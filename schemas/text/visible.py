"""Text of papers, models, servers and scripts as a console, a log or a page may show it: what is hidden is made visible."""

from __future__ import annotations

import re

# Control characters (line's end and tab stay), terminal escapes with them; direction overrides, which make text read
# differently from what it says; characters without width, fillers and tags, which hide text in text; halves of pairs.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SOFT_HYPHEN = "\u00ad"  # of PDFs: where a word may break, and nothing else
MARK = "\ufffd"


def visible(text: str, longest: int | None = None) -> str:
    """`text` with every hidden character as U+FFFD; of a longer one the beginning, and how much was left out."""
    cut = text if longest is None else text[:longest]
    shown = _HIDDEN.sub(MARK, cut.replace("\r\n", "\n").replace(_SOFT_HYPHEN, ""))
    return shown if len(cut) == len(text) else f"{shown} ... ({len(text) - len(cut)} characters more)"


def one_visible_line(text: str, longest: int = 300) -> str:
    """`visible` on one line."""
    return " ".join(visible(text, longest).split())
