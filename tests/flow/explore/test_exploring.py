"""An exploration: the tree grows over real measurements, survives kills, and is replayed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.explore.bundle import WITHIN
from tasks.sandbox import probe_level
from tests.flow import closer_pi
from tests.flow.kit import ROOT, Bench, Cli, Model

pytestmark = [pytest.mark.flow, pytest.mark.timeout(1200)]


@pytest.fixture
def bench(tmp_path: Path, prefect_api: str) -> Iterator[Bench]:
    """A folder for goals and runs."""
    bench = Bench(tmp_path, prefect_api)
    yield bench
    bench.close()


def explore(bench: Bench, model: Model, goal: Path, *more: str) -> Cli:
    """`reprolab explore` of the goal over the Messages API."""
    return bench.start(
        "explore",
        str(goal),
        "--model",
        "anthropic",
        "--base-url",
        model.server.base_url,
        *more,
        env={"ANTHROPIC_API_KEY": "sk-test"},
    )


def search_only(goal: Path) -> tuple[str, ...]:
    """Options for a search of six nodes, two side by side, without the stages after it; two nodes that raise nothing are a
    standstill."""
    settings = goal.parent / "own_settings.json"
    settings.write_text(json.dumps({"search": {"max_nodes": 6, "parallel": 2, "stagnation": {"window": 2}}}))
    return "--settings", str(settings), "--workflow", str(goal.parent / "workflow.yaml")


OPEN = (
    "experimenter.n002.1.1.0.t01@decimals",
    "node_evaluator.n001.1.1.0@decimals",
)  # of two nodes side by side, in a sub-run


@pytest.mark.long
def test_a_search_killed_in_its_sub_run_ends_with_the_same_trees_and_buys_nothing_twice_and_is_replayed(
    bench: Bench,
) -> None:
    goal = closer_pi.write_goal(bench.folder / "goal")
    with Model(closer_pi.stuck, closer_pi.label_with_idea) as model:
        undisturbed = explore(bench, model, goal, *search_only(goal))
        assert undisturbed.wait(400) == 0, undisturbed.err[-3000:]
        bought = model.answered
    first = closer_pi.runs_below(bench.outputs)
    expected = [closer_pi.tree(folder) for folder in first]
    assert [len(nodes) for nodes in expected] == [3, 3], (
        "the search went over to a sub-run with the nodes that were left"
    )
    assert {node["status"] for nodes in expected for node in nodes} == {"succeeded", "failed"}
    assert "best n000" in undisturbed.out and "measured by" not in undisturbed.err
    assert f"sub-run {first[1].name}: Decimals" in undisturbed.out and "best n002: error" in undisturbed.out
    _inherits_by_the_table(*first)

    with Model(closer_pi.stuck, closer_pi.label_with_idea) as model:
        for label in OPEN:
            model.hold(label)
        killed = explore(bench, model, goal, *search_only(goal))
        for label in OPEN:
            assert model.reached[label].wait(250), killed.err[-3000:]
        killed.kill()
        for label in OPEN:
            model.let_go(label)
        before = dict(model.answered)
        listed = bench.start("status", "latest")
        assert listed.wait() == 0 and "not finished" in listed.out and "sub-run" in listed.out, listed.out
        resumed = bench.start("resume", "latest", env={"ANTHROPIC_API_KEY": "sk-test"})
        assert resumed.wait(400) == 0, resumed.err[-3000:]
        twice = {label for label, count in model.answered.items() if count > bought[label]}
        assert twice == set(OPEN), "what was open when it was killed is asked again, and nothing else"
        assert before.keys() <= model.answered.keys() == bought.keys()
    second = [folder for folder in closer_pi.runs_below(bench.outputs) if folder not in first]
    assert [closer_pi.tree(folder) for folder in second] == expected
    executed = [
        json.loads(line)
        for line in (second[1] / "nodes" / "n002" / "executions.jsonl").read_text().splitlines()
    ]
    assert [entry["kind"] for entry in executed] == ["write", "run"], "no call of a tool took effect twice"

    for name in ("transcript.jsonl", "transcript.sub1.jsonl"):
        (goal.parent / name).write_bytes((first[0] / name).read_bytes())
    replayed = bench.start("explore", str(goal), *search_only(goal))
    assert replayed.wait(400) == 0, replayed.out + replayed.err[-3000:]
    third = [folder for folder in closer_pi.runs_below(bench.outputs) if folder not in (*first, *second)]
    assert [closer_pi.tree(folder) for folder in third] == expected
    page = next(third[0].glob("EXPLORATION_REPORT_*.html")).read_text()
    assert (
        "Best of 3 nodes" in page
        and "<script" not in page
        and f"../{third[1].name}/EXPLORATION_REPORT_" in page
    )
    listed = bench.start("status")
    assert (
        listed.wait() == 0 and listed.out.count("exploration ") == 6 and listed.out.count("sub-run of") == 3
    )


def _inherits_by_the_table(parent: Path, child: Path) -> None:
    """Venue, memory and catalogue come from the parent run; the plan is the sub-run's own."""
    record, ideas = (
        json.loads((child / "run.json").read_text()),
        json.loads((child / "idea.json").read_text()),
    )
    assert record["part_of"] == parent.name and record["settings"]["venue"] == "generic"
    assert [(idea["title"], idea["pinned"]) for idea in ideas["ideas"]] == [
        ("Decimals", True),
        ("Convergents", False),
    ]
    assert ideas["selected"] == 0 and ideas["catalogue"] == ["Convergents"]
    assert "Convergents" in (child / "experiment.md").read_text()
    turns = [json.loads(line) for line in (child / "transcript.jsonl").read_text().splitlines()[1:]]
    told = next(json.dumps(turn["request"]) for turn in turns if turn["position"]["agent"] == "experimenter")
    assert "A fraction was tried" in told or "fraction 0" in told, (
        "its root is told what the parent run's nodes noted"
    )
    assert (parent / "idea.json").read_text() != (child / "idea.json").read_text()
    assert json.loads((parent / "lineage_decisions.jsonl").read_text())["action"] == "switch_to_idea"
    bill = (
        json.loads((parent / "costs.json").read_text())["run"],
        json.loads((child / "costs.json").read_text())["run"],
    )
    assert bill[0]["calls"] > bill[1]["calls"] > 10, "what the sub-run cost is on the run's bill"


