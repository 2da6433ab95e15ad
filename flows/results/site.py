"""What the server of `reprolab up` shows below /reprolab/: runs, their files, two of them compared, regressions; all only read.
Whom to tell of questions and ends is set here, by those who administer."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.results.curve_plots import HEIGHT, STRIP, WIDTH
from flows.results.files_below import PICTURES, check_shown, held, is_folder, open_file, size_of
from flows.results.kept_runs import KeptRun, KeptRuns, run_folder
from flows.results.notices import Notices
from flows.results.regressions_page import RegressionPages
from flows.results.rendering import ALWAYS, own, page, problem, sent
from flows.results.sign_in import LASTS_S, SignIn
from flows.results.two_runs import compare_runs
from flows.run.records import workflow_of
from flows.serving.people import People
from flows.serving.server_app import ENTRANCE
from flows.up.api import Api
from flows.up.results_page import path_of
from schemas.errors import InputError
from schemas.reading.beneath import Unopened
from schemas.text.visible import one_visible_line

A_PAGE = 50
_MOST_QUERY = 200
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Site:
    """Results of an outputs folder, for whoever has the server's password and for its people.

    whole: user and password as Prefect takes them. api: of the server, to keep there whom to tell; note: keeps who did what.
    """

    def __init__(
        self,
        outputs: Path,
        whole: str,
        people: People | None = None,
        api: Api | None = None,
        note: Callable[[str], None] = lambda words: None,
    ) -> None:
        self.outputs, self.kept, self.door = outputs, KeptRuns(outputs), SignIn(whole, people)
        regressions = RegressionPages(outputs)
        self.app: ASGIApp = Starlette(
            routes=[
                Route(f"{ENTRANCE}/session", self.session, methods=["POST"]),
                Route(f"{ENTRANCE}/", self.runs),
                Route(f"{ENTRANCE}/compare", self.compare),
                Route(f"{ENTRANCE}/runs/{{subject}}/{{run}}", self.run_without_slash),
                Route(f"{ENTRANCE}/runs/{{subject}}/{{run}}/{{name:path}}", self.of_run),
                Route(f"{ENTRANCE}/regressions/", regressions.papers),
                Route(f"{ENTRANCE}/regressions/{{paper}}/", regressions.trend),
                Route(f"{ENTRANCE}/regressions/{{paper}}/{{regression}}/{{name:path}}", regressions.file),
                *Notices(api, self.door, people, note).routes(f"{ENTRANCE}/notifications"),
            ],
            exception_handlers={
                InputError: lambda _, error: problem(404, error.what, str(error.found or "")),
                404: lambda *_: problem(404, "there is nothing here"),
                405: lambda *_: problem(405, "results are only read"),
            },
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; without password or cookie it gets the sign-in page, whatever it asks for."""
        request = Request(scope)
        known = self.door.holds(request.cookies.get(self.door.cookie, ""))
        if known is None:
            known = self.door.knows(request.headers.get("authorization", ""))
        if known is None:
            app: ASGIApp = page("sign_in.html.j2", 401, script=own("sign_in.js"))
        elif not scope["path"].isprintable():
            app = problem(404, "no name has such characters")
        else:
            app = self.app
        await app(scope, receive, send)

    def session(self, request: Request) -> Response:
        """Gives a browser that brought the password the cookie by which links work."""
        who = self.door.knows(request.headers.get("authorization", ""))
        if who is None:
            return problem(401, "the password is missing")
        answer = Response(status_code=204, headers=ALWAYS)
        answer.set_cookie(
            self.door.cookie,
            self.door.ticket(who),
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
            for name in ("text", "verdict", "workflow", "person", "since", "until", "page")
        }
        every = self.kept.newest_first()
        found = [run for run in every if _wanted(run, asked)]
        number = min(max(1, int(asked["page"])) if asked["page"].isdecimal() else 1, 1 + len(found) // A_PAGE)
        shown = found[(number - 1) * A_PAGE : number * A_PAGE]

        def turned(to: int) -> str:
            return f"{ENTRANCE}/?{urlencode({**asked, 'page': to})}"

        return page(
            "runs.html.j2",
            runs=[(run, size_of(run.folder)) for run in shown],
            pair=_pair(shown),
            asked=asked,
            count=len(found),
            all=len(every),
            verdicts=sorted({_word(run) for run in every}),
            workflows=sorted({run.workflow for run in every}),
            people=sorted({run.started_by for run in every} - {""}),
            before=turned(number - 1) if number > 1 else "",
            after=turned(number + 1) if number * A_PAGE < len(found) else "",
            bad=[name for name in ("since", "until") if asked[name] and not _day(asked[name])],
        )

    def run_without_slash(self, request: Request) -> Response:
        """Links inside a report are relative to its folder."""
        return RedirectResponse(path_of(self._folder(request)), headers=ALWAYS)

    def of_run(self, request: Request) -> Response:
        """A run's page, a folder of it, or a file."""
        folder, name = self._folder(request), request.path_params["name"]
        try:
            if not name:
                return self._run_page(folder)
            check_shown(workflow_of(folder), name)
            if name.endswith("/") or is_folder(folder, name):
                return self._folder_page(folder, name.rstrip("/"))
            return sent(open_file(folder, name), name, download="download" in request.query_params)
        except Unopened as error:
            return problem(404, f"this file {error}", one_visible_line(name, 300))

    def compare(self, request: Request) -> Response:
        """Two runs beside each other."""
        named = [request.query_params.get(name, "") for name in ("one", "other")]
        folders = []
        for each in named:
            subject, _, run_id = each.partition("/")
            folders.append(run_folder(self.outputs, subject, run_id))
        return page("compare.html.j2", found=compare_runs(*folders), wide=WIDTH, tall=HEIGHT, strip=STRIP)

    def _folder(self, request: Request) -> Path:
        return run_folder(self.outputs, request.path_params["subject"], request.path_params["run"])

    def _run_page(self, folder: Path) -> Response:
        run = self.kept.of(folder)
        same = [
            other
            for other in self.kept.newest_first()
            if other.workflow == run.workflow and other.folder != folder
        ]
        return page(
            "run.html.j2",
            run=run,
            others=sorted(same, key=lambda other: other.subject != run.subject)[:A_PAGE],
            entries=[] if run.workflow == "study" else held(folder),
            figures=[] if run.workflow == "study" else _figures(folder),
            size=size_of(folder),
        )

    def _folder_page(self, folder: Path, name: str) -> Response:
        entries = held(folder, name)
        return page(
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
        and asked["person"] in ("", run.started_by)
        and (not _day(asked["since"]) or day >= asked["since"])
        and (not _day(asked["until"]) or day <= asked["until"])
    )


def _day(text: str) -> bool:
    try:
        return bool(_DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False
