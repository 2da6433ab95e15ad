"""A run waits for an answer on the embedded server. Web pages and other users try to answer it; then its own page does."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.flow.browser import CHROMIUM, Browser
from tests.flow.kit import PARTLY, Bench, Model, session_members, wait_until
from tests.flow.waiting import (
    ANSWER,
    KEY,
    PASSWORD,
    QUERY,
    Paused,
    Stranger,
    all_processes,
    answerer,
    answering,
    as_another,
    environment,
)

pytestmark = [pytest.mark.flow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def paused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Paused]:
    bench = Bench(tmp_path_factory.mktemp("server"), None, anew=True)
    del bench.env["PREFECT_HOME"]  # as a user has it: below the outputs folder
    ours, theirs = pty.openpty()
    with Model(answerer()) as model, Stranger() as elsewhere:
        address = model.server.base_url.replace("//", f"//me:{PASSWORD}@") + f"/?token={QUERY}"
        cli = bench.start(
            "reproduce",
            str(bench.paper),
            "--model",
            "anthropic",
            "--base-url",
            address,
            "--answer",
            "model_error=retry",
            *bench.settings(model_retries=0),
            stdin=theirs,
            env={"ANTHROPIC_API_KEY": KEY},
        )
        try:
            cli.says("answer in the browser: ")
            link = re.search(r"(http://127\.0\.0\.1:\d+)/reprolab#([\w-]{20,})&([0-9a-f-]{36})", cli.err)
            assert link, cli.err
            found = Paused(bench, cli, link[0], link[1], link[2], link[3], elsewhere)
            wait_until(lambda: found.state == "PAUSED", "the pause")
            assert model.server.headers[0]["x-api-key"] == KEY  # what is looked for later was really sent
            yield found
        finally:
            bench.close()
            os.close(ours)
            os.close(theirs)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("needs chromium")
    with Browser(tmp_path_factory.mktemp("chromium")) as found:
        yield found


SEND = "fetch(R, {method: 'POST', body: B, %s}).then(r => r.text(), e => 'refused: ' + e)"
PAGES = {
    "JSON": SEND % "headers: {'content-type': 'application/json'}",
    "text, no preflight": SEND % "mode: 'no-cors', headers: {'content-type': 'text/plain'}",
    "a body without type, no preflight": SEND.replace("B,", "new Blob([B]),") % "mode: 'no-cors'",
    "with the browser's memory": SEND
    % "credentials: 'include', headers: {'content-type': 'application/json'}",
    "knowing the password": SEND % "headers: {'content-type': 'application/json', authorization: A}",
    "a beacon": "String(navigator.sendBeacon(R, new Blob([B])))",
    "a form": """new Promise(done => {
        document.body.innerHTML = '<iframe name=f></iframe><form target=f method=post enctype=text/plain><input>';
        const form = document.forms[0]; form.action = R; form.elements[0].name = B.slice(0, -1) + ', "x": "';
        form.elements[0].value = '"}'; document.querySelector('iframe').onload = () => done('sent'); form.submit(); })""",
    "a page without origin": """new Promise(done => { onmessage = e => done(e.data);
        const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts';
        frame.srcdoc = `<script>fetch('${R}', {method: 'POST', body: new Blob(['${B}']), mode: 'no-cors'}).then(
            r => parent.postMessage('sent', '*'), e => parent.postMessage('refused', '*'))</` + 'script>';
        document.body.append(frame); })""",
    "reading the runs": """fetch(R.replace(/[^/]*.resume/, 'filter'), {method: 'POST', body: '{}', headers: {
        'content-type': 'application/json'}}).then(r => r.text(), e => 'refused: ' + e)""",
    "a websocket": """new Promise(done => {
        const s = new WebSocket(R.replace('http', 'ws').replace(/flow_runs.*/, 'events/out'), 'prefect');
        s.onopen = () => done('OPEN'); s.onerror = () => done('refused'); })""",
}


@pytest.mark.attack("server", "a page of another origin cannot answer the question, nor read")
@pytest.mark.parametrize("how", PAGES)
def test_a_web_page(paused: Paused, browser: Browser, how: str) -> None:
    browser.open(paused.elsewhere)
    said = browser.run(
        f"(() => {{ const R = '{paused.site}/api/flow_runs/{paused.run_id}/resume', B = '{json.dumps(ANSWER)}', "
        f"A = '{paused.authorization}'; return {PAGES[how]}; }})()"
    )
    assert (
        isinstance(said, str) and "ACCEPT" not in said and "OPEN" not in said and paused.run_id not in said
    ), said
    assert "failed" not in said, said  # the attack itself ran
    assert paused.state == "PAUSED"


@pytest.mark.parametrize("pages", ["", "v2/"], ids=["old pages", "new pages"])
def test_no_page_asks_another_computer(paused: Paused, browser: Browser, pages: str) -> None:
    """Prefect's pages call hosts of analytics on every load."""
    browser.open(paused.link)
    browser.asked()
    for path in (f"{pages}dashboard", f"{pages}runs/flow-run/{paused.run_id}"):
        browser.open(f"{paused.site}/{path}")
        wait_until(lambda: browser.run("document.body.innerText.length > 100") is True, path, 60)
        assert browser.asked() == {paused.site.removeprefix("http://")}, path
    browser.rest()


