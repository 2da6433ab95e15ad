"""What the agents of the search are told, in words and numbers that hold nothing that changes between two runs of the same."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from flows.explore.context import Run
from schemas.explore.evaluation import Evaluation, MetricSpec
from schemas.explore.goal import Goal
from schemas.explore.idea import Idea
from schemas.explore.settings import NodeLimits
from schemas.explore.tree import TASKS, Node
from tasks.explore.memory import Inherited, Memory
from tasks.explore.values_in_words import with_uncertainty

_MOST_FILES, _MOST_ENTRIES, _MOST_WORDS, _QUERY = 200, 5, 4000, 400


def metric_words(spec: MetricSpec, goal: Goal) -> str:
    """What counts, who measures it, and what a candidate must hold for it."""
    better = "higher is better" if spec.direction == "higher" else "lower is better"
    return "\n".join(
        (
            f"{spec.name} in {spec.unit}, {better}; {spec.kind}, measured {spec.repeats} times by the frozen program "
            f"{Path(spec.program).name} (sha256 {spec.sha256[:12]}), which no node can change.",
            *(f"criterion: {each}" for each in spec.criteria),
        )
    )


def idea_words(idea: Idea) -> str:
    """The idea as the tree's nodes see it."""
    plan = "\n".join(f"- {section.title}: {section.what}" for section in idea.experiment_plan)
    return f"{idea.title}\n{idea.hypothesis}\nplan:\n{plan}"


def told(run: Run, node: Node, before: Mapping[str, str]) -> dict[str, str | list[str]]:
    """What the agent of a node is told of it. before: the files it begins with."""
    assert run.state.spec is not None and run.state.ideas is not None
    return {
        "goal": run.goal.text,
        "metric": metric_words(run.state.spec, run.goal),
        "task": TASKS[node.label],
        "direction": node.direction,
        "idea": idea_words(run.state.ideas.ideas[node.idea]),
        "files": file_lines(run.work_dir(node.id), before),
        "prior_knowledge": prior_knowledge(run, node),
        "environment": environment_words(run),
        "budget": budget_words(run.settings.node),
    }


def file_lines(work: Path, files: Mapping[str, str]) -> list[str]:
    """The files a node begins with, with their sizes."""
    return [
        f"{name} ({(work / name).stat().st_size} bytes)" if (work / name).is_file() else name
        for name in sorted(files)[:_MOST_FILES]
    ] or ["none yet"]


def prior_knowledge(run: Run, node: Node) -> list[str]:
    """What the node's ancestors remembered, the nearest in meaning to its direction."""
    if not node.ancestor_ids and run.seed is None:
        return []
    memory = Memory(run.run_dir / "memory.sqlite", node.id, node.ancestor_ids, inherited_memory(run))
    found = memory.search((node.direction or run.goal.title)[:_QUERY], limit=_MOST_ENTRIES)
    return [entry.text[: _MOST_WORDS // _MOST_ENTRIES] for entry in found]


def environment_words(run: Run) -> str:
    """What programs find in the sandbox."""
    return (
        f"a Linux sandbox without a network, {len(os.sched_getaffinity(0))} cores, python3 "
        "with numpy and scipy; OMP_NUM_THREADS is 1 there, when measured too: linear algebra takes one core (and nproc "
        "prints 1) unless a program sets it otherwise before it imports numpy"
    )


def budget_words(limits: NodeLimits) -> str:
    """The node's limits."""
    return (
        f"{limits.max_turns} turns, {limits.cpu_s:g} CPU seconds for all programs of this node together, "
        f"{limits.memory_mb} MiB of memory, {limits.disk_mb} MiB of files"
    )


def measured_lines(evaluation: Evaluation) -> list[str]:
    """What the harness measured, to four digits."""
    return [f"{m.name} = {with_uncertainty(m)} ({m.n} runs)" for m in evaluation.metrics] + [
        f"{c.name} = {c.value:.4g} {c.unit} (from {c.file}, written by the node's own execution)"
        for c in evaluation.claims
    ]


def comparison_words(evaluation: Evaluation) -> str:
    """The difference to the parent and to the root with its verdict."""
    found = []
    for name, other in (("parent", evaluation.comparison), ("root", evaluation.baseline)):
        if other is not None:
            known = other.ratio is not None and other.ratio_uncertainty is not None
            ratio = f", ratio {other.ratio:.4g} ± {other.ratio_uncertainty:.2g}" if known else ""
            found.append(
                f"{name} {other.other}: {other.verdict.replace('_', ' ')}, difference {other.difference:.4g} ± "
                f"{other.uncertainty:.2g}{ratio}"
            )
    return "\n".join(found)


def inherited_memory(run: Run) -> tuple[Inherited, ...]:
    """What a sub-run may read of its parent run's nodes."""
    if run.seed is None:
        return ()
    return (Inherited(run.run_dir.parent / run.seed.parent_run / "memory.sqlite", run.seed.memory_scope),)
