"""Tables that fit Prefect's pages, which never break a cell's line by themselves."""

from __future__ import annotations

import re

from schemas.text.inert import inert_markdown

FORM_PX = 440  # of a question's form on the new pages
_WIDTH_PX, _PADDING_PX, _CHARACTER_PX = 740, 26, 7.5  # of a window 800 wide; measured in Chromium
_LEAST = 12  # characters of a column
_WORD = re.compile(r"!?\[[^\]]*\]\([^)]*\)|`[^`]*`|\S+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def fitted(markdown: str, width_px: float = _WIDTH_PX) -> str:
    """The Markdown with the cells of wide tables broken into several lines; fenced code is left as it is."""
    lines: list[str] = []
    table: list[str] = []
    fenced = False
    for line in [*markdown.split("\n"), ""]:
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if line.startswith("|") and not fenced:
            table.append(line)
            continue
        lines += _fitted(table, width_px)
        table = []
        lines.append(line)
    return "\n".join(lines[:-1])


def _fitted(table: list[str], width_px: float) -> list[str]:
    rows = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in table]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        return table
    widths = [
        max(_shown(row[column].strip()) for row in (rows[0], *rows[2:])) for column in range(len(rows[0]))
    ]
    room = (width_px - _PADDING_PX * len(widths)) / _CHARACTER_PX
    most = max(widths)
    while most > _LEAST and sum(min(width, most) for width in widths) > room:
        most -= 1
    if most >= max(widths):
        return table
    return [
        "| " + " | ".join(cell.strip() if number == 1 else _broken(cell, most) for cell in row) + " |"
        for number, row in enumerate(rows)
    ]


def _shown(text: str) -> int:
    """How many characters a cell shows in a line."""
    return max(len(_LINK.sub(r"\1", part).replace("**", "").replace("`", "")) for part in text.split("<br>"))


def _broken(cell: str, most: int) -> str:
    lines = [""]
    for part in cell.strip().split("<br>"):
        for word in _WORD.findall(part):
            longer = f"{lines[-1]} {word}".strip()
            if _shown(longer) <= most or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        lines.append("")
    return "<br>".join(line for line in lines if line)


def short_cell(text: str, longest: int = 60) -> str:
    """Words for a cell of a table: on one line, inert, not too long."""
    short = " ".join(text.split()).replace("|", "/")
    return inert_markdown(short if len(short) <= longest else short[: longest - 1] + "…")
