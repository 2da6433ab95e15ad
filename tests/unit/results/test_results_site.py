"""Results in a browser: nothing without the password, nothing outside runs' folders, no file a page of this origin."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import time
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.results.files_below import open_file
from flows.results.kept_runs import KeptRuns
from flows.results.sign_in import LASTS_S, SignIn
from flows.results.site import Site
from flows.serving.server_app import Door
from schemas.reading.beneath import Unopened
from tests.unit.report.test_open_run import HOSTILE, kept

pytestmark = pytest.mark.unit

WHOLE, SECRET = "reprolab:of-this-server", "what stands outside of every run"
BASIC = "Basic " + b64encode(WHOLE.encode()).decode()
RUN = "/reprolab/runs/ge_on_gold/run-0001/"


class Answer:
    """What the site said."""

    def __init__(self, sent: list[Any]) -> None:
        self.status = sent[0]["status"]
        self.headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        self.body = b"".join(part.get("body", b"") for part in sent[1:])
        self.text = self.body.decode("utf-8", "replace")


def ask(
    app: Any, path: str, query: str = "", method: str = "GET", headers: dict[str, str] | None = None
) -> Answer:
    """One request as uvicorn hands it over: the path with its percents decoded."""
    given = {"host": "127.0.0.1:4200", "authorization": BASIC} if headers is None else headers
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode("utf-8", "surrogatepass"),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "server": ("127.0.0.1", 4200),
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "http_version": "1.1",
    }
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(3600 if sent else 0)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return Answer(sent)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run with hostile words and files; secrets beside it, links to them in it."""
    root = tmp_path_factory.mktemp("results")
    outputs = root / "out puts"
    folder = kept(outputs, HOSTILE)
    (folder / "REPRODUCTION_REPORT_ge_on_gold.html").write_text("<p>report<script>stolen()</script>")
    for name in ("a.svg", "b.csv", "c.bin", "d.PNG", "e.htm", "f g.csv"):
        (folder / name).write_text(f"<script>{name}</script>")
    (root / "secret.txt").write_text(SECRET)
    (outputs / ".reprolab").mkdir()
    (outputs / ".reprolab" / "password").write_text(SECRET)
    (outputs / "loose.txt").write_text(SECRET)
    (folder / ".lock").write_text(SECRET)
    (folder / "link.txt").symlink_to(root / "secret.txt")
    (folder / "up").symlink_to(root)
    os.link(root / "secret.txt", folder / "hard.txt")
    os.mkfifo(folder / "pipe")
    (folder.parent / "latest").symlink_to(folder.name)
    (outputs / "elsewhere").symlink_to(outputs / "ge_on_gold")
    (root / "run.json").write_text("{}")
    return outputs


@pytest.fixture(scope="module")
def site(outputs: Path) -> Iterator[Site]:
    yield Site(outputs, WHOLE)


def test_without_the_password_nothing_is_shown(site: Site) -> None:
    later = SignIn("reprolab:another")
    with patch("time.time", lambda: time.monotonic() - LASTS_S):
        over = site.door.ticket()
    until, _, seal = site.door.ticket().partition(".")
    for headers in (
        {},
        {"authorization": "Basic x"},
        {"authorization": BASIC.lower()},
        {"authorization": "ünicode"},
        {"cookie": f"{site.door.cookie}={later.ticket()}"},
        {"cookie": f"{later.cookie}={site.door.ticket()}"},
        {"cookie": f"{site.door.cookie}={over}"},
        {"cookie": f"{site.door.cookie}={int(until) + 1}.{seal}"},
        {"cookie": f"{site.door.cookie}=.{SignIn(WHOLE)._signed('')}"},
    ):
        for path in ("/reprolab/", RUN, RUN + "b.csv", "/reprolab/compare", "/reprolab/nothing"):
            found = ask(site, path, headers=headers)
            assert found.status == 401 and "ge_on_gold" not in found.text, (headers, path)
            assert "default-src 'none'" in found.headers["content-security-policy"]
        assert ask(site, "/reprolab/session", method="POST", headers=headers).status == 401


