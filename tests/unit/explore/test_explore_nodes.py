"""A child begins without its parent's results; what it changed, reports and passes on is told from the bytes."""

from __future__ import annotations

import os

import pytest

from schemas.errors import InputError, StateError
from schemas.explore.claims import ExecutionRecord, FileWritten, NodeRecord
from schemas.explore.evaluation import AxisScore, Evaluation
from schemas.explore.settings import SearchSettings
from tasks.explore.goals import load_goal
from tasks.explore.nodes.difference import files_changed, recorded
from tasks.explore.nodes.node_files import is_output, role_of, snapshot
from tasks.explore.nodes.node_report import build_report
from tasks.explore.nodes.seeding import SeedLimits, provide, seed
from tasks.explore.nodes.selection import (
    chain,
    filter_nodes,
    load_selected_sources,
    select_source_files_for_publication,
)
from tests.unit.explore.explore_kit import evaluation, grown, report

pytestmark = pytest.mark.unit
SEARCH = SearchSettings(max_nodes=8)
SOURCES = (
    "kernel.cpp",
    "run.py",
    "run_job.sh",
    "config.yaml",
    "Makefile",
    "src/lib.cpp",
    "data/input.csv",
    "inputs/grid.dat",
)
OUTPUTS = (
    "results.csv",
    "results_2.csv",
    "fast_results.csv",
    "metrics.csv",
    "result.csv",
    "fast.metrics.json",
    "metrics.json",
    "run.log",
    "run_1.log",
    "x.run.log",
    "slurm-17.out",
    "slurm-17.err",
    "stdout.txt",
    "stderr.txt",
    "out.txt",
    "err.txt",
    "node_report.json",
    "sub/Results.CSV",
    "measured.json",
    "tree.json",
)


def laid_out(folder, names, text="x"):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{text} {name}")
    return folder


def run(number, *paths, kind="run", **more):
    return ExecutionRecord(
        number=number,
        kind=kind,
        written=tuple(FileWritten(path=path, sha256="b" * 64, bytes=1) for path in paths),
        **more,
    )


def test_a_child_gets_sources_and_inputs_and_no_results(tmp_path):
    parent = laid_out(tmp_path / "parent", (*SOURCES, *OUTPUTS, "__pycache__/kernel.pyc"))
    (parent / "run_job.sh").chmod(0o755)
    found = seed(parent, tmp_path / "child")
    assert sorted(found.copied) == sorted(SOURCES) == sorted(snapshot(tmp_path / "child"))
    assert {path for path, _ in found.left_out} == set(OUTPUTS) and all(is_output(name) for name in OUTPUTS)
    assert os.access(tmp_path / "child" / "run_job.sh", os.X_OK) and not os.access(
        tmp_path / "child" / "run.py", os.X_OK
    )


def test_what_an_execution_wrote_stays_with_the_parent_under_any_name(tmp_path):
    parent = laid_out(
        tmp_path / "parent", ("kernel.py", "made_by_shell.py", "timing.json", "kernel.so", "settings.json")
    )
    record = NodeRecord(
        node_id="n000",
        executions=(
            run(0, "kernel.py", "settings.json", "timing.json", kind="write"),
            run(1, "timing.json", "kernel.so", "made_by_shell.py"),
        ),
    )
    found = seed(parent, tmp_path / "child", record)
    assert sorted(found.copied) == ["kernel.py", "made_by_shell.py", "settings.json"]
    assert dict(found.left_out) == dict.fromkeys(
        ("kernel.so", "timing.json"), "the parent's own run wrote it"
    )


