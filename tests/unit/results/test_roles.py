"""People of a server: what each role may ask Prefect's real API for, what is written under their name, and who is out at once."""

from __future__ import annotations

import json
import os
import pwd
import socket
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from fastapi.testclient import TestClient
from prefect.server.api.server import create_api_app
from prefect.settings import PREFECT_SERVER_API_AUTH_STRING, temporary_settings
from starlette.websockets import WebSocketDisconnect

from flows.results.site import Site
from flows.run import opening
from flows.serving.people import ROLES, People, name_of
from flows.serving.roles import Roles, needed
from flows.up.children import Server
from flows.up.letting_in import let_in, listed, put_out
from flows.up.place import Place
from schemas.errors import InputError

pytestmark = pytest.mark.unit
WHOLE = "reprolab:password-of-this-server-0000"
RUN, DEPLOYMENT = f"flow_runs/{UUID(int=1)}", f"deployments/{UUID(int=2)}"


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "out"


def given(outputs: Path, name: str, role: str) -> dict[str, str]:
    """The header of a person who was let in, from what the command printed."""
    said = let_in(outputs, name, role)
    typed = next(line.split()[-1] for line in said.splitlines() if "or typed" in line)
    assert typed.startswith(f"{name}:") and f"/reprolab#{typed}" in said
    return {"authorization": "Basic " + b64encode(typed.encode()).decode()}


class Asked:
    """Stands where Prefect does, and keeps what reached it."""

    def __init__(self) -> None:
        self.header, self.body = b"", b""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.header = dict(scope["headers"]).get(b"authorization", b"")
        self.body = (await receive())["body"] if scope["method"] == "POST" else b""
        assert int(dict(scope["headers"]).get(b"content-length", len(self.body))) == len(self.body)
        await send({"type": "http.response.start", "status": 201, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})


@pytest.fixture
def door(outputs: Path) -> Iterator[tuple[TestClient, Asked, list[str]]]:
    asked, notes = Asked(), []
    people = People(Place(outputs).people)
    yield TestClient(Roles(asked, people, WHOLE, notes.append)), asked, notes


def routes() -> list[tuple[str, str]]:
    """Every (method, path) of Prefect's real API."""
    paths = create_api_app().openapi()["paths"]
    return sorted((method.upper(), path.strip("/")) for path, methods in paths.items() for method in methods)


def test_every_route_of_prefect_that_changes_something_is_for_a_role_that_may() -> None:
    """Whatever Prefect adds is closed until it is named here."""
    found: dict[str, set[str]] = {role: set() for role in ROLES}
    for method, path in routes():
        real = (
            path.replace("{id}", str(uuid4())).replace("{countable}", "day").replace("{", "").replace("}", "")
        )
        found[needed(method, real)].add(f"{method} {path}")
    assert found["answer"] == {"POST flow_runs/{id}/resume"}
    assert found["start"] == {"POST deployments/{id}/create_flow_run", "POST flow_runs/{id}/set_state"}
    read = {line for line in found["look"] if not line.startswith("GET ")}
    words = (
        "filter",
        "count",
        "history",
        "paginate",
        "lateness",
        "next-runs",
        "counts",
        "validate",
        "concurrency_status",
    )
    assert all(line.startswith("POST ") and ("count" in line or line.endswith(words)) for line in read), read
    assert not any(
        "block_documents" in line or "admin/storage" in line
        for role in ("look", "answer", "start")
        for line in found[role]
    )
    assert {
        "POST logs",
        "POST events",
        "DELETE flow_runs/{id}",
        "PATCH flow_runs/{id}",
        "POST deployments",
    } <= found["administer"]


@pytest.mark.attack(
    "server", "people: each may what their role says; all else is refused before Prefect sees it"
)
@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_what_it_says(
    role: str, outputs: Path, door: tuple[TestClient, Asked, list[str]]
) -> None:
    client, asked, notes = door
    header, order = given(outputs, "anna", role), [*ROLES]
    for wanted, method, path, body in (
        ("look", "GET", "/api/flows/x", None),
        ("look", "POST", "/api/flow_runs/filter", {}),
        ("answer", "POST", f"/api/{RUN}/resume", {"run_input": {"choice": "approve"}}),
        ("start", "POST", f"/api/{DEPLOYMENT}/create_flow_run", {"parameters": {}}),
        ("start", "POST", f"/api/{RUN}/set_state", {"state": {"type": "CANCELLING"}}),
        ("administer", "POST", f"/api/{RUN}/resume/", {}),
        ("administer", "POST", "/api/block_documents/filter", {"include_secrets": True}),
        ("administer", "GET", f"/api/block_documents/{uuid4()}?include_secrets=true", None),
        ("administer", "DELETE", f"/api/{RUN}", None),
        ("administer", "POST", "/api/deployments/", {}),
    ):
        asked.header = b""
        answer = client.request(method, path, headers=header, json=body)
        allowed = order.index(role) >= order.index(wanted)
        assert answer.status_code == (201 if allowed else 403), (path, answer.text)
        assert asked.header == (b"Basic " + b64encode(WHOLE.encode()) if allowed else b"")
        if not allowed:
            assert (
                answer.json()["exception_message"]
                == f"anna has the role {role}: this needs the role {wanted}"
            )
    assert not any(
        "/api/flows/x" in note or "flow_runs/filter" in note for note in notes
    )  # reading is not noted
    assert role == "look" or any("resume" in note and "201" in note for note in notes)


