"""When a search stands still, so that a lineage decision is asked for."""

from __future__ import annotations

from schemas.explore.evaluation import MetricSpec
from schemas.explore.settings import StagnationRule
from schemas.explore.tree import Node, Tree
from tasks.explore.search.best import standings


def stands_still(
    tree: Tree, rule: StagnationRule, spec: MetricSpec, *, decided_at: int = 0, smallest_effect: float = 0.01
) -> tuple[Node, ...]:
    """The last `window` nodes that ran, if none of them stands before all earlier ones by what was measured, and none raised
    the best composite by more than `flat`; else nothing.

    decided_at: how many nodes the tree had at the last decision; those before it only count as what is to be surpassed, so
    one standstill is decided once. Nodes that never ran do not count.
    """
    if not rule.enabled:
        return ()
    ran = [
        (place, node)
        for place, node in enumerate(tree.nodes)
        if node.status in ("succeeded", "failed", "sterile")
    ]
    window = [node for place, node in ran[-rule.window :] if place >= decided_at]
    before = [node for _, node in ran[: -rule.window]]
    if len(window) < rule.window or not before:
        return ()
    standing = standings(tree, spec, smallest_effect)
    last = len(standing) + 1
    if min(standing.get(node.id, last) for node in window) < min(
        standing.get(node.id, last) for node in before
    ):
        return ()
    rise = max(node.composite for node in window) - max(node.composite for node in before)
    return tuple(window) if rise <= rule.flat else ()
