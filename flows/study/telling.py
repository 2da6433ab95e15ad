"""A study's graph in lines: phases with their states, participants one a line, what failed and why."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.study.graph import PhaseNode, PhaseStatus
from schemas.text.visible import one_visible_line
from tasks.study.phases import grouped

MARKS = {
    PhaseStatus.PENDING: "·",
    PhaseStatus.RUNNING: ">",
    PhaseStatus.COMPLETED: "+",
    PhaseStatus.FAILED: "x",
    PhaseStatus.SKIPPED: "-",
}
LEGEND = "+ done  > running  · waiting  x failed  - left out"


def graph_lines(nodes: Sequence[PhaseNode]) -> list[str]:
    """The graph for a terminal. A participant's three nodes are in one line."""
    known = {node.id: node for node in nodes}
    lines = []
    for node in nodes:
        if node.parent is not None:
            continue
        children = [known[name] for name in node.children]
        done = (
            f" ({sum(child.status is PhaseStatus.COMPLETED for child in children)} of {len(children)})"
            if children
            else ""
        )
        lines.append(f"{MARKS[node.status]} {node.id}: {node.title}, {node.status}{done}{_why(node)}")
        for name, group in grouped(children).items():
            if len(group) > 1:
                shown = "  ".join(f"{MARKS[child.status]} {child.id.rsplit('/', 1)[1]}" for child in group)
                lines.append(f"    {name}  {shown}" + "".join(_why(child) for child in group))
            else:
                lines.append(f"  {MARKS[group[0].status]} {name}{_why(group[0])}")
    return [*lines, LEGEND]


def _why(node: PhaseNode) -> str:
    return (
        f"  [{one_visible_line(node.error, 300)}]" if node.error and node.status is PhaseStatus.FAILED else ""
    )
