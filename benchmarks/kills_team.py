"""The server, the pool and the workers of `benchmarks.kills`: each can be killed and started again with everything kept."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import httpx

from tests.flow.deployed import DONE, PREFECT, ROOT
from tests.flow.kit import processes_with, wait_until

_START_S = 600.0


class Team:
    """A server on a fixed port with its database in a folder, the deployments, and one worker at a time.

    In a folder that an earlier one left it goes on with that one's database.
    """

    delay_s = (
        8.0  # a worker's polling and the start of a flow run's process come on top of a run's own length
    )

    def __init__(self, folder: Path, paper: Path):
        folder.mkdir(exist_ok=True)
        self.folder, self.paper, self.outputs = folder, paper, folder / "outputs"
        self.outputs.mkdir(exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.api, self.password = f"http://127.0.0.1:{self._port}/api", "lab:benchmark"
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PREFECT_", "REPROLAB_", "ANTHROPIC_"))
        } | {
            "PREFECT_HOME": str(folder / "prefect"),
            "PREFECT_API_URL": self.api,
            "DO_NOT_TRACK": "1",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_API_AUTH_STRING": self.password,
            "PREFECT_SERVER_API_AUTH_STRING": self.password,
            "PREFECT_WORKER_QUERY_SECONDS": "1",
        }
        self._server: subprocess.Popen[bytes] | None = None
        self._worker: subprocess.Popen[bytes] | None = None
        self._mark = f"kills-{uuid4().hex[:8]}"
        self._http = httpx.Client(
            base_url=self.api, timeout=60, auth=httpx.BasicAuth(*self.password.split(":"))
        )

    def __enter__(self) -> Self:
        self.start_server()
        if (self.folder / "deployed").exists():
            return self
        pools = [
            ["work-pool", "create", "--type", "process", name] for name in ("reprolab", "reprolab-simulate")
        ]
        for words in (*pools, ["--no-prompt", "deploy", "--all"]):
            done = subprocess.run(
                [*PREFECT, *words],
                cwd=ROOT,
                env=self._environment,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=_START_S,
            )
            if done.returncode:
                raise SystemExit(done.stdout + done.stderr)
        (self.folder / "deployed").touch()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill_worker()
        self.kill_server()
        self._http.close()

    def start_server(self) -> None:
        """Start it on its port and database; returns when it answers."""
        words = ["server", "start", "--host", "127.0.0.1", "--port", str(self._port), "--no-ui"]
        self._server = self._started(words, "server", {})
        wait_until(self._healthy, "the server's answer", _START_S)

    @property
    def server_pid(self) -> int:
        """The process of the server."""
        assert self._server is not None
        return self._server.pid

    def kill_server(self) -> None:
        """SIGKILL to it and what it started."""
        _killed(self._server)

    def start_worker(self, more: dict[str, str]) -> None:
        """One worker of the pool."""
        self._worker = self._started(
            ["worker", "start", "--pool", "reprolab"],
            "worker",
            {
                "REPROLAB_HOME": str(ROOT),
                "REPROLAB_OUTPUTS": str(self.outputs),
                "REPROLAB_TEST": self._mark,
                "REPROLAB_ALLOW_PAPERS": f"{self.paper.parent}:{self.folder}",
                "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(self.folder / "results"),
                **more,
            },
        )

    def kill_worker(self) -> None:
        """SIGKILL to it, the run it works on, and every simulation of that."""
        _killed(self._worker)
        for pid in processes_with(self._mark):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        wait_until(lambda: not processes_with(self._mark), "the end of the worker's processes", 60)

    def allowed(self, transcript: Path) -> Path:
        """A copy of a recording where the worker may read."""
        return Path(shutil.copy(transcript, self.folder / transcript.name))

    def start_run(self, parameters: dict[str, Any]) -> str:
        """A flow run as the form makes it; its id."""
        found = self._asked("GET", "/deployments/name/reproduce/reproduce")
        made = self._asked(
            "POST",
            f"/deployments/{found['id']}/create_flow_run",
            {"parameters": parameters, "state": {"type": "SCHEDULED"}, "idempotency_key": str(uuid4())},
        )
        return str(made["id"])

    def state(self, run: str) -> dict[str, Any]:
        """The state of a flow run."""
        return dict(self._asked("GET", f"/flow_runs/{run}")["state"])

    def over(self, run: str) -> bool:
        """Whether it is in a state that ends it, other than Crashed."""
        return self.state(run)["type"] in DONE and self.state(run)["type"] != "CRASHED"

    def retry_until_over(self, run: str, patience_s: float) -> None:
        """What a person does: Retry when the run stands still without anybody working on it."""
        end = time.monotonic() + patience_s
        while time.monotonic() < end and not self.over(run):
            if not self._engines():
                time.sleep(2 * self.delay_s)  # the worker may be about to start it
                if not self._engines() and not self.over(run):
                    self._asked(
                        "POST",
                        f"/flow_runs/{run}/set_state",
                        {
                            "state": {"type": "SCHEDULED", "name": "AwaitingRetry", "message": "Retry"},
                            "force": True,
                        },
                    )
                    time.sleep(2 * self.delay_s)
            time.sleep(0.5)

    def _engines(self) -> list[int]:
        return [
            pid
            for pid in processes_with(self._mark)
            if b"prefect.engine" in _command(pid) or b"flow-run" in _command(pid)
        ]

    def _asked(self, method: str, path: str, content: dict[str, Any] | None = None) -> dict[str, Any]:
        def answered() -> httpx.Response | None:
            try:
                reply = self._http.request(method, path, json=content)
            except httpx.TransportError:
                return None
            return None if reply.status_code == 503 else reply

        reply: httpx.Response = wait_until(answered, "the server's answer", 120)
        reply.raise_for_status()
        return dict(reply.json())

    def _healthy(self) -> bool:
        try:
            return self._http.get("/health").status_code == 200
        except httpx.TransportError:
            return False

    def _started(self, words: list[str], name: str, more: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [*PREFECT, *words],
                cwd=self.folder,
                env=self._environment | more,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _killed(process: subprocess.Popen[bytes] | None) -> None:
    if process is not None and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
