"""What a handed-in file draws: a bitmap of 0 and 1, or a layer of a GDSII file. The file is the paper's; a description names it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from simkit.describe.base import Coordinate, Described, Interval, Length, ordered
from simkit.describe.media import AnyMedium
from simkit.describe.scene import NAME
from simkit.describe.shapes import EVERYWHERE

Corners = tuple[tuple[float, float], ...]
HIDDEN = ("sha256", "drawing")  # filled in by trusted code


class Drawing(Described):
    """What trusted code read from a file (tasks/reproduce/patterns), in pixels from a bitmap's middle or um from GDSII's origin.

    pieces: corners, counter-clockwise, of parts that have no holes; they share sides where a part with holes was cut. low, high:
    corners of the bitmap, or of the box around all pieces. narrowest: width of the narrowest part, gap or hole. mirrored: whether
    it is its own mirror image along x, along y, about the middle or origin. bars: what it is along x where nothing changes along y.
    """

    pieces: tuple[Corners, ...]
    low: tuple[float, float]
    high: tuple[float, float]
    narrowest: float
    mirrored: tuple[bool, bool] = (False, False)
    bars: tuple[tuple[float, float], ...] | None = None
    in_pixels: bool = True


class Pattern(Described):
    """What a file of the paper draws, through the whole layer or between `bounds` along z: `medium` where it is 1, else what was
    drawn before. In a layer of a UnitCell or among a Device's bodies. name: what the file is called in `available_patterns` (by
    hand: patterns.json). pixel: of a bitmap, one length, or two along x and y; without it for GDSII, which has its own. center: of
    the bitmap, of GDSII its origin. With one period the file is stripes, the same along all of y."""

    type: Literal["pattern"] = "pattern"
    id: str = Field(pattern=NAME)
    medium: AnyMedium
    name: str = Field(pattern=NAME)
    pixel: tuple[Length, ...] = Field((), max_length=2)
    center: tuple[Coordinate, Coordinate] = (0, 0)
    bounds: Interval = EVERYWHERE
    sha256: str = ""
    drawing: Drawing | None = None

    @field_validator("drawing")
    @classmethod
    def _read(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None and not (info.context and info.context.get("resolved")):
            raise ValueError("a drawing is read from the paper's file and never written")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Pattern:
        ordered(self.bounds, f"pattern {self.id}, bounds")
        if self.drawing is not None and self.drawing.in_pixels and not self.pixel:
            raise ValueError(
                f"pattern {self.id}: a bitmap needs the size of its pixels, pixel=(along x, along y)"
            )
        if self.drawing is not None and not self.drawing.in_pixels and self.pixel:
            raise ValueError(f"pattern {self.id}: a GDSII file has its own unit; leave out `pixel`")
        return self

    def scale(self) -> tuple[float, float]:
        """Lengths of the drawing's unit along x and y."""
        return (float(self.pixel[0]), float(self.pixel[-1])) if self.pixel else (1.0, 1.0)

    def pieces(self) -> list[list[tuple[float, float]]]:
        """Corners of the pieces where they lie. Raises ValueError for a pattern that was not read from its file."""
        (a, b), (x, y) = self.scale(), map(float, self.center)
        return [[(x + a * u, y + b * v) for u, v in piece] for piece in self.read.pieces]

    def box(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """(low, high) along x and along y, of all pixels of a bitmap."""
        ends = zip(self.center, self.scale(), self.read.low, self.read.high, strict=True)
        x, y = ((float(c) + s * low, float(c) + s * high) for c, s, low, high in ends)
        return x, y

    def narrowest(self) -> float:
        """Of its parts and gaps, a length."""
        return min(self.scale()) * self.read.narrowest

    def bars(self) -> list[tuple[float, float]]:
        """Intervals along x of stripes. Raises ValueError where something changes along y."""
        if self.read.bars is None:
            raise ValueError(
                f"pattern {self.id}: with one period, along x, a pattern is stripes; {self.name} changes along y"
            )
        centre, side = float(self.center[0]), self.scale()[0]
        return [(centre + side * low, centre + side * high) for low, high in self.read.bars]

    def mirrored(self, axis: int) -> bool:
        """Whether it is its own mirror image in the plane through the origin across an axis (0, 1)."""
        return self.read.mirrored[axis] and abs(float(self.center[axis])) < 1e-9

    @property
    def read(self) -> Drawing:
        """What its file draws."""
        if self.drawing is None:
            raise ValueError(f"pattern {self.id} was not read from its file")
        return self.drawing
