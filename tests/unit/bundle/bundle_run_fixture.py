"""A finished search in a folder: three nodes, each measured by a program that counts a kernel's steps."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from schemas.base import FileRef, Model
from schemas.explore.evaluation import Evaluation, Measured, MeasuredRecord, MetricSpec
from schemas.explore.figures import Figure, FiguresManifest
from schemas.explore.node_report import Artifact, FilesChanged, NodeReport, SelfAssessment
from schemas.explore.paper import PaperSource, Section
from schemas.explore.science_data import Configuration, Number, ScienceData, SummaryStats
from schemas.explore.tree import Node, Tree

MEASURE = """\
import importlib.util
import json
import pathlib

kernel = importlib.util.spec_from_file_location("kernel", "candidate/kernel.py")
module = importlib.util.module_from_spec(kernel)
kernel.loader.exec_module(module)
top = int(pathlib.Path("inputs/top.txt").read_text())
total, steps = module.total(top)
pathlib.Path("measured.json").write_text(json.dumps({
    "metrics": {"steps": {"value": steps, "unit": "1"}}, "checks": {"sum": total == top * (top + 1) // 2}}))
"""
SLOW = "def total(top):\n    found = 0\n    for step in range(top):\n        found += step + 1\n    return found, top\n"
FAST = "def total(top):\n    return top * (top + 1) // 2, 4\n"
GOAL = """\
# Sums in few steps
How few steps does the sum of the first numbers need?
Fewer are better.

## Provided Files
- `inputs/top.txt`

## Measure
`measure/sum.py`
"""
STEPS = {"n000": 100.0, "n001": 50.0, "n002": 4.0}


def _write(path: Path, content: str | bytes | Model) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Model):
        content = content.model_dump_json()
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _sha(content: str | bytes) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def _number(name: str, value: float, kind: str, node: str, unit: str = "", **more: object) -> Number:
    return Number.model_validate(
        {
            "name": name,
            "value": value,
            "uncertainty": 0.0,
            "unit": unit,
            "kind": kind,
            "what": name,
            "file": f"nodes/{node}/measured.json",
            "sha256": "a" * 64,
            "node_id": node if kind == "measured" else "",
            **more,
        }
    )


def _node(
    run: Path, node_id: str, parent: str | None, depth: int, files: dict[str, str], changed: FilesChanged
) -> Node:
    for path, content in files.items():
        _write(run / "nodes" / node_id / "work" / path, content)
    measured = Measured(
        name="steps", value=STEPS[node_id], uncertainty=0, n=1, unit="1", values=(STEPS[node_id],)
    )
    evaluation = Evaluation(has_real_data=True, metrics=(measured,))
    _write(
        run / f"nodes/{node_id}/measured.json",
        MeasuredRecord(node_id=node_id, program_sha256=_sha(MEASURE), metrics=(measured,)),
    )
    _write(
        run / f"nodes/{node_id}/node_report.json",
        NodeReport(
            node_id=node_id,
            parent_id=parent,
            depth=depth,
            label="draft",
            status="succeeded",
            files_changed=changed,
            has_real_data=True,
            self_assessment=SelfAssessment(succeeded=True, headline=f"{node_id} works"),
            artifacts=tuple(
                Artifact(path=path, role="source", sha256=_sha(content), bytes=len(content))
                for path, content in files.items()
            ),
        ),
    )
    ancestors = {"n000": (), "n001": ("n000",), "n002": ("n000", "n001")}[node_id]
    return Node(
        id=node_id,
        parent=parent,
        depth=depth,
        direction=f"try {node_id}",
        ancestor_ids=ancestors,
        status="succeeded",
        evaluation=evaluation,
    )


def finished(run: Path) -> Path:
    """The run's folder, as it is when the data were collected and the figures drawn."""
    helper = "NAME = 'fast'\n"
    nodes = (
        _node(
            run,
            "n000",
            None,
            0,
            {"kernel.py": SLOW, "notes.md": "slow\n"},
            FilesChanged(added=("kernel.py", "notes.md")),
        ),
        _node(
            run,
            "n001",
            "n000",
            1,
            {"kernel.py": SLOW, "notes.md": "slow\n", "helper.py": helper},
            FilesChanged(added=("helper.py",), inherited_unchanged=("kernel.py", "notes.md")),
        ),
        _node(
            run,
            "n002",
            "n001",
            2,
            {"kernel.py": FAST, "helper.py": helper},
            FilesChanged(modified=("kernel.py",), deleted=("notes.md",), inherited_unchanged=("helper.py",)),
        ),
    )
    _write(run / "tree.json", Tree(run_id="r", goal_id="sum", nodes=nodes))
    _write(run / "measure.py", MEASURE)
    _write(
        run / "evaluation_criteria.json",
        MetricSpec(
            name="steps",
            unit="1",
            direction="lower",
            kind="deterministic",
            program="measure.py",
            sha256=_sha(MEASURE),
        ),
    )
    _write(run / "goal/inputs/top.txt", "100\n")
    _write(run / "goal/measure/sum.py", MEASURE)
    _write(run / "goal/goal.md", GOAL)
    figure = _write(run / "figures/fig_1.png", b"\x89PNG\r\n")
    ref = FileRef.of(figure, run)
    _write(
        run / "figures_manifest.json",
        FiguresManifest(
            figures=(Figure(name="fig_1", kind="plot", caption="Steps", alt="Steps", png=ref, source=ref),)
        ),
    )
    best, first = (
        _number(f"{node}.steps", STEPS[node], "measured", node, key="steps") for node in ("n002", "n000")
    )
    named = (
        best.model_copy(update={"name": "best.steps"}),
        first.model_copy(update={"name": "baseline.steps"}),
    )
    change = _number(
        "best.steps.change", -96.0, "derived", "n002", "%", derived_from=("n002.steps", "n000.steps")
    )
    top = _number("top", 100.0, "parameter", "n002")
    speedup = _number("speedup", 25.0, "derived", "n002", derived_from=("n002.steps", "n000.steps"))
    count = _number("search.nodes", 3.0, "counted", "n002")
    _write(
        run / "science_data.json",
        ScienceData(
            goal_id="sum",
            title="Sums in few steps",
            question="How few steps?",
            derived=(*named, speedup, change, count),
            configurations=(
                Configuration(
                    node_id="n002", rank=1, depth=2, label="improve", measurements=(best,), parameters=(top,)
                ),
                Configuration(node_id="n001", rank=2, depth=1, label="improve"),
                Configuration(node_id="n000", rank=3, label="draft", measurements=(first,)),
            ),
            summary_stats=SummaryStats(
                count=3, primary_metric="steps", direction="lower", typed_split_coverage=1.0
            ),
        ),
    )
    texts = {
        "abstract": "We need {{best.steps}} steps, a gain of {{speedup}}.",
        "method": "The sum of the first {{top}} numbers is taken in closed form.",
        "results": "The loop needs {{baseline.steps}} and the formula {{best.steps}}; `kernel.py` holds it.",
    }
    _write(
        run / "paper/source.json",
        PaperSource(
            title="Sums in few steps",
            venue="generic",
            sections=tuple(Section(name=name, text=text) for name, text in texts.items()),
        ),
    )
    return run


def stated(run: Path, name: str, value: float) -> None:
    """Make science_data.json state another value than the one measured for `name`, and the node's record with it."""
    for path in (run / "science_data.json", *run.glob("nodes/*/measured.json")):
        text = json.loads(path.read_text())
        old = {"best.steps": 4.0, "baseline.steps": 100.0}[name]
        path.write_text(json.dumps(text).replace(f'"value": {old}', f'"value": {value}'))
