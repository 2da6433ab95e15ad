"""What the paper states and what had to be assumed, each with its source."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model

# What a person said to an agent that knows the paper's results; the blind agents are not told.
PLANNER_GUIDANCE = "guidance to the planner"


class ExtractedParameter(Model):
    """A number or choice the paper states, with the words that state it."""

    name: Identifier
    value: str = Field(description="as a plain number or word, without unit")
    unit: str = Field("", description="'' for dimensionless")
    role: Literal["input", "result"] = Field(
        description="input: what to simulate; result: what the paper reports. "
        "Results are never shown to the agents that design and code."
    )
    quotation: str = Field(description="verbatim words of the paper that contain the value")
    place: str = Field(description="section, table or figure")


class Assumption(Model):
    """Something the paper does not state that had to be decided."""

    assumption_id: Identifier
    category: Literal["material", "geometry", "source", "boundary", "numerics", "interpretation", "other"]
    parameter: str
    value: str
    source: Literal["stated", "inferred", "convention", "database", "user", "agent"]
    reason: str
    sensitivity: Literal["low", "medium", "high"] = Field(
        description="how far the result moves if it is wrong"
    )
    stages: tuple[Identifier, ...] = Field((), description="stages it affects; empty for all")
    replaces: str = Field("", description="id of an earlier assumption that this one takes the place of")

    @property
    def for_planner_only(self) -> bool:
        """Whether these are a person's words to an agent that knows the paper's results."""
        return self.source == "user" and self.parameter == PLANNER_GUIDANCE
