"""Prefect's embedded server as a child of ours: started before the heavy imports, ended with us, killed or not."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from types import TracebackType

from schemas.errors import PrerequisiteError

START_TIMEOUT_S = 180.0
# A shell that waits for the end of its input, which is the end of our process, and then ends the server.
_GUARD = 'read -r end; kill "$0" 2>/dev/null'


class EmbeddedServer:
    """A Prefect server on a free loopback port; nothing is started where PREFECT_API_URL names one already.

    Entering starts it and returns at once; `wait()` returns when it answers. Its database lies under PREFECT_HOME.
    """

    def __init__(self) -> None:
        self.own = not os.environ.get("PREFECT_API_URL")
        self._server: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> EmbeddedServer:
        if not self.own:
            return self
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self._server = subprocess.Popen(
            [sys.executable, "-P", "-m", "uvicorn", "--app-dir", "/", "--factory", "prefect.server.api.server:create_app",
             "--host", "127.0.0.1", "--port", str(port), "--log-level", "error", "--timeout-keep-alive", "5"],
            env={**os.environ, "PREFECT_LOGGING_SERVER_LEVEL": "CRITICAL"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self._guard = subprocess.Popen(["/bin/sh", "-c", _GUARD, str(self._server.pid)], stdin=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.environ["PREFECT_API_URL"] = f"http://127.0.0.1:{port}/api"
        return self

    def wait(self) -> None:
        """Return when the server answers. Raises PrerequisiteError if it ends or does not answer in time."""
        if self._server is None:
            return
        address, deadline = os.environ["PREFECT_API_URL"] + "/health", time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            if self._server.poll() is not None:
                raise PrerequisiteError("Prefect's embedded server ended at its start",
                                        found=f"exit code {self._server.returncode}",
                                        fix="PREFECT_HOME=<outputs>/.reprolab/prefect prefect server start  shows why; a "
                                            "damaged database may be deleted: finished results are kept elsewhere")
            with suppress(OSError), urllib.request.urlopen(address, timeout=5):
                return
            time.sleep(0.05)
        raise PrerequisiteError("Prefect's embedded server did not start in time", found=f"{START_TIMEOUT_S:.0f} s",
                                fix="try again on a less busy machine, or set PREFECT_API_URL to a running server")

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._server is None or self._guard is None:
            return
        os.environ.pop("PREFECT_API_URL", None)
        self._server.terminate()
        try:
            self._server.wait(10)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        self._guard.kill()
        self._guard.wait()
