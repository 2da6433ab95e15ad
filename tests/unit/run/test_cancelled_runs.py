"""A cancelled run is shown as cancelled until something takes it up, whoever cancelled it and whether it had a process or not."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.commands.status import show_status
from flows.results.kept_runs import OPEN, KeptRuns
from flows.run.cancelled_note import CANCELLED, note_cancelled, was_cancelled
from flows.run.records import run_lock
from flows.run.retrying import remember_run
from flows.up.api import Api
from flows.up.cancelling import note_those_cancelled
from tests.unit.report.test_open_run import kept

pytestmark = pytest.mark.unit


def _server(*cancelled: tuple[str, float]) -> Api:
    """A server on whose page these flow runs were cancelled, each at that time."""
    api = Api("http://server/api", "password")
    told = [
        {
            "id": run,
            "state": {"timestamp": datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")},
        }
        for run, at in cancelled
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.content)["flow_runs"]
        assert asked["state"]["type"]["any_"] == ["CANCELLED"] and request.url.path == "/api/flow_runs/filter"
        return httpx.Response(200, json=told)

    api.client = httpx.Client(base_url="http://server/api", transport=httpx.MockTransport(answer))
    return api


def _said(outputs: Path, capsys: pytest.CaptureFixture[str], run: str | None = None) -> str:
    show_status(outputs, run)
    return capsys.readouterr().out


def test_it_is_shown_so_until_it_is_taken_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = kept(tmp_path)
    with run_lock(folder):
        pass  # the process that was killed by the cancelling
    remember_run(tmp_path, "the-flow-run", "run-0001")
    assert "open" in _said(tmp_path, capsys) and KeptRuns(tmp_path).of(folder).standing == OPEN
    api = _server(("the-flow-run", time.time() + 1), ("of other outputs", time.time()))
    assert note_those_cancelled(api, tmp_path) == ["run-0001"]
    assert note_those_cancelled(api, tmp_path) == [], "it is news once"
    assert "cancelled" in _said(tmp_path, capsys)
    told = _said(tmp_path, capsys, "run-0001")
    assert "cancelled: " in told and "resume run-0001" in told and "takes it up again" in told
    assert KeptRuns(tmp_path).of(folder).standing == CANCELLED

    later = time.time() + 2
    with run_lock(folder):
        os.utime(folder / ".lock", (later, later))  # as if a second had passed
        assert KeptRuns(tmp_path).of(folder).standing == "at work"
    assert note_those_cancelled(api, tmp_path) == [], (
        "the flow run of before is still cancelled on the server"
    )
    assert KeptRuns(tmp_path).of(folder).standing == OPEN and "cancelled" not in _said(tmp_path, capsys)


def test_a_server_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    api = Api("http://server/api", "password")

    def refused(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    api.client = httpx.Client(base_url="http://server/api", transport=httpx.MockTransport(refused))
    begun = time.monotonic()
    assert note_those_cancelled(api, tmp_path) == [] and time.monotonic() - begun < 3


@given(
    happened=st.lists(st.tuples(st.sampled_from(["cancelled", "taken up"]), st.integers(1, 50)), max_size=8)
)
def test_what_happened_last_counts_in_whatever_order_it_is_told(
    tmp_path_factory: pytest.TempPathFactory, happened: list[tuple[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("run")
    for count, (what, at) in enumerate(happened, 1):
        if what == "cancelled":
            note_cancelled(folder, datetime.fromtimestamp(at, UTC))
        else:
            (folder / ".lock").touch()
            newest = max(when for kind, when in happened[:count] if kind == what)
            os.utime(folder / ".lock", (newest, newest))
    last = {
        kind: max((at for what, at in happened if what == kind), default=0)
        for kind in ("cancelled", "taken up")
    }
    assert was_cancelled(folder) == (last["cancelled"] > last["taken up"])


def test_a_note_that_is_none_cancels_nothing(tmp_path: Path) -> None:
    for text in ("", "soon", "nan"):
        (tmp_path / ".cancelled").write_text(text)
        assert not was_cancelled(tmp_path)
