"""A node's evaluation: a model scores axes with reasons, code computes the rest from what was measured."""

from __future__ import annotations

from agents.explore.registry import AGENTS
from flows.calls.calling import ask_agent, unrecorded
from flows.explore.context import Run
from flows.explore.telling import comparison_words, idea_words, measured_lines
from schemas.explore.evaluation import EvaluationAnswer
from schemas.explore.settings import CustomAxis
from schemas.explore.tree import TASKS, Node
from schemas.talking.transcript import Position
from tasks.explore.nodes.ending import Examined
from tasks.explore.review.venues import load_venue
from tasks.explore.search.axes import axes_of
from tasks.explore.search.evaluating import evaluate

_MOST_FILES = 60


def axes_of_node(run: Run, node: Node) -> tuple[CustomAxis, ...]:
    """The axes a node is scored on: generic ones, those of the venue, those of its idea's plan; or the user's own."""
    assert run.state.ideas is not None
    scales = load_venue(run.settings.venue).scales
    return axes_of(
        run.settings.search,
        [(scale.name, scale.asks) for scale in scales],
        run.state.ideas.ideas[node.idea].experiment_plan,
    )


def scored(run: Run, node: Node, found: Examined, summary: str) -> EvaluationAnswer | None:
    """The model's scores of a node; None where nothing was measured, as then there is nothing to score."""
    state = run.state
    assert state.spec is not None and state.ideas is not None and state.tree is not None
    root = state.tree.nodes[0]
    axes = axes_of_node(run, node)
    first = evaluate(
        state.spec,
        axes,
        run.settings.search.composite,
        record=found.measured,
        claims=found.resolved,
        root=root.evaluation.metric(state.spec.name) if root.evaluation else None,
        root_id=root.id if node.parent else "",
        refused_claims=found.refused,
        sterile=found.sterile,
        smallest_effect=run.settings.measure.smallest_effect,
    )
    if not first.has_real_data:
        return None
    position = Position(agent="node_evaluator", stage_id=node.id)
    if unrecorded(run, position):
        run.console.say(
            "measured here, where it was recorded it was not: nobody scored it; code's own axis stands alone",
            stage=node.id,
        )
        return None
    return ask_agent(
        run,
        AGENTS["node_evaluator"],
        {
            "goal": run.goal.text,
            "idea": idea_words(state.ideas.ideas[node.idea]),
            "axes": [f"{axis.name}: {axis.what}" for axis in axes],
            "task": TASKS[node.label],
            "direction": node.direction,
            "measured": measured_lines(first),
            "comparison": comparison_words(first),
            "refused": list(first.refused),
            "summary": summary,
            "files": list(found.after)[:_MOST_FILES],
        },
        EvaluationAnswer,
        position=position,
    )
