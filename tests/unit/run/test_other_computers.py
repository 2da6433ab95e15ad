"""What several computers over one outputs folder say of each other: processes, servers, addresses."""

from __future__ import annotations

import json
import shlex
import socket
from pathlib import Path

import pytest

from flows.run.records import process_at, run_lock
from flows.up.joined import up_over
from flows.up.place import on_computer, only_one, open_place, password_of, write_record
from flows.up.results_page import address_of
from flows.up.running import Options, command_again, down
from schemas.errors import InputError

pytestmark = pytest.mark.unit
_API = "http://lab-server:4200/api"


@pytest.fixture(autouse=True)
def _own_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "lab-two")


def test_a_process_of_another_computer_is_named_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = socket.gethostname()
    with run_lock(tmp_path):
        number = process_at(tmp_path)
        assert number.isdigit()
        _elsewhere(monkeypatch)
        assert process_at(tmp_path) == f"{number} on the computer {here}"
        with pytest.raises(InputError, match="being worked on") as refused, run_lock(tmp_path):
            pass
        assert refused.value.found == f"process {number} on the computer {here}"
    assert process_at(tmp_path) == ""


def test_down_ends_no_process_of_another_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = open_place(tmp_path / "out")
    monkeypatch.setattr("os.kill", lambda *_: pytest.fail("a process of this computer was told to end"))
    with only_one(place):
        write_record(place, {"pid": 7, "computer": "lab-server", "address": "http://lab-server:4200"})
        with pytest.raises(InputError, match="another computer") as refused:
            down(place)
    assert "process 7 on lab-server" in str(refused.value.found) and " down --outputs " in refused.value.fix
    assert on_computer({"pid": 7}) == on_computer({"computer": socket.gethostname()}) == ""


def test_a_terminal_joins_no_server_that_listens_on_another_computer_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = open_place(tmp_path / "out")
    password_of(place)
    with only_one(place):
        write_record(
            place,
            {"pid": 7, "computer": socket.gethostname(), "api": "http://127.0.0.1:4200/api", "alone": True},
        )
        assert up_over(tmp_path / "out") is not None
        _elsewhere(monkeypatch)
        assert up_over(tmp_path / "out") is None


@pytest.mark.attack("parameters", "a folder that names a server sends nobody to it")
def test_a_worker_elsewhere_names_the_results_at_the_server_that_it_was_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, run = open_place(tmp_path / "out"), tmp_path / "out" / "film" / "run-0001"
    run.mkdir(parents=True)
    (place.home / "made-here").write_text("0" * 32)  # as on a computer that did not make it
    with only_one(place):
        write_record(place, {"pid": 7, "computer": "lab-server", "address": "http://lab-server:4200"})
        for told in ("", "http://another:4200/api", "/api", "http://lab-server:4200"):
            monkeypatch.setenv("PREFECT_API_URL", told)
            assert address_of(run) == ""
        monkeypatch.setenv("PREFECT_API_URL", _API)
        assert address_of(run) == "http://lab-server:4200/reprolab/runs/film/run-0001/"
    for record in ("", "[]", "{", json.dumps({"address": 3})):
        place.record.write_text(record)
        assert address_of(run) == ""


def test_the_command_that_starts_the_same_again_has_its_options_and_no_password(tmp_path: Path) -> None:
    options = Options(
        host="0.0.0.0",
        port=4300,
        lost_after_s=60,
        worker=False,
        simulate_pool=True,
        database="postgresql+asyncpg://u:secret@h/d",
    )
    command, _, note = command_again(options, tmp_path / "out").partition(" (")
    assert note == "REPROLAB_DATABASE set as for this one)" and "secret" not in command
    words = shlex.split(command)[1:]
    assert words[:5] == ["up", "--host", "0.0.0.0", "--port", "4300"]
    assert {"--lost-after", "60", "--no-worker", "--simulate-pool"} < {*words}
    assert words[-2:] == ["--outputs", str(tmp_path / "out")]
    assert shlex.split(command_again(Options(), tmp_path))[1:] == ["up", "--outputs", str(tmp_path)]
