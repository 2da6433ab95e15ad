"""One node of the tree: a Prefect subflow in a directory of its own. Its agent works with tools; then code measures."""

from __future__ import annotations

import time
from dataclasses import dataclass

from prefect import flow
from prefect.runtime import flow_run

from agents.explore.registry import AGENTS
from agents.talking.history import conversation_page
from flows.calls.conversation import Conversation, TurnLimits, converse
from flows.explore.context import ACTIVE, Run, active
from flows.explore.evaluating import scored
from flows.explore.steps import harness, measure_node, seed_node, tell_node
from schemas.explore.evaluation import EvaluationAnswer
from schemas.explore.experiment import ExperimentAnswer
from schemas.explore.tree import Node, NodeCost
from schemas.talking.transcript import Position
from tasks.explore.memory import MAX_TEXT, Memory
from tasks.explore.nodes.ending import Examined, examined
from tasks.explore.nodes.node_record import node_record
from tasks.explore.values_in_words import with_uncertainty
from tasks.files.store import atomic_write

PINNED = ("survey", "generate_ideas", "make_metric_spec")


@dataclass(frozen=True)
class NodeEnd:
    """What a node's end is concluded from: what code found, what the model scored, why its agent did not come to its end."""

    node_id: str
    found: Examined
    scores: EvaluationAnswer | None
    failure: str
    cost: NodeCost
    memory: str


def node_flow(run: Run, node: Node) -> NodeEnd:
    """Run a node as a subflow; its branch of the run holds what it cost."""
    return run_node(run.handle, node.id)


def _name() -> str:
    run = ACTIVE.get(str(flow_run.parameters.get("run_id")))
    return f"{run.state.subject_id if run else 'node'}: {flow_run.parameters.get('node_id')}"


@flow(name="node", flow_run_name=_name, persist_result=False, validate_parameters=False)
def run_node(run_id: str, node_id: str) -> NodeEnd:
    """Seed the directory, let the agent work, measure, let the axes be scored. The tree is concluded by the parent flow."""
    run = active(run_id)
    assert run.state.tree is not None and run.state.spec is not None
    node = run.state.tree.node(node_id)
    run.update("begin", current=node_id)
    run.stage_runs[node_id] = str(flow_run.id)
    run.console.say(f"{node.label}: {node.direction or run.state.goal_title}"[:200], stage=node_id)
    before: dict[str, str] = seed_node(
        key=f"seed-{run.line}-{node_id}", label=node_id, run_id=run.handle, node_id=node_id
    )
    spent = len(run.state.metrics)
    talk = _work(run, node, before)
    atomic_write(
        run.nodes_dir / node_id / "conversation.md",
        conversation_page(
            f"Node {node_id}: {node.label}",
            talk.turns,
            run.nodes_dir / node_id,
            f"Then it ended: {talk.ended}." if talk.ended else "Then it gave its answer.",
        ),
    )
    claims = talk.answer.claims if talk.answer else ()
    measure_node(key=f"measure-{run.line}-{node_id}", label=node_id, run_id=run.handle, node_id=node_id)
    found = examined(
        run.run_dir, node, run.state.tree, run.state.spec, harness(run), claims
    )  # finds what was measured
    summary = talk.answer.summary if talk.answer else f"no answer: {talk.ended}"
    scores = scored(run, node, found, summary)
    paid = run.state.metrics[spent:]
    cost = NodeCost(
        turns=len(talk.turns) + 1,
        tokens=sum((m.input_tokens or 0) + (m.output_tokens or 0) for m in paid),
        cpu_s=round(
            sum(e.cpu_s for e in found.record.executions) + (found.measured.cpu_s if found.measured else 0), 2
        ),
        usd=round(sum(m.price_usd for m in paid if isinstance(m.price_usd, (int, float))), 6),
    )
    return NodeEnd(
        node_id, found, scores, talk.ended, cost, (talk.answer.memory or summary) if talk.answer else summary
    )


def _work(run: Run, node: Node, before: dict[str, str]) -> Conversation[ExperimentAnswer]:
    """The agent's conversation with tools."""
    limits = run.settings.node
    context = tell_node(
        key=f"told-{run.line}-{node.id}", label=node.id, run_id=run.handle, node_id=node.id, before=before
    )
    place = run.place("bfts", node_id=node.id, ancestors=node.ancestor_ids)
    begun = time.monotonic()
    with run.tools(run.work_dir(node.id)) as box:
        return converse(
            run,
            AGENTS["experimenter"],
            context,
            ExperimentAnswer,
            position=Position(agent="experimenter", stage_id=node.id),
            tools=box.list_tools("bfts"),
            place=place,
            limits=TurnLimits(
                turns=limits.max_turns,
                tokens=limits.max_tokens,
                invalid=run.settings.limits.max_invalid_answers,
            ),
            pinned=PINNED,
            stop=lambda: _used_up(run, node.id, begun),
        )


def _used_up(run: Run, node_id: str, begun: float) -> str:
    """Whether the node's executions took their CPU time; the clock is a backstop, and a person's answers are not timed."""
    minutes = (time.monotonic() - begun) / 60
    if minutes > run.settings.node.wall_minutes and run.settings.model.kind != "manual":
        return f"it took {minutes:.0f} of {run.settings.node.wall_minutes:g} minutes"
    used = sum(e.cpu_s for e in node_record(node_id, run.nodes_dir / node_id).executions)
    most = run.settings.node.cpu_s
    return f"its programs took {used:.0f} of {most:g} CPU seconds" if used >= most else ""


def remember(run: Run, node: Node, words: str) -> None:
    """What those who follow find: what was measured, and the agent's own words."""
    evaluation = node.evaluation
    measured = (
        "; ".join(f"{m.name} = {with_uncertainty(m, 6)}" for m in evaluation.metrics) if evaluation else ""
    )
    direction, said = (
        " ".join(text.split()) for text in (node.direction, words)
    )  # on one line each: no word looks measured
    text = f"{node.id} ({node.label}, {node.status}): {direction}\nmeasured: {measured or 'nothing'}\nits agent's words: {said}"
    Memory(run.run_dir / "memory.sqlite", node.id).add(
        text[:MAX_TEXT], {"by": "harness"}, call_id=f"end of {node.id}"
    )


def say_end(run: Run, node: Node) -> None:
    """The node's end as a line."""
    evaluation = node.evaluation
    assert evaluation is not None
    primary = evaluation.metrics[0] if evaluation.metrics else None
    found = f"{primary.name} {with_uncertainty(primary, 5)}" if primary else node.failure
    beside = evaluation.comparison
    verdict = f", {beside.verdict.replace('_', ' ')} than {beside.other}" if beside else ""
    run.console.say(f"{node.status}, score {node.composite:.2f}: {found}{verdict}"[:300], stage=node.id)
