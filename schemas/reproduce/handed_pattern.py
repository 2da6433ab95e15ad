"""A file that draws a pattern, as whoever hands it in declares it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Model

MAX_BYTES = 20_000_000  # of a file that draws a pattern
PATTERN_NAME = r"^[a-zA-Z][a-zA-Z0-9_]{0,39}$"
LayerNumber = Annotated[int, Field(ge=0, le=65535)]


class PatternFile(Model):
    """A bitmap of 0 and 1 (CSV, or PNG of two colours, white is 1), or one layer of a GDSII file.

    A PNG is drawn as it is seen: x to the right, y upwards. Of a CSV each line is a step along `lines_along`, the first one lowest.
    """

    file: str = Field(max_length=1000, description="path inside the folder: .csv, .png, .gds")
    lines_along: Literal["x", "y"] = Field(
        "x", description="of a CSV: the axis that its lines follow each other along"
    )
    layer: LayerNumber = Field(0, description="of GDSII")
    datatype: LayerNumber = Field(0, description="of GDSII")
    cell: str = Field(
        "", max_length=200, description="of GDSII; without it the only cell that no other holds"
    )


class PaperPattern(PatternFile):
    """A pattern that came with the paper; descriptions name it."""

    name: str = Field(pattern=PATTERN_NAME)
    source: str = Field(
        min_length=5, max_length=20_000, description="where the file comes from, in words a reader can check"
    )
