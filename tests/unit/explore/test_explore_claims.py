"""A claimed number counts only where an execution of the node wrote it; typed, inherited, logged and copied ones do not."""

from __future__ import annotations

import os
from hashlib import sha256

import pytest

from schemas.explore.claims import Claim, ExecutionRecord, FileWritten, NodeRecord
from tasks.explore.measuring.claims import resolve_claims
from tasks.explore.measuring.typed import numbers_in

pytestmark = pytest.mark.unit


def node(tmp_path, **files):
    """A work directory, and a record in which execution 1 wrote each file that was not typed (execution 0)."""
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_text(text)

    def executed(number, kind, names, command=""):
        return ExecutionRecord(
            number=number,
            kind=kind,
            tool="write_code" if kind == "write" else "run_code",
            command=command,
            exit_code=0,
            written=tuple(
                FileWritten(path=name, bytes=1, sha256=sha256((tmp_path / name).read_bytes()).hexdigest())
                for name in names
            ),
        )

    names = sorted(os.listdir(tmp_path))
    typed = [name for name in names if name.endswith(".py") or name.startswith("typed")]
    ran = [name for name in names if name not in typed and not name.startswith("inherited")]
    return NodeRecord(
        node_id="n001",
        inherited={"inherited.json": "c" * 64},
        executions=(executed(0, "write", typed), executed(1, "run", ran, "python bench.py --size 512")),
    )


def test_a_number_in_a_file_that_an_execution_wrote_resolves(tmp_path):
    record = node(
        tmp_path,
        bench__py="size = 512\n",
        out__json='{"speed": {"mean/all": [1.5, 2.25]}}',
        t__csv="n,x\n1,0.5\n2,0.75\n",
    )
    claims = [
        Claim(name="speed", file="out.json", pointer="/speed/mean~1all/1", unit="GB/s"),
        Claim(name="last", file="t.csv", column="x"),
        Claim(name="first", file="t.csv", column="x", row=0),
    ]
    resolved, refused = resolve_claims(claims, tmp_path, record)
    assert [(found.name, found.value, found.unit, found.execution) for found in resolved] == [
        ("speed", 2.25, "GB/s", 1),
        ("last", 0.75, "1", 1),
        ("first", 0.5, "1", 1),
    ] and not refused
    assert resolved[0].sha256 == sha256((tmp_path / "out.json").read_bytes()).hexdigest()


@pytest.mark.parametrize(
    "claim, why",
    [
        (Claim(name="a", file="typed.json", pointer="/x"), "typed by the agent"),
        (Claim(name="a", file="inherited.json", pointer="/x"), "inherited from the parent unchanged"),
        (Claim(name="a", file="run.log", pointer="/x"), "is a log"),
        (Claim(name="a", file="x.npz", pointer="/x"), "neither JSON"),
        (Claim(name="a", file="nowhere.json", pointer="/x"), "no execution of this node wrote"),
        (Claim(name="a", file="../../etc/passwd"), "leaves the folder"),
        (Claim(name="a", file="out.json", pointer="/none"), "nothing stands"),
        (Claim(name="a", file="out.json", pointer="x"), "no JSON pointer"),
        (Claim(name="a", file="out.json", pointer="/t"), "no finite"),
        (Claim(name="a", file="out.json", pointer="/typed"), "literal in bench.py"),
        (Claim(name="a", file="out.json", pointer="/minus"), "literal in bench.py"),
        (Claim(name="a", file="out.json", pointer="/size"), "literal in the command of execution 1"),
        (Claim(name="a", file="t.csv", column="y"), "no column"),
        (Claim(name="a", file="t.csv", column="x", row=9), "rows"),
        (Claim(name="time_s", file="out.json", pointer="/x"), "the harness measures it"),
        (Claim(name="a", file="copied.json", pointer="/x"), "byte for byte a result of node n007"),
    ],
)
def test_a_typed_inherited_logged_or_copied_number_is_refused_with_its_reason(tmp_path, claim, why):
    record = node(
        tmp_path,
        bench__py="speed = 3.14159\nloss = -2.5e-3\n",
        typed__json='{"x": 7.7}',
        inherited__json='{"x": 7.7}',
        out__json='{"x": 7.7, "t": "fast", "typed": 3.14159, "minus": -0.0025, "size": 512}',
        run__log="x 7.7",
        x__npz="",
        t__csv="n,x\n1,0.5\n",
        copied__json='{"x": 7.7, "other": true}',
    )
    copied = {sha256((tmp_path / "copied.json").read_bytes()).hexdigest(): "n007"}
    resolved, refused = resolve_claims(
        [claim], tmp_path, record, measured_by_us=["time_s"], results_of_others=copied
    )
    assert not resolved and why in refused[0].reason


