"""What a model's code drew, as lists of numbers: read from the sandbox, so every field is checked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Model

Coordinate = Annotated[float, Field(allow_inf_nan=False, ge=-1e300, le=1e300)]
Coordinates = Annotated[tuple[Coordinate, ...], Field(max_length=2000)]
Words = Annotated[str, Field(max_length=120)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]


class AxisDrawn(Model):
    """One axis of a plot. ticks and tick_labels: only where the code chose words."""

    scale: Literal["linear", "log"]
    label: Words
    inverted: bool = False
    ticks: Coordinates = ()
    tick_labels: Annotated[tuple[Words, ...], Field(max_length=60)] = ()


class LineDrawn(Model):
    """Points, joined or not; across and upright: a line over the whole plot at y[0], at x[0]."""

    kind: Literal["line", "across", "upright"]
    x: Coordinates
    y: Coordinates
    color: Colour
    marker: str = Field(max_length=12)
    style: str = Field(max_length=12)
    width: Coordinate
    size: Coordinate
    label: Words = ""


class SegmentsDrawn(Model):
    """Error bars: from (x0, y0) to (x1, y1). whole: all parts were such."""

    x0: Coordinates
    y0: Coordinates
    x1: Coordinates
    y1: Coordinates
    color: Colour
    whole: bool


class BarDrawn(Model):
    """One bar: left lower corner and size."""

    x: Coordinate
    y: Coordinate
    width: Coordinate
    height: Coordinate
    color: Colour
    hatch: str = Field("", max_length=12)
    label: Words = ""


class AxesDrawn(Model):
    """One plot of a figure. x_categories, y_categories: set by the check, where positions stand for words or counts."""

    box: tuple[Coordinate, Coordinate, Coordinate, Coordinate]
    x_axis: AxisDrawn
    y_axis: AxisDrawn
    lines: Annotated[tuple[LineDrawn, ...], Field(max_length=200)] = ()
    segments: Annotated[tuple[SegmentsDrawn, ...], Field(max_length=200)] = ()
    bars: Annotated[tuple[BarDrawn, ...], Field(max_length=400)] = ()
    legend: bool = False
    other: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    x_categories: bool = False
    y_categories: bool = False


class Drawing(Model):
    """A whole figure."""

    axes: Annotated[tuple[AxesDrawn, ...], Field(min_length=1, max_length=6)]
    other: Annotated[tuple[str, ...], Field(max_length=100)] = ()
