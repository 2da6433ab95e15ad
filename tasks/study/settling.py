"""What follows from a status: parents follow their children, and what depends on a failure is skipped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from schemas.study.graph import PhaseNode, PhaseStatus

_PENDING, _RUNNING = PhaseStatus.PENDING, PhaseStatus.RUNNING
_COMPLETED, _FAILED, _SKIPPED = PhaseStatus.COMPLETED, PhaseStatus.FAILED, PhaseStatus.SKIPPED


_BECAUSE = "skipped: "


def is_consequence(node: PhaseNode) -> bool:
    """Skipped because of another node, not on purpose."""
    return node.status is _SKIPPED and node.error.startswith(_BECAUSE)


def settled(nodes: Mapping[str, PhaseNode], at: datetime) -> dict[str, PhaseNode]:
    """The nodes after all consequences; a fixed point, reached in as many rounds as the graph is deep."""
    now = dict(nodes)
    while True:
        changed = False
        for node in list(now.values()):
            after = _parent(node, now, at) if node.children else _skipped(node, now, at)
            if after is not node and after != node:
                now[node.id], changed = after, True
        if not changed:
            return now


def _skipped(node: PhaseNode, nodes: Mapping[str, PhaseNode], at: datetime) -> PhaseNode:
    """A pending node is skipped when something it waits for failed or was skipped."""
    if node.status is not _PENDING:
        return node
    above = node
    for _ in range(len(nodes)):
        for name in above.depends_on:
            cause = nodes.get(name)
            if cause is not None and cause.status in (_FAILED, _SKIPPED):
                why = f"{_BECAUSE}{name} {'failed' if cause.status is _FAILED else 'was skipped'}"
                return node.model_copy(update={"status": _SKIPPED, "error": why, "completed_at": at})
        if above.parent is None or above.parent not in nodes:
            break
        above = nodes[above.parent]
    return node


def _parent(node: PhaseNode, nodes: Mapping[str, PhaseNode], at: datetime) -> PhaseNode:
    children = [nodes[name] for name in node.children if name in nodes]
    statuses = {child.status for child in children}
    failed = [child.id for child in children if child.status is _FAILED]
    error = ""
    if statuses & {_PENDING, _RUNNING}:
        begun = statuses - {_PENDING} and statuses != {_PENDING, _SKIPPED}
        status = _RUNNING if begun else _PENDING
    elif failed:
        status, error = (
            _FAILED,
            f"{', '.join(failed[:5])} failed" + (f" and {len(failed) - 5} more" if failed[5:] else ""),
        )
    elif _SKIPPED in statuses:
        status = _SKIPPED
        error = next((child.error for child in children if child.status is _SKIPPED and child.error), "")
    else:
        status = _COMPLETED
    started = min((child.started_at for child in children if child.started_at), default=None)
    ended = None if status in (_PENDING, _RUNNING) else (node.completed_at or at)
    return node.model_copy(
        update={"status": status, "error": error, "started_at": started, "completed_at": ended}
    )
