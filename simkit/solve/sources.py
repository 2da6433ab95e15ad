"""Sources of a run into Meep's."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import meep as mp

from simkit.errors import ParameterError
from simkit.runs import Run, Source, Vector

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
SLOWNESS = 5.0  # the switch-on begins at 5e-5 of the amplitude
AXES = {"x": mp.X, "y": mp.Y, "z": mp.Z}


def component(run: Run, name: str) -> Any:
    """Meep's component. In 1D the second polarisation is calculated as the first. Raises ParameterError."""
    if run.dimensions == "1D":
        name = ONLY_IN_1D.get(name, name)
    if run.dimensions == "cylindrical":
        name = {"x": "r", "y": "p"}.get(name[-1:], name[-1:]).join([name[:-1], ""])
    if name not in COMPONENTS:
        raise ParameterError(f"component {name!r}; known: {', '.join(COMPONENTS)}.")
    return COMPONENTS[name]


def parity(words: str) -> int:
    """Meep's sum of 'ODD_Z+EVEN_Y'. Raises ParameterError."""
    known = {
        name: getattr(mp, name)
        for name in ("EVEN_X", "ODD_X", "EVEN_Y", "ODD_Y", "EVEN_Z", "ODD_Z", "TE", "TM")
        if hasattr(mp, name)
    }
    parts = [word for word in words.split("+") if word]
    if unknown := [word for word in parts if word not in known]:
        raise ParameterError(f"parity {unknown[0]!r}; known: {', '.join(known)}.")
    return sum(known[word] for word in parts) if parts else mp.NO_PARITY


def sources(run: Run) -> list[Any]:
    """Meep's sources."""
    return [
        _eigenmode(run, source) if source.kind == "eigenmode" else _current(run, source)
        for source in run.sources
    ]


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


def _eigenmode(run: Run, source: Source) -> Any:
    along = "xyz".index(source.axis)
    k = source.wave_vector or tuple(float(i == along) for i in range(3))
    straight = all(abs(part) < 1e-12 for i, part in enumerate(k) if i != along)
    return mp.EigenModeSource(
        _pulse(source),
        center=mp.Vector3(*source.center),
        size=mp.Vector3(*source.size),
        amplitude=_amplitude(source),
        direction=AXES[source.axis] if straight else mp.NO_DIRECTION,
        eig_kpoint=mp.Vector3(*k),
        eig_band=source.mode,
        eig_parity=parity(source.parity),
        eig_match_freq=True,
        component=component(run, source.component) if source.component else mp.ALL_COMPONENTS,
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
