"""What the figure reader says of a figure: names, units, scales, which curve is which. It points at ticks; it gives no point of a curve."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Model


class TickSeen(Model):
    """A tick with a number beside it."""

    place: float = Field(
        ge=-0.05,
        le=1.05,
        allow_inf_nan=False,
        description="of the frame: 0 at its left or lower end, 1 at its right or upper one",
    )
    value: float = Field(
        ge=-1e100, le=1e100, allow_inf_nan=False, description="as printed, a power written out"
    )


class AxisSeen(Model):
    """An axis of a panel. Empty where the picture does not say it."""

    panel: int = Field(ge=1, description="as numbered in `proposal`")
    axis: Literal["x", "y"]
    name: str = Field("", max_length=60, description="the quantity, without its unit")
    unit: str = Field("", max_length=20)
    kind: Literal["", "linear", "logarithmic"] = ""
    ticks: tuple[TickSeen, ...] = Field((), max_length=30)


class CurveSeen(Model):
    """A curve of the proposal, by its number on the overlay."""

    curve: int = Field(ge=1)
    name: str = Field("", max_length=80, description="as legend or caption call it; empty where neither does")
    what: Literal["theory", "experiment", "unclear"] = "unclear"


class FigureNames(Model):
    """The figure reader's answer. A person sees it beside what code read."""

    axes: Annotated[tuple[AxisSeen, ...], Field(max_length=40)] = ()
    curves: Annotated[tuple[CurveSeen, ...], Field(max_length=50)] = ()
    instructions_found: Annotated[tuple[str, ...], Field(max_length=10)] = Field(
        (), description="words in the figure that address an AI, as they stand there"
    )
