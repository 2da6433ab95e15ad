"""How a tree grows: a root, one child for each expansion, an end for each node, and what is closed to further growth."""

from __future__ import annotations

from schemas.errors import StateError
from schemas.explore.evaluation import Evaluation
from schemas.explore.settings import SearchSettings
from schemas.explore.tree import FINISHED, Label, Node, NodeCost, NodeStatus, Tree

DEPTH, STERILE_CHILDREN, STERILE = (
    "it is as deep as allowed",
    "its children led nowhere",
    "it changed nothing",
)


def started(run_id: str, goal_id: str, *, idea: int = 0, direction: str = "") -> Tree:
    """A tree with its root, which waits to run."""
    return Tree(
        run_id=run_id,
        goal_id=goal_id,
        nodes=(Node(id=_name(0), label="draft", idea=idea, direction=direction),),
    )


def permitted_label(parent: Node, label: Label) -> Label:
    """What a child may be: where the parent does not work there is nothing to improve, vary or validate, only to mend."""
    if parent.works:
        return "improve" if label == "debug" else label
    return label if label in ("debug", "draft", "other") else "debug"


def why_not(node: Node, tree: Tree, search: SearchSettings) -> str:
    """Why a node cannot be expanded now; '' when it can."""
    if len(tree.nodes) >= search.max_nodes:
        return f"the tree has its {search.max_nodes} nodes"
    if node.status not in ("succeeded", "failed"):
        return f"it is {node.status}"
    if node.closed:
        return node.closed
    if node.depth >= search.max_depth:
        return DEPTH
    if node.expansions >= search.max_expansions:
        return f"it has its {search.max_expansions} children"
    return ""


def expanded(
    tree: Tree, parent_id: str, search: SearchSettings, *, label: Label, direction: str
) -> tuple[Tree, Node]:
    """The tree with one more child of that node, and the child, which waits to run. Raises StateError if it may not grow."""
    parent = tree.node(parent_id)
    if reason := why_not(parent, tree, search):
        raise StateError(
            f"node {parent_id} cannot be expanded",
            found=reason,
            fix="ask tasks.explore.search.frontier which nodes can",
        )
    child = Node(
        id=_name(len(tree.nodes)),
        parent=parent_id,
        depth=parent.depth + 1,
        label=permitted_label(parent, label),
        direction=direction,
        idea=parent.idea,
        ancestor_ids=(*parent.ancestor_ids, parent_id),
    )
    counted = tree.replaced(parent.model_copy(update={"expansions": parent.expansions + 1}))
    return counted.model_copy(update={"nodes": (*counted.nodes, child)}), child


def ended(
    tree: Tree,
    node_id: str,
    search: SearchSettings,
    *,
    status: NodeStatus,
    evaluation: Evaluation | None = None,
    failure: str = "",
    cost: NodeCost | None = None,
) -> Tree:
    """The tree after a node ran; what its end closes is closed. Raises StateError for an end that is none."""
    if status not in FINISHED:
        raise StateError(f"{status!r} is no end of a node", allowed=", ".join(FINISHED))
    node = tree.node(node_id)
    changes: dict[str, object] = {"status": status, "evaluation": evaluation, "failure": failure[:2000]}
    if cost is not None:
        changes["cost"] = cost
    if status == "sterile":
        changes["closed"] = STERILE
    elif node.depth >= search.max_depth:
        changes["closed"] = DEPTH
    return cascaded(tree.replaced(node.model_copy(update=changes)), search)


def cascaded(tree: Tree, search: SearchSettings) -> Tree:
    """The tree with every node closed all of whose children led nowhere; closing one may close its parent.

    A child led nowhere when it is sterile or was closed for its own children. `sterile_children` or more are needed, so that
    one lazy child does not end a search.
    """
    for node in reversed(tree.nodes):  # children come after their parents
        children = tree.children(node.id)
        if (
            not node.closed
            and len(children) >= search.sterile_children
            and all(_led_nowhere(child) for child in children)
        ):
            tree = tree.replaced(node.model_copy(update={"closed": STERILE_CHILDREN}))
    return tree


def closed(tree: Tree, reason: str) -> Tree:
    """The tree with nothing left to expand: what waits to run never will."""
    return tree.model_copy(
        update={
            "nodes": tuple(
                node.model_copy(
                    update={
                        "closed": node.closed or reason,
                        **({"status": "pruned"} if node.status == "pending" else {}),
                    }
                )
                for node in tree.nodes
            )
        }
    )


def _led_nowhere(node: Node) -> bool:
    return node.status in ("sterile", "pruned") or node.closed == STERILE_CHILDREN


def _name(number: int) -> str:
    return f"n{number:03d}"
