"""A run that waits for an answer on its own server, and those who have no business there: web pages, other users."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.flow import bare
from tests.flow.kit import Bench, Cli

KEY, PASSWORD, QUERY = "sk-ant-the-key-of-the-house", "hunter2-of-the-gateway", "query-of-the-gateway"
ANSWER = {"run_input": {"choice": "approve", "text": ""}}
STRANGER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@dataclass
class Paused:
    """A run that waits for its answer: its process, its server, and the link its terminal shows."""

    bench: Bench
    cli: Cli
    link: str
    site: str
    password: str
    run_id: str
    elsewhere: str

    @property
    def authorization(self) -> str:
        return "Basic " + base64.b64encode(f"reprolab:{self.password}".encode()).decode()

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        """Status and text of a request with these headers."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.site + path, data, {"content-type": "application/json", **sent})
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    @property
    def state(self) -> str:
        """The state's type, asked with the password."""
        status, text = self.ask(f"/api/flow_runs/{self.run_id}", authorization=self.authorization)
        assert status == 200, text
        return str(json.loads(text)["state"]["type"])


def answerer() -> Callable[[dict[str, Any]], Any]:
    """Bare glass; the first request fails with words that repeat every secret that was sent, and so does an answer."""
    first, words = threading.Event(), f"sent were {KEY}, {PASSWORD} and {QUERY}"

    def answer(request: dict[str, Any]) -> Any:
        if not first.is_set():
            first.set()
            raise RuntimeError(words)
        found = bare.answer(request)
        return {**found, "explanation": words} if "explanation" in found else found

    return answer


class Stranger:
    """`with Stranger() as address:` a web server of another origin."""

    def __enter__(self) -> str:
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>a stranger</title><body>")

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return f"http://stranger.test:{self.http.server_port}/"

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()
        self.http.server_close()


def answering(paused: Paused, authorization: str) -> str:
    """The script by which Prefect's page answers."""
    return (
        f"fetch('/api/flow_runs/{paused.run_id}/resume', {{method: 'POST', body: '{json.dumps(ANSWER)}', headers: "
        f"{{'content-type': 'application/json', authorization: {authorization}}}}})"
    )


def all_processes() -> list[int]:
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and int(entry.name) != os.getpid()
    ]


def environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def as_another(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*STRANGER, *command],
        capture_output=True,
        text=True,
        cwd="/",
        timeout=60,
        env={"PATH": os.environ["PATH"]},
    )
