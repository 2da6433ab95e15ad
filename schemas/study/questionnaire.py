"""The questionnaire of a study."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.document import Document
from schemas.study.scope import VariableName

ItemKind = Literal["likert", "number", "choice", "multiple", "text"]


class Item(Model):
    """One question.

    likert: a whole number from minimum to maximum. number: any number in that range. choice, multiple: of `options`.
    text: at most `longest` characters. expected: an attention check has one right answer. scale: items of a scale are
    averaged, `reverse` ones turned first. per_condition: asked once per condition, otherwise once per participant.
    """

    id: VariableName
    text: str = Field(min_length=3, max_length=1000)
    kind: ItemKind
    minimum: float | None = None
    maximum: float | None = None
    options: tuple[str, ...] = Field((), max_length=40)
    longest: int = Field(2000, ge=1, le=10_000)
    required: bool = True
    expected: str | float | None = Field(None, description="attention checks only")
    scale: VariableName | None = None
    reverse: bool = False
    per_condition: bool = True

    @model_validator(mode="after")
    def _fits(self) -> Item:
        if self.kind in ("likert", "number"):
            if self.minimum is None or self.maximum is None or not self.minimum < self.maximum:
                raise ValueError(f"{self.id}: a {self.kind} item needs a minimum below its maximum")
            if self.kind == "likert" and not (self.minimum.is_integer() and self.maximum.is_integer()):
                raise ValueError(f"{self.id}: the ends of a likert item are whole numbers")
        if self.kind in ("choice", "multiple") and len(set(self.options)) < 2:
            raise ValueError(f"{self.id}: a {self.kind} item needs at least two different options")
        if (self.scale or self.reverse) and self.kind not in ("likert", "number"):
            raise ValueError(f"{self.id}: only numbers form a scale or are reversed")
        if self.expected is not None and self.kind in ("text", "multiple"):
            raise ValueError(f"{self.id}: an attention check has one right answer of its own")
        return self


class Questionnaire(Document):
    """All items in the order they are asked."""

    title: str = Field(max_length=200)
    instructions: str = Field("", max_length=4000)
    items: tuple[Item, ...] = Field(min_length=1, max_length=150)

    @model_validator(mode="after")
    def _unique(self) -> Questionnaire:
        ids = [item.id for item in self.items]
        if len(set(ids)) != len(ids):
            raise ValueError("two items have the same id")
        reserved = sorted({"participant", "condition", "condition_order", "simulated"} & {*ids})
        if reserved:
            raise ValueError(f"{', '.join(reserved)} is a column of the raw data and cannot name an item")
        clash = sorted({item.scale for item in self.items if item.scale} & {*ids})
        if clash:
            raise ValueError(f"{', '.join(clash)} names a scale and an item")
        return self
