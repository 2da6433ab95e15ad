"""What the page for mending a figure saves: axes by marks, curves by places. It comes from a file, so that all of it is checked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Model

FORM = "mended-figure/1"
MAX_POINTS = 200_000
What = Literal["", "theory", "experiment"]
_Place = Annotated[float, Field(ge=-100, le=20_000, allow_inf_nan=False)]
_Off = Annotated[float, Field(ge=0, le=5_000, allow_inf_nan=False)]
_Value = Annotated[float, Field(ge=-1e100, le=1e100, allow_inf_nan=False)]


class MendedAxis(Model):
    """An axis: marks as (place in pixels, value there). name, unit: of its column."""

    kind: Literal["linear", "logarithmic"]
    name: str = Field("", max_length=60)
    unit: str = Field("", max_length=20)
    marks: tuple[tuple[_Place, _Value], ...] = Field(min_length=2, max_length=60)


class SeenAxis(Model):
    """An axis as it was found on the picture that is mended: the panel's number there, and among those offered (0: it is not).

    ends: places of the frame's left and right, or lower and upper, end; ticks: places between; marks: as of `MendedAxis`.
    kind: empty without a scale, then refused says why. not_compared: why its labels were not held against the rendered page.
    """

    panel: int = Field(ge=1)
    offered: int = Field(0, ge=0)
    axis: Literal["x", "y"]
    name: str = ""
    unit: str = ""
    kind: Literal["", "linear", "logarithmic"] = ""
    refused: str = ""
    not_compared: str = Field("", max_length=200)
    ends: tuple[float, float]
    ticks: tuple[float, ...] = ()
    marks: tuple[tuple[float, float], ...] = ()


class MendedCurve(Model):
    """A curve: parts of places as (x, y, error of x, error of y), pixels of the picture from its upper left corner.

    what: theory or experiment, as an AI read the figure's words and a person took it; empty where nobody said it.
    bars: of each point where its error bars end, as (left, right, top, bottom); its own place where it has none. Empty without.
    """

    name: str = Field("", max_length=200)
    kind: Literal["line", "points"] = "line"
    what: What = ""
    parts: tuple[tuple[tuple[_Place, _Place, _Off, _Off], ...], ...] = Field(min_length=1, max_length=5_000)
    bars: tuple[tuple[_Place, _Place, _Place, _Place], ...] = Field((), max_length=MAX_POINTS)

    @model_validator(mode="after")
    def _bars_fit(self) -> MendedCurve:
        if self.bars and len(self.bars) != sum(map(len, self.parts)):
            raise ValueError("error bars of other points")
        return self


class MendedMap(Model):
    """A map: points of (x, y, value, its error), places as of curves; off: how far they may be off. name, unit: of its values' column."""

    name: str = Field("", max_length=60)
    unit: str = Field("", max_length=20)
    off: _Off = 0.0
    points: tuple[
        tuple[_Place, _Place, _Value, Annotated[float, Field(ge=0, le=1e100, allow_inf_nan=False)]], ...
    ] = Field(min_length=1, max_length=50_000)


class MendedPanel(Model):
    """A panel with its axes, its curves and its maps, of which there is one at least."""

    frame: tuple[_Place, _Place, _Place, _Place]
    x: MendedAxis
    y: MendedAxis
    curves: tuple[MendedCurve, ...] = Field((), max_length=50)
    maps: tuple[MendedMap, ...] = Field((), max_length=4)

    @model_validator(mode="after")
    def _something(self) -> MendedPanel:
        if not self.curves and not self.maps:
            raise ValueError("a panel without a curve")
        return self


class Mended(Model):
    """A figure as a person left it. picture: digest of the picture it was mended on."""

    form: Literal["mended-figure/1"]
    picture: str = Field(pattern=r"^[0-9a-f]{64}$")
    panels: tuple[MendedPanel, ...] = Field(min_length=1, max_length=60)

    @model_validator(mode="after")
    def _bounded(self) -> Mended:
        count = sum(len(part) for panel in self.panels for curve in panel.curves for part in curve.parts)
        count += sum(len(found.points) for panel in self.panels for found in panel.maps)
        if not 1 <= count <= MAX_POINTS:
            raise ValueError(f"{count} points; 1 to {MAX_POINTS} are taken")
        return self
