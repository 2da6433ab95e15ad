"""Bands and incident light."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Described, Frequency, Length, ordered


class Wavelengths(Described):
    """A range of vacuum wavelengths to look at. A view: nothing physical depends on it; its sampling is the harness's."""

    view: ClassVar[bool] = True
    type: Literal["wavelengths"] = "wavelengths"
    shortest: Length
    longest: Length

    @model_validator(mode="after")
    def _order(self) -> Wavelengths:
        ordered((self.shortest, self.longest), "the band")
        return self

    def frequencies(self) -> tuple[float, float]:
        """Lowest and highest frequency of a resolved band, c/length."""
        return 1 / float(self.longest), 1 / float(self.shortest)


class Frequencies(Described):
    """A range of frequencies to look at, c/length. A view, like Wavelengths."""

    view: ClassVar[bool] = True
    type: Literal["frequencies"] = "frequencies"
    lowest: Frequency
    highest: Frequency

    @model_validator(mode="after")
    def _order(self) -> Frequencies:
        ordered((self.lowest, self.highest), "the band")
        return self

    def frequencies(self) -> tuple[float, float]:
        """Lowest and highest frequency of a resolved band, c/length."""
        return float(self.lowest), float(self.highest)


class Line(Described):
    """Light of one vacuum wavelength. Physical: where a body's answer is wanted."""

    type: Literal["line"] = "line"
    wavelength: Length

    def frequencies(self) -> tuple[float, float]:
        """Its frequency, twice."""
        return 1 / float(self.wavelength), 1 / float(self.wavelength)


Band = Annotated[Wavelengths | Frequencies | Line, Field(discriminator="type")]
