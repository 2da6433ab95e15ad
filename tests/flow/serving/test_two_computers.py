"""Server, PostgreSQL and two workers on computers of their own, by the commands of the guide; one of the workers dies at work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flow.computers import CHECKOUT, SHARED, Computer, block_of_guide, computers, what_is_missing
from tests.flow.kit import wait_until

_MISSING = what_is_missing()
pytestmark = [
    pytest.mark.flow,
    pytest.mark.long,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "can be tried"),
]
_SERVER = "http://lab-server:4200"
# What Debian's package makes when it is installed, in folders that this computer alone has.
_INSTALLED = """
for folder in /etc/postgresql /var/lib/postgresql /var/log/postgresql /var/run/postgresql; do
  mount -t tmpfs -o mode=755 tmpfs $folder; chown postgres $folder
done
pg_createcluster 15 main --start
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Computer]]:
    with computers(
        tmp_path_factory.mktemp("lab") / "computers", "db-host", "lab-server", "lab-one", "lab-two"
    ) as found:
        database, server = found[:2]
        database.run(_INSTALLED)
        commands = block_of_guide("On `db-host`").splitlines()
        database.run("\n".join(line for line in commands if not line.startswith("apt-get ")))
        server.leave(block_of_guide("On `lab-server`").rstrip() + " --lost-after 40", "up.log")
        wait_until(lambda: "  stop  " in server.said("up.log"), "ReproLab is up", 400, 1)
        yield found


def test_a_worker_dies_and_the_other_computers_worker_ends_the_run(lab: list[Computer]) -> None:
    """The cable of the first is pulled and plugged in again: it goes on. Its power is cut: the run becomes Crashed, Retry goes on
    on the other, nothing that was finished is done again, and the report is reached at the server.

    CPU: a server, two workers, and all simulations of a paper."""
    database, server, one, two = lab
    shared, worker = one.folder / "shared", block_of_guide("On each computer that works")
    password = "reprolab:" + (shared / ".reprolab/up/password").read_text()

    def ask(method: str, path: str, content: Any = None) -> Any:
        return server.ask(method, f"{_SERVER}/api{path}", password, content)

    one.leave(worker, "worker.log")
    started = worker[: worker.index(".venv/bin/prefect worker")] + block_of_guide("A run is started")
    server.run(started)
    [run] = ask("POST", "/flow_runs/filter", {})

    def state() -> dict[str, Any]:
        return dict(ask("GET", f"/flow_runs/{run['id']}")["state"])

    def simulated() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in shared.glob(".reprolab/runs/*/*") if path.is_file()}

    wait_until(lambda: len(simulated()) > 8, "the first simulations", 600, 1)
    one.cable(False)
    with pytest.raises(AssertionError, match=r"urlopen|unreachable|timed out"):
        one.ask("GET", f"{_SERVER}/api/health", password)
    one.cable(True)
    before = len(simulated())
    wait_until(lambda: len(simulated()) > before, "more simulations", 300, 1)
    assert state()["type"] == "RUNNING"

    one.off()
    kept = simulated()
    answered = {path: path.stat().st_mtime_ns for path in shared.glob(".reprolab/results/call-*")}
    assert answered
    wait_until(lambda: state()["type"] == "CRASHED", "the end of the heartbeats", 300, 1)
    two.leave(worker, "worker.log")
    again = {"state": {"type": "SCHEDULED", "name": "AwaitingRetry"}, "force": True}
    ask("POST", f"/flow_runs/{run['id']}/set_state", again)
    wait_until(lambda: state()["type"] in ("COMPLETED", "FAILED", "CRASHED"), "the end of the run", 900, 2)

    ended = state()
    assert ended["type"] == "COMPLETED" and "9 of 9 SUCCESS" in ended["message"], (
        ended,
        two.said("worker.log"),
    )
    assert f"{_SERVER}/reprolab/runs/ge-on-gold/" in ended["message"]
    now = simulated()
    assert {path: now[path] for path in kept} == kept, "something finished was simulated again"
    [folder] = [path.parent for path in shared.glob("ge-on-gold/2*/run.json")]
    assert {path: path.stat().st_mtime_ns for path in answered} == answered, "an answer was asked for again"
    rows = database.run("su postgres -c \"psql -tA prefect -c 'SELECT count(*) FROM flow_run'\"")
    assert int(rows.split()[-1]) >= 1 and not (shared / ".reprolab/up/prefect/prefect.db").exists()
    listed = two.run(f"cd {CHECKOUT} && .venv/bin/reprolab status --outputs {SHARED}")
    assert folder.name[:15] in listed and "9 S 0 P 0 F" in listed


def test_commands_on_another_computer_touch_no_process_of_it(lab: list[Computer]) -> None:
    """`down` there ends nothing, as the number of the process belongs to another one; a second `up` says where the first is."""
    server, other = lab[1], lab[3]
    said = other.run(f"cd {CHECKOUT}; .venv/bin/reprolab down --outputs {SHARED} || echo refused $?")
    assert "up on another computer" in said and "on lab-server" in said and "refused 2" in said
    assert "stopping" not in server.said("up.log")
