"""What was read off a drawn figure: panels with their axes and curves, each with its error or the reason why it was not read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model

Side = Literal["bottom", "top", "left", "right"]
ScaleKind = Literal["linear", "logarithmic"]
Box = tuple[float, float, float, float]


class ReadScale(Model):
    """How places become values: value (its decimal logarithm on a logarithmic axis) = slope * place + intercept.

    Places are points on the page, from its lower left corner. residual: the largest distance of a labelled tick from where its
    label's value belongs, in points.
    """

    kind: ScaleKind
    slope: float
    intercept: float
    residual: float = Field(ge=0)


class ReadAxis(Model):
    """An axis: its labels as (words, value, place of the tick), title and scale; refused: why it has no scale."""

    side: Side
    title: str = Field(
        "", max_length=400, description="the words beside it, as printed; a factor in them is not applied"
    )
    labels: tuple[tuple[str, float, float], ...] = ()
    scale: ReadScale | None = None
    reversed: bool = False
    factor: float = Field(1.0, description="factor printed at the axis' end, applied to the labels")
    refused: str = Field("", max_length=600)
    not_compared: str = Field(
        "", max_length=200, description="why its labels were not recognised in the rendered page and compared"
    )


class ReadCurve(Model):
    """A curve: how it is drawn, what the legend calls it, its file of numbers, and the largest errors of its points.

    x_error, y_error: absolute, in the axes' units; *_percent: relative, where the axis is logarithmic (then the absolute one is 0).
    """

    name: str = Field("", max_length=200, description="the legend's words, empty where none is tied to it")
    kind: Literal["line", "points"]
    colour: str = Field(pattern=r"^#[0-9a-f]{6}$")
    width: float = Field(ge=0, description="points: of the line, of a marker's side")
    dash: tuple[float, ...] = ()
    marker: str = ""
    y_axis: Side = "left"
    points: int = Field(ge=0)
    gaps: int = Field(0, ge=0, description="stretches that are cut or hidden; nothing is invented there")
    bars: Literal["", "x", "y", "xy"] = Field("", description="along which axes its points have error bars")
    file: str = Field("", pattern=r"^([a-z0-9-]{1,60}\.csv)?$")
    x_error: float = Field(0.0, ge=0)
    y_error: float = Field(0.0, ge=0)
    x_error_percent: float = Field(0.0, ge=0)
    y_error_percent: float = Field(0.0, ge=0)


class ReadMap(Model):
    """A map: its values by colour, its file of x, y, value and error, and the errors that 95 % of its points keep.

    value_error: in the unit of the colour bar. known: the part of its points whose colour told a value.
    """

    name: str = Field("", max_length=400, description="the words beside its colour bar")
    kind: ScaleKind
    columns: int = Field(ge=1)
    rows: int = Field(ge=1)
    known: float = Field(ge=0, le=1)
    x_error: float = Field(ge=0)
    y_error: float = Field(ge=0)
    value_error: float = Field(ge=0)
    file: str = Field(pattern=r"^[a-z0-9-]{1,60}\.csv$")


class ReadPanel(Model):
    """A frame with its axes and curves. refused: why no curve of it is read. not_read: what else stands in it, with the reason."""

    panel: int = Field(ge=1)
    frame: Box
    figure: str = Field("", max_length=200, description="the caption that it belongs to, its first words")
    axes: tuple[ReadAxis, ...] = ()
    curves: tuple[ReadCurve, ...] = ()
    maps: tuple[ReadMap, ...] = ()
    refused: str = Field("", max_length=1000)
    not_read: tuple[str, ...] = ()


class ReadFigures(Model):
    """All panels of a page. refused: why there are none."""

    source: str
    page: int
    panels: tuple[ReadPanel, ...] = ()
    refused: str = Field("", max_length=1000)
