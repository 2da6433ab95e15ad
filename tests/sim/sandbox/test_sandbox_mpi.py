"""What programs under MPI may do and others may not: it is counted instead."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.sandbox import scratch
from tests.sim.sandbox.sandbox_kit import Attack, attacker

pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(
        platform.machine() != "x86_64", reason="kernel calls are made here by their numbers on x86_64"
    ),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: nothing to attack"),
]


@pytest.fixture
def attack(level: str) -> Iterator[Attack]:
    with scratch("reprolab-evasion-") as home:
        yield attacker(home / "work", level)


@pytest.mark.parametrize("level", ["A"])
@pytest.mark.attack("sandbox", "MPI's programs may open sockets: their buffers count as memory")
@pytest.mark.parametrize("family", ["AF_UNIX", "AF_INET"])
def test_buffers_of_sockets_where_mpi_needs_them(attack: Attack, family: str) -> None:
    result = attack(
        """
        kept, server = [], socket.create_server(("127.0.0.1", 0))
        def pair():
            if sys.argv[1] == "AF_UNIX":
                return socket.socketpair()
            here = socket.create_connection(server.getsockname())
            return here, server.accept()[0]
        for _ in range(6):
            if os.fork() == 0:
                for _ in range(100):
                    kept.append(pair())
                    kept[-1][0].setblocking(False)
                    try:
                        while True: kept[-1][0].send(bytes(1 << 16))
                    except BlockingIOError:
                        time.sleep(0.01)
                time.sleep(20)
        time.sleep(20)
        """,
        family,
        mpi=True,
    )
    assert result.stop_reason == "memory", (
        result.stop_reason,
        result.peak_memory_mb,
        result.stderr_tail[-300:],
    )


@pytest.mark.parametrize("level", ["A"])
@pytest.mark.attack("sandbox", "MPI's programs may ignore children: a control group counts their CPU time")
def test_children_whose_end_is_ignored_where_mpi_needs_it(attack: Attack) -> None:
    if "cpu" not in attack("pass").cgroup:
        pytest.skip("no control group of version 2 can be made here")
    result = attack(
        """
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            if os.fork() == 0:
                until = time.process_time() + 0.03
                while time.process_time() < until: pass
                os._exit(0)
            time.sleep(0.05)
        """,
        limits={"cpu_s": 1, "wall_s": 60},
        mpi=True,
    )
    assert result.stop_reason == "cpu"
    groups = [path.name.removeprefix("reprolab-") for path in Path("/sys/fs/cgroup").rglob("reprolab-*")]
    assert all(Path("/proc", supervisor).exists() for supervisor in groups), "a group outlived its supervisor"
