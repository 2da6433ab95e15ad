"""Bodies in a homogeneous background whose own resonances are looked for: frequency and quality factor."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Described, Length, Wavenumber
from simkit.describe.light import Frequencies, Wavelengths
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene
from simkit.describe.shapes import Shape

Search = Annotated[Wavelengths | Frequencies, Field(discriminator="type")]
Parity = Literal["even", "odd"]


class Periodic(Described):
    """The scene goes on periodically along `axis` with Bloch wavenumber `k` (1/length: 1 / wavelength along it).

    Without a period nothing changes along the axis, as for a surface wave of plane films.
    """

    axis: Literal["x", "y", "z"]
    period: Length | None = None
    k: Wavenumber = 0


class Resonator(Scene):
    """Bodies in `background`; their modes in the band `search` (a view) are found by ring-down, open on all sides that are
    not periodic.

    2D: nothing changes along z; field 'Ez' (E along z) or 'Hz' (H along z). 3D and cylindrical: field 'all'. cylindrical:
    bodies of revolution about the z axis through the origin, fields proportional to exp(i m phi).
    """

    type: Literal["resonator"] = "resonator"
    dimensions: Literal["2D", "3D", "cylindrical"]
    bodies: tuple[Shape, ...] = Field(min_length=1)
    background: AnyMedium
    field: Literal["Ez", "Hz", "all"] = "all"
    periodic: tuple[Periodic, ...] = ()
    m: int = Field(0, ge=0, le=200, description="azimuthal order, of cylindrical ones only")
    search: Search

    @model_validator(mode="after")
    def _fits(self) -> Resonator:
        if (self.dimensions == "2D") == (self.field == "all"):
            raise ValueError("in 2D field is 'Ez' or 'Hz'"
                             if self.dimensions == "2D" else f"in {self.dimensions} field is 'all'")
        if self.m and self.dimensions != "cylindrical":
            raise ValueError("m is the azimuthal order of a cylindrical resonator; here dimensions = "
                             f"{self.dimensions!r}")
        axes = [part.axis for part in self.periodic]
        open_axes = {"2D": "xy", "3D": "xyz", "cylindrical": "z"}[self.dimensions]
        if len(set(axes)) < len(axes) or not set(axes) <= set(open_axes):
            raise ValueError(f"periodic along {', '.join(axes)}: allowed, each once: {', '.join(open_axes)}")
        if isinstance(self.background, PerfectConductor):
            raise ValueError("light cannot travel in a perfect conductor; draw the metal as a body around the cavity")
        return self


class _OfMode(Quantity):
    of_scene: ClassVar[str] = "resonator"
    within: Search | None = Field(None, description="a narrower band to look in (a view)")
    choose: Literal["only", "strongest", "nearest", "highest_q"] = "only"
    parity_x: Parity | None = None
    parity_y: Parity | None = None
    parity_z: Parity | None = None

    def parities(self) -> tuple[Parity | None, Parity | None, Parity | None]:
        """Along x, y, z."""
        return self.parity_x, self.parity_y, self.parity_z


class ResonanceFrequency(_OfMode):
    """Frequency of a mode. choose: the only mode in the band (several are refused), the strongest, the one nearest to the
    band's middle, or the one of highest Q.

    parity_x: of the electric field about the plane x = 0 (even: Ey and Ez are even in x, Ex odd; of 'Hz' fields even is then
    Hz odd), which the bodies must be symmetric about. Modes of Q below 5 are no modes here; degenerate ones count once.
    Refused: no mode, several modes, a mode that a second probe does not see.
    """

    type: Literal["resonance_frequency"] = "resonance_frequency"
    power: ClassVar[int] = -1


class QualityFactor(_OfMode):
    """Q = frequency / (-2 Im frequency) of a mode, chosen as in ResonanceFrequency. A mode without loss has none."""

    type: Literal["quality_factor"] = "quality_factor"


ResonatorQuantity = ResonanceFrequency | QualityFactor
__all__ = ["Periodic", "QualityFactor", "ResonanceFrequency", "Resonator", "ResonatorQuantity"]
