"""Where fields are recorded in a unit cell: from the scene's coordinates (z from the lowest layer's lower face) to a run's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simkit.arrange.cell_layout import Place, dimensions
from simkit.arrange.places import axes_of, ends, recorded
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import CellField, UnitCell
from simkit.runs import Monitor

ALONG = {1: (None, None, 2), 2: (0, 2, 1), 3: (0, 1, 2)}  # the run's axis of the scene's x, y, z
CLEAR_PX = 4  # between what is recorded and the source or the absorber


@dataclass(frozen=True)
class _Line:
    """A line or rectangle in a run's coordinates."""

    id: str
    start: tuple[float, ...]
    end: tuple[float, ...]


def shown(quantities: Sequence[Quantity], scene: UnitCell, total: float, pixel: float) -> tuple[float, float]:
    """How far before the first interface and behind the last one fields are looked at; total: thickness of all layers."""
    z = [point[2] for q in quantities if isinstance(q, CellField) for point in ends(q)]
    below, above = (
        max(0.0, CLEAR_PX * pixel + far) if z else 0.0
        for far in (max((-v for v in z), default=0.0), max((v - total for v in z), default=0.0))
    )
    return (below, above) if scene.light_from == "below" else (above, below)


def component(scene: UnitCell, name: str) -> str:
    """A component of E in the scene's axes, as runs call it."""
    dims = dimensions(scene)
    return "Ex" if dims == 1 else f"E{'xyz'[ALONG[dims]['xyz'.index(name[1])]]}"  # type: ignore[index]


def present(scene: UnitCell) -> tuple[str, ...]:
    """The components of E that light of this polarisation has, in the scene's axes."""
    own = incident(scene)
    return {1: (own,), 2: ("Ey",) if own == "Ey" else ("Ex", "Ez"), 3: ("Ex", "Ey", "Ez")}[dimensions(scene)]


def incident(scene: UnitCell) -> str:
    """The component of the incident light."""
    return "Ey" if scene.polarization in ("y", "s") else "Ex"


def height(scene: UnitCell, place: Mapping[str, float], z: float) -> float:
    """Position along the stack of a run, in which light goes upwards."""
    return place["first"] + z if scene.light_from == "below" else place["last"] - z


def monitors_of(
    scene: UnitCell, quantities: Sequence[Quantity], place: Place, pixel: float, lines: tuple[float, ...]
) -> dict[str, Monitor]:
    """A monitor for each field. Raises ValueError: an angle, a line across the axes, a component that is not there."""
    out = {}
    dims = dimensions(scene)
    for quantity in quantities:
        if not isinstance(quantity, CellField):
            continue
        if float(scene.angle):
            raise ValueError(
                f"{quantity.id}: fields in a unit cell are of normal incidence; {scene.id} is lit at an angle"
            )
        if quantity.field != "intensity" and quantity.field not in present(scene):
            raise ValueError(
                f"{quantity.id}: light polarised along {scene.polarization} has no {quantity.field} in "
                f"{scene.id}; it has {', '.join(present(scene))}"
            )
        for axis in axes_of(quantity):
            if ALONG[dims][axis] is None or (dims == 2 and axis == 1):
                raise ValueError(
                    f"{quantity.id}: nothing changes along {'xyz'[axis]} in {scene.id}; start and end differ "
                    "there"
                )
        wanted = present(scene) if quantity.field == "intensity" else (quantity.field,)
        own = dict.fromkeys(component(scene, name) for name in (*wanted, incident(scene)))
        centre, size = _recorded(scene, quantity, place, pixel)
        out[f"cell_{quantity.mark}"] = Monitor(
            kind="fields", center=centre, size=size, frequencies=lines, components=tuple(own)
        )
    return out


def _recorded(
    scene: UnitCell, quantity: CellField, place: Place, pixel: float
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Centre and size in a run. Along a period all of it is recorded: the field goes on beyond the cell."""
    dims = dimensions(scene)
    low, high = ends(quantity)
    points = []
    for point in (low, high):
        at = [0.0, 0.0, 0.0]
        for axis, value in enumerate(point):
            own = ALONG[dims][axis]
            if own is not None and not (dims == 2 and axis == 1):
                at[own] = (
                    height(scene, {"first": place.first, "last": place.last}, value) if axis == 2 else value
                )
        points.append(tuple(at))
    centre, size = recorded(_Line(quantity.id, *points), pixel, range(3))
    for axis, period in enumerate(scene.period):
        own = ALONG[dims][axis]
        assert own is not None
        p = float(period)
        if axis in axes_of(quantity):
            centre[own], size[own] = 0.0, p
        else:
            centre[own] = (centre[own] + p / 2) % p - p / 2
    return (centre[0], centre[1], centre[2]), (size[0], size[1], size[2])
