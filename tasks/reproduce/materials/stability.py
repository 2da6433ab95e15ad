"""Will Meep's update of a dispersive medium stay bounded? Von Neumann analysis of the auxiliary equations.

In a homogeneous medium Meep advances P'' + g P' + w0^2 P = sigma w0^2 E by central differences, with
E = (D - P) / eps_inf at the same step (Taflove and Hagness, Computational Electrodynamics, 3rd ed., ch. 9;
Oskooi et al., Comput. Phys. Commun. 181, 687 (2010)). A field ~ z^n on a grid wave then satisfies

    (z - 2 + 1/z) eps(z) = -4 S^2 sum_i sin^2(k_i dx / 2),     S = Courant factor

and the medium is stable when no root z lies outside the unit circle for any grid wave. This says nothing of
surfaces between media, or of a PML that the medium touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from tasks.reproduce.materials.constants import ComplexArray, FloatArray
from tasks.reproduce.materials.drude_lorentz import Pole, drude_lorentz
from tasks.reproduce.materials.errors import MaterialError

# Growth below this is rounding of the roots; over 1000 time units it would be 10 %.
GROWTH_TOLERANCE = 1e-4
RESOLUTIONS = (
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.5,
    1,
    2,
    5,
    10,
    20,
    30,
    50,
    75,
    100,
    150,
    200,
    300,
    500,
    1000,
    2000,
)
PASSIVITY_FREQUENCY = 20.0
_WAVE_SAMPLES = 80


class DispersiveModel(Protocol):
    """Anything with eps_inf and Drude-Lorentz poles: a fit, or an entry of Meep's library."""

    @property
    def eps_inf(self) -> float:
        """Permittivity at infinite frequency."""

    @property
    def poles(self) -> tuple[Pole, ...]:
        """Susceptibilities, frequencies in c/um."""


@dataclass(frozen=True)
class Stability:
    """Verdict for one grid: resolution in pixels/um, growth_rate in 1/(um/c), the largest over all grid waves."""

    resolution: float
    courant: float
    dims: int
    growth_rate: float

    @property
    def stable(self) -> bool:
        """True when fields do not grow beyond rounding."""
        return self.growth_rate < GROWTH_TOLERANCE


def stability(model: DispersiveModel, resolution: float, courant: float = 0.5, dims: int = 3) -> Stability:
    """Largest growth rate of Meep's update in a homogeneous medium.

    Args:
        model: eps_inf and poles.
        resolution: pixels/um.
        courant: Courant factor, dt = courant / resolution.
        dims: 1, 2 or 3.

    Raises:
        MaterialError: a value out of range.
    """
    if not resolution > 0 or not 0 < courant <= 1 or dims not in (1, 2, 3):
        raise MaterialError(
            "stability was asked for a grid that cannot exist",
            found=f"resolution {resolution!r} pixels/um, Courant factor {courant!r}, dims {dims!r}",
            allowed="resolution > 0, 0 < courant <= 1, dims 1, 2 or 3",
            fix="give the values of the simulation; Meep's default Courant factor is 0.5",
        )
    if model.eps_inf <= 0:
        return Stability(resolution, courant, dims, np.inf)
    # z = 1 + h v keeps the polynomial well conditioned for small time steps; h = 2 pi dt with frequencies in c/um.
    h = 2 * np.pi * courant / resolution
    numerator, denominator = np.array([model.eps_inf]), np.array([1.0])
    for pole in model.poles:
        restoring = pole.f0**2 if pole.kind == "lorentz" else 0.0
        update = np.array([1 + h * pole.gamma / 2, pole.gamma + h * restoring, restoring])
        drive = pole.sigma * pole.f0**2 * np.array([h, 1.0])
        numerator = np.polyadd(np.polymul(numerator, update), np.polymul(drive, denominator))
        denominator = np.polymul(denominator, update)
    still = np.polymul([1.0, 0.0, 0.0], numerator)
    moving = np.polymul([h, 1.0], denominator)
    curls = np.geomspace(0.05**2, dims * resolution**2 / np.pi**2, _WAVE_SAMPLES)
    polynomials = still + curls[:, None] * np.pad(moving, (still.size - moving.size, 0))
    growth = (np.abs(1 + h * _roots(polynomials)) - 1) / h
    return Stability(resolution, courant, dims, float(growth.max() * 2 * np.pi))


def _roots(polynomials: FloatArray) -> ComplexArray:
    """Of each row's polynomial, highest power first: the eigenvalues of its companion matrix, shape (rows, degree)."""
    count, degree = polynomials.shape[0], polynomials.shape[1] - 1
    companion = np.zeros((count, degree, degree))
    companion[:, np.arange(1, degree), np.arange(degree - 1)] = 1.0
    companion[:, 0, :] = -polynomials[:, 1:] / polynomials[:, :1]
    return np.linalg.eigvals(companion).astype(complex)


def min_stable_resolution(model: DispersiveModel, courant: float = 0.5, dims: int = 3) -> float | None:
    """Pixels/um from which the model is stable on every finer grid up to 2000 (of RESOLUTIONS); None if never."""
    return _from_where(PlainModel(model.eps_inf, model.poles), courant, dims)


@dataclass(frozen=True)
class PlainModel:
    """A model with nothing but its numbers."""

    eps_inf: float
    poles: tuple[Pole, ...]


@lru_cache(maxsize=64)
def _from_where(model: PlainModel, courant: float, dims: int) -> float | None:
    lowest: float | None = None
    for resolution in reversed(RESOLUTIONS):
        if not stability(model, resolution, courant, dims).stable:
            break
        lowest = float(resolution)
    return lowest


def min_gain_margin(model: DispersiveModel, frequencies: Sequence[float] | None = None) -> float:
    """Smallest Im eps over frequencies in c/um (default 0.01 to 20); below 0 the medium amplifies there."""
    f = (
        np.geomspace(0.01, PASSIVITY_FREQUENCY, 4000)
        if frequencies is None
        else np.asarray(frequencies, dtype=float)
    )
    return float(drude_lorentz(f, model.eps_inf, model.poles).imag.min())


def pitfalls(model: DispersiveModel, courant: float = 0.5, dims: int = 3) -> tuple[str, ...]:
    """Remarks for people: gain, eps_inf below 1, instability at every or at coarse resolutions."""
    remarks = []
    gain = min_gain_margin(model)
    if gain < -1e-9:
        remarks.append(f"has gain: Im eps down to {gain:.3g}, fields grow in time")
    if model.eps_inf < 1:
        remarks.append(f"eps_inf {model.eps_inf:.3g} < 1")
    lowest = min_stable_resolution(model, courant, dims)
    grid = f"in {dims}D at Courant factor {courant:g}"
    if lowest is None:
        remarks.append(f"unstable at any resolution {grid}")
    elif lowest > RESOLUTIONS[0]:
        remarks.append(f"stable from {lowest:g} pixels/um {grid}")
    return tuple(remarks)
