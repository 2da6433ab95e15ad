"""The search: rounds of expansion, nodes side by side, lineage decisions where it stands still."""

from __future__ import annotations

import contextvars
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from agents.explore.registry import AGENTS
from flows.calls.calling import ask_agent
from flows.calls.unreadable import blamed
from flows.explore.context import Run
from flows.explore.evaluating import axes_of_node
from flows.explore.following import as_recorded, still_as_recorded
from flows.explore.node import NodeEnd, node_flow, remember, say_end
from flows.explore.steps import measure_provided
from flows.explore.telling import idea_words, measured_lines, metric_words
from flows.run.context import ACTIVE
from flows.run.costs import check_caps
from schemas.base import canonical_json
from schemas.explore.lineage import LineageAnswer, SubRunSeed
from schemas.explore.node_report import NodeReport
from schemas.explore.settings import SearchSettings
from schemas.explore.tree import TASKS, ExpansionAnswer, Node
from schemas.reading.handed import kept_model
from schemas.talking.transcript import Position
from tasks.explore.measuring.beside import kept_beside, told_beside
from tasks.explore.measuring.clocks import kept_blind, told_blind
from tasks.explore.nodes.ending import concluded
from tasks.explore.nodes.provided import PROVIDED, primary_of
from tasks.explore.search.best import best_node
from tasks.explore.search.frontier import next_round
from tasks.explore.search.growing import expanded, started
from tasks.explore.search.lineage import applied, decided
from tasks.explore.search.siblings import duplicate_of, siblings
from tasks.explore.search.siblings import told as told_siblings
from tasks.explore.search.stagnation import stands_still
from tasks.explore.values_in_words import with_uncertainty
from tasks.files.store import atomic_write

_PROPOSALS = 3  # of one child: the first, and again where it repeated a sibling


def search(run: Run) -> tuple[SubRunSeed, ...]:
    """Grow the tree until nothing is left to expand; the seeds of sub-runs that lineage decisions asked for."""
    settings, seeds = run.settings.search, ()  # type: tuple[SearchSettings, tuple[SubRunSeed, ...]]
    if run.seed is not None:
        settings = settings.model_copy(update={"max_nodes": min(settings.max_nodes, run.seed.max_nodes)})
    _measure_provided(run)
    tree = started(
        run.run_id,
        run.goal.goal_id,
        idea=run.ideas.selected,
        direction=f"First version of: {run.ideas.root.title}",
    )
    run.update("search", tree=tree)
    _run_nodes(run, [tree.nodes[0]], settings)
    while True:
        check_caps(run)
        settings, more, over = _lineage(run, settings)
        seeds += more
        chosen = () if over else as_recorded(run, _next(run, settings), settings)
        if not chosen:
            return seeds
        children = [_child(run, parent, settings) for parent in chosen]
        _run_nodes(run, children, settings)
        run.checkpoint("round")


def _measure_provided(run: Run) -> None:
    """The baseline: what was given, as it was given."""
    record = measure_provided(key=f"measure-{run.line}-{PROVIDED}", label=PROVIDED, run_id=run.handle)
    if record is not None:
        found = primary_of(record, run.spec)
        said = (
            f"{found.name} {with_uncertainty(found, 5)}"
            if found
            else f"not measured: {'; '.join(record.refused)[:200]}"
        )
        run.console.say(f"the files as provided: {said}")
        if told := told_blind(kept_blind(run.run_dir)):
            run.console.say(told)
        if (
            found
            and run.spec.kind == "timed"
            and (told := told_beside(kept_beside(run.run_dir), run.settings.measure.beside_s))
        ):
            run.console.say(told)


def _next(run: Run, settings: SearchSettings) -> tuple[str, ...]:
    return next_round(run.tree, settings, run.spec, run.settings.measure.smallest_effect)


def _child(run: Run, parent_id: str, settings: SearchSettings) -> Node:
    """One more child of a node. A proposal that repeats a sibling goes back, at most twice."""
    tree = run.tree
    parent, again = tree.node(parent_id), ""
    known = siblings(tree, parent_id, reports_of(run))
    best = best_node(tree, run.spec, run.settings.measure.smallest_effect)
    for number in range(1, _PROPOSALS + 1):
        answer = ask_agent(
            run,
            AGENTS["expander"],
            {
                "goal": run.goal.text,
                "metric": metric_words(run.spec, run.goal),
                "idea": idea_words(run.ideas.ideas[parent.idea]),
                "parent": _node_words(parent),
                "parent_report": _report_words(run, parent),
                "siblings": told_siblings(known),
                "best": _node_words(best) if best else "",
                "labels": [f"{label}: {what}" for label, what in TASKS.items()],
                "duplicate": again,
            },
            ExpansionAnswer,
            position=Position(
                agent="expander", stage_id=parent_id, attempt=parent.expansions + 1, round=number
            ),
        )
        same = duplicate_of(answer.direction, known)
        if not same:
            break
        again = f"your proposal repeats {same}; propose something else"
    tree, child = expanded(tree, parent_id, settings, label=answer.label, direction=answer.direction)
    run.update("search", tree=tree)
    return child


