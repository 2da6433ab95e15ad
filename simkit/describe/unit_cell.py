"""A periodic structure of layers between two half-spaces, lit by a plane wave: films, gratings, metasurfaces."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import INF, Angle, Coordinate, Described, Interval, Length, Positive, ordered
from simkit.describe.handed import Pattern
from simkit.describe.light import Band
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene, Spanned


class Bar(Described):
    """A bar through the whole layer, unbounded along y: the ridge of a grating. Where its sides slant, `x` are its edges at the
    layer's lower face and `top` those at the upper one; the same number twice makes a triangle."""

    type: Literal["bar"] = "bar"
    medium: AnyMedium
    x: Interval
    top: Interval | None = None

    @model_validator(mode="after")
    def _bounds(self) -> Bar:
        if self.top is None:
            ordered(self.x, "bar, x")
            return self
        for name, (low, high) in (("x", map(float, self.x)), ("top", map(float, self.top))):
            if low > high:
                raise ValueError(f"bar, {name} runs from {low:g} to {high:g}; the smaller end comes first")
        if float(self.x[0]) == float(self.x[1]) and float(self.top[0]) == float(self.top[1]):
            raise ValueError("bar: without a width at both faces of its layer it is nothing")
        return self


class Rectangle(Described):
    """A rectangular post or hole through the whole layer, turned by `rotation` about its centre."""

    type: Literal["rectangle"] = "rectangle"
    medium: AnyMedium
    center: tuple[Coordinate, Coordinate] = (0, 0)
    size: tuple[Length, Length]
    rotation: Angle = 0


class Disk(Described):
    """A circular post or hole through the whole layer."""

    type: Literal["disk"] = "disk"
    medium: AnyMedium
    center: tuple[Coordinate, Coordinate] = (0, 0)
    radius: Length


class Polygon(Described):
    """A polygonal post or hole through the whole layer."""

    type: Literal["polygon"] = "polygon"
    medium: AnyMedium
    vertices: tuple[tuple[Coordinate, Coordinate], ...] = Field(min_length=3)


class Rod(Described):
    """A round rod along y, unbounded, wholly within its layer: a row of a two-dimensional crystal. Its axis lies at `x`, half way up
    the layer or `height` above the layer's lower face."""

    type: Literal["rod"] = "rod"
    medium: AnyMedium
    x: Coordinate = 0
    radius: Length
    height: Length | None = None

    def above(self, thickness: float) -> float:
        """How far its axis lies above the lower face of a layer of that thickness."""
        return thickness / 2 if self.height is None else float(self.height)


Drawn = Annotated[Bar | Rod | Rectangle | Disk | Polygon | Pattern, Field(discriminator="type")]


def upright(body: Drawn) -> bool:
    """Whether a body of a layer has the same outline at every height."""
    return not isinstance(body, Rod) and getattr(body, "top", None) is None


class Film(Described):
    """A layer of the stack; `pattern` is drawn into it, later bodies over earlier ones. The cell spans -period/2..period/2."""

    type: Literal["film"] = "film"
    medium: AnyMedium
    thickness: Length
    pattern: tuple[Drawn, ...] = ()

    @model_validator(mode="after")
    def _holds_its_rods(self) -> Film:
        thick = float(self.thickness)
        for body in self.pattern:
            if isinstance(body, Pattern) and any(abs(float(end)) < INF for end in body.bounds):
                raise ValueError(f"pattern {body.id} goes through its whole layer; leave out `bounds`")
            if isinstance(body, Rod):
                axis, radius = body.above(thick), float(body.radius)
                if min(axis, thick - axis) < radius * (1 - 1e-9):
                    raise ValueError(
                        f"a rod of radius {radius:g} with its axis {axis:g} above the lower face does not lie within its layer of "
                        f"thickness {thick:g}; make the layer thicker (a row's distance to the next) or split what it cuts into bars"
                    )
        return self


class Sheet(Described):
    """A resistive sheet of zero thickness in the stack; resistance in impedances of free space (declare it in ohm)."""

    type: Literal["sheet"] = "sheet"
    resistance: Positive