@pytest.mark.attack("server", "our page is shown in no frame of another")
def test_a_frame(paused: Paused, browser: Browser) -> None:
    for path in ("/", "/reprolab", "/v2/", f"/runs/flow-run/{paused.run_id}"):
        shown = urllib.request.Request(paused.site + path, headers={"accept": "text/html"})
        with urllib.request.urlopen(shown, timeout=60) as reply:
            assert "frame-ancestors 'none'" in reply.headers["content-security-policy"], path


@pytest.mark.attack("server", "a foreign name that points to this computer is not answered")
def test_a_name_that_was_pointed_here(paused: Paused, browser: Browser) -> None:
    port = paused.site.rpartition(":")[2]
    browser.open(f"http://stranger.test:{port}/ui-settings")
    assert "this computer's own pages only" in browser.run("document.body.textContent")
    said = browser.run(answering(paused, f"'{paused.authorization}'") + ".then(r => r.status)")
    assert said == 403 and paused.state == "PAUSED"


@pytest.mark.attack("server", "refused before Prefect sees it, even with the password")
@pytest.mark.parametrize(
    "headers",
    [
        "Host: stranger.test:{port}",
        "Host: 127.0.0.1",
        "Host: 127.0.0.1:{port}.stranger.test",
        "Host: 127.0.0.1:{port}@stranger.test",
        "Host: [::1]:{port}",
        "Host: 0.0.0.0:{port}",
        "",
        "Host: 127.0.0.1:{port}\r\nHost: stranger.test:{port}",
        "Host: 127.0.0.1:{port}\r\nOrigin: http://stranger.test",
        "Host: 127.0.0.1:{port}\r\nOrigin: null",
        "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1",
        "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}/x",
    ],
)
def test_a_foreign_host_or_origin(paused: Paused, headers: str) -> None:
    port = paused.site.rpartition(":")[2]
    body = json.dumps(ANSWER)
    lines = [
        f"POST /api/flow_runs/{paused.run_id}/resume HTTP/1.1",
        *filter(None, [headers.replace("{port}", port)]),
        f"Authorization: {paused.authorization}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        "",
        body,
    ]
    with socket.create_connection(("127.0.0.1", int(port)), timeout=60) as connection:
        connection.sendall("\r\n".join(lines).encode())
        reply = connection.makefile("rb").read().decode()
    assert re.match(r"HTTP/1\.1 (400|403) ", reply), reply
    assert paused.state == "PAUSED"


@pytest.mark.attack("server", "401: nobody answers, reads or starts anything without the password")
@pytest.mark.parametrize(
    "authorization",
    ["", "Basic", "Basic ", "Basic cmVwcm9sYWI6", "Bearer {p}", "Basic {p}", "{p}", "Basic =="],
)
def test_a_local_program_without_the_password(paused: Paused, authorization: str) -> None:
    sent = {"authorization": authorization.replace("{p}", paused.password)} if authorization else {}
    for path, body in (
        (f"/api/flow_runs/{paused.run_id}/resume", ANSWER),
        ("/api/flow_runs/filter", {}),
        ("/api/flows/", None),
        ("/api/admin/database/clear", {"confirm": True}),
        ("/api//admin/version", None),
        ("/api/block_documents/filter", {"include_secrets": True}),
        ("/api/admin/settings", None),
        (f"/api/health/../flow_runs/{paused.run_id}", None),
        ("/api/variables/name/health", None),
    ):
        status, text = paused.ask(path, body, **sent)
        assert status == 401 and paused.password not in text, (path, status, text)
    assert paused.state == "PAUSED"


