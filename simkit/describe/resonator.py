"""Bodies in a homogeneous background whose own resonances are looked for: frequency, Q, profile and volume of a mode."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Described, Length, Time, Wavenumber
from simkit.describe.light import Frequencies, Wavelengths
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene, Spanned
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
    not periodic, or that blocks of ideal metal (PerfectConductor) close from end to end: cavities and guides between metal.

    2D: nothing changes along z; field 'Ez' (E along z) or 'Hz' (H along z); with m (azimuthal order) only modes exp(i m phi)
    of circular bodies about the origin, as in field='Ez', m=3. 3D and cylindrical: field 'all'. cylindrical: bodies of
    revolution about the z axis, modes exp(i m phi); x is r; of a disk symmetric about z = 0, parity_z 'odd' has Ez there,
    'even' Hz.
    """

    type: Literal["resonator"] = "resonator"
    dimensions: Literal["2D", "3D", "cylindrical"]
    bodies: tuple[Shape, ...] = Field(min_length=1)
    background: AnyMedium
    field: Literal["Ez", "Hz", "all"] = "all"
    periodic: tuple[Periodic, ...] = ()
    m: int | None = Field(None, ge=0, le=200, description="azimuthal order")
    search: Search

    @model_validator(mode="after")
    def _fits(self) -> Resonator:
        if (self.dimensions == "2D") == (self.field == "all"):
            raise ValueError(
                "in 2D field is 'Ez' or 'Hz'"
                if self.dimensions == "2D"
                else f"in {self.dimensions} field is 'all'"
            )
        if self.m is not None and self.dimensions == "3D":
            raise ValueError(
                "m is the azimuthal order of a cylindrical resonator or of a circular one in 2D; here "
                "dimensions = '3D'"
            )
        if self.m is not None and self.dimensions == "2D":
            if self.periodic:
                raise ValueError("a resonator with azimuthal order m is open on all sides")
            for body in self.bodies:
                if not is_round(body):
                    shape = body.body if body.type == "repeat" else body
                    raise ValueError(
                        f"body {shape.id} is no circle about the origin, so modes have no azimuthal order; leave "
                        "out m"
                    )
        axes = [part.axis for part in self.periodic]
        open_axes = {"2D": "xy", "3D": "xyz", "cylindrical": "z"}[self.dimensions]
        if len(set(axes)) < len(axes) or not set(axes) <= set(open_axes):
            raise ValueError(f"periodic along {', '.join(axes)}: allowed, each once: {', '.join(open_axes)}")
        if isinstance(self.background, PerfectConductor):
            raise ValueError(
                "light cannot travel in a perfect conductor; draw the metal as a body around the cavity"
            )
        return self


def is_round(body: Any) -> bool:
    """Whether a body is a circle about the origin in the plane z = 0."""
    if body.type not in ("ring", "cylinder") or (body.type == "cylinder" and body.axis != "z"):
        return False
    return not any(abs(float(c)) > 1e-9 for c in body.center[:2])


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


class LineWidth(_OfMode):
    """Full width at half maximum of a mode's line, as a vacuum wavelength or a frequency: either over its Q."""

    type: Literal["line_width"] = "line_width"
    over: Literal["wavelength", "frequency"] = "wavelength"

    @property
    def power(self) -> int:  # type: ignore[override]
        """Of length of its value."""
        return 1 if self.over == "wavelength" else -1

    def of(self, frequency: float, quality: float) -> float:
        """The width of a line at that frequency with that Q."""
        return 1 / (frequency * quality) if self.over == "wavelength" else frequency / quality


class ModeProfile(_OfMode, Spanned):
    """Magnitude of a field of a mode from `start` to `end` (views), over its largest value between them: apart along one axis a
    line, curve over the position from `origin` towards `end`; along two axes corners of a rectangle, a map over both.

    component: 'E' for the whole electric field; cylindrical: x is radial, y azimuthal. Without parity or m a mode of a
    circular body has a radial profile only: take a line through its centre.
    """

    type: Literal["mode_profile"] = "mode_profile"
    view: ClassVar[bool] = True
    curve: ClassVar[bool] = True
    component: Literal["E", "Ex", "Ey", "Ez", "Hx", "Hy", "Hz"] = "E"


class ModePattern(_OfMode):
    """Power that a mode radiates far away per angle, over its maximum, over the angle from the axis `zero` in the plane of
    `zero` and `towards` (0 to 360 degrees). cylindrical: of the rotating wave exp(i m phi), zero is 'z'.

    Bodies are finite in a background without loss, nothing is periodic. Not with m in 2D: there it is the same to all sides.
    """

    type: Literal["mode_pattern"] = "mode_pattern"
    curve: ClassVar[bool] = True
    zero: Literal["x", "y", "z"]
    towards: Literal["x", "y", "z"]

    @model_validator(mode="after")
    def _plane(self) -> ModePattern:
        if self.zero == self.towards:
            raise ValueError(f"zero and towards span the pattern's plane; both are {self.zero!r}")
        return self


class ModeVolume(_OfMode):
    """Integral of epsilon |E|^2 of a mode over its largest value; in 2D an area; with m of the rotating wave exp(i m phi).

    Integrated over the bodies and half a wavelength around them (periodic: one period). per: 'wavelength' (cubed, in 2D
    squared, in vacuum) or 'medium' (the wavelength in the medium at the largest value) for a pure number.
    """

    type: Literal["mode_volume"] = "mode_volume"
    per: Literal["length", "wavelength", "medium"] = "length"


class RingDown(_OfMode):
    """A mode's decay over time, length/c (declare it in fs): from 0, when it rings alone, to `duration` (a view). 'energy'
    and 'envelope' (of the field) are 1 at 0, 'field' is the envelope times a cosine.
    """

    type: Literal["ring_down"] = "ring_down"
    view: ClassVar[bool] = True
    curve: ClassVar[bool] = True
    duration: Time
    what: Literal["energy", "envelope", "field"] = "energy"


class DecayTime(_OfMode):
    """Time in which a mode's energy falls to 1/e (the field's takes twice as long), length/c, from its ring-down."""

    type: Literal["decay_time"] = "decay_time"
    power: ClassVar[int] = 1


ResonatorQuantity = (
    ResonanceFrequency
    | QualityFactor
    | LineWidth
    | ModeProfile
    | ModePattern
    | ModeVolume
    | RingDown
    | DecayTime
)
__all__ = [
    "DecayTime",
    "LineWidth",
    "ModePattern",
    "ModeProfile",
    "ModeVolume",
    "Periodic",
    "QualityFactor",
    "ResonanceFrequency",
    "Resonator",
    "ResonatorQuantity",
    "RingDown",
]