def _run_nodes(run: Run, nodes: list[Node], settings: SearchSettings) -> None:
    """Run nodes side by side, each in a branch; what they found is brought into the tree in the order they were made."""
    branches = [run.fork(node.id) for node in nodes]
    for branch in branches:
        ACTIVE[branch.handle] = branch
    base = run.state
    run.show()
    try:
        if len(nodes) == 1:
            ends, failures = [blamed(branches[0], node_flow, branches[0], nodes[0])], []
        else:
            with ThreadPoolExecutor(max_workers=len(nodes)) as pool:
                futures = [
                    pool.submit(contextvars.copy_context().run, blamed, branch, node_flow, branch, node)
                    for branch, node in zip(branches, nodes, strict=True)
                ]
                failures = [error for future in futures if (error := future.exception()) is not None]
                ends = [future.result() for future in futures if future.exception() is None]
    finally:
        for branch in branches:
            ACTIVE.pop(branch.handle, None)
    for branch in branches:
        _merged(run, branch, base)
    for end in ends:
        _ended(run, end, settings)
    run.mirror()
    run.show()
    if failures:
        raise failures[0]


def _merged(run: Run, branch: Run, base: object) -> None:
    """What a branch cost and asked comes into the run."""
    known = len(base.metrics)  # type: ignore[attr-defined]
    mine, theirs = run.state, branch.state
    asked = theirs.user_interactions[len(base.user_interactions) :]  # type: ignore[attr-defined]
    run.update(
        "merge_node",
        metrics=(*mine.metrics, *theirs.metrics[known:]),
        runtime_used_s=mine.runtime_used_s + theirs.runtime_used_s - base.runtime_used_s,  # type: ignore[attr-defined]
        user_interactions=(*mine.user_interactions, *asked),
        stop_reason=mine.stop_reason or theirs.stop_reason,
    )


def _ended(run: Run, end: NodeEnd, settings: SearchSettings) -> None:
    """Conclude a node by code, in the order the nodes were made."""
    tree = run.tree
    whole = run.settings.model_copy(update={"search": settings})
    grown, _ = concluded(
        run.run_dir,
        tree,
        end.node_id,
        end.found,
        run.spec,
        axes_of_node(run, tree.node(end.node_id)),
        whole,
        answer=end.scores,
        failure=end.failure,
        cost=end.cost,
    )
    run.update("search", tree=grown)
    node = grown.node(end.node_id)
    remember(run, node, end.memory)
    say_end(run, node)


def _lineage(run: Run, settings: SearchSettings) -> tuple[SearchSettings, tuple[SubRunSeed, ...], bool]:
    """Where the search stands still, a decision: the settings it goes on with, seeds of sub-runs, whether it is over."""
    tree, state = run.tree, run.state
    last = state.decisions[-1].at if state.decisions else 0
    left = settings.max_nodes - len(tree.nodes)
    if left < 1:
        return settings, (), False
    position = Position(agent="lineage_judge", attempt=len(state.decisions) + 1)
    still = stands_still(
        tree,
        settings.stagnation,
        run.spec,
        decided_at=last,
        smallest_effect=run.settings.measure.smallest_effect,
    )
    still = still_as_recorded(run, still, settings.stagnation, position)
    if not still:
        return settings, (), False
    answer = ask_agent(
        run,
        AGENTS["lineage_judge"],
        {
            "goal": run.goal.text,
            "metric": metric_words(run.spec, run.goal),
            "nodes_left": left,
            "ideas": [
                f"{number}: {idea.title}" + (" (selected)" if number == run.ideas.selected else "")
                for number, idea in enumerate(run.ideas.ideas)
            ],
            "tree": [_node_words(node) for node in tree.nodes],
            "still": [node.id for node in still],
        },
        LineageAnswer,
        position=position,
    )
    begun = {index for each in state.decisions for index in each.ideas}
    decision = decided(answer, tree, settings, run.ideas, still, begun=begun, is_sub_run=run.seed is not None)
    effect = applied(decision, tree, settings, run.ideas, run.settings.venue)
    run.update("search", tree=effect.tree, decisions=(*state.decisions, decision))
    atomic_write(
        run.run_dir / "lineage_decisions.jsonl",
        "".join(each.model_dump_json() + "\n" for each in run.state.decisions),
    )
    run.console.say(
        f"the search stands still after {len(tree.nodes)} nodes: {decision.action}; {decision.reason}"[:300]
    )
    return effect.search, effect.sub_runs, decision.action in ("terminate", "switch_to_idea")


def _node_words(node: Node) -> str:
    evaluation = node.evaluation
    found = "; ".join(measured_lines(evaluation)[:3]) if evaluation else ""
    verdict = (
        f"; {evaluation.comparison.verdict.replace('_', ' ')} than its parent"
        if (evaluation and evaluation.comparison)
        else ""
    )
    headline = f"; {evaluation.headline}" if evaluation and evaluation.headline else ""
    return (
        f"{node.id} ({node.label}, {node.status}, score {node.composite:.2f}): {node.direction}; "
        f"{found or node.failure or 'nothing measured'}{verdict}{headline}"
    )


def _report_words(run: Run, node: Node) -> str:
    report = _report(run.nodes_dir / node.id / "node_report.json")
    if report is None:
        return ""
    return canonical_json(
        {
            "concerns": report.self_assessment.concerns,
            "hints": report.next_steps_hints,
            "files_added": report.files_changed.added,
            "files_modified": report.files_changed.modified,
            "refused": report.refused,
        }
    )


def reports_of(run: Run) -> dict[str, NodeReport]:
    """The reports of the nodes that ended, by id."""
    nodes = run.state.tree.nodes if run.state.tree else ()
    found = {node.id: _report(run.nodes_dir / node.id / "node_report.json") for node in nodes}
    return {name: report for name, report in found.items() if report is not None}


def _report(path: Path) -> NodeReport | None:
    return kept_model(path, NodeReport, "the node's report") if path.is_file() else None
