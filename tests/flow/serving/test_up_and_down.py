"""The whole story of `reprolab up`, as a user of one computer lives it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from flows.serving.shared_server import look_at_server
from flows.up.guard import runs_of
from tests.flow import coating
from tests.flow.coating import write_paper
from tests.flow.deployed import SECRET, Deployed
from tests.flow.kit import wait_until
from tests.messages_server import MessagesServer

pytestmark = [pytest.mark.flow, pytest.mark.long, pytest.mark.timeout(600)]
_WAIT_S = 240


@contextmanager
def _told() -> Iterator[tuple[str, list[str]]]:
    """A webhook's address, and the subjects that it was sent."""
    subjects: list[str] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            subjects.append(json.loads(self.rfile.read(int(self.headers["content-length"])))["subject"])
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/secret-of-the-hook", subjects
        server.shutdown()


class _Up:
    """`reprolab up` in a folder."""

    def __init__(self, folder: Path, environment: dict[str, str], port: int):
        self.folder, self.port = folder, port
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PREFECT_", "REPROLAB_", "ANTHROPIC_"))
        } | environment
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it says what to do next."""
        with (self.folder / "up.log").open("a") as log:
            self.process = subprocess.Popen(
                self._command(),
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                text=True,
            )
        said = len(self.said())

        def ready() -> bool:
            assert self.process is not None and self.process.poll() is None, self.said()
            return "stop  " in self.said()[said:]

        wait_until(ready, "ReproLab is up", _WAIT_S)

    def said(self) -> str:
        return (self.folder / "up.log").read_text()

    def again(self) -> subprocess.CompletedProcess[str]:
        """The same command while it is up."""
        return subprocess.run(
            self._command(),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def end(self) -> None:
        """Ctrl-C."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(120) == 0

    def worker(self) -> int:
        """The worker's process."""
        assert self.process is not None
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if (
                    "\0worker\0start\0--pool\0reprolab\0" in Path(f"/proc/{name}/cmdline").read_text()
                    and int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
                    == self.process.pid
                ):
                    return int(name)
            except OSError:
                continue
        raise AssertionError("no worker")

    def _command(self) -> list[str]:
        return [
            sys.executable,
            "-m",
            "flows.cli",
            "up",
            "--outputs",
            str(self.folder / "out"),
            "--port",
            str(self.port),
            "--lost-after",
            "40",
        ]


def test_up_asked_told_ended_up_again_and_a_killed_run_is_crashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    paper = write_paper(tmp_path / "coating")
    with _told() as (hook, subjects), MessagesServer(coating.answer, api_key=SECRET) as model:
        up = _Up(
            tmp_path,
            {
                "XDG_STATE_HOME": str(tmp_path / "state"),
                "REPROLAB_NOTIFY": f"webhook={hook}",
                "REPROLAB_ALLOW_PAPERS": str(tmp_path),
                "REPROLAB_ALLOW_MODELS": model.base_url,
                "ANTHROPIC_API_KEY": SECRET,
            },
            port,
        )
        try:
            up.start()
            password = (tmp_path / "out/.reprolab/up/password").read_text()
            assert f"http://127.0.0.1:{port}/reprolab#{password}" in up.said()
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}/api", timeout=60, auth=("reprolab", password)
            ) as api:
                _story(
                    up, Deployed(api, tmp_path / "out/.reprolab/logs", model), paper, subjects, monkeypatch
                )
        finally:
            if up.process is not None and up.process.poll() is None:
                up.process.terminate()
                up.process.wait(120)
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    printed = {"up.log", "terminal.log"}
    for secret, where in (
        (password, {"password", *printed}),
        (hook.rpartition("/")[2], set()),
        (SECRET, set()),
    ):
        assert {path.name for path in kept if secret.encode() in path.read_bytes()} <= where


