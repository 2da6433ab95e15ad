"""A whole search without a model: a scripted agent that works, one that is lazy, and several that lie."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from schemas.explore.claims import Claim, ExecutionRecord
from schemas.explore.evaluation import AxisAnswer, EvaluationAnswer
from schemas.explore.node_report import NodeReport
from schemas.explore.settings import ExploreSettings, MeasureSettings, SearchSettings
from schemas.explore.tree import Tree
from tasks.explore.goals import load_goal
from tasks.explore.measuring.freezing import freeze, harness_of
from tasks.explore.nodes.difference import recorded
from tasks.explore.nodes.ending import concluded, examined, node_dir
from tasks.explore.nodes.node_files import snapshot
from tasks.explore.nodes.node_record import begun, node_record
from tasks.explore.nodes.seeding import provide, seed
from tasks.explore.nodes.selection import chain, select_source_files_for_publication
from tasks.explore.search.axes import GENERIC
from tasks.explore.search.best import best_node, ranked
from tasks.explore.search.frontier import next_round
from tasks.explore.search.growing import expanded, started
from tasks.explore.search.siblings import siblings

pytestmark = pytest.mark.sim

GOAL = """# Fewer steps to a root
Find the square root of two with as few evaluations as can be.
The result must be right to 1e-9.
## Provided Files
- start.json
## Measure
measure.py
## Metric
name: evaluations
unit: 1
direction: lower
kind: deterministic
"""
MEASURE = """
import json
from candidate.solver import solve
count = 0
def f(x):
    global count
    count += 1
    return x * x - 2.0
found = solve(f, *json.load(open("start.json")))
json.dump({"metrics": {"evaluations": {"value": count, "unit": "1"}}, "checks": {"right": abs(found - 2.0 ** 0.5) < 1e-9}},
          open("measured.json", "w"))
