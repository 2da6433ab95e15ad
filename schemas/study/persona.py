"""Simulated participants: what code drew, what a model made of it, what they answered."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from schemas.base import Model
from schemas.study.document import Document
from schemas.study.scope import VariableName

PersonaId = Annotated[str, Field(pattern=r"^persona-[0-9]{3,4}$")]


class PersonaProfile(Document):
    """Who answers. attributes and conditions (in the order they are met) are drawn by code; portrait is a model's."""

    persona_id: PersonaId
    attributes: dict[VariableName, str]
    conditions: tuple[VariableName, ...]
    seed: int
    portrait: str = Field("", max_length=4000)


class PersonaText(Model):
    """The text of a participant, stored as Markdown with the participant's id in its front matter."""

    persona_id: PersonaId
    notice: str = ""
    text: str = Field(min_length=20, max_length=20_000)


class PersonaContext(PersonaText):
    """The situation a participant is in: habits, surroundings, mood; nothing of conditions or questions."""


class PersonaExperience(PersonaText):
    """What a participant lived through in each condition, in the order met."""


class ItemAnswer(Model):
    """One answer. condition: empty for an item asked once. value: several options as a list."""

    item: VariableName
    condition: str = Field("", max_length=40)
    value: str | float | tuple[str, ...] | None


class PersonaResponse(Document):
    """All answers of one participant."""

    persona_id: PersonaId
    answers: tuple[ItemAnswer, ...] = Field(max_length=5000)
