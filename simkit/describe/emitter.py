"""A point dipole near bodies: how much faster than in the background alone it radiates or loses energy, and where to."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator

from simkit.describe.base import Point
from simkit.describe.light import Band
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene
from simkit.describe.shapes import Shape


class Emitter(Scene):
    """A point dipole along `orientation` at `position`, near bodies (mirrors, films as half-infinite blocks) in `background`.

    2D: a line of dipoles, nothing changes along z.
    """

    type: Literal["emitter"] = "emitter"
    dimensions: Literal["2D", "3D"]
    bodies: tuple[Shape, ...] = ()
    background: AnyMedium
    position: Point
    orientation: Literal["x", "y", "z"]
    band: Band

    @model_validator(mode="after")
    def _fits(self) -> Emitter:
        if isinstance(self.background, PerfectConductor):
            raise ValueError("a dipole cannot radiate inside a perfect conductor")
        return self


class PurcellFactor(Quantity):
    """Power of the dipole over its power in the background alone (local density of states), absorption included.

    The band is one Line.
    """

    type: Literal["purcell_factor"] = "purcell_factor"
    of_scene: ClassVar[str] = "emitter"


class PurcellSpectrum(Quantity):
    """The Purcell factor over the band."""

    type: Literal["purcell_spectrum"] = "purcell_spectrum"
    of_scene: ClassVar[str] = "emitter"
    curve: ClassVar[bool] = True


class RadiationPattern(Quantity):
    """Power radiated far away per angle, over the angle from the axis `zero` in the plane of `zero` and `towards` (0 to 360
    degrees). over: 'maximum', or 'isotropic' (power of the dipole in the background alone, spread over all directions).

    Bodies are finite, but for one half-infinite ideal mirror. The band is one Line.
    """

    type: Literal["radiation_pattern"] = "radiation_pattern"
    of_scene: ClassVar[str] = "emitter"
    curve: ClassVar[bool] = True
    needs_line: ClassVar[bool] = True
    zero: Literal["x", "y", "z"]
    towards: Literal["x", "y", "z"]
    over: Literal["maximum", "isotropic"] = "maximum"

    @model_validator(mode="after")
    def _plane(self) -> RadiationPattern:
        if self.zero == self.towards:
            raise ValueError(f"zero and towards span the pattern's plane; both are {self.zero!r}")
        return self


EmitterQuantity = PurcellFactor | PurcellSpectrum | RadiationPattern
__all__ = ["Emitter", "EmitterQuantity", "PurcellFactor", "PurcellSpectrum", "RadiationPattern"]
