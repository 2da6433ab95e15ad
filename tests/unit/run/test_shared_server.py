"""`reprolab doctor` asks a shared server as a stranger would, and says what that allowed."""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from flows.serving.shared_server import STRANGER, look_at_server
from schemas.errors import PrerequisiteError

pytestmark = pytest.mark.unit
SECRET = "lab:the-password-of-the-lab"


class Server:
    """Answers as Prefect's does with this password and these origins; `seen`: what was sent."""

    def __init__(self) -> None:
        self.secret, self.origins, self.status = "", "", 200
        self.seen: list[str] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                owner.seen.append(str(self.headers))
                wanted = "Basic " + base64.b64encode(owner.secret.encode()).decode()
                known = not owner.secret or self.headers.get("authorization") == wanted
                self.send_response(owner.status if known else 401)
                if owner.status == 302:
                    self.send_header("location", f"http://127.0.0.1:{owner.http.server_port}/login")
                if owner.origins and "origin" in self.headers:
                    self.send_header("access-control-allow-origin", owner.origins)
                self.send_header("content-length", "0")
                self.end_headers()

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        monkeypatch.delenv(name)
    found = Server()
    monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{found.http.server_port}/api")
    yield found
    found.http.shutdown()
    found.http.server_close()


@pytest.mark.attack("server", "doctor warns of a shared server without password or with any origin")
@pytest.mark.parametrize(
    "secret, origins, words",
    [
        ("", "*", ["PREFECT_SERVER_API_AUTH_STRING", "PREFECT_SERVER_CORS_ALLOWED_ORIGINS"]),
        ("", "", ["PREFECT_SERVER_API_AUTH_STRING"]),
        (SECRET, "*", ["PREFECT_SERVER_CORS_ALLOWED_ORIGINS"]),
        (SECRET, STRANGER, ["PREFECT_SERVER_CORS_ALLOWED_ORIGINS"]),
        (SECRET, "", []),
    ],
)
def test_what_a_stranger_may_do(
    server: Server, monkeypatch: pytest.MonkeyPatch, secret: str, origins: str, words: list[str]
) -> None:
    server.secret, server.origins = secret, origins
    if secret:
        monkeypatch.setenv("PREFECT_API_AUTH_STRING", secret)
    shown, warnings = look_at_server()
    assert shown == os.environ["PREFECT_API_URL"] and len(warnings) == len(words)
    assert all(word in warning for word, warning in zip(words, warnings, strict=True))
    assert "uthorization" not in server.seen[0] and STRANGER in server.seen[0]


@pytest.mark.parametrize("secret", [None, "lab:another"])
def test_a_server_that_refuses_us(
    server: Server, monkeypatch: pytest.MonkeyPatch, secret: str | None
) -> None:
    server.secret = SECRET
    if secret:
        monkeypatch.setenv("PREFECT_API_AUTH_STRING", secret)
    with pytest.raises(PrerequisiteError, match="refuses this computer") as caught:
        look_at_server()
    assert "HTTP 401" in str(caught.value) and "another" not in str(caught.value)


@pytest.mark.attack("secrets", "the server's password follows no redirect and stands in no message")
def test_a_server_that_sends_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.status = 302
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", SECRET)
    with pytest.raises(PrerequisiteError) as caught:
        look_at_server()
    assert len(server.seen) == 2 and "the-password" not in str(caught.value)
    monkeypatch.setenv("PREFECT_API_URL", f"http://lab:{SECRET}@127.0.0.1:1/api")
    with pytest.raises(PrerequisiteError, match="cannot be asked") as caught:
        look_at_server()
    assert "the-password" not in str(caught.value)


def test_without_a_shared_server_there_is_nothing_to_warn_of(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL")
    assert look_at_server()[1] == [] and not server.seen