def _story(
    up: _Up, page: Deployed, paper: Path, subjects: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    api, settings = page.api, {"model": {"kind": "anthropic", "base_url": page.model.base_url}}
    assert (
        httpx.get(f"{api.base_url}health").status_code == 200
        and httpx.get(f"{api.base_url}flows").status_code == 401
    )
    monkeypatch.setenv("PREFECT_API_URL", str(api.base_url))
    monkeypatch.setenv(
        "PREFECT_API_AUTH_STRING", f"reprolab:{(up.folder / 'out/.reprolab/up/password').read_text()}"
    )
    assert look_at_server()[1] == []
    names = {deployment["name"] for deployment in api.post("/deployments/filter", json={}).json()}
    assert {"reproduce", "explore", "study", "simulate", "regress", "regress-all"} <= names

    run = page.start("reproduce/reproduce", {"paper": str(paper), "settings": settings})
    page.wait(lambda: page.state(run)["type"] == "PAUSED", run)
    wait_until(
        lambda: any("a question waits" in subject for subject in subjects),
        "a word about the question",
        _WAIT_S,
    )

    _results(page, run)

    bought = len(page.model.requests)
    up.end()
    assert "runs that were at work: 1;" in up.said() and "continues by itself: 1" in up.said()
    deployed = (up.folder / "out/.reprolab/logs/deploy.log").read_bytes()
    up.start()
    page.wait(lambda: page.state(run)["type"] == "PAUSED", run)
    assert len(page.model.requests) == bought, "the run that went on bought something again"
    assert (up.folder / "out/.reprolab/logs/deploy.log").read_bytes() == deployed, "nothing had changed"

    worker = up.worker()
    for process in (worker, *runs_of(worker)):
        os.kill(process, signal.SIGKILL)
    assert "already up at" in up.again().stderr  # while heartbeats are missed
    wait_until(lambda: page.state(run)["type"] == "CRASHED", "the end of the heartbeats", _WAIT_S)
    assert "No heartbeat" in page.state(run)["message"]
    wait_until(
        lambda: any(subject.endswith("is Crashed") for subject in subjects), "a word about the crash", _WAIT_S
    )
    assert "the worker had ended; it is started again" in up.said()

    _terminal(up, page, paper)


def _results(page: Deployed, run: str) -> None:
    """The run is in the list below /reprolab/, for whoever has the password; its log says where."""
    site = str(page.api.base_url).replace("/api/", "/reprolab/")
    assert httpx.get(site).status_code == 401
    listed = page.api.get(site).text
    assert "1 of 1 runs" in listed and "waits for a person" in listed
    wanted = {"logs": {"flow_run_id": {"any_": [run]}}}

    def told() -> list[str]:
        said = [entry["message"] for entry in page.api.post("/logs/filter", json=wanted).json()]
        return [text.rpartition(" ")[2] for text in said if text.startswith("its results in a browser: ")]

    [address] = wait_until(told, "the results' address in the log", _WAIT_S)
    shown = page.api.get(address)
    assert address.startswith(site) and shown.status_code == 200 and "There is no report yet" in shown.text


def _terminal(up: _Up, page: Deployed, paper: Path) -> None:
    """A command over the same outputs: its run is on the page of `up`, and it ends with `up`, saying how to go on."""
    command = [
        sys.executable,
        "-m",
        "flows.cli",
        "reproduce",
        str(paper),
        "--outputs",
        str(up.folder / "out"),
        "--model",
        "anthropic",
        "--base-url",
        page.model.base_url,
    ]
    with (up.folder / "terminal.log").open("w") as log:
        terminal = subprocess.Popen(
            command, cwd=up.folder, env=up.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )

    def asked() -> bool:
        assert terminal.poll() is None, (up.folder / "terminal.log").read_text()
        return bool(
            page.api.post(
                "/flow_runs/filter",
                json={
                    "flow_runs": {
                        "deployment_id": {"is_null_": True},
                        "state": {"type": {"any_": ["PAUSED"]}},
                    }
                },
            ).json()
        )

    wait_until(asked, "the question of a terminal's run", _WAIT_S)
    up.end()
    assert terminal.wait(60) == 143
    said = (up.folder / "terminal.log").read_text()
    assert "using the Prefect server that `up` runs" in said and "reprolab resume " in said
