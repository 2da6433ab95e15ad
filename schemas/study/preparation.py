"""How the user says that data are to be read and made ready: declared steps, in their order."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.document import Document

Cell = Annotated[str, Field(max_length=200)]


class Step(Model):
    """One step on cells, compared without spaces around them, letter by letter. columns: by their names; none: all.

    missing: these values become empty. merge: these values become `into`. ranks: these values, the lowest first, become 1, 2, ...
    decimal_commas: 3,5 and 1.234,5 become numbers. percent: 51% becomes 51.
    """

    kind: Literal["missing", "merge", "ranks", "decimal_commas", "percent"]
    columns: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = Field((), max_length=500)
    values: tuple[Cell, ...] = Field((), max_length=200)
    into: Cell = ""

    @model_validator(mode="after")
    def _fits(self) -> Step:
        if (self.kind in ("missing", "merge", "ranks")) != bool(self.values):
            raise ValueError("values belong to missing, merge and ranks, and each of these needs some")
        if len({item.strip() for item in self.values}) != len(self.values) and self.kind == "ranks":
            raise ValueError("a rank is named twice")
        if (self.kind == "merge") != bool(self.into.strip()):
            raise ValueError("into is what values are merged into")
        if self.kind in ("merge", "ranks") and not self.columns:
            raise ValueError("merge and ranks name their columns")
        return self


class Preparation(Document):
    """preparation.json. delimiter: of a .csv or .tsv that has another one. header_rows: lines above the data, the first of which
    names the columns (Qualtrics: 3). steps: on cells. changed: how many cells each step changed; filled by code."""

    delimiter: Literal["", ",", ";", "\t", "|"] = ""
    header_rows: int = Field(1, ge=1, le=5)
    steps: tuple[Step, ...] = Field((), max_length=100)
    changed: tuple[int, ...] = ()
