"""The state of an exploration, and who may write what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.errors import StateError
from schemas.explore.evaluation import MetricSpec
from schemas.explore.idea import IdeaSet
from schemas.explore.lineage import LineageDecision, SubRun
from schemas.explore.tree import Tree
from schemas.run.state import CoreState

StageStatus = Literal["done", "failed", "left_out"]


class StageEnd(Model):
    """How a stage after the search ended. again: how often it was sent back."""

    stage: Identifier
    status: StageStatus
    words: str = Field("", max_length=2000)
    again: int = 0


class ExploreState(CoreState):
    """All that an exploration knows."""

    goal_id: Identifier
    goal_title: str = ""
    spec: MetricSpec | None = Field(None, description="frozen before the search")
    ideas: IdeaSet | None = None
    tree: Tree | None = None
    decisions: tuple[LineageDecision, ...] = Field((), description="append-only")
    sub_runs: tuple[SubRun, ...] = Field((), description="runs that a lineage decision began")
    stages: tuple[StageEnd, ...] = ()
    current: str = Field("", description="the phase, node or stage at work")

    @property
    def subject_id(self) -> str:
        """The goal's id."""
        return self.goal_id

    @property
    def place(self) -> str:
        """The phase, node or stage at work."""
        return self.current or "-"

    def _check(self, node: str, update: Mapping[str, Any]) -> None:
        if self.spec is not None and "spec" in update and update["spec"] != self.spec:
            raise StateError(
                "what is measured, and by which program, is frozen before the search",
                found=f"a change by {node!r}",
                fix="start another run for another metric",
            )
        if "decisions" in update and update["decisions"][: len(self.decisions)] != self.decisions:
            raise StateError(
                "lineage decisions are never forgotten",
                found=f"node {node!r} shortens or changes them",
                fix="append to decisions",
            )
        if "tree" in update and self.tree is not None:
            gone = {n.id for n in self.tree.nodes} - {n.id for n in update["tree"].nodes}
            if gone:
                raise StateError(
                    "no node of the tree vanishes",
                    found=f"node {node!r} removes {', '.join(sorted(gone))}",
                    fix="close or prune it; it stays in the tree",
                )


OWNERSHIP: dict[str, frozenset[str]] = {
    "begin": frozenset({"current"}),
    "ideas": frozenset({"ideas"}),
    "specify": frozenset({"spec"}),
    "search": frozenset({"tree", "decisions", "sub_runs"}),
    "merge_node": frozenset({"metrics", "runtime_used_s", "user_interactions", "stop_reason"}),
    "stage": frozenset({"stages"}),
    "ask_user": frozenset({"user_interactions", "pending_user_questions", "stop_reason"}),
    "account": frozenset({"metrics", "runtime_used_s", "stop_reason"}),
}
REQUIREMENTS: dict[str, tuple[str, ...]] = {"search": ("spec", "ideas"), "stage": ("tree",)}

ExploreState.OWNERSHIP, ExploreState.REQUIREMENTS = OWNERSHIP, REQUIREMENTS
