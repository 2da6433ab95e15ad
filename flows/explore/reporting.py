"""The report of an exploration: the page with the tree, the tree's export, results by node."""

from __future__ import annotations

import json
from pathlib import Path

from flows.explore.context import Run
from flows.explore.searching import reports_of
from flows.run.costs import spent
from tasks.explore.report.tree_page import page
from tasks.explore.search.best import best_node
from tasks.explore.values_in_words import with_uncertainty
from tasks.files.store import atomic_write


def write_report(run: Run, complete: bool) -> Path:
    """EXPLORATION_REPORT_<goal>.html, and the tree as light files; the report's path."""
    run.mirror()
    tree = run.state.tree
    if tree is not None:
        light = [
            {
                "id": node.id,
                "parent": node.parent,
                "depth": node.depth,
                "label": node.label,
                "status": node.status,
                "direction": node.direction,
                "score": node.composite,
                "metrics": {
                    m.name: {"value": m.value, "uncertainty": m.uncertainty, "unit": m.unit}
                    for m in (node.evaluation.metrics if node.evaluation else ())
                },
            }
            for node in tree.nodes
        ]
        atomic_write(
            run.run_dir / "nodes_tree.json",
            json.dumps({"experiment_goal": run.goal.text, "nodes": light}, indent=1),
        )
    money, unknown, tokens = spent(run)
    cost = f"{tokens} tokens, {money:.2f} USD" + (" and calls of unknown price" if unknown else "")
    if run.settings.model.kind != "anthropic":
        cost = f"nothing was bought (model {run.settings.model.kind})"
    text = page(
        run.state,
        run.run_dir,
        reports_of(run),
        started=run.begun,
        headline=_headline(run, complete),
        cost=cost,
        model=f"model {run.settings.model.kind}",
        smallest_effect=run.settings.measure.smallest_effect,
    )
    return atomic_write(run.run_dir / f"EXPLORATION_REPORT_{run.goal.goal_id}.html", text)


def best_words(run: Run) -> str:
    """The best node of a run and what was measured of it, in words; '' where nothing was measured."""
    tree, spec = run.state.tree, run.state.spec
    best = best_node(tree, spec, run.settings.measure.smallest_effect) if tree and spec else None
    metric = best.evaluation.metric(spec.name) if best and best.evaluation and spec else None
    return f"best {best.id}: {metric.name} {with_uncertainty(metric)}" if best and metric else ""


def _headline(run: Run, complete: bool) -> str:
    tree, spec = run.state.tree, run.state.spec
    best = best_node(tree, spec, run.settings.measure.smallest_effect) if tree and spec else None
    if best is None or best.evaluation is None or spec is None:
        return "Nothing was measured." if complete else "It ended before anything was measured."
    found = best.evaluation.metric(spec.name)
    if found is None:
        return ""
    root = best.evaluation.baseline
    spread = f" ± {root.ratio_uncertainty:.1g}" if root and root.ratio_uncertainty else ""
    ratio = f", {root.ratio:.3g}{spread} times the root's" if root and root.ratio else ""
    return f"Best of {len(tree.nodes) if tree else 0} nodes: {best.id} with {spec.name} = {with_uncertainty(found)}{ratio}."