"""
BISECTION = (
    "def solve(f, a, b):\n    while b - a > 1e-10:\n        m = (a + b) / 2\n"
    "        a, b = (m, b) if f(m) < 0 else (a, m)\n    return a\n"
)
SECANT = (
    "def solve(f, a, b):\n    fa, fb = f(a), f(b)\n    while abs(b - a) > 1e-10:\n"
    "        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)\n        fb = f(b)\n    return b\n"
)
TYPED = "def solve(f, a, b):\n    return 1.5\n"  # and the file says otherwise
PRAISE = EvaluationAnswer(
    headline="done", axes=tuple(AxisAnswer(axis=axis.name, score=1, reason="fine") for axis in GENERIC)
)
HARSH = EvaluationAnswer(
    headline="done", axes=tuple(AxisAnswer(axis=axis.name, score=0.1, reason="poor") for axis in GENERIC)
)
CLAIM = (Claim(name="speedup", file="speed.json", pointer="/speedup"),)


class Search:
    """The loop of a flow: seed, let an agent work, examine, score, conclude."""

    def __init__(self, folder: Path):
        (folder / "goal").mkdir()
        for name, text in (("goal.md", GOAL), ("measure.py", MEASURE), ("start.json", "[1.0, 2.0]")):
            (folder / "goal" / name).write_text(text)
        self.goal, self.run = load_goal(folder / "goal"), folder / "run"
        self.run.mkdir()
        self.settings = ExploreSettings(
            search=SearchSettings(max_nodes=8, max_expansions=6, axes="legacy", composite="arithmetic_mean"),
            measure=MeasureSettings(cpu_s=10),
        )
        self.spec = freeze(self.goal, self.run, settings=self.settings.measure)
        self.harness = harness_of(self.goal, self.spec, self.run, self.settings.measure)
        self.tree: Tree = started("run", self.goal.goal_id)
        self.reports: dict[str, NodeReport] = {}
        self.node_id = "n000"
        provide(self.goal, node_dir(self.run, "n000") / "work")

    def child(self, parent: str) -> str:
        self.tree, node = expanded(
            self.tree, parent, self.settings.search, label="improve", direction=f"child of {parent}"
        )
        self.node_id = node.id
        seed(
            node_dir(self.run, parent) / "work",
            node_dir(self.run, node.id) / "work",
            node_record(parent, node_dir(self.run, parent)),
        )
        return node.id

    def works(
        self, files: dict[str, str], kind: str = "write", answer: EvaluationAnswer = HARSH, claims=()
    ) -> str:
        folder = node_dir(self.run, self.node_id)
        before = begun(folder)
        for name, text in files.items():
            (folder / "work" / name).write_text(text)
        entry: ExecutionRecord = recorded(0, before, snapshot(folder / "work"), {}, kind=kind, exit_code=0)
        (folder / "executions.jsonl").write_text(entry.model_dump_json() + "\n")
        node = self.tree.node(self.node_id)
        found = examined(self.run, node, self.tree, self.spec, self.harness, claims)
        assert (
            examined(self.run, node, self.tree, self.spec, self.harness, claims) == found
        )  # measured once, then kept
        self.tree, self.reports[node.id] = concluded(
            self.run, self.tree, node.id, found, self.spec, GENERIC, self.settings, answer=answer
        )
        return self.tree.node(node.id).status


def test_no_lie_gets_above_a_working_node(tmp_path):
    search = Search(tmp_path)
    assert search.works({"solver.py": BISECTION}) == "succeeded"
    assert next_round(search.tree, search.settings.search, search.spec) == ("n000",)

    search.child("n000")
    assert search.works({"solver.py": SECANT}) == "succeeded"
    found = search.tree.node("n001").evaluation
    assert found.comparison.verdict == "better" and found.metrics[0].value < 12 and found.comparison_found

    search.child("n000")  # types its metric, and has it measured as it is
    typed = {
        "solver.py": TYPED,
        "measured.json": '{"metrics": {"evaluations": {"value": 1, "unit": "1"}}}',
        "speed.json": '{"speedup": 40.5}',
    }
    assert search.works(typed, answer=PRAISE, claims=CLAIM) == "failed"
    refused = search.tree.node("n002").evaluation.refused
    assert any("typed by the agent" in reason for reason in refused) and any(
        "'right' failed" in reason for reason in refused
    )

    search.child("n001")  # takes over everything, changes nothing
    assert search.works({}, answer=PRAISE) == "sterile" and search.tree.node("n003").composite == 0.0

    search.child("n001")  # a sibling's sources with another comment: it works, and is no better
    assert search.works({"solver.py": "# mine\n" + SECANT}, answer=PRAISE) == "succeeded"
    assert search.tree.node("n004").evaluation.comparison.verdict == "no_difference"

    search.child("n001")  # a result of another node, byte for byte
    folder = node_dir(search.run, "n001")
    result = '{"speedup": 7.25}'
    record = recorded(0, {}, {"speed.json": sha256(result.encode()).hexdigest()}, {}, kind="run")
    (folder / "executions.jsonl").write_text(record.model_dump_json() + "\n")
    copied = {"solver.py": SECANT + "\n", "speed.json": result}
    assert search.works(copied, kind="run", claims=CLAIM) == "succeeded"
    last = search.tree.node("n005").evaluation
    assert not last.claims and "byte for byte a result of node n001" in last.refused[0]

    lying = [search.tree.node(name).composite for name in ("n002", "n003")]
    working = [search.tree.node(name).composite for name in ("n000", "n001", "n004", "n005")]
    assert max(lying) < min(working)
    order = [node.id for node, _ in ranked(search.tree, search.spec)]
    assert order[:4] == ["n001", "n004", "n005", "n000"] and best_node(search.tree, search.spec).id == "n001"
    assert [sibling.files_added for sibling in siblings(search.tree, "n000", search.reports)] == [(), ()]
    chosen = select_source_files_for_publication(chain(search.tree, "n001"), search.reports)
    assert [(source.path, source.node_id) for source in chosen] == [("solver.py", "n001")]
    kept = json.loads((node_dir(search.run, "n002") / "node_report.json").read_text())
    assert kept["status"] == "failed" and kept["refused"] == list(refused)
