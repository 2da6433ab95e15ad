"""What the expander is told of a node's children, so that it proposes none of them again; and the check that it did not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from schemas.explore.node_report import NodeReport
from schemas.explore.tree import Tree
from tasks.explore.nodes.selection import filter_nodes

SAME = 0.8
_STOP = {
    "a",
    "an",
    "and",
    "by",
    "for",
    "in",
    "instead",
    "into",
    "is",
    "it",
    "of",
    "on",
    "or",
    "so",
    "that",
    "the",
    "then",
    "this",
    "to",
    "try",
    "use",
    "using",
    "we",
    "with",
}


@dataclass(frozen=True)
class Sibling:
    """One child that is there already. files_added: what it wrote; a plan that would write the same is the same plan."""

    id: str
    label: str
    status: str
    direction: str
    files_added: tuple[str, ...] = ()
    headline: str = ""


def siblings(tree: Tree, parent_id: str, reports: Mapping[str, NodeReport]) -> tuple[Sibling, ...]:
    """The children of a node in the order they were made; of those that gave something also what they wrote and found."""
    children = tree.children(parent_id)
    gave = {node.id for node in filter_nodes(children, reports, "for_synthesis").nodes}
    return tuple(
        _sibling(
            node.id,
            node.label,
            node.status,
            node.direction,
            reports.get(node.id) if node.id in gave else None,
        )
        for node in children
    )


def told(found: tuple[Sibling, ...]) -> list[dict[str, object]]:
    """The siblings as the expander's context."""
    return [{**asdict(sibling), "files_added": list(sibling.files_added[:20])} for sibling in found]


def duplicate_of(direction: str, found: tuple[Sibling, ...], same: float = SAME) -> str:
    """Id of the sibling whose direction says the same in nearly the same words; '' when there is none.

    Words in any order: at least `same` of all words in both (Jaccard index), and the same numbers, as another block size is
    another direction.
    """
    mine = _words(direction)
    for sibling in found:
        its = _words(sibling.direction)
        if mine and its and len(mine & its) / len(mine | its) >= same and _numbers(mine) == _numbers(its):
            return sibling.id
    return ""


def _sibling(node_id: str, label: str, status: str, direction: str, report: NodeReport | None) -> Sibling:
    if report is None:
        return Sibling(node_id, label, status, direction)
    return Sibling(
        node_id, label, status, direction, report.files_changed.added, report.self_assessment.headline
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+(?:\.[0-9]+)?", text.casefold())) - _STOP


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(sign.isdigit() for sign in word))
