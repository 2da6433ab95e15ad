"""Skills over streamable HTTP, with `orchestrator` as the example: any MCP client can drive ReproLab."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from flows.reproduce.allowed import check_named, check_run
from flows.serving.runtime import from_outside, under_worker
from schemas.errors import InputError
from schemas.reproduce.settings import RunSettings
from schemas.talking.tools import Skill, ToolContext
from skills import kit
from skills.orchestrator import running
from skills.orchestrator.running import RunError
from tasks.tools import Toolbox

pytestmark = pytest.mark.unit
ROOT = Path(__file__).parents[3]
PLACE = ToolContext(phase="bfts")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    outputs = tmp_path_factory.mktemp("outputs")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "skills.orchestrator.server", "--http", f"127.0.0.1:{port}"],
        cwd=ROOT,
        env={**os.environ, "REPROLAB_OUTPUTS": str(outputs)},
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LAB_TOKEN", (outputs / ".reprolab" / "served" / "token").read_text())
            yield f"http://127.0.0.1:{port}/mcp", outputs
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def box(served):
    with Toolbox([Skill(name="far", url=served[0], token="LAB_TOKEN", phase="bfts", timeout_s=120)]) as box:
        yield box


@pytest.fixture(scope="module")
def run(served):
    folder = served[1] / "heat" / "20260101-000000-abcd"
    (folder / "paper").mkdir(parents=True)
    (folder / "run.json").write_text(
        json.dumps({"workflow": "explore", "started": "2026-01-01", "seed": None})
    )
    (folder / "paper" / "full_paper.tex").write_text("\\documentclass{article}" + "x" * 40_000)
    child = served[1] / "heat" / "20260102-000000-beef"
    child.mkdir()
    (child / "run.json").write_text(json.dumps({"workflow": "explore", "seed": {"parent_run": folder.name}}))
    return folder


def test_it_offers_reprolab_itself(box):
    assert [tool.name for tool in box.list_tools("bfts")] == [
        "run_experiment",
        "reproduce",
        "get_status",
        "list_runs",
        "list_children",
        "get_paper",
    ]


def test_runs_children_and_papers_are_found(box, run):
    listed = json.loads(box.call("list_runs", {}, PLACE).text)
    assert [(line["run"], line["subject"], line["at_work"]) for line in listed] == [
        (run.name, "heat", False),
        ("20260102-000000-beef", "heat", False),
    ]
    children = json.loads(box.call("list_children", {"run": run.name}, PLACE).text)
    assert [line["run"] for line in children] == ["20260102-000000-beef"]
    first = json.loads(box.call("get_paper", {"run": "20260101"}, PLACE).text)
    rest = json.loads(box.call("get_paper", {"run": "20260101", "offset": 30_000}, PLACE).text)
    whole = first["text"] + rest["text"]
    assert whole.startswith("\\documentclass") and len(whole) == first["characters"]
    with (run / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert json.loads(box.call("list_runs", {}, PLACE).text)[0]["at_work"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("get_paper", {"run": "2026"}, "several runs"),
        ("get_paper", {"run": "nothing"}, "no run begins"),
        ("get_paper", {"run": "20260102-000000-beef"}, "no paper"),
        ("reproduce", {"paper": "../../etc"}, "outside"),
        ("run_experiment", {"goal": "--help; rm"}, "three lines"),
        ("run_experiment", {"goal": "x", "parent_run": "nobody"}, "no run begins"),
    ],
)
def test_what_does_not_fit_is_said(box, run, tool, arguments, told):
    answer = box.call(tool, arguments, PLACE)
    assert answer.is_error and told in answer.text, answer


def test_a_run_that_cannot_start_says_why_and_leaves_nothing(box, served):
    answer = box.call("reproduce", {"paper": "no-such-paper"}, PLACE)
    assert answer.is_error and "exit code 2" in answer.text and "no-such-paper" in answer.text, answer
    assert not list((served[1] / ".reprolab" / "orchestrator").iterdir())


def test_a_server_that_is_not_there_is_an_answer(box):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Toolbox([Skill(name="gone", url=f"http://127.0.0.1:{port}/mcp", phase="bfts")]) as gone:
        answer = gone.call("x", {}, PLACE)
        assert answer.is_error and "could not be started" in answer.text


def test_it_listens_on_this_computer_only():
    refused = subprocess.run(
        [sys.executable, "-m", "skills.orchestrator.server", "--http", "0.0.0.0:1"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert refused.returncode == 2 and "this computer only" in refused.stderr


@pytest.mark.attack("server", "401, and nothing listed, read or started, without the token")
@pytest.mark.parametrize(
    "header",
    [{}, {"Authorization": "Bearer"}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic x"}],
)
def test_another_account_gets_nothing_over_http(served, header):
    """Whoever has an account on the computer reaches the address; it could start runs with this account's key."""
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        },
    }
    told = {"Accept": "application/json, text/event-stream", **header}
    for answer in (
        httpx.post(served[0], json=asked, headers=told),
        httpx.get(served[0], headers=told),
        httpx.get(served[0].removesuffix("/mcp"), headers=told),
    ):
        assert answer.status_code == 401 and "jsonrpc" not in answer.text


