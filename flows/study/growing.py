"""How the graph grows: participants once the design stands, sections once there are results, revisions after a review."""

from __future__ import annotations

from flows.study.context import Run
from flows.study.reviewing import open_issues, to_mend
from schemas.study.design import StudyProtocol
from schemas.study.graph import PhaseNode, PhaseStatus, PhaseType
from tasks.study.participants.personas import persona_ids
from tasks.study.phases import collect_nodes, latest, revision_nodes, round_of, scope_nodes, section_nodes


def grown(run: Run) -> None:
    """Expand what is ready to be expanded, and send back what the last review found serious. Follows from the graph and the
    artifacts alone, so that a process that goes on later grows it the same."""
    if run.course.graph.is_complete():
        _revised(run)  # before the rest: the phases of a revision are expanded like the first ones
    for node in run.course.graph.ready():
        if node.parent is None and (children := _children(run, node)):
            run.course.moved(run.course.graph.expanded(node.id, children))


def _children(run: Run, node: PhaseNode) -> tuple[PhaseNode, ...]:
    if node.type is PhaseType.SCOPE:
        return scope_nodes(node.id, node.description) if run.searches_literature else ()
    if node.type is PhaseType.COLLECT:
        protocol = run.read(PhaseType.DESIGN, "study_protocol")
        assert isinstance(protocol, StudyProtocol)
        people = persona_ids(protocol.participants.sample_size) if run.simulated else ()
        return collect_nodes(run.space.mode, people, node.id)
    return section_nodes(node.id) if node.type is PhaseType.SYNTHESIZE else ()


def _revised(run: Run) -> None:
    last = latest(run.course.graph.nodes(), PhaseType.REVIEW)
    issues = open_issues(run) if last.status is PhaseStatus.COMPLETED else ()
    if issues and revisions_left(run):
        send_back(run, to_mend(run, issues))


def revisions_left(run: Run) -> int:
    """How often a review may still send work back."""
    return run.settings.revisions - (round_of(latest(run.course.graph.nodes(), PhaseType.REVIEW).id) - 1)


def send_back(run: Run, wrong: dict[PhaseType, str]) -> None:
    """The phases from the first that is at fault on are made once more, as new nodes."""
    nodes = run.course.graph.nodes()
    first = next(kind for kind in PhaseType if kind in wrong)
    new = revision_nodes(nodes, first, wrong)
    run.console.say(f"back to {first}: {wrong[first]}"[:400], stage=new[0].id)
    run.course.moved(run.course.graph.added(new))
