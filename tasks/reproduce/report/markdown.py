"""The document as Markdown that stays inert: no HTML, link or image comes from untrusted text."""

from __future__ import annotations

import re

from tasks.reproduce.report.document import (
    Block,
    Bullets,
    Cell,
    Code,
    Document,
    Facts,
    Fold,
    Gallery,
    Group,
    Notice,
    Paragraph,
    Picture,
    Prose,
    Table,
    Tiles,
)
from tasks.reproduce.report.text import clean, shown

# Characters that start emphasis, code, links, HTML, table cells, strikethrough or mathematics.
_SPECIAL = re.compile(r"([\\`*\[\]<|~$])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=#?\w+;)")
_LINE_START = re.compile(r"^([#>+-])")
# In an agent's Markdown its emphasis, lists and code stay; HTML, links and images do not.
_LINKS = re.compile(r"[\\\[\]<]")
NOTICE = {"bad": "WARNING", "fair": "CAUTION", "good": "NOTE", "plain": "NOTE"}


def render_markdown(document: Document, appendix_name: str) -> tuple[str, str]:
    """The report as CommonMark with GitHub tables: the main file, and the appendix with all that folds away."""
    parts = [
        f"# {document.kind}: {plain(document.title)}",
        plain(document.subtitle),
        f"**Overall: {plain(document.badge.text)}**",
        *map(_block, document.lead),
    ]
    rest = [f"# Appendix to the {document.kind.lower()}: {plain(document.title)}", plain(document.subtitle)]
    for section in document.sections:
        heading = f"## {section.label} {section.title}"
        if section.appendix:
            rest += [
                heading,
                *map(_block, section.blocks),
                *(text for fold in _folds(section.blocks) for text in _fold(fold)),
            ]
            continue
        folds = _folds(section.blocks)
        parts += [heading, *map(_block, section.blocks)]
        if folds:
            rest += [
                f"## To part {section.label}, {section.title}",
                *(text for fold in folds for text in _fold(fold)),
            ]
    letters = ", ".join(
        f"{section.label} {section.title}" for section in document.sections if section.appendix
    )
    if letters:
        parts += [
            "## Appendix",
            f"In [{appendix_name}]({appendix_name}): the evidence of every target, and {plain(letters)}.",
        ]
    return "\n\n".join(filter(None, parts)) + "\n", "\n\n".join(filter(None, rest)) + "\n"


def _folds(blocks: tuple[Block, ...]) -> list[Fold]:
    found: list[Fold] = []
    for block in blocks:
        if isinstance(block, Fold):
            found.append(block)
        elif isinstance(block, Group):
            found += _folds(block.blocks)
    return found


def _fold(fold: Fold) -> list[str]:
    badge = f" ({plain(fold.badge.text)})" if fold.badge else ""
    inner = [text for inside in _folds(fold.blocks) for text in _fold(inside)]
    return [f"### {plain(fold.title)}{badge}", *map(_block, fold.blocks), *inner]


def plain(text: str) -> str:
    """Untrusted plain text on one line, every Markdown character escaped."""
    line = " ".join(shown(text).split())
    line = _SPECIAL.sub(lambda match: "\\" + match.group(0), line)
    return _LINE_START.sub(lambda match: "\\" + match.group(0), line)


def _block(block: Block) -> str:
    match block:
        case Paragraph(text=text):
            return plain(text)
        case Bullets():
            title = f"**{plain(block.title)}**\n\n" if block.title else ""
            return title + ("\n".join(f"- {plain(item)}" for item in block.items) or plain(block.empty))
        case Notice():
            return "\n".join(
                [
                    f"> **{NOTICE[block.tone]}: {plain(block.title)}**",
                    *(f">\n> {plain(item)}" for item in block.items),
                ]
            )
        case Prose():
            return _prose(block)
        case Code():
            return "\n".join("    " + line for line in clean(block.text).splitlines())
        case Facts():
            return _rows(("", ""), tuple((Cell(label), cell) for label, cell in block.items))
        case Table():
            caption = f"**{plain(block.caption)}**\n\n" if block.caption else ""
            return caption + (_rows(block.columns, block.rows) if block.rows else plain(block.empty))
        case Fold() | Tiles():
            return ""  # folds stand in the appendix; tiles show pictures that stand with their figure
        case Gallery():
            return "\n\n".join(map(_picture, block.pictures))
        case Group():
            badge = f" ({plain(block.badge.text)})" if block.badge else ""
            return "\n\n".join(
                [f"{'#' * block.level} {plain(block.title)}{badge}", *filter(None, map(_block, block.blocks))]
            )


def _rows(columns: tuple[str, ...], rows: tuple[tuple[Cell, ...], ...]) -> str:
    numeric = [bool(rows) and all(row[i].number for row in rows) for i in range(len(columns))]
    lines = [
        "| " + " | ".join(plain(column) for column in columns) + " |",
        "|" + "|".join("---:" if right else "---" for right in numeric) + "|",
    ]
    return "\n".join([*lines, *("| " + " | ".join(map(_cell, row)) + " |" for row in rows)])


def _cell(cell: Cell) -> str:
    # A shortened digest is useless where nothing can be hovered over: the whole of it goes into the text.
    text = cell.title if cell.title and cell.code else cell.text
    shown = "<br>".join(plain(line) for line in text.split("\n"))
    if cell.href and not cell.href.startswith("#"):
        return f"[{shown}]({cell.href})"
    return f"**{shown}**" if cell.tone and shown else shown


def _picture(picture: Picture) -> str:
    if picture.missing:
        return f"*{plain(picture.caption)}: {plain(picture.missing)}*"
    return f"![{plain(picture.caption)}]({picture.href})"


def _prose(block: Prose) -> str:
    text = _LINKS.sub(lambda match: "\\" + match.group(0), shown(block.text))
    lines = [f"Words of an agent ({plain(block.speaker)}):", "", *text.splitlines()]
    return "\n".join(f"> {line}".rstrip() for line in lines)
