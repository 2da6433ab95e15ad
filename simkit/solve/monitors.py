"""DFT monitors of a run: attached before it, read into raw arrays after it.

DFTs look as rarely as the pulse allows (`every`): Meep's own choice looks at the edge of what a sum over steps can tell
apart, and leaves 3e-4 in a transmittance whatever the resolution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import ParameterError
from simkit.runs import Monitor, Run
from simkit.solve.errors import CannotSubtract
from simkit.solve.guided_modes import grouped, guided_modes, rim_index, window
from simkit.solve.sources import component

Arrays = dict[str, np.ndarray]
ON_AXIS = 1e-9
SAMPLES = 16
FIELDS6 = ("Ex", "Ey", "Ez", "Hx", "Hy", "Hz")


@dataclass
class Attached:
    """A monitor in a simulation. data: its DFT fields by name, each (points x frequencies) flat, frequency fastest.

    read: raw arrays, without the monitor's name. load: puts fields in, negated. found: Meep's own, of a flux.
    """

    frequencies: tuple[float, ...]
    data: Callable[[], Arrays]
    read: Callable[[], Arrays]
    load: Callable[[Mapping[str, np.ndarray]], None] | None = None
    found: Any = None


def attach(sim: Any, run: Run, name: str, monitor: Monitor) -> Attached | None:
    """Add a DFT monitor to the simulation; None for the kinds that look at every step (probes.py)."""
    kind = {
        "flux": _flux,
        "flux_box": _flux,
        "modes": _modes,
        "far_field": _far_field,
        "fields": _fields,
        "energy": _energy,
    }.get(monitor.kind)
    if kind is None:
        return None
    if not monitor.frequencies:
        raise ParameterError(f"monitor {name}: no frequencies.")
    return kind(sim, run, monitor)


def every(run: Run, monitor: Monitor) -> int:
    """Steps from one look of a DFT to the next: SAMPLES to a period of the highest frequency in the light.

    What is taken for a frequency f by mistake is light at SAMPLES - 1 times the highest and more, where a pulse has only what its
    switch-on leaves: at a band's edge 1e-6 of T for 16 samples, 2e-5 for 4 (a film whose R + T is 1 to 2e-8 at every step; beside
    all of a wire's flux 1e-11). Harmonics reach farther, and what begins or ends while there is light is no pulse: every step there.
    """
    begins = monitor.start is not None or any(source.kind == "continuous" for source in run.sources)
    if begins or _harmonics((run.geometry, run.stack, run.background, run.materials)):
        return 1
    highest = max(*monitor.frequencies, *(source.frequency + source.width for source in run.sources), 0.0)
    return max(1, math.floor(run.resolution / (run.courant * SAMPLES * highest)))


def _harmonics(node: Any) -> bool:
    """Whether a medium in these plain data answers at other frequencies than its light's."""
    if isinstance(node, Mapping):
        own = any(np.any(np.asarray(node[name], float)) for name in ("chi2", "chi3") if node.get(name))
        return own or any(map(_harmonics, node.values()))
    return isinstance(node, (list, tuple)) and any(map(_harmonics, node))


def axes_of(run: Run) -> str:
    """Axes along which the cell has extent."""
    return {"1D": "z", "2D": "xy", "3D": "xyz", "cylindrical": "xz"}[run.dimensions]


def direction(run: Run, axis: str) -> Any:
    """Meep's direction of an axis."""
    return (
        mp.R if run.dimensions == "cylindrical" and axis == "x" else {"x": mp.X, "y": mp.Y, "z": mp.Z}[axis]
    )


def normal(run: Run, monitor: Monitor) -> str:
    """The axis a plane looks along: the one of the cell's axes along which it has no extent."""
    flat = [axis for axis in axes_of(run) if monitor.size["xyz".index(axis)] == 0]
    if len(flat) == 1:
        return flat[0]
    if monitor.axis in flat:
        return monitor.axis
    raise ParameterError(
        f"a plane of size {monitor.size} has no normal in a {run.dimensions} cell; give its axis."
    )


