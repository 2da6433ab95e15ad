"""A feature of a curve as a number, so that it can be swept: the commonest figure of all."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from simkit.describe.measured import Made

ON_X = ("position", "width")


class Feature(Made):
    """A number of the curve `of` the same scene at each point of a `Sweep`: where its highest maximum (lowest minimum) in the
    band lies, that one's height, width at half height, position over width. A target reads the features of a curve itself: without a
    sweep none is described. Of a spectrum position and width are vacuum wavelengths, or over='frequency'.
    """

    type: Literal["feature"] = "feature"
    of: str = Field(description="id of the curve")
    gives: Literal["position", "value", "prominence", "width", "quality_factor"] = "position"
    extremum: Literal["maximum", "minimum"] = "maximum"
    over: Literal["wavelength", "frequency"] = "wavelength"

    @property
    def parts(self) -> tuple[str, ...]:
        """The quantity that it is read from."""
        return (self.of,)

    @property
    def words(self) -> str:
        """What it is, in words: "position of the maximum of R"."""
        return f"{self.gives.replace('_', ' ')} of the {self.extremum} of {self.of}"
