"""Prefect's embedded server as a child of ours: started before the heavy imports, ended with us, killed or not.

It has a password of its own for each start, in the environment of two processes and in the links that a terminal shows.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from agents.models.address import without_credentials
from flows.serving import server_app
from flows.serving.runtime import BATCHES, HEARTBEAT_S, HEARTBEATS, NOTHING_DEPLOYED
from flows.up.joined import Joined, ends_with, up_over
from schemas.errors import PrerequisiteError

START_TIMEOUT_S = 180.0
# A shell that waits for the end of its input, which is the end of our process, and then ends the server.
_GUARD = 'read -r end; kill "$0" 2>/dev/null'

_PASSWORDS: dict[str, str] = {}  # of servers that this process started, by the address of their API
_FOR_CLIENTS = ("PREFECT_API_URL", "PREFECT_API_AUTH_STRING", HEARTBEATS)


class EmbeddedServer:
    """A Prefect server on a free loopback port; nothing is started where PREFECT_API_URL names one already, or where
    `reprolab up` serves the same outputs folder.

    Entering starts it and returns at once; `wait()` returns when it answers. Its database lies under PREFECT_HOME.
    outputs: the folder whose `reprolab up` is used; without it one of our own is started.
    """

    def __init__(self, outputs: Path | None = None) -> None:
        named = bool(os.environ.get("PREFECT_API_URL"))
        self.joined: Joined | None = None if named or outputs is None else up_over(outputs)
        self.own = not named and self.joined is None
        self._stop_watching: Callable[[], None] = lambda: None
        self._server: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._before: dict[str, str | None] = {}

    def __enter__(self) -> EmbeddedServer:
        self._before = {name: os.environ.get(name) for name in _FOR_CLIENTS}
        if self.joined is not None:
            self._stop_watching = ends_with(self.joined)
            self._tell_clients(self.joined.api, self.joined.password)
            os.environ.setdefault(
                HEARTBEATS, str(HEARTBEAT_S)
            )  # so that its page can tell a run that was killed
        elif self.own:
            self._start(secrets.token_urlsafe(24))
        return self

    def _tell_clients(self, api: str, password: str) -> None:
        os.environ.update(
            {"PREFECT_API_URL": api, "PREFECT_API_AUTH_STRING": f"{server_app.USER}:{password}"}
        )
        _PASSWORDS[api] = password

    def _start(self, password: str) -> None:
        whole = f"{server_app.USER}:{password}"
        # Bound here and handed on: between two binds another user could take the port, and be sent the password.
        with socket.create_server(("127.0.0.1", 0), backlog=512) as listening:
            origins = [f"http://{host}:{listening.getsockname()[1]}" for host in ("127.0.0.1", "localhost")]
            api = f"{origins[0]}/api"
            self._server = subprocess.Popen(
                [sys.executable, "-P", str(Path(server_app.__file__).resolve()), str(listening.fileno())],
                env={
                    **BATCHES,
                    **NOTHING_DEPLOYED,
                    **{
                        name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")
                    },
                    "PREFECT_LOGGING_SERVER_LEVEL": "CRITICAL",
                    "PREFECT_SERVER_API_AUTH_STRING": whole,
                    "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": ",".join(origins),
                    "PREFECT_SERVER_UI_API_URL": api,
                },
                cwd="/",
                pass_fds=[listening.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, str(self._server.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._tell_clients(api, password)

    def wait(self) -> None:
        """Return when the server answers. Raises PrerequisiteError if it ends or does not answer in time."""
        if self._server is None and self.joined is None:
            return
        address, deadline = os.environ["PREFECT_API_URL"] + "/health", time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            if self._server is not None and self._server.poll() is not None:
                raise PrerequisiteError(
                    "Prefect's embedded server ended at its start",
                    found=f"exit code {self._server.returncode}",
                    fix="PREFECT_HOME=<outputs>/.reprolab/prefect prefect server start  shows why; a "
                    "damaged database may be deleted: finished results are kept elsewhere",
                )
            with suppress(OSError), urllib.request.urlopen(address, timeout=5):
                return
            time.sleep(0.05)
        raise PrerequisiteError(
            "Prefect's embedded server did not start in time",
            found=f"{START_TIMEOUT_S:.0f} s",
            fix="try again on a less busy machine, or set PREFECT_API_URL to a running server",
        )

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stop_watching()
        if not self.own and self.joined is None:
            return
        _PASSWORDS.pop(os.environ["PREFECT_API_URL"], None)
        for name, value in self._before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        if self._server is None or self._guard is None:
            return
        self._server.terminate()
        try:
            self._server.wait(10)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        self._guard.kill()
        self._guard.wait()


def page_of(flow_run_id: str = "") -> str:
    """Address of Prefect's page, or of a flow run there. A link to our own server holds its password: who has it may answer."""
    api = os.environ.get("PREFECT_API_URL", "")
    if api in _PASSWORDS:
        return f"{api.removesuffix('/api')}{server_app.ENTRANCE}#{_PASSWORDS[api]}" + (
            f"&{flow_run_id}" if flow_run_id else ""
        )
    site = without_credentials(os.environ.get("PREFECT_UI_URL") or api.removesuffix("/api"))
    return f"{site}/runs/flow-run/{flow_run_id}" if flow_run_id else site
