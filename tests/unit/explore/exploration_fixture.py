"""A finished search on disk: a first program, a faster one made from it, a change inside the noise, and one that failed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from schemas.explore.evaluation import AxisScore, Comparison, Evaluation, Measured, MeasuredRecord, MetricSpec
from schemas.explore.node_report import Artifact, FilesChanged, NodeReport, SelfAssessment
from schemas.explore.tree import Node, Tree

PROGRAM = "import numpy\n\n\ndef solve(data):\n    return numpy.sum(data.astype('float64'))\n"
VALUES = {"n000": (40.0, 0.4), "n001": (12.5, 0.2), "n002": (12.4, 0.3)}


def _digest(data: str) -> str:
    return hashlib.sha256(data.encode()).hexdigest()


def _measured(value: float, uncertainty: float, unit: str = "ms", name: str = "time") -> Measured:
    return Measured(
        name=name,
        value=value,
        uncertainty=uncertainty,
        n=5,
        unit=unit,
        spread="scaled_mad",
        values=(
            value,
            value + uncertainty,
            value - uncertainty,
            value + uncertainty / 2,
            value - uncertainty / 2,
        ),
    )


def _comparison(other: str, verdict: str, ratio: float) -> Comparison:
    return Comparison(
        other=other,
        difference=-1.0,
        uncertainty=0.5,
        ratio=ratio,
        ratio_uncertainty=0.01,
        paired=True,
        verdict=verdict,
    )  # type: ignore[arg-type]


def exploration(run_dir: Path) -> Path:
    """The run's folder."""

    def write(name: str, text: str) -> None:
        (run_dir / name).parent.mkdir(parents=True, exist_ok=True)
        (run_dir / name).write_text(text)

    write("goal.md", "# A faster sum\n\nMake the sum over float64 data faster.\nLower time is better.\n")
    write("measure/measure.py", "print()\n")
    spec = MetricSpec(
        name="time",
        unit="ms",
        direction="lower",
        kind="timed",
        program="measure/measure.py",
        sha256=_digest("print()\n"),
    )
    write("evaluation_criteria.json", spec.model_dump_json())
    parents = {"n000": None, "n001": "n000", "n002": "n001", "n003": "n001"}
    comparisons = {
        "n001": _comparison("n000", "better", 12.5 / 40),
        "n002": _comparison("n001", "no_difference", 12.4 / 12.5),
    }
    nodes = []
    for node_id, parent in parents.items():
        ancestors = {"n000": (), "n001": ("n000",)}.get(node_id, ("n000", "n001"))
        evaluation = None
        text = PROGRAM + f"# {node_id}\n"
        write(f"nodes/{node_id}/work/solve.py", text)
        if node_id in VALUES:
            metric = _measured(*VALUES[node_id])
            record = MeasuredRecord(
                node_id=node_id, parent_id=parent or "", program_sha256=spec.sha256, metrics=(metric,)
            )
            write(f"nodes/{node_id}/measured.json", record.model_dump_json())
            evaluation = Evaluation(
                has_real_data=True,
                metrics=(metric,),
                comparison=comparisons.get(node_id),
                composite=0.5,
                axes=(AxisScore(axis="soundness", score=0.6, reason="it ran"),),
                headline="It ran.",
                refused=("time: typed",) if node_id == "n002" else (),
            )
        report = NodeReport(
            node_id=node_id,
            parent_id=parent,
            label="draft",
            status="succeeded" if evaluation else "failed",
            files_changed=FilesChanged(added=("solve.py",)),
            self_assessment=SelfAssessment(succeeded=True),
            artifacts=(Artifact(path="solve.py", role="source", sha256=_digest(text), bytes=len(text)),),
        )
        write(f"nodes/{node_id}/node_report.json", report.model_dump_json())
        nodes.append(
            Node(
                id=node_id,
                parent=parent,
                depth=len(ancestors),
                ancestor_ids=ancestors,
                direction="swap the loops",
                label="draft" if parent is None else "improve",
                status="succeeded" if evaluation else "failed",
                evaluation=evaluation,
                failure="" if evaluation else "it did not compile",
            )
        )
    write("nodes/n001/work/parameters.json", json.dumps({"block size": 64, "name": "x", "bad": float("nan")}))
    write("tree.json", Tree(run_id="r", goal_id="sum", nodes=tuple(nodes)).model_dump_json())
    return run_dir
