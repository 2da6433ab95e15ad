"""What a user handed in: its kind, the profile of data, and what was flagged before any model saw a row."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import FileRef, Model
from schemas.study.pipeline import InputType, PipelineMode
from schemas.study.preparation import Preparation

ColumnType = Literal["whole", "number", "truth", "date", "category", "text", "empty"]
FlagKind = Literal[
    "identifier",
    "name",
    "e-mail",
    "phone",
    "birth date",
    "IP address",
    "address",
    "place",
    "identity number",
    "free text",
]


class Flag(Model):
    """A column that may identify people. because: name of the column, or how many values look like it."""

    kind: FlagKind
    column: str
    because: str


class Category(Model):
    """A value and how often it occurs."""

    value: str
    count: int


class ColumnProfile(Model):
    """One column. categories: values that at least five rows share; rare: how many values fewer rows share, never which.

    Range, quartiles and categories are left out for flagged columns.
    """

    name: str
    type: ColumnType
    rows: int
    missing: int
    distinct: int
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    sd: float | None = None
    quartiles: tuple[float, float, float] | None = None
    categories: tuple[Category, ...] = ()
    rare: int = 0
    flagged: bool = False


class TableProfile(Model):
    """One table. name: of its file (and sheet); participant: the column that names participants, if one does;
    repeated: participants have several rows."""

    name: str
    rows: int
    columns: tuple[ColumnProfile, ...]
    flags: tuple[Flag, ...] = ()
    remarks: tuple[str, ...] = ()
    participant: str | None = None
    repeated: bool = False
    sample: tuple[dict[str, str], ...] = Field(
        (), description="rows; empty unless the user allowed that models see them"
    )


class InputReport(Model):
    """The input as analysed by code. text: of a topic or question; which of the two is an agent's answer. notes: what the
    user wrote on data beside them (a code book, how they were collected). preparation: what the user declared, with how many cells
    each step changed."""

    kind: Literal["data", "text"]
    mode: PipelineMode
    files: tuple[FileRef, ...]
    text: str = ""
    notes: str = ""
    tables: tuple[TableProfile, ...] = ()
    preparation: Preparation | None = None

    @property
    def flags(self) -> tuple[Flag, ...]:
        """All flags of all tables."""
        return tuple(flag for table in self.tables for flag in table.flags)


class InputAnswer(Model):
    """What the input classifier says of a text."""

    input_type: Literal["topic", "research_question"]
    domain: str = Field(max_length=200, description="field of research in a few words")
    summary: str = Field(max_length=600)
    unclear: tuple[str, ...] = Field((), max_length=8, description="what a researcher would have to ask back")

    def as_input_type(self) -> InputType:
        """The same as the pipeline's word."""
        return InputType(self.input_type)
