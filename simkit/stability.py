"""Does Meep's time stepping of a dispersive medium stay bounded? Von Neumann analysis of the update equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.errors import MaterialError
from simkit.media import along_axis, distinct_axes, poles_of

TOLERATED_GROWTH = 1e-4
WAVE_NUMBERS = 60


def growth_rate(medium: Any, resolution: float, courant: float = 0.5, dimensions: int = 3) -> float:
    """Largest growth rate of any grid wave in the homogeneous medium, 1 / Meep time (<= 0: stable).

    The polarisation update of Meep (Oskooi et al., Comput. Phys. Commun. 181, 687 (2010)) and the wave equation on
    the Yee grid are combined into one characteristic polynomial. With the time step h = 2 pi dt and the amplification
    factor z = 1 + h u, its roots u are well conditioned at small time steps. Of an anisotropic medium the worst axis counts.
    """
    if (axes := distinct_axes(medium)) != "x":
        return max(growth_rate(along_axis(medium, axis), resolution, courant, dimensions) for axis in axes)
    h = 2 * np.pi * courant / resolution
    numerator, denominator = np.array([float(medium.epsilon_diag.x)]), np.array([1.0])
    for kind, f0, gamma, sigma in poles_of(medium):
        restoring = f0**2 if kind == "lorentz" else 0.0
        term = np.array([1 + h * gamma / 2, gamma + h * restoring, restoring])
        drive = sigma * f0**2 * np.array([h, 1.0])
        numerator = np.polyadd(np.polymul(numerator, term), np.polymul(drive, denominator))
        denominator = np.polymul(denominator, term)
    largest = dimensions * (resolution / np.pi) ** 2
    curls_squared = np.geomspace(min(2.5e-3, largest), largest, WAVE_NUMBERS)
    still = np.polymul([1.0, 0.0, 0.0], numerator)
    wave = np.polymul([h, 1.0], denominator)
    polynomials = still + curls_squared[:, None] * np.pad(wave, (len(still) - len(wave), 0))
    return float((np.abs(1 + h * _roots(polynomials)).max() - 1) / h * 2 * np.pi)


def _roots(polynomials: np.ndarray) -> np.ndarray:
    """Roots (n, degree) of each row (n, degree + 1), highest power first, as eigenvalues of the companion matrices. Those at
    0 that all rows have are split off, as they are exact."""
    kept = polynomials[:, : np.flatnonzero(polynomials.any(axis=0))[-1] + 1]
    degree = kept.shape[1] - 1
    companions = np.zeros((len(kept), degree, degree))
    companions[:, 1:, :-1] = np.eye(degree - 1)
    companions[:, 0] = -kept[:, 1:] / kept[:, :1]
    return np.pad(np.linalg.eigvals(companions), ((0, 0), (0, polynomials.shape[1] - kept.shape[1])))


def check_stable(medium: Any, resolution: float, courant: float = 0.5, dimensions: int = 3) -> float:
    """Return the growth rate (1 / Meep time); raise MaterialError when the medium blows up at this resolution.

    Says nothing of surfaces or of a PML the medium touches.
    """
    rate = growth_rate(medium, resolution, courant, dimensions)
    if rate <= TOLERATED_GROWTH:
        return rate
    better = [
        r
        for r in (1.5, 2, 3, 5, 10)
        if growth_rate(medium, r * resolution, courant, dimensions) <= TOLERATED_GROWTH
    ]
    slower = [
        c for c in (0.35, 0.25, 0.1) if growth_rate(medium, resolution, c, dimensions) <= TOLERATED_GROWTH
    ]
    fixes = [f"resolution {better[0] * resolution:g}"] if better else []
    fixes += [f"Courant={slower[0]:g}"] if slower else []
    raise MaterialError(
        f"the medium (eps_inf {float(medium.epsilon_diag.x):.3g}, {len(poles_of(medium))} poles) grows at {rate:.3g} per"
        f" Meep time at resolution {resolution:g}, Courant {courant:g}, {dimensions}D. "
        + (
            f"Stable with {' or '.join(fixes)}."
            if fixes
            else "No finer grid helps: it has gain or eps_inf too small; refit."
        )
    )
