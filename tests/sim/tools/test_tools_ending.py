"""Nothing is left running: a killed run takes its servers and what they execute along; calls of several threads keep apart."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from schemas.talking.tools import Skill, ToolContext
from tasks.tools import Toolbox

pytestmark = pytest.mark.sim
ROOT = Path(__file__).parents[3]
RAW = Path(__file__).parents[1] / "skills" / "raw"
_CALLER = """
import sys
from schemas.talking.tools import Skill, ToolContext
from tasks.tools import Toolbox
work = sys.argv[1]
box = Toolbox([Skill(name="coding", phase="bfts")])
box.call("run_bash", {"command": f"echo ready > started; exec sleep {sys.argv[2]}"}, ToolContext(phase="bfts", work_dir=work))
"""


def running(marker: str) -> list[int]:
    """Processes with that text among their arguments, the test's own child left out."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and marker in (entry / "cmdline").read_text().replace("\0", " "):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def until(condition, seconds: float = 90.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.1)
    return False


def test_a_killed_run_leaves_no_server_and_no_program(tmp_path):
    work = tmp_path / "n" / "work"
    work.mkdir(parents=True)
    marker = f"sleep 9{os.getpid()}.5"
    caller = subprocess.Popen([sys.executable, "-c", _CALLER, str(work), marker.split()[1]], cwd=ROOT)
    try:
        assert until(
            lambda: any(Path(f"/proc/{pid}/comm").read_text().strip() == "sleep" for pid in running(marker))
        )
        servers = [
            int(pid) for pid in Path(f"/proc/{caller.pid}/task/{caller.pid}/children").read_text().split()
        ]
        servers += [
            pid
            for pid in running("skills.coding.server")
            if f"\nPPid:\t{caller.pid}\n" in Path(f"/proc/{pid}/status").read_text()
        ]
        assert servers
    finally:
        os.kill(caller.pid, signal.SIGKILL)
        caller.wait()
    assert until(lambda: not running(marker)), running(marker)
    assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in servers))
    assert (
        not (work.parent / "executions.jsonl").exists() and not (work / "started").exists()
    )  # nothing half done


def test_calls_of_several_threads_keep_apart(tmp_path):
    place = ToolContext(phase="bfts", work_dir=str(tmp_path))
    with Toolbox([Skill(name="one", path=str(RAW), phase="bfts", timeout_s=60)], work_dir=tmp_path) as box:
        with ThreadPoolExecutor(8) as pool:
            answers = pool.map(
                lambda number: box.call("echo", {"words": f"number {number}"}, place).text, range(40)
            )
            assert list(answers) == [f"number {number}" for number in range(40)]
        assert box.call("count", {}, place).text == "41"  # one server for all
