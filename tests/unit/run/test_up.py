"""`reprolab up` in parts: its folder, what it is told, what it puts on the server, how it ends processes."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
import yaml

from flows.commands.up import database_of
from flows.explore.outcome import INCOMPLETE, NOTHING
from flows.reproduce.outcome import ENDS, NOT_TESTED
from flows.run.endings import OTHER_COURSE, STOPPED
from flows.serving.runtime import check_packages
from flows.study.outcome import OBJECTED
from flows.up import guard
from flows.up.api import Api
from flows.up.automations import applied, apply, shipped
from flows.up.joined import up_over
from flows.up.logs import Log
from flows.up.lost import mark_lost
from flows.up.notifying import content, targets
from flows.up.place import only_one, open_place, password_of, who_is_up, write_record
from flows.up.running import origins_of
from schemas.errors import InputError

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def _own_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.attack("secrets", "only its owner can read the password; it stays the same")
def test_the_password_is_kept_and_closed_to_others(tmp_path: Path) -> None:
    place = open_place(tmp_path / "out")
    password = password_of(place)
    assert len(password) >= 32 and password_of(open_place(tmp_path / "out")) == password
    kept = place.home / "password"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600 and stat.S_IMODE(place.home.stat().st_mode) == 0o700
    kept.chmod(0o644)
    with pytest.raises(InputError, match="not yours alone"):
        password_of(place)


@pytest.mark.attack("parameters", "a server's data that came with a folder are not served")
def test_a_folder_that_somebody_else_filled_is_refused(tmp_path: Path) -> None:
    theirs = tmp_path / "download" / ".reprolab" / "up"
    theirs.mkdir(parents=True)
    (theirs / "made-here").write_text("0" * 32)
    (theirs / "made-here").chmod(0o600)
    with pytest.raises(InputError, match="was not made by"):
        open_place(tmp_path / "download")
    open_place(tmp_path / "download", adopt=True)
    open_place(tmp_path / "download")

    open_place(tmp_path / "mine")
    (tmp_path / "mine").rename(tmp_path / "moved")
    with pytest.raises(InputError, match="--adopt"):
        open_place(tmp_path / "moved")


@pytest.mark.attack("parameters", "a folder that is a link elsewhere is refused")
def test_a_linked_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out" / ".reprolab").mkdir(parents=True)
    (tmp_path / "out" / ".reprolab" / "logs").symlink_to(tmp_path)
    with pytest.raises(InputError, match="is a link"):
        open_place(tmp_path / "out")


def test_one_is_up_and_the_next_start_knows_what_was(tmp_path: Path) -> None:
    place = open_place(tmp_path / "out")
    assert who_is_up(place) is None
    with only_one(place) as last:
        assert last == {}
        write_record(place, {"pid": 7, "address": "http://127.0.0.1:4200"})
        with only_one(place) as second:
            assert second is None
        assert who_is_up(place) == {"pid": 7, "address": "http://127.0.0.1:4200"}
    assert who_is_up(place) is None
    with only_one(place) as last:
        assert last is not None and last["pid"] == 7


@pytest.mark.parametrize(
    "address, alone, joined",
    [
        ("http://127.0.0.1:4200/api", True, True),
        ("http://127.0.0.1:4200/api", False, False),
        ("http://10.0.0.2:4200/api", True, False),
    ],
)
def test_a_terminal_uses_a_server_that_listens_on_this_computer_alone(
    tmp_path: Path, address: str, alone: bool, joined: bool
) -> None:
    outputs = tmp_path / "out"
    assert up_over(outputs) is None, "nothing was ever up here"
    place = open_place(outputs)
    password = password_of(place)
    with only_one(place):
        write_record(place, {"pid": 7, "api": address, "alone": alone})
        found = up_over(outputs)
        assert (found is not None) == joined and (
            not joined or found is not None and found.password == password
        )
    assert up_over(outputs) is None, "whoever was up is gone"


def test_a_terminal_uses_no_server_of_unknown_origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = open_place(tmp_path / "out")
    password_of(place)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another account's"))
    with only_one(place):
        write_record(place, {"pid": 7, "api": "http://127.0.0.1:4200/api", "alone": True})
        assert up_over(tmp_path / "out") is None


def test_pages_are_answered_under_the_names_of_the_server_only() -> None:
    assert origins_of("127.0.0.1", 4200) == ("http://127.0.0.1:4200", "http://localhost:4200")
    assert origins_of("lab", 80, "https://reprolab.example/")[:2] == (
        "https://reprolab.example",
        "http://lab:80",
    )
    assert len(origins_of("0.0.0.0", 4200)) >= 3 and not any(
        "0.0.0.0" in origin for origin in origins_of("0.0.0.0", 4200)
    )


def test_addresses_to_tell_are_checked_and_never_repeated() -> None:
    assert targets([]) is None and targets(["none"]) == {}
    assert targets(
        ["webhook=https://hooks.example/x", "email=mailto://mail.example?from=a@b.c&to=d@e.f"]
    ) == {"webhook": "https://hooks.example/x", "email": "mailto://mail.example?from=a@b.c&to=d@e.f"}
    for wrong in (
        "https://hooks.example/secret",
        "webhook=file:///secret",
        "email=http://secret",
        "pigeon=https://secret",
        "webhook=https://secret:port/",
    ):
        with pytest.raises(InputError) as refused:
            targets([wrong])
        assert "secret" not in str(refused.value)
    assert content("webhook", "https://hooks.example/s")["secrets"] == {
        "url": "https://hooks.example/s"
    }  # not its url: shown


def test_a_database_is_postgresql_and_its_password_is_never_repeated() -> None:
    assert database_of("") == ""
    assert (
        database_of("postgres://u:secret@h/n")
        == database_of("postgresql+asyncpg://u:secret@h/n")
        == ("postgresql+asyncpg://u:secret@h/n")
    )
    for wrong in ("mysql://u:secret@h/n", "secret", "postgresql://"):
        with pytest.raises(InputError) as refused:
            database_of(wrong)
        assert "secret" not in str(refused.value)


def test_every_automation_is_applied_as_its_file_says() -> None:
    found = {automation["name"].removeprefix("reprolab: "): automation for automation in shipped()}
    assert set(found) == {
        "a question waits",
        "a run ended badly",
        "a regression drifted",
        "no heartbeat, so the run crashed",
    }
    lost = found["no heartbeat, so the run crashed"]
    made = applied(lost, [], 45)
    assert made is not None and made["trigger"]["within"] == 45 and made["actions"] == lost["actions"]
    assert applied(lost, [], None)["trigger"]["within"] >= 5 * 30  # type: ignore[index]
    for name in set(found) - {"no heartbeat, so the run crashed"}:
        assert applied(found[name], [], None) is None, "it tells nobody"
        both = applied(found[name], ["one", "two"], None)
        assert both is not None and [action["block_document_id"] for action in both["actions"]] == [
            "one",
            "two",
        ]
        assert both["description"] != applied(found[name], ["one"], None)["description"]  # type: ignore[index]


def test_a_log_is_bounded_and_private(tmp_path: Path) -> None:
    log = Log(tmp_path / "server.log", most=1000)
    for number in range(50):
        os.write(log.write_end, f"{number:04d}{'x' * 95}\n".encode())  # read one by one, or many at once
    log.close()
    files = sorted(tmp_path.iterdir())
    assert [path.name for path in files] == ["server.log", "server.log.1"]
    assert all(path.stat().st_size <= 1000 and stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)
    assert "0049" in log.tail()


_WORKER = """
import os, subprocess, sys, time
run = subprocess.Popen([sys.executable, "-c", "import time; print('run', flush=True); time.sleep(600)"], start_new_session=True,
                       env={**os.environ, "PREFECT__FLOW_RUN_ID": "the-flow-run"})
