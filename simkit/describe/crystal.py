"""A photonic crystal: bodies on a lattice, its bands, their edges and gaps."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from simkit.describe.base import Described, Length, Point, Pure
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity, Scene
from simkit.describe.shapes import Shape

KPoint = tuple[Pure, Pure, Pure]
Label = Literal["Gamma", "X", "M", "K"]


class Chain(Described):
    """One lattice vector (period, 0, 0): layers. Labels Gamma, X."""

    type: Literal["chain"] = "chain"
    period: Length


class Square(Described):
    """Lattice vectors (period, 0, 0), (0, period, 0). Labels Gamma, X, M."""

    type: Literal["square"] = "square"
    period: Length


class Hexagonal(Described):
    """Lattice vectors period (sqrt(3)/2, 1/2, 0), period (sqrt(3)/2, -1/2, 0). Labels Gamma, M, K."""

    type: Literal["hexagonal"] = "hexagonal"
    period: Length


class Vectors(Described):
    """Any one, two (in the plane x-y) or three lattice vectors; points of wave vectors are given in numbers."""

    type: Literal["vectors"] = "vectors"
    vectors: tuple[Point, ...] = Field(min_length=1, max_length=3)


AnyLattice = Annotated[Chain | Square | Hexagonal | Vectors, Field(discriminator="type")]
LABELS: dict[str, dict[str, tuple[float, float, float]]] = {
    "chain": {"Gamma": (0, 0, 0), "X": (0.5, 0, 0)},
    "square": {"Gamma": (0, 0, 0), "X": (0.5, 0, 0), "M": (0.5, 0.5, 0)},
    "hexagonal": {
        "Gamma": (0, 0, 0),
        "M": (0.5, 0, 0),
        "K": (2 / 3, 1 / 3, 0),
    },  # of b1, b2, which enclose 120 degrees
    "vectors": {},
}
PATHS: dict[str, tuple[Label, ...]] = {
    "chain": ("Gamma", "X"),
    "square": ("Gamma", "X", "M", "Gamma"),
    "hexagonal": ("Gamma", "M", "K", "Gamma"),
    "vectors": (),
}


class Crystal(Scene):
    """Bodies of one unit cell about the origin, repeated on `lattice`, in `background`; without loss and without poles.

    polarization: 'tm' (E along z) or 'te' (H along z) for structures that do not change along z, 'all' for any.
    path: corners between which bands are followed, by label or in fractions of the reciprocal lattice vectors; without it
    the usual path of the lattice (chain: Gamma-X; square: Gamma-X-M-Gamma; hexagonal: Gamma-M-K-Gamma).
    """

    type: Literal["crystal"] = "crystal"
    lattice: AnyLattice
    bodies: tuple[Shape, ...] = ()
    background: AnyMedium
    polarization: Literal["tm", "te", "all"]
    path: tuple[Label | KPoint, ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> Crystal:
        if self.polarization != "all" and len(self.basis()) == 3:
            raise ValueError("a lattice of three vectors has neither tm nor te bands; polarization='all'")
        if isinstance(self.background, PerfectConductor):
            raise ValueError("light cannot travel in a perfect conductor")
        if len(self.path) == 1:
            raise ValueError("a path has two corners or more")
        for corner in self.path:
            self.point(corner)
        return self

    def basis(self) -> list[tuple[float, float, float]]:
        """Lattice vectors in numbers."""
        lattice = self.lattice
        if isinstance(lattice, Vectors):
            return [(float(x), float(y), float(z)) for x, y, z in lattice.vectors]
        a = float(lattice.period)
        if isinstance(lattice, Chain):
            return [(a, 0.0, 0.0)]
        if isinstance(lattice, Square):
            return [(a, 0.0, 0.0), (0.0, a, 0.0)]
        return [(a * math.sqrt(3) / 2, a / 2, 0.0), (a * math.sqrt(3) / 2, -a / 2, 0.0)]

    def point(self, corner: Label | KPoint) -> tuple[float, float, float]:
        """A wave vector in fractions of the reciprocal lattice vectors. Raises ValueError for a label of another lattice."""
        if not isinstance(corner, str):
            return float(corner[0]), float(corner[1]), float(corner[2])
        known = LABELS[self.lattice.type]
        if corner not in known:
            raise ValueError(
                f"{corner} is no point of a {self.lattice.type} lattice; its points: "
                f"{', '.join(known) or 'give numbers'}"
            )
        return known[corner]

    def corners(self) -> list[tuple[float, float, float]]:
        """Corners of the path. Raises ValueError where there is none."""
        path = self.path or PATHS[self.lattice.type]
        if not path:
            raise ValueError(f"crystal {self.id}: a free lattice needs a path")
        return [self.point(corner) for corner in path]


class BandFrequency(Quantity):
    """Frequency of band number `band` (1 is the lowest) at one wave vector: a label or fractions of the reciprocal vectors."""

    type: Literal["band_frequency"] = "band_frequency"
    of_scene: ClassVar[str] = "crystal"
    power: ClassVar[int] = -1
    band: int = Field(ge=1, le=200)
    k: Label | KPoint


class BandEdge(Quantity):
    """Highest or lowest frequency of a band along the path."""

    type: Literal["band_edge"] = "band_edge"
    of_scene: ClassVar[str] = "crystal"
    power: ClassVar[int] = -1
    band: int = Field(ge=1, le=200)
    edge: Literal["maximum", "minimum"]


class Gap(Quantity):
    """The gap above band number `above` along the path; without a gap there is no value.

    what: its lower or upper edge, width or middle (frequencies), or ratio = width / middle.
    """

    type: Literal["gap"] = "gap"
    of_scene: ClassVar[str] = "crystal"
    above: int = Field(ge=1, le=199)
    what: Literal["lower_edge", "upper_edge", "width", "middle", "ratio"]


class Bands(Quantity):
    """Frequency of a band along the path: curve over the length of the way in reciprocal space (1/length)."""

    type: Literal["bands"] = "bands"
    of_scene: ClassVar[str] = "crystal"
    curve: ClassVar[bool] = True
    power: ClassVar[int] = -1
    band: int = Field(ge=1, le=200)


CrystalQuantity = BandFrequency | BandEdge | Gap | Bands
__all__ = [
    "BandEdge",
    "BandFrequency",
    "Bands",
    "Chain",
    "Crystal",
    "CrystalQuantity",
    "Gap",
    "Hexagonal",
    "Square",
    "Vectors",
]
