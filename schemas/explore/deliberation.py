"""What agents answer on the way to ideas: queries for literature, proposals of several personas, criticism, ideas."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from schemas.base import Model
from schemas.explore.goal import Direction
from schemas.explore.idea import PlanSection

Key = Annotated[str, Field(max_length=64)]
Sentence = Annotated[str, Field(min_length=1, max_length=300)]


class KeywordWriterAnswer(Model):
    """Queries for a catalogue of literature."""

    queries: tuple[Annotated[str, Field(min_length=2, max_length=200)], ...] = Field(
        max_length=8, description="a few technical words each; none when nothing more is worth asking"
    )


class Proposal(Model):
    """What one persona would try."""

    title: str = Field(min_length=1, max_length=200)
    hypothesis: str = Field(
        min_length=1, max_length=2000, description="what will be better, why, and what would refute it"
    )
    experiment: str = Field(
        min_length=1, max_length=1500, description="how this is tried here, with the goal's means"
    )
    risk: str = Field("", max_length=600, description="why it may fail")
    related: tuple[Key, ...] = Field((), max_length=10, description="keys of the given references")


class IdeaPersonaAnswer(Model):
    """Proposals of one persona."""

    proposals: tuple[Proposal, ...] = Field(min_length=1, max_length=3)


class Criticism(Model):
    """What is weak about one proposal."""

    proposal: int = Field(ge=1, description="its number")
    keep: bool = Field(description="false: known, untestable here, or about something else than the goal")
    weakness: str = Field(min_length=1, max_length=800)
    known_from: tuple[Key, ...] = Field(
        (), max_length=10, description="keys of references that did it before"
    )


class IdeaCriticAnswer(Model):
    """One criticism of every proposal."""

    criticisms: tuple[Criticism, ...] = Field(min_length=1, max_length=60)


class SynthesizedIdea(Model):
    """One hypothesis worth exploring, made of proposals."""

    title: str = Field(min_length=1, max_length=200)
    hypothesis: str = Field(min_length=1, max_length=3000)
    primary_metric: str = Field(
        min_length=1, max_length=80, description="the goal's own metric where it names one"
    )
    direction: Direction
    evaluation_criteria: tuple[Sentence, ...] = Field(
        (), max_length=8, description="what else would convince a referee"
    )
    experiment_plan: tuple[PlanSection, ...] = Field(
        min_length=1, max_length=8, description="baseline, attempts, ablations"
    )
    novelty: str = Field("", max_length=1500, description="what is new, against which references")
    novelty_score: float = Field(ge=0, le=1)
    feasibility_score: float = Field(ge=0, le=1)
    related: tuple[Key, ...] = Field((), max_length=20, description="keys of the given references")


class IdeaSynthesizerAnswer(Model):
    """Two to five different ideas, the most promising first."""

    ideas: tuple[SynthesizedIdea, ...] = Field(min_length=1, max_length=5)
