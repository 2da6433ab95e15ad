"""Which nodes and which of their files are passed on: one choice for the data, the bundle and the narrative."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from schemas.errors import StateError
from schemas.explore.node_report import NodeReport
from schemas.explore.tree import Node, Tree
from schemas.reading.beneath import Unopened, read_below

Criteria = Literal["for_synthesis", "for_code", "for_narrative"]
"""for_synthesis: measured and changed something; for_code: it succeeded and wrote sources; for_narrative: it ran, and
changed something or says why it failed."""
_MAX_SOURCE_BYTES = 20 << 20


@dataclass(frozen=True)
class Filtered:
    """The nodes that pass, in their order; what was dropped, by id; warning: '' unless most successes were dropped."""

    nodes: tuple[Node, ...]
    dropped: tuple[str, ...]
    warning: str = ""


@dataclass(frozen=True)
class SelectedSource:
    """One source file and the node whose bytes of it count."""

    path: str
    node_id: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class LoadedSources:
    """Bytes of sources in the order of their paths; left_out: those that did not fit the budget."""

    files: tuple[tuple[SelectedSource, bytes], ...]
    left_out: tuple[SelectedSource, ...] = ()


def filter_nodes(
    nodes: Sequence[Node],
    reports: Mapping[str, NodeReport],
    criteria: Criteria,
    *,
    always_include_node_ids: Collection[str] = (),
) -> Filtered:
    """The nodes to pass on. always_include_node_ids: pass whatever the criteria say (the best node)."""
    kept = tuple(
        node
        for node in nodes
        if node.id in always_include_node_ids or _passes(node, reports.get(node.id), criteria)
    )
    ids = {node.id for node in kept}
    succeeded = [node.id for node in nodes if node.status == "succeeded"]
    lost = [node_id for node_id in succeeded if node_id not in ids]
    warning = (
        f"{len(lost)} of {len(succeeded)} successful nodes are not passed on ({criteria}): {', '.join(lost[:10])}"
        if 2 * len(lost) > len(succeeded)
        else ""
    )
    return Filtered(kept, tuple(node.id for node in nodes if node.id not in ids), warning)


def _passes(node: Node, report: NodeReport | None, criteria: Criteria) -> bool:
    if report is None or node.status in ("pending", "running", "pruned", "sterile"):
        return False
    changed = not report.files_changed.nothing
    if criteria == "for_synthesis":
        return node.works and changed
    if criteria == "for_code":
        return node.status == "succeeded" and bool(_sources(report))
    return changed or bool(node.failure)


def chain(tree: Tree, node_id: str) -> tuple[Node, ...]:
    """The nodes from the root to that one."""
    node = tree.node(node_id)
    return (*(tree.node(ancestor) for ancestor in node.ancestor_ids), node)


def select_source_files_for_publication(
    nodes: Sequence[Node], reports: Mapping[str, NodeReport]
) -> tuple[SelectedSource, ...]:
    """The sources that made a chain's last node (root first), by path: of each the deepest node's that wrote it.

    Pure: from the reports alone. A file that a deeper node deleted is not in it; results never are.
    """
    found: dict[str, SelectedSource] = {}
    for node in sorted(nodes, key=lambda item: item.depth):
        report = reports.get(node.id)
        if report is None:
            continue
        for path in report.files_changed.deleted:
            found.pop(path, None)
        found.update(_sources(report))
    return tuple(found[path] for path in sorted(found))


def load_selected_sources(
    selected: Sequence[SelectedSource], nodes_dir: Path, size_budget: int | None = None
) -> LoadedSources:
    """The bytes of selected sources, below `nodes_dir/<node>/work`. size_budget: bytes of all together; whole files only,
    the smallest first, so that most of the program is seen. Raises StateError for a file that is not what its node left."""
    files: list[tuple[SelectedSource, bytes]] = []
    left_out: list[SelectedSource] = []
    room = size_budget
    for source in sorted(selected, key=lambda item: (item.bytes, item.path)):
        if room is not None and source.bytes > room:
            left_out.append(source)
            continue
        try:
            raw = read_below(nodes_dir / source.node_id / "work", source.path, _MAX_SOURCE_BYTES)
        except Unopened as error:
            raise StateError(
                f"the source {source.path!r} of node {source.node_id} {error}",
                fix="restore the node's work directory; its files are evidence",
            ) from None
        if sha256(raw).hexdigest() != source.sha256:
            raise StateError(
                f"the source {source.path!r} of node {source.node_id} was changed after the node ended",
                allowed=f"sha256 {source.sha256}",
                fix="restore the node's work directory; its files are evidence",
            )
        files.append((source, raw))
        room = None if room is None else room - len(raw)
    return LoadedSources(
        tuple(sorted(files, key=lambda item: item[0].path)), tuple(sorted(left_out, key=lambda s: s.path))
    )


def _sources(report: NodeReport) -> dict[str, SelectedSource]:
    touched = {*report.files_changed.added, *report.files_changed.modified}
    return {
        item.path: SelectedSource(item.path, report.node_id, item.sha256, item.bytes)
        for item in report.artifacts
        if item.role == "source" and item.path in touched
    }
