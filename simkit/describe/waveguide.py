"""A guide along x, the same all along or periodic: its modes at one wavelength."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import INF, Length
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene, Spanned
from simkit.describe.shapes import Shape


class Waveguide(Scene):
    """Bodies along x, the direction of travel, in `background`, the same all along or with a `period`; their guided modes at a
    vacuum wavelength.

    2D: films along y, nothing changes along z. 3D: a cross-section in y and z. polarization: 'Ez' (E along z) or 'Hz'
    (H along z); in 3D the mode's main field, for cross-sections symmetric about z = 0 ('Hz' is quasi-TE, 'Ez' quasi-TM), or
    'all' with the modes counted together.
    period: of a guide that is periodic along x (corrugated, subwavelength grating); its bodies, of one period about the origin,
    may change along x. Mode n is band n, the n-th lowest frequency at each wave vector up to pi / period, without loss: below
    the light line of the cladding.
    Films of metal or absorbing media are taken in 2D alone, the same all along x: their modes lose power as they travel, and are
    bound ones whose loss over a wavelength is less than their phase.
    supercell: length along y of one copy of a guide in a photonic crystal, whose bodies fill it, bands of the rows included;
    without it free cladding ends the guide, and how much of it is the harness's.
    """

    type: Literal["waveguide"] = "waveguide"
    dimensions: Literal["2D", "3D"]
    bodies: tuple[Shape, ...] = Field(min_length=1)
    background: AnyMedium
    wavelength: Length
    polarization: Literal["Ez", "Hz", "all"]
    period: Length | None = None
    supercell: Length | None = None

    @model_validator(mode="after")
    def _fits(self) -> Waveguide:
        if self.dimensions == "2D" and self.polarization == "all":
            raise ValueError("in 2D the polarization is 'Ez' or 'Hz'")
        media = [body.body.medium if body.type == "repeat" else body.medium for body in self.bodies]
        if any(isinstance(medium, PerfectConductor) for medium in (*media, self.background)):
            raise ValueError("modes beside ideal metal are not computed")
        if self.supercell is not None and self.period is None:
            raise ValueError("a supercell is that of a periodic guide; give its period along x too")
        for body in self.bodies if self.period is None else ():
            shape = body.body if body.type == "repeat" else body
            along = (
                shape.x
                if shape.type == "block"
                else shape.bounds
                if shape.type in ("cylinder", "prism") and shape.axis == "x"
                else (0.0, 0.0)
            )
            if not (float(along[0]) <= -INF and float(along[1]) >= INF):
                raise ValueError(
                    f"body {shape.id} changes along x, the direction of travel; leave out its x, or turn its axis "
                    "along x without bounds; of a periodic guide give the period"
                )
        return self


class _OfGuide(Quantity):
    of_scene: ClassVar[str] = "waveguide"


class EffectiveIndex(_OfGuide):
    """Effective index of guided mode number `mode` (1 has the highest). A mode outside cladding to core is no guided one.
    Of a periodic guide the Bloch index, k wavelength / (2 pi) with 0 < k < pi / period.
    """

    type: Literal["effective_index"] = "effective_index"
    mode: int = Field(1, ge=1, le=50)


class GroupIndex(_OfGuide):
    """Group index of guided mode number `mode`, dispersion of confirmed materials included; of a periodic guide its magnitude."""

    type: Literal["group_index"] = "group_index"
    mode: int = Field(1, ge=1, le=50)


class BeatLength(_OfGuide):
    """Length over which all light goes from one guide to the other: wavelength / (2 (n_first - n_second))."""

    type: Literal["beat_length"] = "beat_length"
    power: ClassVar[int] = 1
    first: int = Field(1, ge=1, le=50)
    second: int = Field(2, ge=1, le=50)

    @model_validator(mode="after")
    def _two(self) -> BeatLength:
        if self.first >= self.second:
            raise ValueError("first comes before second: mode 1 has the highest effective index")
        return self


class PropagationLength(_OfGuide):
    """Length over which the power of guided mode number `mode` falls to 1/e, by absorption in its films: wavelength / (4 pi Im n).
    Of a surface plasmon too. 2D; twice as long for the field.
    """

    type: Literal["propagation_length"] = "propagation_length"
    power: ClassVar[int] = 1
    mode: int = Field(1, ge=1, le=50)


class Attenuation(_OfGuide):
    """What the power of guided mode number `mode` loses per length, by absorption in its films, in dB per length. 2D."""

    type: Literal["attenuation"] = "attenuation"
    power: ClassVar[int] = -1
    mode: int = Field(1, ge=1, le=50)


class GuidedProfile(_OfGuide, Spanned):
    """Magnitude of a field of guided mode number `mode` from `start` to `end` (views), over its largest value between them:
    apart along y or z a line, curve over the position from `origin` towards `end`; along both a map.
    component: 'E' for the whole electric field.
    """

    type: Literal["guided_profile"] = "guided_profile"
    view: ClassVar[bool] = True
    curve: ClassVar[bool] = True
    mode: int = Field(1, ge=1, le=50)
    component: Literal["E", "Ex", "Ey", "Ez", "Hx", "Hy", "Hz"] = "E"


WaveguideQuantity = EffectiveIndex | GroupIndex | BeatLength | PropagationLength | Attenuation | GuidedProfile
__all__ = [
    "Attenuation",
    "BeatLength",
    "EffectiveIndex",
    "GroupIndex",
    "GuidedProfile",
    "PropagationLength",
    "Waveguide",
    "WaveguideQuantity",
]