run.wait()
"""


@pytest.mark.parametrize("how", ["asked", "killed"])
def test_worker_runs_and_server_end_with_up(how: str) -> None:
    """A stand-in for the worker: it starts its run in a session of its own, and goes when the run has gone."""
    worker = subprocess.Popen(
        [sys.executable, "-c", _WORKER],
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    assert worker.stdout is not None and worker.stdout.readline() == b"run\n"
    (run,) = guard.runs_of(worker.pid)
    if how == "asked":
        assert guard.end_worker(worker.pid) == ["the-flow-run"]
        guard.end_server(server.pid)
    else:
        up = subprocess.Popen([sys.executable, "-I", "-S", str(Path(guard.__file__))], stdin=subprocess.PIPE)
        up.communicate(f"server {server.pid}\nworker {worker.pid}\n".encode())
    assert worker.wait(20) == 0 and server.wait(20) == -signal.SIGTERM and not guard.alive(run)


class _Server(Api):
    """Answers by path, and keeps what was written."""

    def __init__(self, answers: dict[str, object]):
        self.answers, self.written = answers, []
        super().__init__("http://server/api", "password")
        self.client = httpx.Client(base_url="http://server/api", transport=httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path, sent = request.url.path.removeprefix("/api"), json.loads(request.content or b"{}")
        if path == "/events/filter":
            alive = sent["filter"]["resource"]["id"] == ["prefect.flow-run.alive"]
            return httpx.Response(200, json={"events": [{}] if alive else []})
        if path in self.answers:
            return httpx.Response(200, json=self.answers[path])
        self.written.append((request.method, path, sent))
        return httpx.Response(404 if request.method == "GET" else 200, json={})


def test_a_run_that_sends_nothing_after_the_start_is_marked() -> None:
    server = _Server(
        {
            "/flow_runs/filter": [
                {"id": "alive", "name": "one", "deployment_id": "d"},
                {"id": "dead", "name": "two", "deployment_id": "d"},
                {"id": "of a terminal", "name": "three", "deployment_id": None},
            ]
        }
    )
    assert mark_lost(server, datetime.now(UTC), Path("/out puts")) == ["two"]
    ((method, path, sent),) = server.written
    assert (method, path, sent["state"]["type"]) == (
        "POST",
        "/flow_runs/dead/set_state",
        "CRASHED",
    ) and "force" not in sent
    assert "resume RUN --outputs '/out puts'`" in sent["state"]["message"]


def test_an_automation_that_was_switched_off_stays_off() -> None:
    wanted = applied(shipped()[0], ["block"], None)
    assert wanted is not None
    same = _Server({"/automations/filter": [{**wanted, "id": "kept", "enabled": False}]})
    assert wanted["name"].removeprefix("reprolab: ") not in apply(same, ["block"])
    assert not [path for method, path, _ in same.written if "kept" in path]
    older = _Server(
        {"/automations/filter": [{**wanted, "id": "kept", "enabled": False, "description": "an older one"}]}
    )
    apply(older, ["block"])
    ((method, path, sent),) = [entry for entry in older.written if "kept" in entry[1]]
    assert method == "PUT" and sent["enabled"] is False


_PRINTS = """
import os, sys, time
from flows.terminal.lasting import outlive_listener
outlive_listener()
print("first", flush=True)
sys.stdin.readline()
for _ in range(20):
    print("nobody hears this", flush=True)
    time.sleep(0.01)
