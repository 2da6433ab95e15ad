"""`science_data.json`: what the search measured, and the name of every number that a text or figure may use.

Code fills all numbers from files that measurements of ours wrote; an agent adds words without digits (`AnalystAnswer`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Identifier, Model

NumberName = Annotated[
    str,
    Field(
        pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$",
        max_length=120,
        description="lower-case words joined by dots, such as best.time",
    ),
]
NumberKind = Literal["measured", "derived", "counted", "reported", "parameter", "score"]
"""measured: a run of the measure program; derived: computed by code from such; counted: of the tree or the machine;
reported: a file that the node's own program wrote; parameter: what a node set; score: an axis or the composite."""


class Number(Model):
    """One number that text cites by name. `uncertainty` is one standard uncertainty in the same unit; None: none is known."""

    name: NumberName
    value: float = Field(allow_inf_nan=False)
    uncertainty: float | None = Field(None, ge=0, allow_inf_nan=False)
    unit: str = Field("", max_length=40, description="empty for a ratio or a count")
    kind: NumberKind
    what: str = Field(description="one line, by code")
    file: str = Field(description="below the run's folder: what the number was read from")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    node_id: str = Field("", description="empty for a number of the whole search")
    key: str = Field("", description="where in the file")
    values: tuple[float, ...] = Field((), description="the repeats it is the median of")
    n: int = Field(1, ge=1)
    derived_from: tuple[NumberName, ...] = ()


class Fact(Model):
    """Words that text cites by name, because they hold digits: a processor's name, a version."""

    name: NumberName
    text: str = Field(max_length=200)
    what: str
    file: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Configuration(Model):
    """One node that ran: the typed split of its numbers, and what came of it. rank 1 is the best; 0: not ranked."""

    node_id: Identifier
    parent_id: str = ""
    rank: int = Field(0, ge=0)
    depth: int = Field(0, ge=0)
    label: str
    direction: str = Field("", description="what it was to try, as proposed")
    summary: str = Field("", description="what it said of itself; words, no evidence")
    parameters: tuple[Number, ...] = ()
    measurements: tuple[Number, ...] = ()
    reported: tuple[Number, ...] = ()
    scores: tuple[Number, ...] = ()
    against_parent: Literal["better", "worse", "no_difference", ""] = Field(
        "", description="by code, beyond the noise"
    )
    refused: tuple[str, ...] = Field((), description="numbers that were not believed, and why")
    sources: tuple[str, ...] = Field((), description="files of its program, below the run's folder")


class KeySummary(Model):
    """One metric over all configurations. best and worst follow `direction`."""

    metric: str
    unit: str = ""
    direction: Literal["higher", "lower"]
    n: int
    best: float
    worst: float
    median: float
    best_node: str


class SummaryStats(Model):
    """The search in short. typed_split_coverage: share of configurations with a measured primary metric."""

    count: int
    primary_metric: str
    direction: Literal["higher", "lower"]
    primary_metric_best: float | None = None
    primary_metric_n: int = 0
    typed_split_coverage: float = Field(ge=0, le=1)
    measured_by: Literal["goal", "agent"] = Field(
        "goal", description="whose program measured: the goal's, or an agent's"
    )


class Comparison(Model):
    """Two configurations set side by side in words, with placeholders for the numbers."""

    title: str
    nodes: tuple[Identifier, ...] = Field(min_length=1)
    text: str


class AnalystAnswer(Model):
    """What the analyst adds. Every number in it is a placeholder: `{{best.time}}`."""

    methodology: str = Field(description="how the experiments were done and measured; a paragraph or two")
    implementation_overview: str = Field(description="what the best program does, in words")
    findings: tuple[str, ...] = Field(min_length=1, description="one sentence each, the most important first")
    comparisons: tuple[Comparison, ...] = Field(
        (), description="ablations, alternatives, what failed and why"
    )
    limitations: tuple[str, ...] = Field(min_length=1, description="what the experiments do not show")


class ScienceData(Model):
    """Everything a paper may state."""

    goal_id: Identifier
    title: str
    question: str = Field(description="the goal's text")
    configurations: tuple[Configuration, ...] = Field(description="by rank, unranked ones last")
    derived: tuple[Number, ...] = Field((), description="ratios and counts")
    facts: tuple[Fact, ...] = ()
    per_key_summary: tuple[KeySummary, ...] = ()
    summary_stats: SummaryStats
    experiment_context: AnalystAnswer | None = None
    report_driven: bool = Field(False, description="node reports chose what the analyst saw")

    @model_validator(mode="after")
    def _one_name_one_number(self) -> ScienceData:
        names = [number.name for number in self.all_numbers()] + [fact.name for fact in self.facts]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"a name stands for two numbers: {', '.join(twice[:5])}")
        return self

    def all_numbers(self) -> tuple[Number, ...]:
        """Each once: derived ones first, then by configuration."""
        of_nodes = (
            number
            for found in self.configurations
            for number in (*found.measurements, *found.reported, *found.parameters, *found.scores)
        )
        return (*self.derived, *of_nodes)

    @cached_property
    def numbers(self) -> Mapping[str, Number]:
        """By name."""
        return {number.name: number for number in self.all_numbers()}

    @cached_property
    def words(self) -> Mapping[str, Fact]:
        """By name."""
        return {fact.name: fact for fact in self.facts}
