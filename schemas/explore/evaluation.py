"""Measurements and what follows from them: code measures and computes; a model only scores axes, with reasons."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.explore.claims import ResolvedClaim
from schemas.explore.goal import Direction, MetricKind

Comparing = Literal["better", "worse", "no_difference"]
Spread = Literal["scaled_mad", "trimmed_range", "range", "standard_deviation", "none"]
"""What an uncertainty was estimated from; `tasks.explore.measuring.spread` says which and why."""


class MetricSpec(Model):
    """The run's primary metric and the frozen program that measures it; evaluation_criteria.json."""

    name: str = Field(min_length=1, max_length=80)
    unit: str = Field(max_length=40, description="as the program writes it; '1' for none")
    direction: Direction
    kind: MetricKind
    repeats: int = Field(5, ge=1, le=50)
    program: str = Field(description="path of the measure program, relative to the run's folder")
    sha256: str = Field(description="of the program, frozen before the search")
    origin: Literal["goal", "agent"] = Field("goal", description="who wrote the program; never a node")
    criteria: tuple[str, ...] = Field((), description="what else a good result shows")


class Measured(Model):
    """One metric of a candidate, from files that the measure program wrote.

    value: the median of `values`, in `unit`. uncertainty: standard error of `value`, in `unit`. values: one for each run, in
    the order they were taken. beside: of `uncertainty`, what CPU time that was used beside the clock could have been, in `unit`.
    """

    name: str
    value: float
    uncertainty: float = Field(ge=0)
    n: int = Field(ge=1)
    unit: str
    values: tuple[float, ...]
    spread: Spread = "none"
    beside: float = Field(0.0, ge=0)
    file: str = Field("", description="the record, relative to the run's folder")
    sha256: str = Field("", description="of that file")


class Comparison(Model):
    """A candidate beside another one (its parent, the root). ratio: candidate over other, where both have one sign."""

    other: str = Field(description="id of the other node")
    difference: float = Field(description="candidate minus other, in the metric's unit")
    uncertainty: float = Field(ge=0, description="standard error of the difference")
    ratio: float | None = None
    ratio_uncertainty: float | None = None
    paired: bool = Field(
        False, description="measured alternately in one session: the differences of neighbours count"
    )
    verdict: Comparing
    why: str = ""


class AxisScore(Model):
    """One axis of an evaluation. by: who gave the score."""

    axis: Identifier
    score: float = Field(ge=0, le=1)
    reason: str = Field("", max_length=1000)
    weight: float = Field(1.0, gt=0, le=100)
    by: Literal["model", "code"] = "model"


class Evaluation(Model):
    """What is known of a node after it ran. composite: computed by code from the axes, within the band of its evidence."""

    has_real_data: bool = Field(description="the primary metric was measured, with every check passed")
    comparison_found: bool = Field(
        False, description="it was measured beside its parent or another candidate"
    )
    metrics: tuple[Measured, ...] = ()
    comparison: Comparison | None = Field(None, description="with the parent")
    baseline: Comparison | None = Field(None, description="with the root")
    claims: tuple[ResolvedClaim, ...] = Field(
        (), description="secondary metrics that resolved to files of its executions"
    )
    axes: tuple[AxisScore, ...] = ()
    axis_composite: float = Field(0.0, ge=0, le=1, description="by the formula alone")
    composite: float = Field(0.0, ge=0, le=1)
    refused: tuple[str, ...] = Field((), description="numbers that did not count, and why")
    headline: str = Field("", max_length=400)

    def metric(self, name: str) -> Measured | None:
        """The measured metric of that name."""
        return next((found for found in self.metrics if found.name == name), None)


class MeasuredRecord(Model):
    """measured.json of a node: what the harness ran and found. `parent` values come from the same session."""

    node_id: str
    parent_id: str = ""
    program_sha256: str
    metrics: tuple[Measured, ...] = ()
    parent_metrics: tuple[Measured, ...] = ()
    checks: tuple[tuple[str, bool], ...] = ()
    order: str = Field("", description="c: the candidate, p: its parent, in the order they ran")
    seeds: tuple[int, ...] = Field(
        (), description="of each repeat, drawn for this session; the parent had the same"
    )
    refused: tuple[str, ...] = ()
    sandbox_level: str = ""
    cpu_s: float = 0.0


class AxisAnswer(Model):
    """The score of one axis."""

    axis: str = Field(min_length=1, max_length=80)
    score: float = Field(ge=0, le=1)
    reason: str = Field(min_length=1, max_length=1000)


class EvaluationAnswer(Model):
    """A reviewer's scores of a node; its numbers are not asked for, they were measured."""

    axes: tuple[AxisAnswer, ...] = Field(min_length=1, max_length=30)
    headline: str = Field(min_length=1, max_length=400, description="what the node found, in one sentence")
