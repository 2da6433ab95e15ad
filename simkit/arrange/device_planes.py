"""Where a device's fields are recorded: across its ports, between planes of phases, in pictures, and through lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simkit.arrange.bands import frequencies
from simkit.arrange.device_cell import DeviceCell, window
from simkit.arrange.places import ends, recorded, spanned
from simkit.describe.device import Device, DeviceField, Port, PortDelay, PortPhase, PowerThrough
from simkit.describe.scene import Quantity
from simkit.runs import Monitor


def at_port(
    scene: Device, cell: DeviceCell, port: Port, samples: int, own: DeviceCell | None = None
) -> dict[str, Monitor]:
    placed = own or cell
    where = (placed.plane(port.side), placed.mode_plane(port.side))
    return plane(scene, cell, port, port.id, where, samples, own)


def phase_planes(
    scene: Device, cell: DeviceCell, quantities: Sequence[Quantity], samples: int
) -> dict[str, tuple[Monitor, str]]:
    """Fields at the planes between which phases are counted, with 'straight' (the source's) or the 'port/mode' that is
    looked at; 'ID_start' and 'ID_end'. Raises ValueError for a plane in the absorbers or behind a source."""
    out: dict[str, tuple[Monitor, str]] = {}
    for quantity in quantities:
        if not isinstance(quantity, (PortPhase, PortDelay)):
            continue
        if scene.polarization == "all":
            raise ValueError(f"quantity {quantity.id}: a phase needs polarization 'Ez' or 'Hz'")
        ends = (
            (scene.port(scene.source), quantity.start, "start", "straight"),
            (scene.port(quantity.port), quantity.end, "end", f"{quantity.port}/{quantity.mode}"),
        )
        for port, where, name, run in ends:
            low, high = (cell.plane(side + port.side[1]) for side in "-+")
            if not low <= float(where) <= high:
                raise ValueError(
                    f"quantity {quantity.id}: {name} = {float(where):g} lies beyond {low:g} to {high:g}, where "
                    "fields are looked at; nearer to the structure it differs by the straight guide's phase alone"
                )
            found = plane(scene, cell, port, f"{quantity.mark}_{name}", float(where), samples)
            out |= {key: (monitor, run) for key, monitor in found.items() if key.startswith("fields_")}
    return out


def shown(quantities: Sequence[Quantity]) -> list[tuple[float, float]]:
    points = [
        point
        for quantity in quantities
        if isinstance(quantity, (DeviceField, PowerThrough))
        for point in ends(quantity)
    ]
    return [(min(along), max(along)) for along in zip(*points, strict=True)]


def recorded_fields(
    scene: Device, cell: DeviceCell, quantities: Sequence[Quantity], samples: int
) -> dict[str, Monitor]:
    """A monitor for each field. Raises ValueError: no such component, no line along an axis."""
    flat = {"Ez": ("Ez",), "Hz": ("Ex", "Ey")}
    present, out = flat[scene.polarization] if scene.dimensions == "2D" else ("Ex", "Ey", "Ez"), {}
    for quantity in quantities:
        if not isinstance(quantity, DeviceField):
            continue
        if quantity.field not in ("intensity", *present):
            raise ValueError(
                f"quantity {quantity.id}: light of polarization {scene.polarization} has no {quantity.field} in "
                f"two dimensions; it has {', '.join(present)}"
            )
        centre, size = recorded(quantity, cell.pixel, cell.axes)
        out[f"field_{quantity.mark}"] = Monitor(
            "fields",
            cell.shifted(centre),
            (size[0], size[1], size[2]),
            frequencies(scene.band, samples),
            present if quantity.field == "intensity" else (quantity.field,),
        )
    return out


def crossed(
    scene: Device, cell: DeviceCell, quantities: Sequence[Quantity], samples: int
) -> dict[str, Monitor]:
    """A monitor for the power through each line. Raises ValueError: three dimensions, no line, light along it."""
    out = {}
    for quantity in quantities:
        if not isinstance(quantity, PowerThrough):
            continue
        (start, end), along = ends(quantity), spanned(quantity)
        if scene.dimensions != "2D" or along not in ((0,), (1,)) or quantity.towards[1] == "xy"[along[0]]:
            raise ValueError(
                f"quantity {quantity.id}: power crosses a line in two dimensions, start and end apart along x alone or y alone, "
                f"towards a side across it; found {start} to {end} towards {quantity.towards}"
            )
        size = tuple(abs(b - a) for a, b in zip(start, end, strict=True))
        center = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        lines, axis = frequencies(scene.band, samples), quantity.towards[1]
        out[f"through_{quantity.mark}"] = Monitor("flux", cell.shifted(center), size, lines, axis=axis)  # type: ignore[arg-type]
    return out


def plane(
    scene: Device,
    cell: DeviceCell,
    port: Port,
    name: str,
    where: float | tuple[float, float],
    samples: int,
    own: DeviceCell | None = None,
) -> dict[str, Monitor]:
    """Power and fields across a port's guide: the fields as far beside it as the cell has room, the power always as far. where: along
    the guide, of the power and of the fields. own: the cell that they are placed in, of the guide alone."""
    axis: Any = port.side[1]
    i, lines = "xyz".index(axis), frequencies(scene.band, samples)
    places = []
    along = where if isinstance(where, tuple) else (where, where)
    for of_power, there in zip((True, False), along, strict=True):
        center, size = window(scene, cell, port, of_power)
        at = [there if n == i else c for n, c in enumerate(center)]
        places.append(((own or cell).shifted(at), size))
    flux, fields = places
    return {
        f"flux_{name}": Monitor("flux", *flux, lines, axis=axis),
        f"fields_{name}": Monitor("fields", *fields, lines, _components(scene, axis), axis=axis),
    }


def _components(scene: Device, axis: str) -> tuple[str, ...]:
    """Fields across a guide."""
    across = [other for other in "xyz" if other != axis]
    names = tuple(f"{field}{other}" for field in "EH" for other in across)
    if scene.dimensions == "3D":
        return names
    return tuple(name for name in names if (name in ("Ez", "Hx", "Hy")) == (scene.polarization == "Ez"))
