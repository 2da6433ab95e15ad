"""What the server of `reprolab up` shows below /reprolab/: runs, their files, two of them compared. It reads and changes nothing.

Files come from models, papers and programs that ran in the sandbox. None is a page of this origin: each is sent with a policy
that takes scripts, forms and the origin away from it, so that it cannot read what the browser keeps for Prefect's own page.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.results.files_below import (
    PICTURES,
    check_shown,
    held,
    in_bytes,
    is_folder,
    kind_of,
    open_file,
    size_of,
)
from flows.results.kept_runs import KeptRun, KeptRuns, run_folder
from flows.results.sign_in import LASTS_S, SignIn
from flows.results.two_runs import compare_runs, over_words
from flows.run.records import workflow_of
from flows.serving.server_app import ENTRANCE
from flows.up.results_page import path_of
from schemas.errors import InputError
from schemas.reading.beneath import Unopened
from schemas.text.visible import one_visible_line, visible

PAGES = Path(__file__).parent / "pages"
A_PAGE = 50
_CHUNK = 2**18
_MOST_QUERY = 200
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ALWAYS = {
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
def _own(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _page(template: str, status: int = 200, *, script: str = "", **shown: Any) -> Response:
    """One of our own pages: no script but the one given, no address but this one."""
    style = _own("site.css")
    text = _environment().get_template(template).render(style=Markup(style), script=Markup(script), **shown)
    policy = (
        f"default-src 'none'; img-src 'self'; style-src {_source(style)}; base-uri 'none'; frame-ancestors 'none'; "
        + (
            f"script-src {_source(script)}; connect-src 'self'; form-action 'none'"
            if script
            else "form-action 'self'"
        )
    )
    return HTMLResponse(text, status, {**_ALWAYS, "content-security-policy": policy})


def _problem(status: int, what: str, found: str = "") -> Response:
    return _page("problem.html.j2", status, what=what, found=found)


class Site:
    """Results of an outputs folder, for whoever has the server's password. whole: user and password as Prefect takes them."""

    def __init__(self, outputs: Path, whole: str) -> None:
        self.outputs, self.kept, self.door = outputs, KeptRuns(outputs), SignIn(whole)
        self.app: ASGIApp = Starlette(
            routes=[
                Route(f"{ENTRANCE}/session", self.session, methods=["POST"]),
                Route(f"{ENTRANCE}/", self.runs),
                Route(f"{ENTRANCE}/compare", self.compare),
                Route(f"{ENTRANCE}/runs/{{subject}}/{{run}}", self.run_without_slash),
                Route(f"{ENTRANCE}/runs/{{subject}}/{{run}}/{{name:path}}", self.of_run),
            ],
            exception_handlers={
                InputError: lambda _, error: _problem(404, error.what, str(error.found or "")),
                404: lambda *_: _problem(404, "there is nothing here"),
                405: lambda *_: _problem(405, "results are only read"),
            },
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; without password or cookie it gets the sign-in page, whatever it asks for."""
        request = Request(scope)
        known = self.door.holds(request.cookies.get(self.door.cookie, "")) or self.door.knows(
            request.headers.get("authorization", "")
        )
        if not known:
            app: ASGIApp = _page("sign_in.html.j2", 401, script=_own("sign_in.js"))
        elif not scope["path"].isprintable():
            app = _problem(404, "no name has such characters")
        else:
            app = self.app
        await app(scope, receive, send)

    def session(self, request: Request) -> Response:
        """Gives a browser that brought the password the cookie by which links work."""
        if not self.door.knows(request.headers.get("authorization", "")):
            return _problem(401, "the password is missing")
        answer = Response(status_code=204, headers=_ALWAYS)
        answer.set_cookie(
            self.door.cookie,
            self.door.ticket(),
            max_age=LASTS_S,
            path=ENTRANCE,
            secure=request.headers.get("origin", "").startswith("https:"),
            httponly=True,
            samesite="lax",
        )
        return answer

    def runs(self, request: Request) -> Response:
        """All runs, or those that are looked for."""
        asked = {
            name: one_visible_line(request.query_params.get(name, ""), _MOST_QUERY)
            for name in ("text", "verdict", "workflow", "since", "until", "page")
        }
        every = self.kept.newest_first()
        found = [run for run in every if _wanted(run, asked)]
        number = min(max(1, int(asked["page"])) if asked["page"].isdecimal() else 1, 1 + len(found) // A_PAGE)
        shown = found[(number - 1) * A_PAGE : number * A_PAGE]

        def turned(to: int) -> str:
            return f"{ENTRANCE}/?{urlencode({**asked, 'page': to})}"

        return _page(
            "runs.html.j2",
            runs=[(run, size_of(run.folder)) for run in shown],
            pair=_pair(shown),
            asked=asked,
            count=len(found),
            all=len(every),
            verdicts=sorted({_word(run) for run in every}),
            workflows=sorted({run.workflow for run in every}),
            before=turned(number - 1) if number > 1 else "",
            after=turned(number + 1) if number * A_PAGE < len(found) else "",
            bad=[name for name in ("since", "until") if asked[name] and not _day(asked[name])],
        )

    def run_without_slash(self, request: Request) -> Response:
        """Links inside a report are relative to its folder."""
        return RedirectResponse(path_of(self._folder(request)), headers=_ALWAYS)

    def of_run(self, request: Request) -> Response:
        """A run's page, a folder of it, or a file."""
        folder, name = self._folder(request), request.path_params["name"]
        try:
            if not name:
                return self._run_page(folder)
            check_shown(workflow_of(folder), name)
            if name.endswith("/") or is_folder(folder, name):
                return self._folder_page(folder, name.rstrip("/"))
            return _sent(open_file(folder, name), name, download="download" in request.query_params)
        except Unopened as error:
            return _problem(404, f"this file {error}", one_visible_line(name, 300))

    def compare(self, request: Request) -> Response:
        """Two runs beside each other."""
        named = [request.query_params.get(name, "") for name in ("one", "other")]
        folders = []
        for each in named:
            subject, _, run_id = each.partition("/")
            folders.append(run_folder(self.outputs, subject, run_id))
        return _page("compare.html.j2", found=compare_runs(*folders))

    def _folder(self, request: Request) -> Path:
        return run_folder(self.outputs, request.path_params["subject"], request.path_params["run"])

    def _run_page(self, folder: Path) -> Response:
        run = self.kept.of(folder)
        same = [
            other
            for other in self.kept.newest_first()
            if other.workflow == run.workflow and other.folder != folder
        ]
        return _page(
            "run.html.j2",
            run=run,
            others=sorted(same, key=lambda other: other.subject != run.subject)[:A_PAGE],
            entries=[] if run.workflow == "study" else held(folder),
            figures=[] if run.workflow == "study" else _figures(folder),
            size=size_of(folder),
        )

    def _folder_page(self, folder: Path, name: str) -> Response:
        entries = held(folder, name)
        return _page(
            "folder.html.j2",
            run=self.kept.of(folder),
            name=name,
            entries=entries,
            pictures=[each.name for each in entries if each.name.lower().endswith(PICTURES)][:60],
        )


def _figures(folder: Path, most: int = 24) -> list[str]:
    """Plots of a run: those in folders `plots` and `figures` right below it or below one of its folders."""
    found: list[str] = []
    for above in ("", *(each.name for each in held(folder) if each.folder)):
        for inner in ("plots", "figures"):
            name = f"{above}/{inner}".strip("/")
            if is_folder(folder, name):
                found += [
                    f"{name}/{each.name}"
                    for each in held(folder, name)
                    if each.name.lower().endswith(PICTURES)
                ]
    return found[:most]


def _pair(runs: list[KeptRun]) -> tuple[KeptRun | None, KeptRun | None]:
    """The newest two of one subject, the older first: what a person compares most often."""
    for place, run in enumerate(runs):
        for older in runs[place + 1 :]:
            if (older.workflow, older.subject) == (run.workflow, run.subject):
                return older, run
    return None, None


def _word(run: KeptRun) -> str:
    """By what a run is looked for: its verdict, or where it stands without one."""
    return run.verdict or run.standing


def _wanted(run: KeptRun, asked: dict[str, str]) -> bool:
    words = f"{run.subject} {run.title} {run.run_id} {run.reason}".casefold()
    day = run.started[:10]
    return (
        all(part in words for part in asked["text"].casefold().split())
        and asked["verdict"] in ("", _word(run))
        and asked["workflow"] in ("", run.workflow)
        and (not _day(asked["since"]) or day >= asked["since"])
        and (not _day(asked["until"]) or day <= asked["until"])
    )


def _day(text: str) -> bool:
    try:
        return bool(_DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


def _sent(stream: BinaryIO, name: str, *, download: bool) -> Response:
    """A file as it is, under a policy that gives it nothing; what no browser shows harmlessly is handed over."""
    kind, last = kind_of(name), name.rpartition("/")[2]
    headers = {**_ALWAYS, "content-security-policy": _FILE}
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
