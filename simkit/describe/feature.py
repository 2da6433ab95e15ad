"""A feature of a curve as a number, so that it can be swept: the commonest figure of all."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from simkit.describe.measured import Made

ON_X = ("position", "width")


class Feature(Made):
    """A number of the curve `of` the same scene at each point of a `Sweep`: where its highest maximum (lowest minimum) in the
    band lies, that one's height, width at half height, position over width; or gives='mean' of the curve over the band. `number`
    takes another extremum than the highest. A target reads the features of a curve itself: without a sweep none is described. Of
    a spectrum position and width are vacuum wavelengths, or over='frequency', and extrema are counted along it.
    """

    type: Literal["feature"] = "feature"
    of: str = Field(description="id of the curve")
    gives: Literal["position", "value", "prominence", "width", "quality_factor", "mean"] = "position"
    extremum: Literal["maximum", "minimum"] = "maximum"
    number: int = Field(
        0, ge=-50, le=50, description="n-th along ascending x; -1: the last; 0: the highest or deepest"
    )
    over: Literal["wavelength", "frequency"] = "wavelength"

    @property
    def parts(self) -> tuple[str, ...]:
        """The quantity that it is read from."""
        return (self.of,)

    @property
    def words(self) -> str:
        """What it is, in words: "position of the maximum of R", "width of minimum 2 of T"."""
        if self.gives == "mean":
            return f"mean of {self.of}"
        which = f"the {self.extremum}" if not self.number else f"{self.extremum} {self.number}"
        return f"{self.gives.replace('_', ' ')} of {which} of {self.of}"

    @model_validator(mode="after")
    def _mean_of_all(self) -> Feature:
        if self.gives == "mean" and (self.number or self.extremum != "maximum"):
            raise ValueError("gives='mean' is of the whole curve and takes no extremum and no number")
        return self
