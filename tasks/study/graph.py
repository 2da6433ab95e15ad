"""The graph of a study: what can run, what follows from a change, what blocks. Pure: reads and writes nothing.

A `Graph` never changes; each change returns another. Edges for order and cycles are those of `depends_on`, of a parent
on its children, and of a child on all that its parent depends on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from graphlib import CycleError, TopologicalSorter
from typing import Any

from schemas.errors import InputError, StateError
from schemas.study.graph import Blocked, PhaseNode, PhaseStatus
from tasks.study.settling import is_consequence, settled

PENDING, RUNNING = PhaseStatus.PENDING, PhaseStatus.RUNNING
COMPLETED, FAILED, SKIPPED = PhaseStatus.COMPLETED, PhaseStatus.FAILED, PhaseStatus.SKIPPED

TRANSITIONS: Mapping[PhaseStatus, frozenset[PhaseStatus]] = {
    PENDING: frozenset({RUNNING, SKIPPED}),
    RUNNING: frozenset({COMPLETED, FAILED, PENDING}),  # back to pending: interrupted
    FAILED: frozenset({PENDING}),  # tried again, by a person's word
    SKIPPED: frozenset({PENDING}),
    COMPLETED: frozenset(),  # is never run again
}


class Graph:
    """Nodes by id, with the statuses that follow from them settled."""

    def __init__(self, nodes: Iterable[PhaseNode]):
        listed = tuple(nodes)
        self._doubled = [name for name, times in Counter(node.id for node in listed).items() if times > 1]
        self._nodes = {node.id: node for node in listed}

    def nodes(self) -> tuple[PhaseNode, ...]:
        """All nodes, children included, in the order they were added."""
        return tuple(self._nodes.values())

    def node(self, node_id: str) -> PhaseNode:
        """A node by its id. Raises StateError if there is none."""
        if node_id not in self._nodes:
            raise StateError("there is no such node", found=node_id, allowed=", ".join(self._nodes))
        return self._nodes[node_id]

    def validate(self) -> list[str]:
        """What is wrong with the graph; empty when nothing is."""
        errors = [f"{name}: two nodes have this id" for name in self._doubled]
        if not self._nodes:
            return [*errors, "the graph has no node"]
        for node in self._nodes.values():
            errors += [
                f"{node.id}: depends on {name}, which does not exist"
                for name in node.depends_on
                if name not in self._nodes
            ]
            errors += [
                f"{node.id}: its child {name} does not exist or names another parent"
                for name in node.children
                if name not in self._nodes or self._nodes[name].parent != node.id
            ]
            if node.parent is not None and (
                node.parent not in self._nodes or node.id not in self._nodes[node.parent].children
            ):
                errors.append(f"{node.id}: its parent {node.parent} does not exist or does not list it")
        if all(node.depends_on or node.parent is not None for node in self._nodes.values()):
            errors.append("no root: every node depends on another, so nothing can start")
        try:
            TopologicalSorter(self._edges()).prepare()
        except CycleError as error:
            errors.append("a cycle: " + " -> ".join(reversed(error.args[1])))
        return errors

    def topological_order(self) -> list[str]:
        """Ids so that each comes after all it waits for. Raises StateError if there is a cycle."""
        try:
            return list(TopologicalSorter(self._edges()).static_order())
        except CycleError as error:
            raise StateError("the graph has a cycle", found=" -> ".join(reversed(error.args[1]))) from None

    def ready(self) -> tuple[PhaseNode, ...]:
        """Pending nodes, no parents, of which everything they wait for is completed."""
        return tuple(node for node in self._nodes.values() if self._is_ready(node))

    def updated(
        self, node_id: str, status: PhaseStatus, *, error: str = "", at: datetime | None = None
    ) -> Graph:
        """The graph with one node's new status and all that follows from it: parents, and skipped dependants.

        Raises StateError for a transition that is not allowed, a node that cannot run yet, or a parent (its status
        follows from its children).
        """
        node = self.node(node_id)
        if status not in TRANSITIONS[node.status]:
            raise StateError(
                f"{node_id} cannot become {status}",
                found=f"it is {node.status}",
                allowed=", ".join(sorted(TRANSITIONS[node.status])) or "nothing: it is done",
            )
        if node.children:
            raise StateError(f"{node_id} has children; its status follows from theirs", found=status)
        if status is RUNNING and not self._is_ready(node):
            waits = [
                f"{name} ({self._nodes[name].status})"
                for name in self._waits_for(node)
                if self._nodes[name].status is not COMPLETED
            ]
            raise StateError(f"{node_id} cannot run yet", found="it waits for " + ", ".join(waits))
        at = at or datetime.now(UTC)
        of_status: dict[PhaseStatus, dict[str, Any]] = {
            PENDING: {"started_at": None, "completed_at": None},
            RUNNING: {"started_at": at, "completed_at": None},
        }
        times = of_status.get(status, {"completed_at": at})
        nodes = dict(self._nodes)
        nodes[node_id] = node.model_copy(update={"status": status, "error": error, **times})
        return _settle(nodes, at)

    def expanded(self, parent_id: str, children: Iterable[PhaseNode]) -> Graph:
        """The graph with `children` under a parent that from now on is virtual. More may be added until it has ended.

        A child may depend on its siblings and on any node that does not wait for the parent. Raises StateError if the
        parent was run itself, a child is of another phase or has begun, or the graph would no longer be valid.
        """
        parent, new = self.node(parent_id), tuple(children)
        begun = parent.status is not PENDING if not parent.children else parent.status in (COMPLETED, SKIPPED)
        if begun:
            raise StateError(
                f"{parent_id} cannot be expanded", found=f"it is {parent.status}", allowed="a pending node"
            )
        for child in new:
            if child.type is not parent.type or child.status is not PENDING or child.children:
                raise StateError(
                    f"{child.id} does not fit below {parent_id}",
                    found=f"{child.type}, {child.status}",
                    allowed=f"a pending node of {parent.type} without children",
                )
        placed = [child.model_copy(update={"parent": parent_id}) for child in new]
        whole = parent.model_copy(update={"children": (*parent.children, *(child.id for child in placed))})
        return self._with([whole if node.id == parent_id else node for node in self._nodes.values()], placed)

    def added(self, nodes: Iterable[PhaseNode]) -> Graph:
        """The graph with more nodes at the top, such as those of a revision. Raises StateError if it were not valid."""
        return self._with(list(self._nodes.values()), list(nodes))

    def resumed(self, at: datetime | None = None) -> Graph:
        """The graph after an interruption: what was running is pending again, nothing else changes."""
        nodes = {
            name: node.model_copy(update={"status": PENDING, "started_at": None})
            if node.status is RUNNING and not node.children
            else node
            for name, node in self._nodes.items()
        }
        return _settle(nodes, at or datetime.now(UTC))

    def retried(self, node_id: str) -> Graph:
        """The graph with a failed node pending again, and with it what was skipped only because of it."""
        node = self.node(node_id)
        if node.status is not FAILED or node.children:
            raise StateError(
                f"{node_id} cannot be tried again",
                found=f"it is {node.status}",
                allowed="a failed node without children",
            )
        again = {"status": PENDING, "error": "", "started_at": None, "completed_at": None}
        nodes = {
            name: other.model_copy(update=again | ({"attempt": node.attempt + 1} if name == node_id else {}))
            if name == node_id or is_consequence(other) or (other.children and other.status is FAILED)
            else other
            for name, other in self._nodes.items()
        }
        return _settle(nodes, datetime.now(UTC))

    def is_complete(self) -> bool:
        """Every node is completed or skipped; while one has failed, it is not."""
        return all(node.status in (COMPLETED, SKIPPED) for node in self._nodes.values())

    def is_stuck(self) -> bool:
        """Nothing runs, nothing can, and the graph is not complete."""
        running = any(node.status is RUNNING and not node.children for node in self._nodes.values())
        return not running and not self.is_complete() and not self.ready()

    def blocked(self) -> tuple[Blocked, ...]:
        """What keeps the graph from completing, and why: first what failed, then what waits."""
        found = []
        for node in self._nodes.values():
            if node.status is FAILED:
                found.append(
                    Blocked(
                        node_id=node.id, status=FAILED, why="failed: " + (node.error or "no reason was given")
                    )
                )
            elif is_consequence(node):
                found.append(Blocked(node_id=node.id, status=SKIPPED, why=node.error))
            elif node.status is PENDING and not self._is_ready(node) and not node.children:
                waits = [
                    f"{name} ({self._nodes[name].status if name in self._nodes else 'does not exist'})"
                    for name in self._waits_for(node)
                    if name not in self._nodes or self._nodes[name].status is not COMPLETED
                ]
                found.append(Blocked(node_id=node.id, status=PENDING, why="waits for " + ", ".join(waits)))
        return tuple(sorted(found, key=lambda item: (FAILED, SKIPPED, PENDING).index(item.status)))

    def _with(self, nodes: list[PhaseNode], new: list[PhaseNode]) -> Graph:
        graph = Graph([*nodes, *new])
        if errors := graph.validate():
            raise StateError("the nodes do not fit into the graph", found="; ".join(errors))
        return _settle(graph._nodes, datetime.now(UTC))

    def _ancestors(self, node: PhaseNode) -> list[PhaseNode]:
        found: list[PhaseNode] = []
        while node.parent in self._nodes and len(found) < len(self._nodes):
            node = self._nodes[node.parent]
            found.append(node)
        return found

    def _waits_for(self, node: PhaseNode) -> tuple[str, ...]:
        """Own dependencies and those of the parents."""
        names = [*node.depends_on, *(name for parent in self._ancestors(node) for name in parent.depends_on)]
        return tuple(dict.fromkeys(names))

    def _is_ready(self, node: PhaseNode) -> bool:
        return (
            node.status is PENDING
            and not node.children
            and all(
                name in self._nodes and self._nodes[name].status is COMPLETED
                for name in self._waits_for(node)
            )
        )

    def _edges(self) -> dict[str, list[str]]:
        return {
            node.id: [name for name in (*self._waits_for(node), *node.children) if name in self._nodes]
            for node in self._nodes.values()
        }


def _settle(nodes: Mapping[str, PhaseNode], at: datetime) -> Graph:
    return Graph(settled(nodes, at).values())


def graph_of(nodes: Iterable[PhaseNode]) -> Graph:
    """A graph of these nodes. Raises InputError with every error if it is not valid."""
    graph = Graph(nodes)
    if errors := graph.validate():
        raise InputError("the graph is not valid", found="; ".join(errors), fix="correct the nodes")
    return graph
