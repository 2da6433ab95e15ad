"""Answers of agents that skills ask: how success is measured, and what a figure or a table shows."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from schemas.base import Model
from schemas.explore.goal import Direction, MetricKind
from simkit.describe.syntax import parse

_LONGEST = 20_000


class MetricSpecAnswer(Model):
    """The primary metric of a goal and, where the goal brings none, the program that measures it."""

    name: str = Field(
        min_length=1,
        max_length=80,
        pattern=r"^[A-Za-z][A-Za-z0-9_]*$",
        description="as the program writes it",
    )
    unit: str = Field("1", max_length=40, description="as the program writes it; '1' for none")
    direction: Direction
    kind: MetricKind
    criteria: tuple[str, ...] = Field(
        (), max_length=12, description="what else a good result shows, one sentence each"
    )
    program: str = Field(
        "", max_length=_LONGEST, description="measure.py, complete; empty if the goal brings one"
    )

    @field_validator("program")
    @classmethod
    def _a_program(cls, text: str) -> str:
        if not text.strip():
            return ""
        try:
            parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"Python that compiles; found {error}") from None
        for word in ("candidate", "measured.json"):
            if word not in text:
                raise ValueError(
                    f"a program that uses the folder candidate/ and writes measured.json; it never says {word!r}"
                )
        return text


class FigureIssue(Model):
    """One thing to change."""

    where: str = Field(max_length=200)
    problem: str = Field(max_length=600)
    severity: Literal["blocking", "major", "minor"]


class FigureReviewAnswer(Model):
    """How well a figure or table shows what its caption says."""

    score: float = Field(ge=0, le=1, description="0: unusable, 0.7: fit to print, 1: nothing to change")
    shows: str = Field(
        min_length=1, max_length=600, description="what you see, in your own words, before the caption's"
    )
    issues: tuple[FigureIssue, ...] = Field((), max_length=12)
    feedback: str = Field("", max_length=2000, description="what to change, as instructions")
