"""The skill `coding` as an agent uses it: over the protocol, in the sandbox, with a record no program reaches."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from schemas.explore.claims import ExecutionRecord
from schemas.talking.tools import ExecutionLimits, Skill, ToolContext
from tasks.explore.nodes.node_record import node_record
from tasks.tools import Toolbox

pytestmark = pytest.mark.sim


@pytest.fixture(scope="module")
def box():
    with Toolbox([Skill(name="coding", phase="bfts", timeout_s=120)]) as box:
        yield box


@pytest.fixture
def node(tmp_path):
    (tmp_path / "nodes" / "n001" / "work").mkdir(parents=True)
    return tmp_path / "nodes" / "n001"


@pytest.fixture
def call(box, node, tmp_path):
    def made(tool, /, call_id="", limits=None, **arguments):
        context = ToolContext(
            run_dir=str(tmp_path),
            node_id="n001",
            work_dir=str(node / "work"),
            phase="bfts",
            call_id=call_id,
            limits=limits or ExecutionLimits(cpu_s=20, disk_mb=20, memory_mb=500),
        )
        return box.call(tool, arguments, context)

    return made


def records(node: Path) -> list[ExecutionRecord]:
    return [
        ExecutionRecord.model_validate_json(line)
        for line in (node / "executions.jsonl").read_text().splitlines()
    ]


def test_what_is_typed_and_what_ran_are_told_apart(call, node):
    program = "import json\njson.dump({'x': 2 * 21}, open('out.json', 'w'))\n"
    assert not call("write_code", file="src/a.py", content=program).is_error
    assert not call("write_code", file="typed.json", content='{"x": 43}').is_error
    answer = call("run_code", file="src/a.py")
    assert "exit code 0" in answer.text and "wrote out.json" in answer.text, answer
    typed, other, ran = records(node)
    assert (typed.kind, other.kind, ran.kind) == ("write", "write", "run") and ran.command == "src/a.py"
    assert [file.path for file in ran.written] == ["out.json"] and ran.cpu_s > 0 and ran.exit_code == 0
    assert json.loads((node / "work" / "out.json").read_text()) == {"x": 42}


def test_a_program_reaches_neither_its_record_nor_anything_else(call, node, tmp_path):
    (tmp_path / "goal.md").write_text("secret goal")
    call("write_code", file="a.txt", content="1")
    command = (
        f"ls {node} {tmp_path} ..; cat ../executions.jsonl {tmp_path}/goal.md; echo x > ../executions.jsonl; "
        "ln -s /etc/passwd link; mkdir -p d && echo 5 > d/e.txt; rm a.txt; env"
    )
    answer = call("run_bash", command=command)
    assert "secret goal" not in answer.text and '"kind"' not in answer.text
    assert "not kept" in answer.text and "'link'" in answer.text and "deleted a.txt" in answer.text
    assert not (node / "work" / "link").is_symlink() and (node / "work" / "d" / "e.txt").read_text() == "5\n"
    assert [record.kind for record in records(node)] == ["write", "run"] and not (
        node / "work" / "a.txt"
    ).exists()


def test_limits_are_kept_and_the_node_has_one_budget(call, node):
    answer = call("run_bash", command="while :; do :; done", limits=ExecutionLimits(cpu_s=1.5))
    assert "limit on cpu" in answer.text
    answer = call("run_bash", command="echo again", limits=ExecutionLimits(cpu_s=1.5))
    assert answer.is_error and "used up" in answer.text
    answer = call("run_bash", command="head -c 40000000 /dev/urandom > big")
    assert not (node / "work" / "big").exists() or (node / "work" / "big").stat().st_size <= 20 << 20
    answer = call("run_bash", command="seq 1 100000", limits=ExecutionLimits(output_kb=2))
    assert len(answer.text) < 3000 and "100000" in answer.text


def test_a_repeated_call_runs_once_and_a_killed_one_is_taken_over(call, node):
    for _ in range(2):
        answer = call("run_bash", call_id="k1", command="echo x >> log.txt; cat log.txt | wc -l")
        assert "standard output:\n1" in answer.text
    assert len(records(node)) == 1
    # as a kill leaves it: the result complete, nothing taken over yet
    call("run_bash", call_id="k2", command="echo y > second.txt")
    pending = node / ".pending"
    pending.mkdir()
    shutil.copy(node / "work" / "second.txt", pending / "0")
    lines = (node / "executions.jsonl").read_text().splitlines()
    (pending / "record.json").write_text(lines[1])
    (pending / "answer.json").write_text((node / "outputs.jsonl").read_text().splitlines()[1])
    (node / "executions.jsonl").write_text(lines[0] + "\n" + lines[1][:20])
    (node / "work" / "second.txt").unlink()
    assert "wrote second.txt" in call("run_bash", call_id="k2", command="echo y > second.txt").text
    assert (node / "work" / "second.txt").read_text() == "y\n" and not pending.exists()
    assert [record.number for record in node_record("n001", node).executions] == [0, 1]


def test_files_are_read_page_by_page(call, node):
    call("write_code", file="long.txt", content="".join(f"line {number}\n" for number in range(1, 1001)))
    first = call("read_file", file="long.txt", lines=10)
    assert "lines 1 to 10 of 1000; go on with first_line=11" in first.text and "line 10" in first.text
    assert "line 1000" in call("read_file", file="long.txt", first_line=995).text
    (node / "work" / "data.bin").write_bytes(b"\0\1\2")
    assert "is no text" in call("read_file", file="data.bin").text
    assert call("read_file", file="missing.txt").is_error
    (node / "work" / "link").symlink_to("/etc/passwd")
    assert "link" in call("read_file", file="link").text and call("read_file", file="link").is_error
    assert (
        call("write_code", file="link", content="x").is_error
        and call("write_code", file="/etc/x", content="x").is_error
    )


def test_a_passage_is_replaced_and_a_picture_is_seen(call):
    call("write_code", file="a.py", content="x = 1\ny = 1\n")
    assert not call("write_code", file="a.py", content="x = 2", replaces="x = 1").is_error
    assert "x = 2\ny = 1" in call("read_file", file="a.py").text
    refused = call("write_code", file="a.py", content="z", replaces=" = ")
    assert refused.is_error and "2 times" in refused.text
    draw = "import matplotlib.pyplot as p; p.plot([1, 2]); p.savefig('f.png', dpi=40)"
    assert "wrote f.png" in call("run_bash", command=f'python3 -c "{draw}"').text
    assert call("read_file", file="f.png").pictures[0].media_type == "image/png"