class UnitCell(Scene):
    """Layers from `below` (z -> -inf) to `above` (z -> +inf), in order of z, periodic along x (and y).

    light_from: the side the plane wave comes from. angle: of incidence, from the normal, in the plane x-z, in the medium
    of that side. polarization: 'x' or 'y' along the electric field at normal incidence; 's' (E along y) or 'p' at an angle.
    period: none for plain films, one number along x, or two along x and y.
    """

    type: Literal["unit_cell"] = "unit_cell"
    below: AnyMedium
    layers: tuple[Annotated[Film | Sheet, Field(discriminator="type")], ...] = ()
    above: AnyMedium
    period: tuple[Length, ...] = Field((), max_length=2)
    light_from: Literal["below", "above"]
    angle: Angle = 0
    polarization: Literal["x", "y", "s", "p"]
    band: Band

    @model_validator(mode="after")
    def _fits(self) -> UnitCell:
        patterned = [film for film in self.layers if isinstance(film, Film) and film.pattern]
        if patterned and not self.period:
            raise ValueError("a patterned layer needs a period")
        bodies = [body for film in patterned for body in film.pattern]
        if len(self.period) == 1 and any(body.type not in ("bar", "rod", "pattern") for body in bodies):
            raise ValueError(
                "a period along x only goes with bars and rods; other patterns need period=(along x, along y)"
            )
        if len(self.period) == 1:
            for body in bodies:
                if isinstance(body, Pattern) and body.drawing is not None:
                    body.bars()
        for body in bodies:
            if not upright(body):
                called = "a rod" if isinstance(body, Rod) else "a bar with slanted sides"
                if len(self.period) != 1:
                    raise ValueError(f"{called} needs one period, along x")
                if isinstance(body.medium, PerfectConductor):
                    raise ValueError(f"{called} is of no perfect conductor")
        if isinstance(self.below if self.light_from == "below" else self.above, PerfectConductor):
            raise ValueError("light cannot come through a perfect conductor")
        return self


class _OfCell(Quantity):
    of_scene: ClassVar[str] = "unit_cell"
    curve: ClassVar[bool] = True


class Reflectance(_OfCell):
    """Reflected over incident power, all orders, over the band."""

    type: Literal["reflectance"] = "reflectance"


class Transmittance(_OfCell):
    """Transmitted over incident power, all orders, over the band."""

    type: Literal["transmittance"] = "transmittance"


class Absorptance(_OfCell):
    """1 - R - T over the band."""

    type: Literal["absorptance"] = "absorptance"


class OrderEfficiency(_OfCell):
    """Power in one diffraction order over the incident power. order: along x, or along x and y."""

    type: Literal["order_efficiency"] = "order_efficiency"
    side: Literal["reflected", "transmitted"]
    order: tuple[int, ...] = Field(min_length=1, max_length=2)


class Phase(_OfCell):
    """Phase of E in the zeroth order over that of the incident light, radian, at normal incidence: transmitted from the first
    interface to the last (it grows with the optical path), or reflected at the first. Unwrapped over the band.
    """

    type: Literal["phase"] = "phase"
    side: Literal["reflected", "transmitted"]


class GroupDelay(_OfCell):
    """Delay of a pulse by the same way: d(phase)/d(angular frequency), a length over c."""

    type: Literal["group_delay"] = "group_delay"
    power: ClassVar[int] = 1
    side: Literal["reflected", "transmitted"]


class CellField(_OfCell, Spanned):
    """E over the incident amplitude in and beside the layers, at normal incidence; z from the lowest layer's lower face. start
    and end apart along one axis: a line, curve over the position from `origin` towards `end`; along two: corners of a rectangle, a map.

    field: 'intensity' (|E|^2 over the incident one) or the magnitude of one component over the incident amplitude.
    The band is one Line.
    """

    type: Literal["cell_field"] = "cell_field"
    needs_line: ClassVar[bool] = True
    field: Literal["intensity", "Ex", "Ey", "Ez"] = "intensity"


class _Strong(Quantity):
    of_scene: ClassVar[str] = "unit_cell"
    needs_line: ClassVar[bool] = True
    side: Literal["reflected", "transmitted"]
    intensity: Positive = Field(
        description="of the incident light; declare it in W/cm^2, W/m^2, MW/cm^2 or GW/cm^2"
    )


class HarmonicEfficiency(_Strong):
    """Power at harmonic 2 or 3 of a steady pump (band=Line) of `intensity` that leaves on `side`, over the pump's, from plain
    films with chi2 or chi3 at normal incidence.
    """

    type: Literal["harmonic_efficiency"] = "harmonic_efficiency"
    harmonic: Literal[2, 3]


class KerrPhase(_Strong):
    """Phase that light of `intensity` gains over weak light, radian: of a matched film 2 pi n2 I L / wavelength."""

    type: Literal["kerr_phase"] = "kerr_phase"


CellQuantity = (
    Reflectance
    | Transmittance
    | Absorptance
    | OrderEfficiency
    | Phase
    | GroupDelay
    | CellField
    | HarmonicEfficiency
    | KerrPhase
)
__all__ = [
    "Absorptance",
    "Bar",
    "CellField",
    "CellQuantity",
    "Disk",
    "Film",
    "GroupDelay",
    "HarmonicEfficiency",
    "KerrPhase",
    "OrderEfficiency",
    "Phase",
    "Polygon",
    "Rectangle",
    "Reflectance",
    "Rod",
    "Sheet",
    "Transmittance",
    "UnitCell",
]
