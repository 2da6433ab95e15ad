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
from flows.up.cancelling import _STANDS, note_those_cancelled, stopped, tell_their_pages
from tests.unit.report.test_open_run import kept

pytestmark = pytest.mark.unit
WORDS = _STANDS["CANCELLED"]


def _server(*cancelled: tuple[str, float], kind: str = "CANCELLED") -> Api:
    """A server on whose page these flow runs were cancelled, each at that time, and are in states of that kind."""
    api = Api("http://server/api", "password")
    told = [
        {
            "id": run,
            "state": {"timestamp": datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")},
        }
        for run, at in cancelled
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.content)["flow_runs"]["state"]["type"]["any_"]
        assert asked in (["CANCELLED"], ["CANCELLING"]) and request.url.path == "/api/flow_runs/filter"
        return httpx.Response(200, json=told if asked == [kind] else [])

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


def test_it_is_shown_so_as_soon_as_its_process_has_gone_and_told_once(tmp_path: Path) -> None:
    """Its worker needs half a minute from Cancelling to Cancelled; a process that ends, or took it up since, is at work."""
    folder, now = kept(tmp_path), time.time()
    remember_run(tmp_path, "the-flow-run", "run-0001")
    ending = _server(("the-flow-run", now + 1), kind="CANCELLING")
    with run_lock(folder):
        assert note_those_cancelled(ending, tmp_path) == []
    assert note_those_cancelled(ending, tmp_path) == ["run-0001"]
    ended = _server(("the-flow-run", now + 20))
    assert note_those_cancelled(ended, tmp_path) == [], "the same cancelling"
    assert KeptRuns(tmp_path).of(folder).standing == CANCELLED
    with run_lock(folder):
        assert note_those_cancelled(_server(("the-flow-run", now + 40)), tmp_path) == []


@pytest.mark.parametrize("kind", ["CANCELLED", "CRASHED"])
def test_the_overview_of_a_run_that_has_no_process_says_so_once(tmp_path: Path, kind: str) -> None:
    kept(tmp_path)
    remember_run(tmp_path, "the-flow-run", "run-0001")
    pages = {"its": "# A film\n\nAt work on film.\n\n## Targets\n\nnone\n"}
    api, asked = Api("http://server/api", "password"), []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.method)
        if request.method == "PATCH":
            pages["its"] = json.loads(request.content)["data"]
            return httpx.Response(204)
        content = json.loads(request.content)
        if "artifacts" in content:
            assert content["artifacts"]["key"]["any_"] == ["run-0001-overview"]
            return httpx.Response(200, json=[{"id": "its", "data": pages["its"]}])
        state = {"id": "state", "type": kind}
        return httpx.Response(
            200, json=[{"id": run, "state": {**state, "id": run}} for run in ("the-flow-run", "another")]
        )

    api.client = httpx.Client(base_url="http://server/api", transport=httpx.MockTransport(answer))
    told: set[str] = set()
    tell_their_pages(api, tmp_path, told)
    title, standing, before, *rest = pages["its"].split("\n\n")
    assert (title, before, rest) == ("# A film", "It was at work on film.", ["## Targets", "none\n"])
    assert ("Cancelled" in standing) == (kind == "CANCELLED") and "Retry" in standing
    tell_their_pages(api, tmp_path, told)
    assert asked.count("PATCH") == 1 and told == {"the-flow-run", "another"}
    shown = pages["its"]
    tell_their_pages(api, tmp_path, set())  # after a restart of `up`
    assert pages["its"] == shown


@given(
    title=st.text(alphabet="# At work", max_size=9), rest=st.text(alphabet="# \nAt work on.*", max_size=60)
)
def test_nothing_of_an_overview_is_lost_and_how_it_stands_is_said_once(title: str, rest: str) -> None:
    overview = f"# {title}\n\n{rest}"
    said = stopped(overview, WORDS)
    assert WORDS in said and stopped(said, WORDS) == said
    assert {*overview.split()} - {"At"} <= {*said.split()}


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
