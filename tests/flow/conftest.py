"""One Prefect server for all flow tests that do not test the embedded one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.flow.kit import Bench, wait_until


@pytest.fixture(scope="session")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a Prefect server of this session's own, on a free port with a database of its own."""
    home = tmp_path_factory.mktemp("prefect")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    env = {k: v for k, v in os.environ.items() if not k.startswith("PREFECT_")} | {
        "PREFECT_HOME": str(home), "PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1",
        "PREFECT_LOGGING_SERVER_LEVEL": "ERROR", "PREFECT_UI_ENABLED": "false"}
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port), "--no-ui"],
            env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def healthy() -> bool:
        assert server.poll() is None, (home / "server.log").read_text()[-3000:]
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=5).status == 200
        except (urllib.error.URLError, OSError):
            return False

    try:
        wait_until(healthy, "the Prefect server's answer", 120)
        yield f"http://127.0.0.1:{port}/api"
    finally:
        server.terminate()
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.fixture
def bench(tmp_path: Path, prefect_api: str) -> Iterator[Bench]:
    """The coating paper and a place for runs of it."""
    found = Bench(tmp_path, prefect_api)
    yield found
    found.close()


@pytest.fixture
def benches(tmp_path: Path, prefect_api: str) -> Iterator[Callable[..., Bench]]:
    """A maker of benches with another paper."""
    made: list[Bench] = []

    def make(write: Callable[[Path], Path]) -> Bench:
        made.append(Bench(tmp_path, prefect_api, write))
        return made[-1]

    yield make
    for item in made:
        item.close()
