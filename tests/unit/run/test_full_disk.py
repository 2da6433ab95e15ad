"""A full disk is no agent's affair: a call of a tool that it breaks is not kept as an answer, a person is asked."""

from __future__ import annotations

import errno
import shutil
from types import SimpleNamespace

import pytest

from flows.calls import infrastructure
from flows.calls.conversation import use_tool
from flows.run import context
from schemas.talking.tools import ToolContext, ToolResult

pytestmark = pytest.mark.unit


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A run whose tool fails; `full` holds the folders whose disk is full."""
    found = SimpleNamespace(
        run_dir=tmp_path / "run",
        executed=set(),
        full=set(),
        toolbox=SimpleNamespace(call=lambda *given, **more: ToolResult.error("database or disk is full")),
    )
    found.run_dir.mkdir()
    monkeypatch.setitem(context.ACTIVE, "r", found)
    real = shutil.disk_usage
    monkeypatch.setattr(
        infrastructure.shutil,
        "disk_usage",
        lambda folder: SimpleNamespace(free=1 << 20) if str(folder) in found.full else real(folder),
    )
    return found


def called():
    return use_tool.fn(key="k", label="l", run_id="r", name="add_memory", arguments={}, place=ToolContext())


def test_a_call_that_a_full_disk_broke_is_not_kept(run):
    assert called().is_error and run.executed == {"k"}, "with room on the disk it is the agent's affair"
    run.executed.clear()
    for folder in (run.run_dir, infrastructure.tempfile.gettempdir()):
        run.full = {str(folder)}
        with pytest.raises(OSError, match="only 1 MB are free") as error:
            called()
        assert error.value.errno == errno.ENOSPC and error.value.filename == str(folder) and not run.executed