def sides(run: Run, monitor: Monitor) -> list[tuple[str, float, Any, Any]]:
    """(axis, sign, center, size) of a box's faces; the face on the axis of a cylindrical cell is left out."""
    found = []
    for axis in axes_of(run):
        number = "xyz".index(axis)
        for sign in (-1.0, 1.0):
            name = ("-" if sign < 0 else "+") + axis
            center, size = list(monitor.center), list(monitor.size)
            center[number] += sign * size[number] / 2
            size[number] = 0.0
            on_axis = run.dimensions == "cylindrical" and axis == "x" and center[0] <= ON_AXIS
            if not on_axis and (not monitor.sides or name in monitor.sides):
                found.append((axis, sign, mp.Vector3(*center), mp.Vector3(*size)))
    return found


def whole(part: Any) -> np.ndarray:
    """All DFT data of a monitor on every process; under MPI Meep gives each its own part, zeros elsewhere."""
    if mp.count_processors() == 1:
        return np.asarray(part)
    from mpi4py import MPI  # comes with a Meep with MPI

    return np.asarray(MPI.COMM_WORLD.allreduce(np.asarray(part), op=MPI.SUM))


def _regions(run: Run, monitor: Monitor, region: Any) -> list[Any]:
    """A plane, or all faces of a box with outward weights."""
    box = monitor.kind == "flux_box" or all(monitor.size["xyz".index(a)] > 0 for a in axes_of(run))
    if not box:
        return [
            region(
                center=mp.Vector3(*monitor.center),
                size=mp.Vector3(*monitor.size),
                direction=direction(run, normal(run, monitor)),
                weight=monitor.weight,
            )
        ]
    return [
        region(center=center, size=size, direction=direction(run, axis), weight=sign * monitor.weight)
        for axis, sign, center, size in sides(run, monitor)
    ]


def _flux(sim: Any, run: Run, monitor: Monitor) -> Attached:
    found = sim.add_flux(
        list(monitor.frequencies),
        *_regions(run, monitor, mp.FluxRegion),
        decimation_factor=every(run, monitor),
    )
    return _with_flux(sim, monitor, found, lambda: {})


def _with_flux(sim: Any, monitor: Monitor, found: Any, more: Callable[[], Arrays]) -> Attached:
    def data() -> Arrays:
        fields = sim.get_flux_data(found)
        return {"E": whole(fields.E), "H": whole(fields.H)}

    def load(fields: Mapping[str, np.ndarray]) -> None:
        _fit(data(), fields)
        sim.load_minus_flux_data(found, mp.simulation.FluxData(E=fields["E"], H=fields["H"]))

    return Attached(
        monitor.frequencies,
        data,
        lambda: {"flux": np.array(mp.get_fluxes(found)), **data(), **more()},
        load,
        found,
    )


def _fit(own: Arrays, given: Mapping[str, np.ndarray]) -> None:
    for name, values in own.items():
        if name not in given:
            raise CannotSubtract(
                f"the fields to subtract have no {name!r}; they have: {', '.join(sorted(given))}."
            )
        if np.shape(given[name]) != values.shape:
            raise CannotSubtract(
                f"{name} to subtract has {np.size(given[name])} numbers, the monitor {values.size}: both runs"
                " need the same grid, mirrors, place and frequencies."
            )


