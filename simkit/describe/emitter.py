"""A point dipole near bodies: how much faster than in the background alone it radiates or loses energy, and where to."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Angle, Point
from simkit.describe.light import Band
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene
from simkit.describe.shapes import Shape


class Emitter(Scene):
    """A point dipole along `orientation` at `position`, near bodies (mirrors, films as half-infinite blocks) in `background`.

    2D: a line of dipoles, nothing changes along z. orientation: 'isotropic' is the mean over all directions, in 3D.
    """

    type: Literal["emitter"] = "emitter"
    dimensions: Literal["2D", "3D"]
    bodies: tuple[Shape, ...] = ()
    background: AnyMedium
    position: Point
    orientation: Literal["x", "y", "z", "isotropic"]
    band: Band

    @model_validator(mode="after")
    def _fits(self) -> Emitter:
        if isinstance(self.background, PerfectConductor):
            raise ValueError("a dipole cannot radiate inside a perfect conductor")
        if self.orientation == "isotropic" and self.dimensions == "2D":
            raise ValueError(
                "a line of dipoles has one orientation; the mean over all directions is one of 3D"
            )
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

    Bodies are finite, but for one half-infinite ideal mirror; among films or on a substrate it is a HalfSpacePattern. The band is
    one Line.
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


class _IntoHalfSpace(Quantity):
    of_scene: ClassVar[str] = "emitter"
    needs_line: ClassVar[bool] = True
    side: Literal["-x", "+x", "-y", "+y", "-z", "+z"]


class HalfSpacePattern(_IntoHalfSpace):
    """Power radiated far away per solid angle into the half-space on `side` of plane films (a substrate, the medium above), over
    the angle from that side's normal in that half-space's own medium: -90 to 90 degrees, positive towards `towards`.

    over: 'maximum', or 'isotropic' (power of the dipole in the background alone, spread over all directions). polarization: 'p'
    (E in the plane of light and normal), 's' (E along the films), or both. Light beyond the critical angle is part of it. 3D; all
    bodies are blocks bounded along one axis, the half-space is without loss. The band is one Line.
    """

    type: Literal["half_space_pattern"] = "half_space_pattern"
    curve: ClassVar[bool] = True
    towards: Literal["x", "y", "z"]
    over: Literal["maximum", "isotropic"] = "maximum"
    polarization: Literal["all", "s", "p"] = "all"

    @model_validator(mode="after")
    def _along_films(self) -> HalfSpacePattern:
        if self.towards == self.side[1]:
            raise ValueError(
                f"towards is an axis along the films; {self.towards!r} is the normal of {self.side!r}"
            )
        return self


class ConeShare(_IntoHalfSpace):
    """Share of the dipole's power that goes far away into the half-space on `side` of plane films within angles `lowest` to `highest`
    (90 degrees without it) from its normal, all around it: collection efficiency (highest=asin(p.NA / p.n)), supercritical share
    (lowest=asin(p.n_above / p.n_below)), outcoupling.

    over: 'emitted' (all power the dipole loses, to guided waves and absorption too), 'radiated' (into both half-spaces), 'side'
    (into this half-space), 'alone' (the dipole's power in the background alone: no share, may exceed 1). As HalfSpacePattern.
    """

    type: Literal["cone_share"] = "cone_share"
    lowest: Angle = 0
    highest: Angle | None = Field(None, description="90 degrees without it")
    over: Literal["emitted", "radiated", "side", "alone"]

    @model_validator(mode="after")
    def _cone(self) -> ConeShare:
        low, high = float(self.lowest), math.pi / 2 if self.highest is None else float(self.highest)
        if not 0 <= low < high <= math.pi / 2 + 1e-9:
            raise ValueError(
                f"a cone is 0 <= lowest < highest <= 90 degrees; found {math.degrees(low):.4g} and {math.degrees(high):.4g}"
            )
        return self


class GuidedShare(Quantity):
    """Share of the dipole's power that goes into guided mode `mode` (1 has the highest index) of the films or the guide that run
    straight out of the scene on `sides`, all of them together: beta factor.

    over: 'emitted' (all power the dipole loses), 'alone' (the dipole's power in the background alone: the guided part of the Purcell
    factor, may exceed 1). 2D: modes of the dipole's polarization. 3D: a guide bounded across; modes that have the mirror planes
    which dipole and bodies share, both polarizations of a round or square guide as one. The band is one Line.
    """

    type: Literal["guided_share"] = "guided_share"
    of_scene: ClassVar[str] = "emitter"
    needs_line: ClassVar[bool] = True
    sides: tuple[Literal["-x", "+x", "-y", "+y", "-z", "+z"], ...] = Field(min_length=1)
    mode: int = Field(1, ge=1, le=20)
    over: Literal["emitted", "alone"] = "emitted"

    @model_validator(mode="after")
    def _one_guide(self) -> GuidedShare:
        if len(set(self.sides)) != len(self.sides) or len({side[1] for side in self.sides}) != 1:
            raise ValueError(
                f"sides are the ends of one straight guide, each once: ('-x', '+x'), or one of them; found {self.sides}"
            )
        return self


EmitterQuantity = (
    PurcellFactor | PurcellSpectrum | RadiationPattern | HalfSpacePattern | ConeShare | GuidedShare
)
__all__ = [
    "ConeShare",
    "Emitter",
    "EmitterQuantity",
    "GuidedShare",
    "HalfSpacePattern",
    "PurcellFactor",
    "PurcellSpectrum",
    "RadiationPattern",
]
