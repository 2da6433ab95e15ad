"""The Prefect task of a study: one node of its graph."""

from __future__ import annotations

from collections.abc import Callable

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.transactions import CommitMode, transaction

from flows.calls.infrastructure import attempt
from flows.study import analysing, collecting, designing, importing, reviewing, scoping, surveying, writing
from flows.study.context import Run, active
from schemas.study.graph import PhaseNode, PhaseType

Work = Callable[[Run, PhaseNode], None]
_PHASES: dict[PhaseType, Work] = {
    PhaseType.SCOPE: scoping.scope,
    PhaseType.DESIGN: designing.design,
    PhaseType.ANALYZE: analysing.analyze,
    PhaseType.REVIEW: reviewing.review,
}
_PARTS: dict[str, Work] = {
    "context": collecting.context,
    "experience": collecting.experience,
    "participate": collecting.participate,
    "aggregate": collecting.aggregate,
    "literature": surveying.survey,
    "plan": scoping.scope,
    "import": importing.take_over,
    "compile": writing.compile_sections,
}


@task(name="node", task_run_name="{node_id}", persist_result=False, cache_policy=NO_CACHE)
def run_node(run_id: str, node_id: str) -> None:
    """Do a node's work; what it made lies in the workspace. A node that was interrupted is done again: its model calls and
    questions come from what is kept."""
    run = active(run_id)
    node = run.course.graph.node(node_id)
    part = node_id.rsplit("/", 1)[1] if "/" in node_id else ""
    work = _PARTS.get(part, writing.section) if part else _PHASES[node.type]
    # Prefect keeps results of tasks within a task only when that one ends, and drops them when it fails: keep them at once.
    with transaction(commit_mode=CommitMode.EAGER):
        attempt(run, f"working on {node_id}", lambda: work(run, node))
