"""Skills over streamable HTTP, with `orchestrator` as the example: any MCP client can drive ReproLab."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schemas.core.tools import Skill, ToolContext
from tasks.core.tools import Toolbox

pytestmark = pytest.mark.unit
ROOT = Path(__file__).parents[2]
PLACE = ToolContext(phase="bfts")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    outputs = tmp_path_factory.mktemp("outputs")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "skills.orchestrator.server", "--http", f"127.0.0.1:{port}"], cwd=ROOT,
                               env={**os.environ, "REPROLAB_OUTPUTS": str(outputs)}, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp", outputs
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def box(served):
    with Toolbox([Skill(name="far", url=served[0], phase="bfts", timeout_s=120)]) as box:
        yield box


@pytest.fixture(scope="module")
def run(served):
    folder = served[1] / "heat" / "20260101-000000-abcd"
    (folder / "paper").mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"workflow": "explore", "started": "2026-01-01", "seed": None}))
    (folder / "paper" / "full_paper.tex").write_text("\\documentclass{article}" + "x" * 40_000)
    child = served[1] / "heat" / "20260102-000000-beef"
    child.mkdir()
    (child / "run.json").write_text(json.dumps({"workflow": "explore", "seed": {"parent_run": folder.name}}))
    return folder


def test_it_offers_reprolab_itself(box):
    assert [tool.name for tool in box.list_tools("bfts")] == [
        "run_experiment", "reproduce", "get_status", "list_runs", "list_children", "get_paper"]


def test_runs_children_and_papers_are_found(box, run):
    listed = json.loads(box.call("list_runs", {}, PLACE).text)
    assert [(line["run"], line["subject"], line["at_work"]) for line in listed] == [
        (run.name, "heat", False), ("20260102-000000-beef", "heat", False)]
    children = json.loads(box.call("list_children", {"run": run.name}, PLACE).text)
    assert [line["run"] for line in children] == ["20260102-000000-beef"]
    first = json.loads(box.call("get_paper", {"run": "20260101"}, PLACE).text)
    rest = json.loads(box.call("get_paper", {"run": "20260101", "offset": 30_000}, PLACE).text)
    whole = first["text"] + rest["text"]
    assert whole.startswith("\\documentclass") and len(whole) == first["characters"]
    with (run / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert json.loads(box.call("list_runs", {}, PLACE).text)[0]["at_work"]


@pytest.mark.parametrize(("tool", "arguments", "told"), [
    ("get_paper", {"run": "2026"}, "several runs"), ("get_paper", {"run": "nothing"}, "no run begins"),
    ("get_paper", {"run": "20260102-000000-beef"}, "no paper"), ("reproduce", {"paper": "../../etc"}, "outside"),
    ("run_experiment", {"goal": "--help; rm"}, "three lines"),
    ("run_experiment", {"goal": "x", "parent_run": "nobody"}, "no run begins")])
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
    refused = subprocess.run([sys.executable, "-m", "skills.orchestrator.server", "--http", "0.0.0.0:1"], cwd=ROOT, check=False,
                             capture_output=True, text=True, timeout=120)
    assert refused.returncode == 2 and "this computer only" in refused.stderr
