"""science_data.json from the nodes of a search: all numbers by code, from the files that measurements wrote."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import median

from schemas.base import file_sha256
from schemas.errors import StateError
from schemas.explore.evaluation import MetricSpec
from schemas.explore.node_report import NodeReport
from schemas.explore.science_data import Configuration, KeySummary, ScienceData, SummaryStats
from schemas.explore.tree import Node, Tree
from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from tasks.explore.data.derived import counts, of_best, of_pairs
from tasks.explore.data.machine import describe_machine, machine_numbers
from tasks.explore.data.node_numbers import NodeNumbers, node_numbers, provided_numbers
from tasks.explore.nodes.provided import PROVIDED, primary_of, provided_record
from tasks.explore.nodes.selection import chain, select_source_files_for_publication
from tasks.explore.paper.building import read_model
from tasks.explore.search.best import ranked

_MOST_CONFIGURATIONS = 200


def collect_science_data(run_dir: Path, *, smallest_effect: float = 0.01) -> ScienceData:
    """The data without words. Raises StateError where nothing was measured or files tell two stories, InputError otherwise."""
    tree_file = next(
        (name for name in ("tree.json", "nodes_tree.json") if (run_dir / name).is_file()), "tree.json"
    )
    tree = read_model(run_dir / tree_file, Tree)
    spec = read_model(run_dir / "evaluation_criteria.json", MetricSpec)
    reports = node_reports(run_dir, tree)
    sha256 = file_sha256(run_dir / tree_file)
    numbers = {node.id: node_numbers(run_dir, node, tree_file, sha256) for node in tree.nodes}
    numbers[PROVIDED] = provided_numbers(run_dir, spec)
    order = [(node, tier) for node, tier in ranked(tree, spec, smallest_effect) if numbers[node.id].by_metric]
    if not order:
        raise StateError(
            "no node of the search was measured",
            found=f"{len(tree.nodes)} nodes",
            fix="there is nothing to write about; look at the nodes' reports",
        )
    best = order[0][0]
    baseline = (
        PROVIDED
        if numbers[PROVIDED].by_metric
        else next((one for one in best.ancestor_ids if tree.node(one).works and numbers[one].by_metric), "")
    )
    ranks = {node.id: place for place, (node, _tier) in enumerate(order, 1)}
    nodes = sorted(tree.nodes, key=lambda node: (ranks.get(node.id, len(tree.nodes) + 1), node.id))
    describe_machine(run_dir)
    title, question = _goal(run_dir)
    facts, machine = machine_numbers(run_dir)
    chosen = [
        f"nodes/{source.node_id}/work/{source.path}"
        for source in select_source_files_for_publication(chain(tree, best.id), reports)
    ]
    return ScienceData(
        goal_id=tree.goal_id,
        title=title,
        question=question,
        configurations=(
            *(
                _configuration(
                    node,
                    ranks.get(node.id, 0),
                    numbers[node.id],
                    reports.get(node.id),
                    chosen if node is best else None,
                )
                for node in nodes[:_MOST_CONFIGURATIONS]
            ),
            *_as_provided(numbers[PROVIDED]),
        ),
        derived=(
            *of_best(tree, numbers, best.id, baseline),
            *of_pairs(
                tree,
                spec,
                numbers,
                best.id,
                baseline,
                primary_of(provided_record(run_dir, spec), spec),
                smallest_effect,
            ),
            *counts(tree, numbers, tree_file, sha256),
            *machine,
        ),
        facts=facts,
        per_key_summary=_summaries(tree, spec, numbers),
        summary_stats=_stats(tree, spec, numbers, best),
        report_driven=bool(reports),
    )


def _goal(run_dir: Path) -> tuple[str, str]:
    """Title and text of the run's goal.md."""
    name = "goal/goal.md" if (run_dir / "goal" / "goal.md").is_file() else "goal.md"
    try:
        text = visible(read_below(run_dir, name, 200_000).decode("utf-8", "replace"))
    except Unopened as error:
        raise StateError(
            f"the run's goal.md {error}", fix="a run keeps a copy of its goal; restore it"
        ) from None
    first = next((line for line in text.splitlines() if line.strip(" #")), "A goal")
    return first.strip(" #")[:200], text


def node_reports(run_dir: Path, tree: Tree) -> dict[str, NodeReport]:
    """node_report.json of the nodes that have one."""
    paths = {node.id: run_dir / "nodes" / node.id / "node_report.json" for node in tree.nodes}
    return {node_id: read_model(path, NodeReport) for node_id, path in paths.items() if path.is_file()}


def _as_provided(numbers: NodeNumbers) -> list[Configuration]:
    """What was measured before any node, if it was."""
    return (
        [
            Configuration(
                node_id=PROVIDED,
                label="provided",
                direction="the files that came with the goal, unmodified",
                measurements=tuple(numbers.measurements),
            )
        ]
        if numbers.by_metric
        else []
    )


def _configuration(
    node: Node, rank: int, numbers: NodeNumbers, report: NodeReport | None, sources: list[str] | None
) -> Configuration:
    comparison = node.evaluation.comparison if node.evaluation else None
    if sources is None:
        sources = [
            f"nodes/{node.id}/work/{item.path}"
            for item in (report.artifacts if report else ())
            if item.role == "source"
        ][:50]
    return Configuration(
        node_id=node.id,
        parent_id=node.parent or (comparison.other if comparison else ""),
        rank=rank,
        depth=node.depth,
        label=node.label,
        direction=node.direction,
        summary=node.evaluation.headline if node.evaluation else node.failure[:400],
        parameters=tuple(numbers.parameters),
        measurements=tuple(numbers.measurements),
        reported=tuple(numbers.reported),
        scores=tuple(numbers.scores),
        against_parent=comparison.verdict if comparison and numbers.by_metric else "",
        refused=tuple(numbers.refused),
        sources=tuple(sources),
    )


def _summaries(tree: Tree, spec: MetricSpec, numbers: Mapping[str, NodeNumbers]) -> tuple[KeySummary, ...]:
    """Of the primary metric: nobody said in which direction the others are good."""
    found = []
    values = sorted(
        (numbers[node.id].by_metric[spec.name].value, node.id)
        for node in tree.nodes
        if spec.name in numbers[node.id].by_metric
    )
    if values:
        best, worst = (values[0], values[-1]) if spec.direction == "lower" else (values[-1], values[0])
        found.append(
            KeySummary(
                metric=spec.name,
                unit=spec.unit,
                direction=spec.direction,
                n=len(values),
                best=best[0],
                worst=worst[0],
                median=median(value for value, _ in values),
                best_node=best[1],
            )
        )
    return tuple(found)


def _stats(tree: Tree, spec: MetricSpec, numbers: Mapping[str, NodeNumbers], best: Node) -> SummaryStats:
    ran = [node for node in tree.nodes if node.status not in ("pending", "running", "pruned")]
    measured = [node for node in ran if spec.name in numbers[node.id].by_metric]
    return SummaryStats(
        count=len(ran),
        primary_metric=spec.name,
        direction=spec.direction,
        primary_metric_best=numbers[best.id].by_metric[spec.name].value
        if spec.name in numbers[best.id].by_metric
        else None,
        primary_metric_n=len(measured),
        measured_by=spec.origin,
        typed_split_coverage=len(measured) / len(ran) if ran else 0.0,
    )
