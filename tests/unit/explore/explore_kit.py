"""What tests of the search share: a metric, measurements, evaluated nodes, reports."""

from __future__ import annotations

from statistics import median

from schemas.explore.evaluation import Evaluation, Measured, MetricSpec
from schemas.explore.node_report import Artifact, FilesChanged, NodeReport, SelfAssessment
from schemas.explore.settings import SearchSettings
from schemas.explore.tree import Node, Tree
from tasks.explore.measuring.spread import standard_error
from tasks.explore.search.growing import ended, expanded, started

SHA = "a" * 64

ROOT = (0.3, 1.0, 1.02, 0.98, 1.01, 0.99)
FAST, SLOW = (0.50, 0.51, 0.49, 0.50, 0.505), (0.80, 0.81, 0.79, 0.80, 0.805)


def spec(**changes) -> MetricSpec:
    return MetricSpec(
        **{
            "name": "time_s",
            "unit": "s",
            "direction": "lower",
            "kind": "timed",
            "program": "measure.py",
            "sha256": SHA,
            **changes,
        }
    )


def measured(*values, kind="timed", name="time_s", unit="s") -> Measured:
    error, spread = standard_error(values, kind)
    return Measured(
        name=name,
        value=median(values),
        uncertainty=error,
        n=len(values),
        unit=unit,
        values=values,
        spread=spread,
    )


def evaluation(composite, *values, **changes) -> Evaluation:
    return Evaluation(
        **{
            "has_real_data": bool(values),
            "composite": composite,
            "metrics": (measured(*values),) if values else (),
            **changes,
        }
    )


def grown(search: SearchSettings, *children, root=(0.5, 1.0, 1.1, 1.2)) -> Tree:
    """A tree whose root ended well. children: (parent, label, status, composite, *measured values)."""
    tree = ended(started("run", "goal"), "n000", search, status="succeeded", evaluation=evaluation(*root))
    for parent, label, status, *rest in children:
        tree, child = expanded(tree, parent, search, label=label, direction=f"try {label} on {parent}")
        if status == "pending":
            continue
        tree = ended(tree, child.id, search, status=status, evaluation=evaluation(*rest))
    return tree


def report(node: Node, added=(), modified=(), deleted=(), roles=None, **changes) -> NodeReport:
    roles = roles or {}
    files = [
        Artifact(path=path, role=roles.get(path, "source"), sha256=SHA, bytes=10)
        for path in (*added, *modified)
    ]
    return NodeReport(
        **{
            "node_id": node.id,
            "parent_id": node.parent,
            "depth": node.depth,
            "label": node.label,
            "status": node.status,
            "original_direction": node.direction,
            "artifacts": tuple(files),
            "self_assessment": SelfAssessment(succeeded=node.works),
            "files_changed": FilesChanged(
                added=tuple(added), modified=tuple(modified), deleted=tuple(deleted)
            ),
            **changes,
        }
    )
