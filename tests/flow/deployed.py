"""A team's set-up as processes: a server, a pool, `prefect deploy --all`, a worker, a model."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from blocks import MeepRuntime, ModelEndpoint, OutputsFolder
from tasks.reproduce.meep_interpreter import find_meep
from tests.flow import coating, warm
from tests.flow.bare import GOLD
from tests.flow.kit import PATIENCE_S, wait_until
from tests.messages_server import MessagesServer

ROOT = Path(__file__).resolve().parents[2]
SECRET, PASSWORD = "key-that-only-the-worker-knows", "lab:password-of-the-server"
PREFECT = [sys.executable, "-m", "prefect"]
DONE = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """As coating.answer; gold is prepared as well, so that there is something to look at."""
    found = coating.answer(request)
    if "plan" in found:
        found = {**found, "plan": {**found["plan"], "materials": [*found["plan"]["materials"], GOLD]}}
    return found


@dataclass
class Deployed:
    """A running server with both deployments, and a worker."""

    api: httpx.Client
    folder: Path
    model: MessagesServer

    def start(self, deployment: str, parameters: dict[str, Any]) -> str:
        """A flow run, as the page's button "Run" makes it; its id."""
        found = self.api.get(f"/deployments/name/{deployment}").json()
        wanted = {"parameters": parameters, "state": {"type": "SCHEDULED"}, "idempotency_key": str(uuid4())}

        made = self.post(f"/deployments/{found['id']}/create_flow_run", wanted)  # the key keeps it to one run
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def post(self, path: str, content: dict[str, Any]) -> httpx.Response:
        """The server's answer, asked again while SQLite is locked (503), as Prefect's own client does."""

        def answered() -> httpx.Response | None:
            reply = self.api.post(path, json=content)
            return None if reply.status_code == 503 else reply

        reply: httpx.Response = wait_until(answered, "the server's answer")
        return reply

    def resume(self, run: str, given: dict[str, Any]) -> dict[str, Any]:
        """What the server says to a form that is sent."""
        return dict(self.post(f"/flow_runs/{run}/resume", {"run_input": given}).json())

    def state(self, run: str) -> dict[str, Any]:
        """The state of a flow run."""
        return dict(self.api.get(f"/flow_runs/{run}").json()["state"])

    def wait(self, ready: Callable[[], Any], run: str, seconds: float = PATIENCE_S) -> Any:
        """What `ready` gives once it is true; fails with the worker's log when the run ends badly or in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = ready()
            if found:
                return found
            if self.state(run)["type"] in DONE[1:]:
                if found := ready():  # it came true between the two looks
                    return found
                break
            time.sleep(0.3)
        log = (self.folder / "worker.log").read_text(encoding="utf-8")[-3000:]
        raise AssertionError(f"{self.state(run)['name']}: {self.state(run)['message']}\n{log}")


@contextmanager
def deployment(folder: Path) -> Iterator[Deployed]:
    """Server with a password, pool for one run at a time, blocks, worker and both deployments, all below `folder`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/api"
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PREFECT_", "REPROLAB_", "ANTHROPIC_"))
    } | {
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": address,
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_WORKER_QUERY_SECONDS": "1",
        "PREFECT_API_AUTH_STRING": PASSWORD,
    }
    servers = environment | {
        "PREFECT_SERVER_API_AUTH_STRING": PASSWORD,
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": f"http://127.0.0.1:{port}",
        "PREFECT_SERVER_UI_API_URL": address,
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    }
    # REPROLAB_HOME is known to the worker only: nothing of the deploying computer may be in the deployment.
    workers = environment | {
        "REPROLAB_HOME": str(ROOT),
        "REPROLAB_OUTPUTS": str(folder / "outputs"),
        "REPROLAB_ALLOW_PAPERS": str(folder.parent),
        "LAB_KEY": SECRET,
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(folder / "results"),
    }
    subprocess.run(
        [sys.executable, "-c", "from flows.serving.new_database import begin_database; begin_database()"],
        cwd=ROOT,
        env=environment,
        check=True,
        timeout=PATIENCE_S,
    )  # the server's migrations, kept from an earlier start
    with (
        _process(
            [*PREFECT, "server", "start", "--host", "127.0.0.1", "--port", str(port)],
            folder,
            "server.log",
            servers,
        ),
        httpx.Client(base_url=address, timeout=120, auth=httpx.BasicAuth(*PASSWORD.split(":"))) as api,
        MessagesServer(answer, api_key=SECRET) as model,
    ):
        workers["REPROLAB_ALLOW_MODELS"] = f"LAB_KEY={model.base_url}"
        _healthy(api)
        _prefect(["work-pool", "create", "--type", "process", "reprolab"], environment)
        # the other two commands of the guide, without a process each
        simulates = {"name": "reprolab-simulate", "type": "process"}
        for ask in (
            partial(api.post, "/work_pools/", json=simulates),
            partial(api.patch, "/work_pools/reprolab", json={"concurrency_limit": 1}),
        ):  # refused for as long as SQLite is locked
            wait_until(lambda ask=ask: ask().is_success, "the server's pools")
        with temporary_settings({PREFECT_API_URL: address, PREFECT_API_AUTH_STRING: PASSWORD}):
            ModelEndpoint(base_url=model.base_url, key_variable="LAB_KEY", model_name="tiny").save("tiny")
            MeepRuntime(interpreter=find_meep().path).save("local")
            OutputsFolder(path=str(folder / "shared")).save("shared")
        with _process([*PREFECT, "worker", "start", "--pool", "reprolab"], folder, "worker.log", workers):
            _prefect(["--no-prompt", "deploy", "--all"], environment)
            yield Deployed(api, folder, model)


def _prefect(arguments: list[str], environment: dict[str, str]) -> None:
    """`prefect ARGUMENTS` in the project's folder, as a fork (tests/flow/warm.py)."""
    with tempfile.TemporaryFile() as told, open(os.devnull, "rb") as nothing:
        command = warm.parent().start(
            "prefect.__main__", arguments, environment, nothing.fileno(), told.fileno(), told.fileno()
        )
        code = command.wait(PATIENCE_S)
        told.seek(0)
        assert code == 0, told.read().decode(errors="replace")


@contextmanager
def _process(command: list[str], folder: Path, log: str, environment: dict[str, str]) -> Iterator[None]:
    """A process group of its own, ended with all it started."""
    with (folder / log).open("wb") as stream:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGKILL):
                try:
                    os.killpg(process.pid, number)
                    process.wait(15)
                except ProcessLookupError:
                    break
                except subprocess.TimeoutExpired:
                    continue
            process.wait()


def _healthy(api: httpx.Client) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            if api.get("/health").status_code == 200:
                return
        except httpx.TransportError:
            if time.monotonic() > end:
                raise
        time.sleep(0.2)