def test_the_token_is_this_account_s_alone_and_stays(served, monkeypatch):
    folder = served[1] / ".reprolab" / "served"
    assert (
        stat.S_IMODE((folder / "token").stat().st_mode) == 0o600
        and stat.S_IMODE(folder.stat().st_mode) & 0o007 == 0
    )
    monkeypatch.setenv("REPROLAB_OUTPUTS", str(served[1]))
    assert kit.token() == os.environ["LAB_TOKEN"] and len(kit.token()) >= 32
    with pytest.raises(ValueError, match="token"):
        kit.Door(None, "")


@pytest.mark.attack("server", "refused: a token that others can read")
def test_a_token_that_others_can_read_serves_nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("REPROLAB_OUTPUTS", str(tmp_path))
    kit.token()
    (tmp_path / ".reprolab" / "served" / "token").chmod(0o644)
    with pytest.raises(InputError, match="not yours alone"):
        kit.token()


def test_a_skill_without_its_token_says_which_variable(served, monkeypatch):
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    with Toolbox([Skill(name="far", url=served[0], token="NO_SUCH_TOKEN", phase="bfts")]) as box:
        answer = box.call("list_runs", {}, PLACE)
    assert answer.is_error and "NO_SUCH_TOKEN" in answer.text


@pytest.mark.attack("server", "from outside: what a tool starts reads allowed places only")
def test_what_it_starts_is_told_from_outside(tmp_path, monkeypatch):
    """A run that a tool started believed its parameters as if the account's owner had typed them."""
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nenv > $REPROLAB_OUTPUTS/seen\nexit 2\n")
    program.chmod(0o755)
    monkeypatch.setattr(running.sys, "executable", str(program))
    monkeypatch.setenv("REPROLAB_OUTPUTS", str(tmp_path))
    monkeypatch.setenv("REPROLAB_ALLOW_PAPERS", "/data/papers")
    with pytest.raises(RunError):
        running.start(["reproduce", "x"], files={"goal.md": "a goal"}, paper=tmp_path / "mine")
    seen = dict(line.split("=", 1) for line in (tmp_path / "seen").read_text().splitlines() if "=" in line)
    for name, value in seen.items():
        monkeypatch.setenv(name, value)
    assert from_outside() and not under_worker()
    folder = Path(seen["REPROLAB_ALLOW_GOALS"])
    assert (
        folder.is_relative_to(tmp_path)
        and seen["REPROLAB_ALLOW_PAPERS"] == f"/data/papers:{tmp_path / 'mine'}"
    )
    check_run(str(tmp_path / "mine"), RunSettings(), str(tmp_path), "")
    for named in ("/etc", str(tmp_path / "other")):
        with pytest.raises(InputError, match="paper"):
            check_run(named, RunSettings(), "", "")
    with pytest.raises(InputError, match="table"):  # "material_checkpoint=change_database: gold=/etc/passwd"
        check_named("a table of materials", "/etc/passwd")
    with pytest.raises(InputError, match="isolation"):
        check_run("ge-on-gold", RunSettings(allow_degraded_sandbox=True), "", "")
