"""Bodies. Later ones override earlier ones where they overlap; bounds may be infinite."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Angle, Coordinate, Described, Interval, Length, Point, ordered
from simkit.describe.media import AnyMedium
from simkit.describe.numbers import inf

Axis = Literal["x", "y", "z"]
EVERYWHERE: Any = (-inf, inf)


class _Body(Described):
    id: str = Field(pattern=r"^[a-zA-Z][a-zA-Z0-9_]{0,39}$")
    medium: AnyMedium


class Block(_Body):
    """A box with faces along the axes; an omitted axis is unbounded. A half-infinite body: x=(0, inf)."""

    type: Literal["block"] = "block"
    x: Interval = EVERYWHERE
    y: Interval = EVERYWHERE
    z: Interval = EVERYWHERE

    @model_validator(mode="after")
    def _bounds(self) -> Block:
        for axis in "xyz":
            ordered(getattr(self, axis), f"block {self.id}, {axis}")
        return self


class Cylinder(_Body):
    """A circular cylinder (a disk, a rod, a hole) along `axis`; `bounds` are its ends."""

    type: Literal["cylinder"] = "cylinder"
    center: Point = (0, 0, 0)
    radius: Length
    axis: Axis = "z"
    bounds: Interval = EVERYWHERE


class Ring(_Body):
    """A hollow circular cylinder along z."""

    type: Literal["ring"] = "ring"
    center: Point = (0, 0, 0)
    inner: Length
    outer: Length
    bounds: Interval = EVERYWHERE
    filling: AnyMedium = Field(description="the medium inside the inner radius")

    @model_validator(mode="after")
    def _radii(self) -> Ring:
        ordered((self.inner, self.outer), f"ring {self.id}, inner to outer radius")
        return self


class Sphere(_Body):
    """A ball."""

    type: Literal["sphere"] = "sphere"
    center: Point = (0, 0, 0)
    radius: Length


class Ellipsoid(_Body):
    """An ellipsoid with its semi-axes along x, y, z."""

    type: Literal["ellipsoid"] = "ellipsoid"
    center: Point = (0, 0, 0)
    semi_axes: tuple[Length, Length, Length]


class Prism(_Body):
    """A polygon extruded along `axis`; vertices in the two other axes, in cyclic order (z: x, y; x: y, z; y: z, x)."""

    type: Literal["prism"] = "prism"
    vertices: tuple[tuple[Coordinate, Coordinate], ...] = Field(min_length=3)
    axis: Axis = "z"
    bounds: Interval = EVERYWHERE
    rotation: Angle = Field(0, description="about the prism's own axis through the origin, counter-clockwise")


class Repeat(Described):
    """`body` drawn `count` times, each moved by `step` from the one before."""

    type: Literal["repeat"] = "repeat"
    body: Annotated[Block | Cylinder | Ring | Sphere | Ellipsoid | Prism, Field(discriminator="type")]
    count: int = Field(ge=1, le=10_000)
    step: Point


Shape = Annotated[Block | Cylinder | Ring | Sphere | Ellipsoid | Prism | Repeat, Field(discriminator="type")]
