"""Whom to tell, set and tried on the page: by who administers, with the password; no address is ever repeated."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from flows.results.notices import MOST_BYTES
from flows.results.site import Site
from flows.serving.people import People
from flows.up.api import Api
from flows.up.automations import applied, lost_after_s, shipped
from flows.up.place import Place
from tests.unit.results.test_results_site import BASIC, WHOLE
from tests.unit.results.test_roles import given

pytestmark = pytest.mark.unit
PATH, SECRET = "/reprolab/notifications", "secret-of-the-hook"
HEADER = {"authorization": BASIC}


class PrefectsApi(Api):
    """Keeps blocks and automations as Prefect's API does."""

    def __init__(self) -> None:
        super().__init__("http://server/api", "password")
        self.client = httpx.Client(base_url="http://server/api", transport=httpx.MockTransport(self._answer))
        self.blocks: dict[str, dict[str, Any]] = {}
        self.automations: dict[str, dict[str, Any]] = {}

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/").strip("/")
        sent = json.loads(request.content or b"{}")
        kind, _, name = path.partition("/")
        found: Any = None
        if path.startswith("block_types") and "/name/" in path:
            found = next((b for b in self.blocks.values() if b["name"] == path.rpartition("/")[2]), None)
        elif kind == "block_types":
            found = {"id": name}
        elif kind == "block_schemas":
            found = [{"id": "schema"}]
        elif kind == "automations":
            if request.method == "POST" and name == "filter":
                return httpx.Response(200, json=[*self.automations.values()])
            self._kept(request.method, self.automations, name, sent)
            found = {}
        elif request.method == "GET":
            found = self.blocks.get(name)
        else:
            self._kept(request.method, self.blocks, name, sent)
            found = next((b for b in self.blocks.values() if b["name"] == sent.get("name")), {})
        return httpx.Response(404 if found is None else 200, json=found)

    @staticmethod
    def _kept(method: str, among: dict[str, dict[str, Any]], name: str, sent: dict[str, Any]) -> None:
        if method == "DELETE":
            del among[name]
        elif method == "POST":
            number = f"id-{len(among)}-{sent['name']}".replace(" ", "-").replace(":", "")
            among[number] = {"enabled": True, **sent, "id": number}
        else:
            among[name] |= sent


