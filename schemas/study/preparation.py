"""How the user says that data are to be read and made ready: declared steps, in their order."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.document import Document

Cell = Annotated[str, Field(max_length=200)]
ColumnName = Annotated[str, Field(min_length=1, max_length=100)]
_VALUES, _MAKES = (
    ("missing", "merge", "ranks", "long"),
    ("merge", "mean", "sum", "sus", "tlx", "ueq", "days", "long"),
)
_COUNTS = {"sus": (10,), "tlx": (6, 12), "ueq": (26,), "days": (2,)}


class Step(Model):
    """One step on cells, compared without spaces around them, letter by letter. columns: by their names; none: all.

    missing: these values become empty. merge: these values become `into`. ranks: these values, the lowest first, become 1, 2, ...
    decimal_commas: 3,5 and 1.234,5 become numbers. percent: 51% becomes 51. turn: a reversed item, minimum + maximum less the answer.
    dates: to year-month-day, from `order`. days: from the first to the second of two such columns, as the new column `into`.
    mean, sum: of columns, as `into`; a mean where `at_least` of them are answered (by default all). sus, tlx, ueq: the columns in the
    questionnaire's order, scored as published. long: what stands side by side becomes a row for each of `values`: `into` says which,
    and `measures` names for each new column the columns that hold it, in the order of `values`; `by` names participants.
    """

    kind: Literal[
        "missing", "merge", "ranks", "decimal_commas", "percent", "turn", "dates", "days", "mean", "sum", "sus", "tlx", "ueq", "long"
    ]  # fmt: skip
    columns: tuple[ColumnName, ...] = Field((), max_length=500)
    values: tuple[Cell, ...] = Field((), max_length=200)
    into: Cell = ""
    minimum: float | None = Field(None, allow_inf_nan=False)
    maximum: float | None = Field(None, allow_inf_nan=False)
    order: Literal["", "dmy", "mdy", "ymd"] = ""
    at_least: int = Field(0, ge=0, le=500)
    measures: dict[ColumnName, tuple[ColumnName, ...]] = Field({}, max_length=200)
    by: Cell = ""

    @model_validator(mode="after")
    def _fits(self) -> Step:
        if (self.kind in _VALUES) != bool(self.values):
            raise ValueError("values belong to missing, merge, ranks and long, and each of these needs some")
        if len({item.strip() for item in self.values}) != len(self.values) and self.kind in ("ranks", "long"):
            raise ValueError("a rank, or a level of long, is named twice")
        if (self.kind in _MAKES) != bool(self.into.strip()):
            raise ValueError(
                f"into is what values are merged into, or the new column, of {', '.join(_MAKES)}"
            )
        if len(self.into.strip()) > 80 and self.kind != "merge":
            raise ValueError("into, a column's name, has at most 80 characters")
        if self.kind == "ueq" and len(self.into.strip()) > 24:
            raise ValueError("into of ueq has at most 24 characters, as the six scales' names follow it")
        if self.kind not in ("missing", "percent", "decimal_commas", "long") and not self.columns:
            raise ValueError(f"{self.kind} names its columns")
        if self.kind in _COUNTS and len(self.columns) not in _COUNTS[self.kind]:
            allowed = " or ".join(map(str, _COUNTS[self.kind]))
            raise ValueError(f"{self.kind} takes {allowed} columns, found {len(self.columns)}")
        if self.kind in ("mean", "sum") and len(self.columns) < 2:
            raise ValueError(f"a {self.kind} is of two columns at least")
        if len({*self.columns}) != len(self.columns):
            raise ValueError("a column is named twice")
        return self

    @model_validator(mode="after")
    def _additions_fit(self) -> Step:
        ends = (self.minimum, self.maximum)
        if self.kind == "turn" and (None in ends or not (self.minimum or 0.0) < (self.maximum or 0.0)):
            raise ValueError("turn needs the ends of the answers, a minimum below its maximum")
        if self.kind != "turn" and ends != (None, None):
            raise ValueError("minimum and maximum belong to turn")
        if (self.kind == "dates") != bool(self.order):
            raise ValueError("order (dmy, mdy or ymd) belongs to dates, which needs it")
        if self.at_least and (self.kind != "mean" or self.at_least > len(self.columns)):
            raise ValueError("at_least belongs to mean, and is no more than its columns")
        if (self.kind == "long") != bool(self.measures) or (self.kind == "long") != bool(self.by.strip()):
            raise ValueError("measures and by belong to long, which needs both")
        if self.kind == "long":
            if self.columns or len(self.values) < 2:
                raise ValueError("long has two values at least, and its columns stand in measures")
            if wrong := [name for name, found in self.measures.items() if len(found) != len(self.values)]:
                raise ValueError(
                    f"the measure {wrong[0]} has not one column for each of the {len(self.values)} values"
                )
            used = [name for found in self.measures.values() for name in found]
            made = [*self.measures, self.into.strip(), self.by.strip()]
            if len({*used}) != len(used) or len({*made}) != len(made):
                raise ValueError("long names a column twice")
        return self


class Preparation(Document):
    """preparation.json. delimiter: of a .csv or .tsv that has another one. header_rows: lines above the data, the first of which
    names the columns (Qualtrics: 3). join: the column by which the tables of a folder are joined. steps: on cells. changed: how many
    cells each step changed or made (rows, of long); filled by code."""

    delimiter: Literal["", ",", ";", "\t", "|"] = ""
    header_rows: int = Field(1, ge=1, le=5)
    join: Cell = ""
    steps: tuple[Step, ...] = Field((), max_length=100)
    changed: tuple[int, ...] = ()

    @property
    def participant(self) -> str:
        """The column that is declared to name participants; '' where none is."""
        return next((step.by.strip() for step in self.steps[::-1] if step.by), self.join.strip())
