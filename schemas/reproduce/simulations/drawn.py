"""Dimensions as a figure's drawing shows them, to be held against what the paper says in words."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model

DrawnBy = Literal["label", "scale_bar", "proportion"]
# Percent. A label is a number as good as the text's; what is measured in a drawing is as good as its lines.
DRAWN_ERROR: dict[DrawnBy, float] = {"label": 0.1, "scale_bar": 10.0, "proportion": 10.0}


class _Dimension(Model):
    """One dimension read from a drawing. It is compared with the words, and never simulated."""

    of: str = Field(
        min_length=2,
        max_length=80,
        description="what it is, as the text calls it ('grating period'), or the name "
        "of an extracted parameter",
    )
    value: float = Field(gt=0, allow_inf_nan=False)
    unit: str = Field("", max_length=16, description="'' for dimensionless")
    read: DrawnBy = Field(description="a printed label, the scale bar, or proportion to a stated dimension")

    @property
    def allowed(self) -> float:
        """The share by which a stated value may differ and still be the same."""
        return DRAWN_ERROR[self.read] / 100


class Drawn(_Dimension):
    """The same as whoever prepared the paper's folder read it, who may say how well."""

    error_percent: float = Field(
        0.0, ge=0, le=100, description="how well it can be read; 0: 0.1 of a label, else 10"
    )

    @property
    def allowed(self) -> float:
        """The share by which a stated value may differ and still be the same."""
        return self.error_percent / 100 or super().allowed


class DrawnInFigure(_Dimension):
    """The same as the planner read it in a figure. How well that can be is code's to say: a wide error of the planner's own
    would silence what it read."""

    figure_id: Identifier