class Told:
    """A person who looks at the page, and what is sent to the hook of the laboratory."""

    def __init__(self, outputs: Path, hook: str) -> None:
        self.prefect, self.notes, self.hook = PrefectsApi(), [], hook
        self.subjects: list[str] = []
        site = Site(outputs, WHOLE, People(Place(outputs).people), self.prefect, self.notes.append)
        self.page = TestClient(site)

    def ask(self, headers: dict[str, str] = HEADER, **asked: str) -> httpx.Response:
        """What is said to a press of a button."""
        return self.page.post(PATH, json=asked, headers=headers)

    notes: list[str]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    subjects: list[str] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            subjects.append(json.loads(self.rfile.read(int(self.headers["content-length"])))["subject"])
            self.send_response(404 if "gone" in self.path else 200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = Told(tmp_path / "out", f"http://127.0.0.1:{server.server_port}/{SECRET}")
        found.subjects = subjects
        yield found
        server.shutdown()


def test_an_address_is_kept_tried_changed_and_taken_back(told: Told) -> None:
    assert 'Told now: <b id="kept">nobody</b>' in told.page.get(PATH, headers=HEADER).text
    assert told.ask(do="try").json()["said"] == ["nobody is kept to be told; keep an address first"]
    kept = told.ask(do="keep", webhook=f" {told.hook} ")
    assert (kept.status_code, kept.json()["kept"]) == (200, ["webhook"])
    telling = {name.partition("-reprolab")[2] for name in told.prefect.automations}
    assert len(telling) == len(shipped())  # those that only tell, too
    shown = told.page.get(PATH, headers=HEADER).text
    assert "a question waits" in shown and ">switched off" not in shown
    assert told.ask(do="try").json()["said"] == ["webhook: sent"] and told.subjects == ["ReproLab: a try"]
    assert told.ask(do="keep", webhook=f"{told.hook}/gone").json()["kept"] == ["webhook"]
    gone = told.ask(do="try").json()["said"]
    assert gone == ["webhook: not sent, it answered HTTP 404"]
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    mail = f"mailto://user:{SECRET}@127.0.0.1:{port}?from=a@b.example&to=c@d.example"
    assert told.ask(do="keep", email=mail, webhook=f"http://127.0.0.1:{port}/{SECRET}").json()["kept"] == [
        "webhook",
        "email",
    ]
    for said in (nothing := told.ask(do="try").json()["said"]):
        assert "not sent" in said, nothing
    assert told.ask(do="none").json() == {"said": ["nobody is told from now on"], "kept": []}
    assert not told.prefect.blocks and len(told.prefect.automations) == 1  # that of lost workers
    everything = "".join(told.notes) + told.page.get(PATH, headers=HEADER).text + str(gone) + str(nothing)
    assert SECRET not in everything and "the server's own password keep notifications" in told.notes[1]


@pytest.mark.attack("server", "notifications: only who administers changes them, with the password")
@pytest.mark.parametrize("role", ["look", "answer", "start", "administer"])
def test_only_who_administers_may(told: Told, role: str) -> None:
    who = given(told.page.app.outputs, "anna", role)  # type: ignore[attr-defined]
    assert told.page.get(PATH, headers=who).status_code == 200
    found = told.ask(who, do="keep", webhook=told.hook)
    assert (found.status_code, bool(told.prefect.blocks)) == (
        (200, True) if role == "administer" else (403, False)
    )
    cookie = told.page.post("/reprolab/session", headers=HEADER).headers["set-cookie"].partition(";")[0]
    before = str(told.prefect.blocks)
    for stranger in ({"cookie": cookie}, {"authorization": "Basic x"}, {}):
        told.page.cookies.clear()
        assert told.ask(stranger, do="none").status_code == 401
    assert str(told.prefect.blocks) == before


@pytest.mark.attack("server", "notifications: what does not fit is refused, and no secret repeated")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"[" * 9000,
        b'{"do": "keep"}',
        b'{"do": "else"}',
        b'{"do": ["keep"]}',
        b'{"do": "keep", "webhook": 1}',
        b'{"do": "keep", "pigeon": "x"}',
        b'{"do": "keep", "webhook": "file:///secret-of-the-hook"}',
        b'{"do": "keep", "webhook": "https://secret-of-the-hook:port"}',
        b'{"do": "keep", "email": "https://secret-of-the-hook"}',
        b'{"do": "try", "webhook": "' + b"x" * MOST_BYTES + b'"}',
    ],
)
def test_what_does_not_fit_is_refused(told: Told, body: bytes) -> None:
    found = told.page.post(PATH, content=body, headers=HEADER)
    assert found.status_code == 400 and SECRET not in found.text and found.json()["said"], found.text
    assert not told.prefect.blocks and not told.prefect.automations


def test_the_seconds_of_lost_workers_stay_as_up_was_told(told: Told) -> None:
    for automation in shipped():
        if (made := applied(automation, [], 47)) is not None:
            told.prefect.automations["lost"] = {**made, "id": "lost", "enabled": True}
    assert lost_after_s(told.prefect) == 47
    told.ask(do="keep", webhook=told.hook)
    assert told.prefect.automations["lost"]["trigger"]["within"] == 47


def test_a_site_without_a_server_says_so(tmp_path: Path) -> None:
    page = TestClient(Site(tmp_path, WHOLE))
    assert "keeps nobody to tell" in page.get(PATH, headers=HEADER).text
    assert page.post(PATH, json={"do": "try"}, headers=HEADER).status_code == 400
