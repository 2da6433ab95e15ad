"""The cell that a device and its straight guides share: absorbers, planes, and the windows that hold a port's modes."""

from __future__ import annotations

import copy
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simkit.arrange.extent import NEAR, extent, finite, symmetric
from simkit.arrange.guided_tail import tail_decay
from simkit.arrange.numerics import Numerics
from simkit.arrange.permittivity import index_of, permittivity
from simkit.describe.device import Device, Port, leaves
from simkit.describe.media import PerfectConductor
from simkit.runs import Vector

ASIDE, FREE, AHEAD, BEHIND, ABSORBING = 1.0, 0.7, 0.8, 0.25, 0.7  # longest wavelengths in the background
MODES = 1.3  # of these from the structure to where modes are looked at: see docs/guide/describe.md, Devices
TAILS = 3.0  # decay lengths of a mode
ROOM = 4.5  # of these beside a guide of films: where it is cut nearer, its source radiates a percent of its light
GONE = 7.0  # of these until a guide's field is nothing beside what is radiated
LONGEST_TAIL = (
    12.0  # longest wavelengths in the background: what reaches farther is cut off, and its purity tells
)
BESIDE = (
    4.0  # times that distance, on either side of a structure whose far field is seen: angles up to 76 degrees
)
ALONE = 2.0  # between the two planes of a guide alone
LARGEST_LOSS = 1e-2
DIGITS = 12  # of a place: the same guide elsewhere is the same run
CLEAR_PX = 4  # between fields that are looked at and a port's plane or an absorber


