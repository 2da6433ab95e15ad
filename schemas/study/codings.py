"""What coders made of texts: the code book, each coder's segments, what was settled between them, and themes with quotations."""

from __future__ import annotations

from pydantic import Field, model_validator

from schemas.base import Model
from schemas.study.answers import Code, CodeName, Decision
from schemas.study.document import Document

UNIT = 80  # characters of a text's name at most


class TextUnit(Model):
    """Where a text stands in raw_data.csv: the column `item` of a participant's rows, in a condition where it is asked per condition.
    row: its row from 1, without the header, where every row has a text of its own; 0 for the first row with an answer."""

    participant: str = Field(min_length=1, max_length=UNIT)
    condition: str = Field("", max_length=UNIT)
    row: int = Field(0, ge=0)
    item: str = Field(min_length=1, max_length=UNIT)


class Segment(Model):
    """A passage with a code. source: the text's name; start, end: characters of the cell from 0, end excluded; text: what stands
    there, word for word; coder: who coded it; memo: why."""

    source: str = Field(max_length=UNIT)
    start: int = Field(ge=0)
    end: int = Field(ge=1)
    text: str = Field(min_length=1, max_length=20_000)
    code: CodeName
    coder: str = Field(max_length=40)
    memo: str = Field("", max_length=600)


class Codings(Document):
    """codings.json. units: text's name -> where it stands in the data; every coder read all of them. segments: of all coders.
    decisions: on each code of a text that not all coders gave. not_coded: text's name -> why no coder was shown it."""

    codes: tuple[Code, ...] = Field(min_length=2, max_length=30)
    coders: tuple[str, ...] = Field(min_length=2)
    units: dict[str, TextUnit] = Field(min_length=1)
    segments: tuple[Segment, ...]
    decisions: tuple[Decision, ...] = ()
    not_coded: dict[str, str] = {}

    @model_validator(mode="after")
    def _fits(self) -> Codings:
        names = [code.name for code in self.codes]
        coded = [*(item.code for item in self.segments), *(item.code for item in self.decisions)]
        for what, known, given in (
            ("the code book has no", {*names}, coded),
            ("there is no coder", {*self.coders}, [item.coder for item in self.segments]),
            (
                "no text was coded with the name",
                {*self.units},
                [*(item.source for item in self.segments), *(item.unit for item in self.decisions)],
            ),
        ):
            if foreign := sorted({*given} - known):
                raise ValueError(f"{what} {', '.join(foreign[:5])}")
        if len({*names}) < len(names) or len({*self.coders}) < len(self.coders):
            raise ValueError("a code or a coder is there twice")
        return self


class Quotation(Model):
    """A passage as the paper shows it. start, end: characters of the cell; masks: what of the cell is not shown; shown: by code."""

    source: str = Field(max_length=UNIT)
    start: int = Field(ge=0)
    end: int = Field(ge=1)
    masks: tuple[tuple[int, int], ...] = ()
    shown: str = Field(min_length=1, max_length=1500)


class Theme(Model):
    """A theme: the codes it joins, and passages that stand in the data. texts, people: counted by code."""

    name: CodeName
    title: str = Field(min_length=3, max_length=80)
    meaning: str = Field(max_length=600)
    codes: tuple[CodeName, ...] = Field(min_length=1, max_length=30)
    quotations: tuple[Quotation, ...] = Field((), max_length=5)
    texts: int = Field(ge=0)
    people: int = Field(ge=0)


class Themes(Document):
    """themes.json. left_out: what of the agent's last answer does not stand in the data and was left out by code."""

    themes: tuple[Theme, ...] = Field(max_length=12)
    left_out: tuple[str, ...] = ()
