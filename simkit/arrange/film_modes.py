"""Guided modes of plane films of any media, by spectral elements: where a run looks for a mode, and how its currents are weighted.

Not the value of anything: what is measured comes from the fields of the runs, and theory beside it has a method of its own
(tasks/reproduce/oracles/damped_films.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import Legendre
from numpy.typing import NDArray

Complex = NDArray[np.complex128]
Media = tuple[complex, complex, complex]
ORDER = 8  # of the polynomials of an element
PER_WAVELENGTH = 2.0  # elements in a medium, at least
GROWS = 1.8  # from one element to the next, away from a face
FARTHEST = 40.0  # vacuum wavelengths of a half-space that are looked at
MOST_ELEMENTS = 250
BOUND = 3.0  # decay lengths that must fit into a half-space for a mode to be bound
STEP = 1e-4  # relative, of the frequency, for the change of the media
ROUNDING, ALIKE = 1e-9, 1e-6


@dataclass(frozen=True)
class Films:
    """Films from below to above at one frequency (c/length): permittivities along x, y, z at it and a relative STEP below and
    above it; half-spaces first and last. faces: positions, one fewer. polarization: 'Ez' or 'Hz'."""

    frequency: float
    polarization: str
    media: tuple[Media, ...]
    below: tuple[Media, ...]
    above: tuple[Media, ...]
    faces: tuple[float, ...]

    @property
    def cladding(self) -> float:
        """The highest index of a half-space, above which light is bound."""
        axes = (2,) if self.polarization == "Ez" else (0, 1)
        return float(
            max(np.sqrt(complex(side[i])).real for side in (self.media[0], self.media[-1]) for i in axes)
        )


@dataclass(frozen=True)
class FilmMode:
    """index: complex, Im > 0 is loss along x; group: complex group index, change of index times frequency with frequency.

    decay: amplitude decays per length below and above. places, field: of Hz or Ez.
    """

    index: complex
    group: complex
    decay: tuple[float, float]
    places: NDArray[np.float64]
    field: Complex


@lru_cache(maxsize=64)
def film_modes(films: Films) -> tuple[FilmMode, ...]:
    """The bound modes whose loss over a wavelength is less than their phase, the highest index first; without false ones, which vary
    more finely than the polynomials can.

    Raises ValueError for films too thick to be looked at.
    """
    places, elements = _mesh(films)
    stiffness, mass = _matrices(films, films.media, places, elements)
    slopes = [
        _matrices(films, media, places, elements, side * STEP)
        for side, media in ((-1, films.below), (1, films.above))
    ]
    squares, fields = np.linalg.eig(stiffness / mass[:, None])
    k0, found = 2 * math.pi * films.frequency, []
    resolved = ORDER / (k0 * min(high - low for _, low, high in elements))
    for square, field in zip(squares, fields.T, strict=True):
        index = complex(np.sqrt(complex(square))) / k0
        if index.imag < -ROUNDING * abs(index):
            index = -index  # what decays along x: its phase may run backwards, and then it is none of these
        decay = tuple(_decay(films, index, side).real for side in (0, -1))
        if (
            not (films.cladding < index.real < resolved and abs(index.imag) < index.real)
            or min(decay) * FARTHEST < BOUND * films.frequency
        ):
            continue
        change = ((slopes[1][0] - slopes[0][0]) @ field - square * (slopes[1][1] - slopes[0][1]) * field) / (
            2 * STEP
        )
        slope = complex(field @ change) / complex(
            field @ (mass * field)
        )  # of k^2, over the relative frequency
        group = slope / (2 * index * k0**2)
        found.append(FilmMode(index, group, decay, places, field / field[_largest(field)]))  # type: ignore[arg-type]
    return tuple(sorted(found, key=lambda mode: -mode.index.real))


def _largest(field: Complex) -> int:
    """Where a field is largest, of places that are alike but for rounding the first."""
    size = np.abs(field)
    return int(np.argmax(size > (1 - ALIKE) * size.max()))


def _decay(films: Films, index: complex, side: int) -> complex:
    ex, ey, ez = films.media[side]
    square = index**2 - ez if films.polarization == "Ez" else (index**2 / ey - 1) * ex
    return complex(2 * math.pi * films.frequency * np.sqrt(square))


def _mesh(films: Films) -> tuple[NDArray[np.float64], list[tuple[int, float, float]]]:
    """(nodes,) and of each element its film and its ends."""
    wave = 1 / films.frequency
    scales = [wave / max(2 * math.pi * math.sqrt(max(map(abs, media))), 2 * math.pi) for media in films.media]
    largest = [2 * math.pi * scale / PER_WAVELENGTH for scale in scales]
    ends = [films.faces[0] - FARTHEST * wave, *films.faces, films.faces[-1] + FARTHEST * wave]
    elements: list[tuple[int, float, float]] = []
    for number, (low, high) in enumerate(zip(ends, ends[1:], strict=False)):
        first = min([high - low, *scales[max(0, number - 1) : number + 2]])
        most = math.inf if number in (0, len(scales) - 1) else largest[number]
        cuts = _graded(high - low, first, most, number > 0, number < len(scales) - 1)
        elements += [(number, low + a, low + b) for a, b in zip(cuts, cuts[1:], strict=False)]
    if len(elements) > MOST_ELEMENTS:
        raise ValueError(
            f"films of metal or absorbing media over {films.faces[-1] - films.faces[0]:.4g} are more than {MOST_ELEMENTS} pieces of "
            "half a wavelength; a longer wavelength, or thinner or fewer films"
        )
    inner = _lobatto()[0]
    places = np.concatenate(
        [low + (high - low) * (inner[:-1] + 1) / 2 for _, low, high in elements] + [[ends[-1]]]
    )
    return places, elements


def _graded(length: float, first: float, most: float, from_low: bool, from_high: bool) -> list[float]:
    """Cuts of 0 to length: elements that grow away from the ends that are faces."""
    sizes: list[float] = []
    size, half = min(first, most), length / 2 if from_low and from_high else length
    while sum(sizes) < half * (1 - ROUNDING):
        sizes.append(size)
        size = min(size * GROWS, most)
    grown = np.cumsum([0.0, *sizes]) * half / sum(sizes)
    if not from_low:
        return [float(v) for v in length - grown[::-1]]
    return [float(v) for v in (np.concatenate([grown, length - grown[-2::-1]]) if from_high else grown)]


def _matrices(
    films: Films,
    media: Sequence[Media],
    places: NDArray[np.float64],
    elements: Sequence[tuple[int, float, float]],
    moved: float = 0.0,
) -> tuple[Complex, Complex]:
    """Stiffness (n, n) and mass (n,) of stiffness x = k^2 mass x; moved: relative change of the frequency."""
    nodes, weights, slope = _lobatto()
    square = (2 * math.pi * films.frequency * (1 + moved)) ** 2
    stiffness, mass = np.zeros((places.size, places.size), complex), np.zeros(places.size, complex)
    for number, (film, low, high) in enumerate(elements):
        ex, ey, ez = media[film]
        flow, push, keep = (1.0, ez, 1.0) if films.polarization == "Ez" else (1 / ex, 1.0, 1 / ey)
        at, size = slice(number * ORDER, number * ORDER + nodes.size), (high - low) / 2
        stiffness[at, at] += square * push * size * np.diag(weights) - flow / size * slope.T @ (
            weights[:, None] * slope
        )
        mass[at] += keep * size * weights
    return stiffness, mass


@lru_cache(maxsize=1)
def _lobatto() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Gauss-Lobatto nodes and weights (ORDER + 1,) on -1 to 1, and the matrix of derivatives between the nodes."""
    top = Legendre.basis(ORDER)
    nodes = np.concatenate([[-1.0], np.sort(top.deriv().roots().real), [1.0]])
    values = top(nodes)
    weights = 2 / (ORDER * (ORDER + 1) * values**2)
    apart = nodes[:, None] - nodes[None, :] + np.eye(nodes.size)
    slope = values[:, None] / (values[None, :] * apart) - np.eye(nodes.size)
    np.fill_diagonal(slope, 0.0)
    slope[0, 0], slope[-1, -1] = -ORDER * (ORDER + 1) / 4, ORDER * (ORDER + 1) / 4
    return nodes, weights, slope
