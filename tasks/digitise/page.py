"""A page's drawing, read in the sandbox and checked: strokes, fills and words as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from schemas.base import Model
from schemas.reading.beneath import read_below
from tasks.digitise.labels import Word, slanted, words_of
from tasks.documents.pdf import check_size, read_in_sandbox, refuse
from tasks.sandbox import Limits, scratch

LIMITS = Limits(
    wall_s=300, cpu_s=40, memory_mb=1500, processes=16, file_mb=60, disk_mb=200, files=20, output_mb=1
)
_Number = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]
_Byte = Annotated[int, Field(ge=0, le=255)]
_Colour = tuple[_Byte, _Byte, _Byte, _Byte]
Box = tuple[_Number, _Number, _Number, _Number]
_Letter = tuple[
    Annotated[str, Field(max_length=4)],
    _Number, _Number, _Number, _Number, _Number, _Number, _Number, _Number, _Byte, _Byte, _Byte,
]  # fmt: skip


class _Run(Model):
    closed: bool
    xy: tuple[_Number, ...]


class _Path(Model):
    stroke: _Colour | None
    fill: _Colour | None
    width: float = Field(ge=0, le=1e5, allow_inf_nan=False)
    dash: tuple[_Number, ...] = Field(max_length=32)
    clip: Box | None
    runs: tuple[_Run, ...]


class _Figure(Model):
    caption: str = Field(max_length=4000)
    box: Box | None


class _Page(Model):
    """What the program in the sandbox wrote; it read a hostile file, so that it is checked like one."""

    error: str = ""
    detail: str = ""
    pages: int = 0
    corner: tuple[_Number, _Number] = (0.0, 0.0)
    size: tuple[_Number, _Number] = (0.0, 0.0)
    scale: float = Field(1.0, gt=0, le=10, allow_inf_nan=False)
    paths: tuple[_Path, ...] = Field((), max_length=60_000)
    pictures: tuple[Box, ...] = Field((), max_length=60_000)
    letters: tuple[_Letter, ...] = Field((), max_length=20_000)
    figures: tuple[_Figure, ...] = Field((), max_length=50)


@dataclass
class Stroke:
    """A drawn path. runs: its connected lines, (n, 2) points on the page; closed: which return to their start.

    order: its place in the order of drawing; colours are red, green, blue, alpha; clip: the box it is cut to.
    """

    order: int
    runs: list[NDArray[np.float64]]
    closed: list[bool]
    stroke: tuple[int, int, int, int] | None
    fill: tuple[int, int, int, int] | None
    width: float
    dash: tuple[float, ...]
    clip: Box | None
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        low = np.min([run.min(0) for run in self.runs], axis=0)
        high = np.max([run.max(0) for run in self.runs], axis=0)
        self.box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    @property
    def seen(self) -> tuple[float, float, float, float]:
        """The part of its box that its clip leaves."""
        if self.clip is None:
            return self.box
        x0, y0 = max(self.box[0], self.clip[0]), max(self.box[1], self.clip[1])
        return x0, y0, max(x0, min(self.box[2], self.clip[2])), max(y0, min(self.box[3], self.clip[3]))

    @property
    def visible(self) -> bool:
        """Whether its clip leaves anything of it."""
        c, b = self.clip, self.box
        return c is None or (b[0] <= c[2] and b[2] >= c[0] and b[1] <= c[3] and b[3] >= c[1])

    @property
    def style(self) -> tuple[object, ...]:
        """What tells it from other lines: colour, width, dash."""
        return self.stroke, round(self.width, 2), tuple(round(length, 1) for length in self.dash)


@dataclass
class Page:
    """A page as drawn. picture: it rendered, as PNG; scale: its pixels a point; corner: the page's lower left corner, points.

    slanted: where digits stand that are turned and not read.
    """

    number: int
    size: tuple[float, float]
    corner: tuple[float, float]
    scale: float
    strokes: list[Stroke]
    pictures: list[Box]
    words: list[Word]
    picture: bytes = b""
    figures: list[tuple[str, Box | None]] = field(default_factory=list)
    slanted: list[tuple[float, float]] = field(default_factory=list)


def read_page(path: Path, number: int) -> Page:
    """A page of a PDF. Raises InputError for damaged, encrypted, turned and overfull pages, PrerequisiteError without pypdfium2."""
    check_size(path)
    with scratch("reprolab-drawing-") as root:
        found = read_in_sandbox(path, root, "pdf_reader.drawing", str(number), LIMITS, _Page)
        refuse(path, found.error, found.detail)
        picture = read_below(root / "work", "page.png", LIMITS.file_mb << 20)
    strokes = [
        stroke for order, entry in enumerate(found.paths) if (stroke := _stroke(order, entry)) is not None
    ]
    bars = [  # what may be minus signs: ticks are stroked, or have no area
        s.box
        for s in strokes
        if s.fill is not None
        and s.stroke is None
        and min(map(len, s.runs)) >= 4
        and min(s.box[2] - s.box[0], s.box[3] - s.box[1]) < 3
        and 1 < max(s.box[2] - s.box[0], s.box[3] - s.box[1]) < 20
    ]
    return Page(
        number,
        found.size,
        found.corner,
        found.scale,
        strokes,
        list(found.pictures),
        words_of(found.letters, bars[:2000]),
        picture,
        [(figure.caption, figure.box) for figure in found.figures],
        slanted(found.letters),
    )


def _stroke(order: int, entry: _Path) -> Stroke | None:
    runs, closed = [], []
    for run in entry.runs:
        points = np.array(run.xy, float)
        points = points[: len(points) // 2 * 2].reshape(-1, 2)
        if len(points) > 1:
            points = points[np.concatenate([[True], np.abs(np.diff(points, axis=0)).max(1) > 1e-6])]
        if len(points) > 1:
            runs.append(points)
            closed.append(run.closed)
    if not runs:
        return None
    return Stroke(order, runs, closed, entry.stroke, entry.fill, entry.width, entry.dash, entry.clip)
