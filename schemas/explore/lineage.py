"""Lineage decisions: what to do when the search stands still, and what a sub-run inherits."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model
from schemas.explore.idea import IdeaSet

LineageAction = Literal["continue", "switch_to_idea", "fanout", "terminate"]


class LineageAnswer(Model):
    """What to do now that the search stands still."""

    action: LineageAction
    ideas: tuple[int, ...] = Field(
        (), max_length=8, description="indices of alternatives: one to switch to, or several to fan out to"
    )
    reason: str = Field(min_length=1, max_length=1000)


class LineageDecision(Model):
    """One line of lineage_decisions.jsonl. at: how many nodes the tree had."""

    at: int = Field(ge=0)
    action: LineageAction
    ideas: tuple[int, ...] = ()
    reason: str = ""
    composites: tuple[float, ...] = Field((), description="of the nodes that stood still")


class Channel(Model):
    """One row of the inheritance table."""

    name: Literal["venue", "memory", "catalogue", "plan"]
    inherited: bool
    how: str


class SubRun(Model):
    """A run that a decision began, as its parent run knows it. best: its best node, in words."""

    run_id: str
    idea: str = Field("", description="title")
    nodes: int = 0
    working: int = 0
    best: str = ""
    ended: bool = Field(False, description="its search came to its end")


class SubRunSeed(Model):
    """What a sub-run starts with. Its plan is its own: no field carries the parent's."""

    parent_run: str
    index: int = Field(ge=0, description="of the idea in the parent's idea.json")
    ideas: IdeaSet = Field(
        description="the chosen idea, pinned and selected; the parent's titles as catalogue"
    )
    venue: str
    memory_scope: tuple[str, ...] = Field((), description="the parent run's nodes whose memories it may read")
    max_nodes: int = Field(ge=1, description="its share of the parent's")
