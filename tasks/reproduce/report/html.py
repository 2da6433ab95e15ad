"""The document as self-contained HTML without script, network or foreign files: one page, or a report and its appendix."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from tasks.reproduce.report.document import Cell, Document, Picture, Section
from tasks.reproduce.report.text import clean, shown

_ID, _LINK = re.compile(r' id="([^"]+)"'), re.compile(r'href="#([^"]+)"')
TEMPLATES = Path(__file__).parent / "templates"
_PROSE = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .disable(["html_block", "html_inline", "autolink", "link", "image", "reference"])
)


def render_html(document: Document) -> str:
    """The whole document on one page; every text is escaped, pictures are data URIs."""
    return _page(document, document.sections, {section.anchor: "" for section in document.sections})


def render_pages(document: Document, name: str, appendix_name: str) -> tuple[str, str]:
    """The report and its appendix, two pages of one folder.

    The first holds what decides; what takes long to read is in the other, and links lead to where their target stands.
    """
    first = tuple(section for section in document.sections if not section.long)
    rest = tuple(section for section in document.sections if section.long)
    here = {section.anchor: "" for section in document.sections}
    main = _page(document, first, here | {s.anchor: quote(appendix_name) for s in rest}, quote(appendix_name))
    second = _page(document, rest, here | {s.anchor: quote(name) for s in first}, quote(name), appendix=True)
    ids = [{*_ID.findall(page)} for page in (main, second)]
    return _led(main, ids[1] - ids[0], quote(appendix_name)), _led(second, ids[0] - ids[1], quote(name))


def _page(
    document: Document,
    sections: tuple[Section, ...],
    places: dict[str, str],
    beside: str = "",
    appendix: bool = False,
) -> str:
    """places: of each section's anchor, the page that it is on; '' for this one. beside: the other page."""
    css = Markup((TEMPLATES / "report.css").read_text(encoding="utf-8"))  # ours, not the paper's
    page = _environment().get_template("report.html.j2")
    return page.render(
        document=document, css=css, shown=sections, places=places, beside=beside, appendix=appendix
    )


def _led(page: str, elsewhere: set[str], beside: str) -> str:
    """The page with links to what stands on the other one leading there. Text cannot hold such a link: its quotes are escaped."""
    return _LINK.sub(lambda link: f'href="{beside}#{link[1]}"' if link[1] in elsewhere else link[0], page)


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
