"""The overview on the run's page: where it stands, what waits for a person, the tree as a table, the stages, the cost."""

from __future__ import annotations

from pathlib import Path

from flows.explore.context import Run
from flows.explore.outcome import Outcome
from flows.pages.artifacts import artifact_key, put_artifact
from flows.pages.results import results_links
from flows.pages.tables import fitted
from flows.pages.tables import short_cell as cell
from flows.pages.waiting import waiting_lines
from flows.run.costs import spent_line
from schemas.explore.evaluation import MetricSpec
from schemas.explore.tree import FINISHED, Node, Tree
from schemas.talking.interaction import Question
from schemas.text.inert import inert_markdown
from tasks.explore.search.best import best_node
from tasks.explore.values_in_words import with_uncertainty

_STEP = "··"


def show_overview(run: Run, outcome: Outcome | None = None, suspended: Question | None = None) -> None:
    """Publish the artifact `<run id>-overview` on the run's own page; a failing server never stops a run."""
    if not run.flow_run_id:
        return
    try:
        put_artifact(
            artifact_key(run.run_id, "overview"),
            fitted(overview(run, outcome, suspended)),
            f"{run.goal.goal_id}: where it stands, experiments",
            run.flow_run_id,
        )
    except Exception as error:  # noqa: BLE001  the page is a convenience, the run is not
        run.console.say(f"could not publish the overview: {type(error).__name__}: {error}")


def overview(run: Run, outcome: Outcome | None = None, suspended: Question | None = None) -> str:
    """The Markdown: words of the goal and of models inert, links ours."""
    state, spec = run.state, run.state.spec
    waiting = [
        line
        for each in (run, *run.children)
        for line in waiting_lines(each, suspended if each is run else None)
    ]
    parts = [f"# {cell(state.goal_title, 200)}", *waiting]
    if outcome is not None:
        parts.append(inert_markdown(f"**{outcome.line}**"))
    elif not waiting:
        parts.append(_standing(run))
    parts.append(" · ".join(results_links(run.run_dir, Path(outcome.report).name if outcome else "")))
    if state.tree is not None and spec is not None:
        parts += [
            _best(run, state.tree, spec),
            "## Experiments",
            "\n".join(tree_table(run, state.tree, spec)),
        ]
    for child in run.children:
        title, tree = child.seed.ideas.root.title if child.seed else "", child.state.tree
        if tree is not None and child.state.spec is not None:
            parts += [
                f"## Sub-run {child.run_id}: {cell(title, 120)}",
                "\n".join(tree_table(child, tree, child.state.spec)),
            ]
    if state.stages:
        rows = [
            f"| {end.stage.replace('_', ' ')} | {end.status.replace('_', ' ')} | {cell(end.words, 160)} |"
            for end in state.stages
        ]
        parts += ["## After the search", "\n".join(["| stage | | |", "|---|---|---|", *rows])]
    parts += ["## More", "\n".join(f"- {line}" for line in _more(run, outcome))]
    return "\n\n".join(part for part in parts if part) + "\n"


def _standing(run: Run) -> str:
    """What it does now, in a sentence."""
    tree = run.state.tree
    if tree is None:
        return "The literature is read and ideas are weighed."
    at_work = [node.id for node in tree.nodes if node.status not in FINISHED]
    if at_work:
        return f"At work on {', '.join(at_work)}; at most {run.settings.search.max_nodes} experiments."
    known = {end.stage for end in run.state.stages}
    stage = next((each.stage for each in run.workflow.ordered() if each.stage == run.state.current), "")
    return (
        f"At work on the stage {stage.replace('_', ' ')}."
        if stage and stage not in known
        else "Between two steps."
    )


def _best(run: Run, tree: Tree, spec: MetricSpec) -> str:
    """The best so far, and what is measured."""
    what = f"{cell(spec.name)}{f' in {cell(spec.unit)}' if spec.unit not in ('', '1') else ''}, {spec.direction} is better"
    found = best_node(tree, spec, run.settings.measure.smallest_effect)
    return f"Measured: {what}. " + (
        f"Best so far: **{found.id}, {cell(measured(found, name=False))}**." if found else ""
    )


def tree_table(run: Run, tree: Tree, spec: MetricSpec) -> list[str]:
    """One row an experiment below the one it was made from, with a link to its own page."""
    rows = [
        f"| experiment | what was tried | {cell(spec.name, 40)} | than its parent | score |",
        "|---|---|---|---|--:|",
    ]
    for node in _depth_first(tree):
        page = run.stage_runs.get(node.id)
        name = f"[{node.id}](/runs/flow-run/{page})" if page else node.id
        step = _STEP * (node.depth - 1) + "↳ " if node.depth else ""  # one word each: blanks are not kept
        tried = f"{node.label}: {node.direction}" if node.depth else "the first version"
        over = node.status in FINISHED
        rows.append(
            f"| {step}{name} | {cell(tried, 75)} | {cell(measured(node, name=False), 90) if over else 'at work'} | "
            f"{against(node)} | {f'{node.composite:.2f}' if over else ''} |"
        )
    return rows


def _depth_first(tree: Tree, parent: str | None = None) -> list[Node]:
    return [
        each for node in tree.nodes if node.parent == parent for each in (node, *_depth_first(tree, node.id))
    ]


def measured(node: Node, *, name: bool = True) -> str:
    """The node's first metric with its uncertainty, or why there is none."""
    found = node.evaluation.metrics[:1] if node.evaluation else ()
    if not found:
        return node.failure
    return f"{found[0].name} {with_uncertainty(found[0])}" if name else with_uncertainty(found[0])


def against(node: Node) -> str:
    """The verdict beside the parent."""
    found = node.evaluation.comparison if node.evaluation else None
    return found.verdict.replace("_", " ") if found else ""


def _more(run: Run, outcome: Outcome | None) -> list[str]:
    asked = [
        f"asked: {cell(entry.reason, 120)}: {cell(entry.user_response, 120)} ({entry.answered_by})"
        for entry in run.state.user_interactions
    ]
    files = (
        [
            f"{what}: `{Path(path).name}`"
            for what, path in (("report", outcome.report), ("paper", outcome.paper))
            if path
        ]
        if outcome is not None
        else []
    )
    cost = spent_line(run)
    return [*asked, f"run {run.run_id}, on the worker in `{run.run_dir}`", *files, *([cost] if cost else [])]
