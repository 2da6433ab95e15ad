"""Sources of a run into Meep's."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import ParameterError
from simkit.runs import Run, Source, Vector
from simkit.solve.guided_modes import GuidedMode, Window, guided_modes, window

COMPONENTS = {
    name: getattr(mp, name)
    for name in (
        "Ex",
        "Ey",
        "Ez",
        "Er",
        "Ep",
        "Hx",
        "Hy",
        "Hz",
        "Hr",
        "Hp",
        "Dx",
        "Dy",
        "Dz",
        "Dr",
        "Dp",
        "Bx",
        "By",
        "Bz",
    )
}
ONLY_IN_1D = {"Ey": "Ex", "Hx": "Hy", "Dy": "Dx", "Bx": "By"}  # Meep has one pair of fields in 1D
NEAR = 0.1  # of a pulse's width: over which a mode's derivative is taken
SLOWNESS = 5.0  # the switch-on begins at 5e-5 of the amplitude


def component(run: Run, name: str) -> Any:
    """Meep's component. In 1D the second polarisation is calculated as the first. Raises ParameterError."""
    if run.dimensions == "1D":
        name = ONLY_IN_1D.get(name, name)
    if run.dimensions == "cylindrical":
        name = {"x": "r", "y": "p"}.get(name[-1:], name[-1:]).join([name[:-1], ""])
    if name not in COMPONENTS:
        raise ParameterError(f"component {name!r}; known: {', '.join(COMPONENTS)}.")
    return COMPONENTS[name]


def sources(run: Run, sim: Any) -> list[Any]:
    """Meep's sources of a simulation. Raises ParameterError: a mode that does not travel there."""
    out = []
    for source in run.sources:
        if source.kind == "eigenmode":
            if sim.structure is None:
                sim.init_sim()
            out += _eigenmode(run, source, sim)
        else:
            out.append(_current(run, source))
    return out


def last_time(run: Run, sim: Any) -> float:
    """When the sources are over; 0 of continuous ones, so that their run's time counts from its start."""
    return (
        0.0
        if any(source.kind == "continuous" for source in run.sources)
        else float(sim.fields.last_source_time())
    )


def _pulse(source: Source) -> Any:
    if source.kind == "continuous":
        return mp.ContinuousSource(
            source.frequency, width=1 / source.width, cutoff=SLOWNESS, start_time=source.start
        )
    return mp.GaussianSource(
        source.frequency,
        fwidth=source.width,
        start_time=source.start,
        cutoff=source.cutoff,
        is_integrated=source.integrated,
    )


def _amplitude(source: Source) -> complex:
    return source.amplitude * cmath.exp(1j * source.phase)


def _current(run: Run, source: Source) -> Any:
    shape = {} if source.wave_vector is None else {"amp_func": _tilted(source.wave_vector)}
    return mp.Source(
        _pulse(source),
        component=component(run, source.component),
        center=mp.Vector3(*source.center),
        size=mp.Vector3(*source.size),
        amplitude=_amplitude(source),
        **shape,
    )


def _tilted(k: Vector) -> Callable[[Any], complex]:
    def amplitude(place: Any) -> complex:  # place: relative to the source's centre
        return cmath.exp(2j * cmath.pi * (k[0] * place.x + k[1] * place.y + k[2] * place.z))

    return amplitude


def _eigenmode(run: Run, source: Source, sim: Any) -> list[Any]:
    """The currents of a guided mode's tangential fields, which light it towards one side alone.

    Over the pulse's band the mode changes: its first derivative at the middle has a pulse of its own, whose spectrum is the first one's
    times the distance from the middle.
    """
    where = window(run, source.axis, source.center, source.size)
    towards = -1 if source.wave_vector and source.wave_vector["xyz".index(source.axis)] < 0 else 1
    step = NEAR * source.width
    low, mode, high = (
        _mode_at(sim, where, f, source)
        for f in (source.frequency - step, source.frequency, source.frequency + step)
    )
    parts = ((_pulse(source), mode), (_slope_of(run, source), mode.slope(low, high, 2 * step)))
    return [
        mp.Source(
            pulse,
            component=COMPONENTS[name],
            center=mp.Vector3(*source.center),
            size=mp.Vector3(*source.size),
            amplitude=_amplitude(source),
            amp_func=fields.amplitude(name, towards),
        )
        for pulse, fields in parts
        for name in fields.fields
        if np.any(fields.fields[fields.driven_by(name)])
    ]


def _mode_at(sim: Any, where: Window, frequency: float, source: Source) -> GuidedMode:
    found = guided_modes(sim, where, frequency, source.parity, source.mode)
    if len(found) < source.mode:
        raise ParameterError(
            f"mode {source.mode} of a plane across {where.axis} at frequency {frequency:.6g}: {len(found)} modes travel there."
        )
    return found[-1]


def _slope_of(run: Run, source: Source) -> Any:
    """A pulse whose spectrum is that of `_pulse` times the distance from its middle, c/unit."""
    width, middle, step = 1 / source.width, 2 * math.pi * source.frequency, run.courant / run.resolution
    peak = source.start + source.cutoff * width

    def dipole(time: float) -> complex:
        t = time - peak
        if abs(t) > source.cutoff * width:
            return 0j
        return t / (2 * math.pi * width**2 * middle) * cmath.exp(-(t**2) / (2 * width**2) - 1j * middle * t)

    return mp.CustomSource(
        lambda time: (dipole(time + step) - dipole(time)) / step,
        start_time=source.start,
        end_time=peak + source.cutoff * width,
        center_frequency=source.frequency,
        fwidth=source.width,
    )


def band(run: Run) -> tuple[float, float]:
    """Lowest and highest frequency that sources or monitors of the run care about, c/unit."""
    ends = [
        f
        for source in run.sources
        for f in (
            max(source.frequency - source.width / 2, 0.3 * source.frequency),
            source.frequency + source.width / 2,
        )
    ]
    ends += [f for monitor in run.monitors.values() for f in monitor.frequencies if f > 0]
    return min(ends, default=0.2), max(ends, default=1.0)
