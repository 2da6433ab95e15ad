"""What runs in the embedded server's process: Prefect's server behind a door of ours. Started by path from server.py.

Prefect's own settings close the API (a password, one origin for CORS). The door adds what it has no setting for: only this
computer's own names are answered, so that no foreign name can be pointed here; requests that pages of other
origins send are refused before Prefect sees them; no page may show ours in a frame; and `/reprolab` signs a browser in.
"""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# + "#PASSWORD", "#NAME:PASSWORD" of a person, or one of them and "&FLOW-RUN-ID": what follows # stays in the browser
ENTRANCE = "/reprolab"
USER = "reprolab"
_SCRIPT = f"""
const [password, run] = location.hash.slice(1).split("&");
history.replaceState(null, "", location.pathname);
if (!password) location.replace("{ENTRANCE}/");
else if (/^([a-z][a-z0-9-]*:)?[A-Za-z0-9_-]{{20,}}$/.test(password)) {{
  localStorage.setItem("prefect-password", btoa(password.includes(":") ? password : "{USER}:" + password));
  location.replace(/^[0-9a-f-]{{36}}$/.test(run || "") ? "/v2/runs/flow-run/" + run : "/");
}} else {{ document.body.textContent = "This link is not whole: copy all of it from the terminal."; }}
"""
_PAGE = f"<!doctype html><meta charset=utf-8><title>ReproLab</title><body><script>{_SCRIPT}</script>".encode()
_HASH = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
_NO_FRAME = b"frame-ancestors 'none'"


class Door:
    """Lets in what was sent to one of `origins` by no page of another. beside: answers what is below the entrance."""

    def __init__(self, app: App, origins: list[str], beside: App | None = None):
        self.app, self.beside = app, beside
        self.origins = {origin.encode() for origin in origins}
        # The page calls no other computer, whatever it was built to tell: its own origins, which may be several names of ours.
        own = [*origins, *(origin.replace("http", "ws", 1) for origin in origins)]
        self.policy = _NO_FRAME + f"; connect-src 'self' {' '.join(own)}".encode()
        self.hosts = {origin.partition(b"//")[2] for origin in self.origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, websocket, or the server's own start and end."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        sent = [(name.lower(), value) for name, value in scope["headers"]]
        hosts = [value for name, value in sent if name == b"host"]
        if (
            len(hosts) != 1
            or hosts[0] not in self.hosts
            or any(value not in self.origins for name, value in sent if name == b"origin")
        ):
            return await _refuse(scope, send)
        if scope["type"] == "http" and scope["path"] == ENTRANCE:
            return await answer(
                send,
                200,
                _PAGE,
                b"default-src 'none'; frame-ancestors 'none'; script-src 'sha256-" + _HASH.encode() + b"'",
            )
        if scope["type"] == "http" and scope["path"].startswith(f"{ENTRANCE}/"):
            if self.beside is None:
                return await answer(
                    send, 404, b"this server shows no results; that of reprolab up does", _NO_FRAME
                )
            return await self.beside(scope, receive, send)

        header = (b"content-security-policy", self.policy)

        async def unframed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), header]}
            await send(message)

        await self.app(scope, receive, unframed)


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await answer(send, 403, b"this server answers this computer's own pages only", _NO_FRAME)


async def answer(
    send: Send, status: int, body: bytes, policy: bytes, kind: bytes = b"text/html; charset=utf-8"
) -> None:
    """Send an answer of our own."""
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", kind),
                (b"content-length", str(len(body)).encode()),
                (b"content-security-policy", policy),
                (b"referrer-policy", b"no-referrer"),
                (b"cache-control", b"no-store"),
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})


def write_at_once() -> None:
    """Let SQLite's transactions wait for their turn.

    Prefect begins most of them as readers; one that writes later fails at once, without waiting, when another wrote in between
    ("database is locked"). A request is asked again, but events that automations wait for were lost (seen with two runs).
    """
    from prefect.server.database.configurations import AioSqliteConfiguration

    begin = AioSqliteConfiguration.begin_transaction

    def at_once(self: AioSqliteConfiguration, session: Any, with_for_update: bool = False) -> Any:
        return begin(self, session, with_for_update=True)

    AioSqliteConfiguration.begin_transaction = at_once  # type: ignore[method-assign]


def main(
    listening: socket.socket, beside: App | None = None, behind: Callable[[App], App] = lambda app: app
) -> None:
    """Serve Prefect on a socket that is bound and listens already, and `beside` below the entrance. behind: what Prefect gets its
    requests through. Settings come from the environment."""
    import uvicorn
    from prefect.server.api.server import create_app

    from flows.serving.new_database import begun_database

    write_at_once()
    origins = os.environ["PREFECT_SERVER_CORS_ALLOWED_ORIGINS"].split(",")
    if not os.environ.get("PREFECT_SERVER_API_AUTH_STRING"):
        raise SystemExit("this server needs a password")
    with begun_database():
        config = uvicorn.Config(
            Door(behind(create_app()), origins, beside),
            log_level="error",
            timeout_keep_alive=5,
            proxy_headers=False,
        )
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