def _whole(bench: Bench) -> tuple[Path, Path]:
    """The goal's file and the folder of a run through all stages."""
    goal = closer_pi.write_goal(bench.folder / "goal")
    with Model(closer_pi.answer) as model:
        whole = explore(bench, model, goal, "--max-nodes", "3")
        assert whole.wait(500) == 0, whole.out + whole.err[-3000:]
    return goal, bench.run_dir


def test_from_a_goal_to_a_paper_that_reproduces(bench: Bench) -> None:
    _, first = _whole(bench)
    stages = json.loads(
        next((first / "checkpoints").glob("checkpoint_stage_ors_grade_latest.json")).read_text()
    )["stages"]
    assert len(stages) == 17 and {stage["status"] for stage in stages} == {"done"}
    tex = (first / "paper" / "full_paper.tex").read_text()
    lock = json.loads((first / "ear_published" / "manifest.lock").read_text())
    assert "5.779" in tex and lock["bundle_sha256"] in tex.replace("\\allowbreak{}", "")
    assert json.loads((first / "ors_grade.json").read_text())["ors_score"] > 0.9

    cloned = subprocess.run(
        [
            sys.executable,
            "-m",
            "flows.cli",
            "clone",
            str(first / "bundle.tar.gz"),
            "--expect-sha256",
            lock["bundle_sha256"],
            "--into",
            str(bench.folder / "cloned"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert cloned.returncode == 0, cloned.stderr
    done = subprocess.run(
        ["sh", "reproduce.sh"],
        cwd=bench.folder / "cloned",
        capture_output=True,
        text=True,
        timeout=120,
        env={"PATH": "/usr/bin:/bin", **(WITHIN if probe_level().degraded else {})},
    )
    assert done.returncode == 0 and "best.error" in done.stdout and "differs" not in done.stdout, (
        done.stdout + done.stderr
    )


@pytest.mark.long
def test_the_same_bundle_when_it_is_replayed(bench: Bench) -> None:
    """CPU: two whole runs."""
    goal, first = _whole(bench)
    (goal.parent / "transcript.jsonl").write_bytes((first / "transcript.jsonl").read_bytes())
    replayed = bench.start("explore", str(goal), "--max-nodes", "3")
    assert replayed.wait(500) == 0, replayed.out + replayed.err[-3000:]
    [second] = [folder for folder in closer_pi.runs_below(bench.outputs) if folder != first]
    locks = [json.loads((run / "ear_published" / "manifest.lock").read_text()) for run in (first, second)]
    assert locks[0] == locks[1]