def _modes(sim: Any, run: Run, monitor: Monitor) -> Attached:
    where = window(run, monitor.axis, monitor.center, monitor.size)
    names = [f"E{axis}" for axis in where.across]
    if run.dimensions == "2D":
        names = [name for name in names if (name == "Ez") == ("ODD_Z" in monitor.parity)]
    center, size = where.plane()
    found = sim.add_dft_fields(
        [component(run, name) for name in names],
        list(monitor.frequencies),
        center=mp.Vector3(*center),
        size=mp.Vector3(*size),
        yee_grid=True,
        decimation_factor=every(run, monitor),
    )

    def recorded(name: str, number: int) -> np.ndarray:
        """(u, v), on the grid points that the modes are on."""
        values, shape = np.asarray(sim.get_dft_array(found, component(run, name), number)), where.shape(name)
        if values.ndim == 1:
            values = values.reshape([1 if side == 1 else -1 for side in shape])
        elif where.axis == "y":
            values = values.T
        beyond = [(got - own) // 2 for got, own in zip(values.shape, shape, strict=True)]  # half a pixel
        cut = tuple(slice(more, more + own) for more, own in zip(beyond, shape, strict=True))
        return np.asarray(values[cut])

    def data() -> Arrays:
        return {
            name: np.stack([recorded(name, k) for k in range(len(monitor.frequencies))], axis=-1)
            for name in names
        }

    def read() -> Arrays:
        got = data()
        power = np.zeros((monitor.count, len(monitor.frequencies)))
        index, rim = np.zeros_like(power), np.zeros_like(power)
        for k, frequency in enumerate(monitor.frequencies):
            per_index, fields = (
                2 * math.pi * frequency,
                {name: values[..., k] for name, values in got.items()},
            )
            rim[:, k] = rim_index(sim, where, frequency)
            if run.dimensions == "2D":  # films have no two modes alike
                modes = [
                    [mode] for mode in guided_modes(sim, where, frequency, monitor.parity, monitor.count)
                ]
            else:
                found = guided_modes(sim, where, frequency, monitor.parity, 2 * monitor.count)
                modes = grouped(found, rim[0, k] * per_index)[: monitor.count]
            for n, alike in enumerate(modes):
                power[n, k] = monitor.weight * sum(
                    abs(mode.share(fields)) ** 2 * mode.carried for mode in alike
                )
                index[n, k] = alike[0].beta / per_index
        return {"power": power, "index": index, "rim": rim}

    return Attached(monitor.frequencies, data, read)


def directions(run: Run, monitor: Monitor) -> np.ndarray:
    """Unit vectors (d, 3) of a far field: those given, or `count` over the full circle of the cell's plane."""
    if monitor.directions:
        return np.array(monitor.directions, float)
    angle = 2 * math.pi * np.arange(monitor.count) / monitor.count
    flat, across, along = np.zeros_like(angle), np.cos(angle), np.sin(angle)
    if run.dimensions == "2D":
        return np.stack([across, along, flat], 1)
    return np.stack([along, flat, across], 1)  # from the z axis on, in the plane x-z


def _far_field(sim: Any, run: Run, monitor: Monitor) -> Attached:
    regions = _regions(run, monitor, mp.Near2FarRegion)
    found = sim.add_near2far(list(monitor.frequencies), *regions, decimation_factor=every(run, monitor))

    def data() -> Arrays:
        return {"F": whole(sim.get_near2far_data(found).F)}

    def load(fields: Mapping[str, np.ndarray]) -> None:
        _fit(data(), fields)
        sim.load_minus_near2far_data(found, mp.simulation.NearToFarData(F=fields["F"]))

    def read() -> Arrays:
        where, n = directions(run, monitor), len(monitor.frequencies)
        fields = np.zeros((len(where), n, 6), complex)
        for number, unit in enumerate(where):
            place = mp.Vector3(*monitor.center) + mp.Vector3(*unit) * monitor.radius
            if run.dimensions == "cylindrical":
                place = mp.Vector3(*unit) * monitor.radius + mp.Vector3(z=monitor.center[2])
            fields[number] = np.array(sim.get_farfield(found, place)).reshape(n, 6)
        return {"directions": where, "fields": fields, **data()}

    return Attached(monitor.frequencies, data, read, load)


def _fields(sim: Any, run: Run, monitor: Monitor) -> Attached:
    names = monitor.components or FIELDS6
    wanted = [component(run, name) for name in names]
    # Meep's array of a single point is one corner's value times its weight: a short line is read instead.
    line = axes_of(run)[-1] if all(monitor.size["xyz".index(a)] == 0 for a in axes_of(run)) else ""
    size = [
        2 / run.resolution if axis == line else side for axis, side in zip("xyz", monitor.size, strict=True)
    ]
    found = sim.add_dft_fields(
        wanted,
        list(monitor.frequencies),
        center=mp.Vector3(*monitor.center),
        size=mp.Vector3(*size),
        decimation_factor=every(run, monitor),
    )

    def read() -> Arrays:
        x, y, z, weights = sim.get_array_metadata(dft_cell=found)
        raw = {"x": np.asarray(x), "y": np.asarray(y), "z": np.asarray(z), "weights": np.asarray(weights)}
        for name, one in zip(names, wanted, strict=True):
            raw[name] = np.array(
                [sim.get_dft_array(found, one, i) for i in range(len(monitor.frequencies))], complex
            )
        if line:
            return _at_point(monitor, raw, names, line)
        return _cylindrical(run, monitor, raw, names) if run.dimensions == "cylindrical" else raw

    def data() -> Arrays:
        return {"fields": whole(sim.get_dft_data(found.chunks))}

    return Attached(monitor.frequencies, data, read)


def _at_point(monitor: Monitor, raw: Arrays, names: Sequence[str], line: str) -> Arrays:
    place = monitor.center["xyz".index(line)]
    found = {axis: np.array([center]) for axis, center in zip("xyz", monitor.center, strict=True)}
    return (
        found
        | {"weights": np.ones(())}
        | {name: np.array([np.interp(place, raw[line], row) for row in raw[name]]) for name in names}
    )


def _cylindrical(run: Run, monitor: Monitor, raw: Arrays, names: Sequence[str]) -> Arrays:
    """Fields as (n, r, z) with their places; Meep gives (n, z, r) and no radii there. weights: 2 pi r dr dz."""
    both = monitor.size[0] > 0 and monitor.size[2] > 0
    if both:
        raw |= {name: np.swapaxes(raw[name], 1, 2) for name in names}
    shape, weights = raw[names[0]].shape[1:], np.ones(1)
    for axis, number in (("x", 0), ("z", 2)):
        low, high = (monitor.center[number] + sign * monitor.size[number] / 2 for sign in (-1, 1))
        if high == low:
            raw[axis], share = np.array([low]), np.ones(1)
        else:
            count = shape[0] if number == 0 else shape[-1]
            first = max(math.floor(low * run.resolution - 0.5 + 1e-9), 0 if number == 0 else -math.inf)
            raw[axis] = (first + 0.5 + np.arange(count)) / run.resolution
            half = 0.5 / run.resolution
            share = np.clip(np.minimum(raw[axis] + half, high) - np.maximum(raw[axis] - half, low), 0, None)
        share = share * (2 * np.pi * raw["x"] if number == 0 else 1)
        weights = np.multiply.outer(weights, share)
    return raw | {"y": np.zeros(1), "weights": weights.reshape(shape)}


def _energy(sim: Any, run: Run, monitor: Monitor) -> Attached:
    # The direction is not used, but Meep asks for one where the region is no plane.
    region = mp.EnergyRegion(
        center=mp.Vector3(*monitor.center),
        size=mp.Vector3(*monitor.size),
        weight=monitor.weight,
        direction=direction(run, axes_of(run)[0]),
    )
    found = sim.add_energy(list(monitor.frequencies), region, decimation_factor=every(run, monitor))

    def read() -> Arrays:
        return {
            "electric": np.array(mp.get_electric_energy(found)),
            "magnetic": np.array(mp.get_magnetic_energy(found)),
        }

    def data() -> Arrays:
        return {"energy": np.sqrt(np.abs(np.array(mp.get_total_energy(found))))}

    return Attached(monitor.frequencies, data, read)
