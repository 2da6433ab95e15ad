"""What coders made of texts: the code book, and each coder's code of each unit."""

from __future__ import annotations

from pydantic import Field, model_validator

from schemas.study.answers import Code
from schemas.study.document import Document


class Codings(Document):
    """codings.json. coders: of each, unit (participant/condition/item) -> code; None where no code fits. The texts themselves
    are columns of the raw data."""

    codes: tuple[Code, ...] = Field(min_length=2, max_length=30)
    coders: tuple[dict[str, str | None], ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _fits(self) -> Codings:
        known = {code.name for code in self.codes}
        if any({*coder} != {*self.coders[0]} for coder in self.coders):
            raise ValueError("the coders coded different units")
        if foreign := sorted({code for coder in self.coders for code in coder.values() if code} - known):
            raise ValueError(f"the code book has no {', '.join(foreign[:5])}")
        return self
