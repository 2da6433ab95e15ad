"""The skill `hpc` against a real scheduler: Slurm on this computer, where it is installed."""

from __future__ import annotations

import os

import pytest

from schemas.talking.tools import ExecutionLimits, Skill, ToolContext
from tasks.explore.nodes.executions import read_executions
from tasks.tools import Toolbox
from tests.sim.tools.slurm_kit import cluster, installed

pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(not installed(), reason="Slurm is not installed, or we are not root"),
]


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("slurm")) as variables:
        os.environ.update(variables)
        try:
            with Toolbox([Skill(name="hpc", phase="bfts", timeout_s=200)]) as box:
                yield box
        finally:
            for name in variables:
                del os.environ[name]


@pytest.fixture
def node(tmp_path):
    (tmp_path / "nodes" / "n1" / "work").mkdir(parents=True)
    return tmp_path / "nodes" / "n1"


@pytest.fixture
def call(box, node, tmp_path):
    def made(tool, /, call_id="", **arguments):
        where = ToolContext(
            run_dir=str(tmp_path),
            node_id="n1",
            work_dir=str(node / "work"),
            phase="bfts",
            call_id=call_id,
            limits=ExecutionLimits(cpu_s=20),
        )
        return box.call(tool, arguments, where)

    return made


def test_a_job_runs_in_the_sandbox_and_its_files_come_back_recorded(call, node):
    (node / "work" / "job.sh").write_text(
        "echo on $(cat /etc/hostname) with $1\ncat ../jobs/*.json\necho 42 > out.txt\n"
    )
    answer = call("slurm_submit", call_id="a", script="job.sh", arguments=["care"], minutes=2)
    assert answer.text.startswith("job "), answer
    assert (
        call("slurm_submit", call_id="a", script="job.sh", arguments=["care"], minutes=2).text == answer.text
    )  # once
    ended = call("job_status", job=answer.text, wait_minutes=2).text
    assert (
        ended.startswith("COMPLETED")
        and "exit code 0" in ended
        and "with care" in ended
        and '"script"' not in ended
    )
    assert (node / "work" / "out.txt").read_text() == "42\n"
    (record,) = read_executions(node)
    assert (record.tool, record.command) == ("slurm_submit", "job.sh care")
    assert [file.path for file in record.written] == ["out.txt"]


def test_a_job_is_cancelled_and_others_jobs_are_not_ours(call, node):
    (node / "work" / "long.sh").write_text("sleep 300\n")
    job = call("slurm_submit", script="long.sh").text
    assert call("job_status", job=job, wait_minutes=0).text in ("PENDING", "RUNNING")
    assert call("job_cancel", job="1").is_error or job == "job 1"
    assert call("job_cancel", job=job).text == "cancelled"
    assert call("job_status", job=job, wait_minutes=1).text.startswith("CANCELLED")
    assert not read_executions(node)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"script": "missing.sh"}, "no file"),
        ({"script": "/etc/x.sh"}, "outside"),
        ({"script": "a.sh", "cpus": 5000}, "at most 1024"),
        ({"script": "a.sh", "partition": "no such"}, "no name of a partition"),
        ({"script": "a.sh", "partition": "nosuch"}, "refused"),
    ],
)
def test_what_cannot_be_submitted_is_said(call, node, arguments, told):
    (node / "work" / "a.sh").touch()
    answer = call("slurm_submit", **arguments)
    assert answer.is_error and told in answer.text


def test_without_a_scheduler_there_are_no_tools_of_one(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with Toolbox([Skill(name="hpc", phase="bfts", timeout_s=99)]) as other:
        assert not {"slurm_submit", "singularity_run"} & {tool.name for tool in other.list_tools("bfts")}
