"""The tree of experiments: each node one experiment, in a directory of its own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.explore.evaluation import Evaluation

Label = Literal["draft", "improve", "debug", "ablation", "validation", "other"]
NodeStatus = Literal["pending", "running", "succeeded", "failed", "sterile", "pruned"]
FINISHED: tuple[NodeStatus, ...] = ("succeeded", "failed", "sterile", "pruned")
TASKS: dict[Label, str] = {
    "draft": "Try a new implementation approach for the same goal.",
    "improve": "Improve performance or accuracy beyond what the parent achieved.",
    "debug": "The parent experiment had issues. Diagnose and fix them.",
    "ablation": "Ablation study: remove or vary one component from the parent approach.",
    "validation": "Validate the parent result under different conditions or parameters.",
    "other": "Extend or vary the parent experiment.",
}


class NodeCost(Model):
    """What a node has cost."""

    usd: float = 0.0
    tokens: int = 0
    turns: int = 0
    cpu_s: float = 0.0


class Node(Model):
    """One experiment. direction: as proposed when the node was made; nothing rewrites it.

    closed: why the node is not expanded any more, '' while it may be. pruned is the status of a node that never ran.
    """

    id: Identifier
    parent: str | None = None
    depth: int = Field(0, ge=0)
    label: Label = "draft"
    direction: str = Field("", max_length=4000)
    idea: int = Field(0, ge=0, description="index in idea.json")
    ancestor_ids: tuple[str, ...] = Field((), description="root first, parent last")
    status: NodeStatus = "pending"
    evaluation: Evaluation | None = None
    expansions: int = Field(0, ge=0, description="children made of it")
    closed: str = ""
    failure: str = Field("", max_length=2000)
    cost: NodeCost = Field(default_factory=NodeCost)

    @property
    def composite(self) -> float:
        """0 before it was evaluated."""
        return self.evaluation.composite if self.evaluation else 0.0

    @property
    def works(self) -> bool:
        """It succeeded, and code measured it."""
        return self.status == "succeeded" and self.evaluation is not None and self.evaluation.has_real_data


class Tree(Model):
    """tree.json. Nodes in the order they were made; `tasks.explore.search` holds what is done to it."""

    run_id: str
    goal_id: str
    nodes: tuple[Node, ...] = ()

    def node(self, node_id: str) -> Node:
        """The node; KeyError when there is none."""
        for found in self.nodes:
            if found.id == node_id:
                return found
        raise KeyError(node_id)

    def children(self, node_id: str) -> tuple[Node, ...]:
        """Its children in the order they were made."""
        return tuple(found for found in self.nodes if found.parent == node_id)

    def replaced(self, node: Node) -> Tree:
        """The same tree with that node in the place of the one with its id."""
        self.node(node.id)
        return self.model_copy(
            update={"nodes": tuple(node if old.id == node.id else old for old in self.nodes)}
        )


class ExpansionAnswer(Model):
    """One child for a node."""

    label: Label
    direction: str = Field(min_length=1, max_length=2000, description="what to try, and why it may help")
