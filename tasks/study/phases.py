"""The nodes of a study: six phases in a row, and what scope, collect and synthesize are expanded into (specification, 5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.paper import SECTIONS
from schemas.study.pipeline import PipelineMode

_TITLES = {
    PhaseType.SCOPE: "Question and hypotheses",
    PhaseType.DESIGN: "Protocol and questionnaire",
    PhaseType.COLLECT: "Participants and data",
    PhaseType.ANALYZE: "Tests and figures",
    PhaseType.SYNTHESIZE: "Paper",
    PhaseType.REVIEW: "Review",
}


def initial_nodes() -> tuple[PhaseNode, ...]:
    """The six phases, each after the one before."""
    order = list(PhaseType)
    return tuple(
        PhaseNode(id=kind, type=kind, title=_TITLES[kind], depends_on=tuple(order[max(place - 1, 0) : place]))
        for place, kind in enumerate(order)
    )


def scope_nodes(top: str = "scope", to_mend: str = "") -> tuple[PhaseNode, ...]:
    """Where literature is searched: the search, and the plan after it. to_mend: what a revision has to mend."""
    search = PhaseNode(id=f"{top}/literature", type=PhaseType.SCOPE, title="Literature", description=to_mend)
    return search, PhaseNode(
        id=f"{top}/plan",
        type=PhaseType.SCOPE,
        title="Research plan",
        description=to_mend,
        depends_on=(search.id,),
    )


def collect_nodes(
    mode: PipelineMode, personas: Sequence[str] = (), top: str = "collect"
) -> tuple[PhaseNode, ...]:
    """Mode A: context, experience and participation of each participant, side by side, and an aggregate of all. Mode B: one
    node that takes over the data. top: the phase, of a revision with its number."""
    if mode is PipelineMode.REAL_DATA:
        return (PhaseNode(id=f"{top}/import", type=PhaseType.COLLECT, title="Real data"),)
    found: list[PhaseNode] = []
    for name in personas:
        before: tuple[str, ...] = ()
        for step in ("context", "experience", "participate"):
            node = f"{top}/{name}/{step}"
            found.append(
                PhaseNode(id=node, type=PhaseType.COLLECT, title=f"{name}: {step}", depends_on=before)
            )
            before = (node,)
    last = tuple(f"{top}/{name}/participate" for name in personas)
    return (
        *found,
        PhaseNode(id=f"{top}/aggregate", type=PhaseType.COLLECT, title="Raw data", depends_on=last),
    )


def section_nodes(top: str = "synthesize") -> tuple[PhaseNode, ...]:
    """Seven sections side by side, and a node that compiles them."""
    parts = tuple(
        PhaseNode(id=f"{top}/{name}", type=PhaseType.SYNTHESIZE, title=name.replace("_", " ").capitalize())
        for name in SECTIONS
    )
    return (
        *parts,
        PhaseNode(
            id=f"{top}/compile",
            type=PhaseType.SYNTHESIZE,
            title="The whole paper",
            depends_on=tuple(item.id for item in parts),
        ),
    )


def round_of(top: str) -> int:
    """1 for a phase as it was first, 2 and more for its revisions: analyze-2."""
    return int(top.partition("-")[2] or 1)


def latest(nodes: Iterable[PhaseNode], kind: PhaseType) -> PhaseNode:
    """The phase as it counts now: its last revision."""
    return max(
        (node for node in nodes if node.type is kind and "/" not in node.id),
        key=lambda node: round_of(node.id),
    )


_DECIDES = (PhaseType.SCOPE, PhaseType.DESIGN, PhaseType.COLLECT)


def reopened(nodes: Iterable[PhaseNode]) -> tuple[str, ...]:
    """Phases that decide what is tested on what, and were made again after a review, which had seen results."""
    return tuple(
        node.id for node in nodes if node.type in _DECIDES and "/" not in node.id and round_of(node.id) > 1
    )


def grouped(children: Iterable[PhaseNode]) -> dict[str, list[PhaseNode]]:
    """The parts of a phase by participant or part."""
    found: dict[str, list[PhaseNode]] = {}
    for child in children:
        found.setdefault(child.id.split("/")[1], []).append(child)
    return found


def revision_nodes(
    nodes: Sequence[PhaseNode], first: PhaseType, to_mend: Mapping[PhaseType, str]
) -> tuple[PhaseNode, ...]:
    """The phases from `first` on once more, after what counts now of the one before. to_mend: what each has to mend."""
    order = list(PhaseType)
    number = 1 + max(round_of(node.id) for node in nodes if "/" not in node.id)
    before = (latest(nodes, order[order.index(first) - 1]).id,) if first is not order[0] else ()
    found = []
    for kind in order[order.index(first) :]:
        found.append(
            PhaseNode(
                id=f"{kind}-{number}",
                type=kind,
                title=f"{_TITLES[kind]}, revision {number - 1}",
                description=to_mend.get(kind, ""),
                depends_on=before,
            )
        )
        before = (found[-1].id,)
    return tuple(found)
