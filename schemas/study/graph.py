"""Phases of a study and the nodes of its graph (source: the specification of the engine, data models)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from schemas.base import Model

_PART = r"[a-z0-9][a-z0-9_-]{0,59}"
NodeId = Annotated[
    str, Field(pattern=rf"^{_PART}(/{_PART}){{0,3}}$", description="phase[/part[/part]] in small letters")
]


class PhaseType(StrEnum):
    """The six phases, in their order."""

    SCOPE = "scope"
    DESIGN = "design"
    COLLECT = "collect"
    ANALYZE = "analyze"
    SYNTHESIZE = "synthesize"
    REVIEW = "review"


class PhaseStatus(StrEnum):
    """Where a node stands."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class PhaseNode(Model):
    """A unit of work: a phase, or a part of one such as a single participant's answers.

    parent: the node that was expanded into this one. children: what this node was expanded into; such a node never
    runs itself, its status follows from theirs. description: what a revision has to mend. attempt: one more each time a
    person had it tried again. error: why it failed or was skipped. Times are UTC.
    """

    id: NodeId
    type: PhaseType
    title: str
    description: str = ""
    depends_on: tuple[NodeId, ...] = ()
    status: PhaseStatus = PhaseStatus.PENDING
    attempt: int = 1
    output_artifacts: tuple[str, ...] = ()
    input_artifacts: tuple[str, ...] = ()
    started_at: AwareDatetime | None = None
    completed_at: AwareDatetime | None = None
    error: str = ""
    parent: NodeId | None = None
    children: tuple[NodeId, ...] = ()


class Blocked(Model):
    """A node that keeps a graph from completing, and why."""

    node_id: NodeId
    status: PhaseStatus
    why: str
