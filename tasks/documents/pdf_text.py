"""The lines of a PDF's pages as Markdown: headings by the size of their letters, paragraphs by the space above them."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.base import Model


class ReadPage(Model):
    """A page: lines in reading order as (words, size of letters, space above, column), and the size of running text."""

    page: int
    body: float
    columns: int
    lines: tuple[tuple[str, float, float, int], ...]


def title_of(pages: Sequence[ReadPage]) -> str:
    """The lines in the largest letters of the first page, or nothing if none stand out."""
    first = pages[0] if pages else None
    sizes = [size for words, size, _, _ in first.lines if len(words) > 8] if first else []
    if first is None or not sizes or max(sizes) < 1.1 * first.body:
        return ""
    title: list[str] = []
    for words, size, _, _ in first.lines:
        if size > 0.95 * max(sizes):
            title.append(words)
        elif title:
            break
    return " ".join(title)


def markdown_of(pages: Sequence[ReadPage], tables: Sequence[tuple[int, str, Sequence[Sequence[str]]]]) -> str:
    """The text with its lines as they are (quotations find them again), and the tables as found below it."""
    parts: list[str] = []
    title = title_of(pages)
    if title:
        parts.append(f"# {title}")
    for page in pages:
        paragraph: list[str] = []
        apart = _paragraphs_apart(page)
        for words, size, gap, _ in page.lines:
            heading = size > 1.12 * page.body and 3 < len(words) < 120
            if (heading or gap > apart) and paragraph:
                parts.append("\n".join(paragraph))
                paragraph = []
            if heading and words in title:
                continue
            if heading:
                parts.append(f"## {words}")
            else:
                paragraph.append(_plain(words))
        parts.append("\n".join(paragraph))
    for number, caption, rows in tables:
        if rows:
            width = max(map(len, rows))
            cells = [[*(cell.replace("|", "/") for cell in row), *[""] * (width - len(row))] for row in rows]
            lines = ["| " + " | ".join(row) + " |" for row in cells]
            parts.append(
                f"Table as found on page {number}. {_plain(caption)}\n\n"
                + "\n".join([lines[0], "|" + "---|" * width, *lines[1:]])
            )
    return "\n\n".join(part for part in parts if part.strip()) + "\n"


def _paragraphs_apart(page: ReadPage) -> float:
    """The space above a line that begins a paragraph: more than its lines have, which in a manuscript stand far apart."""
    gaps = sorted(gap for _, _, gap, _ in page.lines if gap > 0)
    usual = gaps[len(gaps) // 2] if len(gaps) >= 8 else 0.0
    return max(0.75 * page.body, 1.25 * usual)


def _plain(words: str) -> str:
    """A line that does not begin a Markdown construct by chance."""
    return "\\" + words if words[:1] in ("#", ">", "|", "-", "+", "*") and words[:2] not in ("**",) else words