open(sys.argv[1], "w").write("done")
"""


def test_a_run_outlives_who_reads_what_it_prints(tmp_path: Path) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", _PRINTS, str(tmp_path / "end")],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PREFECT__FLOW_RUN_ID": "some"},
    )
    assert run.stdout is not None and run.stdin is not None and run.stdout.readline() == "first\n"
    run.stdout.close()
    run.stdin.write("go\n")
    run.stdin.close()
    assert run.wait(30) == 0 and (tmp_path / "end").read_text() == "done"


def test_people_are_told_of_every_bad_end_of_every_workflow() -> None:
    [bad] = [found["trigger"] for found in shipped() if found["name"] == "reprolab: a run ended badly"]
    ends = [*ENDS.values(), NOT_TESTED, STOPPED, OTHER_COURSE, INCOMPLETE, NOTHING, OBJECTED]
    assert {"prefect.flow-run.Waiting", *(f"prefect.flow-run.{end.name}" for end in ends if end.code)} <= set(
        bad["expect"]
    )
    deployments = {
        entry["name"]
        for entry in yaml.safe_load((check_packages() / "prefect.yaml").read_text())["deployments"]
    }
    assert set(bad["match_related"]["prefect.resource.name"]) == deployments - {
        "simulate"
    }  # part of a run that tells
