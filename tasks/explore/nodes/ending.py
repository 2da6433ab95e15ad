"""What happens when a node's agent is done: code looks at what it left, measures it, and writes the report.

Two steps, as a model scores the axes in between: `examined` finds the evidence, `concluded` ends the node with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from schemas.explore.claims import Claim, NodeRecord, RefusedClaim, ResolvedClaim
from schemas.explore.evaluation import EvaluationAnswer, Measured, MeasuredRecord, MetricSpec
from schemas.explore.node_report import FilesChanged, NodeReport
from schemas.explore.settings import CustomAxis, ExploreSettings
from schemas.explore.tree import Node, NodeCost, NodeStatus, Tree
from tasks.explore.measuring.claims import resolve_claims
from tasks.explore.measuring.harness import Subject, kept, measure
from tasks.explore.measuring.once import Harness
from tasks.explore.nodes.difference import files_changed
from tasks.explore.nodes.node_files import snapshot
from tasks.explore.nodes.node_record import node_record, results_of
from tasks.explore.nodes.node_report import build_report
from tasks.explore.nodes.provided import provided_subject
from tasks.explore.search.evaluating import evaluate
from tasks.explore.search.growing import ended
from tasks.files.store import atomic_write

MEASURED, REPORT = "measured.json", "node_report.json"


@dataclass(frozen=True)
class Examined:
    """What code found. measured: None where nothing was to be measured (sterile)."""

    changed: FilesChanged
    after: dict[str, str]
    record: NodeRecord
    measured: MeasuredRecord | None
    resolved: tuple[ResolvedClaim, ...] = ()
    refused: tuple[RefusedClaim, ...] = ()

    @property
    def sterile(self) -> bool:
        """It changed nothing."""
        return self.changed.nothing


def node_dir(run_dir: Path, node_id: str) -> Path:
    """The folder of a node: work/ with its files, and beside it what code wrote about it."""
    return run_dir / "nodes" / node_id


def examined(
    run_dir: Path, node: Node, tree: Tree, spec: MetricSpec, harness: Harness, claims: Sequence[Claim] = ()
) -> Examined:
    """The evidence of a node whose agent is done, measured beside its parent if that works; the root beside the files as
    provided.

    tree: as it was when the node's round began, so that what a sibling beside it does changes nothing here. A measurement
    that was kept before is taken, not made again. Raises what `measuring.harness.measure` raises.
    """
    folder = node_dir(run_dir, node.id)
    record, after = node_record(node.id, folder), snapshot(folder / "work")
    changed = files_changed(record.inherited, after)
    if changed.nothing:
        return Examined(changed, after, record, None)
    keep = folder / MEASURED
    measured = (
        kept(keep, run_dir)
        if keep.is_file()
        else measure(
            spec,
            harness,
            Subject(node.id, folder / "work", record),
            _parent(run_dir, node, tree, spec),
            keep=keep,
            run_dir=run_dir,
        )
    )
    others = results_of(
        node_record(other.id, node_dir(run_dir, other.id))
        for other in tree.nodes
        if other.id != node.id and other.status not in ("pending", "running")
    )
    resolved, refused = resolve_claims(
        claims,
        folder / "work",
        record,
        results_of_others=others,
        measured_by_us=[spec.name, *(metric.name for metric in measured.metrics)],
    )
    return Examined(changed, after, record, measured, resolved, refused)


def concluded(
    run_dir: Path,
    tree: Tree,
    node_id: str,
    found: Examined,
    spec: MetricSpec,
    axes: Sequence[CustomAxis],
    settings: ExploreSettings,
    *,
    answer: EvaluationAnswer | None = None,
    failure: str = "",
    cost: NodeCost | None = None,
) -> tuple[Tree, NodeReport]:
    """The tree with the node ended, and its report, which is kept as node_report.json.

    answer: the model's scores. failure: why its agent did not come to an end of its own; what it left counts all the same.
    A node that code could measure succeeded; one that changed nothing is sterile; any other failed.
    """
    root = tree.nodes[0]
    evaluation = evaluate(
        spec,
        axes,
        settings.search.composite,
        answer=answer,
        record=found.measured,
        root=_primary(root, spec),
        root_id=root.id,
        claims=found.resolved,
        refused_claims=found.refused,
        sterile=found.sterile,
        smallest_effect=settings.measure.smallest_effect,
    )
    status: NodeStatus = "sterile" if found.sterile else "succeeded" if evaluation.has_real_data else "failed"
    if status == "failed":
        failure = failure or "; ".join(evaluation.refused)
    tree = ended(
        tree, node_id, settings.search, status=status, evaluation=evaluation, failure=failure, cost=cost
    )
    folder = node_dir(run_dir, node_id)
    report = build_report(tree.node(node_id), folder / "work", found.changed, found.after, found.record)
    atomic_write(folder / REPORT, report.model_dump_json(indent=1))
    return tree, report


def _parent(run_dir: Path, node: Node, tree: Tree, spec: MetricSpec) -> Subject | None:
    if node.parent is None:
        return provided_subject(run_dir, spec)
    if not tree.node(node.parent).works:
        return None
    folder = node_dir(run_dir, node.parent)
    return Subject(node.parent, folder / "work", node_record(node.parent, folder))


def _primary(node: Node, spec: MetricSpec) -> Measured | None:
    return node.evaluation.metric(spec.name) if node.works and node.evaluation else None
