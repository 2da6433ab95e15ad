"""Answers of the results' pages: pages of ours from their templates, and files of runs as they are.

Files come from models, papers and programs that ran in the sandbox. None is a page of this origin: each is sent with a policy
that takes scripts, forms and the origin away from it, so that it cannot read what the browser keeps for Prefect's own page.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response, StreamingResponse

from flows.results.files_below import in_bytes, kind_of
from flows.results.two_runs import over_words
from flows.serving.server_app import ENTRANCE
from flows.up.results_page import path_of
from schemas.text.visible import visible

PAGES = Path(__file__).parent / "pages"
_CHUNK = 2**18
ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_FILE = (
    "sandbox allow-downloads allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(PAGES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    found.filters.update(size=in_bytes, over=over_words)
    found.globals.update(home=f"{ENTRANCE}/", at=path_of)
    return found


@cache
def own(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def page(template: str, status: int = 200, *, script: str = "", **shown: Any) -> Response:
    """One of our own pages: no script but the one given, no address but this one."""
    style = own("site.css")
    text = _environment().get_template(template).render(style=Markup(style), script=Markup(script), **shown)
    policy = (
        f"default-src 'none'; img-src 'self'; style-src {_source(style)}; base-uri 'none'; frame-ancestors 'none'; "
        + (
            f"script-src {_source(script)}; connect-src 'self'; form-action 'none'"
            if script
            else "form-action 'self'"
        )
    )
    return HTMLResponse(text, status, {**ALWAYS, "content-security-policy": policy})


def problem(status: int, what: str, found: str = "") -> Response:
    return page("problem.html.j2", status, what=what, found=found)


def sent(stream: BinaryIO, name: str, *, download: bool) -> Response:
    """A file as it is, under a policy that gives it nothing; what no browser shows harmlessly is handed over."""
    kind, last = kind_of(name), name.rpartition("/")[2]
    headers = {**ALWAYS, "content-security-policy": _FILE}
    stream.seek(0, 2)
    headers["content-length"] = str(stream.tell())
    stream.seek(0)
    if kind is None or download:
        headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(last)}"
    return StreamingResponse(
        _read(stream, int(headers["content-length"])),
        headers=headers,
        media_type=kind or "application/octet-stream",
    )


def _read(stream: BinaryIO, left: int) -> Iterator[bytes]:
    """So many bytes and no more: a file may grow while it is sent."""
    with stream:
        while left > 0 and (part := stream.read(min(_CHUNK, left))):
            left -= len(part)
            yield part
