"""Numbers of the whole search: the best program beside the first one, each node beside its parent, and counts."""

from __future__ import annotations

import math
from collections.abc import Mapping

from schemas.explore.evaluation import Comparison, Measured, MetricSpec
from schemas.explore.science_data import Number
from schemas.explore.tree import Tree
from tasks.explore.data.node_numbers import NodeNumbers
from tasks.explore.data.number_names import slug
from tasks.explore.nodes.provided import PROVIDED
from tasks.explore.search.measured_beside import compare

NOISE = "; inside the noise, so no difference"


def renamed(number: Number, name: str, what: str) -> Number:
    """The same number under a second name."""
    return number.model_copy(update={"name": name, "what": what})


def of_best(tree: Tree, numbers: Mapping[str, NodeNumbers], best: str, baseline: str) -> list[Number]:
    """best.<metric> and baseline.<metric>."""
    found = [
        renamed(number, f"best.{slug(metric)}", f"{metric} of the best program (node {best})")
        for metric, number in numbers[best].by_metric.items()
    ]
    if baseline:
        what = (
            "the files as provided, unmodified"
            if baseline == PROVIDED
            else f"the first program that was measured (node {baseline})"
        )
        found += [
            renamed(number, f"baseline.{slug(metric)}", f"{metric} of {what}")
            for metric, number in numbers[baseline].by_metric.items()
        ]
    return found


def of_pairs(
    tree: Tree,
    spec: MetricSpec,
    numbers: Mapping[str, NodeNumbers],
    best: str,
    baseline: str,
    provided: Measured | None,
    smallest_effect: float,
) -> list[Number]:
    """best.<metric>.gain and .change against the baseline, and the same of each node against its parent; of the root against
    the files as provided. provided: their primary metric."""
    found: list[Number] = []
    measured = {
        node.id: metric
        for node in tree.nodes
        if node.evaluation and (metric := node.evaluation.metric(spec.name))
    }
    measured |= {PROVIDED: provided} if provided else {}
    if baseline:
        found += _pair("best", "the baseline", best, baseline, tree, spec, numbers, measured, smallest_effect)
    for node in tree.nodes:
        beside, words = (
            (node.parent, f"its parent {node.parent}") if node.parent else (PROVIDED, "the files as provided")
        )
        if numbers[node.id].by_metric and numbers[beside].by_metric:
            found += _pair(
                slug(node.id), words, node.id, beside, tree, spec, numbers, measured, smallest_effect
            )
    return found


def _pair(
    prefix: str,
    beside: str,
    node_id: str,
    other_id: str,
    tree: Tree,
    spec: MetricSpec,
    numbers: Mapping[str, NodeNumbers],
    measured: Mapping[str, Measured],
    smallest_effect: float,
) -> list[Number]:
    mine, its = numbers[node_id].by_metric.get(spec.name), numbers[other_id].by_metric.get(spec.name)
    evaluation, one, two = tree.node(node_id).evaluation, measured.get(node_id), measured.get(other_id)
    if mine is None or its is None or evaluation is None or one is None or two is None:
        return []
    known = [
        found
        for found in (evaluation.comparison, evaluation.baseline)
        if found is not None and found.other == other_id
    ]
    comparison = known[0] if known else compare(one, two, other_id, spec, smallest_effect=smallest_effect)
    ratio, spread = _ratio(comparison, mine, its)
    if ratio is None:
        return []
    factor = 1 / ratio if spec.direction == "lower" else ratio
    factor_spread = spread / ratio**2 if spec.direction == "lower" else spread
    noise = NOISE if comparison.verdict == "no_difference" else ""
    shared = {
        "kind": "derived",
        "file": mine.file,
        "sha256": mine.sha256,
        "node_id": node_id,
        "key": spec.name,
        "n": mine.n,
        "derived_from": (mine.name, its.name),
    }
    name, sense = (
        f"{prefix}.{slug(spec.name)}",
        "lower is better" if spec.direction == "lower" else "higher is better",
    )
    return [
        Number.model_validate(
            {
                **shared,
                "name": f"{name}.gain",
                "value": factor,
                "uncertainty": factor_spread,
                "what": f"factor by which {spec.name} is better than that of {beside}; {sense}{noise}",
            }
        ),
        Number.model_validate(
            {
                **shared,
                "name": f"{name}.ratio",
                "value": ratio,
                "uncertainty": spread,
                "what": f"{spec.name} over that of {beside}{noise}",
            }
        ),
        Number.model_validate(
            {
                **shared,
                "name": f"{name}.change",
                "value": 100 * (ratio - 1),
                "uncertainty": 100 * spread,
                "unit": "%",
                "what": f"change of {spec.name} against {beside}{noise}",
            }
        ),
    ]


def _ratio(comparison: Comparison, mine: Number, its: Number) -> tuple[float | None, float]:
    """Always that of the values as they are stated; the uncertainty is the comparison's, which may have been paired."""
    if its.value == 0 or mine.value * its.value <= 0:
        return None, 0.0
    ratio = mine.value / its.value
    if comparison.ratio is not None and comparison.ratio_uncertainty is not None:
        return ratio, max(comparison.ratio_uncertainty, abs(ratio - comparison.ratio))
    return ratio, abs(ratio) * math.hypot(
        (mine.uncertainty or 0) / mine.value, (its.uncertainty or 0) / its.value
    )


def counts(tree: Tree, numbers: Mapping[str, NodeNumbers], tree_file: str, tree_sha256: str) -> list[Number]:
    """nodes.total, .measured, .failed, .sterile, .better, .refused; depth; repeats of a measurement."""
    measured = [node for node in tree.nodes if numbers[node.id].by_metric]
    better = [
        node
        for node in measured
        if node.evaluation and node.evaluation.comparison and node.evaluation.comparison.verdict == "better"
    ]
    found = {
        "nodes.total": (len(tree.nodes), "experiments in the tree"),
        "nodes.measured": (len(measured), "experiments whose metric was measured, with every check passed"),
        "nodes.failed": (sum(node.status == "failed" for node in tree.nodes), "experiments that failed"),
        "nodes.sterile": (
            sum(node.status == "sterile" for node in tree.nodes),
            "experiments that changed nothing",
        ),
        "nodes.better": (
            len(better),
            "experiments better than the one they were made from, beyond the noise",
        ),
        "nodes.refused": (
            sum(bool(one.refused) for one in numbers.values()),
            "experiments of which a number was not believed",
        ),
        "nodes.depth": (
            max((node.depth for node in tree.nodes), default=0),
            "depth of the deepest experiment",
        ),
        "measure.repeats": (
            max((number.n for node in measured for number in numbers[node.id].measurements), default=0),
            "how often a metric was measured at most",
        ),
    }
    return [
        Number(name=name, value=value, kind="counted", what=what, file=tree_file, sha256=tree_sha256)
        for name, (value, what) in found.items()
    ]