def test_the_password_gives_a_cookie_that_reads_and_does_nothing_else(site: Site) -> None:
    given = ask(site, "/reprolab/session", method="POST")
    cookie = given.headers["set-cookie"]
    assert (
        given.status == 204
        and "HttpOnly" in cookie
        and "SameSite=lax" in cookie
        and "Path=/reprolab;" in cookie
    )
    assert "Secure" not in cookie
    safe = ask(
        site, "/reprolab/session", method="POST", headers={"authorization": BASIC, "origin": "https://lab"}
    )
    assert "Secure" in safe.headers["set-cookie"]
    own = {"cookie": cookie.partition(";")[0]}
    assert ask(site, "/reprolab/", headers=own).status == 200
    assert ask(site, "/reprolab/session", method="POST", headers=own).status == 401
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        for path in ("/reprolab/", RUN, RUN + "b.csv", "/reprolab/compare"):
            assert ask(site, path, method=method, headers=own).status == 405


@pytest.mark.attack("server", "results: no name leads out of runs' folders")
@pytest.mark.parametrize(
    "name",
    [
        "../../../secret.txt",
        "..%2f..%2f..%2fsecret.txt",
        "%2e%2e/%2e%2e/loose.txt",
        "..%252f..%252floose.txt",
        "film/../../../loose.txt",
        "..\\..\\loose.txt",
        "%2fetc%2fpasswd",
        "/etc/passwd",
        "//etc/passwd",
        "link.txt",
        "up/secret.txt",
        "up/",
        "hard.txt",
        "pipe",
        ".lock",
        "%2elock",
        "./.lock",
        "b.csv%00.html",
        "b.csv/",
        "%ff%fe",
        "a/" * 40,
        "x" * 5000,
        "%f0%9f%92%a9" * 90,
        "\n",
    ],
)
def test_a_hostile_name_finds_nothing(site: Site, name: str) -> None:
    found = ask(site, RUN + name)
    assert found.status == 404 and SECRET not in found.text and "root:" not in found.text


@pytest.mark.attack("server", "results: no name of a run is a way around")
@pytest.mark.parametrize(
    "run",
    [
        "ge_on_gold/latest/",
        "elsewhere/run-0001/",
        "../results/",
        "%2e%2e/out puts/",
        "ge_on_gold/%2e%2e/",
        "ge_on_gold%2frun-0001/x/",
        ".reprolab/x/",
        "ge_on_gold/run-0001%00/",
        "ge_on_gold/.%2frun-0001/",
        "./run-0001/",
    ],
)
def test_a_hostile_run_is_none(site: Site, run: str) -> None:
    for name in ("", "run.json", "loose.txt", "password", "secret.txt"):
        found = ask(site, f"/reprolab/runs/{run}{name}")
        assert found.status == 404 and SECRET not in found.text
    one = f"one={run.strip('/')}&other=ge_on_gold/run-0001"
    assert ask(site, "/reprolab/compare", one).status == 404


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(["..", ".", "", "up", "run-0001", "secret.txt", "ge_on_gold", "%", "x"])
        | st.text(max_size=5),
        max_size=7,
    )
)
def test_whatever_is_asked_for_is_below_the_run(outputs: Path, parts: list[str]) -> None:
    folder = outputs / "ge_on_gold" / "run-0001"
    try:
        with open_file(folder, "/".join(parts)) as stream:
            opened = Path(f"/proc/self/fd/{stream.fileno()}").resolve()
    except Unopened:
        return
    assert opened.is_relative_to(folder) and not opened.name.startswith(".")


def test_every_file_is_sent_without_the_rights_of_this_origin(site: Site) -> None:
    for name, kind, handed in (
        ("REPRODUCTION_REPORT_ge_on_gold.html", "text/html; charset=utf-8", False),
        ("a.svg", "image/svg+xml", False),
        ("b.csv", "text/plain; charset=utf-8", False),
        ("c.bin", "application/octet-stream", True),
        ("d.PNG", "image/png", False),
        ("e.htm", "application/octet-stream", True),
        ("f%20g.csv", "text/plain; charset=utf-8", False),
        ("run.json", "text/plain; charset=utf-8", False),
    ):
        found = ask(site, RUN + name)
        policy = found.headers["content-security-policy"]
        assert found.status == 200 and found.headers["content-type"] == kind, name
        assert "sandbox allow-downloads allow-popups;" in policy and "allow-same-origin" not in policy
        assert (
            "allow-scripts" not in policy
            and "default-src 'none'" in policy
            and "frame-ancestors 'none'" in policy
        )
        assert found.headers["x-content-type-options"] == "nosniff"
        assert int(found.headers["content-length"]) == len(found.body) > 0
        assert found.headers.get("content-disposition", "").startswith("attachment") == handed, name
        again = ask(site, RUN + name, "download=1").headers["content-disposition"]
        assert again == f"attachment; filename*=UTF-8''{name}"


