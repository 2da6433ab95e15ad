"""An exploration's live objects: what every run has, and the goal, the workflow's skills and stages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agents.explore.registry import AGENTS
from flows.calls.calling import ask_agent
from flows.calls.conversation import pictures_of
from flows.run import context as shared
from flows.run.context import ACTIVE
from schemas.explore.evaluation import MetricSpec
from schemas.explore.goal import Goal
from schemas.explore.idea import IdeaSet
from schemas.explore.lineage import SubRunSeed
from schemas.explore.settings import ExploreSettings
from schemas.explore.state import ExploreState
from schemas.explore.tree import Tree
from schemas.explore.workflow import Workflow
from schemas.talking.tools import ExecutionLimits, ToolContext
from schemas.talking.transcript import Position
from tasks.files.artifacts import save_artifact
from tasks.files.store import atomic_write
from tasks.tools.pool import Pool
from tasks.tools.tool_limits import ToolLimits
from tasks.tools.toolbox import Toolbox

__all__ = ["ACTIVE", "LIBRARIES", "Run", "active"]
LIBRARIES = {
    "simkit": Path(__file__).resolve().parents[2] / "simkit"
}  # what programs of an experiment may import
_ROOM_FOR_WORDS = 4000  # what a tool says beside the output it passes on


@dataclass(kw_only=True)
class Run(shared.Run):
    """An exploration. seed: what it began with that a lineage decision of another run started; parent: that run, while it
    works on this one; children: the sub-runs of this process. servers: of the skills, kept from node to node."""

    goal: Goal
    workflow: Workflow
    settings: ExploreSettings
    state: ExploreState
    seed: SubRunSeed | None = None
    parent: Run | None = None
    children: list[Run] = field(default_factory=list)
    servers: Pool = field(default_factory=Pool)

    @property
    def subject(self) -> tuple[str, str]:
        """The goal."""
        return "goal", self.goal.goal_id

    @property
    def tree(self) -> Tree:
        """The tree of a search that has begun."""
        assert self.state.tree is not None
        return self.state.tree

    @property
    def spec(self) -> MetricSpec:
        """What is measured; frozen before the search."""
        assert self.state.spec is not None
        return self.state.spec

    @property
    def ideas(self) -> IdeaSet:
        """The ideas of a search that has begun."""
        assert self.state.ideas is not None
        return self.state.ideas

    @property
    def nodes_dir(self) -> Path:
        """Where the nodes lie."""
        return self.run_dir / "nodes"

    def work_dir(self, node_id: str) -> Path:
        """A node's own directory."""
        return self.nodes_dir / node_id / "work"

    def place(
        self, phase: str, *, node_id: str = "", ancestors: tuple[str, ...] = (), stage: str = ""
    ) -> ToolContext:
        """Where calls of tools belong."""
        bounds, seed = self.settings.node, self.seed
        limits = ExecutionLimits(
            cpu_s=bounds.cpu_s,
            memory_mb=bounds.memory_mb,
            disk_mb=bounds.disk_mb,
            output_kb=bounds.output_kb,
            allow_degraded=self.settings.allow_degraded_sandbox,
        )
        parents = (
            {str(self.run_dir.parent / seed.parent_run / "memory.sqlite"): seed.memory_scope} if seed else {}
        )
        return ToolContext(
            run_dir=str(self.run_dir),
            node_id=node_id,
            ancestor_ids=ancestors,
            phase=phase,
            stage=stage,
            work_dir=str(self.work_dir(node_id)) if node_id else "",
            limits=limits,
            parent_memories=parents,
            libraries={name: str(folder) for name, folder in LIBRARIES.items()},
        )

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """The servers of the skills end with the work."""
        try:
            yield
        finally:
            self.servers.close()

    @contextmanager
    def tools(self, work_dir: Path | None = None) -> Iterator[Toolbox]:
        """The toolbox of a node or stage; our servers go on to the next one."""
        limits = ToolLimits(text_chars=self.settings.node.output_kb * 1024 + _ROOM_FOR_WORDS)
        with Toolbox(
            self.workflow.skills, work_dir=work_dir, run_dir=self.run_dir, limits=limits, pool=self.servers
        ) as box:
            self.toolbox = box
            try:
                yield box
            finally:
                self.toolbox = None

    def asked_by_tool(
        self, agent: str, told: Mapping[str, object], images: list[Path], place: ToolContext, number: int
    ) -> dict[str, Any]:
        """The answer of an agent that a tool asks for; its place in the record follows from the call's."""
        found = AGENTS.get(agent)
        if found is None:
            raise ValueError(f"there is no agent {agent!r}; there are: {', '.join(AGENTS)}")
        where = place.node_id or place.stage or place.phase or "-"
        position = Position(agent=agent, stage_id=where, attempt=_attempt(place.call_id), round=number)
        answer = ask_agent(self, found, told, found.answer, position=position, images=pictures_of(images))
        return answer.model_dump(mode="json")

    def mirror(self) -> None:
        """The tree, ideas, criteria and results as files, for people and for the skills."""
        state = self.state
        if state.tree is not None:
            atomic_write(self.run_dir / "tree.json", state.tree.model_dump_json(indent=1))
        save_artifact(
            self.run_dir, "metrics", {"calls": state.metrics, "runtime_used_s": state.runtime_used_s}
        )

    def show(self, **more: Any) -> None:
        """A sub-run is shown on the page of the run that began it."""
        self.shown(self.parent or self, **more)


def _attempt(call_id: str) -> int:
    """1 and more: which of the calls of a node or stage it was, from the call's key (`...t03.1-...` or `...again2-...`)."""
    found = re.search(r"\.t(\d+)\.(\d+)-", call_id)
    if found:
        return 1 + 100 * int(found[1]) + int(found[2])
    found = re.search(r"\.again(\d+)-", call_id)
    return 1 + int(found[1]) if found else 1


def active(run_id: str) -> Run:
    """The run, or branch of a run, of that handle in this process."""
    return cast(Run, shared.active(run_id))