def test_no_link_is_followed_and_sizes_are_limited(tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    parent = laid_out(tmp_path / "parent", ("a.py", "b.py", "c.py"))
    (parent / "link.py").symlink_to(tmp_path / "secret.txt")
    (parent / "out").symlink_to(tmp_path)
    os.link(tmp_path / "secret.txt", parent / "hard.py")
    os.mkfifo(parent / "pipe.py")
    (parent / "big.dat").write_bytes(b"x" * 2_000_000)
    found = seed(parent, tmp_path / "child", limits=SeedLimits(file_mb=1, files=2))
    assert found.copied == ("a.py", "b.py") and sorted(os.listdir(tmp_path / "child")) == ["a.py", "b.py"]
    assert set(dict(found.left_out)) == {"link.py", "out", "hard.py", "big.dat", "c.py"}


def test_seeding_again_leaves_nothing_of_the_first_try(tmp_path):
    parent = laid_out(tmp_path / "parent", ("a.py",))
    laid_out(tmp_path / "child", ("half.py",))
    seed(parent, tmp_path / "child")
    assert os.listdir(tmp_path / "child") == ["a.py"] and sorted(os.listdir(tmp_path)) == ["child", "parent"]
    with pytest.raises(StateError, match="missing"):
        seed(tmp_path / "nowhere", tmp_path / "child")


def test_a_goals_files_come_as_they_were_read(tmp_path):
    goal = laid_out(tmp_path / "goal", ("data/input.csv",))
    (goal / "goal.md").write_text("# A\nb\nc\n## Provided Files\n- data/input.csv\n")
    read = load_goal(goal)
    assert provide(read, tmp_path / "work") == ("data/input.csv",)
    assert (tmp_path / "work" / "data" / "input.csv").read_text() == "x data/input.csv"
    (goal / "data" / "input.csv").write_text("changed")
    with pytest.raises(InputError, match="changed"):
        provide(read, tmp_path / "work")


def test_the_difference_is_against_the_seed(tmp_path):
    parent = laid_out(tmp_path / "parent", ("a.py", "b.py", "c.py", "results.csv"))
    seed(parent, tmp_path / "child")
    before = snapshot(tmp_path / "child")
    assert files_changed(
        before, snapshot(tmp_path / "child")
    ).nothing  # the results it did not get are no change
    laid_out(tmp_path / "child", ("__pycache__/a.pyc",))
    assert files_changed(before, snapshot(tmp_path / "child")).nothing
    (tmp_path / "child" / "a.py").write_text("new")
    (tmp_path / "child" / "b.py").unlink()
    laid_out(tmp_path / "child", ("sub/d.py",))
    found = files_changed(before, snapshot(tmp_path / "child"))
    assert (found.added, found.modified, found.deleted, found.inherited_unchanged) == (
        ("sub/d.py",),
        ("a.py",),
        ("b.py",),
        ("c.py",),
    ) and not found.nothing


def test_an_execution_is_recorded_by_what_it_wrote():
    before, after = {"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}
    found = recorded(3, before, after, {"c": 7}, kind="run", command="make", exit_code=0)
    assert [(file.path, file.before, file.sha256) for file in found.written] == [
        ("b", "2", "3"),
        ("c", "", "4"),
    ]
    assert (found.number, found.kind, found.command) == (3, "run", "make")


def test_roles():
    names = {
        "a.py": "source",
        "Makefile": "source",
        "run.log": "log",
        "slurm-1.out": "log",
        "out.txt": "log",
        "x.csv": "data_output",
        "f.png": "figure",
        "k.so": "binary",
        "strange.xyz": "unknown",
    }
    assert {name: role_of(name) for name in names} == names
    assert (
        role_of("settings.json", typed=True) == "source"
        and role_of("results.json", typed=True) == "data_output"
    )
    assert role_of("a_out", start=b"\x7fELF") == "binary"


def node_with(axes=(), status="succeeded", **changes):
    tree = grown(SEARCH, ("n000", "improve", status, 0.5, 1.0, 1.1))
    found = Evaluation(has_real_data=status == "succeeded", axes=axes, headline="faster by tiles", **changes)
    return tree.node("n001").model_copy(update={"evaluation": found})


def test_the_report_says_what_the_axes_the_record_and_the_bytes_say(tmp_path):
    work = laid_out(tmp_path, ("kernel.c", "timing.json", "bench.log"))
    before = {"kernel.c": "0" * 64, "gone.py": "1" * 64}
    record = NodeRecord(
        node_id="n001",
        executions=(
            run(0, "kernel.c", kind="write"),
            run(1, "a.out", command="gcc -O3 kernel.c -o a.out", exit_code=0),
            run(2, "timing.json", "bench.log", command="./a.out 64\n", exit_code=0),
            run(3, command="python fails.py", exit_code=1),
        ),
    )
    axes = tuple(
        AxisScore(axis=name, score=score, reason=f"{name}\nline")
        for name, score in (("low", 0.39), ("edge", 0.4), ("middle", 0.69), ("high", 0.7))
    )
    code = AxisScore(axis="measured_improvement", score=0.1, by="code")
    node = node_with((*axes, code), refused=("speed: typed",))
    found = build_report(node, work, files_changed(before, snapshot(work)), snapshot(work), record)
    assert (
        found.original_direction == "try improve on n000"
        and found.self_assessment.headline == "faster by tiles"
    )
    assert found.self_assessment.concerns == ("low (0.39): low line",) and found.self_assessment.succeeded
    assert [hint.split()[0] for hint in found.next_steps_hints] == ["edge", "middle"]
    assert (found.build_command, found.run_command) == ("gcc -O3 kernel.c -o a.out", "./a.out 64")
    assert found.files_changed.deleted == ("gone.py",) and found.files_changed.modified == ("kernel.c",)
    assert {item.path: item.role for item in found.artifacts} == {
        "kernel.c": "source",
        "timing.json": "data_output",
        "bench.log": "log",
    }
    assert found.refused == ("speed: typed",)


def test_commands_come_from_scripts_where_nothing_was_recorded(tmp_path):
    (tmp_path / "run_job.sh").write_text("#!/bin/bash\n#SBATCH -n 1\nmake all\nmpirun -n 2 ./bench\n")
    found = build_report(node_with(), tmp_path, files_changed({}, {}), {}, None)
    assert (found.build_command, found.run_command) == ("make all", "mpirun -n 2 ./bench")
    (tmp_path / "run_job.sh").unlink()
    (tmp_path / "Makefile").write_text("all:\n\ttrue\n")
    assert build_report(node_with(), tmp_path, files_changed({}, {}), {}, None).build_command == "make"


def family():
    return grown(
        SEARCH,
        ("n000", "improve", "succeeded", 0.6, 0.9, 1.0),
        ("n001", "improve", "failed", 0.1),
        ("n001", "ablation", "sterile", 0.0),
        ("n001", "improve", "succeeded", 0.6, 0.8, 0.9),
    )


def test_which_nodes_are_passed_on():
    tree = family()
    failed = tree.node("n002").model_copy(update={"failure": "it crashed"})
    tree = tree.replaced(failed)
    reports = {
        "n000": report(tree.node("n000"), added=("a.py",)),
        "n002": report(failed),
        "n001": report(tree.node("n001"), added=("timing.json",), roles={"timing.json": "data_output"}),
        "n003": report(tree.node("n003"), added=("x.py",)),
        "n004": report(tree.node("n004"), modified=("a.py",)),
    }

    def ids(criteria, **more):
        return [node.id for node in filter_nodes(tree.nodes, reports, criteria, **more).nodes]

    assert ids("for_synthesis") == ["n000", "n001", "n004"]
    assert ids("for_code") == ["n000", "n004"] and ids("for_code", always_include_node_ids={"n001"}) == [
        "n000",
        "n001",
        "n004",
    ]
    assert ids("for_narrative") == ["n000", "n001", "n002", "n004"]
    assert filter_nodes(tree.nodes, reports, "for_code").warning == ""  # one of three is no majority
    few = filter_nodes(tree.nodes, {"n000": reports["n000"]}, "for_code")
    assert few.warning.startswith("2 of 3 successful nodes") and few.dropped == (
        "n001",
        "n002",
        "n003",
        "n004",
    )


def test_the_deepest_contributor_wins_and_what_it_deleted_is_gone():
    tree = family()
    reports = {
        "n000": report(
            tree.node("n000"), added=("a.py", "b.py", "data.csv"), roles={"data.csv": "data_output"}
        ),
        "n001": report(tree.node("n001"), added=("c.py",), modified=("a.py",)),
        "n004": report(tree.node("n004"), modified=("c.py",), deleted=("b.py",)),
    }
    found = select_source_files_for_publication(tuple(reversed(chain(tree, "n004"))), reports)
    assert [(item.path, item.node_id) for item in found] == [("a.py", "n001"), ("c.py", "n004")]


def test_loading_keeps_to_the_budget_and_to_the_bytes_the_node_left(tmp_path):
    tree = grown(SEARCH, root=(0.5, 1.0, 1.1))
    work = laid_out(tmp_path / "n000" / "work", ("a.py", "b.py"))
    (work / "b.py").write_text("b" * 100)
    changed = files_changed({}, snapshot(work))
    node = tree.node("n000").model_copy(update={"evaluation": evaluation(0.5, 1.0)})
    reports = {"n000": build_report(node, work, changed, snapshot(work))}
    chosen = select_source_files_for_publication((node,), reports)
    everything = load_selected_sources(chosen, tmp_path)
    assert [(source.path, len(raw)) for source, raw in everything.files] == [("a.py", 6), ("b.py", 100)]
    small = load_selected_sources(chosen, tmp_path, 50)
    assert [source.path for source, _ in small.files] == ["a.py"] and [
        source.path for source in small.left_out
    ] == ["b.py"]
    (work / "a.py").write_text("fraud!")
    with pytest.raises(StateError, match="changed after the node ended"):
        load_selected_sources(chosen, tmp_path)
    (work / "a.py").unlink()
    with pytest.raises(StateError, match="is missing"):
        load_selected_sources(chosen, tmp_path)