def test_words_of_others_are_words_on_every_page(site: Site) -> None:
    for path, query in (
        ("/reprolab/", ""),
        ("/reprolab/", "text=%3Cscript%3Ealert(1)%3C/script%3E&page=-3&since=%22%3E&verdict=%1b[2J"),
        (RUN, ""),
        (RUN + "figures", ""),
        ("/reprolab/runs/x/%3Cscript%3E/", ""),
        ("/reprolab/compare", "one=ge_on_gold/run-0001&other=ge_on_gold/run-0001"),
    ):
        found = ask(site, path, query)
        assert "<script" not in found.text and "\x1b" not in found.text and "javascript:" not in found.text
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src" not in policy and "unsafe" not in policy


def test_a_run_is_found_by_paper_verdict_and_day(tmp_path: Path) -> None:
    folder = kept(tmp_path)
    record = json.loads((folder / "run.json").read_text())
    record["started"] = "2026-03-04T05:06:07+00:00"
    (folder / "run.json").write_text(json.dumps(record))
    (folder / "REPRODUCTION_REPORT_ge_on_gold.html").write_text("x")
    for name, content in (
        ("20260101-a", "{}"),
        ("20260101-b", "[" * 100_000),
        ("20260101-c", '{"workflow": "new"}'),
    ):
        (tmp_path / "spoilt" / name).mkdir(parents=True)
        (tmp_path / "spoilt" / name / "run.json").write_text(content)
    site = Site(tmp_path, WHOLE)
    whole = ask(site, "/reprolab/").text
    assert "4 of 4 runs" in whole and whole.count("cannot be read") >= 3 and "report</a>" in whole
    verdict = KeptRuns(tmp_path).of(folder).verdict
    assert verdict
    for query, there in (
        ("text=ULTRATHIN+run-0001", True),
        ("text=ultrathin+coupler", False),
        (f"verdict={verdict.replace(' ', '+')}&workflow=reproduce", True),
        ("workflow=study", False),
        ("since=2026-03-04&until=2026-03-04", True),
        ("since=2026-03-05", False),
        ("until=2026-03-03", False),
        ("until=2026-13-45", True),
        ("page=999999999999999999999", True),
    ):
        assert ("Absorption of an ultrathin" in ask(site, "/reprolab/", query).text) == there, query


def test_of_a_study_its_report_and_package_are_shown_and_no_answers_of_people(tmp_path: Path) -> None:
    folder = tmp_path / "thumbs" / "20260101-aaaa"
    for name in ("project/artifacts/data", "project/phases/collect"):
        (folder / name).mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"workflow": "study"}))
    (folder / "STUDY_REPORT_thumbs.html").write_text("report")
    (folder / "project/artifacts/data/raw.csv").write_text("a")
    for name in ("project/phases/collect/p1.json", "transcript.jsonl"):
        (folder / name).write_text(SECRET)
    site, run = Site(tmp_path, WHOLE), "/reprolab/runs/thumbs/20260101-aaaa/"
    for name in ("STUDY_REPORT_thumbs.html", "project/artifacts/data/raw.csv", "project/artifacts/", ""):
        assert ask(site, run + name).status == 200, name
    for name in (
        "project/phases/collect/p1.json",
        "transcript.jsonl",
        "project/",
        "project/artifacts/../phases/",
    ):
        assert ask(site, run + name).status == 404, name


def test_the_site_stands_behind_the_door_and_a_server_without_one_says_so(site: Site) -> None:
    async def prefect(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    own = ["http://127.0.0.1:4200"]
    assert ask(Door(prefect, own, site), RUN).status == 200
    assert ask(Door(prefect, own, site), "/").status == 200
    for strange in ({"host": "stranger.test"}, {"host": "127.0.0.1:4200", "origin": "http://stranger.test"}):
        assert ask(Door(prefect, own, site), RUN, headers={**strange, "authorization": BASIC}).status == 403
    assert ask(Door(prefect, own), RUN).status == 404


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """The site writes nothing where it reads."""
    folder = kept(tmp_path / "out")
    before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
    site = Site(tmp_path / "out", WHOLE)
    for path in ("/reprolab/", RUN, RUN + "run.json"):
        assert ask(site, path).status == 200
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*")) == before
    shutil.rmtree(folder)
    assert ask(site, RUN).status == 404
