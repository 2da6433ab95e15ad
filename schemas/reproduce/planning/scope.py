"""What a reader wants reproduced: figures, sections and claims; given by the user, not by the paper."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.reproduce.planning.plan import MATERIALS, TEXT

Wanted = Annotated[str, Field(min_length=1, max_length=400)]


class Scope(Model):
    """The part of a paper that is to be reproduced. Empty: all of it."""

    figures: tuple[Identifier, ...] = Field(
        (), description="figure_ids; `text` for numbers that stand in the text only"
    )
    sections: tuple[Wanted, ...] = Field((), description="sections of the paper, by number or heading")
    claims: tuple[Wanted, ...] = Field((), description="claims or results wanted, in words")

    def __bool__(self) -> bool:
        return bool(self.figures or self.sections or self.claims)

    def covers(self, figure_id: str) -> bool:
        """Whether a target of that figure may be planned. Only figures are decided by code: sections and claims may
        rest on numbers of the text, which therefore stay open where any of these are named."""
        if not self.figures or figure_id == MATERIALS or figure_id in self.figures:
            return True
        return figure_id == TEXT and bool(self.sections or self.claims)

    def words(self) -> str:
        """One line for people."""
        parts = (("figures", self.figures), ("sections", self.sections), ("claims", self.claims))
        return "; ".join(f"{name}: {', '.join(given)}" for name, given in parts if given)
