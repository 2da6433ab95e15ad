"""A replay follows the recorded course: which node is expanded next, and when a lineage decision was asked for.

What is measured here may rank the nodes otherwise; that is said, and the recorded decision is followed, as nothing else is
recorded.
"""

from __future__ import annotations

from agents.models.replay import ReplayModel
from flows.explore.context import Run
from schemas.explore.settings import SearchSettings, StagnationRule
from schemas.explore.tree import Node, Tree
from schemas.talking.transcript import Position
from tasks.explore.search.growing import why_not


def as_recorded(run: Run, chosen: tuple[str, ...], settings: SearchSettings) -> tuple[str, ...]:
    """The nodes to expand in this round: those chosen here, or in a replay those that were recorded."""
    if not isinstance(run.model, ReplayModel) or run.state.tree is None:
        return chosen
    followed = _recorded(run.model, run.state.tree, settings)
    if followed != chosen:
        run.console.say(
            f"measured here, {_words(chosen)} would come next; the recording goes on with {_words(followed)}"
        )
    return followed


def still_as_recorded(
    run: Run, still: tuple[Node, ...], rule: StagnationRule, position: Position
) -> tuple[Node, ...]:
    """The nodes that stand still, so that the decision at `position` is asked for now: those found here, or in a replay the
    last ones, at the size of tree at which the decision was recorded."""
    if not isinstance(run.model, ReplayModel) or run.state.tree is None:
        return still
    recorded = list(run.model.recording.calls)
    if position.label() not in recorded:
        followed: tuple[Node, ...] = ()
    else:
        before = [
            run.model.recording.calls[label].entry.position
            for label in recorded[: recorded.index(position.label())]
        ]
        grown = 1 + len({(p.stage_id, p.attempt) for p in before if p.agent == "expander"})
        nodes = run.state.tree.nodes
        followed = (still or nodes[-rule.window :]) if len(nodes) == grown else ()
    if bool(still) != bool(followed):
        run.console.say(
            "measured here, the search "
            + (
                "stands still; the recording goes on without a decision"
                if still
                else "does not stand still; the recorded decision is followed"
            )
        )
    return followed


def _recorded(model: ReplayModel, tree: Tree, settings: SearchSettings) -> tuple[str, ...]:
    """The next expansions of the recording, a round's worth, up to the first that is not possible here."""
    asked = [entry.entry.position for entry in model.recording.calls.values()]
    order = list(dict.fromkeys((p.stage_id, p.attempt) for p in asked if p.agent == "expander"))
    found: list[str] = []
    for parent, attempt in order[len(tree.nodes) - 1 :]:
        known = next((node for node in tree.nodes if node.id == parent), None)
        again = found.count(parent)
        if known is None or known.expansions + again + 1 != attempt or why_not(known, tree, settings):
            break
        found.append(parent)
        if len(found) == settings.parallel:
            break
    return tuple(found)


def _words(nodes: tuple[str, ...]) -> str:
    return ", ".join(nodes) or "nothing"