def test_a_result_changed_or_deleted_after_its_execution_is_none(tmp_path):
    record = node(tmp_path, out__json='{"x": 7.7}')
    (tmp_path / "out.json").write_text('{"x": 9.9}')
    claim = Claim(name="x", file="out.json", pointer="/x")
    assert "changed after execution 1" in resolve_claims([claim], tmp_path, record)[1][0].reason
    removal = ExecutionRecord(number=2, kind="run", deleted=("out.json",))
    gone = record.model_copy(update={"executions": (*record.executions, removal)})
    assert "no execution" in resolve_claims([claim], tmp_path, gone)[1][0].reason


def test_a_name_counts_once(tmp_path):
    record = node(tmp_path, out__json='{"x": 7.7, "y": 8.8}')
    claims = [Claim(name="x", file="out.json", pointer="/x"), Claim(name="x", file="out.json", pointer="/y")]
    resolved, refused = resolve_claims(claims, tmp_path, record)
    assert [found.value for found in resolved] == [7.7] and refused[0].reason == "it was claimed twice"


def test_a_number_that_was_typed_and_then_removed_from_the_source_is_still_typed(tmp_path):
    record = node(tmp_path, bench__py="print(1)\n", out__json='{"x": 7.75}')
    first = record.executions[0].model_copy(update={"typed": numbers_in("speed = -7.75e0  # made up")})
    record = record.model_copy(update={"executions": (first, *record.executions[1:])})
    assert (
        "typed in step 0"
        in resolve_claims([Claim(name="x", file="out.json", pointer="/x")], tmp_path, record)[1][0].reason
    )


def test_numbers_are_found_in_any_writing_and_not_inside_names():
    assert numbers_in("x1 = 1_000 + .5 - 2.5E-3; v2.0 y=[7,8.] 1e999") == (0.0025, 0.5, 7.0, 8.0, 1000.0)


def test_a_number_of_a_source_counts_whoever_wrote_the_source_last(tmp_path):
    record = node(
        tmp_path,
        bench__py="speed = 14.25\n",
        steps__py="print(1)\n",
        out__json='{"x": 14.25, "one": 1.0, "y": 97312}',
    )
    written = tuple(
        FileWritten(path=name, bytes=1, sha256=sha256((tmp_path / name).read_bytes()).hexdigest())
        for name in ("bench.py", "out.json")
    )
    appended = ExecutionRecord(
        number=2,
        kind="run",
        tool="run_code",
        exit_code=0,
        written=written,
        command="echo >> bench.py; python3 bench.py -97312",
    )
    record = record.model_copy(update={"executions": (*record.executions, appended)})
    claims = [Claim(name=name, file="out.json", pointer=f"/{name}") for name in ("x", "one", "y")]
    resolved, refused = resolve_claims(claims, tmp_path, record)
    assert not resolved and [
        found.reason.split(" stands as a literal in ")[1].split(";")[0] for found in refused
    ] == ["bench.py", "steps.py", "the command of execution 2"]


def test_padding_hides_no_number_of_a_source(tmp_path):
    padding = " ".join(str(number) for number in range(30_000))
    record = node(tmp_path, bench__py=f"x = 99999.75\n# {padding}\n", out__json='{"x": 99999.75}')
    assert not resolve_claims([Claim(name="x", file="out.json", pointer="/x")], tmp_path, record)[0]


def test_a_small_file_of_data_that_the_directory_came_with_is_typed(tmp_path):
    record = node(
        tmp_path,
        solve__py="import theory\n",
        design__dat="thickness = 99.61\n",
        inherited__json='{"x": 7.7, "n": 1}',
        out__json='{"t": 99.61, "x": 7.7, "n": 1}',
    )
    claims = [Claim(name=name, file="out.json", pointer=f"/{name}") for name in ("t", "x", "n")]
    resolved, refused = resolve_claims(claims, tmp_path, record)
    assert [found.name for found in resolved] == ["t", "n"] and "literal in inherited.json" in refused[
        0
    ].reason