def test_names_are_written_by_the_door_and_by_nobody_else(
    outputs: Path, door: tuple[TestClient, Asked, list[str]]
) -> None:
    client, asked, _ = door
    for role in ("start", "administer"):
        header = given(outputs, "anna", role)
        client.post(
            f"/api/{DEPLOYMENT}/create_flow_run", headers=header, json={"tags": ["started-by:bob", "mine"]}
        )
        assert json.loads(asked.body)["tags"] == ["mine", "started-by:anna"]
        client.post(
            f"/api/{RUN}/resume", headers=header, json={"run_input": {"choice": "a", "person": "bob"}}
        )
        assert json.loads(asked.body) == {"run_input": {"choice": "a", "person": "anna"}}


@pytest.mark.attack(
    "server",
    "people: who may start a run cannot make it run a command, nor read blocks and variables with it",
)
@pytest.mark.parametrize(
    ("path", "body", "why"),
    [
        (f"{DEPLOYMENT}/create_flow_run", {"infrastructure_document_id": "x"}, "infrastructure"),
        (f"{DEPLOYMENT}/create_flow_run", {"parameters": {"paper": {"$ref": "x"}}}, "blocks"),
        (
            f"{DEPLOYMENT}/create_flow_run",
            {"parameters": {"a": [{"__prefect_kind": "jinja", "template": "{{ x }}"}]}},
            "templates",
        ),
        (f"{DEPLOYMENT}/create_flow_run", {"state": {"type": "RUNNING"}}, "by hand"),
        (f"{DEPLOYMENT}/create_flow_run", {"tags": "x"}, "list"),
        (
            f"{RUN}/resume",
            {"run_input": {"text": {"__prefect_kind": "workspace_variable", "variable_name": "x"}}},
            "variables",
        ),
        (f"{RUN}/resume", {"run_input": ["x"]}, "no JSON object"),
        (f"{RUN}/set_state", {"state": {"type": "COMPLETED"}}, "by hand"),
        (f"{RUN}/set_state", {"state": "RUNNING"}, "no JSON object"),
        (f"{RUN}/set_state", [1], "no JSON object"),
    ],
)
def test_no_more_than_to_start_answer_and_stop(
    path: str, body: Any, why: str, outputs: Path, door: tuple[TestClient, Asked, list[str]]
) -> None:
    client, asked, notes = door
    answer = client.post(f"/api/{path}", headers=given(outputs, "anna", "start"), json=body)
    assert answer.status_code == 403 and why in answer.json()["exception_message"]
    assert asked.header == b"" and "refused" in notes[-1]
    answer = client.post(f"/api/{path}", headers=given(outputs, "anna", "start"), content=b"[" * 100_000)
    assert answer.status_code == 403 and asked.header == b""


@pytest.mark.attack(
    "server", "people: job variables, which are commands on the worker, are left out of what they start"
)
def test_a_run_is_started_as_its_deployment_says(
    outputs: Path, door: tuple[TestClient, Asked, list[str]]
) -> None:
    """Prefect's new form sends the deployment's own job variables with each run: refused, nobody could start one there."""
    client, asked, _ = door
    sent = {
        "parameters": {"paper": "x"},
        "job_variables": {"command": "id"},
        "enforce_parameter_schema": False,
        "name": "n",
    }
    header = given(outputs, "anna", "start")
    assert client.post(f"/api/{DEPLOYMENT}/create_flow_run", headers=header, json=sent).status_code == 201
    assert json.loads(asked.body) == {"parameters": {"paper": "x"}, "name": "n", "tags": ["started-by:anna"]}


