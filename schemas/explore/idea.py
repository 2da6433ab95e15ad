"""Ideas: hypotheses with a metric, criteria and a plan; one of them becomes the root of the tree."""

from __future__ import annotations

from pydantic import Field

from schemas.base import Model
from schemas.explore.goal import Direction


class PlanSection(Model):
    """One section of an experiment plan."""

    title: str = Field(min_length=1, max_length=120)
    what: str = Field("", max_length=2000)


class Idea(Model):
    """One hypothesis that experiments can support or refute."""

    title: str = Field(min_length=1, max_length=200)
    hypothesis: str = Field(min_length=1, max_length=3000)
    primary_metric: str = Field(min_length=1, max_length=80)
    direction: Direction
    evaluation_criteria: tuple[str, ...] = Field((), max_length=20)
    experiment_plan: tuple[PlanSection, ...] = Field((), max_length=20)
    novelty: str = Field("", max_length=2000, description="what is new, against what")
    novelty_score: float | None = Field(None, ge=0, le=1)
    feasibility_score: float | None = Field(None, ge=0, le=1)
    related: tuple[str, ...] = Field((), max_length=40, description="keys of retrieved references")
    pinned: bool = Field(False, description="chosen by the parent run; stays the root's")


class IdeaSet(Model):
    """idea.json: the selected idea by index, the others as alternatives, and the parent run's catalogue (read-only)."""

    ideas: tuple[Idea, ...] = Field(min_length=1, max_length=20)
    selected: int = Field(0, ge=0)
    reason: str = Field("", max_length=1000, description="why this one")
    catalogue: tuple[str, ...] = Field(
        (), description="titles of ideas of parent runs: known, not directives"
    )

    @property
    def root(self) -> Idea:
        """The idea that the tree explores."""
        return self.ideas[self.selected]


class RootIdeaAnswer(Model):
    """Which of the ideas to explore first."""

    index: int = Field(ge=0, description="counted from 0")
    reason: str = Field(min_length=1, max_length=1000)
