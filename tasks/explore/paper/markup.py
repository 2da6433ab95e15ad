"""The paper's markup, from which LaTeX and HTML are both made. A model writes this, never LaTeX.

Blocks stand apart by an empty line: a paragraph; `### words`, a heading below the section's; lines that begin with `- `, a
list; `$$...$$`, a formula of its own. Inside: `*emphasis*`, `` `code` ``, `$formula$`, `[@key; @other]` for citations,
`[fig:name]`, `[sec:results]` and `[tab:results]` for references, and `{{name}}` or `{{name:format}}` for numbers.
Everything else is text, and shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from schemas.text.visible import visible

InlineKind = Literal["text", "emphasis", "code", "math", "cite", "reference", "number"]
BlockKind = Literal["paragraph", "heading", "list", "formula"]

_INLINE = re.compile(
    r"\{\{(?P<number>[^{}\n]{0,200})\}\}"
    r"|`(?P<code>[^`\n]{1,300})`"
    r"|\$(?P<math>[^$\n]{1,500})\$"
    r"|\[(?P<cite>@[^\[\]\n]{1,400})\]"
    r"|\[(?P<reference>(?:fig|sec|tab):[^\[\]\n]{1,60})\]"
    r"|\*(?P<emphasis>[^*\n]{1,300})\*"
)
_WRAPPED = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|mathcal|operatorname|hat|bar|tilde|vec|overline)\b|\\!|[{}^_]"
)
_SPACE = re.compile(r"\\(?:[ ,;:]|q?quad)|~|\\[A-Za-z]+|\\.")
_KEY = re.compile(r"\s*@([^\s;,@]+)\s*\Z")


@dataclass(frozen=True)
class Inline:
    """A piece of a line. text: the words, the formula, the name; of a citation its keys, comma between."""

    kind: InlineKind
    text: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a citation."""
        return tuple(self.text.split(","))

    @property
    def name(self) -> str:
        """The name of a number, without its format."""
        return self.text.partition(":")[0].strip()

    @property
    def form(self) -> str:
        """The format of a number; empty for the usual one."""
        return self.text.partition(":")[2].strip()


@dataclass(frozen=True)
class Block:
    """A paragraph, a heading, a list with its items, or a formula (one item, its text)."""

    kind: BlockKind
    items: tuple[tuple[Inline, ...], ...]

    def inlines(self) -> Iterator[Inline]:
        """All pieces in order."""
        for item in self.items:
            yield from item


def parse(text: str) -> tuple[Block, ...]:
    """The blocks of a text. Hidden characters are made visible; nothing raises."""
    return tuple(_block(part) for part in re.split(r"\n\s*\n", visible(text).strip()) if part.strip())


def inlines(text: str) -> tuple[Inline, ...]:
    """The pieces of a line of text."""
    line, found, at = " ".join(text.split()), [], 0
    for match in _INLINE.finditer(line):
        piece = _piece(match)
        if piece is None:
            continue  # shown as it was typed
        if match.start() > at:
            found.append(Inline("text", line[at : match.start()]))
        found.append(piece)
        at = match.end()
    if at < len(line):
        found.append(Inline("text", line[at:]))
    return tuple(found)


def words_of(piece: Inline) -> str:
    """The words that a reader sees in a piece, also those of a formula; '' where it is a number, citation or reference."""
    if piece.kind == "math":
        return _SPACE.sub(" ", _WRAPPED.sub("", piece.text))
    return piece.text if piece.kind in ("text", "emphasis", "code") else ""


def _piece(match: re.Match[str]) -> Inline | None:
    kind = match.lastgroup
    text = match[str(kind)].strip()
    if kind == "cite":
        keys = [_KEY.match(part) for part in re.split(r"[;,]", text)]
        return Inline("cite", ",".join(key[1] for key in keys if key)) if all(keys) else None
    return Inline(kind, text) if kind is not None else None  # type: ignore[arg-type]


def _block(part: str) -> Block:
    part = part.strip()
    if part.startswith("$$") and part.endswith("$$") and len(part) > 4:
        return Block("formula", ((Inline("math", " ".join(part[2:-2].split())),),))
    lines = part.split("\n")
    if all(line.lstrip().startswith("- ") or line.startswith("  ") for line in lines) and lines[
        0
    ].lstrip().startswith("- "):
        items: list[str] = []
        for line in lines:
            if line.lstrip().startswith("- "):
                items.append(line.lstrip()[2:])
            else:
                items[-1] += " " + line
        return Block("list", tuple(inlines(item) for item in items))
    heading = re.match(r"#{1,6}\s+(.{1,200})\Z", part)
    if heading:
        return Block("heading", (inlines(heading[1]),))
    return Block("paragraph", (inlines(part),))
