"""Which node is expanded next: the measured standing first, then one of four scores, and nothing left to chance.

Nodes with measured evidence always come before those without; among equals fewer children, then the shallower, then the
older node. Nodes are chosen in rounds, after all of the last round ended, so that the tree does not depend on who ran faster.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from schemas.explore.evaluation import MetricSpec
from schemas.explore.settings import FrontierScore, SearchSettings
from schemas.explore.tree import Node, Tree
from tasks.explore.search.best import standings
from tasks.explore.search.growing import expanded, why_not

Standings = Mapping[str, int]


def frontier_score(node: Node, tree: Tree, search: SearchSettings, standing: Standings) -> float:
    """How promising a node is by the chosen score; larger first. standing: of each measured node, 1 for the best."""
    return SCORES[search.frontier_score](node, tree, search, standing)


def scientific_only(node: Node, _tree: Tree, _search: SearchSettings, standing: Standings) -> float:
    """The measured standing; the composite only between nodes that stand alike."""
    return _placed(node, node.composite, standing)


def scientific_plus_diversity(node: Node, tree: Tree, search: SearchSettings, standing: Standings) -> float:
    """The same, where of nodes that stand alike one of a kind (label and idea) that few have gets up to `diversity_weight`."""
    alike = sum((other.label, other.idea) == (node.label, node.idea) for other in tree.nodes)
    weight = search.diversity_weight
    return _placed(node, (node.composite + weight * (1 - alike / len(tree.nodes))) / (1 + weight), standing)


def depth_penalized(node: Node, _tree: Tree, search: SearchSettings, standing: Standings) -> float:
    """The standing less `depth_penalty` for each level, so that a shallow node may come before a better deep one."""
    return _placed(node, node.composite, standing) - search.depth_penalty * node.depth


def ucb_like(node: Node, tree: Tree, search: SearchSettings, standing: Standings) -> float:
    """standing + c sqrt(ln(1 + N) / (1 + n)): n expansions of this node, N of all, so that what was little expanded gets its
    turn. After P. Auer et al., UCB1 (2002)."""
    total = sum(other.expansions for other in tree.nodes)
    bonus = math.sqrt(math.log(1 + total) / (1 + node.expansions))
    return _placed(node, node.composite, standing) + search.exploration * bonus


SCORES: dict[FrontierScore, Callable[[Node, Tree, SearchSettings, Standings], float]] = {
    "scientific_plus_diversity": scientific_plus_diversity,
    "scientific_only": scientific_only,
    "depth_penalized": depth_penalized,
    "ucb_like": ucb_like,
}


def _placed(node: Node, inside: float, standing: Standings) -> float:
    """0 to 1: the measured standing sets the step, of as many as there are, and `inside` (0 to 1) the place on it. Without a
    measurement there is no step, only the place."""
    steps = max(standing.values(), default=1)
    return (steps - standing.get(node.id, steps) + inside) / steps


def frontier(
    tree: Tree, search: SearchSettings, spec: MetricSpec, smallest_effect: float = 0.01
) -> tuple[Node, ...]:
    """The nodes that can be expanded, the next one first."""
    open_nodes = [node for node in tree.nodes if not why_not(node, tree, search)]
    standing = standings(tree, spec, smallest_effect)

    def order(node: Node) -> tuple[bool, float, int, int, int]:
        score = round(
            frontier_score(node, tree, search, standing), 12
        )  # a difference in the last digit decides nothing
        return not node.works, -score, node.expansions, node.depth, tree.nodes.index(node)

    return tuple(sorted(open_nodes, key=order))


def next_round(
    tree: Tree, search: SearchSettings, spec: MetricSpec, smallest_effect: float = 0.01
) -> tuple[str, ...]:
    """Ids of the nodes to expand in the next round, `parallel` at most, one child each; a node may come twice.

    Empty when the search has ended, or while nodes of the last round still wait or run.
    """
    if any(node.status in ("pending", "running") for node in tree.nodes):
        return ()
    chosen: list[str] = []
    while len(chosen) < search.parallel and (ready := frontier(tree, search, spec, smallest_effect)):
        chosen.append(ready[0].id)
        tree, _ = expanded(tree, ready[0].id, search, label="other", direction="")
    return tuple(chosen)
