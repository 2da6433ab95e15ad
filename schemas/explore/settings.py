"""Settings of an exploration: how far the tree grows, how nodes are ranked and measured, where literature comes from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.literature.retrieval import RetrievalSettings
from schemas.run.settings import CoreSettings

FrontierScore = Literal["scientific_plus_diversity", "scientific_only", "depth_penalized", "ucb_like"]
CompositeFormula = Literal["harmonic_mean", "arithmetic_mean", "weighted_min", "geometric_mean"]
AxisSet = Literal["legacy", "dynamic", "custom"]


class StagnationRule(Model):
    """When a lineage decision is asked for: the best composite rose by at most `flat` over the last `window` nodes."""

    enabled: bool = True
    window: int = Field(4, ge=2, description="evaluated nodes, in the order they were made")
    flat: float = Field(
        0.02, ge=0, le=1, description="a rise of the best composite up to this counts as none"
    )


class CustomAxis(Model):
    """One axis of a user's own set."""

    name: Identifier
    what: str = Field("", max_length=400, description="what the model is asked to judge")
    weight: float = Field(1.0, gt=0, le=100)


class SearchSettings(Model):
    """How the tree grows."""

    max_nodes: int = Field(12, ge=1, le=1000, description="nodes in all, the root included")
    max_depth: int = Field(5, ge=0, le=100, description="depth of the deepest node; the root has depth 0")
    parallel: int = Field(1, ge=1, le=64, description="nodes side by side; they are chosen in rounds")
    max_expansions: int = Field(3, ge=1, le=100, description="children of one node")
    sterile_children: int = Field(
        2, ge=1, description="a node all of whose children, this many or more, led nowhere is closed"
    )
    frontier_score: FrontierScore = Field(
        "scientific_plus_diversity", description="which node is expanded next"
    )
    diversity_weight: float = Field(
        0.1, ge=0, le=1, description="scientific_plus_diversity: bonus of a rare kind of node"
    )
    depth_penalty: float = Field(0.05, ge=0, le=1, description="depth_penalized: taken off for each level")
    exploration: float = Field(0.2, ge=0, le=10, description="ucb_like: weight of the little expanded")
    composite: CompositeFormula = Field(
        "harmonic_mean", description="how the scores of a node's axes become one"
    )
    axes: AxisSet = Field(
        "dynamic", description="legacy: five generic; dynamic: with the venue's and the plan's; custom"
    )
    custom_axes: tuple[CustomAxis, ...] = ()
    stagnation: StagnationRule = Field(default_factory=StagnationRule)


class NodeLimits(Model):
    """Hard limits of one node's agent."""

    max_turns: int = Field(30, ge=1, description="model turns")
    cpu_s: float = Field(600, gt=0, description="CPU seconds of all its executions together")
    wall_minutes: float = Field(60, gt=0, description="backstop: how long a node may take in all")
    memory_mb: int = Field(4096, ge=64, description="of one execution's process tree")
    disk_mb: int = Field(512, ge=1, description="of its work directory")
    max_tokens: int = Field(300_000, gt=0, description="model tokens")
    output_kb: int = Field(32, ge=1, description="of one tool result that the model sees")


class MeasureSettings(Model):
    """How a candidate is measured."""

    repeats: int = Field(
        5, ge=1, le=50, description="of a timed or random metric; each beside one of the parent's"
    )
    cpu_s: float = Field(120, gt=0, description="CPU seconds of one run of the measure program")
    beside_s: float = Field(
        0.1,
        ge=0,
        description="CPU seconds that a timed candidate may spend beside the clock, besides imports; more where it may set things up",
    )
    memory_mb: int = Field(4096, ge=64)
    smallest_effect: float = Field(
        0.01, ge=0, le=1, description="a relative difference of a timed metric below this is none"
    )


class Checkpoints(Model):
    """Where a person is asked. Publishing anywhere but this computer always asks."""

    after_ideas: bool = False
    before_paper: bool = False
    before_publishing: bool = False


class ExploreSettings(CoreSettings):
    """What an exploration is parametrised by besides its goal and its model."""

    search: SearchSettings = Field(default_factory=SearchSettings)
    node: NodeLimits = Field(default_factory=NodeLimits)
    measure: MeasureSettings = Field(default_factory=MeasureSettings)
    retrieval: RetrievalSettings = Field(default_factory=RetrievalSettings)
    checkpoints: Checkpoints = Field(default_factory=Checkpoints)
    venue: str = Field(
        "generic", max_length=80, description="rubric of the venue: axes of the search and of the review"
    )
    workflow: str = Field("", description="a workflow.yaml of the user's own")
    reviewers: int = Field(1, ge=1, le=9, description="independent reviews; more than one get an area chair")