class DeviceCell:
    """Where everything lies, in the scene's coordinates. inner: where absorbers begin, by side; z alike. Planes of power, and how
    far they reach beside a guide, do not change with the padding: what is radiated through them is part of what is measured.

    shown: lowest and highest coordinate, by axis, at which fields are looked at; radiating: sides whose far fields are: there
    is room for them. modes: numbers of those that are asked for, by port; the source's own is one.
    """

    def __init__(
        self,
        scene: Device,
        numerics: Numerics,
        materials: Mapping[str, Any],
        shown: Sequence[tuple[float, float]] = (),
        radiating: Collection[str] = (),
        modes: Mapping[str, Sequence[int]] = {},
    ) -> None:
        low = scene.band.frequencies()[0]
        self._scene = scene
        self.guides = {port.id: _guide_of(scene, port, low, materials) for port in scene.ports}
        self.longest = 1 / (low * index_of(scene.background, low, materials).real)
        decay = _decay(
            scene, [body for guide in self.guides.values() for body in guide.bodies], low, materials
        )
        for port in scene.ports:
            beside = [
                body for body in scene.bodies if leaves(body, port.side) and not of_another(scene, port, body)
            ]
            own = {*modes.get(port.id, (1,)), *((scene.mode,) if port.id == scene.source else ())}
            found = None
            if scene.dimensions == "2D":
                found = tail_decay(
                    beside, scene.background, port.side[1], scene.polarization, sorted(own), low, materials
                )
            if found:
                decay = min(decay, max(found, GONE / (LONGEST_TAIL * self.longest)))
        self.beside = max(ASIDE * self.longest, TAILS / decay)
        room = self.beside if scene.dimensions == "3D" else max(ASIDE * self.longest, ROOM / decay)
        self.aside = room * numerics.padding
        away = self.tail = max(ASIDE * self.longest, GONE / decay) * numerics.padding
        self.pixel, self.padding = 1 / numerics.resolution, numerics.padding
        self.axes = (0, 1) if scene.dimensions == "2D" else (0, 1, 2)
        self.thick = self.up(ABSORBING * self.longest * numerics.absorber)
        self.size, self.middle = [0.0] * 3, [0.0] * 3
        self.inner: dict[str, float] = {}
        self._planes: dict[str, float] = {}
        self._mode_planes: dict[str, float] = {}
        outer = {port.side for port in scene.ports}
        bounds = [_bounds(scene, i) for i in range(3)]
        self._faces: dict[str, float] = {}
        for i in self.axes:
            low, high = bounds[i]
            if i == 2 and symmetric(scene.bodies, 2):
                low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
            for number, (side, end) in enumerate((("-" + "xyz"[i], low), ("+" + "xyz"[i], high))):
                beyond = sign(side) * (shown[i][number] - end) + CLEAR_PX * self.pixel if shown else 0.0
                if side in radiating:
                    beyond = max(beyond, away + CLEAR_PX * self.pixel)
                elif any(seen[1] != side[1] for seen in radiating):
                    beyond = max(beyond, BESIDE * away)
                self._faces[side] = end
                self._side(side, end, beyond, side in outer)
            self._span(i)

    def _side(self, side: str, end: float, beyond: float, leaves: bool) -> None:
        """Planes and absorber of a side whose outermost bound is `end`. beyond: room that is looked at; leaves: whether a guide does."""
        free = max(FREE * self.longest, beyond, self.beside - (AHEAD + BEHIND) * self.longest)
        self._planes[side] = self.grid(end + sign(side) * self.up(free))
        away = max(free, MODES * self.longest * self.padding)
        self._mode_planes[side] = self.grid(end + sign(side) * self.up(away))
        more = (AHEAD + BEHIND) * self.padding + FREE * (self.padding - 1)
        along = max(free + more * self.longest, self.beside * self.padding)
        self.inner[side] = self.grid(end + sign(side) * self.up(along if leaves else max(beyond, self.aside)))

    def without_structure(self, side: str) -> DeviceCell:
        """The cell of the guide that leaves at a side, as if the structure had no length: the same for every length."""
        own, far = copy.copy(self), opposite(side)
        own.size, own.middle, own.inner = [*self.size], [*self.middle], {**self.inner}
        own._planes, own._mode_planes = {**self._planes}, {**self._mode_planes}
        own._side(far, self._faces[side], 0.0, True)
        own._span("xyz".index(side[1]))
        return own

    def _span(self, i: int) -> None:
        ends = self.inner["-" + "xyz"[i]] - self.thick, self.inner["+" + "xyz"[i]] + self.thick
        pixels = 2 * math.ceil((ends[1] - ends[0]) / self.pixel / 2 - 1e-6)
        self.size[i], self.middle[i] = pixels * self.pixel, self.grid(ends[0] + pixels // 2 * self.pixel)

    def around(self, port: Port, twins: bool) -> DeviceCell:
        """The cell of a port's guide alone, its middle on the node next to the guide's; along z as far as the device, with its twin
        across too."""
        own = copy.copy(self)
        own.size, own.middle, own.inner = [*self.size], [*self.middle], {**self.inner}
        own._planes = own._mode_planes = {}
        for i in self.axes:
            low, high = "-" + "xyz"[i], "+" + "xyz"[i]
            if high[1] == port.side[1]:
                half = self.up(ALONE * self.longest * self.padding / 2)
                own._planes = own._mode_planes = {low: -half, high: half}
                half += self.up((AHEAD + BEHIND) * self.longest * self.padding)
                middle = 0.0
            elif i == 2 or twins:
                continue
            else:
                here = place(port, i)
                edges = [abs(edge - here) for edge in self.guides[port.id].faces(i)]
                middle = self.grid(here)
                half = self.up(max(edges, default=0.0) + self.tail + self.pixel)
            own.inner |= {low: middle - half, high: middle + half}
            own._span(i)
        return own

    def across(self, port: Port) -> tuple[list[float], Vector]:
        """Centre and size of the whole plane across a port's guide, between the absorbers."""
        spans = [
            (self.inner["-" + a], self.inner["+" + a]) if i in self.axes else (0.0, 0.0)
            for i, a in enumerate("xyz")
        ]
        spans["xyz".index(port.side[1])] = (0.0, 0.0)
        x, y, z = (high - low for low, high in spans)
        return [(low + high) / 2 for low, high in spans], (x, y, z)

    def up(self, length: float) -> float:
        """A length in whole pixels, at least itself."""
        return math.ceil(length / self.pixel - 1e-6) * self.pixel

    def grid(self, place: float) -> float:
        """The nearest node."""
        return round(place / self.pixel) * self.pixel

    def source(self, side: str) -> float:
        """Where light of a guide enters on a side."""
        return self.inner[side] - sign(side) * self.up(BEHIND * self.longest * self.padding)

    def plane(self, side: str) -> float:
        """Where light that leaves on a side is looked at."""
        return self._planes[side]

    def mode_plane(self, side: str) -> float:
        """Where the light in a guide's modes is looked at, farther out: what is radiated beside the guide is no mode's, but across a
        plane that ends it looks like some."""
        return self._mode_planes[side]

    def shifted(self, place: Sequence[float]) -> Vector:
        """Relative to the cell's middle."""
        x, y, z = (round(p - m, 12) + 0.0 for p, m in zip(place, self.middle, strict=True))
        return x, y, z


def window(scene: Device, cell: DeviceCell, port: Port, of_power: bool = False) -> tuple[list[float], Vector]:
    """Centre and size of the plane that holds a port's modes: its guide and the cell's `aside` around it, half way to the next port;
    where the cell ends it, as far on both sides. of_power: as far whatever the padding, and up to the planes of ports around the
    corner: there no light counts twice.
    """
    aside = cell.beside if of_power else cell.tail
    around = {other.side for other in scene.ports} if of_power else set()
    own, center, size = "xyz".index(port.side[1]), [0.0] * 3, [0.0] * 3
    for i in cell.axes:
        if i == own:
            continue
        here, (below, above) = place(port, i), _reach(scene, port, i)
        guide = cell.guides[port.id]
        edges, beside = guide.faces(i), guide.beside(i)
        ends = [
            cell.plane(side) if side in around else cell.inner[side]
            for side in ("-" + "xyz"[i], "+" + "xyz"[i])
        ]
        if (
            not of_power
        ):  # as far on both sides, so that a guide that is moved is looked at alike, and its run is the same
            room = min(here - ends[0], ends[1] - here)
            ends = [here - room, here + room]
        low = max(min([here, *edges]) - aside, below, ends[0], beside[0] + cell.pixel)
        high = min(max([here, *edges]) + aside, above, ends[1], beside[1] - cell.pixel)
        low, high = cell.grid(low), cell.grid(high)
        center[i], size[i] = round((low + high) / 2, DIGITS), round(high - low, DIGITS)
    return center, (size[0], size[1], size[2])


def _reach(scene: Device, port: Port, axis: int) -> tuple[float, float]:
    """Half way to the next port of its side, below and above."""
    here = place(port, axis)
    others = [(here + place(other, axis)) / 2 for other in scene.ports if other.side == port.side]
    below, above = ([o for o in others if o < here], [o for o in others if o > here])
    return max(below, default=-math.inf), min(above, default=math.inf)


@dataclass(frozen=True)
class Guide:
    """What guides at a port: the body at its place and the dense ones that touch it. others: dense bodies that leave on its side
    without touching it (a substrate below an oxide, another guide), whose modes are none of this port's.
    """

    bodies: tuple[Any, ...]
    others: tuple[Any, ...]
    ends: tuple[tuple[float, float], ...]

    def faces(self, axis: int) -> list[float]:
        """Its faces along an axis, nearer than half way to the next port."""
        low, high = self.ends[axis]
        return [v for body in self.bodies for v in extent([body])[axis] if finite(v) and low < v < high]

    def beside(self, axis: int) -> tuple[float, float]:
        """Where others begin along an axis, below and above; those that lie beside the guide along this axis alone."""
        own = extent(self.bodies)[axis]
        boxes = [extent([body])[axis] for body in self.others]
        below = max((high for _, high in boxes if high <= own[0] + NEAR), default=-math.inf)
        return below, min((low for low, _ in boxes if low >= own[1] - NEAR), default=math.inf)


def _guide_of(scene: Device, port: Port, f: float, materials: Mapping[str, Any]) -> Guide:
    axes = [i for i in range(3) if "xyz"[i] != port.side[1]]
    leaving = [body for body in scene.bodies if leaves(body, port.side)]
    here = [
        body
        for body in leaving
        if all(low <= place(port, i) <= high for i in axes for low, high in [extent([body])[i]])
    ]
    reach = tuple(_reach(scene, port, i) if i in axes else (-math.inf, math.inf) for i in range(3))
    eps = {id(body): permittivity_of(body, f, materials) for body in leaving}
    background = permittivity_of(scene, f, materials)
    if not here or eps[id(here[-1])] <= background:  # a slot: its rails guide
        return Guide(tuple(leaving), (), reach)
    found = [here[-1]]  # drawn last: it covers what is below
    half = (eps[id(found[0])] + background) / 2
    dense = [body for body in leaving if body is not found[0] and eps[id(body)] >= half]
    while near := [body for body in dense if any(_touch(body, own) for own in found)]:
        found += near
        dense = [body for body in dense if not any(body is own for own in found)]
    return Guide(tuple(found), tuple(dense), reach)


def _touch(one: Any, other: Any) -> bool:
    sides = zip(extent([one]), extent([other]), strict=True)
    return all(min(a[1], b[1]) >= max(a[0], b[0]) - NEAR for a, b in sides)


def of_another(scene: Device, port: Port, body: Any) -> bool:
    """Whether a body that leaves at a port's side belongs to another port's guide: it holds that one's place and not its own, or lies
    beyond half the way to it."""
    box = extent([body])
    across = [i for i in (0, 1) if "xyz"[i] != port.side[1]]
    if all(box[i][0] <= place(port, i) <= box[i][1] for i in across):
        return False
    if any(
        all(box[i][0] <= place(other, i) <= box[i][1] for i in across)
        for other in scene.ports
        if other.side == port.side and other is not port
    ):
        return True
    return any(
        box[i][0] >= above or box[i][1] <= below for i in across for below, above in [_reach(scene, port, i)]
    )


def core(cell: DeviceCell, port: Port) -> dict[str, tuple[float, float]]:
    """From where to where a port's guide reaches along each axis across it, in the cell; what is unbounded is left out."""
    out = {}
    for i in cell.axes:
        if "xyz"[i] == port.side[1]:
            continue
        low, high = extent(cell.guides[port.id].bodies)[i]
        if finite(low) and finite(high):
            out["xyz"[i]] = (low - cell.middle[i], high - cell.middle[i])
    return out


def place(port: Port, axis: int) -> float:
    """Where a port's guide has its middle along an axis across it."""
    return float(port.height if axis == 2 else port.center)


def _bounds(scene: Device, axis: int) -> tuple[float, float]:
    """Outermost finite bounds of the bodies along an axis."""
    found = [v for body in scene.bodies for v in extent([body])[axis] if finite(v)]
    found += [place(port, axis) for port in scene.ports if "xyz".index(port.side[1]) != axis]
    return min(found, default=0.0), max(found, default=0.0)


def sign(side: str) -> int:
    """-1 or 1, outwards."""
    return 1 if side[0] == "+" else -1


def opposite(side: str) -> str:
    """The other side of the same axis."""
    return ("-" if side[0] == "+" else "+") + side[1]


def permittivity_of(of: Any, f: float, materials: Mapping[str, Any]) -> float:
    """Its real part for a body or a scene's background; of ideal metal minus infinity."""
    medium = of.background if isinstance(of, Device) else medium_of(of)
    return -math.inf if isinstance(medium, PerfectConductor) else permittivity(medium, f, materials).real


def _decay(scene: Device, guides: Sequence[Any], f: float, materials: Mapping[str, Any]) -> float:
    """Decay of a mode beside its guide, 1/length, if its index lies half way between core and cladding. Raises ValueError for
    media with loss, ideal metal, and guides no denser than what is around them."""
    squares = []
    for medium in (scene.background, *map(medium_of, guides)):
        if isinstance(medium, PerfectConductor):
            raise ValueError(f"device {scene.id}: guides of ideal metal are not computed")
        eps = permittivity(medium, f, materials)
        if eps.real <= 0 or abs(eps.imag) > LARGEST_LOSS * abs(eps):
            raise ValueError(
                f"device {scene.id}: guides are of lossless dielectrics; a medium has epsilon {eps:.4g}"
            )
        squares.append(eps.real)
    if not max(squares) > squares[0]:
        raise ValueError(f"device {scene.id} guides nothing: no guide is denser than the background")
    return 2 * math.pi * f * math.sqrt((max(squares) - squares[0]) / 2)


def medium_of(body: Any) -> Any:
    """The medium of a body or of what is repeated."""
    return body.body.medium if body.type == "repeat" else body.medium