@pytest.mark.attack("server", "closed without a word of an event")
@pytest.mark.parametrize("path", ["/api/events/out", "/api/events/in", "/api/logs/out"])
@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_websocket_without_the_password(paused: Paused, path: str, token: str) -> None:
    def first(said: str) -> str:
        try:
            with connect(
                paused.site.replace("http", "ws") + path, subprotocols=["prefect"], open_timeout=60
            ) as stream:  # type: ignore[list-item]
                stream.send(json.dumps({"type": "auth", "token": said}))
                return str(stream.recv(timeout=60))
        except WebSocketException as error:
            return f"closed: {error}"

    assert first(token).startswith("closed")
    if path != "/api/events/in":  # which says nothing when all is well
        assert "auth_success" in first(f"reprolab:{paused.password}")


@pytest.mark.attack("server", "another user finds the password nowhere and is refused")
@pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("setpriv") is None, reason="needs root, to be another user"
)
def test_another_user_of_this_computer(paused: Paused) -> None:
    pids = [pid for pid in all_processes() if paused.password.encode() in environment(pid)]
    assert pids, "the server's, at least, or this test looks for nothing"
    for pid in {*pids, paused.cli.process.pid}:
        denied = as_another("cat", f"/proc/{pid}/environ")
        assert denied.returncode != 0 and "Permission denied" in denied.stderr
    shown = as_another("sh", "-c", "cat /proc/[0-9]*/cmdline")  # what ps shows
    assert "server_app.py" in shown.stdout and paused.password not in shown.stdout
    database = paused.bench.outputs / ".reprolab" / "prefect" / "prefect.db"
    assert database.is_file() and as_another("cat", str(database)).returncode != 0
    assert as_another("ls", str(paused.bench.run_dir)).returncode != 0
    script = (
        f"import urllib.request; urllib.request.urlopen(urllib.request.Request('{paused.site}/api/flow_runs/"
        f"{paused.run_id}/resume', b'{json.dumps(ANSWER)}', {{'content-type': 'application/json'}}))"
    )
    refused = as_another("/usr/bin/python3", "-c", script)
    assert "401" in refused.stderr and paused.state == "PAUSED"


@pytest.mark.attack("secrets", "the server's process has no key of a model")
def test_the_server_s_environment(paused: Paused) -> None:
    servers = [
        pid
        for pid in all_processes()
        if b"PREFECT_SERVER_API_AUTH_STRING=reprolab:" + paused.password.encode() in environment(pid)
    ]
    assert servers and not [pid for pid in servers if KEY.encode() in environment(pid)]
    assert KEY.encode() in environment(paused.cli.process.pid)


@pytest.mark.long
def test_the_run_s_own_page_answers(paused: Paused, browser: Browser) -> None:
    """The link signs the browser in and shows the question; the request that no other page could send is accepted."""
    browser.open(paused.link)
    wait_until(lambda: "Paused" in str(browser.run("document.body.innerText")), "the run's page")
    assert paused.run_id in browser.run("location.href") and paused.password not in browser.run(
        "location.href"
    )
    said = browser.run(
        answering(paused, "'Basic ' + localStorage.getItem('prefect-password')") + ".then(r => r.text())"
    )
    assert "ACCEPT" in said
    assert paused.cli.wait() == PARTLY, paused.cli.err[-3000:]
    assert not session_members(paused.cli.process.pid)


@pytest.mark.attack(
    "secrets", "in no file of the run, of Prefect, of the terminal, after faults that repeat them"
)
def test_nothing_that_is_kept_holds_a_secret(paused: Paused) -> None:
    if paused.cli.process.poll() is None:  # no browser here, so nobody has answered yet
        assert (
            "ACCEPT"
            in paused.ask(
                f"/api/flow_runs/{paused.run_id}/resume", ANSWER, authorization=paused.authorization
            )[1]
        )
        assert paused.cli.wait() == PARTLY, paused.cli.err[-3000:]
    words = "sent were [hidden], [hidden] and [hidden]"
    assert words in paused.cli.err and words in (paused.bench.run_dir / "transcript.jsonl").read_text()
    kept = [path for path in paused.bench.folder.rglob("*") if path.is_file()]
    assert {"prefect.db", "run.json", "cli-1.err", "transcript.jsonl"} <= {path.name for path in kept}
    for secret in (KEY, PASSWORD, QUERY, "hunter2"):
        assert not [path for path in kept if secret.encode() in path.read_bytes()], secret
    assert [path.name for path in kept if paused.password.encode() in path.read_bytes()] == [
        "cli-1.err"
    ]  # where it is asked
