"""The run in which one mode of plane films rings at a real wave vector: its cell, currents in the mode's shape, probes, fields."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from simkit.arrange.film_modes import FilmMode, Films
from simkit.arrange.numerics import Numerics
from simkit.arrange.places import axes_of, ends
from simkit.describe.waveguide import GuidedProfile
from simkit.runs import Layer, Monitor, Run, Source, Stop

COMPONENTS = {"Ez": ("Ez", "Hx", "Hy"), "Hz": ("Ex", "Ey", "Hz")}
INVARIANT_PX = 2  # one is drawn without the metal: its nodes lie on the edge of every body
ABSORBING = {"pml": 0.5, "absorber": 1.0}  # vacuum wavelengths
LEAST_TAIL, BELOW_LOSS = (
    5.0,
    1e-3,
)  # decay lengths of free cladding; what comes back from their end over the loss
NARROW, WIDE, BROAD = (
    0.04,
    0.2,
    0.6,
)  # of the frequency: half of the band about a mode, at least and at most; width of the widest pulse
SELECTS, FOLLOWS = 1.5, 6.0  # width of the pulse over half of the band, over the width of the mode's line
RINGS, LEAST_RINGS, MOST_RINGS, MOST_PERIODS = (
    5.0,
    0.5,
    8.0,
    1500.0,
)  # over half of the band; times Q/(pi f); periods
SINCE = 0.25  # of the run's time: from when on fields are recorded
BESIDE_PX = 3
CURRENTS, PROBES = 8, 3
TIME_ONLY = 1e-9  # a run that ends after a time settles to nothing


@dataclass(frozen=True)
class Guide:
    """films; media as plain dictionaries, from below to above; ends: what absorbs at the ends of the cell; confirmed fits."""

    films: Films
    media: tuple[dict[str, Any], ...]
    ends: Literal["pml", "absorber"]
    materials: Mapping[str, Any]


def ringing(
    guide: Guide,
    modes: Sequence[FilmMode],
    number: int,
    place: tuple[float, complex],
    shown: Sequence[GuidedProfile],
    numerics: Numerics,
) -> Run:
    """Mode `number` at a wave vector (1/length) and the complex frequency that it should have there; shown: its profiles."""
    films, mode, (k, at) = guide.films, modes[number - 1], place
    f, quality = at.real, at.real / max(-2 * at.imag, 1e-300)
    half = rounded(_half(films, modes, number, k, f), 3)
    rings = quality / (math.pi * f)
    time = max(LEAST_RINGS * rings, min(RINGS / half, MOST_RINGS * rings))
    time = rounded(min(time, max(MOST_PERIODS / f, RINGS / half)), 3) * numerics.run_time
    pixel, wave = 1 / numerics.resolution, 1 / films.frequency
    tail = max(LEAST_TAIL, 0.5 * math.log(quality / BELOW_LOSS)) * numerics.padding
    beyond = [_beyond(films, shown, side) + BESIDE_PX * pixel for side in (0, 1)]
    below, above = (max(rounded(tail / decay, 3), far) for decay, far in zip(mode.decay, beyond, strict=True))
    thick = ABSORBING[guide.ends] * wave * numerics.absorber
    core = films.faces[-1] - films.faces[0]
    side = (
        math.ceil((below + core + above + 2 * thick) / (2 * pixel)) * pixel
    )  # half of the cell: its middle is a node
    first = round((below + thick - side) / pixel) * pixel  # where the lowest face comes to lie
    moved = first - films.faces[0]
    lows = [-side, *(face + moved for face in films.faces)]
    stack = tuple(
        (medium, low, high) for medium, low, high in zip(guide.media, lows, [*lows[1:], side], strict=True)
    )
    width = rounded(min(max(SELECTS * half, FOLLOWS * f / quality), BROAD * f), 3)
    places = [round(y / pixel) * pixel for y in _places(mode)]
    field = _at(mode, places)
    loud = sorted(range(CURRENTS), key=lambda n: -rounded(float(abs(field[n])), 2))[:PROBES]
    monitors = {
        f"probe_{n}": Monitor(
            "resonances",
            _point(places[one] + moved),
            (0.0, 0.0, 0.0),
            (f - half, f + half),
            (films.polarization,),
        )
        for n, one in enumerate(sorted(loud))
    }
    for quantity in shown:
        monitors[f"fields_{quantity.mark}"] = _recording(quantity, films, moved, pixel, f, SINCE * time)
    return Run(
        dimensions="2D",
        cell=(INVARIANT_PX * pixel, 2 * side, 0.0),
        resolution=numerics.resolution,
        layers=(Layer(guide.ends, "y", thick),),
        geometry=(),
        sources=tuple(
            Source(
                "current",
                films.polarization,
                _point(y + moved),
                (0.0, 0.0, 0.0),
                f,
                width,
                amplitude=rounded(abs(value), 2),
                phase=round(-cmath.phase(value), 2),
            )
            for y, value in zip(places, map(complex, field), strict=True)
        ),
        monitors=monitors,
        stop=Stop(kind="time", by=TIME_ONLY, max_time=time, window=0.0),
        background=guide.media[0],
        materials=guide.materials,
        bloch=(k, 0.0, 0.0),
        smoothing=False,
        stack=stack,
        stack_axis="y",
    )


def rounded(value: float, digits: int = 6) -> float:
    """A number without the last digits of a computed mode, which differ from one computer to another; runs are kept by their numbers."""
    return float(f"{value:.{digits}g}")


def components_of(quantity: GuidedProfile, polarization: str) -> tuple[str, ...]:
    """The components that a profile is of. Raises ValueError: modes of this polarization have none."""
    present = COMPONENTS[polarization]
    names = (
        tuple(name for name in present if name[0] == "E")
        if quantity.component == "E"
        else (quantity.component,)
    )
    if not set(names) <= set(present):
        raise ValueError(
            f"profile {quantity.id}: modes with polarization {polarization!r} have no {quantity.component}; they have {', '.join(present)}"
        )
    return names


def _half(films: Films, modes: Sequence[FilmMode], number: int, k: float, f: float) -> float:
    """Half of a band about a mode that holds it alone, as far as its neighbours and the light line allow."""
    beside = [
        (films.frequency + (k - m.index * films.frequency) / m.group).real
        for n, m in enumerate(modes, 1)
        if n != number
    ]
    beside.append(k / films.cladding)
    return min(max(min(abs(other - f) for other in beside) / 2, NARROW * f), WIDE * f)


def _beyond(films: Films, shown: Sequence[GuidedProfile], side: int) -> float:
    """How far beyond the lowest (0) or highest (1) face profiles reach. Raises ValueError: they do not run along y."""
    far = 0.0
    for quantity in shown:
        if axes_of(quantity) != (1,):
            raise ValueError(
                f"profile {quantity.id}: modes of films change along y alone; start and end differ elsewhere"
            )
        components_of(quantity, films.polarization)
        y = [point[1] for point in ends(quantity)]
        far = max(far, max(y) - films.faces[-1] if side else films.faces[0] - min(y))
    return far


def _recording(
    quantity: GuidedProfile, films: Films, moved: float, pixel: float, f: float, start: float
) -> Monitor:
    low, high = sorted(point[1] for point in ends(quantity))
    return Monitor(
        "fields",
        _point((low + high) / 2 + moved),
        (0.0, high - low + 2 * BESIDE_PX * pixel, 0.0),
        (f,),
        components_of(quantity, films.polarization),
        start=start,
    )


def _places(mode: FilmMode) -> list[float]:
    """Places that part the mode's |field|^2 evenly."""
    power = np.abs(mode.field) ** 2
    steps = np.diff(mode.places) * (power[1:] + power[:-1]) / 2
    grown = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    return [float(v) for v in np.interp((np.arange(CURRENTS) + 0.5) / CURRENTS, grown, mode.places)]


def _at(mode: FilmMode, places: Sequence[float]) -> np.ndarray:
    return np.asarray(
        np.interp(places, mode.places, mode.field.real) + 1j * np.interp(places, mode.places, mode.field.imag)
    )


def _point(y: float) -> tuple[float, float, float]:
    return 0.0, y, 0.0
