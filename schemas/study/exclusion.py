"""Who is left out of the data: rules of closed kinds, fixed before data exist and evaluated by code; and what came of them."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.document import Document
from schemas.text.visible import one_visible_line

ExclusionKind = Literal["failed_attention_check", "straight_lining", "same_as_another", "value"]
Comparison = Literal["", "below", "at_most", "above", "at_least", "equals", "differs", "missing"]
ORDERED = ("below", "at_most", "above", "at_least")


class ExclusionRule(Model):
    """A participant for whom the rule holds in any row is left out of all tests. value: a column's value compared with one.

    failed_attention_check: an item with `expected` was answered otherwise. straight_lining: the same number on five or more
    rating items of a condition, or on three or more of opposite sense. same_as_another: every answer is that of an earlier one.
    """

    kind: ExclusionKind
    variable: str = Field("", max_length=40, description="of kind value: the column; else empty")
    comparison: Comparison = Field("", description="of kind value; else empty")
    value: str = Field(
        "",
        max_length=80,
        description="of kind value: a number or a text as the data hold it; none for missing",
    )

    @model_validator(mode="after")
    def _fits(self) -> ExclusionRule:
        if self.kind != "value":
            if self.variable or self.comparison or self.value:
                raise ValueError(
                    f"the rule {self.kind} has no variable, comparison or value; they belong to the kind value"
                )
            return self
        if not self.variable or not self.comparison:
            raise ValueError("a rule of kind value needs variable and comparison")
        if (self.comparison == "missing") == bool(self.value):
            raise ValueError(
                f"{self.variable} {self.comparison} {self.value or 'nothing'}: every comparison but missing needs "
                "a value, and missing has none"
            )
        if self.comparison in ORDERED and self.number is None:
            raise ValueError(
                f"{self.variable} {self.comparison} {self.value}: that comparison needs a number"
            )
        return self

    @property
    def number(self) -> float | None:
        """The value as a number; None for one that is none."""
        try:
            found = float(self.value)
        except ValueError:
            return None
        return found if math.isfinite(found) else None

    @property
    def words(self) -> str:
        """The rule for people."""
        if self.kind == "value":
            return f"{self.variable} {self.comparison.replace('_', ' ')} {self.value}".strip()
        return self.kind.replace("_", " ")


class LeftOut(Model):
    """A participant that a rule leaves out. detail: what was found; empty for real people."""

    participant: str
    rule: str
    detail: str = Field("", max_length=300)


class Exclusions(Document):
    """exclusions.json. asked: participants before; doubts: participants with doubtful answers on which no rule acts, by kind;
    only_words: what the protocol says of exclusions in words and no rule says, which leaves nobody out; not_evaluated: rules that
    could not act, as the data lack their columns; late: the rules were made when the data
    were known."""

    asked: int = Field(ge=0)
    rules: tuple[ExclusionRule, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    doubts: dict[str, int] = {}
    only_words: tuple[str, ...] = ()
    not_evaluated: tuple[str, ...] = ()
    late: bool = False

    @property
    def decided_late(self) -> str:
        """Why the tests are exploratory where rules that were made late leave somebody out; else ''."""
        if not self.late or not self.left_out:
            return ""
        rules = one_visible_line("; ".join(rule.words for rule in self.rules), 600)
        return (
            f"exploratory: {len(self.left_out)} of {self.asked} participants are left out by rules that were made when the "
            f"data were known ({rules})"
        )
