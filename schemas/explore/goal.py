"""A research goal: a text of three lines or more, the files that come with it, and how success is measured."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model

Direction = Literal["higher", "lower"]
MetricKind = Literal["timed", "random", "deterministic"]
"""timed: depends on the machine and what else it does. random: depends on a seed. deterministic: the same each time."""


class GoalFile(Model):
    """A file that came with the goal; `path` is relative to the goal's folder."""

    path: str
    sha256: str
    bytes: int


class MetricHint(Model):
    """What the goal's section "## Metric" says; empty where it says nothing."""

    name: str = ""
    unit: str = ""
    direction: Direction | None = None
    kind: MetricKind | None = None
    repeats: int | None = Field(None, ge=1, le=50)


class Goal(Model):
    """goal.md as read. folder: where it lies on this computer; no part of what is explored, so no part of `content`."""

    goal_id: Identifier
    title: str = Field(min_length=1, max_length=200)
    text: str = Field(description="the whole file")
    folder: str = ""
    provided: tuple[GoalFile, ...] = ()
    measure: GoalFile | None = Field(None, description="the author's program that measures a candidate")
    metric: MetricHint = Field(default_factory=MetricHint)

    @property
    def content(self) -> dict[str, object]:
        """What the goal says, wherever it lies: for digests and keys."""
        return self.model_dump(mode="json", exclude={"folder"})
