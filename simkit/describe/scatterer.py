"""Bodies in a homogeneous background, lit by a plane wave: cross-sections, fields around them, far field."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Angle, AnyNumber, Point
from simkit.describe.light import Band
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene, Spanned
from simkit.describe.shapes import Shape


class Scatterer(Scene):
    """Bodies in `background`, lit by a plane wave that travels along `direction` with its electric field along `polarization`.

    2D: everything is infinite along z; light travels along x or y. 3D: bodies are finite.
    """

    type: Literal["scatterer"] = "scatterer"
    dimensions: Literal["2D", "3D"]
    bodies: tuple[Shape, ...] = Field(min_length=1)
    background: AnyMedium
    direction: Literal["+x", "-x", "+y", "-y", "+z", "-z"] = "+x"
    polarization: Literal["x", "y", "z"]
    band: Band

    @model_validator(mode="after")
    def _fits(self) -> Scatterer:
        if self.direction[1] == self.polarization:
            raise ValueError(
                f"light along {self.direction[1]} cannot have its electric field along {self.polarization}"
            )
        if self.dimensions == "2D" and self.direction[1] == "z":
            raise ValueError(
                "in 2D light travels along x or y; z is the direction along which nothing changes"
            )
        if isinstance(self.background, PerfectConductor):
            raise ValueError("light cannot travel in a perfect conductor")
        return self


class CrossSection(Quantity):
    """Scattered, absorbed or extinguished power over the incident intensity, over the band.

    per: the geometric cross-section for an efficiency (2D: a length, such as the diameter; 3D: an area); without it the
    value is a length (2D) or an area (3D).
    """

    type: Literal["cross_section"] = "cross_section"
    of_scene: ClassVar[str] = "scatterer"
    curve: ClassVar[bool] = True
    process: Literal["scattering", "absorption", "extinction"]
    per: AnyNumber | None = None


class DifferentialCrossSection(Quantity):
    """Power scattered into one direction, per angle (2D) or solid angle (3D), over the incident intensity, over the band: a length,
    in 3D an area; over `per`, a number. angle: from the direction of light towards the axis `towards`; 0 is forward, pi backward.
    """

    type: Literal["differential_cross_section"] = "differential_cross_section"
    of_scene: ClassVar[str] = "scatterer"
    curve: ClassVar[bool] = True
    angle: Angle = 0
    towards: Literal["x", "y", "z"] = "y"
    per: AnyNumber | None = None


class NearField(Quantity, Spanned):
    """A field through the scene over the incident amplitude there. start and end apart along one axis: a line, curve over the
    position from `origin` towards `end`; along two axes: corners of a rectangle, a map over both.

    field: 'intensity' (|E|^2 over the incident one) or the magnitude of one component over the incident amplitude.
    The band is one Line.
    """

    type: Literal["near_field"] = "near_field"
    of_scene: ClassVar[str] = "scatterer"
    curve: ClassVar[bool] = True
    needs_line: ClassVar[bool] = True
    field: Literal["intensity", "Ex", "Ey", "Ez"] = "intensity"


class PointField(Quantity):
    """A field at the point `at` over the incident amplitude there, over the band; field as in NearField."""

    type: Literal["point_field"] = "point_field"
    of_scene: ClassVar[str] = "scatterer"
    curve: ClassVar[bool] = True
    field: Literal["intensity", "Ex", "Ey", "Ez"] = "intensity"
    at: Point


class FieldAlong(Quantity, Spanned):
    """A field outside the bodies, however far (a focus), over the incident amplitude, on any straight line from `start` to
    `end`: curve over the position from `origin` towards `end`. field as in NearField. The band is one Line.
    """

    type: Literal["field_along"] = "field_along"
    of_scene: ClassVar[str] = "scatterer"
    curve: ClassVar[bool] = True
    needs_line: ClassVar[bool] = True
    field: Literal["intensity", "Ex", "Ey", "Ez"] = "intensity"


class FarField(Quantity):
    """Scattered intensity far away over the angle from the direction of light (0 to 360 degrees, in the plane of direction and
    `towards`). over: its 'maximum', or the 'incident' intensity (differential cross-section: a length per angle, in 3D an area
    per solid angle). The band is one Line."""

    type: Literal["far_field"] = "far_field"
    of_scene: ClassVar[str] = "scatterer"
    curve: ClassVar[bool] = True
    needs_line: ClassVar[bool] = True
    towards: Literal["x", "y", "z"] = "y"
    over: Literal["maximum", "incident"] = "maximum"


ScattererQuantity = CrossSection | DifferentialCrossSection | NearField | PointField | FieldAlong | FarField
__all__ = [
    "CrossSection",
    "DifferentialCrossSection",
    "FarField",
    "FieldAlong",
    "NearField",
    "PointField",
    "Scatterer",
    "ScattererQuantity",
]
