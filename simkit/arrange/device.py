"""A device into runs: the structure and, in the same cell, its source's guide made straight and endless; and a straight guide for
every other mode that is asked for.

A straight guide says what comes in, and what a pure mode's fields are at the port's plane, on the same grid. Reflected fields are
the structure's minus the source's straight guide's; powers in a mode are overlaps with recorded fields (backward mode coefficients
of Meep are wrong by 10 % at 20 pixels a wavelength). A guide for a mode has a cell of its own, the same wherever it lies and
however large the device is: ports that are alike, and the points of a sweep, share it.

Along a port's axis, outwards: outermost bound of any body, FREE, the port's plane, AHEAD, the source, BEHIND, PML. Guides run
straight on into the PML.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.bands import pulses
from simkit.arrange.device_cell import DeviceCell, core, of_another, opposite, place, sign, window
from simkit.arrange.device_pattern import far_fields, radiating
from simkit.arrange.device_planes import at_port, crossed, phase_planes, plane, recorded_fields, shown
from simkit.arrange.extent import extent, finite, halved, symmetric
from simkit.arrange.narrowest import axes_in, coarsest, solids_of
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive, permittivity
from simkit.arrange.placing import endless, moved, overlapping, rounded
from simkit.describe.base import INF
from simkit.describe.device import (
    Device,
    DeviceField,
    Port,
    PortDelay,
    PortPhase,
    PortReflectance,
    PortTransmittance,
    leaves,
)
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.scene import Quantity
from simkit.runs import Layer, Run, Source, Stop, Vector

PIXELS_PER_WAVELENGTH = {"2D": 14, "3D": 10}
PIXELS_PER_BODY, PIXELS_PER_GAP = {"2D": 6, "3D": 4}, 4
SMOOTH_PX = 2  # of either where Meep takes means of the permittivity: the wavelength sets the error, and the ladder tells it
LONGEST_RUN = 20_000.0  # periods of the lowest frequency after the source
PARITY = {"Ez": "ODD_Z", "Hz": "EVEN_Z", "all": ""}
SIDES = ("-x", "+x", "-y", "+y")


def needs(scene: Device, materials: Mapping[str, Any]) -> Needs:
    """Pixels per wavelength in the densest medium, in the narrowest body and gap; edges whole."""
    low, high = scene.band.frequencies()
    index = max(
        math.sqrt(max(abs(permittivity(m, f, materials).real), 1.0))
        for m in _media(scene)
        for f in (low, high)
    )
    edges = {
        round(abs(v), 9)
        for body in scene.bodies
        if body.type == "block"
        for pair in extent([body])
        for v in pair
        if finite(v) and v != 0
    }
    solids = solids_of(scene.bodies, axes_in(scene.dimensions))
    pixels = (PIXELS_PER_BODY[scene.dimensions], PIXELS_PER_GAP)
    if smoothed := _smoothed(scene, materials):
        pixels = (SMOOTH_PX, SMOOTH_PX)
    finest = coarsest(solids, pixels[0], background=scene.background, per_gap=pixels[1])
    least = min(finest, 60 * high * index)
    return Needs(
        resolution=max(PIXELS_PER_WAVELENGTH[scene.dimensions] * high * index, least),
        whole=tuple(sorted(edges)),
        smoothed=smoothed,
    )


def arrange(
    scene: Device, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """Runs 'straight' (the source's guide), 'guide_<n>' (modes of other ports) and 'device'.

    facts: pure, 'port/mode' -> run with its fields; axis and outward sign of each port. Every plane has a flux and fields
    across, those of a straight guide's other end are 'check' and of a guide 'check_PORT'. Raises ValueError for media
    with loss in a guide, and for a port that is no port.
    """
    asked = _asked(scene, quantities)
    modes = {port.id: [mode for own, mode in asked if own is port] or [1] for port in scene.ports}
    cell = DeviceCell(scene, numerics, materials, shown(quantities), radiating(quantities), modes)
    source = scene.port(scene.source)
    inwards = {"+": "-", "-": "+"}[source.side[0]] + source.side[1]
    counted = any(isinstance(quantity, (PortPhase, PortDelay)) for quantity in quantities)
    short = cell if counted else cell.without_structure(source.side)
    mirror = _mirror(scene, quantities, cell)
    base, bare = (_base(scene, numerics, materials, one, mirror) for one in (cell, short))
    straight = _straight(scene, bare, short, source, scene.mode, inwards, numerics.samples)
    runs, pure, alone = {"straight": straight}, {}, {}
    for port, mode in asked:
        if port is source and mode == scene.mode:
            pure[f"{port.id}/{mode}"] = "straight"
            continue
        if _alike(_straight(scene, bare, short, port, mode, port.side, numerics.samples), straight):
            pure[f"{port.id}/{mode}"] = "straight"
            continue
        both = mirror if _twins(scene, port) else ()
        own = alone.setdefault(port.id, cell.around(port, bool(both)))
        run = _guide(scene, numerics, materials, own, port, mode, both)
        name = next((name for name, other in runs.items() if _alike(run, other)), f"guide_{len(runs)}")
        runs.setdefault(name, run)
        pure[f"{port.id}/{mode}"] = name
    for name, run in runs.items():
        looked = {
            port for key, own in pure.items() if own == name for port in [scene.port(key.split("/")[0])]
        }
        if name == "straight":
            looked.add(source)
        monitors = dict(run.monitors)
        for port in sorted(looked, key=lambda port: port.id):
            own = short if name == "straight" else alone[port.id]
            monitors |= at_port(scene, cell, port, numerics.samples, own)
            if name != "straight":
                other = own.plane(opposite(port.side))
                check = plane(scene, cell, port, f"check_{port.id}", other, numerics.samples, own)
                monitors |= {key: monitor for key, monitor in check.items() if key.startswith("fields_")}
        runs[name] = replace(run, monitors=monitors)
    planes = phase_planes(scene, cell, quantities, numerics.samples)
    seen = {
        key: monitor
        for key, (monitor, where) in planes.items()
        if where == "straight" or pure.get(where) == "straight"
    }
    runs["straight"] = replace(runs["straight"], monitors={**runs["straight"].monitors, **seen})
    device = replace(
        _straight(scene, base, cell, source, scene.mode, inwards, numerics.samples),
        geometry=base.geometry,
        monitors={
            key: monitor
            for port in scene.ports
            for key, monitor in at_port(scene, cell, port, numerics.samples).items()
        }
        | {key: monitor for key, (monitor, where) in planes.items() if where != "straight"}
        | recorded_fields(scene, cell, quantities, numerics.samples)
        | crossed(scene, cell, quantities, numerics.samples)
        | far_fields(scene, cell, quantities, numerics.samples),
        subtract={f"flux_{source.id}": (runs["straight"].digest(), f"flux_{source.id}")},
    )
    return Arrangement(
        {**runs, "device": device},
        {
            "pure": pure,
            "sign": {port.id: sign(port.side) for port in scene.ports},
            "axis": {port.id: port.side[1] for port in scene.ports},
            "middle": tuple(cell.middle),
            "longest": cell.longest,
            "core": core(cell, source),
        },
    )


def _asked(scene: Device, quantities: Sequence[Quantity]) -> list[tuple[Port, int]]:
    found = []
    for quantity in quantities:
        if isinstance(quantity, (PortTransmittance, PortPhase, PortDelay)):
            several = isinstance(quantity, PortTransmittance)
            ports = [scene.port(name) for name in (quantity.ports if several else (quantity.port,))]
            if any(port.id == scene.source for port in ports):
                raise ValueError(
                    f"quantity {quantity.id}: what goes back through the source is a PortReflectance"
                )
        elif isinstance(quantity, PortReflectance):
            ports = [scene.port(scene.source)]
        else:
            continue
        if quantity.mode is not None:
            found += [(port, quantity.mode) for port in ports if (port, quantity.mode) not in found]
    return found


def _base(
    scene: Device,
    numerics: Numerics,
    materials: Mapping[str, Any],
    cell: DeviceCell,
    mirrors: tuple[tuple[Any, int], ...] = (),
) -> Run:
    """The structure without source and monitors."""
    low = scene.band.frequencies()[0]
    if scene.dimensions == "3D" and scene.polarization != "all":
        if not symmetric(scene.bodies, 2) or any(abs(float(port.height)) > 1e-9 for port in scene.ports):
            raise ValueError(
                f"device {scene.id} is not symmetric about z = 0, so its modes are mixed; polarization='all'"
            )
        mirrors = (*mirrors, ("z", 1 if scene.polarization == "Hz" else -1))
    plain = scene.model_dump(mode="json")
    step = [-m for m in cell.middle]
    return Run(
        dimensions=scene.dimensions,
        cell=(cell.size[0], cell.size[1], cell.size[2]),
        resolution=numerics.resolution,
        layers=tuple(Layer("pml", "xyz"[i], cell.thick) for i in cell.axes),  # type: ignore[arg-type]
        geometry=tuple(moved(overlapping(body, numerics.resolution), step) for body in plain["bodies"]),
        sources=(),
        monitors={},
        background=plain["background"],
        stop=Stop("settled", numerics.decay, LONGEST_RUN / low * numerics.run_time, 4 / low),
        mirrors=mirrors,
        smoothing=_smoothed(scene, materials),
        materials={name: materials[name] for name in sorted(names_of_materials(plain))},
    )


def _mirror(scene: Device, quantities: Sequence[Quantity], cell: DeviceCell) -> tuple[tuple[Any, int], ...]:
    """The plane through the source's guide in which structure, cell and light are their own mirror image, and the phase there.

    A symmetric guide's modes are even and odd by turns in two dimensions; in three the first of a polarization is even. Recorded fields
    are read from whole cells.
    """
    source = scene.port(scene.source)
    axis = 1 - "xyz".index(source.side[1])
    light = scene.mode == 1 if scene.dimensions == "3D" else True
    if not light or scene.polarization == "all" or abs(place(source, axis)) > 1e-9:
        return ()
    sides = cell.inner["-" + "xyz"[axis]] + cell.inner["+" + "xyz"[axis]]
    phase = (1 if scene.polarization == "Ez" else -1) * (1 if scene.mode % 2 else -1)
    if abs(sides) > 1e-9 or abs(cell.middle[axis]) > 1e-9 or not halved(scene.bodies, axis, phase):
        return ()
    if any(isinstance(quantity, DeviceField) for quantity in quantities):
        return ()
    return (("xyz"[axis], phase),)


def _straight(
    scene: Device, base: Run, cell: DeviceCell, port: Port, mode: int, towards: str, samples: int
) -> Run:
    """The guide that leaves at a port, endless, with light in a mode travelling `towards` a side; checked at its other end."""
    axis = port.side[1]
    start = cell.source(opposite(towards))
    other = (
        cell.source(towards) if towards != port.side else cell.plane(opposite(towards))
    )  # far from the port's plane
    bodies = tuple(
        endless(body, axis, (-INF, INF))
        for body, own in zip(base.geometry, scene.bodies, strict=True)
        if leaves(own, port.side)
    )
    center, size = window(scene, cell, port)
    at = [start if n == "xyz".index(axis) else c for n, c in enumerate(center)]
    run = replace(base, geometry=bodies, sources=_mode(scene, cell, port, mode, towards, at, size))
    return replace(run, monitors=plane(scene, cell, port, "check", other, samples))


def _mode(
    scene: Device, cell: DeviceCell, port: Port, mode: int, towards: str, at: Sequence[float], size: Vector
) -> tuple[Source, ...]:
    """Light in a guided mode from a plane across a guide, in the scene's coordinates."""
    axis: Any = port.side[1]
    k = [0.0, 0.0, 0.0]
    k["xyz".index(axis)] = float(sign(towards))
    return tuple(
        Source(
            "eigenmode",
            "",
            cell.shifted(at),
            size,
            middle,
            width,
            wave_vector=(k[0], k[1], k[2]),
            mode=mode,
            axis=axis,
            parity=PARITY[scene.polarization],  # type: ignore[arg-type]
        )
        for middle, width in pulses(scene.band)
    )


def _guide(
    scene: Device,
    numerics: Numerics,
    materials: Mapping[str, Any],
    own: DeviceCell,
    port: Port,
    mode: int,
    mirror: tuple[tuple[Any, int], ...],
) -> Run:
    """The guide that leaves at a port, endless and alone in a cell of its own, with light in a mode travelling outwards.

    mirror: together with its image in this plane, in the mode that both share: what is radiated is no part of that one, but
    between two guides it looks like some of each alone (by 1 to 2 % of the light that came in).
    """
    base = _base(scene, numerics, materials, own, mirror)
    bodies = tuple(
        {**rounded(endless(body, port.side[1], (-INF, INF))), "id": "guide"}
        for body, drawn in zip(base.geometry, scene.bodies, strict=True)
        if leaves(drawn, port.side) and (mirror or not of_another(scene, port, drawn))
    )
    center, size = own.across(port) if mirror else window(scene, own, port)
    at = [
        own.source(opposite(port.side)) if n == "xyz".index(port.side[1]) else c for n, c in enumerate(center)
    ]
    sources = _mode(scene, own, port, mode, port.side, at, size)
    for axis, phase in mirror:
        side = f"+{'EVEN' if phase > 0 else 'ODD'}_{axis.upper()}"
        sources = tuple(replace(source, parity=source.parity + side) for source in sources)
    return replace(base, geometry=bodies, sources=sources)


def _twins(scene: Device, port: Port) -> bool:
    """Whether a port and another, at the same distance from the middle, are the only ones of their side."""
    others = [other for other in scene.ports if other.side == port.side and other is not port]
    axis = 1 - "xyz".index(port.side[1])
    return len(others) == 1 and abs(place(others[0], axis) + place(port, axis)) < 1e-9


def _alike(one: Run, other: Run) -> bool:
    return one.cell == other.cell and one.geometry == other.geometry and one.sources == other.sources


def _smoothed(scene: Device, materials: Mapping[str, Any]) -> bool:
    """Whether Meep takes means of the permittivity where faces cut pixels: of media without poles."""
    return not any(dispersive(m, materials) for m in _media(scene))


def _media(scene: Device) -> list[Any]:
    shapes = [body.body if body.type == "repeat" else body for body in scene.bodies]
    found = [
        scene.background,
        *(m for s in shapes for m in (s.medium, getattr(s, "filling", None)) if m is not None),
    ]
    return [m for m in found if not isinstance(m, PerfectConductor)]
