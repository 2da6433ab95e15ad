"""Which nodes are best: by the measured metric with its error bars; no word of a model lifts a node above another one."""

from __future__ import annotations

from schemas.explore.evaluation import Measured, MetricSpec
from schemas.explore.tree import Node, Tree
from tasks.explore.search.measured_beside import compare


def ranked(tree: Tree, spec: MetricSpec, smallest_effect: float = 0.01) -> tuple[tuple[Node, int], ...]:
    """(node, tier), best first. Nodes of one tier cannot be told from the tier's best by their values, measured at different
    times. What was measured beside each other in one session can: first comes whose line holds more proven gains; of equals
    the older, as the younger is no improvement. Tiers count from 1; nodes without measured evidence come last, in one tier.
    """
    left = sorted(
        (node for node in tree.nodes if _primary(node, spec)), key=lambda node: _sort_value(node, spec)
    )
    found: list[tuple[Node, int]] = []
    tier = 0
    while left:
        tier += 1
        leader = left[0]
        level = [
            node for node in left if node is leader or not _told_apart(node, leader, spec, smallest_effect)
        ]
        found += [
            (node, tier)
            for node in sorted(level, key=lambda node: (-_gains(node, tree), tree.nodes.index(node)))
        ]
        left = [node for node in left if node not in level]
    rest = [node for node in tree.nodes if not _primary(node, spec)]
    return (*found, *((node, tier + 1) for node in sorted(rest, key=lambda node: -node.composite)))


def standings(tree: Tree, spec: MetricSpec, smallest_effect: float = 0.01) -> dict[str, int]:
    """Id -> standing of each measured node: 1 for the best and those that neither its value nor its line's gains tell from it,
    and so on without gaps. What stands alike differs by nothing that was measured."""
    found: dict[str, int] = {}
    before: tuple[int, int] | None = None
    for node, tier in ranked(tree, spec, smallest_effect):
        if _primary(node, spec):
            place = tier, _gains(node, tree)
            found[node.id] = max(found.values(), default=0) + (place != before)
            before = place
    return found


def best_node(tree: Tree, spec: MetricSpec, smallest_effect: float = 0.01) -> Node | None:
    """The first of the first tier; None where nothing was measured."""
    first = next(iter(ranked(tree, spec, smallest_effect)), None)
    return first[0] if first and _primary(first[0], spec) else None


def _gains(node: Node, tree: Tree) -> int:
    """How many nodes of its line, itself included, were better than the one they were made from, less those that were worse."""
    line = [node, *(tree.node(name) for name in node.ancestor_ids)]
    verdicts = [
        each.evaluation.comparison.verdict for each in line if each.evaluation and each.evaluation.comparison
    ]
    return verdicts.count("better") - verdicts.count("worse")


def _primary(node: Node, spec: MetricSpec) -> Measured | None:
    return node.evaluation.metric(spec.name) if node.works and node.evaluation else None


def _sort_value(node: Node, spec: MetricSpec) -> float:
    value = (_primary(node, spec) or _impossible(node)).value
    return -value if spec.direction == "higher" else value


def _told_apart(node: Node, leader: Node, spec: MetricSpec, smallest_effect: float) -> bool:
    mine, best = _primary(node, spec) or _impossible(node), _primary(leader, spec) or _impossible(leader)
    return compare(mine, best, leader.id, spec, smallest_effect=smallest_effect).verdict != "no_difference"


def _impossible(node: Node) -> Measured:
    raise AssertionError(f"node {node.id} has no measured metric")