def test_what_is_sent_along_of_a_state_is_left_out(
    outputs: Path, door: tuple[TestClient, Asked, list[str]]
) -> None:
    client, asked, _ = door
    state = {
        "type": "PAUSED",
        "data": {"x": 1},
        "state_details": {"pause_timeout": "t", "run_input_keyset": {}},
    }
    client.post(f"/api/{RUN}/set_state", headers=given(outputs, "anna", "start"), json={"state": state})
    assert json.loads(asked.body) == {"state": {"type": "PAUSED", "state_details": {"pause_timeout": "t"}}}


def test_who_is_taken_out_or_gets_another_password_is_out_at_once(
    outputs: Path, door: tuple[TestClient, Asked, list[str]]
) -> None:
    client, asked, _ = door
    outputs.mkdir()
    first = given(outputs, "anna", "look")
    site = TestClient(Site(outputs, WHOLE, People(Place(outputs).people)), base_url="http://lab")
    assert site.get("/reprolab/").status_code == 401
    assert site.post("/reprolab/session", headers=first).status_code == 204
    assert site.get("/reprolab/").status_code == 200
    second = given(outputs, "anna", "look")
    assert site.get("/reprolab/").status_code == 401 == site.get("/reprolab/", headers=first).status_code
    assert (
        client.get("/api/flows/x", headers=first).status_code == 201
        and asked.header == first["authorization"].encode()
    )
    assert site.post("/reprolab/session", headers=second).status_code == 204
    assert put_out(outputs, "anna").startswith("anna is out")
    assert site.get("/reprolab/").status_code == 401 == site.get("/reprolab/", headers=second).status_code
    with pytest.raises(InputError, match="nobody of that name"):
        put_out(outputs, "anna")


def test_a_file_that_others_may_read_lets_nobody_in(
    outputs: Path, door: tuple[TestClient, Asked, list[str]]
) -> None:
    client, asked, _ = door
    header, file = given(outputs, "anna", "administer"), Place(outputs).people
    assert header["authorization"].split()[1] not in file.read_text() and "anna" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    client.get("/api/flows/x", headers=header)
    assert asked.header == header["authorization"].encode()  # Prefect refuses it
    with pytest.raises(InputError, match="others may read it"):
        listed(outputs)
    for text in ("{", "[]", '{"anna": {"role": "god", "sealed": "x"}}', '{"anna": 3}', "[" * 100_000):
        file.unlink(missing_ok=True)
        file.write_text(text)
        file.chmod(0o600)
        assert People(file).of(header["authorization"]) is None


@pytest.mark.parametrize("name", ["reprolab", "", "Anna", "a" * 32, "-a", "a:b", "../x"])
def test_names_are_plain(name: str, outputs: Path) -> None:
    with pytest.raises(InputError, match="no name of a person"):
        let_in(outputs, name, "look")
    assert name_of(name) == ("reprolab" if name == "reprolab" else "")


@pytest.mark.attack(
    "server", "people: live events and logs are read by whoever may look, and sent by those who administer"
)
def test_websockets_of_prefect_take_a_person(outputs: Path) -> None:
    header = given(outputs, "anna", "look")
    import base64

    token = base64.b64decode(header["authorization"].split()[1]).decode()
    with temporary_settings({PREFECT_SERVER_API_AUTH_STRING: WHOLE}):
        from prefect.server.api.server import create_app

        client = TestClient(
            Roles(create_app(ephemeral=True), People(Place(outputs).people), WHOLE, lambda _: None)
        )

        def said(path: str, password: str) -> Any:
            with client.websocket_connect(path, subprotocols=["prefect"]) as socket:
                socket.send_json({"type": "auth", "token": password})
                return socket.receive_json()

        for path in ("/api/events/out", "/api/logs/out"):
            assert said(path, token) == said(path, WHOLE) == {"type": "auth_success"}
            with pytest.raises(WebSocketDisconnect):
                said(path, f"{token}x")
        with pytest.raises(WebSocketDisconnect):
            said("/api/events/in", token)


def test_a_run_names_who_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "under_worker", lambda: False)
    assert opening.whoever_starts() == pwd.getpwuid(os.getuid()).pw_name
    monkeypatch.setattr(opening, "under_worker", lambda: True)
    for tags, name in ((["x", "started-by:anna"], "anna"), (["x"], ""), (["started-by:<b>"], "")):
        monkeypatch.setattr("prefect.runtime.flow_run.tags", tags, raising=False)
        assert opening.whoever_starts() == name


def test_a_run_that_waits_for_a_place_is_not_called_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_SERVER_SERVICES_LATE_RUNS_ENABLED", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        own = Server(Place(tmp_path), "p" * 24, listening, ("http://127.0.0.1",)).server_environment()
    assert own["PREFECT_SERVER_SERVICES_LATE_RUNS_ENABLED"] == "false"
