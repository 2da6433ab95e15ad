"""The document as one self-contained HTML file without script, network or foreign files."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from tasks.reproduce.report.document import Cell, Document, Picture
from tasks.reproduce.report.text import clean, shown

TEMPLATES = Path(__file__).parent / "templates"
_PROSE = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .disable(["html_block", "html_inline", "autolink", "link", "image", "reference"])
)


def render_html(document: Document) -> str:
    """The whole report; every text is escaped, pictures are data URIs."""
    css = Markup((TEMPLATES / "report.css").read_text(encoding="utf-8"))  # ours, not the paper's
    return _environment().get_template("report.html.j2").render(document=document, css=css)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters.update(prose=prose, data_uri=data_uri, verbatim=verbatim)
    environment.tests.update(numeric=_numeric, short=_short)
    return environment


def prose(text: str) -> Markup:
    """An agent's Markdown as HTML: no HTML of its own, no links, no images; its headings stay below ours."""
    tokens = _PROSE.parse(shown(text))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "h6"
    return Markup(_PROSE.renderer.render(tokens, _PROSE.options, {}))


def verbatim(text: str) -> Markup:
    """Code and commands, escaped, with nothing in them read as a formula."""
    return Markup.escape(clean(text))


def data_uri(picture: Picture) -> str:
    """The bytes of a picture as a data URI."""
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def _numeric(rows: tuple[tuple[Cell, ...], ...], column: int) -> bool:
    return bool(rows) and all(row[column].number for row in rows)


def _short(rows: tuple[tuple[Cell, ...], ...]) -> bool:
    """Whether a table looks better at its own width than stretched over the page."""
    return max((sum(len(cell.text) for cell in row) for row in rows), default=0) <= 60


def _finalize(value: object) -> object:
    return shown(value) if type(value) is str else value
