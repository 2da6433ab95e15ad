"""Puts the statement on simulated participants into an artifact, and finds it there again."""

from __future__ import annotations

import json
import re

from schemas.study.artifacts import ArtifactFormat
from schemas.study.statement import STATEMENT
from tasks.study.figure_strips import marked_picture, picture_is_marked
from tasks.study.participants.raw_data import all_marked, read_rows

_MARKDOWN = f"> **{STATEMENT}**\n"
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_COMMENT = {
    ArtifactFormat.PY: "# ",
    ArtifactFormat.R: "# ",
    ArtifactFormat.TEX: "% ",
    ArtifactFormat.BIB: "% ",
}


def stamped(kind: ArtifactFormat, content: bytes) -> bytes:
    """`content` with the statement, unchanged where it is there already. PDF: unchanged, it must be made with it."""
    if kind is ArtifactFormat.PDF or has_statement(kind, content):
        return content
    if kind is ArtifactFormat.PNG:
        return marked_picture(content, STATEMENT)
    text = content.decode()
    if kind is ArtifactFormat.JSON:
        return json.dumps({**json.loads(text), "notice": STATEMENT}, indent=1, ensure_ascii=False).encode()
    if kind is ArtifactFormat.MD:
        front = _FRONT.match(text)
        place = front.end() if front else 0
        return (text[:place] + _MARKDOWN + "\n" + text[place:]).encode()
    if (
        kind is ArtifactFormat.CSV
    ):  # marked row by row when it is made; a marker added afterwards would be a guess
        return content
    lines = text.splitlines(keepends=True)
    first = 1 if lines and lines[0].startswith("#!") else 0
    return "".join([*lines[:first], _COMMENT[kind] + STATEMENT + "\n", *lines[first:]]).encode()


def unstamped(text: str) -> str:
    """Markdown without the statement that `stamped` put in front, where it becomes a part of something that has its own."""
    return text.replace(_MARKDOWN, "", 1).lstrip("\n") if _MARKDOWN in text else text


def has_statement(kind: ArtifactFormat, content: bytes) -> bool:
    """Whether an artifact says that its participants were simulated, where a reader meets it."""
    if kind is ArtifactFormat.PNG:
        return picture_is_marked(content, STATEMENT)
    if kind is ArtifactFormat.PDF:
        return _squeezed(STATEMENT) in _squeezed(_first_page(content))
    text = content.decode("utf-8", "replace")
    if kind is ArtifactFormat.JSON:
        try:
            found = json.loads(text)
        except ValueError:
            return False
        return isinstance(found, dict) and found.get("notice") == STATEMENT
    if kind is ArtifactFormat.CSV:
        return all_marked(read_rows(content))
    if kind is ArtifactFormat.MD:
        text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)  # a comment is not read
    return _squeezed(STATEMENT) in _squeezed(text[:3000].replace("> ", ""))


def _squeezed(text: str) -> str:
    return re.sub(r"[\s*_>]+", "", text)


def _first_page(content: bytes) -> str:
    """The text of a PDF's first page; of files that we made."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
        return str(document[0].get_textpage().get_text_range())
    except Exception:  # whatever a broken PDF raises, it says nothing
        return ""
