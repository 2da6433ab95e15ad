"""One Prefect server for all flow tests that do not test the embedded one."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import ledger
from tests.flow.kit import ROOT, Bench, wait_until


@pytest.fixture(scope="session")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a Prefect server on a free port with a database of its own, the same for all processes of xdist."""
    folder = _of_all(tmp_path_factory) / "prefect-of-all"
    session = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "port").exists():
            _start(folder, session)
    return f"http://127.0.0.1:{(folder / 'port').read_text()}/api"


def _of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the whole session, the same for all processes of xdist."""
    found = tmp_path_factory.getbasetemp()
    return found.parent if "PYTEST_XDIST_WORKER" in os.environ else found


@pytest.fixture(scope="session")
def solved_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where what flow tests solved is kept."""
    return _of_all(tmp_path_factory) / "solved-of-all"


@pytest.fixture
def solved(request: pytest.FixtureRequest, solved_before: Path) -> Path | None:
    """The same for this test; None where it solves all itself."""
    return None if request.node.get_closest_marker("solves") else solved_before


def _start(folder: Path, session: int) -> None:
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.flow.server", str(folder), str(session)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    ledger.apart(f"{ledger.SERVER}-{session}", server.pid)

    def healthy() -> bool:
        assert server.poll() is None, (folder / "log").read_text()[-3000:]
        try:
            port = (folder / "port").read_text()
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=5).status == 200
        except (urllib.error.URLError, OSError):
            return False

    wait_until(healthy, "the Prefect server's answer")


@pytest.fixture
def bench(tmp_path: Path, prefect_api: str, solved: Path | None) -> Iterator[Bench]:
    """The coating paper and a place for runs of it."""
    found = Bench(tmp_path, prefect_api, solved=solved)
    yield found
    found.close()


@pytest.fixture
def benches(tmp_path: Path, prefect_api: str, solved: Path | None) -> Iterator[Callable[..., Bench]]:
    """A maker of benches with another paper."""
    made: list[Bench] = []

    def make(write: Callable[[Path], Path], anew: bool = False) -> Bench:
        made.append(Bench(tmp_path, prefect_api, write, anew, solved))
        return made[-1]

    yield make
    for item in made:
        item.close()
